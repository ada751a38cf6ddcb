"""The rules: the first player chooses a set and wants a high number; the second player, a coin or two dice pick it.

Moves 0 to 2 choose a set, the next six a number, the rest are rolls of two dice: 7 or more picks the higher number.
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
COIN, DICE = 1, 2  # the rules that a coin, or two dice, pick the number
ROLLS = tuple((low, high) for low in range(1, 7) for high in range(low, 7))
FIRST_ROLL = len(SETS) + len(NUMBERS)  # the move of the first roll
HIGH = tuple(low + high >= 7 for low, high in ROLLS)
SHARES = tuple((1 if low == high else 2) / 36 for low, high in ROLLS)
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
    return CHANCE if s.turn == 1 and s.rules != 0 else s.turn


@compiled
def numbers(s: Any) -> int:
    """The moves that pick a number from the chosen set, as a mask."""
    if s.rules == DICE:
        return (1 << len(ROLLS)) - 1 << FIRST_ROLL
    return 3 << len(SETS) + 2 * s.made[0]


@compiled
def legal(s: Any) -> int:
    if s.turn == 0:
        return (1 << len(SETS)) - 1
    return numbers(s) if s.turn == 1 else 0


@compiled
def chance_moves(s: Any, room: Any, chances: Any) -> int:
    if s.rules == DICE:
        for roll in range(len(ROLLS)):
            room[roll] = FIRST_ROLL + roll
            chances[roll] = SHARES[roll]
        return len(ROLLS)
    for side in range(2):
        room[side] = len(SETS) + 2 * s.made[0] + side
        chances[side] = 0.5
    return 2


@compiled
def apply(s: Any, move: int) -> None:
    s.made[s.turn] = move
    s.turn += 1


@compiled
def move_at(s: Any, turn: int) -> int:
    return s.made[turn]


@compiled
def number(s: Any) -> int:
    """The number that was picked."""
    if s.made[1] >= FIRST_ROLL:
        return NUMBERS[2 * s.made[0] + (1 if HIGH[s.made[1] - FIRST_ROLL] else 0)]
    return NUMBERS[s.made[1] - len(SETS)]


@compiled
def payoff(s: Any, seat: int) -> float:
    """The number scaled to 0 to 1 for the first player, and the rest for the second: a zero-sum game."""
    share = (number(s) + GREATEST) / (2 * GREATEST)
    return share if seat == 0 else 1.0 - share


@compiled
def result(s: Any, row: Any) -> None:
    """The winner as a mask, which is the first player if the number is positive; the turns; the number."""
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
    move_at=move_at,
    payoff=payoff,
    result=result,
)


def move_text(move: int) -> str:
    if move >= FIRST_ROLL:
        return "{}-{}".format(*ROLLS[move - FIRST_ROLL])
    return f"set {move + 1}" if move < len(SETS) else str(NUMBERS[move - len(SETS)])
