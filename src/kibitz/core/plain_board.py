"""A board for the terminal as plain text, for pages of games that have no board of their own there."""

import io
from typing import Any

from rich.console import Console

PAGE_WIDTH = 100  # letters across a board that is drawn as text


def as_text(board: Any) -> str:
    console = Console(file=io.StringIO(), record=True, width=PAGE_WIDTH, color_system=None)
    console.print(board)
    return console.export_text(styles=False)
