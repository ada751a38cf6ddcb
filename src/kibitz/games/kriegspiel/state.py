"""The state of a game as one struct, and a turn as one number.

A view is the same struct without the other side's pieces and moves. A turn is an attempt, or a question to the umpire
of the lecture; after an illegal attempt or a question the same side is to move.
"""

from typing import Protocol

import numpy as np

from kibitz.engine.compile import WIDE, compiled, struct_dtype
from kibitz.games.chess.board import BOARD_FIELDS
from kibitz.games.chess.game_state import START_FIELDS, GameState

LONGEST = 1200  # attempts and questions: a draw
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
        ("pawn_tries", np.int64),  # whether it is announced that the side to move can capture with a pawn
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


# The rules as a number: the start in the lowest two bits, then the umpire.
START_BITS = 2


@compiled
def start_of(rules: int) -> int:
    return rules & 3


@compiled
def is_lecture(rules: int) -> bool:
    """Whether the umpire is that of the lecture."""
    return rules >> START_BITS & 1 != 0


# Directions that a king can be attacked from, as bits. Of the two diagonals through a square one is longer.
RANK, FILE, LONG_DIAGONAL, SHORT_DIAGONAL, KNIGHT_CHECK = 1, 2, 4, 8, 16
DIRECTIONS = 5
DIAGONAL = LONG_DIAGONAL | SHORT_DIAGONAL  # announced together by the umpire of the lecture

# An event: the attempt, whether it kept the turn, the capture and its square, directions of check, pawn tries or the
# answer to a question. The other side hears all of it but the move; by the umpire of the lecture, it hears nothing of
# an event that keeps the turn.
ATTEMPT = (1 << 15) - 1
KEEPS_TURN = 1 << 15  # an illegal attempt, or a question
ASK = 1  # in place of an attempt: the question "have I any capture?"; no move has this number
NO_CAPTURE, A_PAWN, A_PIECE, A_CAPTURE = range(4)  # as announced: the umpire of the lecture does not say of what
MAX_EVENT = (1 << 30) - 1


@compiled
def event_of(move: int, taken: int, square: int, check_mask: int, pawn_tries: int) -> int:
    return move | taken << 16 | (square if taken != NO_CAPTURE else 0) << 18 | check_mask << 24 | pawn_tries << 29


@compiled
def event_move(event: int) -> int:
    return event & ATTEMPT


@compiled
def keeps_turn(event: int) -> bool:
    return event & KEEPS_TURN != 0


@compiled
def asked(answer: bool) -> int:
    """The event of a question and its answer."""
    return ASK | KEEPS_TURN | (1 << 29 if answer else 0)


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
    """Whether a pawn can capture; of a question, its answer."""
    return event >> 29 & 1
