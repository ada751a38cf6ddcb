"""What was told about a game, to whom, and whether all of it was true and theirs to know.

While a game runs its cards are not known here either, so what can be checked is that nobody is told two different
things and that nothing vanishes. When it is over its record is replayed with the rules, and every message that anybody
was sent is compared with what the rules show that viewer at that turn.
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

SECRET_OF_A_BOT = "look at these"  # what a crashing bot of tests/server/web/unruly.py tries to tell everybody
NOT_LOST = "a move that was told to anybody is there, and stays as it was"
NO_PEEKING = "nobody is sent what they may not see"
RULES = "moves are legal and results are those of the rules"
SEATS = "nobody moves for another seat"
ANYBODY_SEATED, NOBODY = -3, -2  # who may be told a secret, besides the holder of a seat


def bare(value: Any) -> Any:
    """JSON without the fields that say nothing, which may be left out."""
    if isinstance(value, dict):
        return {key: inner for key, each in value.items() if (inner := bare(each)) not in (None, [], {}, "")}
    if isinstance(value, list):
        return [bare(each) for each in value]
    return value


def as_json(value: Any) -> Any:
    return bare(json.loads(msgspec.json.encode(value)))


@dataclass(frozen=True)
class Heard:
    """A message to one viewer, which is a seat, "spectator" or "open"."""

    viewer: int | str
    message: Message
    known: int  # the number of moves that the table had when it was sent, as far as this viewer was told


@dataclass
class Told:
    """All that was told about one table."""

    id: str
    game: str
    only_bots: bool = False
    moves: dict[int, tuple[int, str]] = field(default_factory=dict)  # by turn, from 1: the seat and the move
    heard: list[Heard] = field(default_factory=list)
    secrets: dict[str, int] = field(default_factory=dict)  # tokens and invitations, and whose they are
    over: bool = False
    over_at: float = 0.0  # when its end was told first
    result: Any = None

    @property
    def turn(self) -> int:
        return max(self.moves, default=0)

    def happened(self, event: Message) -> None:
        """A move was told: it must be the one that others were told of."""
        turn, said = event["turn"], (event["seat"], event["move"])
        before = self.moves.setdefault(turn, said)
        check(before == said, NOT_LOST, f"table {self.id}, turn {turn}: {said} was {before} before")

    def all_so_far(self, events: Iterable[Message], known: int) -> None:
        """Somebody came to the table: they are told of everything, and nothing is missing."""
        events = list(events)
        turns = [event["turn"] for event in events]
        check(turns == list(range(1, len(events) + 1)), NOT_LOST, f"table {self.id} tells of turns {turns}")
        check(len(events) >= known, NOT_LOST, f"table {self.id}: {known} moves were told, {len(events)} are there")
        for event in events:
            self.happened(event)

    # Who may see what, as soon as it is sent

    def may_hear(self, viewer: int | str, owner: int) -> bool:
        """Whether somebody may be told a secret: the key to a seat its holder, an invitation all who sit there."""
        return owner == viewer or (owner == ANYBODY_SEATED and isinstance(viewer, int) and viewer >= 0)

    def sent(self, viewer: int | str, message: Message, text: str, known: int) -> None:
        """Look at a message to somebody, and keep it for the end of the game."""
        check(SECRET_OF_A_BOT not in text or self.only_bots, NO_PEEKING, f"what a bot saw: {text}")
        for secret, owner in self.secrets.items():
            check(
                self.may_hear(viewer, owner) or secret not in text,
                NO_PEEKING,
                f"the key of seat {owner} is told to {viewer}: {text}",
            )
        if message["type"] == "view":
            self._view(viewer, message)
        if message["type"] in JUDGES:
            self.heard.append(Heard(viewer, message, known))

    def _view(self, viewer: int | str, view: Message) -> None:
        over = view["state"] in ("finished", "abandoned")
        shown_all = over or self.only_bots
        expected = viewer if isinstance(viewer, int) else "open" if shown_all else "spectator"
        check(view["as"] == expected, NO_PEEKING, f"table {self.id}: {viewer} is shown the view of {view['as']}")
        if not shown_all:
            check("seed" not in view["options"], NO_PEEKING, f"table {self.id} tells its seed while people play")
            self._hidden_cards(viewer, view)
        self.over = self.over or view["state"] == "finished"
        if view["state"] == "finished":
            check(self.result in (None, view["result"]), RULES, f"table {self.id}: {view['result']} was {self.result}")
            self.result = view["result"]

    def _hidden_cards(self, viewer: int | str, view: Message) -> None:
        """Without the rules at hand: one's own cards in Hanabi, an onlooker's view of any card at all."""
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
        """Compare everything with the record of the game: how many messages were looked at."""
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
                f"table {self.id}, turn {turn}: told {seat} {move!r}, in the record {moves[turn - 1 : turn]}",
            )
        result = past.last.result()
        for where, told in (("the record", record.result), ("the table", self.result)):
            check(told in (None, result), RULES, f"table {self.id}: {where} says {told}, the rules say {result}")
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
    """A game at every turn, as anybody could see it."""

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
        """What a viewer saw of a turn, from 1."""
        if (turn, viewer) not in self.events:
            event = {"seat": self.movers[turn - 1], **self.game.event(self.record(turn, viewer), turn - 1)}
            self.events[turn, viewer] = as_json(event)
        return self.events[turn, viewer]

    def told(self, turn: int) -> int:
        return self.game.turns_explained(self.tables[turn].state)


Judgement = Iterator[tuple[str, Any, Any]]  # what is judged, what was sent, and what the rules say


def judged_view(past: Past, heard: Heard, only_bots: bool) -> Judgement:
    view, turn = heard.message, heard.message["turn"]
    yield f"the view of turn {turn}", view["view"], past.page(turn, view["as"])
    if "choices" in view:
        yield f"the choices of turn {turn}", view["choices"], as_json(past.game.choices(past.record(turn, view["as"])))
    if view["state"] == "running":
        yield f"who is to move at turn {turn}", view.get("to_move"), past.tables[turn].to_move
    if view["state"] == "finished":
        yield "the result", view["result"], as_json(past.last.result())


def judged_event(past: Past, heard: Heard, only_bots: bool) -> Judgement:
    event = heard.message["event"]
    true = [past.event(event["turn"], viewer) for viewer in seen_as(past, heard, event["turn"], only_bots)]
    yield f"the event of turn {event['turn']}", event, bare(event) if bare(event) in true else true[0]


def judged_events(past: Past, heard: Heard, only_bots: bool) -> Judgement:
    """Who comes when the game is over may be told of all of it."""
    for event in heard.message["events"]:
        viewers = seen_as(past, heard, max(heard.known, len(heard.message["events"])), only_bots)
        true = [past.event(event["turn"], viewer) for viewer in viewers]
        yield f"the event of turn {event['turn']}, told later", event, bare(event) if bare(event) in true else true[0]


def seen_as(past: Past, heard: Heard, turn: int, only_bots: bool) -> list[int | str]:
    """As whom somebody may have been told of a turn: an onlooker sees it all as soon as the game is over."""
    if isinstance(heard.viewer, int):
        return [heard.viewer]
    over = past.tables[min(turn, len(past.movers))].over
    return ["open"] if only_bots else ["spectator", "open"] if over else ["spectator"]


def judged_history(past: Past, heard: Heard, only_bots: bool) -> Judgement:
    history, turn = heard.message, heard.message["turn"]
    yield f"the history of turn {turn} as {history['as']}", history["view"], past.page(turn, history["as"])
    if history.get("event"):
        yield f"the event in the history of turn {turn}", history["event"], past.event(turn, history["as"])


def judged_odds(past: Past, heard: Heard, only_bots: bool) -> Judgement:
    odds = heard.message
    true = as_json(past.game.odds(past.record(odds["turn"], odds["seat"])))
    yield f"the odds of turn {odds['turn']} for seat {odds['seat']}", odds.get("odds", []), true


def judged_reasons(past: Past, heard: Heard, only_bots: bool) -> Judgement:
    """Reasons can speak of hidden cards: they are told of rounds that are over, and of open tables."""
    if only_bots:
        return
    told = past.told(min(heard.known, len(past.movers)))
    early = [reason["turn"] for reason in heard.message["reasons"] if reason["turn"] > told]
    yield f"reasons after turn {heard.known}", early, []


JUDGES = {
    "view": judged_view, "event": judged_event, "events": judged_events, "history": judged_history,
    "odds": judged_odds, "reasons": judged_reasons,
}  # fmt: skip


class Tables:
    """Everything that was told, by table."""

    def __init__(self) -> None:
        self.running: dict[str, Told] = {}
        self.finished: dict[str, tuple[list[str], Any]] = {}  # the moves and the result

    def begun(self, id: str, game: str, only_bots: bool = False) -> Told:
        return self.running.setdefault(id, Told(id, game, only_bots))

    def ended(self, told: Told, text: bytes) -> int:
        """Judge a game that is over; only its moves and its result are remembered."""
        count = told.judge(text)
        record = parse(text)
        self.finished[told.id] = [made.move for made in record.moves], record.result
        self.running.pop(told.id, None)
        return count

    def check_finished(self, id: str, text: bytes) -> None:
        record = parse(text)
        now = [made.move for made in record.moves], record.result
        check(now == self.finished[id], "a finished game keeps its moves and its result", f"table {id}: {now}")
