"""The interface of solvers, for `kibitz solve`."""

from collections.abc import Iterator, Sequence
from typing import Protocol


class Solver(Protocol):
    """Computes the value of positions under perfect play."""

    meaning: str  # a sentence on what a score means

    def scores(self, positions: Sequence[str], jobs: int = 1) -> Iterator[int]:
        """The score of each position, in order, for the player to move; a KibitzError explains an invalid position."""
        ...
