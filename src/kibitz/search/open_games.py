"""The functions that classical searches need from a game with open information, and their defaults.

These searches copy positions: an array holds one per ply, each move is applied to a copy of the position before, and
undoing a move costs nothing. A game with a long history can implement `generic.positions` with a smaller struct and its
own rules; by default the state itself is the position.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import extending

from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.generic import QUIET, Default
from kibitz.engine.move_sets import first, is_list, rest
from kibitz.engine.seat import structs_at
from kibitz.errors import KibitzError
from kibitz.search.worlds import room

WIN = 10_000.0  # points for a win, less one per ply until then
DECIDED = 9_000.0  # values beyond this are wins or losses, not estimates
MOST_MOVES = 256  # per position, in searches with lists of moves


@compiled
def positions(state: Any, count: int) -> Any:
    """The state itself, without anybody's dice."""
    made = room(state, count)
    made[0] = state
    made[0].seat = -1
    return made


@compiled
def evaluate(position: Any, seat: int, weights: Any) -> float:
    """Every unfinished position counts 0."""
    return 0.0


@compiled
def move_order_score(position: Any, move: int) -> float:
    return 0.0


@compiled
def quiescence(position: Any) -> int:
    return QUIET


@compiled
def tactical_moves(position: Any, room: Any) -> Any:
    return generic.legal_moves(position, room)


generic.set_defaults(
    {
        "positions": (Default(positions),),
        "evaluate": (Default(evaluate),),
        "move_order_score": (Default(move_order_score),),
        "quiescence": (Default(quiescence),),
        "tactical_moves": (Default(tactical_moves),),
    }
)


@compiled
def final_value(position: Any, seat: int, ply: int) -> float:
    """The value of a finished game for a seat, in points: early wins and late losses are better."""
    points = WIN * (2.0 * generic.payoff(position, seat) - 1.0)
    if points > DECIDED:
        return points - ply
    return points + ply if points < -DECIDED else points


def write_moves(moves: Any, row: Any) -> int:
    """Write a set of moves into a row, which may already contain it; returns their number."""
    if is_list(moves):
        return len(moves)
    count = 0
    while moves:
        row[count] = first(moves)
        moves = rest(moves)
        count += 1
    return count


@extending.overload(write_moves)
def compiled_write_moves(moves, row):  # type: ignore[no-untyped-def]
    def from_mask(moves, row):  # type: ignore[no-untyped-def]
        count = 0
        while moves:
            row[count] = first(moves)
            moves = rest(moves)
            count += 1
        return count

    return (lambda moves, row: moves.shape[0]) if is_list(moves) else from_mask


# Recursion passes a struct and derives the next one in the same array from it: passing arrays would reference-count
# them at every call, and each is ten words long.


def following(struct: Any) -> Any:
    """The next struct in this one's array."""
    return structs_behind(struct)[0]


def copied_behind(struct: Any) -> Any:
    """The next struct, overwritten with a copy of this one."""
    behind = structs_behind(struct)
    behind[0] = struct
    return behind[0]


def structs_behind(struct: Any) -> Any:
    address = struct.__array_interface__["data"][0]
    return structs_at(struct.dtype, address + struct.dtype.itemsize, 1)


def next_pointer(typing: Any, struct: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.gep(arguments[0], [ir.Constant(ir.IntType(32), 1)])

    return struct(struct), generate


def copy_to_next(typing: Any, struct: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        behind = builder.gep(arguments[0], [ir.Constant(ir.IntType(32), 1)])
        length, bytes_at = ir.IntType(64), ir.IntType(8).as_pointer()
        copy = builder.module.declare_intrinsic("llvm.memcpy", [bytes_at, bytes_at, length])
        places = [builder.bitcast(place, bytes_at) for place in (behind, arguments[0])]
        builder.call(copy, [*places, length(struct.size), ir.IntType(1)(0)])
        return behind

    return struct(struct), generate


NEXT: Any = extending.intrinsic(next_pointer)
COPY: Any = extending.intrinsic(copy_to_next)


@extending.overload(following)
def compiled_following(struct):  # type: ignore[no-untyped-def]
    return lambda struct: NEXT(struct)


@extending.overload(copied_behind)
def compiled_copied_behind(struct):  # type: ignore[no-untyped-def]
    return lambda struct: COPY(struct)


def position_type(game: Game) -> np.dtype[Any]:
    """The struct type of the positions in a search of the game."""
    return generic.positions(np.zeros(1, game.dtype)[0], 1).dtype


def check_fits(
    game: Game, search: str, players: int, *, needs: Iterable[str] = (), dice: bool = False, many: bool = False
) -> None:
    """Raise a KibitzError if a search does not suit a game, naming searches that do."""
    if not generic.hides_nothing(game.dtype):
        raise KibitzError(
            f"{search} needs a game with open information, and {game.title} has hidden information. Searches for it "
            f"are flat, ismcts and belief."
        )
    if players > 2 and not many:
        raise KibitzError(
            f"{search} is for two players, and this game of {game.title} has {players}. Searches for it are paranoid "
            f"search and max^n."
        )
    if not dice and not generic.missing(game.dtype, ["chance_moves"]):
        raise KibitzError(f"{search} does not support dice, and {game.title} has some. Expectiminimax does.")
    if lacking := generic.missing(position_type(game), needs):
        raise KibitzError(f"{search} cannot play {game.title}: this game does not implement {', '.join(lacking)}.")
