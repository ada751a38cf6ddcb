"""The rules of Connect 4, compiled: the state of a game, and the smaller position for searches.

Both have the stones of the player to move, all stones, and their number, so the same functions work on both.
"""

from typing import Any, Protocol

import numpy as np

from kibitz.engine import generic
from kibitz.engine.bits import chosen_bit, count_bits, lowest_bit
from kibitz.engine.compile import SMALL, compiled, struct_dtype
from kibitz.engine.generic import FORCED, QUIET
from kibitz.games.connect4.board import (
    BOTTOM,
    COLUMN,
    COLUMNS,
    CROSSINGS,
    HEIGHT,
    PLACES,
    TOP,
    columns_of,
    completing_places,
    has_four,
    landing_places,
)
from kibitz.games.connect4.evaluation import evaluate

SEATS = 2
OPENING, RANDOM_OPENING = 4, 1  # moves, and the rule as a bit
POSITION = struct_dtype([("mine", np.int64), ("taken", np.int64), ("turn", np.int64)])
STATE = struct_dtype(
    [
        ("dice", np.int64),
        ("streams", np.int64, SEATS),
        ("mine", np.int64),
        ("taken", np.int64),
        ("turn", np.int64),
        ("players", SMALL),
        ("seat", SMALL),
        ("opened", SMALL),
        ("columns", SMALL, PLACES),
        ("spare", SMALL, 3),  # instead of padding bytes, which are uninitialised
    ]
)


class Position(Protocol):
    """A struct of the type POSITION, or a state."""

    mine: int  # the stones of the player to move
    taken: int  # all stones
    turn: int  # their number


class State(Position, Protocol):
    """A struct of the type STATE: a state or a view, which hides nothing."""

    dice: int
    streams: list[int]
    players: int
    seat: int
    opened: int  # stones of a random opening
    columns: Any  # the moves in order, including those of the opening
    spare: Any


@compiled
def deal(s: State, players: int, rules: int, stream: int) -> None:
    """The empty board, or a random opening, which is too short to make four."""
    clear(s, players)
    for n in range(OPENING if rules & RANDOM_OPENING else 0):
        apply(s, chosen_bit(open_columns(s), stream, n))
    s.opened = s.turn


@compiled
def clear(s: State, players: int) -> None:
    s.mine = 0
    s.taken = 0
    s.turn = 0
    s.opened = 0
    s.players = players
    s.seat = -1
    s.columns[:] = 0
    s.spare[:] = 0


@compiled
def over(s: Position) -> bool:
    return has_four(s.mine ^ s.taken) or s.turn == PLACES


@compiled
def to_move(s: Position) -> int:
    return -1 if over(s) else s.turn & 1


@compiled
def open_columns(s: Position) -> int:
    """The columns that are not full, as a mask."""
    full = (s.taken & TOP) >> (HEIGHT - 2)
    columns = 0
    for column in range(COLUMNS):
        columns |= (full >> HEIGHT * column & 1) << column
    return columns ^ ((1 << COLUMNS) - 1)


@compiled
def legal(s: State) -> int:
    return 0 if over(s) else open_columns(s)


@compiled
def most_moves(s: State) -> int:
    return COLUMNS


@compiled
def drop(s: Position, column: int) -> None:
    """Drop a stone of the player to move into a column, and pass the turn."""
    s.mine ^= s.taken
    s.taken |= s.taken + (1 << HEIGHT * column)
    s.turn += 1


@compiled
def apply(s: State, move: int) -> None:
    s.columns[s.turn] = move
    drop(s, move)


@compiled
def turns(s: State) -> int:
    return s.turn - s.opened


@compiled
def move_at(s: State, turn: int) -> int:
    return s.columns[s.opened + turn]


@compiled
def payoff(s: Position, seat: int) -> float:
    if not has_four(s.mine ^ s.taken):
        return 0.5
    return 1.0 if seat == (s.turn - 1) & 1 else 0.0


# For searches


@compiled
def positions(s: State, count: int) -> Any:
    made = np.empty(count, POSITION)
    made[0].mine = s.mine
    made[0].taken = s.taken
    made[0].turn = s.turn
    return made


@compiled
def key(s: Position) -> int:
    """A unique key: adding the bottom row marks the top of each column."""
    return s.mine + s.taken + BOTTOM


@compiled
def move_order_score(s: Position, move: int) -> float:
    """A hundred points per threat after the move, and a point per line that crosses its place."""
    stone = (s.taken + (1 << HEIGHT * move)) & (COLUMN << HEIGHT * move)
    stone &= ~s.taken
    return 100.0 * count_bits(completing_places(s.mine | stone, s.taken | stone)) + CROSSINGS[lowest_bit(stone)]


@compiled
def urgent_places(s: Position) -> int:
    """The places that win at once, or else those that the opponent would win with."""
    landing = landing_places(s.taken)
    wins = landing & completing_places(s.mine, s.taken)
    return wins if wins else landing & completing_places(s.mine ^ s.taken, s.taken)


@compiled
def quiescence(s: Position) -> int:
    return FORCED if urgent_places(s) else QUIET


@compiled
def tactical_moves(s: Position, room: Any) -> int:
    return columns_of(urgent_places(s))


@compiled
def move_probabilities(view: State, chances: Any) -> None:
    """Win if possible, else stop a win, else prefer places that many lines cross."""
    urgent = columns_of(urgent_places(view))
    moves = urgent if urgent else open_columns(view)
    landing, total = landing_places(view.taken), 0.0
    for column in range(COLUMNS):
        chances[column] = 0.0
        if open_columns(view) >> column & 1:
            place = lowest_bit(landing & (COLUMN << HEIGHT * column))
            chances[column] = CROSSINGS[place] if moves >> column & 1 else 0.01
            total += chances[column]
    for column in range(COLUMNS):
        chances[column] /= total


SEARCHED: dict[str, Any] = {
    "key": key,
    "evaluate": evaluate,
    "move_order_score": move_order_score,
    "quiescence": quiescence,
    "tactical_moves": tactical_moves,
}
generic.implement(
    "connect4",
    STATE,
    deal=deal,
    to_move=to_move,
    legal=legal,
    most_moves=most_moves,
    apply=apply,
    turns=turns,
    move_at=move_at,
    payoff=payoff,
    positions=positions,
    move_probabilities=move_probabilities,
    **SEARCHED,
)
generic.implement(
    "connect4",
    POSITION,
    to_move=to_move,
    legal=open_columns,
    apply=drop,
    payoff=payoff,
    **SEARCHED,
)
