"""A chess board as a picture for notebooks, with the pieces that a view shows."""

from collections.abc import Mapping

from kibitz.core.svg import INK, MUTED, Picture, lines
from kibitz.games.chess.fen import FILES

SQUARE, SIDE, EDGE = 46, 8, 22
LIGHT, DARK = "#f0ead6", "#a9b7c6"
GLYPHS = dict(zip("kqrbnp", "♚♛♜♝♞♟", strict=True))
BELOW = 18  # the height of a line below the board


def board(squares: Mapping[int, str], below: str = "", title: str = "Chess") -> str:
    """The pieces by square, upper case for White, and lines of text below the board."""
    texts = [text for text in below.splitlines() if text]
    size = SIDE * SQUARE
    widest = max([size + EDGE + 4, *(7.2 * len(text) + 30 for text in texts)])
    picture = Picture(widest, size + EDGE + 14 + BELOW * len(texts), title)
    for square in range(SIDE * SIDE):
        rank, file = divmod(square, SIDE)
        x, y = EDGE + file * SQUARE, (SIDE - 1 - rank) * SQUARE
        picture.rect(x, y, SQUARE, SQUARE, LIGHT if (rank + file) % 2 else DARK)
        if letter := squares.get(square, ""):
            white = letter.isupper()
            glyph = GLYPHS[letter.lower()]
            if white:  # a filled piece with an outline reads well on both kinds of squares
                picture.text(x + SQUARE / 2, y + 36, glyph, 37, INK, "middle")
            picture.text(x + SQUARE / 2, y + 35, glyph, 33, "#ffffff" if white else INK, "middle")
    for n in range(SIDE):
        picture.text(EDGE / 2, (SIDE - n - 0.5) * SQUARE + 5, str(n + 1), 12, MUTED, "middle")
        picture.text(EDGE + (n + 0.5) * SQUARE, size + 16, FILES[n], 12, MUTED, "middle")
    lines(picture, EDGE, size + EDGE + 16, texts)
    return str(picture)
