"""The replacement for `numba_internals` on untested versions of Numba: public parts of Numba only.

Numba's own cache only notices changes of the file that contains a function. So each version of the sources gets a cache
folder of its own, and functions made by factories are not cached, because Numba confuses them with each other.
"""

import importlib.util
import os
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from functools import cache
from hashlib import blake2b
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numba
import numpy as np

from kibitz.engine.fast_path import WHY_PLAIN
from kibitz.engine.folders import private_folder

Function = Callable[..., Any]
OPTIONS: Any = {"nogil": True, "error_model": "numpy"}
FOLDER, ABANDONED = "plain-", 30 * 24 * 3600  # seconds after which folders of other versions are removed
config: Any = numba.config  # its attributes exist only at run time


def compiled(function: Function, signature: Any = None) -> Any:
    """The function as machine code, compiled immediately if there is a signature."""
    prepare()
    options = OPTIONS | {"cache": is_cacheable(function)}
    return numba.njit(function, **options) if signature is None else numba.njit(signature, **options)(function)


def is_cacheable(function: Function) -> bool:
    code = function.__code__
    in_a_module = code.co_qualname == code.co_name and not function.__closure__
    return in_a_module and function.__module__ in sys.modules and Path(code.co_filename).is_file()


@cache
def address_of(dispatcher: Any) -> int:
    """The address of a function compiled for one signature, taken as Numba does for functions in arguments."""
    [arguments] = dispatcher.signatures
    made = dispatcher.get_compile_result(dispatcher.overloads[arguments].signature)
    return int(made.library.get_pointer_to_function(made.fndesc.llvm_func_name))


class Listener:
    """Receives no events: the compiler's events are private to Numba."""


def listen(kind: str, listener: Any) -> None: ...


def stop_listening(kind: str, listener: Any) -> None: ...


@cache
def prepare() -> None:
    """Choose the cache folder, and print once why compiling is slow."""
    folder = private_folder(f"{FOLDER}{sources_digest()}")
    config.CACHE_DIR = str(folder)
    os.utime(folder)
    for other in folder.parent.glob(f"{FOLDER}*"):
        if other.stat().st_mtime < time.time() - ABANDONED:
            shutil.rmtree(other, ignore_errors=True)
    if os.environ.get("KIBITZ_PLAIN_NOTED") != WHY_PLAIN:
        os.environ["KIBITZ_PLAIN_NOTED"] = WHY_PLAIN  # printed once, by this process or one of its children
        print(f"Compiling takes longer than usual: {WHY_PLAIN}.", file=sys.stderr)


@cache
def sources_digest() -> str:
    """A digest of the sources of kibitz and of all installed packages with games or agents."""
    text = blake2b(f"{sys.version} {numba.__version__} {np.__version__}".encode(), digest_size=8)
    for package in sorted({"kibitz", *packages()}):
        for file in package_files(package):
            found = file.stat()
            text.update(f"{file} {found.st_size} {found.st_mtime_ns}\n".encode(errors="surrogatepass"))
    return text.hexdigest()


def packages() -> Iterator[str]:
    for group in ("kibitz.games", "kibitz.agents"):
        yield from (entry.module.partition(".")[0] for entry in entry_points(group=group))


def package_files(package: str) -> list[Path]:
    found = importlib.util.find_spec(package)
    if found is None:
        return []
    folders = [Path(place) for place in found.submodule_search_locations or ()]
    files = [file for folder in folders for pattern in ("*.py", "*.npz", "*.toml") for file in folder.rglob(pattern)]
    return sorted(files or [Path(found.origin)] if found.origin else files)
