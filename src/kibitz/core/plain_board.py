"""The terminal's board as plain text, for pages of games without a board of their own."""

import io
from typing import Any

from rich.console import Console

PAGE_WIDTH = 100  # columns of the text


def as_text(board: Any) -> str:
    console = Console(file=io.StringIO(), record=True, width=PAGE_WIDTH, color_system=None)
    console.print(board)
    return console.export_text(styles=False)
