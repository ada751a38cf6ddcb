"""Counting: plays like a careful person who counts cards and remembers what they were shown.

The value of a move uses everything that the seat knows, but looks only one reply ahead.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.weights import Numbers, load_weights
from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.loveletter.agents import agent
from kibitz.games.loveletter.agents.greedy import better, explained
from kibitz.games.loveletter.cards import BARON, CARDS, GUARD, HANDMAID, KINDS, KING, PRIEST, PRINCE, PRINCESS
from kibitz.games.loveletter.chances import write_held
from kibitz.games.loveletter.rules import CARD_OF, MOVES, NAMED_OF, TARGET_OF, legal, unseen
from kibitz.games.loveletter.state import NOBODY, State

REASONS = (
    "I play the {card}, my best chance by the cards I have seen{why}",
    "I must play the {card}, because I also hold a King or a Prince",
)


class Prices(NamedTuple):
    """The weights, explained in `counting.toml`."""

    risk: float
    rank: float
    look: float
    shelter: float
    known: float
    exchange: float
    fresh_card: float


WEIGHTS = load_weights(Path(__file__).with_name("counting.toml"), tuple(f"worth.{name}" for name in Prices._fields))
PRICES = Prices(*WEIGHTS.values.tolist())


@compiled
def priced(weights: Numbers) -> Prices:
    return Prices(weights[0], weights[1], weights[2], weights[3], weights[4], weights[5], weights[6])


@compiled
def closing(view: State) -> float:
    """How near the end of the deck is, up to 1."""
    left = CARDS - view.drawn
    return 1.0 / (1 + left)


@compiled
def expected(chances: Any) -> float:
    """The expected number of a card."""
    mean = 0.0
    for kind in range(1, KINDS):
        mean += kind * chances[kind]
    return mean


@compiled
def worth(view: State, move: int, kept: int, chances: Any, prices: Prices) -> float:
    """The value of a move for the seat to move; `chances` are the probabilities of the target's card."""
    me, card, target = view.to_move, CARD_OF[move], TARGET_OF[move]
    if card == PRINCESS or (target == me and kept == PRINCESS):
        return -1.0 * prices.risk
    near = closing(view)
    value = prices.rank * near * kept / PRINCESS
    exposed = view.known[me] != 0 and kept == view.hands[me][0] and card != kept
    if exposed and card != HANDMAID:
        value -= prices.known
    if card == HANDMAID:
        value += prices.shelter
    if target == NOBODY:
        return value
    if target == me:  # replaces the kept card with one that nobody knows
        hidden = prices.known * (prices.exchange if exposed else 0.0)
        return hidden + prices.rank * near * (prices.fresh_card - kept) / PRINCESS
    if card == GUARD:
        value += chances[NAMED_OF[move]]
    elif card == PRIEST:
        certain = 0.0
        for kind in range(1, KINDS):
            certain = max(certain, chances[kind])
        value += prices.look * (1 - certain)
    elif card == BARON:
        for kind in range(1, KINDS):
            value += chances[kind] if kind < kept else -prices.risk * chances[kind] if kind > kept else 0.0
    elif card == PRINCE:
        value += chances[PRINCESS] + prices.rank * near * (expected(chances) - prices.fresh_card) / PRINCESS
    elif card == KING:
        value += prices.rank * near * (expected(chances) - kept) / PRINCESS - prices.known * prices.exchange
    return value


@compiled
def worths(view: State, prices: Prices) -> Any:
    """The values of all moves of the seat to move; −10 for illegal ones."""
    me = view.to_move
    values = np.full(MOVES, -10.0)
    left, chances = unseen(view), np.empty(KINDS)
    known_of = NOBODY  # the seat whose card the chances are about
    moves = legal(view)
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        target = TARGET_OF[move]
        aimed = target != NOBODY and target != me
        if aimed and target != known_of:
            write_held(view, target, left, chances)
            known_of = target
        values[move] = worth(view, move, view.hands[me][0] + view.hands[me][1] - CARD_OF[move], chances, prices)
    return values


@compiled
def best_of(view: State, values: Any) -> int:
    """The legal move with the highest value."""
    best, moves = -1, legal(view)
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        if better(view, move, best, values[move] - (values[best] if best >= 0 else 0.0)):
            best = move
    return best


@agent(title="Counting Corey", reasons=REASONS, origin="kibitz", weights=WEIGHTS)
def counting(view: State, weights: Numbers) -> int:
    """Counts the cards, remembers everything it was shown, and makes the move with the best chances.

    It gets rid of cards that others know, likes a Handmaid's protection, and cares more for high cards as the deck
    runs out.
    """
    return explained(view, best_of(view, worths(view, priced(weights))))
