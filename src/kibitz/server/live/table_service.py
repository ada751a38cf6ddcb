"""The tables of a server, in memory and on disk, and the services they use."""

import asyncio
import contextlib
import heapq
import logging
import secrets
import time
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any

import msgspec

from kibitz.bots import players
from kibitz.bots.pool import Processes
from kibitz.core import registry
from kibitz.core.agent import Agent
from kibitz.core.agent_title import title_of
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.engine import generic, seeds
from kibitz.engine.dice import set_dice
from kibitz.engine.seeds import keys
from kibitz.errors import KibitzError, unknown
from kibitz.server.live.audience import Subscriber
from kibitz.server.live.bot_threads import BotThreads
from kibitz.server.live.limits import Limits
from kibitz.server.live.messages import RefusedError, SeatSpec
from kibitz.server.live.storage import Entry, History, KeptTable, Storage, StorageError, StoredTable
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_state import ANY_MOVE, Role, Seat, clean_name
from kibitz.server.live.tokens import digest, invitation, new_id, new_token
from kibitz.server.live.warmup import guided_games, rehearse, take_seat, usual_first, usual_level

log = logging.getLogger("kibitz.server.live")

SWEEP = 30.0  # seconds between two sweeps for unused processes
SHARE = 20  # unload this fraction, one in 20, when there are too many tables
HIDDEN_SEED = 53  # bits: few enough for JavaScript, too many for brute force


def hidden_seed() -> int:
    """A random seed, hidden until the end."""
    return secrets.randbits(HIDDEN_SEED)


class TableService:
    def __init__(
        self,
        storage: Storage,
        limits: Limits,
        agents: Sequence[tuple[str, str]] = (),
        on_change: Callable[[LiveTable], None] = lambda table: None,
        on_finish: Callable[[LiveTable], None] = lambda table: None,
        on_substitution: Callable[[LiveTable, str], None] = lambda table, text: None,
        titles: bool = False,
        processes: Processes | None = None,
    ) -> None:
        """The tables of a server.

        Args:
            agents: the game and location of agents offered besides the installed ones; they run in processes.
            on_change: called when a row of the lobby changes.
            on_finish: called when a game is over, before the result is sent; may raise a StorageError.
            on_substitution: called when a bot replaces a player who failed.
            titles: whether agents appear under their titles instead of their names.
        """
        self.storage, self.limits = storage, limits
        self.on_change, self.on_finish, self.on_substitution = on_change, on_finish, on_substitution
        self.owns_processes = processes is None
        self.processes = processes or Processes(
            limits.bot_processes, limits.bot_memory, captured=True, spare=sorted({game for game, _ in agents})
        )
        self.offered: dict[str, dict[str, Agent]] = {}
        for game_name, where in agents:
            game = registry.game(game_name)
            found = players.known_by(game, registry.spec(game_name, where), limits.bot_seconds, self.processes)
            self.offered.setdefault(game_name, {})[where] = found
        self.titles: dict[tuple[str, str], str] | None = {} if titles else None  # by game and agent
        self.bot_threads = BotThreads()
        self.bot_seconds, self.bot_grid = limits.bot_seconds, limits.bot_grid
        self.tables: dict[str, LiveTable] = {}
        self.asleep: dict[str, KeptTable] = {}  # that continue after a start, until they are in memory
        self.waking: asyncio.Task[None] | None = None
        self.subscribers_away: dict[str, dict[Subscriber, Role]] = {}  # of unloaded tables
        self.loading: dict[str, asyncio.Future[LiveTable]] = {}
        self.readying: dict[str, asyncio.Future[None]] = {}
        self.tasks: list[asyncio.Task[None]] = []

    def start(self) -> None:
        self.tasks.append(asyncio.get_running_loop().create_task(self._look_after_processes()))

    def close(self) -> None:
        for task in (*self.tasks, self.waking):
            if task is not None:
                task.cancel()
        for table in self.tables.values():
            table.close()
        self.bot_threads.stop()
        if self.owns_processes:
            self.processes.begin_no_more()
            self.processes.close()

    async def _look_after_processes(self) -> None:
        while True:
            await asyncio.to_thread(self.processes.keep_spare)
            await asyncio.sleep(SWEEP)
            await asyncio.to_thread(self.processes.end_idle)

    # Compiling ahead

    def warm_up(self) -> None:
        """Compile or load in the background what the lobby's defaults need, game by game, then the agents of other
        levels.

        Other games are prepared on request. Agents are prepared one at a time, so that a request waits for one at most.
        """

        async def all_of_it() -> None:
            games = guided_games()
            for game in games:
                await self.ready(game)
                for name in game.lineup(usual_level(game)).everybody:
                    await self._try(game, partial(take_seat, game, name))
            for game in games:
                for name in usual_first(game):
                    await self._try(game, partial(take_seat, game, name))

        self.tasks.append(asyncio.get_running_loop().create_task(all_of_it()))

    async def ready(self, game: Game) -> None:
        """Return when a game's tables can be set up without a wait."""
        if game.name not in self.readying:
            self.readying[game.name] = asyncio.ensure_future(self._try(game, lambda: rehearse(game)))
        await asyncio.shield(self.readying[game.name])

    async def _try(self, game: Game, call: Callable[[], None]) -> None:
        try:
            await self.bot_threads.prepare(call)
        except Exception:
            log.exception("%s could not be rehearsed; its first table may take long, or fail", game.title)

    def is_ready(self, game_name: str) -> bool:
        return game_name in self.readying and self.readying[game_name].done()

    # Games and agents

    def game(self, name: str) -> Game:
        try:
            return registry.game(name)
        except KibitzError as error:
            raise RefusedError("unknown", str(error)) from None

    def agents(self, game: Game) -> list[Agent]:
        """The agents of the registry, and those offered besides."""
        return [*registry.agents(game), *self.offered.get(game.name, {}).values()]

    def agent(self, game: Game, name: str) -> Agent:
        """An agent of the catalogue. Files are refused: their code would run here."""
        offered = self.offered.get(game.name, {})
        if name in offered:
            return offered[name]
        if not registry.is_known(game, name):
            known = registry.agent_entries(game.name)
            error = unknown(f"{game.title} agent", name, [*known, *offered], "The catalogue lists them.")
            raise RefusedError("unknown", str(error))
        try:
            return registry.agent(game, name)
        except KibitzError as error:
            raise RefusedError("failed", str(error)) from None

    def title(self, game: Game, name: str) -> str:
        """An agent's name at the tables; it may no longer be installed."""
        if self.titles is None:
            return name
        if (game.name, name) not in self.titles:
            try:
                self.titles[game.name, name] = name if name == ANY_MOVE else self.agent(game, name).title
            except RefusedError:
                return title_of(name)
        return self.titles[game.name, name]

    # New tables

    async def set_up(
        self, game: Game, seats: Sequence[SeatSpec], rules: dict[str, str], seed: int, number: int,
        options: dict[str, Any], name: str = "",
    ) -> tuple[LiveTable, str, Role]:  # fmt: skip
        """Create a table with the deal of a seed. Returns it with its creator's token and role."""
        stored, core = self.deal(game, len(seats), rules, seed, number, options)
        return await self.seat(stored, game, core, seats, name)

    def deal(
        self, game: Game, players: int, rules: dict[str, str], seed: int, number: int, options: dict[str, Any]
    ) -> tuple[StoredTable, Table]:
        """A table with the cards of a seed's game and free seats."""
        start = game.deal(keys(seed), number, players, rules)
        stored = StoredTable(
            id=new_id(), game=game.name, rules=rules, start=game.dump_start(start[0]),
            dice=int(seeds.number(keys(seed).dice, number)), seed=seed, number=number, seats=[], host="",
            created=time.time(), options=options,
        )  # fmt: skip
        return stored, Table(game, [], start)

    async def seat(
        self, stored: StoredTable, game: Game, core: Table, seats: Sequence[SeatSpec], name: str
    ) -> tuple[LiveTable, str, Role]:
        """Give the seats of a new table to the players named for them."""
        mine = [number for number, spec in enumerate(seats) if spec.kind == "me"]
        if len(mine) > 1:
            raise RefusedError("bad_message", "You can sit in one seat only; the others are for bots and other people.")
        token = new_token()

        def taken(spec: SeatSpec) -> Seat:
            if spec.kind == "me":
                return Seat("person", person=clean_name(spec.name or name), token=digest(token))
            return Seat("open") if spec.kind == "open" else Seat("bot", agent=self.agent(game, spec.agent).name)

        table = await self.open_table(stored, game, core, [taken(spec) for spec in seats], digest(token))
        return table, token, Role(mine[0] if mine else None, host=True)

    async def open_table(
        self, stored: StoredTable, game: Game, core: Table, seats: Sequence[Seat], host: str
    ) -> LiveTable:
        """A new table with its seats assigned; players can be invited to the open ones."""
        stored.host = host
        stored.options["invitations"] = secret = new_token()
        for number, seat in enumerate(seats):
            if seat.kind == "open" and not seat.reserved:
                seat.invitation = digest(invitation(secret, stored.id, number))
        stored.seats = [msgspec.to_builtins(seat) for seat in seats]
        stored.options["open"] = all(seat.kind == "bot" for seat in seats)
        stored.options["deadline"] = self.limits.program_seconds
        table = LiveTable(self, stored, game, core)
        await self.add(table)
        return table

    async def add(self, table: LiveTable) -> None:
        """Store a new table with the moves made at it."""
        moves = moves_made(table)
        await self.storage.add(table.stored, moves)
        table.state.entries = len(moves)
        self.tables[table.id] = table
        self.on_change(table)
        await self.make_room()

    # Existing tables

    async def table(self, id: str) -> LiveTable:
        """A table by its id, loaded from the disk if necessary."""
        if id in self.tables:
            return self.tables[id]
        if id not in self.loading:
            self.loading[id] = asyncio.ensure_future(self._load(id))
            self.loading[id].add_done_callback(lambda done: self.loading.pop(id, None))
        return await asyncio.shield(self.loading[id])

    def wake(self, tables: Sequence[KeptTable]) -> None:
        """Load tables one by one while the server is in use, so that their bots and clocks continue.

        A requested table comes first.
        """

        async def all_of_them() -> None:
            for id in list(self.asleep):
                if id in self.asleep:
                    try:
                        await self.table(id)
                    except Exception as error:
                        log.warning("Table %s cannot be brought back, and is left as it is: %s", id, error)
                        self.asleep.pop(id, None)
                    await asyncio.sleep(0)

        self.asleep = {table.id: table for table in tables}
        self.waking = asyncio.get_running_loop().create_task(all_of_them())

    async def keep_listings(self) -> None:
        """Store the lobby rows of the tables in memory, for the next start."""
        going_on = [table for table in self.tables.values() if table.stored.finished is None]
        if going_on:
            await self.storage.keep_listings({table.id: table.state.listing(()) for table in going_on})

    async def _load(self, id: str) -> LiveTable:
        history = self.storage.load(id)
        if history is None:
            raise RefusedError("unknown", f"There is no table {id!r} here.")
        stored = history.table
        try:
            table = await self.restore(history)
            if stored.finished is None and (stored.put_away is not None or stored.summary is not None):
                await self.storage.bring_back(id)
        except StorageError:
            raise  # the game is fine, the disk is not: the client may try again
        except KibitzError as error:
            raise RefusedError("failed", f"The game of table {id} cannot be brought back: {error}") from None
        except Exception as error:
            log.warning("The game of table %s cannot be brought back", id, exc_info=error)
            raise RefusedError("failed", f"The game of table {id} cannot be brought back.") from None
        self.on_change(table)
        await self.make_room()
        return table

    async def restore(self, history: History) -> LiveTable:
        """Load a table in the state in which it was stored."""
        stored = history.table
        game = registry.game(stored.game)
        await self.ready(game)
        stored.rules = game.recorded_rules(stored.rules)
        start = game.load_start(stored.start, len(stored.seats), stored.rules)
        set_dice(start[0], stored.dice)
        table = LiveTable(self, stored, game, Table(game, [], start, rolls=False))
        for entry in history.entries:
            table.state.apply(entry)
        table.state.roll()
        table.views.refresh()
        for note in history.notes:
            table.state.notes.setdefault(note.seat, {})[note.mark] = note
        table.audience.subscribers.update(self.subscribers_away.pop(table.id, {}))
        self.asleep.pop(table.id, None)
        self.tables[table.id] = table
        if (
            table.state.over and stored.finished is None and not table.state.analysis_board
        ):  # the server was killed in between
            await table.keep_end()
            await table.end()
        else:
            table.schedule_bots()
        return table

    def is_over(self, id: str) -> bool:
        """Whether a table in memory is over."""
        return id in self.tables and self.tables[id].state.over

    def leave(self, id: str, subscriber: Subscriber) -> None:
        """A client leaves a table, which may be unloaded."""
        if id in self.tables:
            table = self.tables[id]
            table.leave(subscriber)
            self.forget_finished(table)
        elif id in self.subscribers_away:
            self.subscribers_away[id].pop(subscriber, None)
            if not self.subscribers_away[id]:
                del self.subscribers_away[id]

    def forget_finished(self, table: LiveTable) -> None:
        """Remove a finished table without clients from memory; it stays on the disk."""
        if not table.audience.subscribers and not table.held and table.stored.finished is not None:
            self.tables.pop(table.id, None)

    @contextlib.asynccontextmanager
    async def holding(self, id: str) -> AsyncIterator[LiveTable]:
        """A table that is not unloaded meanwhile: a second copy in memory would miss changes to the first."""
        table = await self.table(id)
        while self.tables.get(id) is not table:  # unloaded in between
            table = await self.table(id)
        table.held += 1
        try:
            yield table
        finally:
            table.held -= 1
            self.forget_finished(table)

    # Archiving

    async def make_room(self) -> None:
        """Unload the least recently used tables, if there are too many."""
        surplus = len(self.tables) - self.limits.tables
        if surplus > 0:
            idle = [table for table in self.tables.values() if not table.busy]
            some = surplus + self.limits.tables // SHARE  # more than necessary, as searching all takes time
            await self.put_away(heapq.nsmallest(some, idle, key=lambda table: table.active))

    async def put_away_idle(self) -> None:
        """Unload tables without a recent move, sooner if there never was one."""
        now = time.monotonic()

        def patience(table: LiveTable) -> float:
            return self.limits.put_away if table.state.touched else self.limits.put_away_untouched

        tables = self.tables.values()
        await self.put_away([table for table in tables if now - table.active > patience(table) and not table.busy])

    async def put_away(self, tables: Sequence[LiveTable]) -> None:
        """Unload tables. Clients do not notice: a table is loaded again on request."""
        unfinished = {table.id: not table.state.touched for table in tables if table.stored.finished is None}
        if unfinished:
            listings = {table.id: table.state.listing(()) for table in tables if table.id in unfinished}
            await self.storage.put_away(unfinished, listings)
        for table in tables:
            if table.busy:
                continue  # a client arrived meanwhile; the table is the same in memory and on the disk
            table.close()
            self.tables.pop(table.id, None)
            if table.audience.subscribers:
                self.subscribers_away[table.id] = dict(table.audience.subscribers)
            self.on_change(table)

    async def delete(self, table: LiveTable) -> None:
        """Delete a table, from the disk too."""
        async with table.changing():
            await self.storage.delete(table.id)
            table.close()
            self.tables.pop(table.id, None)
        self.on_change(table)

    def on_end(self, table: LiveTable) -> None:
        self.forget_finished(table)
        self.on_change(table)


def moves_made(table: LiveTable) -> list[Entry]:
    """The log of a table that was set up with moves."""
    return [
        Entry(
            "move",
            {"move": table.game.move_text(turn.decision.move), "reason": turn.decision.reason}
            | ({"rolled": True} if turn.seat == generic.CHANCE else {}),
        )
        for turn in table.state.core.turns
    ]
