"""What every column is worth, told as a teacher would: exact, as far as a limited search finds it out."""

from functools import lru_cache
from typing import Any

import numpy as np

from kibitz.connect4.board import COLUMN, COLUMNS, HEIGHT, PLACES, has_four, landing_places
from kibitz.connect4.openings import load_book
from kibitz.connect4.solver import UNKNOWN, Memory, memory_of, solve
from kibitz.connect4.words import score_text
from kibitz.core.compile import INTERPRETED

TABLE = 1 << 20  # words
MOST_NODES = 5 if INTERPRETED else 500_000  # for a column: all of them take half a second, compiled


def worth_of_columns(state: Any) -> list[dict[str, Any]]:
    """The columns that are not full with their scores to who is to move, None where too much would be to search."""
    return [dict(column) for column in columns_at(*(int(state[field]) for field in ("mine", "taken", "turn")))]


@lru_cache(maxsize=256)  # everybody at a table asks about the same position
def columns_at(mine: int, taken: int, turn: int) -> list[dict[str, Any]]:
    memory, found = memory_of(np.zeros(TABLE, np.int64), load_book()), []
    for column in range(COLUMNS):
        stone = int(landing_places(taken)) & COLUMN << HEIGHT * column
        if stone:
            score = score_of(memory, mine, taken, stone, turn)
            text = "not known: too much is to be searched here" if score is None else score_text(score, turn)
            found.append({"column": column + 1, "score": score, "text": text})
    return found


def score_of(memory: Memory, mine: int, taken: int, stone: int, turn: int) -> int | None:
    """The score of a stone in a place, if a limited search finds it out."""
    if has_four(mine | stone):
        return (PLACES + 1 - turn) // 2
    if turn == PLACES - 1:
        return 0
    desk = memory.desk[0]
    desk["most_nodes"], desk["stopped"] = desk["nodes"] + MOST_NODES, 0
    score = int(solve(memory, mine ^ taken, taken | stone, turn + 1))
    return None if score == UNKNOWN else -score
