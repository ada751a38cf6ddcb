"""What the generic functions mean for games that leave them out, above all for games that hide nothing.

A game with hidden things writes all of `show`, `imagine`, `recast`, and `insight` if a search is to tell apart what
seats know.
"""

from typing import Any

from kibitz.core import generic
from kibitz.core.bits import count_bits
from kibitz.core.compile import compiled
from kibitz.core.dice import imagine_dice, show_dice
from kibitz.core.generic import HIDING, Default
from kibitz.core.loop import SEEN, WORLD

MASK_BITS = 62  # moves that a mask has a bit for


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
    streams = pair[WORLD].streams.copy()
    pair[WORLD] = start[0]
    pair[WORLD].streams[:] = streams


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
    chances[:] = 1 / count_bits(generic.legal(view))


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
    "show": Default(show, unless=HIDING),
    "imagine": Default(imagine, unless=HIDING),
    "recast": Default(recast, unless=HIDING),
    "insight": Default(insight, unless=HIDING),
    "horizon": Default(horizon),
    "plausible": Default(plausible),
    "legal": Default(legal, needs=("allowed",)),
    "allowed": Default(allowed, needs=("legal",)),
    "result": Default(result, needs=("payoff",)),
}
