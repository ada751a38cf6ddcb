"""Search against a lone king: the belief state is the set of squares that he may be on.

The other pieces are known, so the set is a bit mask and look-ahead is cheap: an attempt partitions the squares by
announcement (illegal, check from a direction, nothing), the king moves anywhere he may, and each part is searched in
turn. At a leaf, a set is better the smaller it and the king's region are, the nearer the kings are to each other, and
the nearer he is to the edge.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.chess.board import (
    BOARD,
    CENTRE,
    KINDS,
    KING,
    KING_ATTACKS,
    KNIGHT,
    PAWN,
    Board,
    attacks,
    bit,
    holds,
    kind_at,
    king_square,
    without_lowest,
)
from kibitz.games.chess.moves import (
    ALL_KINDS,
    MAX_MOVES,
    copy_board,
    from_square,
    list_pseudo_legal,
    make_move,
    to_square,
)
from kibitz.games.kriegspiel.state import DIRECTIONS
from kibitz.games.kriegspiel.tablebase import MATE_POINTS, write_estimate
from kibitz.games.kriegspiel.umpire import announced_directions, direction
from kibitz.search.choice import Estimates

MATED, DRAWN, LOST_PIECE = MATE_POINTS, -8000.0, -8000.0
SOONER = 3.0  # points per move saved
CLASSES = 1 << DIRECTIONS
# In points: per square in the king's region, per square he may be on, per step between the kings (mean and maximum),
# and per step from the edges.
DRIVING = np.array([3.0, 0.1, 6.0, 0.0, 25.0])  # to the edge
FINDING = np.array([1.0, 16.0, 2.0, 0.0, 4.0])  # his square
REGION, SQUARES, NEAR, FAR, MIDDLE = range(5)
NOT_A, NOT_H = ~0x0101010101010101, 0x7F7F7F7F7F7F7F7F


class Best(NamedTuple):
    move: int
    value: float


@compiled
def beside(squares: int) -> int:
    """The squares and their neighbours."""
    wide = squares | (squares << 1) & NOT_A | (squares >> 1) & NOT_H
    return wide | wide << 8 | (wide >> 8) & 0x00FFFFFFFFFFFFFF


@compiled
def attacked_squares(b: Board, side: int) -> int:
    """The squares that a lone king may not enter."""
    found, pieces = 0, b.sides[side]
    own = pieces
    while pieces != 0:
        square = lowest_bit(pieces)
        pieces = without_lowest(pieces)
        found |= attacks(kind_at(b, square), side, square, own)
    return found


@compiled
def directions_to(b: Board, side: int, king: int) -> int:
    """The directions from which a king on a square is attacked."""
    found, pieces, own = 0, b.sides[side] & ~b.pieces[KING], b.sides[side]
    while pieces != 0:
        square = lowest_bit(pieces)
        pieces = without_lowest(pieces)
        if holds(attacks(kind_at(b, square), side, square, own), king):
            found |= direction(king, square, holds(b.pieces[KNIGHT], square))
    return found


@compiled
def evaluate_set(b: Board, side: int, kings: int, weights: Numbers) -> float:
    """The value of a set of squares before an own move."""
    barred = attacked_squares(b, side) | b.sides[side]
    region, wider = kings, beside(kings) & ~barred | kings
    while wider != region:
        region, wider = wider, beside(wider) & ~barred | wider
    count, own = count_bits(kings), king_square(b, side)
    near, far, middle, squares = 0, 0, 0, kings
    while squares != 0:
        square = lowest_bit(squares)
        squares = without_lowest(squares)
        steps = max(abs((square & 7) - (own & 7)), abs((square >> 3) - (own >> 3)))
        near, far = near + steps, max(far, steps)
        middle += CENTRE[square]
    spread = weights[REGION] * count_bits(region) + weights[SQUARES] * count + weights[FAR] * far
    return -spread - (weights[NEAR] * near + weights[MIDDLE] * middle) / count


@compiled
def refused_squares(b: Board, move: int) -> int:
    """The squares of the other king for which a move is illegal. No piece of his blocks it or gives check."""
    start, end = from_square(move), to_square(move)
    if holds(b.pieces[KING], start):
        return KING_ATTACKS[end] | bit(end)
    if holds(b.pieces[PAWN], start):
        return bit(end) | bit((start + end) >> 1) if abs(end - start) == 16 else bit(end)
    return 0


class Partition(NamedTuple):
    """The squares of the other king after an attempt, partitioned by announcement."""

    goes: Any  # by announcement: where the king can be after his move
    counts: Any  # by announcement: the number of squares he may have been on


@compiled
def divide(after: Board, side: int, legal: int, soon: int, rules: int, parts: Partition) -> float:
    """Partition squares of the other king after an own move; returns the points where it ends the game."""
    total, barred, own = 0.0, attacked_squares(after, side), after.sides[side]
    parts.goes[:], parts.counts[:] = 0, 0
    while legal != 0:
        king = lowest_bit(legal)
        legal = without_lowest(legal)
        goes = KING_ATTACKS[king] & ~barred
        if goes == 0:
            total += MATED + SOONER * soon if holds(barred, king) else DRAWN
        elif goes & own:
            total += LOST_PIECE
        else:
            said = announced_directions(directions_to(after, side, king), rules) if holds(barred, king) else 0
            parts.goes[said] |= goes
            parts.counts[said] += 1
    return total


@compiled
def best_at(
    b: Board, side: int, kings: int, depth: int, probes: int, rules: int, boards: Any, weights: Numbers, values: Any
) -> Best:
    """The best attempt, looking ahead `depth` own moves, if the other king is on one of these squares.

    Its value is the mean over them. A refusal costs nothing: for the squares where it is refused, the best attempt for
    these counts. `boards` has room for one board per depth. The value of each attempt is written into `values`, in the
    order of `list_pseudo_legal`, unless it is empty.
    """
    room, after = np.empty(MAX_MOVES, np.int64), boards[depth]
    parts = Partition(np.empty(CLASSES, np.int64), np.empty(CLASSES, np.int64))
    best, highest = -1, -1e9
    for n in range(list_pseudo_legal(b, ALL_KINDS, room)):
        refused = refused_squares(b, room[n]) & kings
        if kings & ~refused == 0:
            continue
        total = 0.0
        if refused != 0 and probes > 0:
            total = (
                count_bits(refused)
                * best_at(b, side, refused, depth, probes - 1, rules, boards, weights, values[:0]).value
            )
        elif refused != 0:
            total = count_bits(refused) * evaluate_set(b, side, refused, weights)
        copy_board(b, after)
        make_move(after, room[n])
        after.side = side
        total += divide(after, side, kings & ~refused, depth, rules, parts)
        for said in range(CLASSES):
            if parts.counts[said] and depth > 1:
                total += (
                    parts.counts[said]
                    * best_at(
                        after, side, parts.goes[said], depth - 1, probes, rules, boards, weights, values[:0]
                    ).value
                )
            elif parts.counts[said]:
                total += parts.counts[said] * evaluate_set(after, side, parts.goes[said], weights)
        if n < values.shape[0]:
            values[n] = total / count_bits(kings)
        if total / count_bits(kings) > highest:
            best, highest = room[n], total / count_bits(kings)
    return Best(best, highest) if best >= 0 else Best(-1, evaluate_set(b, side, kings, weights))


@compiled
def squares_of_king(view: Any, rows: Any, count: int) -> int:
    """The squares of the other king in the positions."""
    kings = 0
    for n in range(count):
        kings |= rows[n, KING] & ~view.sides[view.seat]
    return kings


@compiled
def best_attempt(view: Any, kings: int, depth: int, weights: Numbers, found: Estimates) -> Best:
    """The best attempt against a lone king on one of these squares, with estimates of all of them."""
    boards = np.zeros(depth + 2, BOARD)
    b, side = boards[depth + 1], view.seat
    for kind in range(KINDS):
        b.pieces[kind] = view.pieces[kind] & view.sides[side]
    b.sides[side], b.sides[1 - side] = view.sides[side], 0
    b.side, b.castling, b.en_passant = side, view.castling & (3 if side == 0 else 12), -1
    room, values = np.empty(MAX_MOVES, np.int64), np.full(MAX_MOVES, np.nan)
    best = best_at(b, side, kings, depth, 1, view.rules, boards, weights, values)
    for n in range(list_pseudo_legal(b, ALL_KINDS, room)):
        for place in range(found.moves.shape[0]):
            if found.moves[place] == room[n] and not np.isnan(values[n]):
                write_estimate(found, place, values[n], kings)
    return best
