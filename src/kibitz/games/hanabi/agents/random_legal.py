"""Any legal move: the yardstick for speed, and the floor for scores."""

from kibitz.engine.bits import chosen_bit
from kibitz.engine.loop import decision
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.rules import legal
from kibitz.games.hanabi.state import State


@agent(title="Random Rowan", reasons=("any legal move",), origin="kibitz", random=True)
def random_legal(view: State) -> int:
    """Makes any legal move, each as likely as the others."""
    return decision(chosen_bit(legal(view), view.dice, 0), 0)
