"""What a search found out: for every move, how often it was tried and what it was worth."""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.expectation import Found
from kibitz.engine.move_sets import Moves, entries, move_at_place


class Estimates(NamedTuple):
    """Arrays with an entry for every move that there can be, or for each that is legal (see `core.move_sets.place`)."""

    moves: Any  # which moves these are
    visits: Any  # 0 for a move that was not tried
    values: Any  # the mean payoff to whoever is to move


class Choice(NamedTuple):
    move: int
    value: float  # the estimated payoff


@compiled
def move_room(state: Any) -> Any:
    """Room for the legal moves of any position."""
    return np.empty(generic.most_moves(state), np.int64)


@compiled
def no_estimates(view: Any, legal: Moves) -> Estimates:
    """Of the moves that are legal for who sees the view."""
    count = entries(legal, generic.most_moves(view))
    moves = np.empty(count, np.int64)
    for place in range(count):
        moves[place] = move_at_place(legal, place)
    return Estimates(moves, np.zeros(count, np.int64), np.zeros(count))


@compiled
def most_visited(found: Estimates) -> Choice:
    """The move that was tried most often, as a tree search keeps to what is good; the more valuable on ties."""
    best = 0
    for place in range(1, found.moves.shape[0]):
        more = found.visits[place] - found.visits[best]
        if more > 0 or (more == 0 and found.values[place] > found.values[best]):
            best = place
    return Choice(found.moves[best], found.values[best])


@compiled
def most_valued(found: Estimates) -> Choice:
    """The move with the highest mean, of those that were tried; the one tried more often on ties."""
    best = -1
    for place in range(found.moves.shape[0]):
        if found.visits[place] > 0:
            more = found.values[place] - found.values[best] if best >= 0 else 1.0
            if more > 0.0 or (more == 0.0 and found.visits[place] > found.visits[best]):
                best = place
    return Choice(found.moves[best], found.values[best])


@compiled
def note_found(memory: Found, found: Estimates, choice: Choice) -> None:
    """Leave what is expected of the chosen move where it can be read after the decision."""
    memory.value = choice.value
    memory.trials = 0
    for place in range(found.moves.shape[0]):
        memory.trials += found.visits[place]
        if found.moves[place] == choice.move:
            memory.tries = found.visits[place]
