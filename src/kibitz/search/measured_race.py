"""The worth of all moves from a race, and what the chosen move loses, measured in worlds that did not choose the best.

The best of a race seems better than it is (the winner's curse), because its luck helped it to win. So the chosen move
and the best, or the best and the second, are compared again in new worlds, the same for both.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.core.coaching import Evaluation, Worth
from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.loop import WORLD, replay_memories
from kibitz.engine.move_sets import count, first, rest
from kibitz.engine.seat import Seats, seat_models
from kibitz.engine.seeds import number
from kibitz.search.belief import weighed_worlds
from kibitz.search.choice import move_room
from kibitz.search.clock import Limit, progress
from kibitz.search.model_playout import play_with_models
from kibitz.search.racing import (
    NO_MOVE,
    PLAYOUTS,
    WORLDS,
    Race,
    RacingParameters,
    all_at_once,
    drop_hopeless,
    halve,
    has_room,
    lead,
    new_race,
    next_comparison,
    still_running,
    try_world,
    unbeaten,
    verdict,
)
from kibitz.search.worlds import Worlds, draw, room

MOST_WORLDS = 1 << 13
POOL = 400  # weighed worlds of a view
LONGEST_LOG = 512  # turns
DROP_Z, SWITCH_Z = 2.5, 1.0  # see `racing.RacingParameters`
RACE_SHARE = 0.6  # of the playouts; the rest measures the loss in other worlds
PRIOR_WORLDS, PRIOR_VARIANCE = 2, 4e-4  # a few differences that agree prove little
PERFECT = 1.0 - 1e-9  # the highest payoff
# Columns of the table of moves, and what else is found.
MOVE, VALUE, ERROR, VISITS, BEST_RESULTS, SHARE, COLUMNS = range(7)  # the share: of the seat's own model
BEST, LOSS, LOSS_ERROR, MARGIN, MARGIN_ERROR, COMPARED, AHEAD, FOUND = range(8)


@compiled
def parameters() -> RacingParameters:
    return all_at_once(DROP_Z, SWITCH_Z, 0.0)


@compiled
def drop_some(race: Race, limit: Limit, look: int) -> int:
    """Drop moves after one more world; returns when to compare next, or −1 if the race is decided."""
    halve(race, parameters(), progress(limit, race.done[PLAYOUTS]))
    if race.done[WORLDS] < look:
        return look
    if unbeaten(race):
        return -1
    drop_hopeless(race, parameters())
    return next_comparison(race.done[WORLDS])


@compiled
def runner_up(race: Race, best: int) -> int:
    """The place of the move that is most likely to be second: tried most often, then with the highest mean."""
    found, most, highest = best, -1, -np.inf
    for place in range(race.moves.shape[0]):
        if place != best:
            total = 0.0
            for n in range(race.visits[place]):
                total += race.payoffs[n, place]
            mean = total / max(race.visits[place], 1)
            if race.visits[place] > most or (race.visits[place] == most and mean > highest):
                found, most, highest = place, race.visits[place], mean
    return found


@compiled
def two_to_compare(race: Race) -> tuple[int, int]:
    """The places of the best move, and of the chosen one or, if that is the best, of the second."""
    best = verdict(race, parameters()).place if race.done[WORLDS] > 0 else 0
    return best, 0 if best != 0 else runner_up(race, best)


@compiled
def mean_difference(payoffs: Any) -> tuple[float, float]:
    """The mean of the first column minus the second, and its standard error."""
    total, squares, worlds = 0.0, 0.0, payoffs.shape[0]
    for n in range(worlds):
        gain = payoffs[n, 0] - payoffs[n, 1]
        total += gain
        squares += gain * gain
    mean = total / worlds
    spread = max(squares - mean * total, 0.0) + PRIOR_WORLDS * PRIOR_VARIANCE
    return mean, math.sqrt(spread / (worlds + PRIOR_WORLDS) / worlds)


@compiled
def conclude(race: Race, best: int, other: int, payoffs: Any, table: Any, found: Any) -> None:
    """Write what is found. The payoffs are those of the best move and the other one in new worlds."""
    gain, error = mean_difference(payoffs)
    found[BEST], found[LOSS], found[LOSS_ERROR], found[MARGIN], found[MARGIN_ERROR] = best, 0.0, error, 0.0, np.inf
    found[COMPARED], found[AHEAD] = (best, gain) if best != 0 else (other, -gain)
    column = 0
    if best != 0 and gain > 0.0:
        found[LOSS], column = gain, 1
    elif best != 0:  # in other worlds it is no better
        found[BEST], found[MARGIN], found[MARGIN_ERROR], column = 0, -gain, error, 1
    elif other != 0:
        found[MARGIN], found[MARGIN_ERROR] = gain, error
    write_table(race, payoffs, column, table)


@compiled
def write_table(race: Race, payoffs: Any, column: int, table: Any) -> None:
    """Write the worth of all moves: that of the chosen one in all worlds, and the lead of the others over it."""
    total = squares = perfect = 0.0
    worlds = race.visits[0] + payoffs.shape[0]
    for n in range(worlds):
        payoff = race.payoffs[n, 0] if n < race.visits[0] else payoffs[n - race.visits[0], column]
        total += payoff
        squares += payoff * payoff
        perfect += payoff > PERFECT
    base = total / worlds
    spread = max(squares - base * total, 0.0) + PRIOR_WORLDS * PRIOR_VARIANCE
    for place in range(race.moves.shape[0]):
        row, visits = table[place], race.visits[place]
        row[MOVE], row[VISITS] = race.moves[place], visits
        if place == 0:
            row[VALUE], row[VISITS] = base, worlds
            row[ERROR], row[BEST_RESULTS] = math.sqrt(spread / (worlds + PRIOR_WORLDS) / worlds), perfect / worlds
        elif visits > 0:
            best_results = 0
            for n in range(visits):
                best_results += race.payoffs[n, place] > PERFECT
            row[VALUE] = base + lead(race, parameters(), place, 0)[0]
            row[ERROR] = lead(race, parameters(), place, NO_MOVE)[1]
            row[BEST_RESULTS] = best_results / visits
        else:
            row[VALUE], row[ERROR], row[BEST_RESULTS] = 0.0, np.inf, 0.0


def measured(table: Any, found: Any, chosen: int, unit: float) -> Evaluation:
    """An evaluation from the table of moves; `unit` is what a payoff of 1 stands for."""
    worths = [
        Worth(int(row[MOVE]), unit * row[VALUE], unit * row[ERROR], int(row[VISITS]), row[BEST_RESULTS])
        for row in table.tolist()
    ]
    best = worths[int(found[BEST])].move
    gain, error, margin, margin_error = (unit * float(found[each]) for each in (LOSS, LOSS_ERROR, MARGIN, MARGIN_ERROR))
    loss = shrunk(gain, error)
    ahead = worths[0].value + unit * float(found[AHEAD])
    measured_again = worths[int(found[COMPARED])].move if len(worths) > 1 else -1
    usual = usual_worth([w._replace(value=ahead) if w.move == measured_again else w for w in worths], table)
    worths = [worth._replace(value=worths[0].value + loss) if worth.move == best else worth for worth in worths]
    worths.sort(key=lambda worth: (worth.move != best, -worth.value, worth.move))
    return Evaluation(tuple(worths), int(chosen), best, loss, error, margin, margin_error, usual)


def shrunk(gain: float, error: float) -> float:
    """A loss from a measured difference (positive-part shrinkage).

    Noise makes some differences positive although nothing was lost, and over a game these would add up. A difference
    within its standard error counts nothing; one far beyond it hardly shrinks.
    """
    return max(gain - error * error / gain, 0.0) if gain > 0.0 else 0.0


def usual_worth(worths: Sequence[Worth], table: Any) -> float | None:
    """The mean worth of the moves of the seat's own model, which may be random."""
    known = [(worth.value, share) for worth, share in zip(worths, table[:, SHARE], strict=True) if worth.visits > 0]
    total = math.fsum(share for _, share in known)
    return math.fsum(value * share for value, share in known) / total if total > 0.0 else None


# Any game with hidden information, if it has a model of a sensible player


@compiled
def draw_in(worlds: Worlds, start: Any, world: Any, pair: Any, seats: Seats, memories: Any, stream: int) -> None:
    """Draw a world, and give the models the memories that they would have in it."""
    draw(worlds, pair, stream)
    world[0] = pair[WORLD]
    if seats.remembers | seats.watches != 0:
        replay_memories(start, pair, seats)
        for word in range(memories.shape[0]):
            memories[word] = seats.room[word]


@compiled
def measure_moves(
    views: Any, start: Any, models: Any, which: Any, chosen: int, playouts: int, stream: int, table: Any, found: Any
) -> int:
    """Write the worth of every legal move of a view, and of the chosen one beside the best; returns the number of
    moves.

    Worlds are weighed by how likely the others' moves were for a sensible player; in them the models play on.
    """
    view, moves = views[0], np.empty(generic.most_moves(views[0]), np.int64)
    legal, listed = generic.legal_moves(view, move_room(view)), 1
    moves[0] = chosen
    while count(legal) > 0:
        move = first(legal)
        legal = rest(legal)
        if move != chosen:
            moves[listed] = move
            listed += 1
    seats, pair, world = seat_models(models, which), room(view, 2), room(view, 1)
    memories, log = np.zeros(seats.room.shape[0], np.int64), np.zeros(LONGEST_LOG, np.int64)
    worlds = weighed_worlds(view, POOL, number(stream, 0))
    race, racing = new_race(moves[:listed].copy(), min(playouts, MOST_WORLDS)), int(RACE_SHARE * playouts)
    limit, look, n = Limit(racing, np.inf, 0.0), next_comparison(0), 0
    while look > 0 and has_room(race) and still_running(race) > 1:
        draw_in(worlds, start, world, pair, seats, memories, number(number(stream, 1), n))
        if not try_world(race, world, memories, seats, pair, log, view.seat, limit):
            break
        n += 1
        look = drop_some(race, limit, look)
    best, other = two_to_compare(race)
    payoffs = np.zeros((max(min((playouts - racing) // 2, MOST_WORLDS), 2), 2))
    for n in range(payoffs.shape[0]):
        draw_in(worlds, start, world, pair, seats, memories, number(number(stream, 2), n))
        for column in range(2):
            move = race.moves[best if column == 0 else other]
            payoffs[n, column] = play_with_models(world, memories, move, seats, pair, log, view.seat)
    conclude(race, best, other, payoffs, table, found)
    return listed
