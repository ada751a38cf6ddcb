"""What is told at a table, and to whom: each listener is sent what they may see, made from a record without the rest.

Who holds a seat is sent that seat's view, everybody else what is public, and all of it only when nobody plays who must
not see it.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, Protocol

import msgspec

from kibitz.core.game import Game
from kibitz.core.loop import ONLOOKER
from kibitz.core.table import Table
from kibitz.core.wire import Wire
from kibitz.web.messages import worded
from kibitz.web.seats import Seat
from kibitz.web.store import Kept

OPEN = -1  # who sees everything
NO_NEWS: Mapping[int, bytes] = {}
VIEWERS: dict[int, str] = {ONLOOKER: "onlooker", OPEN: "open"}


class Manner(Enum):
    """How somebody is shown a table."""

    PAGE = "page"  # as the game's page draws it
    RECORD = "record"  # as agents of kibitz take it in
    WIRE = "wire"  # in the game's own wire protocol, in which nothing else is said


class Listener(Protocol):
    """Somebody at the other end of a socket."""

    manner: Manner

    def send(self, *messages: bytes) -> None: ...


@dataclass(frozen=True)
class Place:
    """What somebody is at a table: in a seat or not, and whether they made it."""

    seat: int | None = None
    host: bool = False


class TableInSight:
    """A table as people see it. What happens at it is the business of `tables.LiveTable`."""

    def __init__(self, kept: Kept, game: Game, core: Table) -> None:
        self.kept, self.game, self.core = kept, game, core
        self.id = kept.id
        self.seats = [msgspec.convert(seat, Seat) for seat in kept.seats]
        self.pace: int = kept.options.get("pace", 0)
        self.paused: bool = kept.options.get("paused", False)
        self.notes: dict[int, dict[int, str]] = {}  # by seat and card
        self.listeners: dict[Listener, Place] = {}
        self.away: dict[int, float] = dict.fromkeys(range(len(self.seats)), time.monotonic())
        self.seen: dict[int, Any] = {}  # what each viewer sees now
        self.around: dict[bool, dict[str, msgspec.Raw]] = {}  # what is written around every view, until it changes
        self.happened: dict[int, list[dict[str, Any]]] = {}  # events so far, for each viewer who listens
        self.reasons_told = 0
        self.forfeit: str = ""  # why the game was ended before its end
        self.state = ""
        self.names: list[str] = []  # who sat where when the game began, as its wire protocol calls them
        self.refresh()

    def changed(self) -> None:
        """Something happened that the lobby shows."""

    # What it is

    @property
    def only_bots(self) -> bool:
        """Nobody but bots ever had a seat, so there is nobody to hide anything from."""
        return bool(self.kept.options.get("open"))

    def refresh(self) -> None:
        """Note what is asked for again and again, after a move and when somebody sits down."""
        kinds, before = {seat.kind for seat in self.seats}, self.state
        self.mover = self.core.to_move  # or −1
        self.over = self.mover < 0
        self.state = (
            "finished" if self.over
            else "left" if "absent" in kinds or self.forfeit
            else "waiting" if "open" in kinds
            else "running"
        )  # fmt: skip
        self.seen.clear()
        if self.state != before:
            self.around.clear()

    @property
    def all_may_be_seen(self) -> bool:
        return self.only_bots or self.state in ("finished", "left")

    @property
    def turn(self) -> int:
        return len(self.core.turns)

    @property
    def to_move(self) -> int | None:
        return self.mover if self.state == "running" else None

    @cached_property
    def wire(self) -> Wire:
        """The game's own wire protocol; who hears in that manner is let in only at games that have one."""
        assert self.game.wire is not None
        return self.game.wire

    def wire_names(self) -> list[str]:
        """Who sits where, as the wire protocol calls them: they keep their names if somebody else plays on for them."""
        if not self.names:
            called = [seat.person or seat.name for seat in self.seats]
            self.names = [self.wire.full_name(number, name) for number, name in enumerate(called)]
        return self.names

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
        here = {place.seat for place in self.listeners.values()}
        return [seat.public(number in here) for number, seat in enumerate(self.seats)]

    def listing(self) -> dict[str, Any]:
        """What the lobby shows."""
        shown: dict[str, Any] = {
            "table": self.id, "game": self.game.name, "title": self.game.title, "state": self.state, "turn": self.turn,
            "open": self.only_bots, "created": self.kept.created, "seats": self.public_seats(),
        }  # fmt: skip
        if self.over:
            shown |= {"result": self.core.result(), "verdict": self.game.verdict(self.core.state)}
            shown["seats"] = [{key: seat[key] for key in seat if key != "connected"} for seat in shown["seats"]]
        return shown

    # What is told

    def record(self, core: Table, viewer: int) -> Any:
        """A table, this one or its past, as a viewer sees it."""
        if core is self.core and viewer in self.seen:
            return self.seen[viewer]
        record = core.open_record() if viewer == OPEN else core.view(viewer)
        if core is self.core:
            self.seen[viewer] = record
        return record

    def event(self, core: Table, viewer: int) -> dict[str, Any]:
        """The last turn as a viewer saw it."""
        turn = core.turns[-1]
        return {"seat": turn.seat, **self.game.event(self.record(core, viewer), turn.number - 1)}

    def events(self, viewer: int) -> list[dict[str, Any]]:
        if viewer not in self.happened:
            self.happened[viewer] = [self.event(past, viewer) for past in self.core.from_the_start() if past.turns]
        return self.happened[viewer]

    def records(self, viewer: int) -> list[bytes]:
        """What a viewer saw before what they see now, for an agent that remembers."""
        return [self.record(past, viewer).tobytes() for past in self.core.from_the_start()][: self.turn]

    def options(self, host: bool) -> dict[str, Any]:
        kept = self.kept
        shown = {
            "rules": kept.rules, "kibitz": kept.options.get("kibitz", True), "pace": self.pace, "paused": self.paused,
            "seed_chosen": bool(kept.options.get("seed_chosen")), "open": self.only_bots, "host": host,
        }  # fmt: skip
        if kept.options.get("origin"):
            shown["origin"] = kept.options["origin"]
        if self.all_may_be_seen and kept.seed is not None and not kept.options.get("seed_untold"):
            shown |= {"seed": kept.seed, "number": kept.number}
        return shown

    def may_pace(self, place: Place) -> bool:
        return place.host or place.seat is not None

    def seats_and_options(self, place: Place) -> dict[str, msgspec.Raw]:
        """Who sits at the table and how it is set up, as somebody is told with every view."""
        may_pace = self.may_pace(place)
        if may_pace not in self.around:
            parts = {"seats": self.public_seats(), "options": self.options(may_pace)}
            self.around[may_pace] = {name: msgspec.Raw(msgspec.json.encode(part)) for name, part in parts.items()}
        return self.around[may_pace]

    def view_message(self, place: Place, manner: Manner) -> bytes:
        """The table as somebody may see it; empty if there is nothing to show yet in their manner."""
        viewer, turn = self.viewer(place), self.to_move
        record = self.record(self.core, viewer)
        if manner is Manner.WIRE:
            return b"" if self.state == "waiting" else self.wire.state(record, self.wire_names())
        if manner is Manner.RECORD:
            shown = {"record": record.tobytes(), "layout": self.game.layout}
        else:
            shown = {
                "view": self.game.page(record),
                "choices": self.game.choices(record) if self.asked(place) else None,
            }
        over = self.over
        return worded(
            "view", table=self.id, game=self.game.name, turn=self.turn, **{"as": VIEWERS.get(viewer, viewer)},
            **shown, to_move=turn, state=self.state, **self.seats_and_options(place), notes=self.notes.get(viewer),
            result=self.core.result() if over else None,
            verdict=self.game.verdict(self.core.state) if over else self.forfeit or None,
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
        return worded("seats", table=self.id, state=self.state, **self.seats_and_options(place))

    def hearing(self) -> list[tuple[Listener, Place]]:
        """Those who are told more than the game's own wire protocol has words for."""
        return [each for each in self.listeners.items() if each[0].manner is not Manner.WIRE]

    def say(self, text: str) -> None:
        """Tell everybody at the table something."""
        message = worded("said", table=self.id, text=text)
        for listener, _ in self.hearing():
            listener.send(message)

    def show(self, news: Mapping[int, bytes] = NO_NEWS) -> None:
        """Send everybody the table as they see it, after the news for their eyes, and ask for a move.

        Who is to move comes first, and can think while the others are told.
        """
        made: dict[tuple[Place, Manner], bytes] = {}
        for listener, place in sorted(self.listeners.items(), key=lambda each: each[1].seat != self.mover):
            key = place, listener.manner
            if key not in made:
                made[key] = self.view_message(*key)
            if listener.manner is Manner.WIRE:
                listener.send(made[key])
            else:
                told = [news[self.viewer(place)]] if news else []
                listener.send(*told, made[key], *self.question(place))

    def asked(self, place: Place) -> bool:
        """Whether it is somebody's turn, and nobody else plays for them."""
        seat = self.to_move
        return seat is not None and seat == place.seat and self.seats[seat].kind == "person"

    def question(self, place: Place) -> list[bytes]:
        """What is asked of whoever is to move."""
        if not self.asked(place):
            return []
        return [worded("decide", table=self.id, turn=self.turn, seconds=self.seconds_left())]

    def seconds_left(self) -> float | None:
        """How long who is to move may think; None if as long as they like."""
        return None

    def show_seats(self) -> None:
        """Who sits at the table, or how it is set up, has changed."""
        self.around.clear()
        for listener, place in self.hearing():
            listener.send(self.seats_message(place))
        self.changed()

    def tell_move(self) -> None:
        """Everybody hears of the last move, each in their own way."""
        hearing = self.hearing()
        viewers = {self.viewer(place) for _, place in hearing}
        self.happened = {viewer: self.events(viewer) for viewer in self.happened.keys() & viewers}
        news: dict[int, bytes] = {}
        event: dict[str, Any] = {}
        for viewer in viewers:
            if not event or not self.game.moves_are_open:
                event = self.event(self.core, viewer)
            if viewer in self.happened:
                self.happened[viewer].append(event)
            news[viewer] = worded("event", table=self.id, event=event)
        self.show(news)
        reasons = self.reasons(self.reasons_told)
        if reasons:
            self.reasons_told = reasons[-1]["turn"]
            for listener, _ in hearing:
                listener.send(self.reasons_message(reasons))
        self.changed()

    # Who listens

    def join(self, listener: Listener, place: Place) -> None:
        """Somebody comes to the table, or comes back: they are sent all they may know."""
        came = place.seat is not None and not self.connected(place.seat)
        others = self.hearing()
        self.listeners[listener] = place
        self.around.clear()
        hears = listener.manner is not Manner.WIRE
        view, reasons = self.view_message(place, listener.manner), self.reasons(0)
        if hears:
            viewer = self.viewer(place)
            records = self.records(viewer) if listener.manner is Manner.RECORD else None
            events = worded("events", table=self.id, events=self.events(viewer), records=records)
            why = [self.reasons_message(reasons)] if reasons else []
            listener.send(events, view, *why, *self.question(place))
        else:
            listener.send(view)
        if reasons:
            self.reasons_told = max(self.reasons_told, reasons[-1]["turn"])
        if came:
            for other, place_there in others:
                other.send(self.seats_message(place_there))
            self.changed()

    def leave(self, listener: Listener) -> None:
        place = self.listeners.pop(listener, None)
        if place is not None and place.seat is not None and not self.connected(place.seat):
            self.away[place.seat] = time.monotonic()
            self.show_seats()
