"""Racing: moves are tried in the same sampled worlds, and drop out once they are clearly worse than another.

The first move is the favourite, which the models would make. Another move replaces it only if it is clearly better.
Every world and whatever the models remember in it are common to all moves, so the standard error of a difference is
that of paired samples. Besides, the worse half of the moves drops out whenever an equal part of the budget is spent
(sequential halving, Karnin, Koren and Somekh 2013).

There are two ways to spend the budget:

- `try_world` tries every running move in one more world. The favourite may drop out like any other.
- `favourite_first`: the favourite is tried alone in the first worlds. Where it reaches the highest possible payoff,
  the world is *settled*: no move can gain there. The other moves then take settled and unsettled worlds in turns,
  however rare one kind is, and gains are averaged over both kinds by how frequent they are (stratified sampling).
  Without settled worlds both ways have the same mean and standard error.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.engine.seat import Seats
from kibitz.search.choice import VALUE, Estimates, entry_of
from kibitz.search.clock import Limit, goes_on
from kibitz.search.model_playout import play_with_models

FAVOURITE = 0
NO_MOVE = -1  # instead of a place: a payoff of 0
WORLDS, PLAYOUTS, SETTLED = range(3)  # what `Race.done` counts
PROBES = 20  # settled worlds in a row after which the favourite is made at once
FIRST_SHARE = 0.33  # the share of the budget for the favourite alone
COMPARED_EVERY = 4  # worlds between comparisons, with the favourite first
FIRST_COMPARISON, LEAST_MORE, SHARE_MORE = 8, 4, 4  # worlds before moves are first compared, and then how many more
UNBEATEN = 24  # worlds in which no move beats the favourite, after which it is made
SAME = 1e-9  # payoffs closer than this are equal


class RacingParameters(NamedTuple):
    drop_z: float  # standard errors behind the best at which a move drops out
    switch_z: float  # standard errors ahead of the favourite that a move needs to replace it,
    bonus: float  # and payoff on top of them
    # A few worlds that agree prove little: the variance includes this number of prior worlds, in which payoffs have
    # this variance; with the favourite first, plus that of the favourite's payoffs.
    prior_worlds: int
    prior_variance: float
    favourite_first: bool


@compiled
def all_at_once(drop_z: float, switch_z: float, bonus: float) -> RacingParameters:
    return RacingParameters(drop_z, switch_z, bonus, 8, 0.0064, False)


@compiled
def favourite_first(drop_z: float, switch_z: float, bonus: float) -> RacingParameters:
    return RacingParameters(drop_z, switch_z, bonus, 4, 1.6e-5, True)


class Race(NamedTuple):
    moves: Any  # the favourite first
    running: Any  # 1 for every move that has not dropped out
    visits: Any  # by move: it was tried in the first worlds of the order
    payoffs: Any  # by world and move
    settled: Any  # by world: 1 if the favourite reached the highest possible payoff
    order: Any  # of the worlds, as the other moves are tried in them
    done: Any  # how many worlds, playouts and settled worlds


class Verdict(NamedTuple):
    place: int  # among the moves
    value: float  # its mean payoff


@compiled
def new_race(moves: Any, worlds: int) -> Race:
    count = moves.shape[0]
    return Race(
        moves, np.ones(count, np.uint8), np.zeros(count, np.int64), np.zeros((worlds, count)),
        np.zeros(worlds, np.uint8), np.arange(worlds), np.zeros(3, np.int64),
    )  # fmt: skip


@compiled
def has_room(race: Race) -> bool:
    return race.done[WORLDS] < race.settled.shape[0]


@compiled
def still_running(race: Race) -> int:
    """How many moves have not dropped out."""
    count = 0
    for place in range(race.moves.shape[0]):
        count += race.running[place]
    return count


# Recording payoffs


@compiled
def try_world(race: Race, world: Any, memories: Any, seats: Seats, pair: Any, log: Any, me: int, limit: Limit) -> bool:
    """Try every running move in one more world; False if time is up, and then that world does not count.

    The pair and the log are overwritten.
    """
    n = race.done[WORLDS]
    for place in range(race.moves.shape[0]):
        if race.running[place]:
            if not goes_on(limit, race.done[PLAYOUTS]):
                return False
            race.payoffs[n, place] = play_with_models(world, memories, race.moves[place], seats, pair, log, me)
            race.done[PLAYOUTS] += 1
    for place in range(race.moves.shape[0]):
        race.visits[place] += race.running[place]
    race.done[WORLDS] = n + 1
    return True


@compiled
def record_favourite(race: Race, payoff: float, highest: float) -> None:
    """The favourite was tried in one more world, which comes last in the order."""
    n = race.done[WORLDS]
    race.payoffs[n, FAVOURITE] = payoff
    race.settled[n] = payoff > highest - SAME
    race.order[n] = n
    race.done[WORLDS] = race.visits[FAVOURITE] = n + 1
    race.done[PLAYOUTS] += 1
    race.done[SETTLED] += race.settled[n]


@compiled
def record_other(race: Race, place: int, payoff: float) -> None:
    """Another move was tried in its next world of the order."""
    race.payoffs[race.order[race.visits[place]], place] = payoff
    race.visits[place] += 1
    race.done[PLAYOUTS] += 1


@compiled
def clear_race(race: Race) -> None:
    """Forget all payoffs."""
    for place in range(race.moves.shape[0]):
        race.visits[place] = 0
    for n in range(race.done.shape[0]):
        race.done[n] = 0


@compiled
def all_settled(race: Race) -> bool:
    return race.done[SETTLED] == race.done[WORLDS]


@compiled
def tried_enough(race: Race) -> bool:
    """Whether every move was tried, or the favourite alone settled enough worlds."""
    for place in range(race.moves.shape[0]):
        if race.visits[place] == 0 and not (race.done[WORLDS] >= PROBES and all_settled(race)):
            return False
    return True


@compiled
def alternate(race: Race) -> None:
    """Order the worlds so that unsettled and settled ones take turns."""
    placed, kind, found, nexts = 0, 0, True, np.zeros(2, np.int64)
    while placed < race.done[WORLDS]:
        found = False
        while nexts[kind] < race.done[WORLDS] and not found:
            found = race.settled[nexts[kind]] == kind
            if found:
                race.order[placed] = nexts[kind]
                placed += 1
            nexts[kind] += 1
        kind = 1 - kind


# Comparing moves


@compiled
def prior_variance(race: Race, parameters: RacingParameters) -> float:
    if not parameters.favourite_first:
        return parameters.prior_variance
    total = squares = 0.0
    for n in range(race.done[WORLDS]):
        total += race.payoffs[n, FAVOURITE]
        squares += race.payoffs[n, FAVOURITE] * race.payoffs[n, FAVOURITE]
    mean = total / race.done[WORLDS]
    return max(squares / race.done[WORLDS] - mean * mean, 0.0) + parameters.prior_variance


@compiled
def lead(race: Race, parameters: RacingParameters, place: int, other: int) -> tuple[float, float]:
    """The mean payoff of one move minus that of another (or of NO_MOVE) in their common worlds, and its standard
    error."""
    common = race.visits[place] if other == NO_MOVE else min(race.visits[place], race.visits[other])
    prior, prior_worlds = prior_variance(race, parameters), parameters.prior_worlds
    counts, sums, squares = np.zeros(2), np.zeros(2), np.zeros(2)
    for k in range(common):
        n = race.order[k]
        gain = race.payoffs[n, place] - (race.payoffs[n, other] if other != NO_MOVE else 0.0)
        counts[race.settled[n]] += 1.0
        sums[race.settled[n]] += gain
        squares[race.settled[n]] += gain * gain
    share, mean, variance = race.done[SETTLED] / race.done[WORLDS], 0.0, 0.0
    for kind in range(2):
        weight, count = (share if kind == 1 else 1.0 - share), max(counts[kind], 1.0)
        gain = sums[kind] / count
        spread = (max(squares[kind] - gain * sums[kind], 0.0) + prior_worlds * prior) / (count + prior_worlds)
        mean += weight * gain
        variance += weight * weight * spread / count + weight * gain * gain / race.done[WORLDS]
    return mean, math.sqrt(max(variance - mean * mean / race.done[WORLDS], 0.0))


@compiled
def mean_in_its_worlds(race: Race, place: int) -> float:
    total = 0.0
    for k in range(race.visits[place]):
        total += race.payoffs[race.order[k], place]
    return total / max(race.visits[place], 1)


@compiled
def mean_of(race: Race, parameters: RacingParameters, place: int) -> float:
    """The estimated mean payoff of a move.

    With the favourite first, the others were tried in fewer worlds, chosen by kind: their lead is added to its mean.
    """
    if not parameters.favourite_first or place == FAVOURITE:
        return mean_in_its_worlds(race, place)
    return mean_in_its_worlds(race, FAVOURITE) + lead(race, parameters, place, FAVOURITE)[0]


@compiled
def rank(race: Race, parameters: RacingParameters, place: int) -> float:
    """By what running moves are ranked: the higher, the better."""
    if parameters.favourite_first:
        return lead(race, parameters, place, FAVOURITE)[0]
    return mean_in_its_worlds(race, place)


@compiled
def best_running(race: Race, parameters: RacingParameters) -> int:
    best, highest = FAVOURITE, -np.inf
    for place in range(race.moves.shape[0]):
        if race.running[place] and race.visits[place] > 0:
            this = rank(race, parameters, place)
            if this > highest:
                best, highest = place, this
    return best


# Dropping moves


@compiled
def next_comparison(worlds: int) -> int:
    """After how many worlds the moves are compared again, if all are tried in each."""
    return max(FIRST_COMPARISON, worlds + max(LEAST_MORE, worlds // SHARE_MORE))


@compiled
def cannot_gain(race: Race, parameters: RacingParameters, place: int) -> bool:
    """Whether a move was tried in all unsettled worlds and is not ahead by the bonus."""
    unsettled = 0
    for k in range(race.visits[place]):
        unsettled += 1 - race.settled[race.order[k]]
    behind, _ = lead(race, parameters, FAVOURITE, place)
    return behind >= -parameters.bonus and unsettled == race.done[WORLDS] - race.done[SETTLED]


@compiled
def drop_hopeless(race: Race, parameters: RacingParameters) -> None:
    """Drop moves that are clearly worse than the best; the favourite only if the best is to replace it."""
    best = best_running(race, parameters)
    for place in range(race.moves.shape[0]):
        if race.running[place] and place != best:
            ahead, error = lead(race, parameters, best, place)
            if place == FAVOURITE:
                needed = max(parameters.switch_z, parameters.drop_z) * error
                hopeless = not parameters.favourite_first and ahead - needed > parameters.bonus
            else:
                hopeless = ahead > parameters.drop_z * error
                hopeless = hopeless or (parameters.favourite_first and cannot_gain(race, parameters, place))
            if hopeless:
                race.running[place] = 0


@compiled
def left_after(moves: int, progress: float) -> int:
    """How many of the moves should be left after this share of the budget.

    The budget has a part for every halving down to two moves, and one more for these two.
    """
    parts, left = 1, moves
    while left > 2:
        left, parts = (left + 1) // 2, parts + 1
    left = moves
    for _ in range(min(int(progress * parts), parts - 1)):
        left = (left + 1) // 2
    return left


@compiled
def halve(race: Race, parameters: RacingParameters, progress: float) -> None:
    """Drop the worst until no more are left than should be after this share of the budget; never the favourite."""
    left = left_after(race.moves.shape[0], progress)
    while still_running(race) > left:
        worst, lowest = FAVOURITE, np.inf
        for place in range(1, race.moves.shape[0]):
            if race.running[place]:
                this = rank(race, parameters, place)
                if this < lowest:
                    worst, lowest = place, this
        race.running[worst] = 0


@compiled
def unbeaten(race: Race) -> bool:
    """Whether the favourite was as good as any other move in all of many worlds."""
    if race.done[WORLDS] < UNBEATEN or not race.running[FAVOURITE]:
        return False
    for place in range(race.moves.shape[0]):
        for n in range(race.visits[place]):
            if race.payoffs[n, place] > race.payoffs[n, FAVOURITE]:
                return False
    return True


# The result


@compiled
def verdict(race: Race, parameters: RacingParameters) -> Verdict:
    """The move to make: the best, or the favourite if that is not far enough behind."""
    best = best_running(race, parameters)
    if best != FAVOURITE and race.running[FAVOURITE]:
        ahead, error = lead(race, parameters, best, FAVOURITE)
        if ahead - parameters.switch_z * error <= parameters.bonus:
            best = FAVOURITE
    return Verdict(best, mean_of(race, parameters, best))


@compiled
def write_estimates(race: Race, parameters: RacingParameters, best: int, exact: bool, estimates: Estimates) -> None:
    """Write the estimates of all moves that were tried; exact ones have no standard error.

    Moves that dropped out were tried in fewer worlds than the best: their lead in these is added to its mean.
    """
    reference = FAVOURITE if parameters.favourite_first else best
    base = mean_of(race, parameters, reference)
    for place in range(race.moves.shape[0]):
        if race.visits[place] > 0:
            entry = entry_of(estimates, race.moves[place])
            estimates.visits[entry] = race.visits[place]
            estimates.values[entry] = base + lead(race, parameters, place, reference)[0]
            estimates.errors[entry] = 0.0 if exact else lead(race, parameters, place, NO_MOVE)[1]
            estimates.bounds[entry] = VALUE
