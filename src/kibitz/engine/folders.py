"""Where files of the user are kept that no command names: compiled code, and the tables of the server.

On Linux these are the folders of the XDG base directories, elsewhere those that the system provides. A folder that an
earlier version used is used on.
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
    """For what can be made again. Others may be able to write there: what is used is what `private_folder` gives."""
    places = (os.environ.get(name) for name in ("KIBITZ_CACHE", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"))
    if chosen := next(filter(None, places), None):
        return Path(chosen).expanduser() / NAME
    return usual_cache_folder()


def usual_cache_folder() -> Path:
    return earlier_or(".cache", user_cache_path(NAME, appauthor=False))


def private_folder(name: str) -> Path:
    """A folder of the cache that nobody else can write to.

    If the cache folder is not safe, one of the user's own takes its place, for this process and its children.
    """
    return checked_folder(cache_folder(), name)


@cache
def checked_folder(place: Path, name: str) -> Path:
    """Raises an OSError if it cannot be made."""
    try:
        make_private(place)
        make_private(place / name)
        return place / name
    except UnsafeError as error:
        refused = error.strerror
    other = own_place(place)
    print(
        f"The cache folder {place} is not used: {refused}. {other} is used instead; KIBITZ_CACHE names another place.",
        file=sys.stderr,
    )
    os.environ["KIBITZ_CACHE"] = str(other.parent)
    make_private(other / name)
    return other / name


def own_place(refused: Path) -> Path:
    """The usual folder of the user, or one that goes with the process."""
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
    if os.getpid() == process:  # and not a fork of it
        shutil.rmtree(folder, ignore_errors=True)


def data_folder() -> Path:
    """For what must not be lost."""
    if chosen := os.environ.get("XDG_DATA_HOME"):
        return Path(chosen).expanduser() / NAME
    return earlier_or(".local/share", user_data_path(NAME, appauthor=False))


def earlier_or(place: str, usual: Path) -> Path:
    """The folder below the home folder that was used on every system before, if there is one, else the usual one."""
    earlier = Path(os.path.expanduser("~"), place, NAME)  # noqa: PTH111 (without a home folder it does not raise)
    return earlier if earlier.is_dir() else usual
