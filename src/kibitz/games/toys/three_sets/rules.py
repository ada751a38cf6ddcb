"""The rules: the first player chooses a set and wants a great number of it, which the second player or a coin picks.

Moves 0 to 2 choose a set, the six behind them a number.
"""

from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import SMALL, compiled, struct_dtype
from kibitz.engine.generic import CHANCE, OVER

SEATS = 2
SETS = ((-50, 50), (1, 3), (-5, 15))
NUMBERS = tuple(number for pair in SETS for number in pair)
GREATEST = 50
COIN = 1  # the rule that a coin picks the number
STATE = struct_dtype(
    [
        ("dice", np.int64),
        ("streams", np.int64, SEATS),
        ("chance", np.int64),
        ("players", SMALL),
        ("seat", SMALL),
        ("rules", SMALL),
        ("turn", SMALL),
        ("made", SMALL, 2),
        ("of_three_sets", SMALL, 2),  # instead of padding bytes, which are uninitialised
    ]
)


@compiled
def deal(s: Any, players: int, rules: int, stream: int) -> None:
    s.players = players
    s.seat = -1
    s.rules = rules
    s.turn = 0
    s.made[:] = 0
    s.of_three_sets[:] = 0


@compiled
def to_move(s: Any) -> int:
    if s.turn == 2:
        return OVER
    return CHANCE if s.turn == 1 and s.rules & COIN else s.turn


@compiled
def numbers(s: Any) -> int:
    """The moves that pick a number of the chosen set, as a mask."""
    return 3 << len(SETS) + 2 * s.made[0]


@compiled
def legal(s: Any) -> int:
    if s.turn == 0:
        return (1 << len(SETS)) - 1
    return numbers(s) if s.turn == 1 else 0


@compiled
def chance_moves(s: Any, room: Any, chances: Any) -> int:
    for side in range(2):
        room[side] = len(SETS) + 2 * s.made[0] + side
        chances[side] = 0.5
    return 2


@compiled
def apply(s: Any, move: int) -> None:
    s.made[s.turn] = move
    s.turn += 1


@compiled
def turns(s: Any) -> int:
    return s.turn


@compiled
def move_at(s: Any, turn: int) -> int:
    return s.made[turn]


@compiled
def number(s: Any) -> int:
    """The number that was picked."""
    return NUMBERS[s.made[1] - len(SETS)]


@compiled
def payoff(s: Any, seat: int) -> float:
    """A hundredth for every step from the least number: what one wins the other loses."""
    share = (number(s) + GREATEST) / (2 * GREATEST)
    return share if seat == 0 else 1.0 - share


@compiled
def result(s: Any, row: Any) -> None:
    """Who won, as a mask: the first player with a number above 0, else the second; the turns; the number."""
    row[0] = 1 if number(s) > 0 else 2
    row[1] = s.turn
    row[2] = number(s)


generic.implement(
    "three_sets",
    STATE,
    deal=deal,
    to_move=to_move,
    legal=legal,
    chance_moves=chance_moves,
    apply=apply,
    turns=turns,
    move_at=move_at,
    payoff=payoff,
    result=result,
)


def move_text(move: int) -> str:
    return f"set {move + 1}" if move < len(SETS) else str(NUMBERS[move - len(SETS)])
