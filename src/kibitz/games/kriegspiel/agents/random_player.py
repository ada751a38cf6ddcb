"""Random attempts: the baseline for every comparison."""

import numpy as np

from kibitz.engine.loop import decision
from kibitz.engine.seeds import below
from kibitz.games.chess.moves import MAX_MOVES
from kibitz.games.kriegspiel.agents import agent
from kibitz.games.kriegspiel.state import State
from kibitz.games.kriegspiel.umpire import list_attempts


@agent(title="Random Roy", name="random", reasons=("I attempt anything",), origin="kibitz", random=True)
def random_player(view: State) -> int:
    """Attempts any move that may be legal, or asks if the umpire answers, uniformly at random."""
    room = np.empty(MAX_MOVES, np.int64)
    return decision(room[below(view.dice, 0, list_attempts(view, room))], 0)
