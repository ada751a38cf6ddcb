"""Move generation: pseudo-legal and legal moves, and making a move.

A move is a number that encodes its squares and the promotion. Moves are listed in ascending order.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.chess.board import (
    BISHOP,
    BLACK_KINGSIDE,
    BLACK_QUEENSIDE,
    BOARD,
    KING,
    KNIGHT,
    NO_SQUARE,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
    WHITE,
    WHITE_KINGSIDE,
    WHITE_QUEENSIDE,
    Board,
    attackers,
    attacks,
    bishop_attacks,
    bit,
    checkers,
    holds,
    kind_at,
    king_square,
    occupied_squares,
    rook_attacks,
    without_lowest,
)

MAX_MOVES = 256  # the maximum is 218, with nine queens
ALL_KINDS = (1 << 6) - 1
PROMOTIONS = (KNIGHT, BISHOP, ROOK, QUEEN)  # of a pawn, encoded as 1 to 4
MOVE_CODES = 1 << 15  # every encoded move is below

E1, E8 = 4, 60
SHORT_PATH, LONG_PATH = 0b01100000, 0b00001110  # White's squares between king and rook

# The castling rights lost by a move from or to a square.
RIGHTS_LOST = np.zeros(64, np.int64)
RIGHTS_LOST[[0, 4, 7, 56, 60, 63]] = (
    WHITE_QUEENSIDE,
    WHITE_QUEENSIDE | WHITE_KINGSIDE,
    WHITE_KINGSIDE,
    BLACK_QUEENSIDE,
    BLACK_QUEENSIDE | BLACK_KINGSIDE,
    BLACK_KINGSIDE,
)


@compiled
def encode_move(start: int, end: int, promotion: int) -> int:
    return start << 9 | end << 3 | promotion


@compiled
def from_square(move: int) -> int:
    return move >> 9 & 63


@compiled
def to_square(move: int) -> int:
    return move >> 3 & 63


@compiled
def promotion_of(move: int) -> int:
    """The promotion: from 1, as in PROMOTIONS; 0 for none."""
    return move & 7


# Pseudo-legal moves


@compiled
def pawn_pushes(side: int, square: int, occupied: int) -> int:
    """The squares that a pawn can be pushed to, given the occupied squares."""
    ahead, second = (8, 1) if side == WHITE else (-8, 6)
    if holds(occupied, square + ahead):
        return 0
    targets = bit(square + ahead)
    if square >> 3 == second and not holds(occupied, square + 2 * ahead):
        targets |= bit(square + 2 * ahead)
    return targets


@compiled
def castling_targets(b: Board, occupied: int) -> int:
    """The king's castling targets, by the rights and the free squares; attacks are not checked."""
    shift = 56 * b.side
    rights = b.castling >> 2 * b.side
    targets = 0
    if rights & WHITE_KINGSIDE and occupied & SHORT_PATH << shift == 0:
        targets |= bit(E1 + 2 + shift)
    if rights & WHITE_QUEENSIDE and occupied & LONG_PATH << shift == 0:
        targets |= bit(E1 - 2 + shift)
    return targets


@compiled
def capturable_squares(b: Board) -> int:
    """The squares on which a pawn can capture: the other side's pieces and the en passant square."""
    squares = b.sides[1 - b.side]
    return squares | bit(b.en_passant) if b.en_passant != NO_SQUARE else squares


@compiled
def destinations(b: Board, kind: int, square: int, occupied: int, capturable: int, may_castle: bool) -> int:
    """Where a piece of the side to move can go, given the squares that are occupied and those a pawn can capture on."""
    side = b.side
    if kind == PAWN:
        return pawn_pushes(side, square, occupied) | PAWN_ATTACKS[side, square] & capturable & ~b.sides[side]
    squares = attacks(kind, side, square, occupied) & ~b.sides[side]
    return squares | castling_targets(b, occupied) if kind == KING and may_castle else squares


@compiled
def targets_of(b: Board, kind: int, square: int) -> int:
    """The squares that a piece of the side to move can go to."""
    return destinations(b, kind, square, occupied_squares(b), capturable_squares(b), True)


@compiled
def promotes(kind: int, end: int) -> bool:
    """Whether a move promotes a pawn."""
    return kind == PAWN and (end < 8 or end >= 56)


@compiled
def list_moves(b: Board, kinds: int, occupied: int, capturable: int, may_castle: bool, room: Any) -> int:
    """List the moves of these kinds of pieces (a mask), in ascending order, and return their number.

    The squares that are occupied, and those a pawn can capture on, are the true ones or those a player knows of.
    """
    count, pieces = 0, b.sides[b.side]
    while pieces != 0:
        start = lowest_bit(pieces)
        pieces = without_lowest(pieces)
        kind = kind_at(b, start)
        if kinds >> kind & 1 == 0:
            continue
        targets = destinations(b, kind, start, occupied, capturable, may_castle)
        while targets != 0:
            end = lowest_bit(targets)
            targets = without_lowest(targets)
            first, last = (1, 4) if promotes(kind, end) else (0, 0)
            for promotion in range(first, last + 1):
                room[count] = encode_move(start, end, promotion)
                count += 1
    return count


@compiled
def list_pseudo_legal(b: Board, kinds: int, room: Any) -> int:
    """List the moves of these kinds of pieces, including those that leave the king in check."""
    return list_moves(b, kinds, occupied_squares(b), capturable_squares(b), True, room)


@compiled
def is_well_formed(b: Board, move: int) -> bool:
    """Whether any number encodes a move of a piece of the side to move, with a promotion where it is due."""
    if not 0 <= move < MOVE_CODES or not holds(b.sides[b.side], from_square(move)):
        return False
    if promotes(kind_at(b, from_square(move)), to_square(move)):
        return 1 <= promotion_of(move) <= 4
    return promotion_of(move) == 0


@compiled
def is_pseudo_legal(b: Board, move: int) -> bool:
    """Whether any number encodes a pseudo-legal move."""
    if not is_well_formed(b, move):
        return False
    start = from_square(move)
    return holds(targets_of(b, kind_at(b, start), start), to_square(move))


# Making a move


@compiled
def is_castling(b: Board, move: int) -> bool:
    start, end = from_square(move), to_square(move)
    return holds(b.pieces[KING], start) and abs(end - start) == 2


@compiled
def captured_square(b: Board, move: int) -> int:
    """The square of the piece that a move captures, or NO_SQUARE."""
    start, end = from_square(move), to_square(move)
    if holds(b.sides[1 - b.side], end):
        return end
    if end == b.en_passant and holds(b.pieces[PAWN], start) and (end - start) & 7 != 0:
        return end - 8 if b.side == WHITE else end + 8
    return NO_SQUARE


@compiled
def make_move(b: Board, move: int) -> None:
    """Make a pseudo-legal move."""
    side, start, end = b.side, from_square(move), to_square(move)
    kind, taken = kind_at(b, start), captured_square(b, move)
    castles = is_castling(b, move)
    if taken != NO_SQUARE:
        b.pieces[kind_at(b, taken)] &= ~bit(taken)
        b.sides[1 - side] &= ~bit(taken)
    way = bit(start) | bit(end)
    b.pieces[kind] ^= way
    b.sides[side] ^= way
    if promotion_of(move) > 0:
        b.pieces[PAWN] ^= bit(end)
        b.pieces[promotion_of(move)] |= bit(end)  # the code is the kind
    if castles:
        rook = bit(start + 3) | bit(start + 1) if end > start else bit(start - 4) | bit(start - 1)
        b.pieces[ROOK] ^= rook
        b.sides[side] ^= rook
    b.castling &= ~(RIGHTS_LOST[start] | RIGHTS_LOST[end])
    b.en_passant = (start + end) >> 1 if kind == PAWN and abs(end - start) == 16 else NO_SQUARE
    b.halfmove_clock = 0 if kind == PAWN or taken != NO_SQUARE else b.halfmove_clock + 1
    pass_turn(b)


@compiled
def pass_turn(b: Board) -> None:
    b.fullmove_number += b.side
    b.side = 1 - b.side


# Legal moves


@compiled
def pin_candidates(b: Board) -> int:
    """The pieces in line with their king, without anything between: moving another one opens no line."""
    king, occupied = king_square(b, b.side), occupied_squares(b)
    return (rook_attacks(king, occupied) | bishop_attacks(king, occupied)) & b.sides[b.side]


@compiled
def castles_through_check(b: Board, move: int) -> bool:
    start, end, occupied = from_square(move), to_square(move), occupied_squares(b)
    return (
        attackers(b, start, 1 - b.side, occupied) != 0
        or attackers(b, (start + end) >> 1, 1 - b.side, occupied) != 0
        or attackers(b, end, 1 - b.side, occupied) != 0
    )


@compiled
def leaves_check(b: Board, move: int, after: Any) -> bool:
    """Whether a pseudo-legal move leaves the king in check. `after` is room for one board."""
    if is_castling(b, move):
        return castles_through_check(b, move)
    copy_board(b, after[0])
    make_move(after[0], move)
    return checkers(after[0], b.side) != 0


@compiled
def copy_board(b: Board, other: Board) -> None:
    for kind in range(6):
        other.pieces[kind] = b.pieces[kind]
    other.sides[0], other.sides[1] = b.sides[0], b.sides[1]
    other.side, other.castling, other.en_passant = b.side, b.castling, b.en_passant
    other.halfmove_clock, other.fullmove_number = b.halfmove_clock, b.fullmove_number


@compiled
def list_legal(b: Board, kinds: int, room: Any, after: Any) -> int:
    """List the legal moves of these kinds of pieces, and return their number. `after` is room for one board."""
    count, kept = list_pseudo_legal(b, kinds, room), 0
    king = king_square(b, b.side)
    if king == NO_SQUARE:
        return count
    asked = pin_candidates(b) | bit(king) if checkers(b, b.side) == 0 else -1
    for n in range(count):
        move = room[n]
        risky = holds(asked, from_square(move)) or (
            to_square(move) == b.en_passant and holds(b.pieces[PAWN], from_square(move))
        )
        if not risky or not leaves_check(b, move, after):
            room[kept] = move
            kept += 1
    return kept


@compiled
def is_legal(b: Board, move: int, after: Any) -> bool:
    return is_pseudo_legal(b, move) and not leaves_check(b, move, after)


@compiled
def count_leaves(boards: Any, depth: int, rooms: Any) -> int:
    """Perft from the last but `depth` of the boards: the number of sequences of that many legal moves."""
    place = boards.shape[0] - 1 - depth
    count = list_legal(boards[place], ALL_KINDS, rooms[place], boards[boards.shape[0] - 1 :])
    if depth == 1:
        return count
    total = 0
    for n in range(count):
        boards[place + 1] = boards[place]
        make_move(boards[place + 1], rooms[place, n])
        total += count_leaves(boards, depth - 1, rooms)
    return total


def perft_by_move(board: Any, depth: int) -> Iterator[tuple[int, int]]:
    """Every legal first move, with its share of the perft count."""
    boards, rooms = np.zeros(depth + 1, BOARD), np.zeros((depth + 1, MAX_MOVES), np.int64)
    copy_board(board, boards[0])
    for move in rooms[0, : list_legal(boards[0], ALL_KINDS, rooms[0], boards[depth:])].tolist():
        boards[1] = boards[0]
        make_move(boards[1], move)
        yield move, int(count_leaves(boards[1:], depth - 1, rooms[1:])) if depth > 1 else 1


def perft(board: Any, depth: int) -> int:
    """The number of sequences of `depth` legal moves."""
    return sum(count for _, count in perft_by_move(board, depth)) if depth > 0 else 1
