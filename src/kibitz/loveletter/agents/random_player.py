"""Any move but the Princess: the floor for every comparison."""

from kibitz.core.bits import chosen_bit
from kibitz.core.loop import decision
from kibitz.loveletter.agents import agent
from kibitz.loveletter.cards import PRINCESS
from kibitz.loveletter.rules import MOVES_WITH, legal
from kibitz.loveletter.state import State


@agent(
    title="Random Rory",
    name="random",
    reasons=("any move but the Princess",),
    origin="Malarczyk 2016, section 3.1",
    random=True,
)
def random_player(view: State) -> int:
    """Makes any legal move, each as likely as the others, but never throws the Princess away."""
    return decision(chosen_bit(legal(view) & ~MOVES_WITH[PRINCESS][0], view.dice, 0), 0)
