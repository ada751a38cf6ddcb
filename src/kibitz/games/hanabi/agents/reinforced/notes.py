"""Public memory of hints: the last hint that touched each card.

Hints are public, so all players share the notes. A card is named by its place in the deck.
"""

from typing import Protocol

import numpy as np

from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.games.hanabi.cards import holds
from kibitz.games.hanabi.rules import HINT, event_detail, event_move
from kibitz.games.hanabi.state import CARDS, State

NOTES = struct_dtype([("of_card", np.int64, CARDS)])


class Notes(Protocol):
    of_card: list[int]  # by place in the deck; 0 if no hint touched the card


# The bits of a note.
TOGETHER = 0b11  # the number of cards the hint touched: 1, 2, or 3 for more
NEWEST, OLDEST = 1 << 2, 1 << 3  # of the touched cards
RANK_HINT, FIRST_MARK, WITH_NEXT_DISCARD = 1 << 4, 1 << 5, 1 << 6
TURN = 8  # the shift of the turn of the hint


@compiled
def unnoted(view: State, seat: int, notes: Notes) -> int:
    """The slots of a hand that no hint touched."""
    slots = 0
    for slot in range(view.held[seat]):
        slots |= (notes.of_card[view.hands[seat][slot]] == 0) << slot
    return slots


@compiled
def hint_note(value: int, touched: int, unmarked: int, turn: int) -> int:
    """The part of a note that all cards touched by a hint share; `card_note` adds the rest."""
    next_discard = unmarked & -unmarked  # the oldest unmarked card
    rank = RANK_HINT if value >= 5 else 0
    saves = WITH_NEXT_DISCARD if touched & next_discard else 0
    return min(count_bits(touched), 3) | rank | saves | turn << TURN


@compiled
def card_note(note: int, touched: int, unmarked: int, slot: int) -> int:
    newest = NEWEST if touched >> slot == 1 else 0
    oldest = OLDEST if touched & ((1 << slot) - 1) == 0 else 0
    return note | newest | oldest | (FIRST_MARK if holds(unmarked, slot) else 0)


def take_notes(view: State, public: Notes) -> None:
    """After every move: if it was a hint, note it for the cards it touched."""
    if view.turn == 0:
        return
    happened = view.history[view.turn - 1]
    move = event_move(happened)
    if move < HINT:
        return
    seat, value, touched = (move - HINT) // 10, (move - HINT) % 10, event_detail(happened)
    unmarked = unnoted(view, seat, public)
    note = hint_note(value, touched, unmarked, view.turn)
    left = touched
    while left:
        slot = lowest_bit(left)
        left &= left - 1
        public.of_card[view.hands[seat][slot]] = card_note(note, touched, unmarked, slot)
