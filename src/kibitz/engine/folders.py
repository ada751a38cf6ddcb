"""The folders for the compiled-code cache and for the server's data.

On Linux they follow the XDG base directories, elsewhere the system's conventions. A folder of an earlier version stays
in use.
"""

import atexit
import os
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

from kibitz.engine.private_folder import UnsafeError, make_private

NAME = "kibitz"


def cache_folder() -> Path:
    """The cache folder. Other users may be able to write to it: use `private_folder` for what must be trusted."""
    places = (os.environ.get(name) for name in ("KIBITZ_CACHE", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"))
    if chosen := next(filter(None, places), None):
        return Path(chosen).expanduser() / NAME
    return usual_cache_folder()


def usual_cache_folder() -> Path:
    return earlier_or(".cache", user_cache_path(NAME, appauthor=False))


def private_folder(name: str) -> Path:
    """A folder of the cache that no other user can write to.

    If the cache folder is unsafe, this process and its children use a private folder instead.
    """
    return checked_folder(cache_folder(), name)


@cache
def checked_folder(place: Path, name: str) -> Path:
    """The folder; an OSError if it cannot be created."""
    try:
        make_private(place)
        make_private(place / name)
        return place / name
    except UnsafeError as error:
        refused = error.strerror
    other = own_place(place)
    print(
        f"The cache folder {place} is not used: {refused}. Using {other} instead; set KIBITZ_CACHE to choose another.",
        file=sys.stderr,
    )
    os.environ["KIBITZ_CACHE"] = str(other.parent)
    make_private(other / name)
    return other / name


def own_place(refused: Path) -> Path:
    """The user's default folder, or a temporary one that is removed with the process."""
    usual = usual_cache_folder()
    try:
        if usual != refused:
            make_private(usual)
            return usual
    except OSError:
        pass
    made = Path(tempfile.mkdtemp(prefix="kibitz-")) / NAME
    atexit.register(remove_own, made.parent, os.getpid())
    make_private(made)
    return made


def remove_own(folder: Path, process: int) -> None:
    if os.getpid() == process:  # not a fork
        shutil.rmtree(folder, ignore_errors=True)


def data_folder() -> Path:
    """The folder for data that must not be lost."""
    if chosen := os.environ.get("XDG_DATA_HOME"):
        return Path(chosen).expanduser() / NAME
    return earlier_or(".local/share", user_data_path(NAME, appauthor=False))


def earlier_or(place: str, usual: Path) -> Path:
    """The folder in the home folder that earlier versions used on every system, if it exists; otherwise the usual
    one.
    """
    earlier = Path(os.path.expanduser("~"), place, NAME)  # noqa: PTH111 (without a home folder it does not raise)
    return earlier if earlier.is_dir() else usual
