"""What a searching agent found at a decision: the struct in which it leaves this, and how Python reads it.

A decision is one number, without room for estimates. So an agent that searches declares `memory=FOUND`, or a struct
with these fields among others, and writes them at each decision.
"""

from enum import IntEnum
from typing import Any, NamedTuple, Protocol

import numpy as np

from kibitz.engine.compile import struct_dtype

MOST_ESTIMATES = 256  # moves of a position
EXPECTED = [("value", np.float64), ("visits", np.int64), ("simulations", np.int64)]
ESTIMATE = struct_dtype(
    [("move", np.int64), ("value", np.float64), ("error", np.float64), ("visits", np.int64), ("bound", np.int64)]
)
ESTIMATED = [("estimated", np.int64), ("estimates", ESTIMATE, MOST_ESTIMATES)]  # how many moves, and what each is worth
FOUND = struct_dtype([*EXPECTED, *ESTIMATED])


class Bound(IntEnum):
    """What the value of a move means."""

    UNKNOWN = 0  # the move was not searched
    VALUE = 1  # its worth: exact if the standard error is 0
    AT_LEAST = 2  # the search stopped there
    AT_MOST = 3  # the search stopped there: another move is at least as good


class Estimated(Protocol):
    """A struct with the fields ESTIMATED."""

    estimated: int
    estimates: Any


class Found(Estimated, Protocol):
    """A struct of the type FOUND."""

    value: float
    visits: int
    simulations: int


class Expectation(NamedTuple):
    value: float  # the mean payoff of the move over its simulations
    visits: int  # how many simulations began with it
    simulations: int  # in all; 0 if there was nothing to search for


class MoveEstimate(NamedTuple):
    """What a search found about one move."""

    move: int
    value: float  # to the seat to move: a payoff, or points of a search that looks a number of plies ahead
    error: float  # the standard error of the value: 0 if it is exact, infinite if nothing is known
    visits: int  # simulations, or positions, that the value rests on
    bound: Bound


def expectation(memory: Any) -> Expectation | None:
    """What a seat expects of its last decision; None if it did not search."""
    if not int(memory["simulations"]):
        return None
    return Expectation(float(memory["value"]), int(memory["visits"]), int(memory["simulations"]))


def unknown_estimate(move: int) -> MoveEstimate:
    return MoveEstimate(move, 0.0, np.inf, 0, Bound.UNKNOWN)


def move_estimates(memory: Any) -> list[MoveEstimate]:
    """What a seat's last search found about the moves: the best first, those not searched last."""
    found = [
        MoveEstimate(int(move), float(value), float(error), int(visits), Bound(int(bound)))
        for move, value, error, visits, bound in memory["estimates"][: int(memory["estimated"])]
    ]
    return sorted(found, key=lambda each: (each.bound == Bound.UNKNOWN, -each.value, each.bound, each.move))
