"""Random moves: the baseline for every comparison."""

import numpy as np

from kibitz.engine import generic
from kibitz.engine.loop import decision
from kibitz.engine.move_sets import any_of
from kibitz.games.draughts.agents import agent
from kibitz.games.draughts.capturing import MOST_MOVES
from kibitz.games.draughts.state import State


@agent(
    title="Random Rosa", name="random", reasons=("I make any legal move",), origin="kibitz", random=True
)  # fmt: skip
def random_player(view: State) -> int:
    """Makes a legal move, uniformly at random."""
    return decision(any_of(generic.legal_moves(view, np.empty(MOST_MOVES, np.int64)), view.dice, 0), 0)
