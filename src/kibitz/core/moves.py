"""A move as its number, which games give parts and a text."""

from typing import ClassVar, Self

from kibitz.errors import KibitzError


class MoveNumber(int):
    """A number below how many moves a game has."""

    moves: ClassVar[int]

    def __new__(cls, number: int) -> Self:
        if not 0 <= number < cls.moves:
            raise KibitzError(f"{number} is not a move. Moves are the numbers 0 to {cls.moves - 1}.")
        return super().__new__(cls, number)
