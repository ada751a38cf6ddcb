"""How many ways there are to make so many moves: the usual proof that a generator of moves is right, and its speed."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.move_sets import count, first, rest
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.core.game import Game


@compiled
def leaves(line: Any, room: Any, ply: int, depth: int) -> int:
    """The number of ways to make so many moves from a state of the line; the later places of the line are written to.

    Where only one move is left to make, the legal ones are counted and not made.
    """
    state = line[ply]
    if depth == 0:
        return 1
    if generic.to_move(state) < 0:
        return 0
    moves = generic.legal_moves(state, room[ply])
    if depth == 1:
        return count(moves)
    total = 0
    while count(moves):
        line[ply + 1] = state
        generic.apply(line[ply + 1], first(moves))
        moves = rest(moves)
        total += leaves(line, room, ply + 1, depth - 1)
    return total


@compiled
def leaves_after(start: Any, move: int, depth: int) -> int:
    """From a state, a move and then so many more."""
    line = np.empty(depth + 1, start.dtype)
    line[0] = start[0]
    generic.apply(line[0], move)
    return leaves(line, np.empty((depth + 1, generic.most_moves(line[0])), np.int64), 0, depth)


def by_first_move(game: "Game", start: Any, depth: int) -> Iterator[tuple[int, int]]:
    """Every first move from a start, an array of one state, with the number of ways to go on: `depth` moves in all.

    A game that ends sooner has none.
    """
    if not generic.hides_nothing(game.dtype):
        raise KibitzError(f"{game.title} hides something from its players: moves are counted in open games.")
    if not generic.missing(game.dtype, ["chance_moves"]):
        raise KibitzError(f"{game.title} has dice, and only moves of players are counted. Choose a game without dice.")
    for move in game.legal(start[0]) if generic.to_move(start[0]) >= 0 else []:
        yield move, int(leaves_after(start, move, depth - 1))
