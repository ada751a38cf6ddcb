"""Counting: what a careful person does who counts cards and remembers what they were shown."""

from kibitz.core.bits import lowest_bit
from kibitz.core.loop import Memory, Weights, decision
from kibitz.loveletter.agents import agent
from kibitz.loveletter.agents.greedy import better, forced
from kibitz.loveletter.model import worths
from kibitz.loveletter.rules import CARD_OF, legal
from kibitz.loveletter.state import Table

REASONS = (
    "{card}: the best chance, by the cards that are left and what I was shown",
    "{card}: the Countess must be played",
)


@agent(reasons=REASONS, origin="kibitz")
def counting(view: Table, memory: Memory, weights: Weights) -> int:
    """Counts the cards, remembers every look, miss and comparison, and plays the best chance.

    It gets rid of a card that others know, hides behind a Handmaid, and minds the number of the card it keeps
    more and more as the deck runs out.
    """
    values = worths(view)
    best, moves = -1, legal(view)
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        if better(view, move, best, values[move] - (values[best] if best >= 0 else 0.0)):
            best = move
    return decision(best, 1 if forced(view) else 0, CARD_OF[best])
