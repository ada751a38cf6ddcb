"""The state of a game as one struct: three masks of squares, whose turn it is, what draws are counted from, the past.

A search copies it at every node, so the past is kept small: two bytes a move, and the captured pieces apart, as a game
has few captures.
"""

from typing import Any, Protocol

import numpy as np

from kibitz.engine.compile import INTERPRETED, struct_dtype

NOTE = np.int64 if INTERPRETED else np.uint16  # all 16 bits are used, see `rules.noted`
LONGEST = 400  # moves of both: then the game is drawn
MOST_CAPTURES = 24  # moves that capture: there are as many pieces
VARIANTS = BRAZILIAN, ENGLISH, RUSSIAN = range(3)  # in the order of the rule `variant`

# How a game ended.
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
        ("side", np.int64),  # WHITE or BLACK: whose turn it is; of a finished game, whose it would be
        ("turn", np.int64),
        ("quiet", np.int64),  # moves in a row that were made by kings and captured nothing
        ("balanced", np.int64),  # moves in a row that captured nothing and crowned nobody
        ("ending", np.int64),
        # The position that the game began with: a view from elsewhere is checked by playing it again.
        ("first_white", np.int64),
        ("first_black", np.int64),
        ("first_kings", np.int64),
        ("first_side", np.int64),
        ("captures", np.int64),  # moves so far that captured
        ("captured", np.int64, MOST_CAPTURES),  # what each of them took, and whether it crowned on the way
        ("history", NOTE, LONGEST),
    ]
)


class State(Protocol):
    """What compiled functions find in a state."""

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
