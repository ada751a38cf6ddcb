"""What the classical searches ask of a game in which everybody sees everything, and what it means where it is left out.

A search of an open game copies positions: one for every ply lies in an array, a move is applied to a copy of the one
before, and going back costs nothing. A game with a long history writes `generic.positions` and plays by the rules of a
smaller struct there; otherwise the state itself is the position.
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

WIN = 10_000.0  # points: what a won game is worth, less one for every ply until it is won
DECIDED = 9_000.0  # more than this, or less than its negative, is the end of a game and no estimate
MOST_MOVES = 256  # of a position that a search with lists of moves looks at


@compiled
def positions(state: Any, count: int) -> Any:
    """The state itself, with the dice of nobody."""
    made = room(state, count)
    made[0] = state
    made[0].seat = -1
    return made


@compiled
def evaluate(position: Any, seat: int, weights: Any) -> float:
    """Nothing is known before the end."""
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
    """What a finished game is worth to a seat, in points: a win is better the earlier it comes, a loss the later."""
    points = WIN * (2.0 * generic.payoff(position, seat) - 1.0)
    if points > DECIDED:
        return points - ply
    return points + ply if points < -DECIDED else points


def write_moves(moves: Any, row: Any) -> int:
    """Write a set of moves into a row that may be the one it lies in already; how many they are."""
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


# A struct of an array leads to the one behind it. Arrays handed from call to call would be reference-counted each time,
# and are ten words long each.


def following(struct: Any) -> Any:
    """The struct behind this one, in the array that both lie in."""
    return structs_behind(struct)[0]


def copied_behind(struct: Any) -> Any:
    """The same, made a copy of this one."""
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
    """The type of the positions that a search of a game looks at."""
    return generic.positions(np.zeros(1, game.dtype)[0], 1).dtype


def check_fits(
    game: Game, search: str, players: int, *, needs: Iterable[str] = (), dice: bool = False, many: bool = False
) -> None:
    """Refuse a game that a search does not fit, with what fits it."""
    if not generic.hides_nothing(game.dtype):
        raise KibitzError(
            f"{search} needs a game in which everybody sees everything, and {game.title} hides something from its "
            f"players. What fits it are the searches for hidden cards: flat, ismcts, belief."
        )
    if players > 2 and not many:
        raise KibitzError(
            f"{search} is for two players, and {players} play {game.title} here. What fits are paranoid search and "
            f"max^n."
        )
    if not dice and not generic.missing(game.dtype, ["chance_moves"]):
        raise KibitzError(f"{search} knows no dice, and {game.title} has some. What fits it is expectiminimax.")
    if lacking := generic.missing(position_type(game), needs):
        raise KibitzError(f"{search} cannot play {game.title}: it needs {', '.join(lacking)}, which that game has not.")
