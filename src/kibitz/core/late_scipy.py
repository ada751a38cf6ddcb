"""Numba without scipy in every process: it takes a tenth of a short command, and only matrix products need it."""

import importlib
import importlib.util
from functools import cache
from typing import Any


@cache
def import_scipy_when_needed() -> None:
    """Call it before Numba compiles or loads its first function.

    Numba then imports `numba.np.arraymath`, which imports scipy only to find out whether there is a BLAS. That is
    answered here without importing it. Compiled code that multiplies matrices still asks for scipy when it is compiled.
    """
    if importlib.util.find_spec("scipy") is None:
        return
    linalg: Any = importlib.import_module("numba.np.linalg")
    ensure_blas, linalg.ensure_blas = linalg.ensure_blas, lambda: None
    try:
        importlib.import_module("numba.np.arraymath")
    finally:
        linalg.ensure_blas = ensure_blas
