"""The board of tic-tac-toe as a picture for notebooks."""

from collections.abc import Sequence

from kibitz.core.svg import INK, MUTED, Picture
from kibitz.games.toys.tictactoe.rules import SIDE

SQUARE, EDGE = 60, 24


def board(marks: Sequence[str]) -> str:
    """The mark of every place, from a1 on, or nothing."""
    picture = Picture(EDGE + SIDE * SQUARE + 4, SIDE * SQUARE + EDGE + 4, "Tic-Tac-Toe")
    for place, mark in enumerate(marks):
        row, column = divmod(place, SIDE)
        x, y = EDGE + column * SQUARE, 2 + (SIDE - 1 - row) * SQUARE
        picture.rect(x, y, SQUARE, SQUARE, "#fbfaf6", INK)
        picture.text(x + SQUARE / 2, y + 42, mark, 36, INK, "middle")
    for n in range(SIDE):
        picture.text(EDGE / 2, 2 + (SIDE - n - 0.5) * SQUARE + 5, str(n + 1), 13, MUTED, "middle")
        picture.text(EDGE + (n + 0.5) * SQUARE, SIDE * SQUARE + 20, "abc"[n], 13, MUTED, "middle")
    return str(picture)
