"""The board of draughts as a picture for notebooks; dark squares have their numbers."""

from kibitz.core.svg import INK, MUTED, Picture
from kibitz.games.draughts.squares import SQUARES, column_of, row_of
from kibitz.games.draughts.view import View

SQUARE, SIDE = 46, 8
LIGHT, DARK = "#f2e6d0", "#b98b5e"
FILLS = {"w": "#fbf8f0", "b": "#3a3a3a"}


def board(view: View) -> str:
    picture = Picture(SIDE * SQUARE, SIDE * SQUARE + 26, "Draughts")
    picture.rect(0, 0, SIDE * SQUARE, SIDE * SQUARE, LIGHT)
    pieces = view.pieces
    for square in range(SQUARES):
        x, y = int(column_of(square)) * SQUARE, int(row_of(square)) * SQUARE
        picture.rect(x, y, SQUARE, SQUARE, DARK)
        picture.text(x + 3, y + 11, str(square + 1), 9, "#5d3f1f")
        if piece := pieces.get(square + 1):
            picture.circle(x + SQUARE / 2, y + SQUARE / 2, 17, FILLS[piece.lower()], INK)
            if piece.isupper():
                ink = INK if piece == "W" else "#ffffff"
                picture.text(x + SQUARE / 2, y + SQUARE / 2 + 7, "♛", 20, ink, "middle")
    whose = f"{view.side} to move" if view.to_move >= 0 else "the game is over"
    picture.text(6, SIDE * SQUARE + 18, whose, 13, MUTED)
    return str(picture)
