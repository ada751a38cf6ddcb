"""Two-turn lookahead over a complete list of worlds: the value of a move if the seat's next move is the best for what
it knows by then.

After the move, models play until the same seat is to move again. Worlds that look the same to it then are one
situation, which needs one move for all of them: the move with the highest mean if models finish the game after it.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.dice import chance_stream
from kibitz.engine.loop import ILLEGAL, WORLD, has_observers, notify_observers, play_out
from kibitz.engine.move_sets import count, first, rest
from kibitz.engine.seat import Seats
from kibitz.engine.seeds import number
from kibitz.errors import DecisionError
from kibitz.search.choice import move_room
from kibitz.search.clock import Limit, milliseconds
from kibitz.search.model_playout import play_with_models, restore


class Pool(NamedTuple):
    """All possible worlds, with the models' memories in each."""

    worlds: Any
    weights: Any
    memories: Any  # a row for each


@compiled
def value_of_move(pool: Pool, move: int, seats: Seats, pair: Any, log: Any, me: int, limit: Limit) -> float:
    """The value of a move if models finish the game after it; meaningless if time is up."""
    total = weight = 0.0
    for n in range(pool.weights.shape[0]):
        if milliseconds() > limit.deadline:
            break
        total += pool.weights[n] * play_with_models(
            pool.worlds[n : n + 1], pool.memories[n], move, seats, pair, log, me
        )
        weight += pool.weights[n]
    return total / weight if weight > 0.0 else 0.0


@compiled
def situation(state: Any, me: int, since: int) -> int:
    """A hash of what a seat knows of a world: the moves since a turn, and its information key."""
    seen = generic.information_key(state, me)
    for turn in range(since, generic.turns(state)):
        seen = number(seen, generic.move_at(state, turn))
    return seen


@compiled
def stops_at(seats: Seats, me: int) -> Seats:
    """The same table, where playouts stop at a seat's turn."""
    return Seats(
        seats.seats, seats.room, seats.weights, seats.models, seats.remembers, seats.watches, seats.cheats, 1 << me
    )


@compiled
def play_to_own_turn(
    pool: Pool, later: Pool, move: int, seats: Seats, pair: Any, log: Any, me: int, keys: Any, payoffs: Any
) -> None:
    """Make a move in every world and play to the seat's next turn; the key −1 marks worlds whose game is over."""
    stopping, state = stops_at(seats, me), pair[WORLD]
    for n in range(pool.weights.shape[0]):
        pair[WORLD] = pool.worlds[n]
        since = generic.turns(state)
        restore(seats, pool.memories[n])
        generic.apply(state, move)
        generic.resolve_chance(state, chance_stream(state))
        if has_observers(seats):
            notify_observers(pair, seats, me)
        ended = play_out(pair, stopping, log)
        if ended == ILLEGAL:
            raise DecisionError("a model decided on an illegal move")
        keys[n] = situation(state, me, since) if ended == me else -1
        payoffs[n] = generic.payoff(state, me)
        later.worlds[n] = state
        for word in range(later.memories.shape[1]):
            later.memories[n, word] = seats.room[word]


@compiled
def value_of_situation(
    later: Pool, keys: Any, key: int, move: int, seats: Seats, pair: Any, log: Any, me: int
) -> float:
    """The weighted sum of a move's values over the worlds of a situation."""
    total = 0.0
    for n in range(keys.shape[0]):
        if keys[n] == key:
            payoff = play_with_models(later.worlds[n : n + 1], later.memories[n], move, seats, pair, log, me)
            total += later.weights[n] * payoff
    return total


@compiled
def value_of_two_turns(
    pool: Pool, move: int, seats: Seats, pair: Any, log: Any, me: int, limit: Limit
) -> tuple[float, int]:
    """The value of a move followed by the best next move, and the number of playouts; −1 playouts if time was up."""
    size = pool.weights.shape[0]
    later = Pool(pool.worlds.copy(), pool.weights, pool.memories.copy())
    keys, payoffs = np.empty(size, np.int64), np.empty(size)
    play_to_own_turn(pool, later, move, seats, pair, log, me, keys, payoffs)
    room, playouts, total, weight = move_room(pool.worlds[0]), size, 0.0, 0.0
    for n in range(size):
        weight += pool.weights[n]
        if keys[n] < 0:
            total += pool.weights[n] * payoffs[n]
            continue
        earlier = False
        for other in range(n):
            earlier = earlier or keys[other] == keys[n]
        if earlier:
            continue
        moves, best = generic.legal_moves(later.worlds[n], room), 0.0
        while count(moves):
            if milliseconds() > limit.deadline:
                return 0.0, -1
            best = max(best, value_of_situation(later, keys, keys[n], first(moves), seats, pair, log, me))
            moves = rest(moves)
            playouts += 1
        total += best
    return total / weight, playouts
