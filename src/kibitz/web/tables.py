"""A live table: a game, who sits where, who looks on, and what each of them is told.

Every change is on the disk before anybody hears of it. Whoever listens is sent the view of their seat, or what is
public, and never the state of a game that people play.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from kibitz.core import generic
from kibitz.core.agent import Agent, Decision
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game
from kibitz.core.loop import ONLOOKER
from kibitz.core.table import Table, own_copy
from kibitz.web import store
from kibitz.web.bots import ANY_MOVE, Bot, FailedError
from kibitz.web.messages import RefusedError, worded
from kibitz.web.seats import Seat
from kibitz.web.store import Kept, Store, StoreError

if TYPE_CHECKING:
    from kibitz.web.thinking import Thinkers

OPEN = -1  # who sees everything
VIEWERS: dict[int, str] = {ONLOOKER: "onlooker", OPEN: "open"}
AWAY = 60.0  # seconds after which others may let a bot play for somebody who left
DISK_TROUBLE = 2.0  # seconds before a bot's move is tried again

log = logging.getLogger("kibitz.web")


class Listener(Protocol):
    """Somebody at the other end of a socket."""

    def send(self, message: bytes) -> None: ...


@dataclass(frozen=True)
class Place:
    """What somebody is at a table: in a seat or not, and whether they made it."""

    seat: int | None = None
    host: bool = False


class House(Protocol):
    """What a table asks of the house it stands in."""

    store: Store
    thinkers: "Thinkers"
    patience: float

    def agent(self, game: Game, name: str) -> Agent: ...

    def changed(self, table: "LiveTable") -> None:
        """Something happened that the lobby shows."""

    def let_go(self, table: "LiveTable") -> None:
        """The table is over; if nobody looks at it, it need not be kept in memory."""


class LiveTable:
    def __init__(self, house: House, kept: Kept, game: Game, core: Table) -> None:
        self.house, self.kept, self.game, self.core = house, kept, game, core
        self.id = kept.id
        self.seats = [msgspec.convert(seat, Seat) for seat in kept.seats]
        self.bots: dict[int, Bot] = {}
        self.pace: int = kept.options.get("pace", 0)
        self.paused: bool = kept.options.get("paused", False)
        self.steps = 0  # moves that bots may make although the table is paused
        self.notes: dict[int, dict[int, str]] = {}
        self.entries = 0  # in the log
        self.listeners: dict[Listener, Place] = {}
        self.away: dict[int, float] = dict.fromkeys(range(len(self.seats)), time.monotonic())
        self.happened: dict[int, list[dict[str, Any]]] = {}  # events so far, for each viewer who listens
        self.reasons_told = 0
        self.moved = time.monotonic()
        self.lock = asyncio.Lock()
        self.nudged = asyncio.Event()
        self.runner: asyncio.Task[None] | None = None
        self.ending: asyncio.Task[None] | None = None

    # What it is

    @property
    def only_bots(self) -> bool:
        """Nobody but bots ever had a seat, so there is nobody to hide anything from."""
        return bool(self.kept.options.get("open"))

    @property
    def state(self) -> str:
        if self.core.over:
            return "finished"
        if any(seat.kind == "absent" for seat in self.seats):
            return "left"
        return "waiting" if any(seat.kind == "open" for seat in self.seats) else "running"

    @property
    def all_may_be_seen(self) -> bool:
        return self.only_bots or self.state in ("finished", "left")

    @property
    def turn(self) -> int:
        return len(self.core.turns)

    @property
    def to_move(self) -> int | None:
        return self.core.to_move if self.state == "running" else None

    def viewer(self, place: Place) -> int:
        """As whom somebody sees the table."""
        if place.seat is not None:
            return place.seat
        return OPEN if self.all_may_be_seen else ONLOOKER

    def connected(self, seat: int) -> bool:
        return any(place.seat == seat for place in self.listeners.values())

    def seconds_away(self, seat: int) -> float:
        return time.monotonic() - self.away[seat]

    def public_seats(self) -> list[dict[str, Any]]:
        return [seat.public(self.connected(number)) for number, seat in enumerate(self.seats)]

    def listing(self) -> dict[str, Any]:
        """What the lobby shows."""
        shown: dict[str, Any] = {
            "table": self.id, "game": self.game.name, "title": self.game.title, "state": self.state, "turn": self.turn,
            "open": self.only_bots, "created": self.kept.created, "seats": self.public_seats(),
        }  # fmt: skip
        if self.core.over:
            shown |= {"result": self.core.result(), "verdict": self.game.verdict(self.core.state)}
            for seat in shown["seats"]:
                seat.pop("connected", None)
        return shown

    # What is told

    def record(self, core: Table, viewer: int) -> Any:
        """The table as a viewer sees it."""
        return own_copy(core.pair[:1]) if viewer == OPEN else core.view(viewer)

    def event(self, core: Table, viewer: int) -> dict[str, Any]:
        """The last turn as a viewer saw it."""
        turn = core.turns[-1]
        return {"seat": turn.seat, **self.game.event(self.record(core, viewer), turn.number - 1)}

    def events(self, viewer: int) -> list[dict[str, Any]]:
        if viewer not in self.happened:
            past, told = self.core.at_turn(0, []), []
            for turn in self.core.turns:
                past.make(turn.decision)
                told.append(self.event(past, viewer))
            self.happened[viewer] = told
        return self.happened[viewer]

    def options(self, host: bool) -> dict[str, Any]:
        kept = self.kept
        shown = {
            "rules": kept.rules, "kibitz": kept.options.get("kibitz", True), "pace": self.pace, "paused": self.paused,
            "seed_chosen": bool(kept.options.get("seed_chosen")), "open": self.only_bots, "host": host,
        }  # fmt: skip
        if kept.options.get("origin"):
            shown["origin"] = kept.options["origin"]
        if self.all_may_be_seen and kept.seed is not None:
            shown |= {"seed": kept.seed, "number": kept.number}
        return shown

    def may_pace(self, place: Place) -> bool:
        return place.host or place.seat is not None

    def view_message(self, place: Place) -> bytes:
        viewer, turn = self.viewer(place), self.to_move
        record = self.record(self.core, viewer)
        mine = turn is not None and turn == place.seat and self.seats[turn].kind == "person"
        over = self.core.over
        return worded(
            "view", table=self.id, game=self.game.name, turn=self.turn, **{"as": VIEWERS.get(viewer, viewer)},
            view=self.game.page(record), choices=self.game.choices(record) if mine else None, to_move=turn,
            state=self.state, seats=self.public_seats(), options=self.options(self.may_pace(place)),
            notes=self.notes.get(viewer), result=self.core.result() if over else None,
            verdict=self.game.verdict(self.core.state) if over else None,
        )  # fmt: skip

    def reasons(self, first: int) -> list[dict[str, Any]]:
        """Why moves were made, from a turn on, as far as that may be told."""
        last = self.turn if self.all_may_be_seen else min(self.game.told(self.core.state), self.turn)
        return [
            {"turn": turn.number, "seat": turn.seat, "reason": turn.decision.reason}
            for turn in self.core.turns[first:last]
            if turn.decision.reason
        ]

    def reasons_message(self, reasons: list[dict[str, Any]]) -> bytes:
        return worded("reasons", table=self.id, reasons=reasons)

    def seats_message(self, place: Place) -> bytes:
        return worded(
            "seats", table=self.id, state=self.state, seats=self.public_seats(),
            options=self.options(self.may_pace(place)),
        )  # fmt: skip

    def say(self, text: str) -> None:
        """Tell everybody at the table something."""
        message = worded("said", table=self.id, text=text)
        for listener in self.listeners:
            listener.send(message)

    def show(self) -> None:
        """Send everybody the table as they see it, and ask for a move."""
        made: dict[Place, bytes] = {}
        for listener, place in self.listeners.items():
            if place not in made:
                made[place] = self.view_message(place)
            listener.send(made[place])
            self.ask(listener, place)

    def ask(self, listener: Listener, place: Place) -> None:
        seat = self.to_move
        if seat is not None and seat == place.seat and self.seats[seat].kind == "person":
            listener.send(worded("decide", table=self.id, turn=self.turn))

    def show_seats(self) -> None:
        for listener, place in self.listeners.items():
            listener.send(self.seats_message(place))
        self.house.changed(self)

    def tell_move(self) -> None:
        """Everybody hears of the last move, each in their own way."""
        viewers = {self.viewer(place) for place in self.listeners.values()}
        self.happened = {viewer: self.events(viewer) for viewer in self.happened.keys() & viewers}
        messages = {}
        for viewer in viewers:
            event = self.event(self.core, viewer)
            if viewer in self.happened:
                self.happened[viewer].append(event)
            messages[viewer] = worded("event", table=self.id, event=event)
        for listener, place in self.listeners.items():
            listener.send(messages[self.viewer(place)])
        self.show()
        reasons = self.reasons(self.reasons_told)
        if reasons:
            self.reasons_told = reasons[-1]["turn"]
            for listener in self.listeners:
                listener.send(self.reasons_message(reasons))
        self.house.changed(self)

    # Who listens

    def join(self, listener: Listener, place: Place) -> None:
        """Somebody comes to the table, or comes back: they are sent all they may know."""
        came = place.seat is not None and not self.connected(place.seat)
        others = self.listeners.copy()
        self.listeners[listener] = place
        listener.send(worded("events", table=self.id, events=self.events(self.viewer(place))))
        listener.send(self.view_message(place))
        reasons = self.reasons(0)
        if reasons:
            listener.send(self.reasons_message(reasons))
            self.reasons_told = max(self.reasons_told, reasons[-1]["turn"])
        self.ask(listener, place)
        if came:
            for other in others:
                other.send(self.seats_message(self.listeners[other]))
            self.house.changed(self)
        self.poke()

    def leave(self, listener: Listener) -> None:
        place = self.listeners.pop(listener, None)
        if place is not None and place.seat is not None and not self.connected(place.seat):
            self.away[place.seat] = time.monotonic()
            self.show_seats()

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
        """Make a move of the seat to move, if the rules allow it; the lock is held."""
        if not generic.allowed(self.core.state, decision.move):
            raise RefusedError("illegal", f"'{self.game.move_text(decision.move)}' is not legal now.")
        payload = {"move": self.game.move_text(decision.move)}
        if decision.reason:
            payload["reason"] = decision.reason
        await self.write(("move", payload))
        self.core.make(decision)
        self.moved = time.monotonic()
        for bot in self.bots.values():
            bot.shown(self.core)
        self.tell_move()
        if self.core.over:
            self.ending = asyncio.get_running_loop().create_task(self.end())

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
        self.house.let_go(self)

    async def move(self, place: Place, turn: int, text: str) -> None:
        """A person moves."""
        async with self.lock:
            seat = self.person(place)
            if self.core.over:
                raise RefusedError("over", "The game is over; no move can be made.")
            if turn != self.turn:
                raise RefusedError(
                    "stale", f"The table has moved on: {self.turn} moves were made, and yours was decided after {turn}."
                )
            if self.state == "waiting":
                raise RefusedError("not_your_turn", "The game begins when every seat is taken.")
            if self.to_move != seat:
                raise RefusedError(
                    "not_your_turn", f"It is the turn of {self.game.seat_name(self.core.to_move)}, not yours."
                )
            try:
                move = self.game.move(text, self.core.view(seat))
            except KibitzError as error:
                raise RefusedError("illegal", str(error)) from None
            except Exception as error:  # a game that does not say what is wrong
                raise RefusedError("illegal", f"{text!r} is not a move: {type(error).__name__}.") from None
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
        self.say(text)
        self.show_seats()
        self.show()

    def put(self, number: int, seat: Seat) -> None:
        self.seats[number] = seat
        self.bots.pop(number, None)

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
        """Let the bots move, if it is their turn and nothing holds them back."""
        self.nudged.set()
        if self.bots_go_on() and (self.runner is None or self.runner.done()):
            self.runner = asyncio.get_running_loop().create_task(self.run_bots())

    def bots_go_on(self) -> bool:
        seat = self.to_move
        if seat is None or self.seats[seat].kind != "bot":
            return False
        if self.paused and self.steps == 0:
            return False
        return bool(self.listeners) or not self.only_bots  # a game of bots waits for those who watch it

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
        seat, turn = self.core.to_move, self.turn
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
                table.core.make(Decision(move, entry.payload.get("reason", "")))
            case "seat":
                table.put(entry.payload["number"], msgspec.convert(entry.payload["seat"], Seat))
            case "pace":
                table.pace, table.paused = entry.payload["pace"], entry.payload["paused"]
