"""Files of arrays (`.npz`): read with limits and clear errors, and written atomically."""

import io
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from kibitz.core.whole_files import write_whole
from kibitz.errors import KibitzError
from kibitz.text import error_text

MOST_BYTES = 1 << 30  # unpacked, for files that a run writes itself
MOST_ARRAYS = 10_000
HEADERS = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def damaged(path: Path, error: object, hint: str, wrong: str = "damaged") -> KibitzError:
    return KibitzError(f"{path} is {wrong}: {error}. {hint}".rstrip())


@contextmanager
def file_named(path: Path, wrong: str, hint: str = "") -> Iterator[None]:
    """Name the file in whatever goes wrong while it is read; `wrong` is what it then is, `hint` what to do."""
    try:
        yield
    except KibitzError as error:
        raise KibitzError(f"{path}: {error} {hint}".rstrip()) from None
    except OSError as error:
        raise KibitzError(f"{path} cannot be read: {error.strerror or error}.") from None
    except Exception as error:  # zipfile and zlib have errors of their own
        raise damaged(path, error_text(error), hint, wrong) from None


def read_arrays(path: Path, hint: str, most_bytes: int = MOST_BYTES) -> dict[str, Any]:
    """All arrays of a file; `hint` says what to do if it cannot be read."""
    with file_named(path, "damaged", hint):
        return arrays_in(path, most_bytes)


def arrays_in(path: Path, most_bytes: int = MOST_BYTES) -> dict[str, Any]:
    """All arrays of a file. What they take unpacked is checked before anything is unpacked, as the file declares it."""
    with path.open("rb") as opened, zipfile.ZipFile(opened) as archive:
        members = archive.infolist()
        if len(members) > MOST_ARRAYS:
            raise KibitzError(f"it has {len(members):,} arrays; {MOST_ARRAYS:,} is the most that is read.")
        unpacked = sum(member.file_size for member in members)
        if unpacked > most_bytes:
            raise KibitzError(f"it unpacks to {unpacked:,} bytes; {most_bytes:,} is the most that is read here.")
        return {member.filename.removesuffix(".npy"): array_in(archive, member) for member in members}


def array_in(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Any:
    """An array whose header declares no more than there is: NumPy makes room before it reads."""
    with archive.open(member) as file:
        shape, _, dtype = HEADERS[npy.read_magic(file)](file)
        declared, there = dtype.itemsize, member.file_size
        for length in shape:
            declared *= length
        if min(shape, default=0) < 0 or declared > there:
            raise ValueError(f"{member.filename} declares {declared:,} bytes and has {there:,}")
    with archive.open(member) as file:
        return npy.read_array(file, allow_pickle=False)


def write_arrays(path: Path, otherwise: str = "", small: bool = False, **arrays: Any) -> None:
    """Write a file of arrays, compressed if it is to be small."""
    content = io.BytesIO()
    (np.savez_compressed if small else np.savez)(content, **arrays)
    write_whole(path, content.getvalue(), otherwise)
