"""Random moves except the Princess: the baseline for every comparison."""

from kibitz.engine.bits import chosen_bit
from kibitz.engine.loop import decision
from kibitz.games.loveletter.agents import agent
from kibitz.games.loveletter.cards import PRINCESS
from kibitz.games.loveletter.rules import MOVES_WITH, legal
from kibitz.games.loveletter.state import State


@agent(
    title="Random Rory",
    name="random",
    reasons=("I play anything but the Princess",),
    origin="Malarczyk 2016, section 3.1",
    random=True,
)
def random_player(view: State) -> int:
    """Makes a random legal move, but never plays the Princess."""
    return decision(chosen_bit(legal(view) & ~MOVES_WITH[PRINCESS][0], view.dice, 0), 0)
