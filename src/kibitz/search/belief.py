"""What the other seats' moves say about their cards: sampled worlds, weighted by how likely those moves were in each.

In each world the round is replayed from its start. Whenever another seat moves, the game's model of a sensible player
gets that seat's view, and the world's weight is multiplied by the model's probability of the move that was made. A card
with which another move was far more likely becomes improbable.
"""

import math
from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.move_sets import place
from kibitz.engine.seeds import number
from kibitz.search.playout import MoveBuffers, buffers_for
from kibitz.search.worlds import Worlds, fresh_worlds, room, sample_world


@compiled
def weighed_worlds(view: Any, count: int, stream: int) -> Worlds:
    """A pool of `count` sampled worlds, each weighted by its likelihood."""
    fresh = fresh_worlds(view)
    pool, up_to = room(view, count), np.empty(count)
    pair, buffers = room(view, 2), buffers_for(view)
    for n in range(count):
        sample_world(fresh, pair, number(stream, n))
        pool[n] = pair[WORLD]
        up_to[n] = log_likelihood(pair, pool[n : n + 1], view.seat, buffers)
    add_up(up_to)
    return Worlds(fresh.seen, pool, up_to)


@compiled
def log_likelihood(pair: Any, world: Any, me: int, buffers: MoveBuffers) -> float:
    """The log likelihood of the others' moves of this round, in the world that both the pair and the array hold.

    The pair and the buffers are overwritten.
    """
    generic.rewind(world, pair)
    state, view = pair[WORLD], pair[SEEN]
    likelihood = 0.0
    for turn in range(generic.turns(state), generic.turns(world[0])):
        seat, move = generic.to_move(state), generic.move_at(world[0], turn)
        if seat != me and seat != generic.CHANCE:
            generic.observe(pair, seat, False)
            generic.move_probabilities(view, buffers.chances)
            likelihood += math.log(buffers.chances[place(generic.legal_moves(state, buffers.moves), move)])
        generic.apply(state, move)
    return likelihood


@compiled
def add_up(logarithms: Any) -> None:
    """Turn log weights into cumulative shares, in place and without underflow."""
    greatest = logarithms.max()
    total = 0.0
    for n in range(logarithms.shape[0]):
        total += math.exp(logarithms[n] - greatest)
        logarithms[n] = total
    for n in range(logarithms.shape[0]):
        logarithms[n] /= total
