"""What `kibitz solve` asks of a game whose positions can be solved."""

from collections.abc import Iterator, Sequence
from typing import Protocol


class Solver(Protocol):
    """Finds what positions are worth with the best play of everybody."""

    meaning: str  # of a score, in a sentence

    def scores(self, positions: Sequence[str], jobs: int = 1) -> Iterator[int]:
        """The score of each position, in order, to who is to move; a KibitzError says what cannot be a position."""
        ...
