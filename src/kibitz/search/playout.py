"""How a game is played to its end below the part that is searched."""

from typing import Any

from kibitz.core import generic
from kibitz.core.bits import chosen_bit, lowest_bit
from kibitz.core.compile import compiled
from kibitz.core.loop import SEEN, WORLD
from kibitz.core.seeds import number

RANDOM, MODEL = 0, 1  # any legal move, or as the game's model of a sensible player makes them


@compiled
def play_to_end(pair: Any, how: int, stream: int, chances: Any) -> None:
    """Play the pair's state to its end; the view beside it is written over, and so are the chances of moves."""
    state = pair[WORLD]
    made = 0
    seat = generic.to_move(state)
    while seat >= 0:
        move = plausible_move(pair, seat, stream, made, chances) if how == MODEL else any_move(state, stream, made)
        generic.apply(state, move)
        made += 1
        seat = generic.to_move(state)


@compiled
def any_move(state: Any, stream: int, n: int) -> int:
    return chosen_bit(generic.legal(state), stream, n)


@compiled
def plausible_move(pair: Any, seat: int, stream: int, n: int, chances: Any) -> int:
    """A move of the seat to move, from what it sees, drawn as the game's model says."""
    moves = generic.legal(pair[WORLD])
    move = lowest_bit(moves)
    moves &= moves - 1
    if moves == 0:
        return move
    generic.show(pair, seat, False)
    generic.plausible(pair[SEEN], chances)
    left = number(stream, n) * 2.0**-63
    while moves:
        left -= chances[move]
        if left < 0.0:
            break
        move = lowest_bit(moves)
        moves &= moves - 1
    return move
