"""Default implementations of the generic functions; those of the views suit games that hide nothing.

A game with hidden information implements `observe`, `sample_world` and `rewind`, and also `information_key` if searches
must distinguish what seats know.
"""

from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.copying import copy_into
from kibitz.engine.dice import chance_move, chance_stream, observe_dice, sample_dice, set_chance_stream
from kibitz.engine.generic import CHANCE, HIDING, Default
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.move_sets import MASK_BITS, contains, count
from kibitz.engine.seeds import number


@compiled
def observe(pair: Any, seat: int, cheats: bool) -> None:
    """A player sees everything except the dice of others."""
    pair[SEEN] = pair[WORLD]
    pair[SEEN].seat = seat
    observe_dice(pair[SEEN], seat, generic.turns(pair[WORLD]))


@compiled
def sample_world(pair: Any, stream: int) -> None:
    """The world is the view; only the dice of others are random."""
    pair[WORLD] = pair[SEEN]
    pair[WORLD].seat = -1
    sample_dice(pair[WORLD], stream)


@compiled
def rewind(start: Any, pair: Any) -> None:
    """The actual start, with the dice of the world."""
    streams, chance = pair[WORLD].streams.copy(), chance_stream(pair[WORLD])
    pair[WORLD] = start[0]
    copy_into(pair[WORLD].streams, streams)
    set_chance_stream(pair[WORLD], chance)


@compiled
def information_key(state: Any, seat: int) -> int:
    """All players know the same."""
    return 0


@compiled
def horizon(state: Any) -> None:
    """Search to the end of the game."""


@compiled
def move_probabilities(view: Any, chances: Any) -> None:
    """All legal moves are equally likely."""
    chances[:] = 1 / count(generic.legal_moves(view, np.empty(generic.most_moves(view), np.int64)))


@compiled
def legal(state: Any) -> int:
    """The legal moves among the first 62."""
    mask = 0
    for move in range(MASK_BITS):
        if generic.allowed(state, move):
            mask |= 1 << move
    return mask


@compiled
def allowed(state: Any, move: int) -> bool:
    return 0 <= move < MASK_BITS and generic.legal(state) >> move & 1 != 0


@compiled
def allowed_in_list(state: Any, move: int) -> bool:
    return contains(generic.legal_moves(state, np.empty(generic.most_moves(state), np.int64)), move)


@compiled
def most_of_a_mask(state: Any) -> int:
    return MASK_BITS


@compiled
def mask_of_moves(state: Any, room: Any) -> int:
    return generic.legal(state)


@compiled
def list_of_moves(state: Any, room: Any) -> Any:
    return room[: generic.moves(state, room)]


@compiled
def turns(state: Any) -> int:
    return state.turn


@compiled
def public(state: Any, turn: int) -> bool:
    """Everybody learns that a move was made."""
    return False


@compiled
def no_chance(state: Any, stream: int) -> None:
    """No dice, no moves of chance."""


@compiled
def nothing_open(state: Any, stream: int) -> None:
    """Start positions are complete."""


@compiled
def roll(state: Any, stream: int) -> None:
    room = np.empty(generic.most_moves(state), np.int64)
    chances = np.empty(room.shape[0])
    while generic.to_move(state) == CHANCE:
        generic.apply(state, chance_move(state, room, chances, number(stream, generic.turns(state))))


@compiled
def result(state: Any, row: Any) -> None:
    """The seats with the highest payoff as a mask, or 0 if all have the same, and the number of turns."""
    best, worst, winners = -1.0, 2.0, 0
    for seat in range(state.players):
        worth = generic.payoff(state, seat)
        worst = min(worst, worth)
        if worth > best:
            best, winners = worth, 0
        if worth == best:
            winners |= 1 << seat
    row[0] = winners if best > worst else 0
    row[1] = generic.turns(state)


DEFAULTS = {
    "observe": (Default(observe, unless=HIDING),),
    "sample_world": (Default(sample_world, unless=HIDING),),
    "rewind": (Default(rewind, unless=HIDING),),
    "information_key": (Default(information_key, unless=HIDING),),
    "horizon": (Default(horizon),),
    "move_probabilities": (Default(move_probabilities),),
    "legal": (Default(legal, needs=("allowed",), unless=("moves",)),),
    "allowed": (Default(allowed, needs=("legal",)), Default(allowed_in_list, needs=("moves",))),
    "most_moves": (Default(most_of_a_mask, unless=("moves",)),),
    "legal_moves": (Default(list_of_moves, needs=("moves",)), Default(mask_of_moves)),
    "turns": (Default(turns, fields=("turn",)),),
    "is_private": (Default(public),),
    "deal_the_rest": (Default(nothing_open),),
    "resolve_chance": (Default(roll, needs=("chance_moves",)), Default(no_chance)),
    "result": (Default(result, needs=("payoff",)),),
}
generic.set_defaults(DEFAULTS)
