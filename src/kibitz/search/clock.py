"""The limit of a search: a number of iterations, or a time that machine code reads from the clock itself.

The clock is a function of the C library, called by name: unlike a callback into Python it needs no lock, and unlike an
address found at run time it leaves the calling code cacheable.
"""

import sys
import time
from typing import Any, NamedTuple

import numpy as np
from llvmlite import binding
from numba import extending, types

from kibitz.engine.compile import compiled
from kibitz.engine.seat import Budget

MONOTONIC = 6 if sys.platform == "darwin" else 1  # the id of the clock that is never set back
LOOKS = 16  # iterations between checks of the clock
ENDLESS = 1 << 62

CLOCK_GETTIME: Any = types.ExternalFunction("clock_gettime", types.int32(types.int32, types.CPointer(types.int64)))
CLOCK: Any = types.ExternalFunction("clock", types.int32())


class Limit(NamedTuple):
    """When a running search ends, computed from its budget."""

    iterations: int
    deadline: float  # in milliseconds of the clock
    began: float = 0.0  # on the same clock, if there is a deadline


def milliseconds() -> float:
    """The time since a fixed moment in the past, on a clock that is never set back."""
    return time.perf_counter_ns() / 1e6


@extending.overload(milliseconds)
def compiled_milliseconds():  # type: ignore[no-untyped-def]
    def posix() -> float:
        time_of_day = np.empty(2, np.int64)  # seconds and nanoseconds
        CLOCK_GETTIME(MONOTONIC, time_of_day.ctypes)
        return time_of_day[0] * 1e3 + time_of_day[1] / 1e6

    def windows() -> float:
        return CLOCK() * 1.0  # on Windows it counts milliseconds since the program started

    return posix if binding.address_of_symbol("clock_gettime") else windows


@compiled
def limit_of(budget: Budget) -> Limit:
    """The limit of a search that begins now. Without a budget it has one iteration, because it must choose a move."""
    timed = budget.milliseconds > 0
    iterations = budget.iterations if budget.iterations > 0 else ENDLESS if timed else 1
    began = milliseconds() if timed else 0.0
    return Limit(iterations, began + budget.milliseconds if timed else np.inf, began)


@compiled
def goes_on(limit: Limit, done: int) -> bool:
    """Whether another iteration follows; the first always runs."""
    if done >= limit.iterations:
        return False
    return done == 0 or done % LOOKS != 0 or limit.deadline == np.inf or milliseconds() < limit.deadline


@compiled
def progress(limit: Limit, done: int) -> float:
    """The share of the budget that is spent, from 0 to 1."""
    share = done / limit.iterations
    if limit.deadline < np.inf:
        share = max(share, (milliseconds() - limit.began) / (limit.deadline - limit.began))
    return min(share, 1.0)
