"""A checkpoint: the results of an unfinished run, in FILE.partial beside the FILE it becomes.

The first line is the plan of the run; the entries follow, as lines or as rows of numbers. An older FILE stays until the
run is finished.
"""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from kibitz.core.whole_files import open_own, whole_file
from kibitz.errors import KibitzError


class Checkpoint:
    """The entries of an unfinished run, which survive the process."""

    def __init__(self, target: Path, plan: Any, others: str, entry: int = 0, together: int = 1) -> None:
        """Resume an earlier run of the same plan, or start a new one.

        `others` names the entries of another plan in the error. `entry` is the size of an entry in bytes, 0 for lines;
        groups of `together` entries are kept or dropped as a whole.
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
        whole = len(body) // (entry * together) * entry * together if entry else whole_lines(body, together)
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
            f"it to start again with the same command."
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

    def finish(self, write: Callable[[Path], object]) -> None:
        """Write the file atomically; after a crash the entries are still there."""
        try:
            with whole_file(self.target) as draft:
                write(draft)
        except OSError as error:
            raise KibitzError(
                f"{self.target} cannot be written: {error.strerror or error}. Nothing is lost: fix the cause, then "
                f"run the same command to resume from {self.path}."
            ) from None
        self.path.unlink()


def plan_in(target: Path) -> Any:
    """The plan in the checkpoint of this file; None if there is none, or it cannot be read."""
    try:
        return json.loads(beside(target).read_bytes().partition(b"\n")[0])
    except (OSError, ValueError):
        return None


def why_not(path: Path, error: OSError) -> str:
    if path.is_symlink():
        return "it is a link, which somebody else may have made. Delete it, or save under another name"
    return error.strerror or str(error)


def beside(target: Path) -> Path:
    return target.with_name(target.name + ".partial")


def whole_lines(body: bytes, together: int) -> int:
    """The size of the finished lines, in groups of `together`."""
    lines = body.splitlines(keepends=True)
    if lines and not lines[-1].endswith(b"\n"):
        lines.pop()
    return sum(map(len, lines[: len(lines) // together * together]))
