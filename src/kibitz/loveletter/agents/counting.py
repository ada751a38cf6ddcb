"""Counting: what a careful person does who counts cards and remembers what they were shown.

What a move is worth uses all that the seat was shown, but looks no further than the next answer.
"""

from typing import Any

import numpy as np

from kibitz.core.bits import lowest_bit
from kibitz.core.compile import compiled
from kibitz.loveletter.agents import agent
from kibitz.loveletter.agents.greedy import better, explained
from kibitz.loveletter.cards import BARON, CARDS, GUARD, HANDMAID, KINDS, KING, PRIEST, PRINCE, PRINCESS
from kibitz.loveletter.chances import write_held
from kibitz.loveletter.rules import CARD_OF, MOVES, NAMED_OF, TARGET_OF, legal, unseen
from kibitz.loveletter.state import NOBODY, State

REASONS = (
    "{card}: the best chance, by the cards that are left and what I was shown{why}",
    "{card}: she must be played beside a King or a Prince",
)
RANK_MATTERS = 0.5  # what the highest card is worth when the deck is about to end
LOOK, SHELTER = 0.06, 0.10  # what a look at a card and a turn without danger are worth
KNOWN = 0.25  # what it costs to keep a card that somebody knows
MIDDLE = 3.5  # what a fresh card is about


@compiled
def closing(view: State) -> float:
    """How near the end of the deck is, from 0 to 1."""
    left = CARDS - view.drawn
    return 1.0 / (1 + left)


@compiled
def expected(chances: Any) -> float:
    """The mean number of a card."""
    mean = 0.0
    for kind in range(1, KINDS):
        mean += kind * chances[kind]
    return mean


@compiled
def worth(view: State, move: int, kept: int, chances: Any) -> float:
    """What a move is worth to the seat to move; the chances are those of the target's card."""
    me, card, target = view.to_move, CARD_OF[move], TARGET_OF[move]
    if card == PRINCESS or (target == me and kept == PRINCESS):
        return -1.0
    near = closing(view)
    value = RANK_MATTERS * near * kept / PRINCESS
    exposed = view.known[me] != 0 and kept == view.hands[me][0] and card != kept
    if exposed and card != HANDMAID:
        value -= KNOWN
    if card == HANDMAID:
        value += SHELTER
    if target == NOBODY:
        return value
    if target == me:  # a new card that nobody knows, for the one kept
        return KNOWN * (0.5 if exposed else 0.0) + RANK_MATTERS * near * (MIDDLE - kept) / PRINCESS
    if card == GUARD:
        value += chances[NAMED_OF[move]]
    elif card == PRIEST:
        certain = 0.0
        for kind in range(1, KINDS):
            certain = max(certain, chances[kind])
        value += LOOK * (1 - certain)
    elif card == BARON:
        for kind in range(1, KINDS):
            value += chances[kind] if kind < kept else -chances[kind] if kind > kept else 0.0
    elif card == PRINCE:
        value += chances[PRINCESS] + RANK_MATTERS * near * (expected(chances) - MIDDLE) / PRINCESS
    elif card == KING:
        value += RANK_MATTERS * near * (expected(chances) - kept) / PRINCESS - KNOWN * 0.5
    return value


@compiled
def worths(view: State) -> Any:
    """The worth of every move of the seat to move; those that are not legal are worth −10."""
    me = view.to_move
    values = np.full(MOVES, -10.0)
    left, chances = unseen(view), np.empty(KINDS)
    known_of = NOBODY  # whose card the chances are about
    moves = legal(view)
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        target = TARGET_OF[move]
        aimed = target != NOBODY and target != me
        if aimed and target != known_of:
            write_held(view, target, left, chances)
            known_of = target
        values[move] = worth(view, move, view.hands[me][0] + view.hands[me][1] - CARD_OF[move], chances)
    return values


@compiled
def best_of(view: State, values: Any) -> int:
    """The legal move that is worth most."""
    best, moves = -1, legal(view)
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        if better(view, move, best, values[move] - (values[best] if best >= 0 else 0.0)):
            best = move
    return best


@agent(title="Counting Corey", reasons=REASONS, origin="kibitz")
def counting(view: State) -> int:
    """Counts the cards, remembers every look, miss and comparison, and plays the best chance.

    It gets rid of a card that others know, hides behind a Handmaid, and minds the number of the card it keeps
    more and more as the deck runs out.
    """
    return explained(view, best_of(view, worths(view)))
