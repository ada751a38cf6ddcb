"""Moves compared in the same worlds: each is tried in them and played on by models, and the worse ones drop out.

Worlds, and whatever the models remember of them, are the same for every move, so that what differs between two moves is
the moves and not their luck: the standard error of a difference is that of paired trials. Moves that are surely worse
than the best drop out at once. Besides, the worse half of them does whenever an equal part of the budget is spent
(sequential halving, Karnin, Koren and Somekh 2013), so that most of it goes to those between which it is close. The
first move is the favourite, which the models would make themselves. It never drops out so, and is left only for one
that is clearly better.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.dice import chance_stream
from kibitz.engine.loop import TOO_LONG, WORLD, has_observers, notify_observers, play_out
from kibitz.engine.seat import Seats, estimate_at
from kibitz.search.clock import Limit, goes_on

FAVOURITE = 0
FIRST_LOOK, LEAST_MORE, SHARE_MORE = 8, 4, 4  # worlds before moves are first compared, and then how many more
UNBEATEN = 24  # worlds in which no move did better than the favourite: then it is made
# A few worlds that agree are no proof: as if there were so many more in which payoffs differ by this variance.
MORE_WORLDS, VARIANCE = 8, 0.0064


class Terms(NamedTuple):
    """How sure one has to be: standard errors behind the best to drop out, ahead of the favourite to replace it."""

    drop: float = 2.5
    leave: float = 1.0
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
def still_running(trials: Any) -> int:
    """How many moves have not dropped out, of these trials or of a `favourite.Race`."""
    count = 0
    for place in range(trials.moves.shape[0]):
        count += trials.running[place]
    return count


@compiled
def restore(seats: Seats, memories: Any) -> None:
    """Let the models remember what they did."""
    for word in range(memories.shape[0]):
        seats.room[word] = memories[word]


@compiled
def play_on(world: Any, memories: Any, move: int, seats: Seats, pair: Any, log: Any, me: int) -> float:
    """The payoff of a game that goes on with a move in a world, in which the models remember this much.

    A game that is not over when the log is full is worth what the model to move estimates, if it does so.
    """
    pair[WORLD] = world[0]
    state = pair[WORLD]
    restore(seats, memories)
    generic.apply(state, move)
    generic.resolve_chance(state, chance_stream(state))
    if has_observers(seats):
        notify_observers(pair, seats)
    if play_out(pair, seats, log) == TOO_LONG:
        struct = seats.seats[generic.to_move(state)]
        if struct.estimate != 0:
            return estimate_at(struct.estimate, state, struct)
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
    size = weight * weight / squares
    variance = (size * spread / weight + MORE_WORLDS * VARIANCE) / (size + MORE_WORLDS)
    return mean, math.sqrt(variance / size)


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
def left_after(moves: int, progress: float) -> int:
    """How many of so many moves should be left after so much of the budget.

    There are as many parts of the budget as halvings to the last two, and one more for these.
    """
    parts, left = 1, moves
    while left > 2:
        left, parts = (left + 1) // 2, parts + 1
    left = moves
    for _ in range(min(int(progress * parts), parts - 1)):
        left = (left + 1) // 2
    return left


@compiled
def halve(trials: Trials, progress: float) -> None:
    """Let the worst drop out, so that after so much of the budget no more are left than should be."""
    left = left_after(trials.moves.shape[0], progress)
    while still_running(trials) > left:
        worst, lowest = FAVOURITE, np.inf
        for place in range(trials.moves.shape[0]):
            if place != FAVOURITE and trials.running[place] and mean_of(trials, place) < lowest:
                worst, lowest = place, mean_of(trials, place)
        trials.running[worst] = 0


@compiled
def unbeaten(trials: Trials) -> bool:
    """Whether the favourite was as good as any other move in all of many worlds: there is nothing to gain."""
    if trials.done[0] < UNBEATEN or not trials.running[FAVOURITE]:
        return False
    for place in range(trials.moves.shape[0]):
        for n in range(trials.tries[place]):
            if trials.payoffs[n, place] > trials.payoffs[n, FAVOURITE]:
                return False
    return True


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
