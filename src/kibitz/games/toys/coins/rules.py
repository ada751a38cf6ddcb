"""The rules: players take turns to take a coin from either end of a row of twelve; the highest sum wins.

All coins are face up, so all that matters is what the others will do: with more than two players, that depends on
whether they play for themselves or against one player.
"""

from typing import Any

import numpy as np

from kibitz.engine import generic, seeds
from kibitz.engine.compile import SMALL, compiled, struct_dtype

SEATS, COINS, GREATEST = 4, 12, 9
LEFT, RIGHT = range(2)
STATE = struct_dtype(
    [
        ("dice", np.int64),
        ("streams", np.int64, SEATS),
        ("players", SMALL),
        ("seat", SMALL),
        ("turn", SMALL),
        ("left", SMALL),  # coins taken from the left
        ("coins", SMALL, COINS),
        ("ends", SMALL, COINS),  # the moves in order
        ("won", SMALL, SEATS),
    ]
)


@compiled
def deal(s: Any, players: int, rules: int, stream: int) -> None:
    s.players = players
    s.seat = -1
    for place in range(COINS):
        s.coins[place] = 1 + seeds.below(stream, place, GREATEST)
    begin(s)


@compiled
def begin(s: Any) -> None:
    s.turn = 0
    s.left = 0
    s.ends[:] = 0
    s.won[:] = 0


@compiled
def to_move(s: Any) -> int:
    return s.turn % s.players if s.turn < COINS else -1


@compiled
def legal(s: Any) -> int:
    left = COINS - s.turn
    return 0 if left == 0 else 1 << LEFT if left == 1 else 1 << LEFT | 1 << RIGHT


@compiled
def end_coin(s: Any, end: int) -> int:
    """The coin at an end of the row."""
    return s.coins[s.left] if end == LEFT else s.coins[COINS - 1 - (s.turn - s.left)]


@compiled
def apply(s: Any, move: int) -> None:
    s.won[s.turn % s.players] += end_coin(s, move)
    s.ends[s.turn] = move
    s.left += move == LEFT
    s.turn += 1


@compiled
def move_at(s: Any, turn: int) -> int:
    return s.ends[turn]


@compiled
def payoff(s: Any, seat: int) -> float:
    """The win, divided among the players with the highest sum."""
    winners = 0
    for other in range(s.players):
        if s.won[other] > s.won[seat]:
            return 0.0
        winners += s.won[other] == s.won[seat]
    return 1.0 / winners


# For searches


@compiled
def key(s: Any) -> int:
    """A unique key: the coins taken from each end, and everybody's sum."""
    packed = s.turn << 4 | s.left
    for seat in range(SEATS):
        packed = packed << 7 | s.won[seat]
    return packed


@compiled
def evaluate(s: Any, seat: int, weights: Any) -> float:
    """A hundred points per point of lead over the best other player."""
    best = 0
    for other in range(s.players):
        if other != seat:
            best = max(best, s.won[other])
    return 100.0 * (s.won[seat] - best)


@compiled
def move_order_score(s: Any, move: int) -> float:
    return 1.0 * end_coin(s, move)


generic.implement(
    "coins",
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
)


def move_text(move: int) -> str:
    return "left" if move == LEFT else "right"
