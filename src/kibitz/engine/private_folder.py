"""Folders that no other user can write to, because cached files are loaded as code.

Every folder on the path belongs to the user or to root and is writable only by its owner, except sticky folders such as
/tmp, in which users cannot rename each other's files. So nothing can be exchanged between the check and the use.
"""

import contextlib
import os
import stat
from collections.abc import Callable
from pathlib import Path

MOST_LINKS = 40  # the limit of Linux
ROOT = 0
POSIX = os.name == "posix"
NOT_A_LINK, NO_WAITING = getattr(os, "O_NOFOLLOW", 0), getattr(os, "O_NONBLOCK", 0)
LStat = Callable[[Path], os.stat_result]


class UnsafeError(OSError):
    """Another user could have written it; `strerror` says why."""

    def __init__(self, why: str) -> None:
        super().__init__(None, why)


def me() -> int:
    return os.geteuid() if POSIX else ROOT


def open_to_others(found: os.stat_result) -> bool:
    """Whether other users can write it. A group whose only member is this user does not count."""
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
    """Raise an UnsafeError if another user could exchange what is in the folder."""
    if not POSIX:
        return  # on Windows, the system protects the folders of a user
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
        target = place / below.readlink()  # if the target is absolute, `place` is dropped
        place, waiting = Path(target.anchor), [*target.parts[1:], *waiting]
    if lstat(place).st_uid != me():
        raise UnsafeError(f"{folder} belongs to another user")


def make_private(folder: Path) -> None:
    """Create a folder and its missing parents, closed to other users; check one that exists."""
    for each in reversed([folder, *folder.parents]):
        with contextlib.suppress(FileExistsError):
            if not each.exists():
                each.mkdir(mode=0o700)
    if not folder.is_dir():
        raise NotADirectoryError(20, f"{folder} is not a folder")
    check_folder(folder)


def read_private(path: Path) -> bytes:
    """Read a file of a private folder. The opened file is checked, because its name may lead elsewhere by now."""
    with os.fdopen(os.open(path, os.O_RDONLY | NOT_A_LINK | NO_WAITING), "rb") as file:
        found = os.fstat(file.fileno())
        if not stat.S_ISREG(found.st_mode):
            raise UnsafeError(f"{path} is not a file")
        if POSIX:
            check(path, found, (me(), ROOT))
            os.utime(file.fileno())  # marks the file as used: the least recently used files are removed first
        return file.read()
