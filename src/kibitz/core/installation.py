"""The installation: versions, the cache, how functions are compiled, and missing extras."""

import os
import platform
import shutil
import webbrowser
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from kibitz import __version__
from kibitz.engine.folders import cache_folder, data_folder
from kibitz.engine.private_folder import check_folder
from kibitz.extras import EXTRAS
from kibitz.text import error_text

LIBRARIES = ("numba", "llvmlite", "numpy", "scipy", "msgspec", "polars", "matplotlib", "optuna", "starlette", "uvicorn")


def installation() -> dict[str, Any]:
    """The installation as JSON."""
    return {
        "version": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "libraries": {name: installed(name) for name in LIBRARIES},
        "cache": cache(),
        "data": str(data_folder()),
        "compiling": compiling(),
        "extras": {name: {"missing": extra.missing, "for": extra.purpose} for name, extra in EXTRAS.items()},
        "browser": browser(),
    }


def compiling() -> dict[str, Any]:
    try:
        from kibitz.engine.compile import INTERPRETED
        from kibitz.engine.fast_path import WHY_PLAIN
    except Exception as error:  # a version of NumPy that Numba refuses, a broken library
        return {"fast": False, "why_not": f"numba cannot be loaded: {error_text(error)}"}
    interpreted = "NUMBA_DISABLE_JIT is set, so nothing is compiled" if INTERPRETED else ""
    return {"fast": not WHY_PLAIN and not INTERPRETED, "why_not": interpreted or WHY_PLAIN}


def installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def cache() -> dict[str, Any]:
    """The cache folder, its size, and why it is not used, if so. Creates nothing."""
    folder = cache_folder()
    problem = ""
    try:
        check_folder(folder)
    except FileNotFoundError:
        pass  # created on first use
    except OSError as error:
        problem = error.strerror or str(error)
    sizes = list(file_sizes(folder))
    return {"folder": str(folder), "files": len(sizes), "bytes": sum(sizes), "problem": problem}


def file_sizes(folder: Path) -> Iterator[int]:
    for place, _, names in os.walk(folder):
        for name in names:
            try:
                yield Path(place, name).lstat().st_size
            except OSError:
                continue  # another process removed it


def browser() -> str | None:
    """The browser that `kibitz serve` opens."""
    try:
        found = webbrowser.get()
    except webbrowser.Error:
        return None
    name = getattr(found, "name", "") or type(found).__name__
    return shutil.which(name) or str(name)
