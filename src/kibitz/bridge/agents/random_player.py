"""Any legal card: the floor for every comparison."""

from kibitz.bridge.agents import agent
from kibitz.bridge.rules import legal
from kibitz.bridge.state import State
from kibitz.core.bits import chosen_bit
from kibitz.core.loop import decision


@agent(title="Random Remy", name="random", reasons=("any card that is legal",), origin="here", random=True)
def random_player(view: State) -> int:
    """Plays any legal card, each as likely as the others."""
    return decision(chosen_bit(legal(view), view.dice, 0), 0)
