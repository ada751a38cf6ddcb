"""The house: every table there is, those that go on in memory and those that are over on the disk, and the lobby."""

import asyncio
import logging
import random
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from kibitz.core import registry, seeds
from kibitz.core.agent import Agent, Decision
from kibitz.core.dice import set_dice
from kibitz.core.errors import KibitzError, unknown
from kibitz.core.game import Game
from kibitz.core.loop import ONLOOKER
from kibitz.core.record import Record
from kibitz.core.seeds import keys
from kibitz.core.table import Table
from kibitz.web import bots, seats, store
from kibitz.web.messages import Chair, Create, RefusedError, Sit, WhatIf, worded
from kibitz.web.seats import Seat, clean_name, digest
from kibitz.web.sockets import overlook_lost_connections
from kibitz.web.store import Kept, Store
from kibitz.web.tables import LiveTable, retold
from kibitz.web.telling import Listener, Place
from kibitz.web.thinking import Thinkers

log = logging.getLogger("kibitz.web")

HIDDEN_SEED = 53  # bits: as many as a page can show, and too many to try them all


@dataclass(frozen=True)
class Limits:
    """How much of everything there may be."""

    visitors: int = 500
    tables: int = 2000  # that are not over
    finished_listed: int = 60
    frame: int = 64 * 1024  # bytes
    upload: int = 1024 * 1024
    messages_per_second: float = 30.0
    messages_at_once: int = 60
    tables_per_minute: int = 30  # by one visitor
    notes: int = 100  # by one person at one table
    places: int = 100  # tables that one visitor is at
    greeting: float = 20.0  # seconds before a visitor has said hello
    thinking: float = 10.0  # seconds a bot may think
    programs: float = 60.0  # seconds a program from elsewhere may think, also while it is not connected
    waiting: int = 400  # messages a visitor may leave unread
    lobby: float = 0.25  # seconds between two looks at the lobby


class House:
    understands: frozenset[type[msgspec.Struct]] | None = None  # what is answered here, if not everything

    def __init__(
        self,
        data: Path,
        agents: Sequence[tuple[str, str]] = (),
        limits: Limits | None = None,
        warm_up: bool = True,
        keeps: bool = True,
    ) -> None:
        """A house with what is kept in a folder. Agents to offer besides those installed: of which game, and where.

        A house that keeps nothing forgets its tables when they are over, or when it closes.
        """
        self.data, self.limits = data, limits or Limits()
        self.offered: dict[str, dict[str, Agent]] = {}
        for game_name, where in agents:
            game = registry.game(game_name)
            self.offered.setdefault(game_name, {})[where] = registry.agent(game, where)
        self.store = Store(data / "tables.sqlite", keeps)
        self.thinkers = Thinkers(threads=4)
        self.patience = self.limits.thinking
        self.tables: dict[str, LiveTable] = {}
        self.lobby: set[Listener] = set()
        self.lobby_changed = asyncio.Event()
        self.teller: asyncio.Task[None] | None = None
        self.programs_port: int | None = None  # where programs may join
        self.warm_up = warm_up
        self.warming: asyncio.Task[None] | None = None
        self.readying: dict[str, asyncio.Future[None]] = {}

    async def open(self) -> None:
        """Bring back every table that was not over."""
        self.thinkers.start()
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(overlook_lost_connections)
        self.teller = loop.create_task(self._tell_lobby())
        for kept in self.store.unfinished():
            try:
                await self.ready(registry.game(kept.game))
                table = self._restored(kept)
            except Exception as error:
                log.warning("Table %s cannot be brought back, and is left as it is: %s", kept.id, error)
                continue
            if table.over:
                await table.end()
            else:
                self.tables[table.id] = table
                table.poke()
        if self.warm_up:
            self.warming = loop.create_task(self._warm_up())

    async def _warm_up(self) -> None:
        """Compile what every game needs, or load it, then its agents: the first click need not wait for it then.

        One agent at a time: who asks for another meanwhile waits for that one only.
        """
        for game in registry.games():
            await self.ready(game)
        for game in registry.games():
            for name in usual_first(game):
                await self._try(game, partial(take_seat, game, name))

    async def ready(self, game: Game) -> None:
        """Return when a game's tables can be set up without a wait."""
        if game.name not in self.readying:
            self.readying[game.name] = asyncio.ensure_future(self._try(game, lambda: rehearse(game)))
        await asyncio.shield(self.readying[game.name])

    async def _try(self, game: Game, rehearsal: Callable[[], None]) -> None:
        try:
            await self.thinkers.think(rehearsal, bots.COMPILING, risky=False)
        except Exception:
            log.exception("%s could not be rehearsed; its first table may take long, or fail", game.title)

    def is_ready(self, game_name: str) -> bool:
        return game_name in self.readying and self.readying[game_name].done()

    async def close(self) -> None:
        for task in (self.teller, self.warming, *(table.runner for table in self.tables.values())):
            if task is not None:
                task.cancel()
        self.thinkers.stop()
        self.store.close()

    # Games and agents

    def game(self, name: str) -> Game:
        try:
            return registry.game(name)
        except KibitzError as error:
            raise RefusedError("unknown", str(error)) from None

    def agents(self, game: Game) -> list[Agent]:
        """Those of the registry, and those that were offered when the house was opened."""
        return [*registry.agents(game), *self.offered.get(game.name, {}).values()]

    def agent(self, game: Game, name: str) -> Agent:
        """An agent of the catalogue. Nobody may name a file: what is in it would run here."""
        offered = self.offered.get(game.name, {})
        if name in offered:
            return offered[name]
        known = registry.agent_entries(game.name)
        if name not in known:
            error = unknown(f"{game.title} agent", name, [*known, *offered], "The catalogue lists them.")
            raise RefusedError("unknown", str(error))
        try:
            return registry.agent(game, name)
        except KibitzError as error:
            raise RefusedError("failed", str(error)) from None

    # New tables

    async def create(self, said: Create, name: str) -> tuple[LiveTable, str, Place]:
        """A new table, the token of who made it, and what they are there."""
        game = self.game(said.game)
        await self.ready(game)
        chairs = said.seats or self.usual_chairs(game, said.level, said.players)
        try:
            game.check_players(len(chairs))
            rules = game.check_rules({**game.table_rules, **said.rules})
        except KibitzError as error:
            raise RefusedError("bad_message", str(error)) from None
        seed = secrets.randbits(HIDDEN_SEED) if said.seed is None else said.seed
        options = {"kibitz": said.kibitz, "pace": said.pace, "seed_chosen": said.seed is not None}
        return await self.set_up(game, chairs, rules, seed, 0, options, name)

    async def set_up(
        self, game: Game, chairs: Sequence[Chair], rules: dict[str, str], seed: int, number: int,
        options: dict[str, Any], name: str = "",
    ) -> tuple[LiveTable, str, Place]:  # fmt: skip
        """A table with the cards of a seed's game; the name is of who made it."""
        start = game.deal(keys(seed), number, len(chairs), rules)
        kept = Kept(
            id=seats.new_id(), game=game.name, rules=rules, start=game.dump_start(start[0]),
            dice=int(seeds.number(keys(seed).dice, number)), seed=seed, number=number, seats=[], host="",
            created=time.time(), options=options,
        )  # fmt: skip
        return await self._seated(kept, game, Table(game, [], start), chairs, name)

    def usual_chairs(self, game: Game, level: str, players: int | None) -> list[Chair]:
        """A visitor and the bots of a level, of a middle one if none is named."""
        try:
            count = game.check_players(game.usual_players if players is None else players)
            if level or game.lineups:
                names = game.lineup(level or usual_level(game)).seats(count - 1)
            else:
                honest = [agent.name for agent in self.agents(game) if not agent.traits.cheats]
                names = honest[:1] * (count - 1)
        except KibitzError as error:
            raise RefusedError("bad_message", str(error)) from None
        return [Chair("me"), *(Chair("bot", agent=name) for name in names)]

    async def what_if(self, said: WhatIf, origin: LiveTable, name: str) -> tuple[LiveTable, str, Place]:
        """A table where the first moves of another were made."""
        if not origin.all_may_be_seen:
            raise RefusedError(
                "hidden", "People still play there, and would learn the cards. Wait until the game is over."
            )
        if len(said.seats) != len(origin.seats):
            raise RefusedError("bad_message", f"That game has {len(origin.seats)} seats; say who sits in each.")
        past, before = origin.at(said.turn), origin.kept
        if past.over:
            raise RefusedError("over", "The game is over at that turn. Choose an earlier one.")
        options = {"kibitz": said.kibitz, "pace": said.pace, "origin": {"table": origin.id, "turn": said.turn}}
        kept = msgspec.structs.replace(
            before, id=seats.new_id(), seats=[], options=options, created=time.time(), finished=None, summary=None
        )
        return await self._seated(kept, origin.game, past.copy(), said.seats, name)

    async def _seated(
        self, kept: Kept, game: Game, core: Table, chairs: Sequence[Chair], name: str
    ) -> tuple[LiveTable, str, Place]:
        if len(self.tables) >= self.limits.tables:
            raise RefusedError("full", "There is no room for another table. Finish one of yours, or come back later.")
        mine = [number for number, chair in enumerate(chairs) if chair.kind == "me"]
        if len(mine) > 1:
            raise RefusedError("bad_message", "You can sit in one seat only; the others are for bots and other people.")
        token = seats.new_token()
        kept.host = digest(token)
        kept.seats = [
            msgspec.to_builtins(self._seat(kept, game, number, chair, token, name))
            for number, chair in enumerate(chairs)
        ]
        kept.options["open"] = all(chair.kind == "bot" for chair in chairs)
        kept.options["deadline"] = self.limits.programs
        table = LiveTable(self, kept, game, core)
        await self._add(table)
        return table, token, Place(mine[0] if mine else None, host=True)

    def _seat(self, kept: Kept, game: Game, number: int, chair: Chair, token: str, name: str) -> Seat:
        if chair.kind == "me":
            return Seat("person", person=clean_name(chair.name or name), token=digest(token))
        if chair.kind == "open":
            return Seat("open", invitation=digest(seats.invitation(token, kept.id, number)))
        return Seat("bot", agent=self.agent(game, chair.agent).name)

    async def _add(self, table: LiveTable) -> None:
        """Keep a new table with the moves that were made at it, and show it in the lobby."""
        moves = [
            ("move", {"move": table.game.move_text(turn.decision.move), "reason": turn.decision.reason})
            for turn in table.core.turns
        ]
        entries = [store.new_entry(table.id, number, *move) for number, move in enumerate(moves)]
        await self.store.write(store.new_table(table.kept), *entries)
        table.entries = len(entries)
        self.tables[table.id] = table
        self.lobby_changed.set()

    async def take_in(self, record: Record) -> LiveTable:
        """A game that was played elsewhere, to be looked at and played on from."""
        await self.ready(self.game(record.game))
        core = record.replay()
        if not core.over and not core.turns:
            raise RefusedError("bad_message", "The record has no moves; there is nothing to look at.")
        now = time.time()
        kept = Kept(
            id=seats.new_id(), game=record.game, rules=core.game.check_rules(record.rules), start=record.start,
            dice=secrets.randbits(62), seed=record.seed, number=record.number,
            seats=[msgspec.to_builtins(Seat("absent", person=clean_name(seat))) for seat in record.seats],
            options={"open": True, "imported": True}, host="", created=now,
        )  # fmt: skip
        set_dice(core.start[0], kept.dice)
        table = LiveTable(self, kept, core.game, core.at_turn(len(core.turns), []))
        kept.finished, kept.summary = now, table.listing()
        await self._add(table)
        del self.tables[table.id]
        return table

    def seat_anywhere(self, visitor: Any, said: Sit) -> None:
        """Somebody asks for a seat without saying where; a host that offers its seats to all knows what to do."""
        raise RefusedError("bad_message", "Say at which table, and the invitation you were given.")

    # Tables there are

    async def table(self, id: str) -> LiveTable:
        """A table by its name; one that is over is fetched from the disk."""
        if id in self.tables:
            return self.tables[id]
        kept = self.store.table(id)
        if kept is None or kept.finished is None:
            raise RefusedError("unknown", f"There is no table {id!r} here.")
        for other in list(self.tables.values()):
            self.let_go(other)
        try:
            await self.ready(registry.game(kept.game))
            table = self._restored(kept)
        except Exception as error:
            raise RefusedError("failed", f"The game of table {id} cannot be brought back: {error}") from None
        return self.tables.setdefault(id, table)  # somebody else may have been quicker

    def _restored(self, kept: Kept) -> LiveTable:
        game = registry.game(kept.game)
        start = game.load_start(kept.start, len(kept.seats), kept.rules)
        set_dice(start[0], kept.dice)
        table = LiveTable(self, kept, game, Table(game, [], start))
        retold(self.store.log(kept.id), table)
        for seat, card, text in self.store.notes(kept.id):
            table.notes.setdefault(seat, {})[card] = text
        return table

    def tell(self, table: LiveTable, text: str) -> None:
        """Somebody failed at a table and is played for."""
        log.info("Table %s: %s", table.id, text)

    def let_go(self, table: LiveTable) -> None:
        """Forget a table that is over and that nobody looks at; the disk remembers it."""
        if not table.listeners and table.kept.finished is not None:
            self.tables.pop(table.id, None)

    def record(self, table: LiveTable) -> Record:
        """The whole game of a table, for who may have it."""
        if not table.all_may_be_seen:
            raise RefusedError(
                "hidden", "People still play at this table. Its record can be had when the game is over."
            )
        names = [seat.name or seat.kind for seat in table.seats]
        return Record.of(table.core, names, table.kept.rules, table.kept.seed, table.kept.number)

    # The lobby

    def changed(self, table: LiveTable) -> None:
        if self.lobby:
            self.lobby_changed.set()

    def listed(self) -> list[dict[str, Any]]:
        """The tables that go on, then those that are over, the newest first."""
        running = [table for table in self.tables.values() if table.kept.finished is None]
        over = self.store.finished(self.limits.finished_listed)
        return [
            *(table.listing() for table in sorted(running, key=lambda table: -table.kept.created)),
            *(kept.summary for kept in over if kept.summary),
        ]

    def tables_message(self, **more: Any) -> bytes:
        return worded("tables", tables=self.listed(), **more)

    async def _tell_lobby(self) -> None:
        while True:
            await self.lobby_changed.wait()
            self.lobby_changed.clear()
            if self.lobby:
                message = self.tables_message()
                for listener in list(self.lobby):
                    listener.send(message)
            await asyncio.sleep(self.limits.lobby)


REHEARSED = 300  # moves; some games need not end


def rehearse(game: Game) -> None:
    """Play a game and look at it in every way, so that all that is compiled is there.

    Who serves everybody never compiles then, and never waits for a bot that is being compiled.
    """
    players, rules = game.usual_players, game.check_rules(game.table_rules)
    table = Table(game, [], game.deal(keys(0), 0, players, rules))
    game.load_start(game.dump_start(table.start[0]), players, rules)
    dice = random.Random(0)
    for _ in range(REHEARSED):
        seat, turn = table.to_move, len(table.turns)
        view = table.view(seat)
        game.page(view), game.odds(view), game.told(table.state)
        move = game.move(dice.choice(game.choices(view))["move"], view)
        if table.allows(move):
            table.make(Decision(move))
            for record in (table.view(seat), table.seen(seat, cheats=True), table.view(ONLOOKER), table.state):
                game.page(record), game.event(record, turn)
        if table.over:
            game.verdict(table.state), table.result()
            break
    table.at_turn(1, [])


def usual_first(game: Game) -> list[str]:
    """The agents of a game's levels, those of the usual level before the others."""
    levels = sorted(game.lineups, key=lambda level: level != usual_level(game))
    return list(dict.fromkeys(name for level in levels for name in game.lineup(level).agents))


def take_seat(game: Game, name: str) -> None:
    registry.agent(game, name).take_seat(game)


def usual_level(game: Game) -> str:
    """The level for who chooses none: one in the middle."""
    levels = list(game.lineups)
    return levels[(len(levels) - 1) // 2]
