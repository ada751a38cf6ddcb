"""Random legal moves: the baseline for speed and for scores."""

from kibitz.engine.bits import chosen_bit
from kibitz.engine.loop import decision
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.rules import legal
from kibitz.games.hanabi.state import State


@agent(title="Random Rowan", reasons=("I make any legal move",), origin="kibitz", random=True)
def random_legal(view: State) -> int:
    """Makes a random legal move, each with equal probability."""
    return decision(chosen_bit(legal(view), view.dice, 0), 0)
