"""Moves as numbers, which games extend with parts and a text."""

from typing import ClassVar, Self

from kibitz.errors import KibitzError


class MoveNumber(int):
    """A move: a number below the game's number of moves."""

    moves: ClassVar[int]

    def __new__(cls, number: int) -> Self:
        if not 0 <= number < cls.moves:
            raise KibitzError(f"{number} is not a move. Moves are the numbers 0 to {cls.moves - 1}.")
        return super().__new__(cls, number)
