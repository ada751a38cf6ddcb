"""A search's estimates of all moves, and how to choose a move by them."""

import math
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.expectation import MOST_ESTIMATES, Bound, Estimated, Found
from kibitz.engine.move_sets import Moves, contains, entries, move_at_place

NO_MOVE = -1
UNKNOWN, VALUE, AT_LEAST, AT_MOST = (int(bound) for bound in Bound)


class Estimates(NamedTuple):
    """Arrays with an entry per legal move, or per move number (see `move_sets.place`)."""

    moves: Any  # NO_MOVE in the entries of illegal move numbers
    visits: Any  # 0 for a move that was not tried
    values: Any  # for the seat to move: its mean payoff, or points
    errors: Any  # the standard error of the value: 0 if it is exact, infinite if nothing is known
    bounds: Any  # whether the value is exact or a bound: see `Bound`


class Choice(NamedTuple):
    move: int
    value: float  # the estimated payoff


@compiled
def move_room(state: Any) -> Any:
    """Room for the legal moves of any position."""
    return np.empty(generic.most_moves(state), np.int64)


@compiled
def empty_estimates(count: int) -> Estimates:
    return Estimates(
        np.full(count, NO_MOVE), np.zeros(count, np.int64), np.zeros(count), np.full(count, np.inf),
        np.zeros(count, np.int64),
    )  # fmt: skip


@compiled
def no_estimates(view: Any, legal: Moves) -> Estimates:
    """Estimates of a view's legal moves before any is tried."""
    found = empty_estimates(entries(legal, generic.most_moves(view)))
    for place in range(found.moves.shape[0]):
        move = move_at_place(legal, place)
        if contains(legal, move):
            found.moves[place] = move
    return found


@compiled
def entry_of(found: Estimates, move: int) -> int:
    """The index of a legal move's entry."""
    place = 0
    while found.moves[place] != move:
        place += 1
    return place


@compiled
def add_payoff(found: Estimates, place: int, payoff: float, squares: Any) -> None:
    """Update a move's mean with a payoff; `squares` sums the squared deviations by move (Welford 1962)."""
    found.visits[place] += 1
    off = payoff - found.values[place]
    found.values[place] += off / found.visits[place]
    squares[place] += off * (payoff - found.values[place])


@compiled
def set_errors(found: Estimates, squares: Any) -> None:
    """Set the standard errors of the means from their sums of squared deviations."""
    for place in range(found.moves.shape[0]):
        visits = found.visits[place]
        if visits > 0:
            found.bounds[place] = VALUE
        if visits > 1:
            found.errors[place] = math.sqrt(max(squares[place], 0.0) / (visits - 1) / visits)


@compiled
def most_visited(found: Estimates) -> Choice:
    """The most visited move, as tree search visits good moves more; on ties the one with the higher mean."""
    best = 0
    for place in range(1, found.moves.shape[0]):
        more = found.visits[place] - found.visits[best]
        if more > 0 or (more == 0 and found.values[place] > found.values[best]):
            best = place
    return Choice(found.moves[best], found.values[best])


@compiled
def most_valued(found: Estimates) -> Choice:
    """The visited move with the highest mean; on ties the one with more visits."""
    best = -1
    for place in range(found.moves.shape[0]):
        if found.visits[place] > 0:
            more = found.values[place] - found.values[best] if best >= 0 else 1.0
            if more > 0.0 or (more == 0.0 and found.visits[place] > found.visits[best]):
                best = place
    return Choice(found.moves[best], found.values[best])


@compiled
def note_found(memory: Found, found: Estimates, choice: Choice) -> None:
    """Store the estimates and the expectation of the chosen move in the memory, to be read after the decision."""
    memory.value = choice.value
    memory.visits = 0
    memory.simulations = 0
    for place in range(found.moves.shape[0]):
        memory.simulations += found.visits[place]
        if found.moves[place] == choice.move:
            memory.visits = found.visits[place]
    note_estimates(memory, found)


@compiled
def note_estimates(memory: Estimated, found: Estimates) -> None:
    """Store the estimates of all legal moves in the memory."""
    count = 0
    for place in range(found.moves.shape[0]):
        if found.moves[place] != NO_MOVE and count < MOST_ESTIMATES:
            written = memory.estimates[count]
            written.move = found.moves[place]
            written.value = found.values[place]
            written.error = found.errors[place]
            written.visits = found.visits[place]
            written.bound = found.bounds[place]
            count += 1
    memory.estimated = count


@compiled
def forget_found(memory: Found) -> None:
    """Record that the decision was made without a search."""
    memory.simulations = 0
    memory.estimated = 0
