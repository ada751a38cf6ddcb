"""Flat Monte Carlo: every legal move is tried in the same sampled worlds, each played to its end.

All moves share the worlds and the dice of the playouts (common random numbers), so moves differ by their merit, not by
luck. Every move is tried equally often, so the common luck cancels exactly; `docs/explanation/search.md` shows that
this chooses better than spending the playouts on the most promising moves.
"""

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.loop import WORLD
from kibitz.engine.move_sets import count, first, place, rest
from kibitz.engine.seeds import number
from kibitz.search.choice import Estimates, add_payoff, move_room, no_estimates, set_errors
from kibitz.search.clock import Limit, goes_on
from kibitz.search.playout import buffers_for, play_to_end
from kibitz.search.worlds import Worlds, draw, room

NEEDS = (
    "sample_world",
    "horizon",
    "payoff",
    "legal_moves",
    "move_probabilities",
)  # besides the rules of play


@compiled
def flat(worlds: Worlds, limit: Limit, stream: int, playout: int) -> Estimates:
    """The mean payoff of every move in the view; an iteration is one playout."""
    view = worlds.seen[0]
    world, pair, buffers = room(view, 1), room(view, 2), buffers_for(view)
    moves = generic.legal_moves(view, move_room(view))
    found = no_estimates(view, moves)
    squares = np.zeros(found.moves.shape[0])
    untried = moves
    done = 0
    tried_all = 0
    dice = 0
    while goes_on(limit, done):
        if done == 0 or count(untried) == 0:
            untried = moves
            draw(worlds, pair, number(stream, 2 * tried_all))
            world[0] = pair[WORLD]
            dice = number(stream, 2 * tried_all + 1)
            tried_all += 1
        move = first(untried)
        untried = rest(untried)
        pair[WORLD] = world[0]
        generic.apply(pair[WORLD], move)
        generic.resolve_chance(pair[WORLD], dice)
        play_to_end(pair, playout, dice, buffers)
        add_payoff(found, place(moves, move), generic.payoff(pair[WORLD], view.seat), squares)
        done += 1
    set_errors(found, squares)
    return found
