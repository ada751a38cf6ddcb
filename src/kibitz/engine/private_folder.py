"""Folders that nobody else can write to: what lies in the cache is loaded as code.

Every folder on the way there belongs to the user or to root, and lets nobody else write, except as /tmp does, where
nobody can rename what others made. So between the check and the use nobody else can exchange anything.
"""

import contextlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

MOST_LINKS = 40  # as Linux follows at most
ROOT = 0
POSIX = os.name == "posix"
NOT_A_LINK, NO_WAITING = getattr(os, "O_NOFOLLOW", 0), getattr(os, "O_NONBLOCK", 0)
LStat = Callable[[Path], os.stat_result]


class UnsafeError(OSError):
    """Somebody else could have written it; `strerror` says why."""

    def __init__(self, why: str) -> None:
        super().__init__(None, why)


def me() -> int:
    return os.geteuid() if POSIX else ROOT


def open_to_others(found: os.stat_result) -> bool:
    """Whether others can write it. A group that the user has alone is nobody else."""
    return bool(found.st_mode & stat.S_IWOTH) or bool(found.st_mode & stat.S_IWGRP and not my_own_group(found.st_gid))


def my_own_group(group: int) -> bool:
    import grp
    import pwd

    with contextlib.suppress(KeyError):
        entry, user = grp.getgrgid(group), pwd.getpwuid(me())
        return group == user.pw_gid and entry.gr_name == user.pw_name and set(entry.gr_mem) <= {user.pw_name}
    return False


def check(what: Path, found: os.stat_result, owners: tuple[int, ...], sticky_is_safe: bool = False) -> None:
    if found.st_uid not in owners:
        raise UnsafeError(f"{what} belongs to another user")
    if stat.S_ISLNK(found.st_mode) or (sticky_is_safe and found.st_mode & stat.S_ISVTX):
        return
    if open_to_others(found):
        raise UnsafeError(f"other users can write to {what}")


def check_folder(folder: Path, lstat: LStat = os.lstat) -> None:
    """Raise an UnsafeError if anybody else could exchange what is in the folder."""
    if not POSIX:
        return  # the folders of a user on Windows are closed to others by the system
    absolute = folder.absolute()
    place, waiting, links = Path(absolute.anchor), list(absolute.parts[1:]), 0
    check(place, lstat(place), (me(), ROOT), sticky_is_safe=True)
    while waiting:
        part = waiting.pop(0)
        below = place.parent if part == os.pardir else place / part
        found = lstat(below)
        check(below, found, (me(), ROOT), sticky_is_safe=bool(waiting))
        if not stat.S_ISLNK(found.st_mode):
            place = below
            continue
        links += 1
        if links > MOST_LINKS:
            raise UnsafeError(f"{folder} leads through too many links")
        target = place / below.readlink()  # which is the target alone if that is absolute
        place, waiting = Path(target.anchor), [*target.parts[1:], *waiting]
    if lstat(place).st_uid != me():
        raise UnsafeError(f"{folder} belongs to another user")


def make_private(folder: Path) -> None:
    """Make a folder, closed to others, with those above it that are missing; one that is there is checked."""
    for each in reversed([folder, *folder.parents]):
        with contextlib.suppress(FileExistsError):
            if not each.exists():
                each.mkdir(mode=0o700)
    if not folder.is_dir():
        raise NotADirectoryError(20, f"{folder} is not a folder")
    check_folder(folder)


def read_private(path: Path) -> bytes:
    """A file of such a folder. What is checked is what was opened: its name may lead elsewhere by now."""
    with os.fdopen(os.open(path, os.O_RDONLY | NOT_A_LINK | NO_WAITING), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise UnsafeError(f"{path} is not a file")
        if POSIX:
            check(path, found, (me(), ROOT))
            os.utime(file.fileno())  # it was used: the oldest are removed first
        return file.read()
