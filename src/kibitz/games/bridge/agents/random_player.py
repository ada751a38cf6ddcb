"""A random legal card: the baseline for every comparison."""

from kibitz.engine.bits import chosen_bit
from kibitz.engine.loop import decision
from kibitz.games.bridge.agents import agent
from kibitz.games.bridge.rules import legal
from kibitz.games.bridge.state import State


@agent(title="Random Remy", name="random", reasons=("I play any legal card",), origin="here", random=True)
def random_player(view: State) -> int:
    """Plays any legal card, uniformly at random."""
    return decision(chosen_bit(legal(view), view.dice, 0), 0)
