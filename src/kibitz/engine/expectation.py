"""What a searching agent expects of its last move, kept in a struct that is its memory.

A decision is one number and has no room for it. So a searching agent declares `memory=FOUND` and writes the values
there at each decision; callers who want them read the memory afterwards.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from kibitz.engine.compile import struct_dtype

FOUND = struct_dtype([("value", np.float64), ("tries", np.int64), ("trials", np.int64)])


class Found(Protocol):
    """A struct of type FOUND."""

    value: float
    tries: int
    trials: int


class Expectation(NamedTuple):
    value: float  # the mean payoff of the move in the simulations that began with it
    tries: int  # the number of those simulations
    trials: int  # the number of all simulations; 0 if there was nothing to search


def expectation(memory: Any) -> Expectation | None:
    """The expectation in a seat's memory after its last decision; None if it did not search."""
    if not int(memory["trials"]):
        return None
    return Expectation(float(memory["value"]), int(memory["tries"]), int(memory["trials"]))
