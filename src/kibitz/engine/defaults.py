"""What the generic functions mean for games that leave them out, above all for games that hide nothing.

A game with hidden things writes all of `show`, `imagine`, `recast`, and `insight` if a search is to tell apart what
seats know.
"""

from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.copying import copy_into
from kibitz.engine.dice import chance_move, chance_stream, imagine_dice, set_chance_stream, show_dice
from kibitz.engine.generic import CHANCE, HIDING, Default
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.move_sets import MASK_BITS, contains, count
from kibitz.engine.seeds import number


@compiled
def show(pair: Any, seat: int, cheats: bool) -> None:
    """Everybody sees everything but the dice of others."""
    pair[SEEN] = pair[WORLD]
    pair[SEEN].seat = seat
    show_dice(pair[SEEN], seat, generic.turns(pair[WORLD]))


@compiled
def imagine(pair: Any, stream: int) -> None:
    """What is seen is the world; only the dice of others are not known."""
    pair[WORLD] = pair[SEEN]
    pair[WORLD].seat = -1
    imagine_dice(pair[WORLD], stream)


@compiled
def recast(start: Any, pair: Any) -> None:
    """The start as it was, with the dice of the world."""
    streams, chance = pair[WORLD].streams.copy(), chance_stream(pair[WORLD])
    pair[WORLD] = start[0]
    copy_into(pair[WORLD].streams, streams)
    set_chance_stream(pair[WORLD], chance)


@compiled
def insight(state: Any, seat: int) -> int:
    """Nobody knows more than the others."""
    return 0


@compiled
def horizon(state: Any) -> None:
    """Search looks to the end of the game."""


@compiled
def plausible(view: Any, chances: Any) -> None:
    """Any legal move is as likely as the others."""
    chances[:] = 1 / count(generic.legal_moves(view, np.empty(generic.most_moves(view), np.int64)))


@compiled
def legal(state: Any) -> int:
    """The moves among the first 62 that are allowed."""
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
def no_chance(state: Any, stream: int) -> None:
    """A game without dice."""


@compiled
def nothing_open(state: Any, stream: int) -> None:
    """A game whose positions are written whole."""


@compiled
def roll(state: Any, stream: int) -> None:
    room = np.empty(generic.most_moves(state), np.int64)
    chances = np.empty(room.shape[0])
    while generic.to_move(state) == CHANCE:
        generic.apply(state, chance_move(state, room, chances, number(stream, generic.turns(state))))


@compiled
def result(state: Any, row: Any) -> None:
    """Who has most of what the game is worth, as a mask of seats, or nobody if all have the same; and the turns."""
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
    "show": (Default(show, unless=HIDING),),
    "imagine": (Default(imagine, unless=HIDING),),
    "recast": (Default(recast, unless=HIDING),),
    "insight": (Default(insight, unless=HIDING),),
    "horizon": (Default(horizon),),
    "plausible": (Default(plausible),),
    "legal": (Default(legal, needs=("allowed",), unless=("moves",)),),
    "allowed": (Default(allowed, needs=("legal",)), Default(allowed_in_list, needs=("moves",))),
    "most_moves": (Default(most_of_a_mask, unless=("moves",)),),
    "legal_moves": (Default(list_of_moves, needs=("moves",)), Default(mask_of_moves)),
    "complete": (Default(nothing_open),),
    "settle": (Default(roll, needs=("chance_moves",)), Default(no_chance)),
    "result": (Default(result, needs=("payoff",)),),
}
generic.fill_in(DEFAULTS)
