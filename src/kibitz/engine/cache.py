"""Machine code on disk: one file per function and argument types, named by the digest of its sources.

The name includes everything the function depends on, so a file is either right or not found, and nothing is ever
invalidated. When the cache grows too large, the least recently used files are removed.
"""

import contextlib
import errno
import functools
import logging
import os
import pickle
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba

from kibitz.engine import dependencies
from kibitz.engine.folders import private_folder
from kibitz.engine.numba_internals import NumbaCache, dumps, import_scipy_when_needed, parts_of, sigutils
from kibitz.engine.private_folder import make_private, read_private
from kibitz.text import error_text

log = logging.getLogger(__name__)
config: Any = numba.config  # its attributes exist only at run time
types: Any = numba.types  # its attributes are invisible to a type checker

MOST_BYTES = 256 << 20  # all compiled code takes about 60 MB: room for the versions that a developer switches between
ADDRESS = " at 0x"  # in the name of a type: it contains a function, which is a different one in every process
# Named tuples of the main script are pickled by value. Loading one creates a different class of the same name, so every
# call would load it again.
SCRIPT = "__main__."
ABANDONED = 3600  # seconds after which an unfinished file no longer belongs to a running process
NAME_LENGTH = 80
NO_DESCRIPTOR = (errno.EMFILE, errno.ENFILE)
PATIENCE, POLL = 20.0, 0.05  # seconds


class DigestCache(NumbaCache):
    """The cache of one compiled function, with the interface of Numba's caches."""

    def __init__(self, dispatcher: Any, way_of_compiling: str, rebuild: Any) -> None:
        self.dispatcher = dispatcher
        self.rebuild = rebuild
        self.way_of_compiling = way_of_compiling  # another compiler makes other machine code
        try:
            self.folder: Path | None = private_folder("compiled")
        except OSError as error:
            self.folder = None
            note(f"Compiled code is not cached: {error.strerror or error}.")
        self.enabled = True

    @property
    def cache_path(self) -> str:
        return str(self.folder)

    def enable(self) -> None:
        self.enabled = True

    def disable(self) -> None:
        self.enabled = False

    def flush(self) -> None:
        """No entry is ever out of date."""

    def path(self, signature: Any, codegen: Any) -> Path | None:
        """The file of the function for a signature; None if another process could not use it."""
        function = self.dispatcher.py_func
        text = signature_text(signature)
        if self.folder is None or not self.enabled or ADDRESS in text or SCRIPT in text:
            return None
        options = f"{self.dispatcher.targetoptions} {config.BOUNDSCHECK} {config.OPT} {self.way_of_compiling}"
        digest = dependencies.digest(function, f"{text} {codegen.magic_tuple()} {options}")
        if function.__closure__:
            # Numba numbers functions of the same name within a process, and the linker treats equal names and numbers
            # as the same function. So two functions of one factory, each cached by a different process, would become
            # one.
            function.__qualname__ = f"{function.__code__.co_qualname}.{digest}"
        name = f"{function.__module__}.{function.__name__}"[-NAME_LENGTH:]
        return self.folder / f"{name}-{digest}.nbc"

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        import_scipy_when_needed()
        target_context.refresh()  # registers new overloads, as Numba's own cache does
        path = self.path(sig, target_context.codegen())
        if path is None:
            return None
        try:
            return self.rebuild(target_context, *pickle.loads(read(path)))
        except FileNotFoundError:
            return None
        except Exception as error:  # damaged in any way: it is compiled and written again
            note(f"{path} cannot be loaded and is compiled again: {error_text(error)}")
            return None

    def save_overload(self, sig: Any, cres: Any) -> None:
        path = self.path(sig, cres.codegen)
        parts = parts_of(cres)
        if path is None or parts is None:
            return
        with contextlib.suppress(OSError):  # failing to write costs only speed
            remove_oldest(path.parent)
            write(path, dumps(parts))


NOTED: list[str] = []


def note(problem: str) -> None:
    """Log the first problem of a process as a warning; later ones usually repeat it for hundreds of files."""
    log.log(logging.DEBUG if NOTED else logging.WARNING, "%s", problem)
    NOTED.append(problem)


def signature_text(signature: Any) -> str:
    arguments, returns = sigutils.normalize_signature(signature)
    return " ".join([*map(str, arguments), f"-> {returns}", *named_tuples(arguments)])


def named_tuples(arguments: Any) -> Iterator[str]:
    """The fields of named tuples; the name of their type has only their number."""
    for each in arguments:
        if isinstance(each, types.BaseTuple):
            yield from named_tuples(each)
        if isinstance(each, types.BaseNamedTuple):
            yield f"{dependencies.identity(each.instance_class)} {each.fields}"


def read(path: Path) -> bytes:
    """Read a cache file. A process without free file descriptors waits for one, because compiling would take longer."""
    for _ in range(int(PATIENCE / POLL)):
        try:
            return read_private(path)
        except OSError as error:
            if error.errno not in NO_DESCRIPTOR:
                raise
            time.sleep(POLL)
    return read_private(path)


def write(path: Path, content: bytes) -> None:
    """Write a file atomically."""
    if not path.parent.is_dir():
        make_private(path.parent)
    unfinished = path.with_name(f"{uuid.uuid4().hex}.tmp")
    try:
        with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


@functools.cache
def remove_oldest(folder: Path) -> None:
    """Remove the least recently used files beyond MOST_BYTES, once per compiling process."""
    room, now = MOST_BYTES, time.time()
    with contextlib.suppress(OSError):
        files = [(entry.stat(), Path(entry.path)) for entry in os.scandir(folder)]
        for file, path in sorted(files, key=lambda each: -each[0].st_mtime):
            room -= file.st_size
            unfinished = path.suffix == ".tmp"
            if now - file.st_mtime > ABANDONED if unfinished else room < 0:
                path.unlink(missing_ok=True)
