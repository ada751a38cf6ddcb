"""The state of a deal as one struct. A view is the same struct without the hands that the seat may not see."""

from typing import Any, Protocol

import numpy as np

from kibitz.engine.compile import SMALL, struct_dtype
from kibitz.games.bridge.cards import CARDS, SEATS, SUITS

OPEN = -1  # the seat of a struct that shows the state itself

# Rule options, as bits: the declarer's seat plus one (0: as dealt), and whether the points of all hands are public.
DECLARER_BITS, POINTS_SHOWN = 7, 8


class State(Protocol):
    """A state or a view, as compiled functions read it."""

    dice: int  # in a view: the seat's own for this turn; else 0
    streams: list[int]  # by seat: where its dice come from; in a view, 0 (see `engine.dice`)
    dealt: list[int]  # by seat: the cards it was dealt, as a mask; for a hidden hand, those it has played
    hands: list[int]  # by seat: the cards it still holds, as a mask; 0 for a hidden hand
    history: list[int]  # the cards in the order they were played
    voids: list[int]  # by seat: the suits it has shown out of, as a mask
    tricks: list[int]  # by side: North and South, East and West
    # By seat, the public limits of points and of the lengths of suits.
    min_points: list[int]
    max_points: list[int]
    min_lengths: list[list[int]]
    max_lengths: list[list[int]]
    level: int  # of the contract: six tricks less than it needs
    strain: int  # the trump suit, or NO_TRUMP
    doubled: int  # 0, 1, or 2 when redoubled
    declarer: int
    dealer: int
    vulnerable: int  # the sides, as a mask: 1 is North and South, 2 East and West
    leader: int  # to this trick
    turn: int  # cards played
    players: int
    seat: int  # of the view; OPEN and ONLOOKER are not seats
    rules: int


FIELDS: list[tuple[Any, ...]] = [
    ("dice", np.int64),
    ("streams", np.int64, SEATS),
    ("dealt", np.int64, SEATS),
    ("hands", np.int64, SEATS),
    ("history", SMALL, CARDS),
    ("voids", SMALL, SEATS),
    ("min_points", SMALL, SEATS),
    ("max_points", SMALL, SEATS),
    ("min_lengths", SMALL, (SEATS, SUITS)),
    ("max_lengths", SMALL, (SEATS, SUITS)),
    ("tricks", SMALL, 2),
    ("level", SMALL),
    ("strain", SMALL),
    ("doubled", SMALL),
    ("declarer", SMALL),
    ("dealer", SMALL),
    ("vulnerable", SMALL),
    ("leader", SMALL),
    ("turn", SMALL),
    ("players", SMALL),
    ("seat", SMALL),
    ("rules", SMALL),
    # Instead of padding bytes, which are uninitialised: two equal states would compare different.
    ("spare", SMALL, 3),
]
STATE = struct_dtype(FIELDS)
