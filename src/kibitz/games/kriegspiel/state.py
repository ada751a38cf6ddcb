"""The state of a game as one struct, and a turn as one number.

A view is the same struct without the other side's pieces and moves. A turn is an attempt; after an illegal one the same
side is to move.
"""

from typing import Protocol

import numpy as np

from kibitz.engine.compile import WIDE, compiled, struct_dtype
from kibitz.games.chess.board import BOARD_FIELDS
from kibitz.games.chess.game_state import START_FIELDS, GameState

LONGEST = 1200  # attempts: a draw
ONGOING, MATE, STALEMATE, FIFTY_MOVES, INSUFFICIENT_MATERIAL, TOO_LONG = range(6)  # the outcome

STATE = struct_dtype(
    [
        ("dice", np.int64),
        ("streams", np.int64, 2),
        ("seat", np.int64),
        ("players", np.int64),
        *BOARD_FIELDS,
        ("outcome", np.int64),
        ("check_mask", np.int64),  # directions from which the king to move is in check
        ("pawn_tries", np.int64),  # whether the side to move can capture with a pawn
        *START_FIELDS,  # both sides know it, except where a lone black king stands
        ("king_candidates", np.int64),  # the squares that king may stand on, as a mask; or 0
        ("rules", np.int64),
        ("turn", np.int64),
        ("history", WIDE, LONGEST),
    ]
)


class State(GameState, Protocol):
    outcome: int
    check_mask: int
    pawn_tries: int
    king_candidates: int
    rules: int


# Directions that a king can be attacked from, as bits. Of the two diagonals through a square one is longer.
RANK, FILE, LONG_DIAGONAL, SHORT_DIAGONAL, KNIGHT_CHECK = 1, 2, 4, 8, 16
DIRECTIONS = 5

# An event: the attempt, whether it was illegal, the capture and its square, directions of check, pawn tries. The other
# side hears all of it but the move.
ATTEMPT = (1 << 15) - 1
ILLEGAL = 1 << 15
NO_CAPTURE, A_PAWN, A_PIECE = range(3)  # as announced
MAX_EVENT = (1 << 30) - 1


@compiled
def event_of(move: int, taken: int, square: int, check_mask: int, pawn_tries: int) -> int:
    return move | taken << 16 | (square if taken != NO_CAPTURE else 0) << 18 | check_mask << 24 | pawn_tries << 29


@compiled
def event_move(event: int) -> int:
    return event & ATTEMPT


@compiled
def is_illegal(event: int) -> bool:
    return event & ILLEGAL != 0


@compiled
def event_captured(event: int) -> int:
    return event >> 16 & 3


@compiled
def event_capture_square(event: int) -> int:
    """The square of the capture."""
    return event >> 18 & 63


@compiled
def event_checks(event: int) -> int:
    return event >> 24 & 31


@compiled
def event_pawn_tries(event: int) -> int:
    return event >> 29 & 1
