"""The worlds that a search samples: a new one for each iteration, or draws from a weighted pool.

Every world is sampled from a view, so hidden information cannot leak into a search.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import extending

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seeds import number


class Worlds(NamedTuple):
    """The source of worlds; with an empty pool, every world is new."""

    seen: Any  # the view that all worlds agree with, as an array of one
    pool: Any
    up_to: Any  # cumulative weights, as shares of the total


def room(struct: Any, count: int) -> Any:
    """An array of `count` structs of a type, to be filled."""
    return np.zeros(count, struct.dtype)


@extending.overload(room)
def compiled_room(struct, count):  # type: ignore[no-untyped-def]
    dtype = struct.dtype
    return lambda struct, count: np.empty(count, dtype)


@compiled
def fresh_worlds(view: Any) -> Worlds:
    """A new world each time, uniform over the worlds that agree with the view."""
    seen = room(view, 1)
    seen[0] = view
    return Worlds(seen, room(view, 0), np.empty(0))


@compiled
def sample_world(worlds: Worlds, pair: Any, stream: int) -> None:
    """Write a new world into the pair, beside the view; its game ends at the search horizon."""
    pair[SEEN] = worlds.seen[0]
    generic.sample_world(pair, stream)
    generic.horizon(pair[WORLD])


@compiled
def draw(worlds: Worlds, pair: Any, stream: int) -> None:
    """Write the world of an iteration into the pair."""
    if worlds.pool.shape[0] == 0:
        sample_world(worlds, pair, stream)
    else:
        pair[WORLD] = worlds.pool[drawn(worlds.up_to, number(stream, 0) * 2.0**-63)]


@compiled
def drawn(up_to: Any, share: float) -> int:
    """The first index whose cumulative weight exceeds a share, by binary search."""
    low, high = 0, up_to.shape[0] - 1
    while low < high:
        middle = (low + high) >> 1
        if up_to[middle] > share:
            high = middle
        else:
            low = middle + 1
    return low
