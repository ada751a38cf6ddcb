"""Solve many positions, on several threads that share a table: an entry is one word, so it is never half written."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from kibitz.errors import KibitzError
from kibitz.games.connect4.notation import state_after
from kibitz.games.connect4.openings import load_book
from kibitz.games.connect4.rules import to_move
from kibitz.games.connect4.solver import solve, workspace_for

TABLE_BITS = 23


class PositionSolver:
    """The solver behind `kibitz solve connect4`."""

    meaning = "22 minus the number of the winner's stones, negative if the player to move loses; 0 is a draw."

    def __init__(self, table_bits: int = TABLE_BITS) -> None:
        self.table = np.zeros(1 << table_bits, np.int64)
        self.book = load_book()
        self.nodes = 0  # positions searched

    def score(self, moves: str) -> int:
        [state] = state_after(moves)
        if to_move(state) < 0:
            raise KibitzError(f"The game is over after {moves!r}, so there is nothing to solve.")
        workspace = workspace_for(self.table, self.book)
        score = int(solve(workspace, int(state["mine"]), int(state["taken"]), int(state["turn"])))
        self.nodes += int(workspace.run[0]["nodes"])
        return score

    def scores(self, positions: Sequence[str], jobs: int = 1) -> Iterator[int]:
        with ThreadPoolExecutor(jobs) as threads:
            yield from threads.map(self.score, positions)
