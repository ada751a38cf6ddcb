"""Draughts as a `Game`: rules for the compiled loop, texts for people, results for the arena."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import msgspec

from kibitz.core.deferred import deferred
from kibitz.core.game import Choice, Game, Lineup, Rule, start_as
from kibitz.core.results import ENDS, Count
from kibitz.engine import generic
from kibitz.errors import RecordError
from kibitz.games.draughts import evaluation, fen, page, rules
from kibitz.games.draughts.rules import begins
from kibitz.games.draughts.squares import ALL, BLACK, WHITE
from kibitz.games.draughts.state import LONGEST, MOST_CAPTURES, STATE, TOO_LONG, VARIANTS
from kibitz.games.draughts.view import View
from kibitz.games.draughts.words import DraughtsWords

generic.implement(
    "draughts",
    STATE,
    deal=rules.deal,
    to_move=rules.to_move,
    moves=rules.moves,
    most_moves=rules.most_moves,
    apply=rules.apply,
    move_at=rules.move_at,
    payoff=rules.payoff,
    result=rules.result,
    key=evaluation.key,
    evaluate=evaluation.evaluate,
    move_order_score=evaluation.move_order_score,
    quiescence=evaluation.quiescence,
)


class Start(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """The start of a game in a record: a position, or nothing for the usual start."""

    fen: str | None = None


def variant_of(rules: Mapping[str, str]) -> int:
    return DRAUGHTS.rules[0].choices.index(rules["variant"])


class Draughts(DraughtsWords, Game):
    name = "draughts"
    title = "Draughts"
    description = "Twelve men each on the dark squares. Captures are compulsory, and a player who cannot move loses."
    players = range(2, 3)
    rules = (
        Rule(
            "variant", "variant: Brazilian, English (American checkers) or Russian",
            ("brazilian", "english", "russian"), option=True, title="Variant",
            words={
                "brazilian": Choice("Brazilian", "You must capture as many pieces as possible; men also capture "
                                    "backwards; kings fly along diagonals."),
                "english": Choice("English", "American checkers: you choose any capture; men capture only forwards; "
                                  "kings move one square. Black begins."),
                "russian": Choice("Russian", "You choose any capture; kings fly; a man that reaches the last row while "
                                  "capturing continues as a king."),
            },
        ),
        Rule(
            "opening", f"first moves: {rules.DRAWN_MOVES // 2} random moves of each side, or none",
            ("drawn", "usual"), title="Opening",
            words={
                "usual": Choice("Usual start", "All men stand on their first three rows."),
                "drawn": Choice("Random moves", "The first three moves of each side are random, without captures."),
            },
        ),
    )  # fmt: skip
    table_rules = MappingProxyType({"opening": "usual"})
    page_folder = Path(__file__).parent / "page"
    dtype = STATE
    longest = LONGEST
    competitive = True
    reviewer = "alphabeta6"
    reviewer_unit = "search points"
    seat_titles = ("White", "Black")
    columns = ("winners", "turns", "ending", "white", "black")
    formats = deferred("kibitz.games.draughts.formats.pdn:FORMATS")
    puzzles = deferred("kibitz.games.draughts.puzzles:PUZZLES")
    bounds = MappingProxyType(
        {
            "rules": (0, len(VARIANTS) - 1),
            "white": (0, ALL),
            "black": (0, ALL),
            "kings": (0, ALL),
            "side": (WHITE, BLACK),
            "zobrist": (0, (1 << 63) - 1),
            "first_white": (0, ALL),
            "first_black": (0, ALL),
            "first_kings": (0, ALL),
            "first_side": (WHITE, BLACK),
            "turn": (0, LONGEST),
            "quiet": (0, LONGEST),
            "balanced": (0, LONGEST),
            "ending": (0, TOO_LONG),
            "captures": (0, MOST_CAPTURES),
            "captured": (0, 2 * ALL + 1),
        }
    )
    counts = (Count(ENDS, "Games by the turn of their end", LONGEST),)
    lineups = MappingProxyType(
        {
            "beginner": Lineup("They make any legal move.", ("random",)),
            "easy": Lineup("They count pieces, one move ahead.", ("greedy",)),
            "medium": Lineup("They look two plies ahead with learned weights.", ("alphabeta2",)),
            "advanced": Lineup("They simulate 5,000 random games before each move.", ("mcts",)),
            "hard": Lineup("They look six plies ahead.", ("alphabeta6",)),
            "strong": Lineup("They look ten plies ahead.", ("alphabeta10",)),
        }
    )

    def check_fields(self, view: Any, seat: int) -> None:
        if (view["history"] >> 10 & 31).max() > view["captures"]:
            raise RecordError("A view of Draughts refers to a capture that was not made.")

    def starts_of(self, view: Any) -> Iterator[Any]:
        first = (int(view[f"first_{name}"]) for name in fen.Setting._fields)
        yield fen.begun(fen.Setting(*first), int(view["rules"]))

    def dump_start(self, state: Any) -> Any:
        usual = self.usual_start(int(state["rules"]))
        same = all(state[name] == usual[0][name] for name in ("white", "black", "kings", "side"))
        return msgspec.to_builtins(Start() if same else Start(fen.dump(state)))

    def usual_start(self, variant: int) -> Any:
        return fen.load(f"{'WB'[int(begins(variant))]}:W21-32:B1-12", variant)

    def load_start(self, text: Any, players: int, rules: Mapping[str, str]) -> Any:
        start = start_as(Start, text)
        variant = variant_of(rules)
        return self.usual_start(variant) if start.fen is None else fen.load(start.fen, variant)

    def set_up(self, text: str, players: int, rules: Mapping[str, str]) -> Any:
        return fen.load(text, variant_of(rules))

    def page(self, view: Any) -> dict[str, Any]:
        return page.table(View(view))

    def event(self, view: Any, turn: int) -> dict[str, Any]:
        return page.event(View(view), turn, self.event_text(view, turn))

    def choices(self, view: Any) -> list[dict[str, Any]]:
        return page.choices(View(view))

    def table(self, results: Any, named: Any) -> dict[str, Any]:
        columns = super().table(results, named)
        return {**columns, "ending": [page.ENDINGS[ending] for ending in results[:, 2].tolist()]}


DRAUGHTS = Draughts()
