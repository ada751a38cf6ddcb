"""Moves compared in the same worlds: each is tried in all of them and played on by models, and hopeless ones drop out.

Worlds, and whatever the models remember of them, are the same for every move, so that what differs between two moves is
the moves and not their luck: the standard error of a difference is that of paired trials. The first move is the
favourite, which the models would make themselves. It is left only for one that is clearly better.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from kibitz.core import generic
from kibitz.core.compile import compiled
from kibitz.core.dice import chance_stream
from kibitz.core.loop import WORLD, listens, play_out, tell
from kibitz.core.seat import Seats
from kibitz.search.clock import Limit, goes_on

FAVOURITE = 0
FIRST_LOOK, LEAST_MORE, SHARE_MORE = 8, 4, 4  # worlds before moves are first compared, and then how many more
FLOOR = 4e-4  # the least variance of a difference, in payoffs: a few worlds that agree are no proof


class Terms(NamedTuple):
    """How sure one has to be: standard errors behind the best to drop out, ahead of the favourite to replace it."""

    drop: float = 2.0
    leave: float = 2.0
    bonus: float = 0.0  # how much better, in payoffs, another move must be than the favourite besides


class Trials(NamedTuple):
    """What was tried. Worlds have weights; those drawn by their weights have 1 each."""

    moves: Any
    running: Any  # 1 for every move that has not dropped out
    tries: Any  # in how many worlds, the first of all, each was tried
    payoffs: Any  # by world and move
    weights: Any  # by world
    done: Any  # how many worlds, and how many playouts


class Verdict(NamedTuple):
    place: int  # among the moves
    value: float  # its mean payoff
    ahead: float  # how much more than the favourite's


@compiled
def no_trials(moves: Any, worlds: int) -> Trials:
    return Trials(
        moves, np.ones(moves.shape[0], np.uint8), np.zeros(moves.shape[0], np.int64),
        np.zeros((worlds, moves.shape[0])), np.ones(worlds), np.zeros(2, np.int64),
    )  # fmt: skip


@compiled
def has_room(trials: Trials) -> bool:
    return trials.done[0] < trials.weights.shape[0]


@compiled
def still_running(trials: Trials) -> int:
    count = 0
    for place in range(trials.moves.shape[0]):
        count += trials.running[place]
    return count


@compiled
def play_on(world: Any, memories: Any, move: int, seats: Seats, pair: Any, log: Any, me: int) -> float:
    """The payoff of a game that goes on with a move in a world, in which the models remember this much."""
    pair[WORLD] = world[0]
    state = pair[WORLD]
    for word in range(memories.shape[0]):
        seats.room[word] = memories[word]
    generic.apply(state, move)
    generic.settle(state, chance_stream(state))
    if listens(seats):
        tell(pair, seats)
    play_out(pair, seats, log)
    return generic.payoff(state, me)


@compiled
def try_world(
    trials: Trials, world: Any, weight: float, memories: Any, seats: Seats, pair: Any, log: Any, me: int, limit: Limit
) -> bool:
    """Try every running move in one more world; whether there was time. A world that was not finished counts for none.

    The pair and the log are written over.
    """
    n = trials.done[0]
    trials.weights[n] = weight
    for place in range(trials.moves.shape[0]):
        if trials.running[place]:
            if not goes_on(limit, trials.done[1]):
                return False
            trials.payoffs[n, place] = play_on(world, memories, trials.moves[place], seats, pair, log, me)
            trials.done[1] += 1
    for place in range(trials.moves.shape[0]):
        trials.tries[place] += trials.running[place]
    trials.done[0] = n + 1
    return True


@compiled
def mean_of(trials: Trials, place: int) -> float:
    total = weight = 0.0
    for n in range(trials.tries[place]):
        total += trials.weights[n] * trials.payoffs[n, place]
        weight += trials.weights[n]
    return total / weight if weight > 0.0 else 0.0


@compiled
def lead(trials: Trials, place: int, other: int) -> tuple[float, float]:
    """By how much one move is better than another in the worlds of both, and the standard error of that."""
    common = min(trials.tries[place], trials.tries[other])
    total = weight = squares = 0.0
    for n in range(common):
        total += trials.weights[n] * (trials.payoffs[n, place] - trials.payoffs[n, other])
        weight += trials.weights[n]
        squares += trials.weights[n] * trials.weights[n]
    mean, spread = total / weight, 0.0
    for n in range(common):
        off = trials.payoffs[n, place] - trials.payoffs[n, other] - mean
        spread += trials.weights[n] * off * off
    return mean, math.sqrt(max(spread / weight, FLOOR) * squares) / weight


@compiled
def best_running(trials: Trials) -> int:
    best, highest = FAVOURITE, -1.0
    for place in range(trials.moves.shape[0]):
        if trials.running[place] and mean_of(trials, place) > highest:
            best, highest = place, mean_of(trials, place)
    return best


@compiled
def next_look(worlds: int) -> int:
    """After how many worlds the moves are compared again."""
    return max(FIRST_LOOK, worlds + max(LEAST_MORE, worlds // SHARE_MORE))


@compiled
def drop_hopeless(trials: Trials, terms: Terms) -> None:
    """Let the moves drop out that are surely worse than the best; the favourite only if that is to be left for it."""
    best = best_running(trials)
    for place in range(trials.moves.shape[0]):
        if trials.running[place] and place != best:
            ahead, error = lead(trials, best, place)
            if place == FAVOURITE:
                hopeless = ahead - max(terms.leave, terms.drop) * error > terms.bonus
            else:
                hopeless = ahead > terms.drop * error
            if hopeless:
                trials.running[place] = 0


@compiled
def verdict(trials: Trials, terms: Terms) -> Verdict:
    """The move to make: the best, if it is ahead of the favourite by enough."""
    best = best_running(trials)
    if best == FAVOURITE or trials.done[0] == 0:
        return Verdict(FAVOURITE, mean_of(trials, FAVOURITE), 0.0)
    ahead, error = lead(trials, best, FAVOURITE)
    if trials.running[FAVOURITE] and ahead - terms.leave * error <= terms.bonus:
        return Verdict(FAVOURITE, mean_of(trials, FAVOURITE), 0.0)
    return Verdict(best, mean_of(trials, best), ahead)
