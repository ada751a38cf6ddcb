"""What all players remember of hints: of every card the last hint that touched it.

Hints are public, so the notes are kept once for everybody. A card is named by its place in the deck.
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
TOGETHER = 0b11  # how many cards the hint touched: 1, 2, or 3 for more
NEWEST, OLDEST = 1 << 2, 1 << 3  # of the cards that it touched
RANK_HINT, FIRST_MARK, WITH_NEXT_DISCARD = 1 << 4, 1 << 5, 1 << 6
TURN = 8  # where the number of moves made up to then begins


@compiled
def unnoted(view: State, seat: int, notes: Notes) -> int:
    """The slots of a hand that no hint touched."""
    slots = 0
    for slot in range(view.held[seat]):
        slots |= (notes.of_card[view.hands[seat][slot]] == 0) << slot
    return slots


@compiled
def hint_note(value: int, touched: int, unmarked: int, turn: int) -> int:
    """What is noted of every card that a hint touches; `card_note` adds what differs from card to card."""
    next_discard = unmarked & -unmarked  # the oldest card nothing was said of
    rank = RANK_HINT if value >= 5 else 0
    saves = WITH_NEXT_DISCARD if touched & next_discard else 0
    return min(count_bits(touched), 3) | rank | saves | turn << TURN


@compiled
def card_note(note: int, touched: int, unmarked: int, slot: int) -> int:
    newest = NEWEST if touched >> slot == 1 else 0
    oldest = OLDEST if touched & ((1 << slot) - 1) == 0 else 0
    return note | newest | oldest | (FIRST_MARK if holds(unmarked, slot) else 0)


def take_notes(view: State, public: Notes) -> None:
    """After every move: note a hint of the cards that it touched."""
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
