"""The rules of Nim, compiled: a state, and functions that read and change it."""

from typing import Any

import numpy as np

from kibitz.engine import generic, seeds
from kibitz.engine.compile import compiled, struct_dtype

SEATS = 3
FEWEST, STONES = 10, 21  # at the start
MOST = 3  # stones taken in a turn
LONG = 9  # turns
LOSES, TIRES = 1, 2  # the rules as bits, in the order of `Nim.rules`

STATE = struct_dtype(
    [
        ("dice", np.int64),  # the first four fields are in the states of every game
        ("streams", np.int64, SEATS),
        ("seat", np.int64),
        ("players", np.int64),
        ("rules", np.int64),
        ("stones", np.int64),
        ("turn", np.int64),
        ("taken", np.int64, STONES),
    ]
)


@compiled
def deal(s: Any, players: int, rules: int, stream: int) -> None:
    s.stones = FEWEST + seeds.below(stream, 0, STONES - FEWEST + 1)
    s.players = players
    s.rules = rules
    s.turn = 0
    s.seat = -1
    s.taken[:] = 0


@compiled
def to_move(s: Any) -> int:
    return s.turn % s.players if s.stones > 0 else -1


@compiled
def allowed(s: Any, move: int) -> bool:
    return 0 <= move < min(MOST, s.stones)


@compiled
def apply(s: Any, move: int) -> None:
    s.taken[s.turn] = move
    s.turn += 1
    s.stones -= move + 1


@compiled
def move_at(s: Any, turn: int) -> int:
    return s.taken[turn]


@compiled
def winner(s: Any) -> int:
    """The winning seat, or −1 if the game was too long."""
    if s.rules & TIRES and s.turn > LONG:
        return -1
    last = (s.turn - 1) % s.players
    return (last + 1) % s.players if s.rules & LOSES else last


@compiled
def payoff(s: Any, seat: int) -> float:
    won = winner(s)
    return 0.5 if won < 0 else 1.0 if seat == won else 0.0


@compiled
def result(s: Any, row: Any) -> None:
    """The winner from 1, or 0 for a draw; the turns; and, for the counts, the stones taken last."""
    row[0] = winner(s) + 1
    row[1] = s.turn
    row[2] = s.taken[s.turn - 1]


generic.implement(
    "nim",
    STATE,
    deal=deal,
    to_move=to_move,
    allowed=allowed,
    apply=apply,
    move_at=move_at,
    payoff=payoff,
    result=result,
)
