"""What each client received about a game: whether it was true, and whether that client may know it.

While a game runs its cards are unknown here, too, so the checks are that all clients receive the same moves and that
none vanishes. When the game is over, its record is replayed by the rules, and every message is compared with what the
rules show its receiver at that turn.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from kibitz.core import registry
from kibitz.core.game import Game
from kibitz.core.record import Record, parse
from kibitz.core.table import Table
from kibitz.engine.loop import ONLOOKER
from kibitz.errors import KibitzError
from tests.soak.clients import Message
from tests.soak.promises import check

SECRET_OF_A_BOT = "look at these"  # in the error message of a crashing bot of tests/server/web/unruly.py
NOT_LOST = "a move that was sent to anybody stays, unchanged"
NO_PEEKING = "nobody receives what they may not see"
RULES = "moves are legal and results are those of the rules"
SEATS = "nobody moves for another seat"
ANYBODY_SEATED, NOBODY = -3, -2  # owners of a secret other than the holder of a seat


def bare(value: Any) -> Any:
    """JSON without empty fields, which may be left out."""
    if isinstance(value, dict):
        return {key: inner for key, each in value.items() if (inner := bare(each)) not in (None, [], {}, "")}
    if isinstance(value, list):
        return [bare(each) for each in value]
    return value


def as_json(value: Any) -> Any:
    return bare(json.loads(msgspec.json.encode(value)))


@dataclass(frozen=True)
class ReceivedMessage:
    """A message to one viewer, which is a seat, "spectator" or "open"."""

    viewer: int | str
    message: Message
    known: int  # the number of moves this viewer had received before


@dataclass
class ReceivedGame:
    """Everything that all clients received about one table."""

    id: str
    game: str
    only_bots: bool = False
    moves: dict[int, tuple[int, str]] = field(default_factory=dict)  # by turn, from 1: the seat and the move
    heard: list[ReceivedMessage] = field(default_factory=list)
    secrets: dict[str, int] = field(default_factory=dict)  # tokens and invitations, with their owners
    over: bool = False
    over_at: float = 0.0  # when a client first received its end
    result: Any = None

    @property
    def turn(self) -> int:
        return max(self.moves, default=0)

    def happened(self, event: Message) -> None:
        """A client received a move: it must be the one that others received."""
        turn, said = event["turn"], (event["seat"], event["move"])
        before = self.moves.setdefault(turn, said)
        check(before == said, NOT_LOST, f"table {self.id}, turn {turn}: {said} was {before} before")

    def all_so_far(self, events: Iterable[Message], known: int) -> None:
        """A client came to the table and received all moves so far: none is missing."""
        events = list(events)
        turns = [event["turn"] for event in events]
        check(turns == list(range(1, len(events) + 1)), NOT_LOST, f"table {self.id} sends turns {turns}")
        check(len(events) >= known, NOT_LOST, f"table {self.id}: {known} moves were sent, {len(events)} are there")
        for event in events:
            self.happened(event)

    # Permissions, checked as soon as something is sent

    def may_hear(self, viewer: int | str, owner: int) -> bool:
        """Whether a viewer may receive a secret: a seat's key only its holder, an invitation every seated player."""
        return owner == viewer or (owner == ANYBODY_SEATED and isinstance(viewer, int) and viewer >= 0)

    def sent(self, viewer: int | str, message: Message, text: str, known: int) -> None:
        """Check a message to a viewer, and keep it for the end of the game."""
        check(SECRET_OF_A_BOT not in text or self.only_bots, NO_PEEKING, f"a bot's view: {text}")
        for secret, owner in self.secrets.items():
            check(
                self.may_hear(viewer, owner) or secret not in text,
                NO_PEEKING,
                f"the key of seat {owner} is sent to {viewer}: {text}",
            )
        if message["type"] == "view":
            self._view(viewer, message)
        if message["type"] in JUDGES:
            self.heard.append(ReceivedMessage(viewer, message, known))

    def _view(self, viewer: int | str, view: Message) -> None:
        over = view["state"] in ("finished", "abandoned")
        shown_all = over or self.only_bots
        expected = viewer if isinstance(viewer, int) else "open" if shown_all else "spectator"
        check(view["as"] == expected, NO_PEEKING, f"table {self.id}: {viewer} receives the view of {view['as']}")
        if not shown_all:
            check("seed" not in view["options"], NO_PEEKING, f"table {self.id} shows its seed while people play")
            self._hidden_cards(viewer, view)
        self.over = self.over or view["state"] == "finished"
        if view["state"] == "finished":
            check(self.result in (None, view["result"]), RULES, f"table {self.id}: {view['result']} was {self.result}")
            self.result = view["result"]

    def _hidden_cards(self, viewer: int | str, view: Message) -> None:
        """Without the rules: a player's own cards in Hanabi; for spectators, any card."""
        if self.game == "hanabi":
            for seat, hand in enumerate(view["view"]["hands"]):
                hidden = viewer == seat or viewer == "spectator"
                shown = [card["kind"] for card in hand if card["kind"] is not None]
                check(not hidden or not shown, NO_PEEKING, f"table {self.id}: {viewer} sees {shown} of seat {seat}")
        elif self.game == "loveletter" and viewer == "spectator":
            shown = [card for seat in view["view"]["seats"] if not seat["out"] for card in seat["cards"] if card]
            check(not shown, NO_PEEKING, f"table {self.id}: an onlooker sees {shown}")

    # When the game is over

    def judge(self, text: bytes) -> int:
        """Compare everything with the record of the game; return the number of messages compared."""
        try:
            record = parse(text)
            past = Past(record)
        except KibitzError as error:
            check(False, RULES, f"table {self.id}: {error}")
        check(past.last.over, RULES, f"table {self.id} is over, its record is not")
        moves = [made.move for made in record.moves]
        for turn, (seat, move) in self.moves.items():
            same = turn <= len(moves) and (past.movers[turn - 1], moves[turn - 1]) == (seat, move)
            check(
                same,
                NOT_LOST,
                f"table {self.id}, turn {turn}: received {seat} {move!r}, in the record {moves[turn - 1 : turn]}",
            )
        result = past.last.result()
        for where, found in (("the record", record.result), ("the table", self.result)):
            check(found in (None, result), RULES, f"table {self.id}: {where} says {found}, the rules say {result}")
        for heard in self.heard:
            for what, seen, true in JUDGES[heard.message["type"]](past, heard, self.only_bots):
                check(
                    bare(seen) == true, f"{NO_PEEKING}, and what they see is true",
                    f"table {self.id}, {what} for {heard.viewer}: {first_difference(bare(seen), true)}",
                )  # fmt: skip
        return len(self.heard)


def first_difference(seen: Any, true: Any, path: str = "") -> str:
    if isinstance(seen, dict) and isinstance(true, dict):
        for key in {**seen, **true}:
            if seen.get(key) != true.get(key):
                return first_difference(seen.get(key), true.get(key), f"{path}.{key}")
    if isinstance(seen, list) and isinstance(true, list) and len(seen) == len(true):
        for index, (one, other) in enumerate(zip(seen, true, strict=True)):
            if one != other:
                return first_difference(one, other, f"{path}[{index}]")
    return f"{path} is {str(seen)[:300]!r}, by the rules {str(true)[:300]!r}"


class Past:
    """A finished game at every turn, as each viewer could see it."""

    def __init__(self, record: Record) -> None:
        self.game: Game = registry.game(record.game)
        table = record.opened()
        self.tables = [table.copy()]
        self.movers: list[int] = []
        for made in record.steps(table):
            self.movers.append(made.turns[-1].seat)
            self.tables.append(made.copy())
        self.pages: dict[tuple[int, int | str], Any] = {}
        self.events: dict[tuple[int, int | str], Any] = {}

    @property
    def last(self) -> Table:
        return self.tables[-1]

    def record(self, turn: int, viewer: int | str) -> Any:
        table = self.tables[turn]
        if viewer == "open":
            return table.state
        return table.view(ONLOOKER if viewer == "spectator" else int(viewer))

    def page(self, turn: int, viewer: int | str) -> Any:
        if (turn, viewer) not in self.pages:
            self.pages[turn, viewer] = as_json(self.game.page(self.record(turn, viewer)))
        return self.pages[turn, viewer]

    def event(self, turn: int, viewer: int | str) -> Any:
        """A turn, counted from 1, as a viewer saw it."""
        if (turn, viewer) not in self.events:
            event = {"seat": self.movers[turn - 1], **self.game.event(self.record(turn, viewer), turn - 1)}
            self.events[turn, viewer] = as_json(event)
        return self.events[turn, viewer]

    def explained(self, turn: int) -> int:
        """The turns whose reasons may be sent after a turn."""
        return self.game.turns_explained(self.tables[turn].state)


Judgement = Iterator[tuple[str, Any, Any]]  # its subject, the message, and the truth by the rules


def judged_view(past: Past, heard: ReceivedMessage, only_bots: bool) -> Judgement:
    view, turn = heard.message, heard.message["turn"]
    yield f"the view of turn {turn}", view["view"], past.page(turn, view["as"])
    if "choices" in view:
        yield f"the choices of turn {turn}", view["choices"], as_json(past.game.choices(past.record(turn, view["as"])))
    if view["state"] == "running":
        yield f"the player to move at turn {turn}", view.get("to_move"), past.tables[turn].to_move
    if view["state"] == "finished":
        yield "the result", view["result"], as_json(past.last.result())


def judged_event(past: Past, heard: ReceivedMessage, only_bots: bool) -> Judgement:
    event = heard.message["event"]
    true = [past.event(event["turn"], viewer) for viewer in seen_as(past, heard, event["turn"], only_bots)]
    yield f"the event of turn {event['turn']}", event, bare(event) if bare(event) in true else true[0]


def judged_events(past: Past, heard: ReceivedMessage, only_bots: bool) -> Judgement:
    """A client that comes when the game is over may receive all of it."""
    for event in heard.message["events"]:
        viewers = seen_as(past, heard, max(heard.known, len(heard.message["events"])), only_bots)
        true = [past.event(event["turn"], viewer) for viewer in viewers]
        yield f"the event of turn {event['turn']}, sent later", event, bare(event) if bare(event) in true else true[0]


def seen_as(past: Past, heard: ReceivedMessage, turn: int, only_bots: bool) -> list[int | str]:
    """The views in which a client may receive a turn: spectators see everything once the game is over."""
    if isinstance(heard.viewer, int):
        return [heard.viewer]
    over = past.tables[min(turn, len(past.movers))].over
    return ["open"] if only_bots else ["spectator", "open"] if over else ["spectator"]


def judged_history(past: Past, heard: ReceivedMessage, only_bots: bool) -> Judgement:
    history, turn = heard.message, heard.message["turn"]
    yield f"the history of turn {turn} as {history['as']}", history["view"], past.page(turn, history["as"])
    if history.get("event"):
        yield f"the event in the history of turn {turn}", history["event"], past.event(turn, history["as"])


def judged_odds(past: Past, heard: ReceivedMessage, only_bots: bool) -> Judgement:
    odds = heard.message
    true = as_json(past.game.odds(past.record(odds["turn"], odds["seat"])))
    yield f"the odds of turn {odds['turn']} for seat {odds['seat']}", odds.get("odds", []), true


def judged_reasons(past: Past, heard: ReceivedMessage, only_bots: bool) -> Judgement:
    """Reasons can name hidden cards, so they are sent for finished rounds and for open tables only."""
    if only_bots:
        return
    explained = past.explained(min(heard.known, len(past.movers)))
    early = [reason["turn"] for reason in heard.message["reasons"] if reason["turn"] > explained]
    yield f"reasons after turn {heard.known}", early, []


JUDGES = {
    "view": judged_view, "event": judged_event, "events": judged_events, "history": judged_history,
    "odds": judged_odds, "reasons": judged_reasons,
}  # fmt: skip


class ReceivedGames:
    """Everything that was received, by table."""

    def __init__(self) -> None:
        self.running: dict[str, ReceivedGame] = {}
        self.finished: dict[str, tuple[list[str], Any]] = {}  # the moves and the result

    def begun(self, id: str, game: str, only_bots: bool = False) -> ReceivedGame:
        return self.running.setdefault(id, ReceivedGame(id, game, only_bots))

    def ended(self, received: ReceivedGame, text: bytes) -> int:
        """Judge a finished game; only its moves and its result are remembered."""
        count = received.judge(text)
        record = parse(text)
        self.finished[received.id] = [made.move for made in record.moves], record.result
        self.running.pop(received.id, None)
        return count

    def check_finished(self, id: str, text: bytes) -> None:
        record = parse(text)
        now = [made.move for made in record.moves], record.result
        check(now == self.finished[id], "a finished game keeps its moves and its result", f"table {id}: {now}")
