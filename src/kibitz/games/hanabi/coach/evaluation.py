"""What every move is worth to a seat that sees this view and knows who the others are.

Its belief about its hand uses the likelihood of the others' moves by their models (`hand_belief`). All moves race in
worlds drawn from it (`search.racing`), in which the models play on. The best of a race seems better than it is, so
what the chosen move loses is measured in other worlds.
"""

from typing import Any

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seat import Seats, seat_models
from kibitz.engine.seeds import number
from kibitz.games.hanabi.agents.lookahead import MOST_WORLDS, candidates, model_move
from kibitz.games.hanabi.agents.search import MEMORY, SearchMemory, Worlds, draw_world, truthful_moves
from kibitz.games.hanabi.hand_belief import Effort, Past, move_chance, past_of, shares_of_hands, update_belief
from kibitz.games.hanabi.rules import legal
from kibitz.games.hanabi.state import LONGEST, STATE, State
from kibitz.search.clock import Limit
from kibitz.search.measured_race import RACE_SHARE, SHARE, conclude, drop_some, two_to_compare
from kibitz.search.model_playout import play_with_models, restore
from kibitz.search.racing import Race, has_room, new_race, next_comparison, still_running, try_world

BELIEF = MEMORY  # the struct of `search` serves here, too, so that its compiled functions do
DECISIONS = 16  # sampled from a random model
SURPRISE = 0.05  # the likelihood of a move that a model would not make, if its moves rule out every hand


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
def race_moves(memory: SearchMemory, view: State, past: Past, race: Race, playouts: int, stream: int) -> None:
    """Try the moves in the same worlds, until one is left or the playouts are spent."""
    limit, worlds = Limit(playouts, np.inf, 0.0), worlds_of(memory, past, stream)
    n, look = 0, next_comparison(0)
    while look > 0 and has_room(race) and still_running(race) > 1:
        draw_world(memory, past, worlds, n)
        if not try_world(race, worlds.world, worlds.memories, past.seats, past.pair, worlds.log, view.seat, limit):
            break
        n += 1
        look = drop_some(race, limit, look)


@compiled
def compare(memory: SearchMemory, view: State, past: Past, one: int, other: int, stream: int, payoffs: Any) -> None:
    """Write the payoffs of two moves in the same new worlds."""
    worlds = worlds_of(memory, past, stream)
    for n in range(payoffs.shape[0]):
        draw_world(memory, past, worlds, n)
        for column in range(2):
            move = one if column == 0 else other
            payoffs[n, column] = play_with_models(
                worlds.world, worlds.memories, move, past.seats, past.pair, worlds.log, view.seat
            )


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
    racing = int(RACE_SHARE * playouts)
    race_moves(memory, view, past, race, racing, number(stream, 0))
    best, other = two_to_compare(race)
    payoffs = np.zeros((max(min((playouts - racing) // 2, MOST_WORLDS), 2), 2))
    compare(memory, view, past, race.moves[best], race.moves[other], number(stream, 1), payoffs)
    conclude(race, best, other, payoffs, table, found)
    write_shares(view, past, race.moves, table)
    return race.moves.shape[0]


@compiled
def write_shares(view: State, past: Past, moves: Any, table: Any) -> None:
    """Write how likely each move is for the model in the seat's own place; sampled if the model is random and does not
    say it."""
    restore(past.seats, past.rooms[past.moves])
    past.pair[SEEN] = view
    own, struct = past.pair[SEEN], past.seats.seats[view.seat]
    if struct.chance != 0:
        for place in range(moves.shape[0]):
            table[place][SHARE] = move_chance(own, struct, moves[place])
        return
    rolls = DECISIONS if struct.random else 1
    for roll in range(rolls):
        own.dice = number(view.dice, roll)
        made = model_move(own, struct)
        for place in range(moves.shape[0]):
            table[place][SHARE] += (moves[place] == made) / rolls


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
