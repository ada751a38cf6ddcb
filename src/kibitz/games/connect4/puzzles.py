"""Puzzles of Connect 4: exactly one column wins, or exactly one does not lose. The solver's values are exact."""

from types import MappingProxyType
from typing import Any

from kibitz.core.puzzling import Answer, Explained, Lesson, Source, Theme
from kibitz.engine import generic
from kibitz.games.connect4.notation import move_text
from kibitz.search.searched_puzzles import SearchedPuzzles, after

RANDOM = {"opening": "random"}
EARLIEST = 16  # stones on the board: earlier positions take long to solve
WIN_AT_ONCE, ONLY_WIN, ONLY_DRAW = "win at once", "only win", "only draw"


def worth(score: float) -> float:
    """1 for a win, 0 for a loss: how fast does not count."""
    return 1.0 if score > 0 else 0.5 if score == 0 else 0.0


def explain(view: Any, answer: Answer) -> Explained:
    best = answer.values[0]
    column = move_text(best.move)
    if generic.to_move(after(view, best.move)) < 0:
        return Explained(WIN_AT_ONCE, f"Column {column} makes four in a row.")
    if best.value == 1.0:
        rest = "every other column at most draws" if answer.values[1].value > 0 else "every other column loses"
        return Explained(ONLY_WIN, f"Column {column} wins with best play; {rest}.")
    return Explained(ONLY_DRAW, f"Column {column} holds the draw; every other column loses with best play.")


PUZZLES = SearchedPuzzles(
    game="connect4",
    evaluator="solver",
    second="solver",
    unit="wins",
    least_gap=0.5,
    sources=(
        Source(("alphabeta4", "learned4"), RANDOM), Source(("alphabeta2", "alphabeta4"), RANDOM),
        Source(("evolved4", "alphabeta2"), RANDOM), Source(("greedy", "alphabeta4"), RANDOM),
        Source(("learned4", "evolved4"), RANDOM), Source(("directions4", "larger4"), RANDOM),
    ),
    references=("random", "greedy", "alphabeta2", "alphabeta4", "learned4", "evolved4", "alphabeta8"),
    themes=MappingProxyType(
        {
            WIN_AT_ONCE: Theme("Four in a row", "You can win at once.", 0.1),
            ONLY_WIN: Theme("The only win", "One column wins with best play."),
            ONLY_DRAW: Theme("The only draw", "One column does not lose."),
        }
    ),
    explain=explain,
    worth=worth,
    earliest=EARLIEST,
    lessons=(
        Lesson(
            "threats", "Threats on the right rows",
            "Columns fill up in turn, so the first player gets the odd rows and the second the even ones. A threat on "
            "your rows wins when the column below it is full.",
            ONLY_WIN,
        ),
    ),
)  # fmt: skip
