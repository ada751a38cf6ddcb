"""The site: the tables in a data folder, the lobby, the laboratory and the sessions, put together."""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from kibitz.bots.pool import Processes
from kibitz.core.game import Game
from kibitz.core.record import Record, nth_game
from kibitz.core.table import Table
from kibitz.engine.dice import set_dice
from kibitz.errors import KibitzError
from kibitz.server.live.connection_limit import ConnectionLimit
from kibitz.server.live.connections import ignore_lost_connections
from kibitz.server.live.delay import check_delay
from kibitz.server.live.limits import Limits
from kibitz.server.live.messages import Create, RefusedError, SeatSpec, WhatIf
from kibitz.server.live.rate_limit import BucketsByAddress
from kibitz.server.live.session import Sessions
from kibitz.server.live.storage import StoredTable
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_service import TableService, hidden_seed
from kibitz.server.live.table_state import Role, Seat, clean_name
from kibitz.server.live.tokens import new_id
from kibitz.server.live.warmup import usual_level
from kibitz.server.web import catalogue, coach_requests
from kibitz.server.web.coach_store import CoachStore
from kibitz.server.web.daily_deals import DailyDeals
from kibitz.server.web.lab import Lab
from kibitz.server.web.lobby import Lobby
from kibitz.server.web.memory import trim
from kibitz.server.web.recovery import open_store
from kibitz.server.web.requests import WEB_REQUESTS
from kibitz.server.web.reviews import Reviews

log = logging.getLogger("kibitz.server.web")

SWEEP = 30.0  # seconds between searches for idle tables
IMPORTING = 30.0  # seconds to read and replay a record
REGISTERED = (coach_requests,)  # by importing it

Result = TypeVar("Result")


class Site:
    def __init__(
        self,
        data: Path,
        agents: Sequence[tuple[str, str]] = (),
        limits: Limits | None = None,
        warm_up: bool = True,
        proxies: Sequence[str] = (),
        processes: Processes | None = None,
    ) -> None:
        """Set up the site of a data folder. `agents` are extra agents: a game and a location each."""
        self.data, self.limits, self.warm_up = data, limits or Limits(), warm_up
        self.store, troubles = open_store(data / "tables.sqlite", self.limits.untouched_kept, self.limits.backups)
        for trouble in troubles:
            log.warning("%s", trouble)
        self.lobby = Lobby(lambda: self.tables, self.store, self.limits)
        self.tables = TableService(
            self.store, self.limits, agents, self.lobby.note, on_substitution=self._substituted, titles=True,
            processes=processes,
        )  # fmt: skip
        self.lab = Lab(data / "runs", self.limits.lab_seconds)
        self.coach = CoachStore(self.store, self.limits)
        self.daily = DailyDeals(self.tables, self.store, self.coach)
        self.reviews = Reviews(self.tables, self.coach, self.limits)
        self.connections = ConnectionLimit(
            self.limits.connections, self.limits.connections_by_address, frozenset(proxies)
        )
        most_seated = max(1, int(self.limits.seated * self.connections.most))
        self.sessions = Sessions(self.tables, WEB_REQUESTS, self.limits, most_seated, server=self)
        by_address = self.limits.tables_per_minute_by_address
        self.creations = BucketsByAddress(by_address / 60, by_address)
        searches = self.limits.searches_per_minute_by_address
        self.searches = BucketsByAddress(searches / 60, searches)
        uploads, uploaded = self.limits.uploads_per_minute, self.limits.upload_bytes_per_minute
        self.uploads = BucketsByAddress(uploads / 60, uploads)
        self.uploaded = BucketsByAddress(uploaded / 60, uploaded)
        self.programs_port: int | None = None  # where programs may join
        self.chores: list[asyncio.Task[None]] = []

    @cached_property
    def catalogue(self) -> msgspec.Raw:
        """The catalogue of games and agents. It does not change while the server runs."""
        return msgspec.Raw(msgspec.json.encode(catalogue.games(self.tables)))

    def _substituted(self, table: LiveTable, text: str) -> None:
        log.info("Table %s: %s", table.id, text)

    async def open(self) -> None:
        """Start serving; unfinished tables that are not archived are loaded one by one in the background."""
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(ignore_lost_connections)
        self.tables.start()
        self.lobby.start()
        self.lab.open()
        self.chores = [loop.create_task(self._sweep()), loop.create_task(self._back_up())]
        if self.warm_up:
            self.tables.warm_up()
        self.tables.wake(self.store.unfinished(self.limits.tables))

    async def close(self) -> None:
        for chore in self.chores:
            chore.cancel()
        self.lab.close()
        self.reviews.close()
        self.lobby.close()
        self.tables.close()
        try:
            await self.tables.keep_listings()
        except KibitzError as error:
            log.error("The listings of the tables could not be saved: %s", error)
        await self.store.back_up_at_the_end()
        self.store.close()

    async def _back_up(self) -> None:
        while True:
            await asyncio.sleep(self.limits.backup)
            await self.store.back_up()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP)
            await asyncio.to_thread(trim)
            try:
                await self.tables.put_away_idle()
            except KibitzError as error:
                log.error("Tables could not be archived: %s", error)

    # New tables

    async def create(self, said: Create, name: str) -> tuple[LiveTable, str, Role]:
        """Create a table. Returns it with its creator's token and role."""
        game = self.tables.game(said.game)
        await self.tables.ready(game)
        seats = said.seats or self.usual_seats(game, said.level, said.players, said.seat)
        try:
            game.check_players(len(seats))
            rules = game.check_rules({**game.table_rules, **said.rules})
        except KibitzError as error:
            raise RefusedError("bad_message", str(error)) from None
        check_delay(game, said.spectators)
        seed = hidden_seed() if said.seed is None else said.seed
        options: dict[str, Any] = {"kibitz": said.kibitz, "bot_delay": said.bot_delay}
        options |= chosen_seed(said, seats, name)
        options |= {"spectators": said.spectators} if said.spectators else {}
        options |= {"chat": said.chat} if said.chat != "quick" else {}
        options |= {"joinable": True} if said.joinable else {}
        if said.move_seconds:
            least = self.limits.least_move_seconds
            if said.move_seconds < least:
                raise RefusedError("bad_message", f"The time per move is at least {least} seconds, or 0 for no limit.")
            options["move_seconds"] = said.move_seconds
        return await self.tables.set_up(game, seats, rules, seed, 0, options, name)

    def usual_seats(self, game: Game, level: str, players: int | None, seat: int = 0) -> list[SeatSpec]:
        """A person in a seat and bots of a level, by default of the middle one."""
        try:
            count = game.check_players(game.usual_players if players is None else players)
            if level or game.lineups:
                names = game.lineup(level or usual_level(game)).seats(count - 1)
            else:
                honest = [agent.name for agent in self.tables.agents(game) if not agent.traits.cheats]
                names = honest[:1] * (count - 1)
        except KibitzError as error:
            raise RefusedError("bad_message", str(error)) from None
        if seat >= count:
            raise RefusedError("bad_message", f"The table has {count} seats, so yours is one of 0 to {count - 1}.")
        seats = [SeatSpec("bot", agent=name) for name in names]
        return [*seats[:seat], SeatSpec("me"), *seats[seat:]]

    async def what_if(self, said: WhatIf, name: str) -> tuple[LiveTable, str, Role]:
        """Create a table that continues another one's game from an earlier turn."""
        origin = await self.tables.table(said.table)
        if not origin.state.all_may_be_seen:
            raise RefusedError(
                "hidden", "The game is still running, and its players would learn the cards. Wait until it is over."
            )
        if len(said.seats) != len(origin.state.seats):
            raise RefusedError("bad_message", f"Name a player for each of the {len(origin.state.seats)} seats.")
        past = origin.state.at(said.turn).copy()
        past.start_rolling()
        if past.over:
            raise RefusedError("over", "The game is over at that turn. Choose an earlier one.")
        options = {
            "kibitz": said.kibitz,
            "bot_delay": said.bot_delay,
            "origin": {"table": origin.id, "turn": said.turn},
        }
        stored = msgspec.structs.replace(
            origin.stored, id=new_id(), seats=[], options=options, created=time.time(), finished=None, summary=None
        )
        return await self.tables.seat(stored, origin.game, past, said.seats, name)

    async def worked_out(self, asker: str, call: Callable[[], Result]) -> Result:
        """Run a call that takes seconds for one visitor without delaying the others."""
        threads = self.tables.bot_threads
        return await threads.run(threads.records, asker, call, IMPORTING)

    # Records in and out

    async def take_in(self, text: bytes, address: str, played_by: Sequence[str] = ()) -> LiveTable:
        """Import a record as a table that can be replayed and continued, played by agents or by those it names."""
        threads = self.tables.bot_threads
        record = await threads.run(threads.records, address, lambda: nth_game(text, 0), IMPORTING)
        await self.tables.ready(self.tables.game(record.game))
        dice = hidden_seed()
        core = await threads.run(threads.records, address, lambda: replayed(record, dice), IMPORTING)
        if not core.over and not core.turns and not record.start:  # a deal or a position alone can be continued
            raise RefusedError("bad_message", "The record has no moves to show.")
        now = time.time()
        stored = StoredTable(
            id=new_id(), game=record.game, rules=core.game.recorded_rules(record.rules), start=record.start,
            dice=dice, seed=record.seed, number=record.number,
            seats=[msgspec.to_builtins(Seat("bot", agent=agent)) for agent in played_by]
            or [msgspec.to_builtins(Seat("absent", person=clean_name(seat))) for seat in record.seats],
            options={"open": True, "imported": True, **undone(record)}, host="", created=now,
        )  # fmt: skip
        table = LiveTable(self.tables, stored, core.game, core)
        stored.finished, stored.summary = now, table.views.listing()
        await self.tables.add(table)
        self.tables.forget_finished(table)
        return table

    def record(self, table: LiveTable) -> Record:
        """The record of a table's game, if all of it may be seen."""
        state, stored = table.state, table.stored
        if not state.all_may_be_seen:
            raise RefusedError("hidden", "The game is still running. Its record is available when it is over.")
        names = [seat.name or seat.kind for seat in state.seats]
        record = Record.of(state.core, names, stored.rules, stored.seed, stored.number)
        record.taken_back = state.taken_back or msgspec.UNSET
        if state.analysis_board:
            record.result = None  # nobody played it
        return record


def chosen_seed(said: Create, seats: Sequence[SeatSpec], name: str) -> dict[str, Any]:
    """The options of a table that describe its seed. A player who chooses the seed could know the cards, so everybody
    sees it, and nobody can join from the lobby."""
    if said.seed is None:
        return {"seed_chosen": False}
    if said.joinable:
        raise RefusedError(
            "bad_message",
            "A table that anyone may join cannot have a chosen seed, because it reveals the cards. Leave out the seed, "
            "or invite people: they see it before they sit down.",
        )
    mine = next((spec.name for spec in seats if spec.kind == "me" and spec.name), name)
    return {"seed_chosen": True, "seed_by": clean_name(mine)}


def undone(record: Record) -> dict[str, Any]:
    """The moves taken back according to a record, for its table's options."""
    return {"taken_back": msgspec.to_builtins(record.taken_back)} if record.taken_back else {}


def replayed(record: Record, dice: int) -> Table:
    """The game of a record with new dice: the author of the record may know those it was played with."""
    core = record.replay()
    set_dice(core.start[0], dice)
    return core.at_turn(len(core.turns), [])
