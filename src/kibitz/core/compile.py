"""How Python becomes machine code here: one decorator, and a cache that never serves stale code.

Numba notices when the file of a cached function changes, but not when a function it calls changed
in another file. The cache folder is therefore named after the text of every module that holds
compiled code, here and in packages that add to it, and a change to any of them starts a new one.
"""

import hashlib
import importlib.util
import os
import shutil
import sys
import warnings
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core.errors import NumbaExperimentalFeatureWarning

Function = TypeVar("Function", bound=Callable[..., Any])

PACKAGE = Path(__file__).resolve().parents[1]
# Rooms without compiled code: a change there must not cost anybody a compilation.
ROOMS_NOT_COMPILED = {"arena", "client", "cli", "host", "live", "web"}
CACHES_KEPT = 4  # one for each of the last few versions a developer switches between

# First-class functions carry the mixed table; Numba still calls them experimental.
warnings.filterwarnings("ignore", category=NumbaExperimentalFeatureWarning)

config: Any = numba.config  # its settings are made at run time
INTERPRETED = bool(config.DISABLE_JIT)
# Narrow fields make copies of a state cheap. NumPy's narrow scalars would overflow when interpreted.
SMALL, MEDIUM, WIDE = (np.int64,) * 3 if INTERPRETED else (np.int8, np.int16, np.int32)


def record_dtype(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """The type of a record whose fields compiled functions read as attributes.

    Plain Python reads `record["field"]`, which is faster there; only interpreted runs need NumPy's
    records with attributes, which take long to be handed to machine code.
    """
    dtype = np.dtype(fields, align=True)
    return np.dtype((np.record, dtype)) if INTERPRETED else dtype


def compiled_sources() -> Iterator[Path]:
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).parts[0] not in ROOMS_NOT_COMPILED:
            yield path


def outside_sources() -> Iterator[Path]:
    """The same of other packages that bring games or agents: their rules end up in our loops."""
    entries = [*entry_points(group="kibitz.games"), *entry_points(group="kibitz.agents")]
    for name in sorted({entry.module.partition(".")[0] for entry in entries} - {PACKAGE.name}):
        spec = importlib.util.find_spec(name)
        for folder in spec.submodule_search_locations or () if spec else ():
            yield from sorted(Path(folder).rglob("*.py"))
        if spec and spec.origin and not spec.submodule_search_locations:
            yield Path(spec.origin)


def cache_folder() -> Path:
    text = hashlib.blake2b(f"{numba.__version__} {np.__version__} {sys.version}".encode(), digest_size=8)
    for path in (*compiled_sources(), *outside_sources()):
        text.update(path.read_bytes())
    home = os.environ.get("KIBITZ_CACHE") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(home).expanduser() / "kibitz" / f"compiled-{text.hexdigest()}"


def use_cache(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        folder.touch()
        caches = sorted(folder.parent.glob("compiled-*"), key=lambda path: path.stat().st_mtime)
        for old in caches[:-CACHES_KEPT]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return  # no place to write: Numba falls back to its own choice, and only speed is lost
    config.CACHE_DIR = str(folder)


if not INTERPRETED and not os.environ.get("NUMBA_CACHE_DIR"):
    use_cache(cache_folder())


def compiled(function: Function, signature: Any = None) -> Function:
    """The function as machine code, or the function itself under NUMBA_DISABLE_JIT=1.

    With a signature it is compiled at once and may sit at a table as a value; without one it is
    compiled for the arguments of its first call.
    """
    compiler: Any = numba.njit(signature, cache=True, nogil=True, error_model="numpy")
    done: Function = compiler(function)
    return done
