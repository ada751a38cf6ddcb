"""What every column is worth, told as a teacher would: exact, as far as a limited search finds it out.

All who ask share one table, so who asks again about the same position goes on from where the search stopped.
"""

from functools import cache
from typing import Any

import numpy as np

from kibitz.engine.compile import INTERPRETED
from kibitz.games.connect4.board import COLUMN, COLUMNS, HEIGHT, PLACES, has_four, landing_places
from kibitz.games.connect4.openings import load_book
from kibitz.games.connect4.solver import UNKNOWN, Memory, memory_of, solve
from kibitz.games.connect4.words import score_text

TABLE_BITS = 12 if INTERPRETED else 22
MOST_NODES = 5 if INTERPRETED else 100_000  # for a column: all of them take an eighth of a second, compiled

NOT_YET = "not known yet: much is to be searched here"


@cache
def table_and_book() -> tuple[Any, Any]:
    return np.zeros(1 << TABLE_BITS, np.int64), load_book()


def worth_of_columns(state: Any) -> list[dict[str, Any]]:
    """The columns that are not full with their scores to who is to move.

    The score is None where too much would be to search at once, and `more` says that asking again may find it out.
    """
    mine, taken, turn = (int(state[field]) for field in ("mine", "taken", "turn"))
    memory, found = memory_of(*table_and_book()), []
    for column in range(COLUMNS):
        stone = int(landing_places(taken)) & COLUMN << HEIGHT * column
        if stone:
            score = score_of(memory, mine, taken, stone, turn)
            told: dict[str, Any] = {"column": column + 1, "score": score}
            found.append(
                told | ({"text": NOT_YET, "more": True} if score is None else {"text": score_text(score, turn)})
            )
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
