"""How a sensible player moves: what each move is worth to it, and how likely it makes it.

The worth counts cards and uses all that the seat was shown, but looks no further than the next answer.
"""

from typing import Any

import numpy as np

from kibitz.core.bits import count_bits, lowest_bit
from kibitz.core.compile import compiled
from kibitz.loveletter.cards import BARON, CARDS, GUARD, HANDMAID, KINDS, KING, PRIEST, PRINCE, PRINCESS
from kibitz.loveletter.chances import held_by
from kibitz.loveletter.rules import CARD_OF, NAMED_OF, TARGET_OF, legal
from kibitz.loveletter.state import NOBODY, Table

RANK_MATTERS = 0.5  # what the highest card is worth when the deck is about to end
LOOK, SHELTER = 0.06, 0.10  # what a look at a card and a turn without danger are worth
KNOWN = 0.25  # what it costs to keep a card that somebody knows
MIDDLE = 3.5  # what a fresh card is about
KEENNESS = 8.0  # how much likelier a better move is
FLOOR = 0.02  # anybody may do anything


@compiled
def closing(view: Table) -> float:
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
def worth(view: Table, move: int, kept: int, chances: Any) -> float:
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
def worths(view: Table) -> Any:
    """The worth of every move of the seat to move; those that are not legal are worth −10."""
    me = view.to_move
    values = np.full(64, -10.0)
    last, chances = -2, np.zeros(KINDS)
    moves = legal(view)
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        target = TARGET_OF[move]
        if target != last:
            chances = held_by(view, target) if target != NOBODY and target != me else np.zeros(KINDS)
            last = target
        values[move] = worth(view, move, view.hands[me][0] + view.hands[me][1] - CARD_OF[move], chances)
    return values


@compiled
def plausible(view: Table, chances: Any) -> None:
    values = worths(view)
    legal_moves = legal(view)
    total, moves = 0.0, legal_moves
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        chances[move] = np.exp(KEENNESS * values[move])
        total += chances[move]
    moves = legal_moves
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        chances[move] = FLOOR / count_bits(legal_moves) + (1 - FLOOR) * chances[move] / total
