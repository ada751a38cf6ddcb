"""What a search found out: for every move, how often it was tried and what it was worth."""

from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compile import compiled

MOVES = 62  # `generic.legal` has a bit for each


class Estimates(NamedTuple):
    """Arrays with an entry for every move."""

    visits: Any  # 0 for a move that was not tried
    values: Any  # the mean payoff to whoever is to move


class Choice(NamedTuple):
    move: int
    value: float  # the estimated payoff


@compiled
def no_estimates() -> Estimates:
    return Estimates(np.zeros(MOVES, np.int64), np.zeros(MOVES))


@compiled
def most_visited(found: Estimates) -> Choice:
    """The move that was tried most often, as a tree search keeps to what is good; the more valuable on ties."""
    best = 0
    for move in range(1, MOVES):
        more = found.visits[move] - found.visits[best]
        if more > 0 or (more == 0 and found.values[move] > found.values[best]):
            best = move
    return Choice(best, found.values[best])


@compiled
def most_valued(found: Estimates) -> Choice:
    """The move with the highest mean, of those that were tried; the one tried more often on ties."""
    best = -1
    for move in range(MOVES):
        if found.visits[move] > 0:
            more = found.values[move] - found.values[best] if best >= 0 else 1.0
            if more > 0.0 or (more == 0.0 and found.visits[move] > found.visits[best]):
                best = move
    return Choice(best, found.values[best])
