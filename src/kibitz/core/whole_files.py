"""Write files atomically, even if the disk is full or the process is killed.

A draft is written beside the file, synced, and renamed. A link in place of the file or the draft is replaced, not
followed, because in a shared folder another user may have planted it.
"""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from kibitz.errors import KibitzError

NOT_A_LINK, NO_WAITING = getattr(os, "O_NOFOLLOW", 0), getattr(os, "O_NONBLOCK", 0)
BINARY = getattr(os, "O_BINARY", 0)
DRAFT = ".new"
SPECIAL = tuple(map(Path, ("/dev", "/dev/fd", "/proc/self/fd")))  # `--output /dev/stdout`


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """An empty draft to write to. It becomes the file at the end, and is removed after an error."""
    if is_special(path):
        yield path
        return
    draft = path.with_name(path.name + DRAFT)
    draft.unlink(missing_ok=True)  # left by a killed process, or a planted link
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | NOT_A_LINK | BINARY
    try:
        with os.fdopen(os.open(draft, flags, 0o666), "r+b") as file:
            yield draft
            os.fsync(file.fileno())
            if not os.path.samestat(os.fstat(file.fileno()), draft.lstat()):
                raise OSError(None, "another process writes it, too")
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync_folder(path.parent)


def is_special(path: Path) -> bool:
    """Whether it is a device or a pipe, which must be written directly."""
    if path.absolute().parent in SPECIAL:
        return True
    try:
        mode = path.lstat().st_mode
    except OSError:
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


def sync_folder(folder: Path) -> None:
    """Sync a folder's entries to the disk, where the system allows it."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def write_whole(path: Path, content: bytes | str, otherwise: str = "", folders: bool = True) -> None:
    """Write a file atomically and create missing folders; `otherwise` is advice in the error message."""
    try:
        if folders:
            path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as draft, draft.open("wb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        hint = f" {otherwise}" if otherwise else ""
        raise KibitzError(f"{path} cannot be written: {error.strerror or error}.{hint}") from None


def open_own(path: Path, flags: int = 0, buffering: int = -1) -> BinaryIO:
    """A file to read and write that is neither a link nor anything else, such as a pipe."""
    descriptor = os.open(path, os.O_RDWR | flags | NOT_A_LINK | NO_WAITING | BINARY, 0o666)
    file: BinaryIO = os.fdopen(descriptor, "r+b", buffering)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(None, "it is not a file")
    return file


def read_small(path: Path, most: int) -> bytes:
    """The contents of a file that may come from somebody else: not of a pipe, which would be waited for."""
    with os.fdopen(os.open(path, os.O_RDONLY | NO_WAITING | BINARY), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise OSError(None, "it is not a file")
        if found.st_size > most:
            raise OSError(None, f"it has {found.st_size:,} bytes; {most:,} is the most that is read")
        return file.read()
