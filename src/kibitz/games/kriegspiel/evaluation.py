"""What a possible position is worth after an own move, to a player whose opponent does not see it either.

Pieces count, and a little where they stand. What the other side can take counts by how likely it is to know of it: it
was told where something was taken, and that a pawn can take; all else it has to find by luck.
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
WON, DRAWN = 10_000.0, -2_000.0  # a draw is bad for who leads, and who does not has little to lose
# How much of what the other side can take is lost: where it was told of it, with a pawn, by luck; and what is worth
# how much besides pieces: a square nearer to the middle, a rank of a pawn.
NAMES = ("told", "pawn", "luck", "middle", "advance")
RANGES = ((0.3, 1.2), (0.2, 1.2), (0.0, 1.0), (0.0, 15.0), (0.0, 15.0))
WEIGHTS = Weights((0.9, 0.7, 0.25, 4.0, 4.0), NAMES, RANGES)
TOLD, BY_PAWN, LUCK, MIDDLE, ADVANCE = range(5)


@compiled
def material_and_placement(b: Board, side: int, weights: Numbers) -> float:
    """The pieces of a side, and where they stand."""
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
            points += (weights[MIDDLE] if few else -2.0 * weights[MIDDLE]) * CENTRE[square]
        elif kind != QUEEN:
            points += weights[MIDDLE] * CENTRE[square]
    return points


@compiled
def expected_loss(b: Board, told: int, weights: Numbers, room: Any, after: Any) -> float:
    """What the side to move is likely to win by taking something; `told` is where it lost something just now."""
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
        share = weights[TOLD] if to_square(move) == told else weights[BY_PAWN] if kind == PAWN else weights[LUCK]
        if gain * share > worst and not leaves_check(b, move, after):
            worst = gain * share
    return worst


@compiled
def evaluate(b: Board, me: int, told: int, weights: Numbers, room: Any, after: Any) -> float:
    """What a position is worth, in points, after an own move; `told` is where that took something, or NOWHERE."""
    if not has_quick_legal_move(b, after) and not has_legal_move(b, room, after):
        checked = attackers(b, lowest_bit(b.pieces[KING] & b.sides[b.side]), me, occupied_squares(b)) != 0
        return WON if checked else DRAWN
    points = material_and_placement(b, me, weights) - material_and_placement(b, 1 - me, weights)
    return points - expected_loss(b, told, weights, room, after)


@compiled
def is_lone_king(rows: Any, count: int, own: int) -> bool:
    """Whether the other side has nothing but its king in all positions."""
    for n in range(count):
        for kind in range(KINDS - 1):
            if rows[n, kind] & ~own != 0:
                return False
    return True


@compiled
def can_mate(pieces: Any, own: int) -> bool:
    """Whether a side has something to mate a lone king with: a pawn, a rook or a queen, or two lesser pieces."""
    strong = (pieces[PAWN] | pieces[ROOK] | pieces[QUEEN]) & own
    return strong != 0 or count_bits((pieces[KNIGHT] | pieces[BISHOP]) & own) > 1
