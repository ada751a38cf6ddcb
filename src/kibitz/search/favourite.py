"""Whether a move is better than a favourite that is hard to beat.

The favourite is tried first, alone, in some worlds. Where it ends as well as can be, no other move is better; what
there is to gain is in the other worlds. So worlds are of two sorts, and the other moves are tried in one of each by
turns, however rare one sort is: what a move gains is the mean of its gains in both sorts, weighed by how many worlds
are of each (stratified sampling). If the favourite ends as well as can be in all of the first worlds, it is made at
once.

Then the rival that promises most is tried on, the one with the greatest upper confidence bound of its lead (after Lai
and Robbins 1985). So what is surely worse costs little, and nothing is tried any more when no rival may be better. The
favourite is left only for a move that is clearly better.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.compile import compiled
from kibitz.search.paired import Terms, Verdict

FAVOURITE = 0
PROBES = 20  # worlds that all have to end as well as can be, for nothing else to be looked at
# The favourite is tried in so many worlds first, for at most so much of the budget.
FIRST_WORLDS, FIRST_SHARE = 48, 0.33
LOOKS = 4  # worlds in which a rival is tried before the next is chosen
# A few worlds that agree are no proof: as if there were so many more in each sort, in which payoffs differ as much as
# those of the favourite do from world to world, and a little more.
MORE_WORLDS, LITTLE = 4, 1.6e-5
SURE = 3.0  # standard errors that make a lead certain
SAME = 1e-9  # payoffs are compared up to this


class Race(NamedTuple):
    moves: Any  # the favourite first
    tries: Any  # in how many worlds each was tried: the first of the order
    payoffs: Any  # of the favourite, by world
    best: Any  # by world: 1 if the favourite ended as well as can be
    order: Any  # the worlds, as the others are tried in them
    done: Any  # how many worlds, how many playouts, and in how many worlds the favourite ended as well as can be
    usual: Any  # of the favourite's payoffs: their sum, and that of their squares
    gains: Any  # by move and sort of world: how many worlds, the sum of what it gained, and that of the squares


@compiled
def no_race(moves: Any, worlds: int) -> Race:
    count = moves.shape[0]
    return Race(
        moves, np.zeros(count, np.int64), np.zeros(worlds), np.zeros(worlds, np.uint8), np.zeros(worlds, np.int64),
        np.zeros(3, np.int64), np.zeros(2), np.zeros((count, 2, 3)),
    )  # fmt: skip


@compiled
def has_room(race: Race) -> bool:
    return race.done[0] < race.payoffs.shape[0]


@compiled
def note_favourite(race: Race, payoff: float, most: float) -> None:
    """The favourite was tried in one more world, which comes last in the order."""
    n = race.done[0]
    race.payoffs[n] = payoff
    race.best[n] = payoff > most - SAME
    race.order[n] = n
    race.done[0] = race.tries[FAVOURITE] = n + 1
    race.done[1] += 1
    race.done[2] += race.best[n]
    race.usual[0] += payoff
    race.usual[1] += payoff * payoff


@compiled
def next_world(race: Race, place: int) -> int:
    """The world in which a move is tried next, of those of the favourite; −1 if it was tried in all."""
    return race.order[race.tries[place]] if race.tries[place] < race.done[0] else -1


@compiled
def note_other(race: Race, place: int, payoff: float) -> None:
    """Another move was tried in its next world."""
    n = next_world(race, place)
    gain, row = payoff - race.payoffs[n], race.gains[place, race.best[n]]
    row[0] += 1.0
    row[1] += gain
    row[2] += gain * gain
    race.tries[place] += 1
    race.done[1] += 1


@compiled
def clear_race(race: Race) -> None:
    """Forget what was tried."""
    race.tries[:] = 0
    race.done[:] = 0
    race.usual[:] = 0.0
    race.gains[:] = 0.0


@compiled
def always_best(race: Race) -> bool:
    """Whether the favourite ended as well as can be in all worlds."""
    return race.done[2] == race.done[0]


@compiled
def tried_enough(race: Race) -> bool:
    """Whether every move was tried, or none needed to be but the favourite."""
    for place in range(race.moves.shape[0]):
        if race.tries[place] == 0 and not (race.done[0] >= PROBES and always_best(race)):
            return False
    return True


@compiled
def take_turns(race: Race, first: int) -> None:
    """Bring worlds of both sorts, from one on, into an order in which they take turns."""
    placed, sort, nexts = first, 0, np.full(2, first, np.int64)
    while placed < race.done[0]:
        found = False
        while nexts[sort] < race.done[0] and not found:
            found = race.best[nexts[sort]] == sort
            if found:
                race.order[placed] = nexts[sort]
                placed += 1
            nexts[sort] += 1
        sort = 1 - sort


@compiled
def spread_of_favourite(race: Race) -> float:
    """How much the favourite's payoffs differ from world to world: their variance, and a little."""
    mean = race.usual[0] / race.done[0]
    return max(race.usual[1] / race.done[0] - mean * mean, 0.0) + LITTLE


@compiled
def lead(race: Race, place: int) -> tuple[float, float]:
    """By how much a move is better than the favourite in the worlds of both, and the standard error of that."""
    share, usual, mean, variance = race.done[2] / race.done[0], spread_of_favourite(race), 0.0, 0.0
    for sort in range(2):
        weight = share if sort == 1 else 1.0 - share
        count = max(race.gains[place, sort, 0], 1.0)
        gain = race.gains[place, sort, 1] / count
        squares = max(race.gains[place, sort, 2] - gain * race.gains[place, sort, 1], 0.0)
        spread = (squares + MORE_WORLDS * usual) / (count + MORE_WORLDS)
        mean += weight * gain
        variance += weight * weight * spread / count + weight * gain * gain / race.done[0]
    return mean, math.sqrt(max(variance - mean * mean / race.done[0], 0.0))


@compiled
def mean_of(race: Race, place: int) -> float:
    """The mean payoff of a move, as far as it can be told from the worlds it was tried in."""
    mean = race.usual[0] / max(race.done[0], 1)
    return mean if place == FAVOURITE or race.done[0] == 0 else mean + lead(race, place)[0]


@compiled
def next_rival(race: Race, terms: Terms) -> int:
    """The move to be tried on, the one that promises most; the favourite if there is nothing more to find out."""
    rival, most, second = FAVOURITE, terms.bonus, terms.bonus
    for place in range(1, race.moves.shape[0]):
        ahead, error = lead(race, place)
        bound = ahead + terms.drop * error
        if bound > most:
            rival, most, second = place, bound, most
        else:
            second = max(second, bound)
    if rival != FAVOURITE:
        ahead, error = lead(race, rival)
        if ahead - SURE * error > second:
            return FAVOURITE
    return rival


@compiled
def verdict(race: Race, terms: Terms) -> Verdict:
    """The move to make: the one that is surely ahead of the favourite by most, if one is by enough.

    Fewer worlds than there are looks are no proof, unless nothing is left to chance.
    """
    best, most = FAVOURITE, terms.bonus
    for place in range(1, race.moves.shape[0]):
        if race.tries[place] >= (LOOKS if terms.leave > 0.0 else 1):
            ahead, error = lead(race, place)
            if ahead - terms.leave * error > most:
                best, most = place, ahead - terms.leave * error
    return Verdict(best, mean_of(race, best), lead(race, best)[0] if best != FAVOURITE else 0.0)
