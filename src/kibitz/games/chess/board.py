"""A position of chess as bitboards, and the squares that its pieces attack.

A set of squares is a mask with a bit for each, from a1 to h8: a position has one per kind of piece and one per side.
Sliding attacks come from tables of rays that end at the first piece.
"""

from typing import Any, Protocol

import numpy as np

from kibitz.engine.bits import highest_bit, lowest_bit
from kibitz.engine.compile import compiled, struct_dtype

WHITE, BLACK = 0, 1
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
KINDS = 6
NO_SQUARE = -1  # instead of a square
HALFMOVE_LIMIT = 100  # moves of both sides without a pawn move or a capture: a draw
ONE: Any = np.int64(1)  # 64 bits in interpreted code, too
# Rights to castle, as bits.
WHITE_KINGSIDE, WHITE_QUEENSIDE, BLACK_KINGSIDE, BLACK_QUEENSIDE = 1, 2, 4, 8

BOARD_FIELDS: list[tuple[Any, ...]] = [
    ("pieces", np.int64, KINDS),  # of both sides, by kind
    ("sides", np.int64, 2),
    ("side", np.int64),  # to move
    ("castling", np.int64),
    ("en_passant", np.int64),  # the square that a pawn has just passed over, or NOWHERE
    ("halfmove_clock", np.int64),  # moves since the last pawn move or capture
    ("fullmove_number", np.int64),  # from 1, the same for both sides
]
BOARD = struct_dtype(BOARD_FIELDS)


class Board(Protocol):
    """A struct with the fields of a board, of a game's state as well."""

    pieces: Any
    sides: Any
    side: int
    castling: int
    en_passant: int
    halfmove_clock: int
    fullmove_number: int


def as_mask(squares: int) -> np.int64:
    """The same bits as a signed number; h8 is its sign."""
    return np.uint64(squares & (1 << 64) - 1).astype(np.int64)


STEPS = ((0, 1), (1, 0), (1, 1), (-1, 1), (0, -1), (-1, 0), (-1, -1), (1, -1))  # file and rank; upwards first
UPWARDS = 4  # of the steps lead to higher squares
KNIGHT_STEPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))


def reachable(square: int, steps: tuple[tuple[int, int], ...], far: bool) -> int:
    found = 0
    for across, up in steps:
        file, rank = square % 8 + across, square // 8 + up
        while 0 <= file < 8 and 0 <= rank < 8:
            found |= 1 << (8 * rank + file)
            if not far:
                break
            file, rank = file + across, rank + up
    return found


def attack_table(steps: tuple[tuple[int, int], ...], far: bool = False) -> Any:
    return np.array([as_mask(reachable(square, steps, far)) for square in range(64)])


RAYS = np.array([attack_table((step,), far=True) for step in STEPS])
KNIGHT_ATTACKS, KING_ATTACKS = attack_table(KNIGHT_STEPS), attack_table(STEPS)
PAWN_ATTACKS = np.array([attack_table(((-1, 1), (1, 1))), attack_table(((-1, -1), (1, -1)))])  # by side
# How many steps a square is from the nearest file and rank of the edge, both added.
CENTRE = np.array([min(s & 7, 7 - (s & 7)) + min(s >> 3, 7 - (s >> 3)) for s in range(64)])


@compiled
def bit(square: int) -> int:
    return ONE << square


@compiled
def holds(squares: int, square: int) -> bool:
    return (squares >> square) & 1 != 0


@compiled
def without_lowest(squares: int) -> int:
    """All squares but the lowest. The usual subtraction of one would overflow if h8 is alone."""
    return squares ^ bit(lowest_bit(squares))


@compiled
def ray_attacks(ray: int, square: int, occupied: int) -> int:
    """The squares from a square up to and including the first piece."""
    free = RAYS[ray, square]
    pieces = free & occupied
    if pieces == 0:
        return free
    return free ^ RAYS[ray, lowest_bit(pieces) if ray < UPWARDS else highest_bit(pieces)]


@compiled
def rook_attacks(square: int, occupied: int) -> int:
    return (
        ray_attacks(0, square, occupied)
        | ray_attacks(1, square, occupied)
        | ray_attacks(4, square, occupied)
        | ray_attacks(5, square, occupied)
    )


@compiled
def bishop_attacks(square: int, occupied: int) -> int:
    return (
        ray_attacks(2, square, occupied)
        | ray_attacks(3, square, occupied)
        | ray_attacks(6, square, occupied)
        | ray_attacks(7, square, occupied)
    )


@compiled
def occupied_squares(b: Board) -> int:
    return b.sides[WHITE] | b.sides[BLACK]


@compiled
def attacks(kind: int, side: int, square: int, occupied: int) -> int:
    """The squares that a piece attacks, occupied or not."""
    if kind == PAWN:
        return PAWN_ATTACKS[side, square]
    if kind == KNIGHT:
        return KNIGHT_ATTACKS[square]
    if kind == BISHOP:
        return bishop_attacks(square, occupied)
    if kind == ROOK:
        return rook_attacks(square, occupied)
    if kind == QUEEN:
        return rook_attacks(square, occupied) | bishop_attacks(square, occupied)
    return KING_ATTACKS[square]


@compiled
def attackers(b: Board, square: int, side: int, occupied: int) -> int:
    """The pieces of a side that attack a square, given the occupied squares."""
    pieces = b.pieces
    lines = rook_attacks(square, occupied) & (pieces[ROOK] | pieces[QUEEN])
    lines |= bishop_attacks(square, occupied) & (pieces[BISHOP] | pieces[QUEEN])
    near = KNIGHT_ATTACKS[square] & pieces[KNIGHT] | KING_ATTACKS[square] & pieces[KING]
    near |= PAWN_ATTACKS[1 - side, square] & pieces[PAWN]
    return (lines | near) & b.sides[side]


@compiled
def kind_at(b: Board, square: int) -> int:
    """The kind of the piece on a square, or −1."""
    for kind in range(KINDS):
        if holds(b.pieces[kind], square):
            return kind
    return -1


@compiled
def king_square(b: Board, side: int) -> int:
    king = b.pieces[KING] & b.sides[side]
    return lowest_bit(king) if king != 0 else NO_SQUARE


@compiled
def checkers(b: Board, side: int) -> int:
    """The pieces that give check to a side."""
    king = king_square(b, side)
    return attackers(b, king, 1 - side, occupied_squares(b)) if king != NO_SQUARE else 0
