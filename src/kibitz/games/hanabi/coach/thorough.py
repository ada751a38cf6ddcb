"""A thorough evaluation of all moves of a decision, for puzzles: exact if few cards are left, else in many worlds.

The review (`evaluation`) must be fast, so it drops moves early. Here every move is tried in the same worlds first;
those that could be the best are then tried in new worlds, and only these count. So the best move does not seem better
than it is because it was selected.
"""

from typing import Any

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.engine.seat import seat_models
from kibitz.games.hanabi.agents.search import SearchMemory, draw_world
from kibitz.games.hanabi.coach.evaluation import worlds_of
from kibitz.games.hanabi.hand_belief import past_of
from kibitz.games.hanabi.last_cards import count_worlds, list_worlds
from kibitz.games.hanabi.state import LONGEST
from kibitz.search.clock import Limit
from kibitz.search.model_playout import play_with_models
from kibitz.search.two_turns import value_of_move

MOST_EXACT = 3000  # worlds


@compiled
def worlds_left(memories: Any) -> int:
    """The number of possible worlds, if they can all be listed; else 0."""
    return count_worlds(memories[0], MOST_EXACT)


@compiled
def exact_values(memories: Any, views: Any, models: Any, which: Any, moves: Any, values: Any) -> None:
    """Write the mean payoff of each move over all possible worlds; the models must not be random."""
    memory = memories[0]
    past = past_of(memory, views[0], seat_models(models, which))
    pool, log = list_worlds(memory, past, count_worlds(memory, MOST_EXACT)), np.zeros(LONGEST, np.int64)
    limit = Limit(1 << 62, np.inf, 0.0)
    for place in range(moves.shape[0]):
        values[place] = value_of_move(pool, moves[place], past.seats, past.pair, log, views[0].seat, limit)


@compiled
def try_moves(memories: Any, views: Any, models: Any, which: Any, moves: Any, stream: int, payoffs: Any) -> None:
    """Write the payoffs of moves, by world and move, in worlds drawn from the belief."""
    memory: SearchMemory = memories[0]
    past = past_of(memory, views[0], seat_models(models, which))
    worlds = worlds_of(memory, past, stream)
    for n in range(payoffs.shape[0]):
        draw_world(memory, past, worlds, n)
        for place in range(moves.shape[0]):
            payoffs[n, place] = play_with_models(
                worlds.world, worlds.memories, moves[place], past.seats, past.pair, worlds.log, views[0].seat
            )
