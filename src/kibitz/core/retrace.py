"""Whether a view can be that of a game: a world sampled from it is played again from its start, and shown once more.

It is for views that come from elsewhere. The game has checked by then that sampling is safe (`Game.check_fields`).
"""

from typing import Any

import numpy as np

from kibitz.core import generic
from kibitz.core.compile import INTERPRETED, compiled
from kibitz.core.loop import SEEN, WORLD


@compiled
def imagine_world(pair: Any, stream: int) -> None:
    """Write a world beside the view."""
    generic.imagine(pair, stream)


@compiled
def play_again(start: Any, pair: Any, longest: int) -> bool:
    """Make the moves of the pair's world from its start, and show the seat of the view where they lead.

    Whether every one of them is legal.
    """
    seat = pair[SEEN].seat
    now = pair[WORLD : WORLD + 1].copy()
    generic.recast(start, pair)
    state, last = pair[WORLD], generic.turns(now[0])
    first = generic.turns(state)
    if first < 0 or last > longest:
        return False
    for turn in range(first, last):
        move = generic.move_at(now[0], turn)
        if generic.to_move(state) == generic.OVER or not generic.allowed(state, move):
            return False
        generic.apply(state, move)
    generic.show(pair, seat, False)
    return True


def same_bytes(one: Any, other: Any) -> bool:
    """Whether two structs are the same; interpreted code leaves the bytes between fields alone."""
    if INTERPRETED:
        return all(np.array_equal(one[name], other[name]) for name in one.dtype.names)
    return bool(one.tobytes() == other.tobytes())


def retraced(view: Any, starts: Any, longest: int) -> bool:
    """Whether a view is what its seat sees after a game from one of these starts.

    The dice of a seat may be any, as nobody knows where they come from.
    """
    pair = np.zeros(2, view.dtype)
    pair[SEEN] = view
    imagine_world(pair, 0)
    for start in starts:
        again = pair.copy()
        if play_again(start, again, longest):
            again[SEEN]["dice"] = view["dice"]
            if same_bytes(again[SEEN], view):
                return True
    return False
