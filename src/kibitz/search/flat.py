"""Flat Monte Carlo: every legal move is tried in the same sampled worlds, each played to its end.

The worlds and the dice of their playouts are common to all moves, so that what differs between two moves is
the moves, not their luck. Every move is tried equally often: that makes the common luck cancel exactly, and
`docs/explanation/search.md` shows it to choose better than spending the trials where they look best.
"""

import numpy as np

from kibitz.core import generic
from kibitz.core.bits import lowest_bit
from kibitz.core.compile import compiled
from kibitz.core.loop import WORLD
from kibitz.core.seeds import number
from kibitz.search.choice import MOVES, Estimates, no_estimates
from kibitz.search.clock import Limit, goes_on
from kibitz.search.playout import play_to_end
from kibitz.search.worlds import Worlds, draw, room


@compiled
def flat(worlds: Worlds, limit: Limit, stream: int, playout: int) -> Estimates:
    """The mean payoff of every move of the seat that sees the view; an iteration is one playout."""
    view = worlds.seen[0]
    found = no_estimates()
    world, pair, chances = room(view, 1), room(view, 2), np.empty(MOVES)
    moves = generic.legal(view)
    untried = 0
    done = 0
    tried_all = 0
    while goes_on(limit, done):
        if untried == 0:
            untried = moves
            draw(worlds, pair, number(stream, 2 * tried_all))
            world[0] = pair[WORLD]
            dice = number(stream, 2 * tried_all + 1)
            tried_all += 1
        move = lowest_bit(untried)
        untried &= untried - 1
        pair[WORLD] = world[0]
        generic.apply(pair[WORLD], move)
        play_to_end(pair, playout, dice, chances)
        found.visits[move] += 1
        found.values[move] += (generic.payoff(pair[WORLD], view.seat) - found.values[move]) / found.visits[move]
        done += 1
    return found
