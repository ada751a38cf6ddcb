"""What every move is worth to a seat that sees this view and knows who the others are.

Its belief about its hand uses the likelihood of the others' moves by their models (`hand_belief`). All moves race in
worlds drawn from it (`search.racing`), in which the models play on. The best of a race seems better than it is, so
what the chosen move loses is measured in other worlds.
"""

import math
from typing import Any

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.engine.loop import WORLD
from kibitz.engine.seat import Seats, seat_models
from kibitz.engine.seeds import number
from kibitz.games.hanabi.agents.lookahead import MOST_WORLDS, POINTS, candidates
from kibitz.games.hanabi.agents.search import MEMORY, SearchMemory, Worlds, draw_world, truthful_moves
from kibitz.games.hanabi.hand_belief import Effort, Past, past_of, shares_of_hands, update_belief
from kibitz.games.hanabi.rules import legal
from kibitz.games.hanabi.state import LONGEST, STATE, State
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

BELIEF = MEMORY  # the struct of `search` serves here, too, so that its compiled functions do
SURPRISE = 0.05  # the likelihood of a move that a model would not make, if its moves rule out every hand
DROP_Z, SWITCH_Z = 2.5, 1.0  # see `racing.RacingParameters`
RACE_SHARE = 0.6  # of the playouts; the rest measures the loss in other worlds
PRIOR_WORLDS, PRIOR_VARIANCE = 2, (0.5 / POINTS) ** 2  # a few differences that agree prove little
PERFECT = 1.0 - 1e-9  # the payoff of 25 points
# Columns of the table of moves, and what else an evaluation returns.
MOVE, VALUE, ERROR, VISITS, BEST_RESULTS, COLUMNS = range(6)
BEST, LOSS, LOSS_ERROR, MARGIN, MARGIN_ERROR, FOUND = range(6)


# The belief


@compiled
def forgetful(seats: Seats) -> Seats:
    """The same seats, without the memories of models that need none to say how likely a move is."""
    remembers = seats.remembers
    for seat in range(seats.seats.shape[0]):
        if seats.seats[seat].chance != 0:
            seats.seats[seat].observe = 0
            remembers &= ~(1 << seat)
    return Seats(
        seats.seats, seats.room, seats.weights, seats.models, remembers, seats.watches, seats.cheats, seats.elsewhere
    )


@compiled
def believe(memories: Any, views: Any, models: Any, which: Any, slack: Any, trusts: bool, hands: int) -> None:
    """Update a seat's belief to its view. `slack` is by seat: the likelihood of moves that its model would not make.

    If no hand is left, somebody is not who we think: then such moves are possible for all, and at last moves say
    nothing.
    """
    memory, view = memories[0], views[0]
    past = past_of(memory, view, forgetful(seat_models(models, which)))
    effort = Effort(hands, hands // 4, 2, np.inf)
    for attempt in range(3):
        for n in range(past.moves):
            least = slack[memory.views[n].to_move]
            memory.slack[n] = 1.0 if attempt == 2 else max(least, SURPRISE) if attempt == 1 else least
        memory.trusts = trusts and attempt == 0
        update_belief(memory, past, effort)
        if memory.count > 0:
            break


# Playouts


@compiled
def worlds_of(memory: SearchMemory, past: Past, stream: int) -> Worlds:
    shares = np.empty(memory.count)
    shares_of_hands(memory, shares)
    return Worlds(shares, stream, np.zeros(1, STATE), past.rooms[past.moves].copy(), np.zeros(LONGEST, np.int64))


@compiled
def race_moves(memory: SearchMemory, view: State, past: Past, race: Race, parameters: RacingParameters, playouts: int,
               stream: int) -> None:  # fmt: skip
    """Try the moves in the same worlds, until one is left or the playouts are spent."""
    limit, worlds = Limit(playouts, np.inf, 0.0), worlds_of(memory, past, stream)
    n, look = 0, next_comparison(0)
    while has_room(race) and still_running(race) > 1:
        draw_world(memory, past, worlds, n)
        if not try_world(race, worlds.world, worlds.memories, past.seats, past.pair, worlds.log, view.seat, limit):
            break
        n += 1
        halve(race, parameters, progress(limit, race.done[PLAYOUTS]))
        if n == look:
            if unbeaten(race):
                break
            drop_hopeless(race, parameters)
            look = next_comparison(n)


@compiled
def compare(memory: SearchMemory, view: State, past: Past, one: int, other: int, count: int, stream: int,
            payoffs: Any) -> None:  # fmt: skip
    """Write the payoffs of two moves in the same new worlds."""
    worlds = worlds_of(memory, past, stream)
    for n in range(count):
        draw_world(memory, past, worlds, n)
        for place in range(2):
            move = one if place == 0 else other
            if place == 1 and other == one:
                payoffs[n, 1] = payoffs[n, 0]
                continue
            payoffs[n, place] = play_with_models(
                worlds.world, worlds.memories, move, past.seats, past.pair, worlds.log, view.seat
            )


@compiled
def mean_difference(payoffs: Any, count: int) -> tuple[float, float]:
    """The mean of the first column minus the second, and its standard error."""
    total = squares = 0.0
    for n in range(count):
        gain = payoffs[n, 0] - payoffs[n, 1]
        total += gain
        squares += gain * gain
    mean = total / count
    spread = max(squares - mean * total, 0.0) + PRIOR_WORLDS * PRIOR_VARIANCE
    return mean, math.sqrt(spread / (count + PRIOR_WORLDS) / count)


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
def evaluate(
    memories: Any, views: Any, models: Any, which: Any, chosen: int, playouts: int, stream: int, table: Any, found: Any
) -> int:
    """Write the worth of every legal move, and of the chosen one beside the best; returns the number of moves.

    The memory must hold the belief. Values are payoffs.
    """
    memory, view = memories[0], views[0]
    past = past_of(memory, view, seat_models(models, which))
    race = new_race(candidates(legal(view), chosen), min(playouts, MOST_WORLDS))
    parameters, moves = all_at_once(DROP_Z, SWITCH_Z, 0.0), race.moves.shape[0]
    racing = int(RACE_SHARE * playouts)
    race_moves(memory, view, past, race, parameters, racing, number(stream, 0))
    best = verdict(race, parameters).place if race.done[WORLDS] > 0 else 0
    other = 0 if best != 0 else runner_up(race, best)
    count = max(min((playouts - racing) // 2, MOST_WORLDS), 2)
    payoffs = np.zeros((count, 2))
    compare(memory, view, past, race.moves[best], race.moves[other], count, number(stream, 1), payoffs)
    gain, error = mean_difference(payoffs, count)
    found[BEST], found[LOSS], found[LOSS_ERROR], found[MARGIN], found[MARGIN_ERROR] = best, 0.0, error, 0.0, np.inf
    column = 0
    if best != 0 and gain > 0.0:
        found[LOSS], column = gain, 1
    elif best != 0:  # in other worlds it is no better
        found[BEST], found[MARGIN], found[MARGIN_ERROR], column = 0, -gain, error, 1
    elif other != 0:
        found[MARGIN], found[MARGIN_ERROR] = gain, error
    write_table(race, parameters, payoffs, column, table)
    return moves


@compiled
def write_table(race: Race, parameters: RacingParameters, payoffs: Any, column: int, table: Any) -> None:
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
            row[VALUE] = base + lead(race, parameters, place, 0)[0]
            row[ERROR] = lead(race, parameters, place, NO_MOVE)[1]
            row[BEST_RESULTS] = best_results / visits
        else:
            row[VALUE], row[ERROR], row[BEST_RESULTS] = 0.0, np.inf, 0.0


# For words


@compiled
def shares(memories: Any, up_to: Any) -> None:
    """Write the cumulative probabilities of the hands."""
    shares_of_hands(memories[0], up_to)


@compiled
def futures(memories: Any, views: Any, models: Any, which: Any, move: int, stream: int, histories: Any) -> None:
    """Make a move in sampled worlds and let the models play until the seat's next turn: the events from this move on,
    by world; −1 after the end of the game."""
    memory, view = memories[0], views[0]
    past = past_of(memory, view, seat_models(models, which))
    worlds, last = worlds_of(memory, past, stream), min(view.turn + view.players, LONGEST)
    for n in range(histories.shape[0]):
        draw_world(memory, past, worlds, n)
        play_with_models(worlds.world, worlds.memories, move, past.seats, past.pair, worlds.log[:last], view.seat)
        state = past.pair[WORLD]
        for turn in range(histories.shape[1]):
            made = view.turn + turn < state.turn
            histories[n, turn] = state.history[view.turn + turn] if made else -1


@compiled
def truthful(memories: Any, views: Any, models: Any, which: Any) -> int:
    """The moves that are truthful by the conventions of the models, as a mask; all, if they declare none."""
    memory, view = memories[0], views[0]
    return truthful_moves(view, past_of(memory, view, seat_models(models, which)))
