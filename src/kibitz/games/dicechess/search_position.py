"""What a search works on: the board and the roll, without the history, and its evaluation."""

from typing import Any

import numpy as np

from kibitz.core.weights import Numbers, Weights
from kibitz.engine import generic
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.games.chess.board import (
    BOARD_FIELDS,
    HALFMOVE_LIMIT,
    KINDS,
    KING,
    NO_SQUARE,
    attacks,
    kind_at,
    occupied_squares,
    without_lowest,
)
from kibitz.games.chess.game_state import most_moves
from kibitz.games.chess.moves import captured_square, copy_board, make_move, promotion_of
from kibitz.games.dicechess.rules import (
    ROLL,
    STATE,
    State,
    chance_moves,
    king_is_gone,
    moves,
    payoff,
    roll,
)

# The roll comes first: Numba takes a struct that begins with the fields of a board for a board, and warns.
POSITION = struct_dtype([("rolled", np.int64), *BOARD_FIELDS])

# In centipawns: the pieces, an attacked square, and a kind of piece that attacks the king and takes him if rolled.
PIECES = (100.0, 320.0, 330.0, 500.0, 900.0)
NAMES = ("pawn", "knight", "bishop", "rook", "queen", "mobility", "king_attack")
RANGES = ((50.0, 200.0), (100.0, 600.0), (100.0, 600.0), (200.0, 900.0), (300.0, 1500.0), (0.0, 30.0), (0.0, 800.0))
WEIGHTS = Weights((*PIECES, 4.0, 150.0), NAMES, RANGES)
MOBILITY, KING_ATTACK = 5, 6
CAPTURE_VALUES = np.array([*PIECES, 5000.0])  # by kind of the captured piece


@compiled
def positions(state: State, count: int) -> Any:
    made = np.empty(count, POSITION)
    copy_board(state, made[0])
    made[0].rolled = state.rolled
    return made


@compiled
def to_move(p: Any) -> int:
    if king_is_gone(p, 0) or king_is_gone(p, 1) or p.halfmove_clock >= HALFMOVE_LIMIT:
        return generic.OVER
    return generic.CHANCE if p.rolled == 0 else p.side


@compiled
def apply(p: Any, move: int) -> None:
    if move > ROLL:
        roll(p, move - ROLL)
    else:
        make_move(p, move)
        p.rolled = 0


@compiled
def side_value(p: Any, side: int, weights: Numbers) -> float:
    """The value of a side's pieces and of what they attack."""
    worth, kinds_at_king = 0.0, 0
    pieces, occupied = p.sides[side], occupied_squares(p)
    king = p.pieces[KING] & p.sides[1 - side]
    while pieces != 0:
        square = lowest_bit(pieces)
        pieces = without_lowest(pieces)
        kind = kind_at(p, square)
        reach = attacks(kind, side, square, occupied)
        worth += weights[MOBILITY] * count_bits(reach)
        if kind != KING:
            worth += weights[kind]
        if reach & king:
            kinds_at_king |= 1 << kind
    return worth + weights[KING_ATTACK] * count_bits(kinds_at_king)


@compiled
def evaluate(p: Any, seat: int, weights: Numbers) -> float:
    points = side_value(p, seat, weights) - side_value(p, 1 - seat, weights)
    return min(max(points, -8000.0), 8000.0)


@compiled
def move_order_score(p: Any, move: int) -> float:
    """The value of its capture and of its promotion."""
    taken, promotion = captured_square(p, move), promotion_of(move)
    kind = kind_at(p, taken) if taken != NO_SQUARE else KINDS
    return (CAPTURE_VALUES[kind] if kind < KINDS else 0.0) + (CAPTURE_VALUES[promotion] if promotion else 0.0)


generic.implement("dicechess", POSITION, to_move=to_move, moves=moves, most_moves=most_moves, apply=apply,
                  chance_moves=chance_moves, payoff=payoff, evaluate=evaluate,
                  move_order_score=move_order_score)  # fmt: skip
generic.implement("dicechess", STATE, positions=positions)
