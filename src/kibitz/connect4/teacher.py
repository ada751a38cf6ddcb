"""What every column is worth, told as a teacher would: exact, as far as a limited search finds it out."""

from typing import Any

import numpy as np

from kibitz.connect4.openings import load_book
from kibitz.connect4.solver import UNKNOWN, column_scores, memory_of
from kibitz.connect4.words import score_text
from kibitz.core.compile import INTERPRETED

TABLE = 1 << 20  # words
MOST_NODES = 50 if INTERPRETED else 500_000  # for a column: all of them take half a second, compiled


def worth_of_columns(state: Any) -> list[dict[str, Any]]:
    """The columns that are not full with their scores to who is to move, None where too much would be to search."""
    mine, taken, turn = (int(state[field]) for field in ("mine", "taken", "turn"))
    memory = memory_of(np.zeros(TABLE, np.int64), load_book())
    found = []
    for column, score in enumerate(column_scores(memory, mine, taken, turn, MOST_NODES).tolist()):
        if (taken >> 7 * column & 63) == 63:
            continue
        known = score != UNKNOWN
        text = score_text(score, turn) if known else "not known: too much is to be searched here"
        found.append({"column": column + 1, "score": score if known else None, "text": text})
    return found
