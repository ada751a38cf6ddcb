"""Whether a move is better than a favourite that is hard to beat.

The favourite is tried first, alone, in some worlds. Where it ends as well as can be, no other move is better; what
there is to gain is in the other worlds. So worlds are of two sorts, and the other moves are tried in one of each by
turns, however rare one sort is: what a move gains is the mean of its gains in both sorts, weighed by how many worlds
are of each (stratified sampling). If the favourite ends as well as can be in all of the first worlds, it is made at
once.

Moves that are surely worse drop out, and besides the worse half of them whenever an equal part of the budget is spent
(sequential halving, Karnin, Koren and Somekh 2013). The favourite is left only for a move that is clearly better.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.search.paired import Terms, Verdict, left_after, still_running

FAVOURITE = 0
PROBES = 20  # worlds that all have to end as well as can be, for nothing else to be looked at
FIRST_SHARE = 0.33  # of the budget is for the favourite alone
LOOKS = 4  # worlds between two comparisons
# A few worlds that agree are no proof: as if there were so many more in each sort, in which payoffs differ as much as
# those of the favourite do from world to world, and a little more.
MORE_WORLDS, LITTLE = 4, 1.6e-5
SAME = 1e-9  # payoffs are compared up to this


class Race(NamedTuple):
    moves: Any  # the favourite first
    running: Any  # 1 for every move that has not dropped out
    tries: Any  # in how many worlds each was tried: the first of the order
    payoffs: Any  # by world and move
    best: Any  # by world: 1 if the favourite ended as well as can be
    order: Any  # the worlds, as the others are tried in them
    done: Any  # how many worlds, how many playouts, and in how many worlds the favourite ended as well as can be


@compiled
def no_race(moves: Any, worlds: int) -> Race:
    count = moves.shape[0]
    return Race(
        moves, np.ones(count, np.uint8), np.zeros(count, np.int64), np.zeros((worlds, count)),
        np.zeros(worlds, np.uint8), np.zeros(worlds, np.int64), np.zeros(3, np.int64),
    )  # fmt: skip


@compiled
def note_favourite(race: Race, payoff: float, most: float) -> None:
    """The favourite was tried in one more world, which comes last in the order."""
    n = race.done[0]
    race.payoffs[n, FAVOURITE] = payoff
    race.best[n] = payoff > most - SAME
    race.order[n] = n
    race.done[0] = race.tries[FAVOURITE] = n + 1
    race.done[1] += 1
    race.done[2] += race.best[n]


@compiled
def note_other(race: Race, place: int, payoff: float) -> None:
    """Another move was tried in its next world of the order."""
    race.payoffs[race.order[race.tries[place]], place] = payoff
    race.tries[place] += 1
    race.done[1] += 1


@compiled
def clear_race(race: Race) -> None:
    """Forget what was tried."""
    for place in range(race.moves.shape[0]):
        race.tries[place] = 0
    for n in range(race.done.shape[0]):
        race.done[n] = 0


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
def take_turns(race: Race) -> None:
    """Bring worlds of both sorts into an order in which they take turns."""
    placed, sort, found, nexts = 0, 0, True, np.zeros(2, np.int64)
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
    total = squares = 0.0
    for n in range(race.done[0]):
        total += race.payoffs[n, FAVOURITE]
        squares += race.payoffs[n, FAVOURITE] * race.payoffs[n, FAVOURITE]
    mean = total / race.done[0]
    return max(squares / race.done[0] - mean * mean, 0.0) + LITTLE


@compiled
def lead(race: Race, place: int, other: int) -> tuple[float, float]:
    """By how much one move is better than another in the worlds of both, and the standard error of that."""
    common, usual = min(race.tries[place], race.tries[other]), spread_of_favourite(race)
    counts, sums, squares = np.zeros(2), np.zeros(2), np.zeros(2)
    for k in range(common):
        n = race.order[k]
        gain = race.payoffs[n, place] - race.payoffs[n, other]
        counts[race.best[n]] += 1.0
        sums[race.best[n]] += gain
        squares[race.best[n]] += gain * gain
    share, mean, variance = race.done[2] / race.done[0], 0.0, 0.0
    for sort in range(2):
        weight, count = (share if sort == 1 else 1.0 - share), max(counts[sort], 1.0)
        gain = sums[sort] / count
        spread = (max(squares[sort] - gain * sums[sort], 0.0) + MORE_WORLDS * usual) / (count + MORE_WORLDS)
        mean += weight * gain
        variance += weight * weight * spread / count + weight * gain * gain / race.done[0]
    return mean, math.sqrt(max(variance - mean * mean / race.done[0], 0.0))


@compiled
def mean_of(race: Race, place: int) -> float:
    """The mean payoff of a move, as far as it can be told from the worlds it was tried in."""
    total = 0.0
    for n in range(race.done[0]):
        total += race.payoffs[n, FAVOURITE]
    mean = total / max(race.done[0], 1)
    return mean if place == FAVOURITE else mean + lead(race, place, FAVOURITE)[0]


@compiled
def best_running(race: Race) -> int:
    """The move that is furthest ahead of the favourite, or the favourite."""
    best, most = FAVOURITE, 0.0
    for place in range(1, race.moves.shape[0]):
        if race.running[place] and race.tries[place] > 0:
            ahead, _ = lead(race, place, FAVOURITE)
            if ahead > most:
                best, most = place, ahead
    return best


@compiled
def tried_all_that_matter(race: Race, place: int) -> bool:
    """Whether a move was tried in every world that the favourite did not end as well as can be."""
    seen = 0
    for k in range(race.tries[place]):
        seen += 1 - race.best[race.order[k]]
    return seen == race.done[0] - race.done[2]


@compiled
def drop_hopeless(race: Race, terms: Terms) -> None:
    """Let moves drop out that are surely worse than another, or that can be no better than the favourite any more."""
    best = best_running(race)
    for place in range(1, race.moves.shape[0]):
        if race.running[place] and place != best:
            ahead, error = lead(race, best, place)
            behind, _ = lead(race, FAVOURITE, place)
            if ahead > terms.drop * error or (behind >= -terms.bonus and tried_all_that_matter(race, place)):
                race.running[place] = 0


@compiled
def halve(race: Race, progress: float) -> None:
    """Let the worst drop out, so that after so much of the budget no more are left than should be."""
    left = left_after(race.moves.shape[0], progress)
    while still_running(race) > left:
        worst, least = FAVOURITE, np.inf
        for place in range(1, race.moves.shape[0]):
            if race.running[place]:
                ahead, _ = lead(race, place, FAVOURITE)
                if ahead < least:
                    worst, least = place, ahead
        race.running[worst] = 0


@compiled
def verdict(race: Race, terms: Terms) -> Verdict:
    """The move to make: the best, if it is ahead of the favourite by enough."""
    best = best_running(race)
    if best != FAVOURITE:
        ahead, error = lead(race, best, FAVOURITE)
        if ahead - terms.leave * error > terms.bonus:
            return Verdict(best, mean_of(race, best), ahead)
    return Verdict(FAVOURITE, mean_of(race, FAVOURITE), 0.0)
