"""Sends each client of a table what it may see, made from a view without the rest.

The holder of a seat is sent that seat's view, everybody else what is public, and all of it only when nobody plays who
must not see it.
"""

import asyncio
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

import msgspec

from kibitz.core.table import Table
from kibitz.core.wire import Wire
from kibitz.engine import generic
from kibitz.engine.loop import ONLOOKER
from kibitz.server.live.audience import Audience, Subscriber, ViewFormat
from kibitz.server.live.messages import encode
from kibitz.server.live.move_clock import MoveClock
from kibitz.server.live.replay_leader import ReplayLeader
from kibitz.server.live.table_state import OPEN, Role, TableState

VIEWERS: dict[int, str] = {ONLOOKER: "spectator", OPEN: "open"}


class ViewSender:
    def __init__(self, state: TableState, clock: MoveClock, audience: Audience) -> None:
        self.state, self.clock, self.audience, self.game = state, clock, audience, state.game
        self.seen: dict[int, Any] = {}  # what each viewer sees now
        self.prepared: dict[bool, dict[str, msgspec.Raw]] = {}  # seats and options as every view has them
        self.events_so_far: dict[int, list[dict[str, Any]]] = {}  # for each viewer who listens
        self.reasons_told = 0
        self.status = state.status
        self.lead: ReplayLeader | None = None  # who leads the replay
        self.names: list[str] = []  # who sat where when the game began, as its wire protocol calls them

    def refresh(self) -> None:
        """The table has changed: what was made of it before is not true any more."""
        self.seen.clear()
        if self.status != self.state.status:
            self.status = self.state.status
            self.prepared.clear()

    def listing(self) -> dict[str, Any]:
        return self.state.listing(self.audience.seats_present())

    # What a viewer sees

    def view(self, core: Table, viewer: int) -> Any:
        """The game, now or in the past, as a viewer sees it: a struct of the game's state type."""
        if core is self.state.core and viewer in self.seen:
            return self.seen[viewer]
        view = self.open_view(core) if viewer == OPEN else core.view(viewer)
        if core is self.state.core:
            self.seen[viewer] = view
        return view

    def open_view(self, core: Table) -> Any:
        """The game with all that is hidden; while people play, with what no player must be kept from seeing."""
        if self.state.all_may_be_seen:
            return core.open_state()
        return self.game.seen_late(core.open_state(), self.state.core.open_state())

    async def prepare(self, core: Table, viewer: int) -> None:
        """Have made what takes long of the page of an open view. In a thread: other tables must not wait."""
        if viewer == OPEN and self.game.prepares_pages:
            await asyncio.to_thread(self.game.prepare_page, self.view(core, viewer).copy())

    def event(self, core: Table, viewer: int) -> dict[str, Any]:
        """The last turn as a viewer saw it."""
        turn = core.turns[-1]
        return {"seat": turn.seat, **self.game.event(self.view(core, viewer), turn.number - 1)}

    def reader(self, role: Role) -> int:
        """As whom somebody reads what happened: in an analysis board, from no seat."""
        return OPEN if self.state.analysis_board else self.state.viewer(role)

    def events(self, viewer: int) -> list[dict[str, Any]]:
        if viewer not in self.events_so_far:
            past = self.state.core.from_the_start()
            self.events_so_far[viewer] = [self.event(then, viewer) for then in past if then.turns]
        return self.events_so_far[viewer]

    def views_before(self, viewer: int) -> list[bytes]:
        """What a viewer saw before what they see now, for an agent that remembers."""
        return [self.view(then, viewer).tobytes() for then in self.state.core.from_the_start()][: self.state.turn]

    # Messages

    @cached_property
    def wire(self) -> Wire:
        """The game's own wire protocol; a subscriber of that format is let in only at games that have one."""
        assert self.game.wire is not None
        return self.game.wire

    def wire_names(self) -> list[str]:
        """The players' names in the wire protocol, which stay if a bot replaces them."""
        if not self.names:
            called = [seat.person or seat.name for seat in self.state.seats]
            self.names = [self.wire.full_name(number, name) for number, name in enumerate(called)]
        return self.names

    def seats_and_options(self, role: Role) -> dict[str, msgspec.Raw]:
        may_control = self.state.may_control(role)
        if may_control not in self.prepared:
            parts = {
                "seats": self.state.public_seats(self.audience.seats_present()),
                "options": self.state.options(may_control),
            }
            self.prepared[may_control] = {name: msgspec.Raw(msgspec.json.encode(part)) for name, part in parts.items()}
        return self.prepared[may_control]

    def view_message(self, role: Role, format: ViewFormat) -> bytes:
        """The table as somebody may see it; empty if there is nothing to show yet in their format."""
        state = self.state
        viewer, over = state.viewer(role), state.over
        view = self.view(state.core, viewer)
        if format is ViewFormat.WIRE:
            return b"" if state.status == "waiting" else self.wire.state(view, self.wire_names())
        if format is ViewFormat.STRUCT:
            shown = {"struct": view.tobytes(), "layout": self.game.layout}
        else:
            choices = self.game.choices(view) if state.asked(role) else None
            shown = {"view": self.game.page(view), "choices": choices}
            if state.analysis_board and viewer not in VIEWERS:  # all hands, from the seat to move
                page = self.game.page(self.view(state.core, OPEN))
                shown["view"] = {
                    **(msgspec.json.decode(page) if isinstance(page, msgspec.Raw) else page),
                    "seat": viewer,
                }
            elif role.seat is not None and state.all_may_be_seen:
                shown["open_view"] = self.game.page(self.view(state.core, OPEN))
        notes, last = state.notes.get(viewer, {}), state.open_until(role)
        return encode(
            "view", table=state.id, game=self.game.name, turn=state.turn, **{"as": VIEWERS.get(viewer, viewer)},
            **shown, to_move=state.to_move, state=state.status, **self.seats_and_options(role),
            open_until=last if 0 <= last < state.turn else None, seconds_left=self.clock.shown(),
            notes={mark: note.text for mark, note in notes.items()} or None,
            note_turns={mark: note.turn for mark, note in notes.items()} or None,
            result=state.core.result() if over else None,
            verdict=state.verdict() if over else state.forfeit or None,
        )  # fmt: skip

    def question(self, role: Role) -> list[bytes]:
        """The request for a move, if it is this client's turn."""
        if not self.state.asked(role):
            return []
        return [encode("your_turn", table=self.state.id, turn=self.state.turn, seconds=self.clock.seconds_left())]

    def seats_message(self, role: Role) -> bytes:
        return encode(
            "seats", table=self.state.id, turn=self.state.turn, state=self.state.status,
            seconds_left=self.clock.shown(), **self.seats_and_options(role),
        )  # fmt: skip

    def reasons(self, first: int) -> list[dict[str, Any]]:
        """The reasons for moves from a turn on, as far as they may be revealed."""
        state = self.state
        last = state.turn if state.all_may_be_seen else min(self.game.turns_explained(state.core.state), state.turn)
        return [
            {"turn": turn.number, "seat": turn.seat, "reason": turn.decision.reason}
            for turn in state.core.turns[first:last]
            if turn.decision.reason
        ]

    def reasons_message(self, reasons: list[dict[str, Any]]) -> bytes:
        return encode("reasons", table=self.state.id, reasons=reasons)

    # Sending

    def say(self, text: str) -> None:
        """Send a notice to everybody at the table."""
        message = encode("notice", table=self.state.id, text=text)
        for subscriber, _ in self.audience.readers():
            subscriber.send(message)

    def send_chat(self, line: dict[str, Any]) -> None:
        """Somebody at the table said something."""
        message = encode("chat_line", table=self.state.id, line=line)
        for subscriber, _ in self.audience.readers():
            subscriber.send(message)

    def lead_message(self, subscriber: Subscriber) -> bytes:
        return encode("replay_leader", table=self.state.id, **(self.lead.shown_to(subscriber) if self.lead else {}))

    def send_lead(self, but: Subscriber | None = None) -> None:
        """The leader of the replay, or their position, changed."""
        for subscriber, _ in self.audience.readers():
            if subscriber is not but:
                subscriber.send(self.lead_message(subscriber))

    def send_views(
        self, to: Iterable[tuple[Subscriber, Role]] | None = None, news: Mapping[int, bytes] | None = None
    ) -> None:
        """Send each client its view, after its event, and ask the player to move."""
        made: dict[tuple[Role, ViewFormat], bytes] = {}
        for subscriber, role in list(self.audience.subscribers.items() if to is None else to):
            key = role, subscriber.format
            if key not in made:
                made[key] = self.view_message(*key)
            if subscriber.format is ViewFormat.WIRE:
                subscriber.send(made[key])
            else:
                event = [news[self.reader(role)]] if news else []
                subscriber.send(*event, made[key], *self.question(role))

    def send_seats(self) -> None:
        """The seats or options changed."""
        self.prepared.clear()
        for subscriber, role in self.audience.readers():
            subscriber.send(self.seats_message(role))

    def forget(self) -> None:
        """Drop cached messages, most of a table's memory; they are rebuilt on demand."""
        self.seen.clear()
        self.prepared.clear()
        self.events_so_far.clear()

    def send_taken_back(self) -> None:
        """Moves were taken back: send the table and its history again."""
        self.forget()
        self.reasons_told = min(self.reasons_told, self.state.turn)
        if self.lead is not None:
            self.lead.turn, self.lead.event = min(self.lead.turn, self.state.turn), None
        for subscriber, role in self.audience.readers():
            subscriber.send(*self.everything(subscriber, role))

    async def send_move(self) -> None:
        """Everybody hears of the last move, each in their own way.

        The player to move is notified first, and the event loop gets a chance to send that: they think while
        the others are notified.
        """
        if self.audience.subscribers and (self.state.analysis_board or self.state.all_may_be_seen):
            await self.prepare(self.state.core, OPEN)
        self._send_moves_before_the_last()
        news = self._news()
        mover: list[tuple[Subscriber, Role]] = []
        others: list[tuple[Subscriber, Role]] = []
        for each in self.audience.subscribers.items():
            (mover if each[1].seat == self.state.mover else others).append(each)
        if mover:
            self.send_views(mover, news)
            await asyncio.sleep(0)
        self.send_views((each for each in others if self.audience.subscribers.get(each[0]) == each[1]), news)
        reasons = self.reasons(self.reasons_told)
        if reasons:
            self.reasons_told = reasons[-1]["turn"]
            for subscriber, _ in self.audience.readers():
                subscriber.send(self.reasons_message(reasons))

    def _send_moves_before_the_last(self) -> None:
        """If chance moved after a player, send all but its last move first."""
        turns, last = self.state.core.turns, self.state.turn
        begun = next((turn.number for turn in reversed(turns) if turn.seat != generic.CHANCE), 1)
        for past in (self.state.core.at_turn(number, []) for number in range(begun, last)):
            told: dict[int, bytes] = {}
            for subscriber, role in self.audience.readers():
                viewer = self.state.viewer(role)
                if viewer not in told:
                    event = self.event(past, viewer)
                    self.events_so_far.get(viewer, []).append(event)
                    told[viewer] = encode("event", table=self.state.id, event=event)
                subscriber.send(told[viewer])

    def _news(self) -> dict[int, bytes]:
        """The last move as an event, for every viewer who listens."""
        viewers = {self.reader(role) for _, role in self.audience.readers()}
        self.events_so_far = {viewer: self.events_so_far[viewer] for viewer in self.events_so_far.keys() & viewers}
        news: dict[int, bytes] = {}
        event: dict[str, Any] = {}
        for viewer in viewers:
            if not event or not self.game.moves_are_open:
                event = self.event(self.state.core, viewer)
                message = encode("event", table=self.state.id, event=event)
            if viewer in self.events_so_far:
                self.events_so_far[viewer].append(event)
            news[viewer] = message
        return news

    # Coming and going

    def join(self, subscriber: Subscriber, role: Role) -> bool:
        """Somebody comes to the table, or comes back, and is sent all they may know; whether a seat's holder came."""
        came = role.seat is not None and not self.audience.connected(role.seat)
        others = self.audience.readers()
        self.audience.subscribers[subscriber] = role
        self.prepared.clear()
        if subscriber.format is ViewFormat.WIRE:
            subscriber.send(self.view_message(role, subscriber.format))
        else:
            subscriber.send(*self.everything(subscriber, role))
        if came:
            for other, other_role in others:
                other.send(self.seats_message(other_role))
        return came

    def everything(self, subscriber: Subscriber, role: Role) -> list[bytes]:
        """All messages for a client that arrives: history, view, reasons, chat, leader, and the request for a move."""
        format = subscriber.format
        view, reasons, viewer = self.view_message(role, format), self.reasons(0), self.reader(role)
        structs = self.views_before(viewer) if format is ViewFormat.STRUCT else None
        holders = [{"turn": turn, "seats": seats} for turn, seats in self.state.holders.items()]
        events = encode(
            "events", table=self.state.id, events=self.events(viewer), structs=structs,
            seat_history=holders if len(holders) > 1 else None,
        )  # fmt: skip
        if reasons:
            self.reasons_told = max(self.reasons_told, reasons[-1]["turn"])
        told = [events, view]
        if reasons:
            told.append(self.reasons_message(reasons))
        if self.state.chat:
            told.append(encode("chat", table=self.state.id, lines=list(self.state.chat)))
        if self.lead is not None:
            told.append(self.lead_message(subscriber))
        return [*told, *self.question(role)]

    def leave(self, subscriber: Subscriber) -> bool:
        """Somebody goes; whether a seat has nobody at it now."""
        role = self.audience.remove(subscriber)
        if not self.audience.subscribers:
            self.forget()
        if self.lead is not None and self.lead.leave(subscriber):
            self.send_lead()
        if role is None:
            return False
        self.send_seats()
        return True
