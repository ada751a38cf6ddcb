"""What the other seats' moves say about their cards: sampled worlds, weighted by how likely those moves were in each.

In each world the round is lived through again from its start. Whenever another seat is to move, its view in that
world is shown to the game's model of a sensible player, and the world's weight is multiplied by how likely the
move that was made is. A card somebody would hardly have kept quiet about becomes hardly likely.
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
    """A pool of so many sampled worlds, each weighted by its likelihood."""
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
    """The logarithm of how likely the others' moves of this round were, in the world of both the pair and the array.

    The pair and the buffers are written over.
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
    """Turn logarithms of weights into shares of all weights, up to each; however small they are, none is lost."""
    greatest = logarithms.max()
    total = 0.0
    for n in range(logarithms.shape[0]):
        total += math.exp(logarithms[n] - greatest)
        logarithms[n] = total
    for n in range(logarithms.shape[0]):
        logarithms[n] /= total
