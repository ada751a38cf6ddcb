"""How Python becomes machine code here: one decorator, and a cache that never serves stale code (see `cache`)."""

import warnings
from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np
from numba.core.errors import NumbaExperimentalFeatureWarning
from numba.core.typeinfer import register_dispatcher

from kibitz.core.cache import DigestCache

Function = TypeVar("Function", bound=Callable[..., Any])

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


def compiled(function: Function, signature: Any = None) -> Function:
    """The function as machine code, or the function itself under NUMBA_DISABLE_JIT=1.

    With a signature it is compiled at once and may sit at a table as a value; without one it is
    compiled for the arguments of its first call.
    """
    if INTERPRETED:
        return function
    dispatcher: Any = numba.njit(nogil=True, error_model="numpy")(function)
    dispatcher._cache = DigestCache(dispatcher)  # as `njit(cache=True)` does with Numba's own
    if signature is not None:
        with register_dispatcher(dispatcher):  # it may call itself, before its name stands for it
            dispatcher.compile(signature)
        dispatcher.disable_compile()
    return dispatcher
