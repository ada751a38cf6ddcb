"""The exact score of every column, as far as a limited search finds it, for the page.

All requests share one table, so a repeated request for a position continues where the last search stopped.
"""

from functools import cache
from typing import Any

import numpy as np

from kibitz.engine.compile import INTERPRETED
from kibitz.games.connect4.openings import load_book
from kibitz.games.connect4.solver import estimate_columns, workspace_for
from kibitz.games.connect4.words import score_text
from kibitz.search.choice import NO_MOVE, UNKNOWN

TABLE_BITS = 12 if INTERPRETED else 22
MOST_NODES = 5 if INTERPRETED else 100_000  # per column: all of them take an eighth of a second, compiled


@cache
def table_and_book() -> tuple[Any, Any]:
    return np.zeros(1 << TABLE_BITS, np.int64), load_book()


def worth_of_columns(state: Any) -> list[dict[str, Any]]:
    """The columns that are not full with their scores for the player to move.

    A score is None if it takes more than a limited search; `more` says that another request may find it.
    """
    mine, taken, turn = (int(state[field]) for field in ("mine", "taken", "turn"))
    found = estimate_columns(workspace_for(*table_and_book()), mine, taken, turn, MOST_NODES)
    return [
        {"column": column + 1, "score": None, "text": "not known yet: this takes a longer search", "more": True}
        if bound == UNKNOWN
        else {"column": column + 1, "score": int(value), "text": score_text(int(value), turn)}
        for column, (move, value, bound) in enumerate(zip(found.moves, found.values, found.bounds, strict=True))
        if move != NO_MOVE
    ]
