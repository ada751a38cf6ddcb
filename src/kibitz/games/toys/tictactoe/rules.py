"""The rules: three in a row on nine places, which are bits 0 to 8, row by row from the bottom left.

Positions have Zobrist keys, updated by each move.
"""

from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import SMALL, compiled, struct_dtype
from kibitz.engine.zobrist import zobrist_numbers

SEATS, SIDE = 2, 3
PLACES = SIDE * SIDE
FULL = (1 << PLACES) - 1
LINES = (0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124)
CROSSINGS = tuple(sum(line >> place & 1 for line in LINES) for place in range(PLACES))
KEYS = zobrist_numbers(SEATS, PLACES)  # by seat and place of a mark
STATE = struct_dtype(
    [
        ("dice", np.int64),
        ("streams", np.int64, SEATS),
        ("key", np.int64),
        ("marks", np.int64, SEATS),  # the marked places of each seat
        ("turn", np.int64),
        ("players", SMALL),
        ("seat", SMALL),
        ("places", SMALL, PLACES),  # the moves in order
        ("of_tictactoe", SMALL, 5),  # instead of padding bytes, which are uninitialised
    ]
)


@compiled
def deal(s: Any, players: int, rules: int, stream: int) -> None:
    s.key = 0
    s.marks[:] = 0
    s.turn = 0
    s.players = players
    s.seat = -1
    s.places[:] = 0
    s.of_tictactoe[:] = 0


@compiled
def has_line(marks: int) -> bool:
    found = False
    for line in LINES:
        found |= marks & line == line
    return found


@compiled
def last(s: Any) -> int:
    """The seat that moved last."""
    return (s.turn + 1) & 1


@compiled
def to_move(s: Any) -> int:
    return -1 if s.turn == PLACES or has_line(s.marks[last(s)]) else s.turn & 1


@compiled
def legal(s: Any) -> int:
    return 0 if to_move(s) < 0 else FULL ^ (s.marks[0] | s.marks[1])


@compiled
def apply(s: Any, move: int) -> None:
    seat = s.turn & 1
    s.marks[seat] |= 1 << move
    s.key ^= KEYS[seat, move]
    s.places[s.turn] = move
    s.turn += 1


@compiled
def move_at(s: Any, turn: int) -> int:
    return s.places[turn]


@compiled
def payoff(s: Any, seat: int) -> float:
    if not has_line(s.marks[last(s)]):
        return 0.5
    return 1.0 if seat == last(s) else 0.0


# For searches


@compiled
def key(s: Any) -> int:
    return s.key


@compiled
def evaluate(s: Any, seat: int, weights: Any) -> float:
    """A hundred points per mark in a line without marks of the other player."""
    points = 0.0
    for line in LINES:
        mine, theirs = count_bits(s.marks[seat] & line), count_bits(s.marks[1 - seat] & line)
        if mine == 0 or theirs == 0:
            points += 100.0 * (mine - theirs)
    return points


@compiled
def move_order_score(s: Any, move: int) -> float:
    return 1.0 * CROSSINGS[move]


@compiled
def move_probabilities(view: Any, chances: Any) -> None:
    """Complete a line if possible, else stop one, else move at random."""
    moves = legal(view)
    for seat in (view.turn & 1, last(view)):
        urgent, left = 0, moves
        while left:
            place = lowest_bit(left)
            left &= left - 1
            if has_line(view.marks[seat] | 1 << place):
                urgent |= 1 << place
        if urgent:
            moves = urgent
            break
    others = legal(view) ^ moves
    for place in range(PLACES):
        if moves >> place & 1:
            chances[place] = (0.9 if others else 1.0) / count_bits(moves)
        elif others >> place & 1:
            chances[place] = 0.1 / count_bits(others)


generic.implement(
    "tictactoe",
    STATE,
    deal=deal,
    to_move=to_move,
    legal=legal,
    apply=apply,
    move_at=move_at,
    payoff=payoff,
    key=key,
    evaluate=evaluate,
    move_order_score=move_order_score,
    move_probabilities=move_probabilities,
)


def move_text(move: int) -> str:
    """A place as on a chessboard: from a1 at the bottom left to c3."""
    return f"{'abc'[move % SIDE]}{move // SIDE + 1}"
