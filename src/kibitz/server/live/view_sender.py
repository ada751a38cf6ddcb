"""Sends each client of a table what it may see.

The holder of a seat receives that seat's view and all others the public view; open views are sent only when no player
must be kept from seeing them.
"""

import asyncio
from collections.abc import Iterable, Iterator, Mapping
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
        self.seen: dict[int, Any] = {}  # current views by viewer
        self.prepared: dict[bool, dict[str, msgspec.Raw]] = {}  # seats and options, common to all views
        self.events_so_far: dict[int, list[dict[str, Any]]] = {}  # by viewer
        self.reasons_sent = 0
        self.status = state.status
        self.lead: ReplayLeader | None = None  # the leader of the replay
        self.dialect = ""  # of the wire protocol; empty: its default
        self.names: list[str] = []  # the players at the start, as the wire protocol names them

    def refresh(self) -> None:
        """Drop cached views after a change at the table."""
        self.seen.clear()
        if self.status != self.state.status:
            self.status = self.state.status
            self.prepared.clear()

    def listing(self) -> dict[str, Any]:
        return self.state.listing(self.audience.seats_present())

    # Views

    def view(self, core: Table, viewer: int) -> Any:
        """A viewer's view of the game, now or in the past: a struct of the game's state type."""
        if core is self.state.core and viewer in self.seen:
            return self.seen[viewer]
        view = self.open_view(core) if viewer == OPEN else core.view(viewer)
        if core is self.state.core:
            self.seen[viewer] = view
        return view

    def open_view(self, core: Table) -> Any:
        """The open view; while people play, only with what no player must be kept from seeing."""
        if self.state.all_may_be_seen:
            return core.open_state()
        return self.game.seen_late(core.open_state(), self.state.core.open_state())

    async def prepare(self, core: Table, viewer: int) -> None:
        """Compute the slow parts of the page of an open view. Runs in a thread, so that other tables do not wait."""
        if viewer == OPEN and self.game.prepares_pages:
            await asyncio.to_thread(self.game.prepare_page, self.view(core, viewer).copy())

    def event(self, core: Table, viewer: int) -> dict[str, Any]:
        """The last turn as a viewer saw it, who learned of it."""
        turn, view = core.turns[-1], self.view(core, viewer)
        number = generic.turns(view) if self.state.hides_turns else turn.number
        return {"seat": turn.seat, **self.game.event(view, number - 1)}

    def event_at(self, core: Table, viewer: int, number: int) -> dict[str, Any] | None:
        """The last turn of a past position, with its number; None if there is none that the viewer learned of."""
        if not core.turns or not self.learns(core, viewer):
            return None
        return {**self.event(core, viewer), "turn": number}

    def learns(self, core: Table, viewer: int) -> bool:
        """Whether a viewer learned of the last turn."""
        return viewer == OPEN or core.learns(viewer)

    def past_of(self, viewer: int) -> Iterator[Table]:
        """The game at the start and after every turn that a viewer learned of."""
        return (then for then in self.state.core.from_the_start() if self.learns(then, viewer))

    def events(self, viewer: int) -> list[dict[str, Any]]:
        if viewer not in self.events_so_far:
            self.events_so_far[viewer] = [self.event(then, viewer) for then in self.past_of(viewer) if then.turns]
        return self.events_so_far[viewer]

    def views_before(self, viewer: int) -> list[bytes]:
        """A viewer's earlier views, for an agent with a memory."""
        views = [self.view(then, viewer).tobytes() for then in self.past_of(viewer)]
        return views[: self.state.number(viewer, self.state.turn)]

    def counted_by(self, role: Role, format: ViewFormat) -> int:
        """The viewer whose turns a client counts. An agent counts the views it decided from, to the end."""
        agent = format is ViewFormat.STRUCT and role.seat is not None
        return self.state.viewer(role) if agent else self.state.reader(role)

    # Messages

    @cached_property
    def wire(self) -> Wire:
        """The game's own wire protocol; subscribers of that format are admitted only at games that have one."""
        assert self.game.wire is not None
        return self.game.wire.in_dialect(self.dialect) if self.dialect else self.game.wire

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
        """The table as a role may see it; empty if there is nothing to show yet in its format."""
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
            "view", table=state.id, game=self.game.name,
            turn=state.number(self.counted_by(role, format), state.turn), **{"as": VIEWERS.get(viewer, viewer)},
            **shown, to_move=state.to_move, state=state.status, **self.seats_and_options(role),
            open_until=last if 0 <= last < state.turn else None, seconds_left=self.clock.shown(),
            notes={mark: note.text for mark, note in notes.items()} or None,
            note_turns={mark: state.number(state.reader(role), note.turn) for mark, note in notes.items()} or None,
            result=state.core.result() if over else None,
            verdict=state.verdict() if over else state.forfeit or None,
        )  # fmt: skip

    def question(self, role: Role) -> list[bytes]:
        """The request for a move, if it is this client's turn."""
        if not self.state.asked(role):
            return []
        return [encode(
                "your_turn", table=self.state.id, turn=self.state.turn_for(role), seconds=self.clock.seconds_left()
            )
        ]  # fmt: skip

    def seats_message(self, role: Role) -> bytes:
        return encode(
            "seats", table=self.state.id, turn=self.state.turn_for(role), state=self.state.status,
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
        """Send a chat message."""
        message = encode("chat_line", table=self.state.id, line=line)
        for subscriber, _ in self.audience.readers():
            subscriber.send(message)

    def lead_message(self, subscriber: Subscriber) -> bytes:
        return encode("replay_leader", table=self.state.id, **(self.lead.shown_to(subscriber) if self.lead else {}))

    def send_lead(self, but: Subscriber | None = None) -> None:
        """Send the leader of the replay and their position."""
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
                event = [news[self.state.reader(role)]] if news else []
                subscriber.send(*event, made[key], *self.question(role))

    def send_seats(self) -> None:
        """Send the seats and options."""
        self.prepared.clear()
        for subscriber, role in self.audience.readers():
            subscriber.send(self.seats_message(role))

    def forget(self) -> None:
        """Drop cached messages, most of a table's memory; they are rebuilt on demand."""
        self.seen.clear()
        self.prepared.clear()
        self.events_so_far.clear()

    def send_taken_back(self) -> None:
        """Send the table and its history again after moves were taken back."""
        self.reasons_sent = min(self.reasons_sent, self.state.turn)
        if self.lead is not None:
            self.lead.turn, self.lead.event = min(self.lead.turn, self.state.turn), None
        self.send_everything()

    def send_everything(self) -> None:
        """Send all clients the table and its history again."""
        self.forget()
        for subscriber, role in self.audience.readers():
            subscriber.send(*self.everything(subscriber, role))

    async def send_move(self) -> None:
        """Send the last move to all clients, to each in their view.

        The player to move comes first, and the event loop gets a chance to send that: they think while the others are
        notified.
        """
        if self.audience.subscribers and (self.state.analysis_board or self.state.all_may_be_seen):
            await self.prepare(self.state.core, OPEN)
        self._send_moves_before_the_last()
        news = self._news()
        mover: list[tuple[Subscriber, Role]] = []
        others: list[tuple[Subscriber, Role]] = []
        for each in self._learning():
            (mover if each[1].seat == self.state.mover else others).append(each)
        if mover:
            self.send_views(mover, news)
            await asyncio.sleep(0)
        self.send_views((each for each in others if self.audience.subscribers.get(each[0]) == each[1]), news)
        reasons = self.reasons(self.reasons_sent)
        if reasons:
            self.reasons_sent = reasons[-1]["turn"]
            for subscriber, _ in self.audience.readers():
                subscriber.send(self.reasons_message(reasons))

    def _send_moves_before_the_last(self) -> None:
        """If chance moved after a player, send all but its last move first."""
        turns, last = self.state.core.turns, self.state.turn
        begun = next((turn.number for turn in reversed(turns) if turn.seat != generic.CHANCE), 1)
        for past in (self.state.core.at_turn(number, []) for number in range(begun, last)):
            sent: dict[int, bytes] = {}
            for subscriber, role in self.audience.readers():
                viewer = self.state.viewer(role)
                if viewer not in sent:
                    event = self.event(past, viewer)
                    self.events_so_far.get(viewer, []).append(event)
                    sent[viewer] = encode("event", table=self.state.id, event=event)
                subscriber.send(sent[viewer])

    def _learning(self) -> list[tuple[Subscriber, Role]]:
        """The clients that learn of the last turn."""
        core = self.state.core
        return [each for each in self.audience.subscribers.items() if self.learns(core, self.state.reader(each[1]))]

    def _news(self) -> dict[int, bytes]:
        """The last move as an event, for every viewer who listens."""
        viewers = {self.state.reader(role) for _, role in self.audience.readers()}
        self.events_so_far = {viewer: self.events_so_far[viewer] for viewer in self.events_so_far.keys() & viewers}
        news: dict[int, bytes] = {}
        event: dict[str, Any] = {}
        for viewer in viewers:
            if not self.learns(self.state.core, viewer):
                continue
            if not event or not self.game.moves_are_open:
                event = self.event(self.state.core, viewer)
                message = encode("event", table=self.state.id, event=event)
            if viewer in self.events_so_far:
                self.events_so_far[viewer].append(event)
            news[viewer] = message
        return news

    # Arrivals and departures

    def join(self, subscriber: Subscriber, role: Role) -> bool:
        """Add a client and send it everything it may see; returns whether the holder of a seat arrived."""
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
        view, reasons, viewer = self.view_message(role, format), self.reasons(0), self.state.reader(role)
        structs = self.views_before(self.counted_by(role, format)) if format is ViewFormat.STRUCT else None
        # Of changes between two turns that the viewer learned of, only the last: the others would show private turns.
        holders = {self.state.number(viewer, turn): seats for turn, seats in self.state.holders.items()}
        history = [{"turn": turn, "seats": seats} for turn, seats in holders.items()]
        events = encode(
            "events", table=self.state.id, events=self.events(viewer), structs=structs,
            seat_history=history if len(history) > 1 else None,
        )  # fmt: skip
        if reasons:
            self.reasons_sent = max(self.reasons_sent, reasons[-1]["turn"])
        messages = [events, view]
        if reasons:
            messages.append(self.reasons_message(reasons))
        if self.state.chat:
            messages.append(encode("chat", table=self.state.id, lines=list(self.state.chat)))
        if self.lead is not None:
            messages.append(self.lead_message(subscriber))
        return [*messages, *self.question(role)]

    def leave(self, subscriber: Subscriber) -> bool:
        """Remove a client; returns whether a seat's holder has left."""
        role = self.audience.remove(subscriber)
        if not self.audience.subscribers:
            self.forget()
        if self.lead is not None and self.lead.leave(subscriber):
            self.send_lead()
        if role is None:
            return False
        self.send_seats()
        return True
