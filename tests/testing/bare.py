"""A game that leaves out all that can be left out: two players, three numbers, each names one, the higher one wins."""

from typing import Any

import numpy as np

from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.engine.compile import compiled, struct_dtype

STATE = struct_dtype(
    [("dice", np.int64), ("streams", np.int64, 2), ("seat", np.int64), ("players", np.int64), ("turn", np.int64),
     ("named", np.int64, 2)]
)  # fmt: skip


@compiled
def deal(s: Any, players: int, rules: int, stream: int) -> None:
    s.players = players
    s.seat = -1
    s.turn = 0
    s.named[:] = -1


@compiled
def to_move(s: Any) -> int:
    return s.turn if s.turn < 2 else -1


@compiled
def legal(s: Any) -> int:
    return 7 if s.turn == 0 else 7 & ~(1 << s.named[0])


@compiled
def apply(s: Any, move: int) -> None:
    s.named[s.turn] = move
    s.turn += 1


@compiled
def move_at(s: Any, turn: int) -> int:
    return s.named[turn]


@compiled
def payoff(s: Any, seat: int) -> float:
    return 1.0 if s.named[seat] > s.named[1 - seat] else 0.0


generic.implement("higher", STATE, deal=deal, to_move=to_move, legal=legal, apply=apply, move_at=move_at, payoff=payoff)


class Higher(Game):
    name = "higher"
    title = "Higher"
    description = "Name the higher number."
    players = range(2, 3)
    dtype = STATE
    longest = 2
    competitive = True


HIGHER = Higher()
