"""Where files of the user are kept that no command names: compiled code, and the tables of the server.

On Linux these are the folders of the XDG base directories, elsewhere those that the system provides. A folder that an
earlier version used is used on.
"""

import os
from pathlib import Path

from platformdirs import user_cache_path, user_data_path

NAME = "kibitz"


def cache_folder() -> Path:
    """For what can be made again."""
    places = (os.environ.get(name) for name in ("KIBITZ_CACHE", "NUMBA_CACHE_DIR", "XDG_CACHE_HOME"))
    if chosen := next(filter(None, places), None):
        return Path(chosen).expanduser() / NAME
    return earlier_or(".cache", user_cache_path(NAME, appauthor=False))


def data_folder() -> Path:
    """For what must not be lost."""
    if chosen := os.environ.get("XDG_DATA_HOME"):
        return Path(chosen).expanduser() / NAME
    return earlier_or(".local/share", user_data_path(NAME, appauthor=False))


def earlier_or(place: str, usual: Path) -> Path:
    """The folder below the home folder that was used on every system before, if there is one, else the usual one."""
    earlier = Path(os.path.expanduser("~"), place, NAME)  # noqa: PTH111 (without a home folder it does not raise)
    return earlier if earlier.is_dir() else usual
