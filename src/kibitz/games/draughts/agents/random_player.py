"""Any legal move: the floor for every comparison."""

import numpy as np

from kibitz.engine import generic
from kibitz.engine.loop import decision
from kibitz.engine.move_sets import any_of
from kibitz.games.draughts.agents import agent
from kibitz.games.draughts.capturing import MOST_MOVES
from kibitz.games.draughts.state import State


@agent(
    title="Random Rosa", name="random", reasons=("any legal move",), origin="the floor of comparisons", random=True
)  # fmt: skip
def random_player(view: State) -> int:
    """Makes any legal move, each as likely as the others."""
    return decision(any_of(generic.legal_moves(view, np.empty(MOST_MOVES, np.int64)), view.dice, 0), 0)
