"""Compile Python to machine code: one decorator, with a cache that never serves stale code (see `cache`)."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import numba
import numpy as np

from kibitz.engine import dependencies
from kibitz.engine.fast_path import WHY_PLAIN

Function = TypeVar("Function", bound=Callable[..., Any])

config: Any = numba.config  # its attributes exist only at run time
INTERPRETED = bool(config.DISABLE_JIT)
types: Any = numba.types
NARROW = (types.int8, types.int16, types.int32)
# Narrow fields make states cheap to copy. When interpreted, NumPy's narrow scalars would overflow.
SMALL, MEDIUM, WIDE = (np.int64,) * 3 if INTERPRETED else (np.int8, np.int16, np.int32)


def struct_dtype(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """A struct type whose fields compiled functions read as attributes.

    Plain Python reads `struct["field"]`, which is faster there. Only interpreted runs need `np.record`, which has
    attributes but is slow to pass to machine code.
    """
    dtype = np.dtype(fields, align=True)
    return np.dtype((np.record, dtype)) if INTERPRETED else dtype


def widened(kind: Any) -> Any:
    """The type that an argument is passed as: 64 bits for signed integers and for integer constants."""
    if isinstance(kind, types.IntegerLiteral) or kind in NARROW:
        return types.int64
    return kind


def widen_arguments(dispatcher: Any) -> None:
    """Compile a function once for integers of any width and for constants, when compiled code calls it.

    Numba would compile a copy for each of them. The callee is usually inlined anyway, including constants.
    """
    specialise = dispatcher.get_call_template

    def specialise_for_wide(arguments: Any, keywords: Any) -> Any:
        wide = tuple(map(widened, arguments))
        return specialise(wide, {name: widened(kind) for name, kind in keywords.items()})

    dispatcher.get_call_template = specialise_for_wide


__all__ = ["Listener", "listen", "stop_listening"]

if TYPE_CHECKING or not WHY_PLAIN:
    from kibitz.engine import numba_internals as internals
    from kibitz.engine.cache import DigestCache
    from kibitz.engine.numba_internals import Listener, listen, stop_listening

    LINK_ONLY: Any = {"pipeline_class": internals.InnerCompiler}  # options for functions that only compiled code calls
    function_address = internals.address_of

    def dispatcher_of(function: Any, compiler: type, rebuild: Any) -> Any:
        dispatcher: Any = numba.njit(nogil=True, error_model="numpy", pipeline_class=compiler)(function)
        way = f"{compiler.__name__} {dependencies.digest(widen_arguments, '')}"
        internals.keep_in(DigestCache(dispatcher, way, rebuild), dispatcher)
        return dispatcher

    def machine_code(function: Any, signature: Any = None) -> Any:
        dispatcher = dispatcher_of(function, internals.OuterCompiler, internals.rebuilt_outer)
        inner = dispatcher_of(function, internals.InnerCompiler, internals.rebuilt)
        widen_arguments(inner)
        internals.call_inner(dispatcher, inner)
        if signature is not None:
            internals.compile_for(dispatcher, signature)
        return dispatcher

else:
    from kibitz.engine import plain_numba
    from kibitz.engine.plain_numba import Listener, listen, stop_listening

    LINK_ONLY = {}
    machine_code, function_address = plain_numba.compiled, plain_numba.address_of


def compiled(function: Function, signature: Any = None) -> Function:
    """The function as machine code, or the function itself under NUMBA_DISABLE_JIT=1.

    With a signature it is compiled immediately, and its address can be taken. Without one it is compiled for the
    argument types of each first call.
    """
    return function if INTERPRETED else machine_code(function, signature)
