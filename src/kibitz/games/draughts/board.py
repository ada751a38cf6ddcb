"""The board for the terminal, with the numbers of the squares beside it."""

from rich.console import Group
from rich.text import Text

from kibitz.games.draughts.squares import IN_ROW, ROWS, column_of
from kibitz.games.draughts.view import View

SIGNS = {"w": ("○", "bold bright_white"), "W": ("◎", "bold bright_white"),
         "b": ("●", "bold bright_red"), "B": ("◉", "bold bright_red")}  # fmt: skip


def board(view: View) -> Group:
    """The board from the viewer's side: Black sees its own pieces at the bottom."""
    turned = view.own_side == "black"
    rows = range(ROWS - 1, -1, -1) if turned else range(ROWS)
    return Group(*(line(view, row, turned) for row in rows), status(view))


def line(view: View, row: int, turned: bool) -> Text:
    pieces, drawn = view.pieces, Text("   ")
    by_column = {column_of(square): square for square in range(row * IN_ROW, (row + 1) * IN_ROW)}
    for column in range(ROWS - 1, -1, -1) if turned else range(ROWS):
        if column not in by_column:
            drawn.append("    ", "on grey93")
            continue
        number = by_column[column] + 1
        sign, style = SIGNS.get(pieces.get(number, ""), ("", ""))
        drawn.append(f" {sign}  " if sign else f" {number:<3}", f"{style or 'grey70'} on grey30")
    numbers = sorted((square + 1 for square in by_column.values()), reverse=turned)
    drawn.append("   " + " ".join(f"{number:>2}" for number in numbers), "dim")
    return drawn


def status(view: View) -> Text:
    men = view.pieces.values()
    sides = [
        f"{sign} {sum(1 for piece in men if piece.lower() == letter)}" for sign, letter in (("○", "w"), ("●", "b"))
    ]
    text = Text("   " + "   ".join(sides))
    text.append(f"   {view.variant}", "dim")
    if view.to_move >= 0:
        text.append(f"   {view.side.capitalize()} to move")
    text.append("   ◎ ◉ are kings" if any(piece.isupper() for piece in men) else "", "dim")
    return text
