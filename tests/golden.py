"""Whole games kept as text, whichever the game: a change of rules or of play shows as a difference.

After a change that is meant, write them again with `KIBITZ_UPDATE_GOLDEN=1 pytest` and the file of the tests.
"""

import os
from pathlib import Path

from kibitz.core.table import Table

UPDATE = os.environ.get("KIBITZ_UPDATE_GOLDEN") == "1"


def game_text(table: Table, title: str, line: str) -> str:
    """A game to its end: a line for every move and its reason, then the verdict."""
    lines = [title]
    for turn in table.steps():
        lines.append(line.format(number=turn.number, text=table.text(turn), reason=turn.decision.reason))
    return "\n".join([*lines, table.game.verdict(table.state)]) + "\n"


def is_as_kept(text: str, path: Path) -> None:
    if UPDATE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.is_file(), "This game was never written down: see the top of this file."
    assert text == path.read_text(encoding="utf-8")
