"""A chess board for the terminal."""

from rich.text import Text

from kibitz.games.chess.fen import FILES

LIGHT, DARK, MARKED = "on grey46", "on grey30", "on dark_goldenrod"


def render_board(squares: dict[int, str], below: str = "", marked: frozenset[int] = frozenset()) -> Text:
    """The board in letters, upper case for White; marked squares are visible without colours, too."""
    text = Text()
    for rank in reversed(range(8)):
        text.append(f"{rank + 1} ")
        for file in range(8):
            square = 8 * rank + file
            letter = squares.get(square, "")
            shade = MARKED if square in marked else LIGHT if (rank + file) % 2 else DARK
            colour = "bold white" if letter.isupper() else "bold black"
            shown = f" {letter or ' '} " if square not in marked else f"({letter})" if letter else " · "
            text.append(shown, f"{colour} {shade}")
        text.append("\n")
    text.append("   " + "  ".join(FILES))
    if below:
        text.append(f"\n{below}")
    return text
