"""A live table: moves, seats that change hands, bots that play on, and the past that can be looked at.

Every change is on the disk before anybody hears of it.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from kibitz.core.agent import Agent, Decision
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.loop import ONLOOKER
from kibitz.core.table import Table
from kibitz.web import store
from kibitz.web.bots import ANY_MOVE, Bot, FailedError
from kibitz.web.messages import RefusedError
from kibitz.web.seats import Seat
from kibitz.web.store import Kept, Store, StoreError
from kibitz.web.telling import Listener, Place, TableInSight

if TYPE_CHECKING:
    from kibitz.web.thinking import Thinkers

AWAY = 60.0  # seconds after which others may let a bot play for somebody who left
DISK_TROUBLE = 2.0  # seconds before a bot's move is tried again

log = logging.getLogger("kibitz.web")


class House(Protocol):
    """What a table asks of the house it stands in."""

    store: Store
    thinkers: "Thinkers"
    patience: float

    def agent(self, game: Game, name: str) -> Agent: ...

    def changed(self, table: "LiveTable") -> None:
        """Something happened that the lobby shows."""

    def tell(self, table: "LiveTable", text: str) -> None:
        """Somebody failed and is played for: whoever runs the house may want to know."""

    def let_go(self, table: "LiveTable") -> None:
        """The table is over; if nobody looks at it, it need not be kept in memory."""


class LiveTable(TableInSight):
    def __init__(self, house: House, kept: Kept, game: Game, core: Table) -> None:
        super().__init__(kept, game, core)
        self.house = house
        self.bots: dict[int, Bot] = {}
        self.steps = 0  # moves that bots may make although the table is paused
        self.entries = 0  # in the log
        self.moved = time.monotonic()
        self.lock = asyncio.Lock()
        self.nudged = asyncio.Event()
        self.runner: asyncio.Task[None] | None = None
        self.ending: asyncio.Task[None] | None = None
        self.deadline: float = kept.options.get("deadline", 0)  # seconds a program may think; 0: as long as it likes
        self.clock: asyncio.TimerHandle | None = None
        self.due: tuple[int, int] | None = None  # the seat and the turn the clock runs for
        self.missed: tuple[int, int] | None = None  # the seat and the turn in which somebody was late
        self.ended = asyncio.Event()

    def changed(self) -> None:
        self.house.changed(self)

    def join(self, listener: Listener, place: Place) -> None:
        super().join(listener, place)
        self.poke()

    # What happens

    async def write(self, *entries: tuple[str, Any]) -> None:
        """Add to the log, and return when it is on the disk."""
        statements = [
            store.new_entry(self.id, self.entries + number, kind, payload)
            for number, (kind, payload) in enumerate(entries)
        ]
        await self.house.store.write(*statements)
        self.entries += len(entries)

    async def make(self, decision: Decision) -> None:
        """Make a legal move of the seat to move; the lock is held."""
        payload = {"move": self.game.move_text(decision.move)}
        if decision.reason:
            payload["reason"] = decision.reason
        await self.write(("move", payload))
        self.play(decision)
        self.moved = time.monotonic()
        for bot in self.bots.values():
            bot.shown(self.core)
        self.set_clock()
        self.tell_move()
        if self.over:
            self.ending = asyncio.get_running_loop().create_task(self.end())

    def play(self, decision: Decision) -> None:
        """Make a legal move, without a word to anybody."""
        self.core.make(decision)
        self.refresh()

    async def end(self) -> None:
        """Note that the game is over, for the lobby of another day, and let bots that remember see it."""
        when = time.time()
        try:
            await self.house.store.write(store.finish(self.id, when, self.listing()))
            self.kept.finished = when
        except StoreError as error:
            log.error("Table %s: %s", self.id, error)  # it will be noted when the server starts again
        for bot in self.bots.values():
            try:
                await bot.see_the_end()
            except Exception as error:
                log.warning("Table %s: %s failed after the end: %s", self.id, bot.name, error)
        self.ended.set()
        self.house.let_go(self)

    async def move(self, place: Place, turn: int, text: str) -> None:
        """A person moves."""
        await self.answer(place, turn, lambda view: self.understood(text, view))

    def understood(self, text: str, view: Any) -> int:
        try:
            return self.game.move(text, view)
        except KibitzError as error:
            raise RefusedError("illegal", str(error)) from None
        except Exception as error:  # a game that does not say what is wrong
            raise RefusedError("illegal", f"{text!r} is not a move: {type(error).__name__}.") from None

    async def answer(self, place: Place, turn: int, read: Callable[[Any], int]) -> None:
        """Somebody whose turn it is moves; what they said is read with their view at hand."""
        async with self.lock:
            seat = self.person(place)
            if self.over or self.forfeit:
                raise RefusedError("over", "The game is over; no move can be made.")
            if turn != self.turn:
                raise RefusedError(
                    "stale", f"The table has moved on: {self.turn} moves were made, and yours was decided after {turn}."
                )
            if self.state == "waiting":
                raise RefusedError("not_your_turn", "The game begins when every seat is taken.")
            if self.to_move != seat:
                raise RefusedError("not_your_turn", f"It is the turn of {self.game.seat_name(self.mover)}, not yours.")
            move = read(self.record(self.core, seat))
            if not self.core.allows(move):  # a game whose views do not tell all that is forbidden
                raise RefusedError("illegal", f"'{self.game.move_text(move)}' is not legal now.")
            await self.make(Decision(move))
        self.poke()

    def person(self, place: Place) -> int:
        """The seat of somebody who plays."""
        if place.seat is None:
            raise RefusedError("not_yours", "You hold no seat at this table; you look on.")
        if self.seats[place.seat].kind != "person":
            raise RefusedError("not_yours", "A bot plays in your seat. Take it back first.")
        return place.seat

    async def reseat(self, number: int, seat: Seat, text: str) -> None:
        """Somebody else sits down; the lock is held."""
        await self.write(("seat", {"number": number, "seat": msgspec.to_builtins(seat)}))
        self.put(number, seat)
        self.set_clock()
        self.say(text)
        self.show_seats()
        self.show()

    def put(self, number: int, seat: Seat) -> None:
        self.seats[number] = seat
        self.bots.pop(number, None)
        self.refresh()

    # Programs from elsewhere, which have so much time and no more

    def set_clock(self) -> None:
        """Let the clock run for a program that is to move."""
        seat = self.to_move
        ticks = seat is not None and self.deadline and self.seats[seat].kind == "person" and self.seats[seat].program
        due = (self.mover, self.turn) if ticks else None
        if due == self.due:
            return
        if self.clock is not None:
            self.clock.cancel()
        self.due = due
        self.clock = asyncio.get_running_loop().call_later(self.deadline, self._time_is_up) if due else None

    def seconds_left(self) -> float | None:
        if self.clock is None or self.due is None:
            return None
        return round(max(self.clock.when() - asyncio.get_running_loop().time(), 0.0), 3)

    def _time_is_up(self) -> None:
        seat, turn = self.mover, self.turn
        if (seat, turn) == self.due:
            why = f"took longer than {self.deadline:g} seconds"
            self.ending = asyncio.get_running_loop().create_task(self.fails(seat, why, turn))

    async def fails(self, seat: int, why: str, turn: int | None = None) -> None:
        """A program cannot go on, or not in time: another plays on, or the game ends, whatever the rule here is."""
        async with self.lock:
            held = self.seats[seat]
            if self.state != "running" or held.kind != "person" or turn not in (None, self.turn):
                return
            who = f"{held.person} at {self.game.seat_name(seat)}"
            self.missed = seat, self.turn
            if self.kept.options.get("late") == "forfeit":
                await self.give_up(f"{who} {why}, and forfeits the game.")
            else:
                name = self.kept.options.get("substitute") or self.substitute("")
                changed = msgspec.structs.replace(held, kind="bot", agent=name)
                text = f"{who} {why}. From now on plays: {name}."
                await self.reseat(seat, changed, text)
                self.house.tell(self, text)
        self.poke()

    async def give_up(self, text: str) -> None:
        """End the game before its end; the lock is held."""
        await self.write(("forfeit", {"text": text}))
        self.forfeit = text
        self.refresh()
        self.set_clock()
        self.say(text)
        self.show()
        await self.end()

    async def set_pace(self, milliseconds: int | None, paused: bool | None, step: bool) -> None:
        async with self.lock:
            pace = self.pace if milliseconds is None else milliseconds
            pause = self.paused if paused is None else paused
            if (pace, pause) != (self.pace, self.paused):
                await self.write(("pace", {"pace": pace, "paused": pause}))
                self.pace, self.paused = pace, pause
                self.show_seats()
            self.steps = self.steps + 1 if step and self.paused else 0
        self.poke()

    async def note(self, seat: int, card: int, text: str, most: int) -> None:
        notes = self.notes.setdefault(seat, {})
        if text and card not in notes and len(notes) >= most:
            raise RefusedError("full", f"You have {most} notes at this table. Remove one first.")
        await self.house.store.write(store.note(self.id, seat, card, text))
        if text:
            notes[card] = text
        else:
            notes.pop(card, None)

    # Bots

    def poke(self) -> None:
        """Let the bots move, if it is their turn and nothing holds them back; for programs from elsewhere time runs."""
        self.nudged.set()
        self.set_clock()
        if self.bots_go_on() and (self.runner is None or self.runner.done()):
            self.runner = asyncio.get_running_loop().create_task(self.run_bots())

    def bots_go_on(self) -> bool:
        seat = self.to_move
        if seat is None or self.seats[seat].kind != "bot":
            return False
        if self.paused and self.steps == 0:
            return False
        # a game of bots waits for those who watch it
        return bool(self.listeners) or not self.only_bots or bool(self.kept.options.get("unwatched"))

    async def run_bots(self) -> None:
        while self.bots_go_on():
            try:
                await self.bot_moves()
            except StoreError as error:
                log.error("Table %s: %s", self.id, error)
                self.say("The bot's move could not be written to the disk of the server. It tries again.")
                await asyncio.sleep(DISK_TROUBLE)
            except Exception:
                log.exception("Table %s: a bot could not move", self.id)
                self.say("Something went wrong at the server; the bots of this table have stopped.")
                return

    async def bot_moves(self) -> None:
        seat, turn = self.mover, self.turn
        bot = self.bot(seat)
        try:
            decision = await bot.decide(self.core)
        except FailedError as error:
            await self.replace(seat, bot, error)
            return
        await self.keep_pace()
        async with self.lock:
            if turn == self.turn and self.bots.get(seat) is bot and self.bots_go_on():
                self.steps = max(self.steps - 1, 0)
                await self.make(decision)

    async def keep_pace(self) -> None:
        """Wait until the next move may be made; a change at the table cuts it short or makes it longer."""
        while self.bots_go_on() and (rest := self.moved + self.pace / 1000 - time.monotonic()) > 0:
            self.nudged.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(rest):
                    await self.nudged.wait()

    def bot(self, seat: int) -> Bot:
        if seat not in self.bots:
            name = self.seats[seat].agent
            agent = None if name == ANY_MOVE else self.house.agent(self.game, name)
            self.bots[seat] = Bot(self.game, agent, seat, self.house.thinkers, self.house.patience)
        return self.bots[seat]

    async def replace(self, seat: int, bot: Bot, error: FailedError) -> None:
        """Somebody plays on in the place of a bot that failed."""
        where = self.game.seat_name(seat)
        log.warning("Table %s: %s at %s: %s", self.id, bot.name, where, error)
        heard = str(error) if self.only_bots else error.heard
        async with self.lock:
            if self.bots.get(seat) is bot:
                name = self.substitute(bot.name)
                changed = msgspec.structs.replace(self.seats[seat], agent=name)
                text = f"{bot.name} at {where} has to stop: it {heard.removeprefix('it ')}. From now on plays: {name}."
                await self.reseat(seat, changed, text)

    def substitute(self, failed: str) -> str:
        """Who plays instead: the first of the game's line-ups, or if that fails nobody in particular."""
        names = (name for lineup in self.game.lineups.values() for name in lineup.agents)
        first = next(names, ANY_MOVE)
        return first if first != failed else ANY_MOVE

    # The past

    def at(self, turn: int) -> Table:
        if turn > self.turn:
            raise RefusedError("unknown", f"{self.turn} moves were made at this table; there is no turn {turn} yet.")
        return self.core if turn == self.turn else self.core.at_turn(turn, [])

    def check_sight(self, place: Place, viewer: int) -> None:
        """Whether somebody may see the table as this viewer."""
        if viewer >= len(self.seats):
            raise RefusedError("unknown", f"There are {len(self.seats)} seats at this table.")
        allowed = self.all_may_be_seen or viewer in (place.seat, ONLOOKER)
        if not allowed:
            raise RefusedError("hidden", "While people play, you may look back only at what you saw yourself.")


def retold(entries: Iterable[store.Entry], table: LiveTable) -> None:
    """Let everything in a log happen again at a table that has just begun."""
    for entry in entries:
        table.entries += 1
        match entry.kind:
            case "move":
                move = table.game.move(entry.payload["move"], table.core.state)
                table.play(Decision(move, entry.payload.get("reason", "")))
            case "seat":
                table.put(entry.payload["number"], msgspec.convert(entry.payload["seat"], Seat))
            case "pace":
                table.pace, table.paused = entry.payload["pace"], entry.payload["paused"]
            case "forfeit":
                table.forfeit = entry.payload["text"]
                table.refresh()
