"""The board drawn for the terminal."""

from rich.text import Text

from kibitz.games.connect4.board import COLUMNS
from kibitz.games.connect4.view import View

STONES = ("·", "●", "○")
STYLES = ("dim", "bold red", "bold yellow")


def board(view: View) -> Text:
    """Columns are numbered; the stones of a line of four, and the last one, stand out."""
    four = set(view.four)
    last = int(view.struct["columns"][view.turn - 1]) if view.turn else -1
    grid, drawn = view.grid, Text()
    last_row = max((row for row in range(len(grid)) if last >= 0 and grid[row][last]), default=-1)
    for row in reversed(range(len(grid))):
        drawn.append(" ")
        for column in range(COLUMNS):
            stone = grid[row][column]
            marked = " reverse" if (row, column) in four or (row, column) == (last_row, last) else ""
            drawn.append(f" {STONES[stone]}", STYLES[stone] + marked)
        drawn.append("\n")
    drawn.append("  " + " ".join(str(column + 1) for column in range(COLUMNS)), "dim")
    return drawn
