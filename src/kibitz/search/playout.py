"""How a game is played to its end below the part that is searched."""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.dice import SHARE
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.move_sets import any_of, count, first, place, rest
from kibitz.engine.seeds import number

RANDOM, MODEL = 0, 1  # any legal move, or as the game's model of a sensible player makes them


class Desk(NamedTuple):
    """Room for what a position needs that is looked at: its moves, and how likely each is."""

    moves: Any
    chances: Any


@compiled
def desk_for(state: Any) -> Desk:
    most = generic.most_moves(state)
    return Desk(np.empty(most, np.int64), np.empty(most))


@compiled
def play_to_end(pair: Any, how: int, stream: int, desk: Desk) -> None:
    """Play the pair's state to its end; the view beside it is written over, and so is the desk."""
    state = pair[WORLD]
    made = 0
    seat = generic.to_move(state)
    while seat >= 0:
        move = plausible_move(pair, seat, stream, made, desk) if how == MODEL else any_move(state, stream, made, desk)
        generic.apply(state, move)
        generic.resolve_chance(state, stream)
        made += 1
        seat = generic.to_move(state)


@compiled
def any_move(state: Any, stream: int, n: int, desk: Desk) -> int:
    return any_of(generic.legal_moves(state, desk.moves), stream, n)


@compiled
def plausible_move(pair: Any, seat: int, stream: int, n: int, desk: Desk) -> int:
    """A move of the seat to move, from what it sees, drawn as the game's model says."""
    legal = generic.legal_moves(pair[WORLD], desk.moves)
    moves = legal
    move = first(moves)
    if count(moves) == 1:
        return move
    generic.observe(pair, seat, False)
    generic.move_probabilities(pair[SEEN], desk.chances)
    left = number(stream, n) * SHARE
    while count(moves):
        move = first(moves)
        moves = rest(moves)
        left -= desk.chances[place(legal, move)]
        if left < 0.0:
            break
    return move
