"""Many positions solved, on several threads that share a table: an entry is one word, so none is ever half written."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from kibitz.errors import KibitzError
from kibitz.games.connect4.notation import state_after
from kibitz.games.connect4.openings import load_book
from kibitz.games.connect4.rules import to_move
from kibitz.games.connect4.solver import memory_of, solve

TABLE_BITS = 23


class PositionSolver:
    """The solver of `kibitz solve connect4`."""

    meaning = "22 less the stones that the winner has used when it wins, negative if who is to move loses; 0 is a draw."

    def __init__(self, table_bits: int = TABLE_BITS) -> None:
        self.table = np.zeros(1 << table_bits, np.int64)
        self.book = load_book()
        self.nodes = 0  # positions that were looked at

    def score(self, moves: str) -> int:
        [state] = state_after(moves)
        if to_move(state) < 0:
            raise KibitzError(f"The game is over after {moves!r}: there is nothing to solve.")
        memory = memory_of(self.table, self.book)
        score = int(solve(memory, int(state["mine"]), int(state["taken"]), int(state["turn"])))
        self.nodes += int(memory.desk[0]["nodes"])
        return score

    def scores(self, positions: Sequence[str], jobs: int = 1) -> Iterator[int]:
        with ThreadPoolExecutor(jobs) as threads:
            yield from threads.map(self.score, positions)
