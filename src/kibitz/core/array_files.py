"""Files of arrays that a run keeps: written whole or not at all, and read with a sentence about what is wrong."""

import io
import os
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.errors import KibitzError
from kibitz.core.text import error_text


def damaged(path: Path, error: object, hint: str) -> KibitzError:
    return KibitzError(f"{path} is damaged: {error}. {hint}")


def read_arrays(path: Path, hint: str) -> dict[str, Any]:
    try:
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except OSError as error:
        raise KibitzError(f"{path} cannot be read: {error.strerror or error}.") from None
    except Exception as error:  # zipfile and zlib have errors of their own
        raise damaged(path, error_text(error), hint) from None


def write_arrays(path: Path, otherwise: str, small: bool = False, **arrays: Any) -> None:
    """Write a file of arrays, compressed if it is to be small."""
    content = io.BytesIO()
    (np.savez_compressed if small else np.savez)(content, **arrays)
    write_whole(path, content.getvalue(), otherwise)


def write_whole(path: Path, content: bytes, otherwise: str) -> None:
    """Write a file whole or not at all: the disk may be full, and the process may be killed meanwhile."""
    draft = path.with_name(path.name + ".new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        draft.unlink(missing_ok=True)
        raise KibitzError(f"{path} cannot be written: {error.strerror or error}. {otherwise}") from None
