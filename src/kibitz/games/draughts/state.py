"""The state of a game as one struct: three masks of squares, the side to move, counters for draws, and the history.

A search copies it at every node, so the history is small: two bytes per move, and the few captures separately.
"""

from typing import Any, Protocol

import numpy as np

from kibitz.engine.compile import INTERPRETED, struct_dtype

NOTE = np.int64 if INTERPRETED else np.uint16  # uses all 16 bits, see `rules.history_entry`
LONGEST = 400  # moves of both sides, after which the game is drawn
MOST_CAPTURES = 24  # the number of pieces
VARIANTS = BRAZILIAN, ENGLISH, RUSSIAN = range(3)  # in the order of the rule `variant`

# How a game ended
PLAYED, NO_MOVE, REPEATED, KINGS_ONLY, FEW_PIECES, MAIN_ROAD_HELD, TOO_LONG = range(7)

STATE = struct_dtype(
    [
        ("dice", np.int64),
        ("streams", np.int64, 2),
        ("seat", np.int64),
        ("players", np.int64),
        ("rules", np.int64),  # the variant
        ("white", np.int64),  # masks of squares
        ("black", np.int64),
        ("kings", np.int64),  # of both
        ("side", np.int64),  # WHITE or BLACK: the side to move; in a finished game, the side that would be
        ("zobrist", np.int64),  # the key of the position
        ("turn", np.int64),
        ("quiet", np.int64),  # king moves in a row without a capture
        ("balanced", np.int64),  # moves in a row without a capture or a new king
        ("ending", np.int64),
        # The initial position, from which views from other hosts are replayed.
        ("first_white", np.int64),
        ("first_black", np.int64),
        ("first_kings", np.int64),
        ("first_side", np.int64),
        ("captures", np.int64),  # the number of captures so far
        ("captured", np.int64, MOST_CAPTURES),  # the pieces that each of them took, and whether it crowned on the way
        ("history", NOTE, LONGEST),
    ]
)


class State(Protocol):
    """A struct of the type STATE."""

    dtype: Any
    dice: int
    streams: Any
    seat: int
    players: int
    rules: int
    white: int
    black: int
    kings: int
    side: int
    zobrist: int
    turn: int
    quiet: int
    balanced: int
    ending: int
    first_white: int
    first_black: int
    first_kings: int
    first_side: int
    captures: int
    captured: Any
    history: Any
