"""What a searching agent expects of the move it decided on, and how it tells: in a struct that is its memory.

A decision is one number, which has no room for it. So an agent that searches declares `memory=FOUND`, and writes there
what it found at each decision; callers who want it read it afterwards, and matches need not.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from kibitz.engine.compile import struct_dtype

FOUND = struct_dtype([("value", np.float64), ("tries", np.int64), ("trials", np.int64)])


class Found(Protocol):
    """A struct of the type FOUND."""

    value: float
    tries: int
    trials: int


class Expectation(NamedTuple):
    value: float  # the mean payoff of the move, in the games that were played on after it
    tries: int  # how many those were
    trials: int  # of all that were tried: 0 where there was nothing to search for


def expectation(memory: Any) -> Expectation | None:
    """What a seat's memory says of its last decision; None if it did not search."""
    if not int(memory["trials"]):
        return None
    return Expectation(float(memory["value"]), int(memory["tries"]), int(memory["trials"]))
