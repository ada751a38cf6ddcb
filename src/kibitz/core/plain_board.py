"""The terminal's board as plain text, for pages of games without a board of their own."""

import io
from typing import Any

from rich.console import Console

PAGE_WIDTH = 100  # columns of the text
WIDE = 1000  # columns that no board needs


def as_text(board: Any, width: int = PAGE_WIDTH) -> str:
    console = Console(file=io.StringIO(), record=True, width=width, color_system=None)
    console.print(board)
    return console.export_text(styles=False)


def trimmed(board: Any) -> str:
    """For notebooks and scripts: no line is wrapped, and none ends in spaces."""
    return "\n".join(line.rstrip() for line in as_text(board, WIDE).rstrip().splitlines())
