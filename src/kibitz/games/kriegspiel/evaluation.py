"""The value of a possible position after an own move, when the opponent does not see it either.

Material counts, and a little placement. A capture by the other side counts by how likely it will be tried: where a
capture was just announced, with a pawn when a pawn try is announced, elsewhere only by luck.
"""

from typing import Any

import numpy as np

from kibitz.core.weights import Numbers, Weights
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.chess.board import (
    BISHOP,
    CENTRE,
    KINDS,
    KING,
    KNIGHT,
    NO_SQUARE,
    PAWN,
    QUEEN,
    ROOK,
    WHITE,
    Board,
    attackers,
    bit,
    kind_at,
    occupied_squares,
    without_lowest,
)
from kibitz.games.chess.moves import ALL_KINDS, captured_square, from_square, leaves_check, list_pseudo_legal, to_square
from kibitz.games.kriegspiel.umpire import has_legal_move, has_quick_legal_move

VALUES = np.array([100.0, 320.0, 330.0, 500.0, 900.0, 0.0])
WON, DRAWN = 10_000.0, -2_000.0  # a draw is bad for the side ahead, and the other has little to lose
# The probability of a capture: where it was announced, with a pawn, by luck. Then the points for a step towards the
# centre and for a rank of a pawn.
NAMES = ("recapture", "pawn_capture", "lucky_capture", "centre", "advance")
RANGES = ((0.3, 1.2), (0.2, 1.2), (0.0, 1.0), (0.0, 15.0), (0.0, 15.0))
WEIGHTS = Weights((0.9, 0.7, 0.25, 4.0, 4.0), NAMES, RANGES)
RECAPTURE, PAWN_CAPTURE, LUCKY_CAPTURE, CENTRAL, ADVANCE = range(5)


@compiled
def material_and_placement(b: Board, side: int, weights: Numbers) -> float:
    """The value of a side's pieces and of their squares."""
    points, pieces = 0.0, b.sides[side]
    few = count_bits(b.sides[1 - side]) <= 4
    while pieces != 0:
        square = lowest_bit(pieces)
        pieces = without_lowest(pieces)
        kind, rank = kind_at(b, square), square >> 3 if side == WHITE else 7 - (square >> 3)
        points += VALUES[kind]
        if kind == PAWN:
            points += weights[ADVANCE] * rank + (weights[ADVANCE] * rank * rank if few else 0.0)
        elif kind == KING:
            points += (weights[CENTRAL] if few else -2.0 * weights[CENTRAL]) * CENTRE[square]
        elif kind != QUEEN:
            points += weights[CENTRAL] * CENTRE[square]
    return points


@compiled
def expected_loss(b: Board, announced: int, weights: Numbers, room: Any, after: Any) -> float:
    """The expected gain of the side to move by a capture; `announced` is the square of the last capture."""
    worst, side, occupied = 0.0, b.side, occupied_squares(b)
    for n in range(list_pseudo_legal(b, ALL_KINDS, room)):
        move = room[n]
        square = captured_square(b, move)
        if square == NO_SQUARE:
            continue
        kind = kind_at(b, from_square(move))
        gain = VALUES[kind_at(b, square)]
        if attackers(b, to_square(move), 1 - side, occupied & ~bit(from_square(move))) & ~b.pieces[KING] != 0:
            gain -= VALUES[kind]
        share = (
            weights[RECAPTURE]
            if to_square(move) == announced
            else weights[PAWN_CAPTURE]
            if kind == PAWN
            else weights[LUCKY_CAPTURE]
        )
        if gain * share > worst and not leaves_check(b, move, after):
            worst = gain * share
    return worst


@compiled
def evaluate(b: Board, me: int, announced: int, weights: Numbers, room: Any, after: Any) -> float:
    """The value of a position in points after an own move; `announced` is the square of its capture, or NO_SQUARE."""
    if not has_quick_legal_move(b, after) and not has_legal_move(b, room, after):
        checked = attackers(b, lowest_bit(b.pieces[KING] & b.sides[b.side]), me, occupied_squares(b)) != 0
        return WON if checked else DRAWN
    points = material_and_placement(b, me, weights) - material_and_placement(b, 1 - me, weights)
    return points - expected_loss(b, announced, weights, room, after)


@compiled
def is_lone_king(rows: Any, count: int, own: int) -> bool:
    """Whether the other side has only its king in all positions."""
    for n in range(count):
        for kind in range(KINDS - 1):
            if rows[n, kind] & ~own != 0:
                return False
    return True


@compiled
def can_mate(pieces: Any, own: int) -> bool:
    """Whether a side has mating material against a lone king: a pawn, rook or queen, or two minor pieces."""
    strong = (pieces[PAWN] | pieces[ROOK] | pieces[QUEEN]) & own
    return strong != 0 or count_bits((pieces[KNIGHT] | pieces[BISHOP]) & own) > 1
