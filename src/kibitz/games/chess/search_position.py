"""Ordinary chess for a search: the board with a Zobrist key, all legal moves, and an evaluation that counts pieces.

Neither dice chess nor Kriegspiel plays by these rules; `examples/bishop.py` searches such positions.
"""

from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.generic import FORCED, TACTICAL
from kibitz.engine.zobrist import zobrist_numbers
from kibitz.games.chess.board import (
    BLACK,
    BOARD,
    BOARD_FIELDS,
    HALFMOVE_LIMIT,
    KINDS,
    KING,
    NO_SQUARE,
    PAWN,
    ROOK,
    checkers,
    holds,
    kind_at,
    without_lowest,
)
from kibitz.games.chess.moves import (
    ALL_KINDS,
    MAX_MOVES,
    captured_square,
    copy_board,
    from_square,
    is_castling,
    list_legal,
    make_move,
    promotion_of,
    to_square,
)

# The key comes first: Numba takes a struct that begins with the fields of a board for a board, and warns.
POSITION = struct_dtype([("zobrist", np.int64), *BOARD_FIELDS])
PIECE_VALUES = np.array([100.0, 320.0, 330.0, 500.0, 900.0, 0.0])  # by kind

# The facts of a position: pieces by side, kind and square; rights to castle; the en passant square; Black to move.
KEYS = zobrist_numbers(2 * KINDS + 2, 64)
CASTLING_KEYS, EN_PASSANT_KEYS = KEYS[2 * KINDS, :16], KEYS[2 * KINDS + 1]
BLACK_MOVES = int(KEYS[2 * KINDS, 16])


def position_of(board: Any) -> Any:
    """A board as a position, in an array of one."""
    made = np.zeros(1, POSITION)
    copy_board(board, made[0])
    made[0]["zobrist"] = zobrist_of(made[0])
    return made


# The key


@compiled
def piece_key(side: int, kind: int, square: int) -> int:
    return KEYS[KINDS * side + kind, square]


@compiled
def rights_key(p: Any) -> int:
    """The part of the key for castling and en passant."""
    return CASTLING_KEYS[p.castling] ^ (EN_PASSANT_KEYS[p.en_passant] if p.en_passant != NO_SQUARE else 0)


@compiled
def zobrist_of(p: Any) -> int:
    """The key of a position, made from scratch."""
    key = rights_key(p) ^ (BLACK_MOVES if p.side == BLACK else 0)
    for side in range(2):
        pieces = p.sides[side]
        while pieces != 0:
            square = lowest_bit(pieces)
            pieces = without_lowest(pieces)
            key ^= piece_key(side, kind_at(p, square), square)
    return key


@compiled
def key(p: Any) -> int:
    return p.zobrist


@compiled
def apply(p: Any, move: int) -> None:
    """Make a move. The key changes by what leaves a square and what comes to one."""
    side, start, end = p.side, from_square(move), to_square(move)
    kind, taken, promotion = kind_at(p, start), captured_square(p, move), promotion_of(move)
    change = rights_key(p) ^ BLACK_MOVES
    change ^= piece_key(side, kind, start) ^ piece_key(side, promotion if promotion > 0 else kind, end)
    if taken != NO_SQUARE:
        change ^= piece_key(1 - side, kind_at(p, taken), taken)
    if is_castling(p, move):
        corner, beside = (start + 3, start + 1) if end > start else (start - 4, start - 1)
        change ^= piece_key(side, ROOK, corner) ^ piece_key(side, ROOK, beside)
    make_move(p, move)
    p.zobrist ^= change ^ rights_key(p)


# The rules


@compiled
def positions(p: Any, count: int) -> Any:
    made = np.empty(count, POSITION)
    made[0] = p
    return made


@compiled
def moves(p: Any, room: Any) -> int:
    return list_legal(p, ALL_KINDS, room, np.empty(1, BOARD))


@compiled
def most_moves(p: Any) -> int:
    return MAX_MOVES


@compiled
def to_move(p: Any) -> int:
    if p.halfmove_clock >= HALFMOVE_LIMIT or moves(p, np.empty(MAX_MOVES, np.int64)) == 0:
        return generic.OVER
    return p.side


@compiled
def payoff(p: Any, seat: int) -> float:
    """Of a finished game: a side in check has lost, if it has no move."""
    if checkers(p, p.side) == 0 or moves(p, np.empty(MAX_MOVES, np.int64)) > 0:
        return 0.5
    return 0.0 if seat == p.side else 1.0


# For searches


@compiled
def evaluate(p: Any, seat: int, weights: Any) -> float:
    """The values of the pieces, in hundredths of a pawn."""
    points = 0.0
    for kind in range(KING):
        mine, theirs = p.pieces[kind] & p.sides[seat], p.pieces[kind] & p.sides[1 - seat]
        points += PIECE_VALUES[kind] * (count_bits(mine) - count_bits(theirs))
    return points


@compiled
def move_order_score(p: Any, move: int) -> float:
    """Captures of valuable pieces by cheap ones, then promotions."""
    taken = captured_square(p, move)
    points = PIECE_VALUES[promotion_of(move)] if promotion_of(move) > PAWN else 0.0
    if taken != NO_SQUARE:
        points += 10.0 * PIECE_VALUES[kind_at(p, taken)] - PIECE_VALUES[kind_at(p, from_square(move))]
    return points


@compiled
def quiescence(p: Any) -> int:
    return FORCED if checkers(p, p.side) != 0 else TACTICAL


@compiled
def tactical_moves(p: Any, room: Any) -> Any:
    """All moves out of check; else captures."""
    count, kept = moves(p, room), 0
    if checkers(p, p.side) != 0:
        return room[:count]
    for n in range(count):
        if holds(p.sides[1 - p.side], to_square(room[n])):
            room[kept] = room[n]
            kept += 1
    return room[:kept]


generic.implement(
    "chess", POSITION, to_move=to_move, moves=moves, most_moves=most_moves, apply=apply, payoff=payoff, key=key,
    positions=positions, evaluate=evaluate, move_order_score=move_order_score, quiescence=quiescence,
    tactical_moves=tactical_moves,
)  # fmt: skip
