"""Playouts: how a game is finished below the searched part."""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.dice import SHARE
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.move_sets import any_of, count, first, place, rest
from kibitz.engine.seeds import number

RANDOM, MODEL = 0, 1  # random legal moves, or those of the game's model of a sensible player


class MoveBuffers(NamedTuple):
    """Buffers for a position's legal moves and their probabilities."""

    moves: Any
    chances: Any


@compiled
def buffers_for(state: Any) -> MoveBuffers:
    most = generic.most_moves(state)
    return MoveBuffers(np.empty(most, np.int64), np.empty(most))


@compiled
def play_to_end(pair: Any, how: int, stream: int, buffers: MoveBuffers) -> None:
    """Play the pair's state to its end; the pair's view and the buffers are overwritten."""
    state = pair[WORLD]
    made = 0
    seat = generic.to_move(state)
    while seat >= 0:
        move = (
            plausible_move(pair, seat, stream, made, buffers)
            if how == MODEL
            else any_move(state, stream, made, buffers)
        )
        generic.apply(state, move)
        generic.resolve_chance(state, stream)
        made += 1
        seat = generic.to_move(state)


@compiled
def any_move(state: Any, stream: int, n: int, buffers: MoveBuffers) -> int:
    return any_of(generic.legal_moves(state, buffers.moves), stream, n)


@compiled
def plausible_move(pair: Any, seat: int, stream: int, n: int, buffers: MoveBuffers) -> int:
    """A move of the seat to move, drawn from the game's model by its view."""
    legal = generic.legal_moves(pair[WORLD], buffers.moves)
    moves = legal
    move = first(moves)
    if count(moves) == 1:
        return move
    generic.observe(pair, seat, False)
    generic.move_probabilities(pair[SEEN], buffers.chances)
    left = number(stream, n) * SHARE
    while count(moves):
        move = first(moves)
        moves = rest(moves)
        left -= buffers.chances[place(legal, move)]
        if left < 0.0:
            break
    return move
