"""Every search under one name each, for tests of what all of them promise; also run under `NUMBA_DISABLE_JIT=1`."""

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import INTERPRETED
from kibitz.engine.loop import SEEN
from kibitz.engine.move_sets import MASK_BITS
from kibitz.engine.seat import Budget
from kibitz.search.belief import weighed_worlds
from kibitz.search.choice import Estimates, most_valued, most_visited
from kibitz.search.clock import limit_of
from kibitz.search.flat import flat
from kibitz.search.ismcts import MANY, MODELLED, SINGLE, Options, ismcts
from kibitz.search.playout import MODEL, RANDOM
from kibitz.search.uct import EXPLORATION, uct
from kibitz.search.uct import Options as TreeOptions
from kibitz.search.worlds import fresh_worlds
from tests.search import highest, kuhn

Search = Callable[[Any, Budget, int], Estimates]
POOL = 60
USUAL = TreeOptions(EXPLORATION, RANDOM)


def chance_of(view: Any, move: int) -> float:
    """How likely a game's model makes a move."""
    chances = np.zeros(MASK_BITS)
    generic.move_probabilities(view, chances)
    return float(chances[move])


def flat_search(playout: int) -> Search:
    return lambda view, budget, stream: flat(fresh_worlds(view), limit_of(budget), stream, playout)


def tree_search(observers: int, playout: int) -> Search:
    options = Options(observers, playout, 0.7)
    return lambda view, budget, stream: ismcts(fresh_worlds(view), limit_of(budget), stream, options)


def reading_search(view: Any, budget: Budget, stream: int) -> Estimates:
    return ismcts(weighed_worlds(view, POOL, stream), limit_of(budget), stream, Options(MODELLED, MODEL, 0.7))


SEARCHES: dict[str, Search] = {
    "flat": flat_search(RANDOM),
    "flat, by the model": flat_search(MODEL),
    "uct": lambda view, budget, stream: uct(fresh_worlds(view), limit_of(budget), stream, USUAL),
    "single observer": tree_search(SINGLE, RANDOM),
    "many observers": tree_search(MANY, RANDOM),
    "modelled": tree_search(MODELLED, MODEL),
    "reading": reading_search,
}


def positions() -> Iterator[Any]:
    """Pairs of both games at every point of a few lines."""
    for line in ((), (kuhn.PASS,), (kuhn.BET,), (kuhn.PASS, kuhn.BET)):
        yield kuhn.dealt((kuhn.QUEEN, kuhn.KING), line, kuhn.RASH)
    yield highest.dealt((1, 3, 0, 2, 4), (highest.KEEP,))
    for moves in ((), (highest.DRAW,), (highest.KEEP, highest.DRAW)):
        yield highest.dealt((4, 0, 3, 6, 2, 1, 5), moves)
    yield highest.dealt((7, 8, 3, 6, 2, 0, 4, 1, 5), (highest.KEEP, highest.DRAW))


def everything() -> dict[str, Any]:
    """What every search finds out everywhere, to the last bit."""
    found = [
        [name, estimates.visits.tolist(), estimates.values.tolist(), most_visited(estimates), most_valued(estimates)]
        for pair in positions()
        for name, search in SEARCHES.items()
        for estimates in [search(pair[SEEN], Budget(iterations=90), 11)]
    ]
    return json.loads(json.dumps({"interpreted": INTERPRETED, "found": found}, default=float))


if __name__ == "__main__":
    json.dump(everything(), sys.stdout)
