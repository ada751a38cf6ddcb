"""Perft: count all sequences of moves of a given length, the usual test of a move generator's correctness and speed."""

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
    """The number of move sequences of length `depth` from `line[ply]`; later places of the line are overwritten.

    At depth 1, the legal moves are counted without making them.
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
    """The number of sequences of `depth` moves after a first move."""
    line = np.empty(depth + 1, start.dtype)
    line[0] = start[0]
    generic.apply(line[0], move)
    return leaves(line, np.empty((depth + 1, generic.most_moves(line[0])), np.int64), 0, depth)


def by_first_move(game: "Game", start: Any, depth: int) -> Iterator[tuple[int, int]]:
    """Every first move from a start, an array of one state, with its number of sequences of `depth` moves in all.

    Games that end earlier do not count.
    """
    if not generic.hides_nothing(game.dtype):
        raise KibitzError(f"{game.title} hides something from its players: moves are counted in open games.")
    if not generic.missing(game.dtype, ["chance_moves"]):
        raise KibitzError(f"{game.title} has dice, and only moves of players are counted. Choose a game without dice.")
    for move in game.legal(start[0]) if generic.to_move(start[0]) >= 0 else []:
        yield move, int(leaves_after(start, move, depth - 1))
