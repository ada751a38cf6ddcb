"""The state of a game as one small struct. A view is the same struct with the hidden cards turned face down."""

from typing import Any, Protocol

import numpy as np

from kibitz.engine.compile import MEDIUM, SMALL, WIDE, struct_dtype

SEATS = 5
HAND = 5
CARDS = 50
FACE_DOWN = -1
OPEN = -1  # the seat in a struct that is a state, not a view
TOKENS, LIVES = 8, 3
# A turn draws a card or spends a token, and a token returns only with a drawn card. So no game exceeds 2 × 48 draws and
# tokens, the 8 tokens at the start and the last round.
LONGEST = 112

# Marks: the properties of a card that positive hints named.
COLOUR_MARK, RANK_MARK = 1, 2

# Rule options that differ from the default, as bits.
LOST_SCORES_ZERO, EMPTY_HINTS, NO_FULL_DISCARD = 1, 2, 4


class State(Protocol):
    """A state or a view, as compiled functions read it."""

    dice: int  # in a view: the seat's dice for this turn; else 0
    streams: list[int]  # by seat: the source of its dice; 0 in a view (see `engine.dice`)
    hinted_kinds: list[list[int]]  # the kinds that hints leave open, by seat and slot
    played: int  # the kinds on the piles
    discarded: list[int]  # the kinds of which at least one, two, three copies are discarded
    history: list[int]  # the events, turn by turn: see `rules.event`
    deck: list[int]  # the kind of every card, in the order they are drawn
    hands: list[list[int]]  # places in the deck, by seat and slot, the oldest card first
    marks: list[list[int]]
    held: list[int]  # cards in each hand
    values: list[int]  # the colours (bits 0–4) and ranks (bits 5–9) in each hand, for legal hints
    drawn: int
    tokens: int
    lives: int
    players: int
    seat: int  # the seat of a view, or OPEN
    to_move: int
    countdown: int  # turns left once the deck is empty, −1 before
    turn: int  # moves made
    rules: int


FIELDS: list[tuple[Any, ...]] = [
    ("dice", np.int64),
    ("streams", np.int64, SEATS),
    ("hinted_kinds", WIDE, (SEATS, HAND)),
    ("played", WIDE),
    ("discarded", WIDE, 3),
    ("history", MEDIUM, LONGEST),
    ("values", MEDIUM, SEATS),
    ("deck", SMALL, CARDS),
    ("hands", SMALL, (SEATS, HAND)),
    ("marks", SMALL, (SEATS, HAND)),
    ("held", SMALL, SEATS),
    ("drawn", SMALL),
    ("tokens", SMALL),
    ("lives", SMALL),
    ("players", SMALL),
    ("seat", SMALL),
    ("to_move", SMALL),
    ("countdown", SMALL),
    ("turn", SMALL),
    ("rules", SMALL),
]
STATE = struct_dtype(FIELDS)
