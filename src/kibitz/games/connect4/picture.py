"""The board of Connect 4 as a picture for notebooks."""

from kibitz.core.svg import INK, MUTED, Picture
from kibitz.games.connect4.board import COLUMNS, ROWS
from kibitz.games.connect4.view import View

SQUARE = 44
STONES = ("#e8edf5", "#e5484d", "#f5c518")
FRAME = "#2b5fad"


def board(view: View) -> str:
    picture = Picture(COLUMNS * SQUARE + 20, ROWS * SQUARE + 44, "Connect 4")
    picture.rect(10, 10, COLUMNS * SQUARE, ROWS * SQUARE, FRAME, radius=8)
    four = set(view.four)
    for row, stones in enumerate(view.grid):
        for column, stone in enumerate(stones):
            x, y = 10 + (column + 0.5) * SQUARE, 10 + (ROWS - row - 0.5) * SQUARE
            picture.circle(x, y, 17, STONES[stone], INK if (row, column) in four else "none")
    for column in range(COLUMNS):
        picture.text(10 + (column + 0.5) * SQUARE, ROWS * SQUARE + 32, str(column + 1), 13, MUTED, "middle")
    return str(picture)
