"""An append-only file that survives a kill: a header, then entries, which are lines or rows of numbers.

An entry that was cut off is dropped when the file is opened again.
"""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from kibitz.core.whole_files import open_own
from kibitz.errors import KibitzError


class Journal:
    """Entries that survive the process."""

    def __init__(self, path: Path, header: Any, others: str, entry: int = 0, together: int = 1) -> None:
        """Continue the file if it has the same header, or start a new one.

        `others` names the entries of another header in the error. `entry` is the size of an entry in bytes, 0 for
        lines; groups of `together` entries are kept or dropped as a whole.
        """
        self.path, self.entry, self.together = path, entry, together
        self.header = json.dumps(header, sort_keys=True).encode() + b"\n"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._resume(others)
        except OSError as error:
            raise KibitzError(f"{self.path} cannot be written: {why_not(self.path, error)}.") from None

    def _resume(self, others: str) -> None:
        """Cut off an unfinished entry."""
        with open_own(self.path, os.O_CREAT) as file:
            kept = file.read()
        begins, newline, body = kept.partition(b"\n")
        if not newline:
            with open_own(self.path, os.O_TRUNC) as file:
                file.write(self.header)
            return
        if begins + newline != self.header:
            raise KibitzError(
                f"{self.path} holds {others}. Finish that run with its own command, delete the file, or save "
                f"this run under another name."
            )
        group = self.entry * self.together
        whole = len(body) // group * group if group else whole_lines(body, self.together)
        with open_own(self.path) as file:
            file.truncate(len(self.header) + whole)

    def add(self, entries: bytes) -> None:
        try:
            with open_own(self.path, os.O_APPEND) as file:
                file.write(entries)
        except OSError as error:
            raise KibitzError(
                f"{self.path} cannot be written: {why_not(self.path, error)}. Its contents are kept: fix the "
                f"cause, then run the same command to resume."
            ) from None

    def damaged(self, entry: int, why: object) -> KibitzError:
        """The error for entry number `entry`, from 0, that cannot be read."""
        return KibitzError(
            f"{self.path} is damaged: entry {entry + 1} cannot be read ({why}). Restore a copy of the file, or delete "
            f"it to play its games again with the same command."
        )

    def entries(self) -> bytes:
        with self._after_the_header() as file:
            return file.read()

    def lines(self) -> Iterator[bytes]:
        """The entries one by one, if they are lines; they need not fit in memory."""
        with self._after_the_header() as file:
            yield from file

    def _after_the_header(self) -> BinaryIO:
        file = self.path.open("rb")
        file.seek(len(self.header))
        return file


def header_of(path: Path) -> Any:
    """The header of a journal; None if there is none, or it cannot be read."""
    try:
        return json.loads(path.read_bytes().partition(b"\n")[0])
    except (OSError, ValueError, RecursionError):
        return None


def why_not(path: Path, error: OSError) -> str:
    if path.is_symlink():
        return "it is a link, which somebody else may have made. Delete it, or save under another name"
    return error.strerror or str(error)


def whole_lines(body: bytes, together: int) -> int:
    """The size of the finished lines, in groups of `together`."""
    lines = body.splitlines(keepends=True)
    if lines and not lines[-1].endswith(b"\n"):
        lines.pop()
    return sum(map(len, lines[: len(lines) // together * together]))
