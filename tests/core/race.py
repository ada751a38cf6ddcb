"""A game with dice and large move numbers that hides nothing: first to the end of a track.

A die is rolled, then the player to move advances by it or stays. The first player to reach the end exactly wins; a move
beyond it is illegal. Its rules are enough for tables, searches and `check_game`.
"""

from typing import Any

import numpy as np

from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.engine.compile import compiled, struct_dtype

TRACK, LONGEST = 9, 80
STAY, GO, ROLL = 1 << 40, 1 << 41, 1 << 42  # a number of places, or of eyes, is added
STATE = struct_dtype(
    [
        ("dice", np.int64), ("streams", np.int64, 2), ("chance", np.int64), ("places", np.int64, 2),
        ("rolled", np.int64), ("turn", np.int64), ("seat", np.int64), ("players", np.int64),
        ("history", np.int64, LONGEST),
    ]
)  # fmt: skip


@compiled
def deal(s: Any, players: int, rules: int, stream: int) -> None:
    s.places[:] = 0
    s.rolled = 0
    s.turn = 0
    s.seat = -1
    s.players = players


@compiled
def to_move(s: Any) -> int:
    if s.places[0] == TRACK or s.places[1] == TRACK or s.turn >= LONGEST:
        return generic.OVER
    return generic.CHANCE if s.rolled == 0 else s.turn // 2 % 2


@compiled
def moves(s: Any, room: Any) -> int:
    room[0] = STAY
    if s.places[to_move(s)] + s.rolled > TRACK:
        return 1
    room[1] = GO + s.rolled
    return 2


@compiled
def most_moves(s: Any) -> int:
    return 6


@compiled
def allowed(s: Any, move: int) -> bool:
    if s.rolled == 0:
        return ROLL + 1 <= move <= ROLL + 6
    return move == STAY or (move == GO + s.rolled and s.places[to_move(s)] + s.rolled <= TRACK)


@compiled
def chance_moves(s: Any, room: Any, chances: Any) -> int:
    for eyes in range(6):
        room[eyes] = ROLL + 1 + eyes
        chances[eyes] = 1 / 6
    return 6


@compiled
def apply(s: Any, move: int) -> None:
    if move > ROLL:
        s.rolled = move - ROLL
    else:
        if move != STAY:
            s.places[to_move(s)] += s.rolled
        s.rolled = 0
    s.history[s.turn] = move
    s.turn += 1


@compiled
def turns(s: Any) -> int:
    return s.turn


@compiled
def move_at(s: Any, turn: int) -> int:
    return s.history[turn]


@compiled
def payoff(s: Any, seat: int) -> float:
    return 1.0 if s.places[seat] == TRACK else 0.0 if s.places[1 - seat] == TRACK else 0.5


@compiled
def move_order_score(s: Any, move: int) -> float:
    return 0.0 if move == STAY else 1.0


generic.implement(
    "race", STATE, deal=deal, to_move=to_move, moves=moves, most_moves=most_moves, allowed=allowed, apply=apply,
    chance_moves=chance_moves, turns=turns, move_at=move_at, payoff=payoff, move_order_score=move_order_score,
)  # fmt: skip


class Race(Game):
    name, title, description = "race", "Race", "The first at the end of the track wins."
    players = range(2, 3)
    dtype = STATE
    stream_fields = ("streams", "chance")
    longest = LONGEST
    competitive = True


RACE = Race()
