"""A checkpoint: what a run has done so far, in a file beside the one it is to become. A killed run resumes there.

FILE.partial begins with a line that says what is played. Behind it stand the entries, each whole: lines,
or rows of numbers. An older FILE stays until the end.
"""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from kibitz.core.whole_files import open_own, whole_file
from kibitz.errors import KibitzError


class Checkpoint:
    """The entries of an unfinished run, appended as they come and kept if the process dies."""

    def __init__(self, target: Path, plan: Any, others: str, entry: int = 0, together: int = 1) -> None:
        """Find what an earlier run of the same plan left, or begin anew.

        `others` is what the entries of another plan are called. An entry is so many bytes, or a line if it is 0.
        So many entries belong together, and are kept only together.
        """
        self.target = target
        self.path = beside(target)
        self.header = json.dumps(plan, sort_keys=True).encode() + b"\n"
        if target.is_dir():
            raise KibitzError(f"{target} is a folder. Name a file in it.")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            self._resume(others, entry, together)
        except OSError as error:
            raise KibitzError(f"{self.path} cannot be written: {why_not(self.path, error)}.") from None

    def _resume(self, others: str, entry: int, together: int) -> None:
        """An entry that was never finished is cut off."""
        with open_own(self.path, os.O_CREAT) as file:
            kept = file.read()
        begins, newline, body = kept.partition(b"\n")
        if not newline:
            with open_own(self.path, os.O_TRUNC) as file:
                file.write(self.header)
            return
        if begins + newline != self.header:
            raise KibitzError(
                f"{self.path} holds {others}. Finish that with the same command, delete the file, or save "
                f"this under another name."
            )
        whole = len(body) // (entry * together) * entry * together if entry else whole_lines(body, together)
        with open_own(self.path) as file:
            file.truncate(len(self.header) + whole)

    def add(self, entries: bytes) -> None:
        try:
            with open_own(self.path, os.O_APPEND) as file:
                file.write(entries)
        except OSError as error:
            raise KibitzError(
                f"{self.path} cannot be written: {why_not(self.path, error)}. What it holds is kept: when that is put "
                f"right, the same command goes on from there."
            ) from None

    def damaged(self, entry: int, why: object) -> KibitzError:
        """What to do about an entry, from 0, that is not what was written."""
        return KibitzError(
            f"{self.path} is damaged: entry {entry + 1} cannot be read ({why}). Put back a copy of the file, or delete "
            f"it, and the same command begins anew."
        )

    def entries(self) -> bytes:
        with self._after_the_header() as file:
            return file.read()

    def lines(self) -> Iterator[bytes]:
        """The entries one by one, if they are lines; there may be more than memory holds."""
        with self._after_the_header() as file:
            yield from file

    def _after_the_header(self) -> BinaryIO:
        file = self.path.open("rb")
        file.seek(len(self.header))
        return file

    def finish(self, write: Callable[[Path], object]) -> None:
        """Write the file itself; a crash leaves the old one or the new one, and the entries in any case."""
        try:
            with whole_file(self.target) as draft:
                write(draft)
        except OSError as error:
            raise KibitzError(
                f"{self.target} cannot be written: {error.strerror or error}. Nothing is lost: the same command "
                f"goes on from {self.path}."
            ) from None
        self.path.unlink()


def plan_in(target: Path) -> Any:
    """What an earlier run that is to become this file was to play; None if there is none, or it cannot be read."""
    try:
        return json.loads(beside(target).read_bytes().partition(b"\n")[0])
    except (OSError, ValueError):
        return None


def why_not(path: Path, error: OSError) -> str:
    if path.is_symlink():
        return "it is a link, and somebody else may have made it. Delete it, or save under another name"
    return error.strerror or str(error)


def beside(target: Path) -> Path:
    return target.with_name(target.name + ".partial")


def whole_lines(body: bytes, together: int) -> int:
    """How many bytes the finished lines take, in groups of so many."""
    lines = body.splitlines(keepends=True)
    if lines and not lines[-1].endswith(b"\n"):
        lines.pop()
    return sum(map(len, lines[: len(lines) // together * together]))
