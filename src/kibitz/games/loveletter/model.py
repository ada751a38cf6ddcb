"""The move probabilities of a sensible player, for searches that infer cards from moves and model the others.

A sensible player moves like greedy, minimax or counting, with equal probabilities; sometimes it makes a move that
counting finds nearly as good, and rarely any move.
"""

import math
from typing import Any

from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.loveletter.agents.counting import PRICES, best_of, worths
from kibitz.games.loveletter.agents.greedy import greedy_move
from kibitz.games.loveletter.agents.minimax import minimax_move
from kibitz.games.loveletter.rules import legal
from kibitz.games.loveletter.state import State

LIKE_ONE = 0.3  # the probability of each of the three
ANYTHING = 0.02
NEARLY = 1 - 3 * LIKE_ONE - ANYTHING
KEENNESS = 8.0  # how quickly less valuable moves become less likely


@compiled
def move_probabilities(view: State, chances: Any) -> None:
    """Write the probability of every legal move of the viewer."""
    every = legal(view)
    values = worths(view, PRICES)
    best = best_of(view, values)
    total = 0.0
    moves = every
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        chances[move] = math.exp(KEENNESS * (values[move] - values[best]))
        total += chances[move]
    anything = ANYTHING / count_bits(every)
    moves = every
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        chances[move] = anything + NEARLY * chances[move] / total
    chances[greedy_move(view)] += LIKE_ONE
    chances[minimax_move(view)] += LIKE_ONE
    chances[best] += LIKE_ONE
