"""Exact values of all moves of a position, each searched separately, on several threads.

Machine code holds no interpreter lock, so two threads use two cores. Every move gets an open window and its own table:
the values are exact at their depth, and the same on any number of threads.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.engine.expectation import Bound, MoveEstimate
from kibitz.errors import KibitzError
from kibitz.search import alphabeta
from kibitz.search.alphabeta import DEEPEST, Options
from kibitz.search.book import Answer, no_book
from kibitz.search.clock import Limit, milliseconds
from kibitz.search.open_games import DECIDED, check_fits

TABLE_BITS = 16


class MoveValue(NamedTuple):
    move: int
    value: float  # in points, for the mover
    depth: int  # in plies, including the move
    line: tuple[int, ...]  # the main line, starting with the move
    nodes: int

    @property
    def estimate(self) -> MoveEstimate:
        return MoveEstimate(self.move, self.value, 0.0, self.nodes, Bound.VALUE)


def value_moves(
    game: Game,
    state: Any,
    depth: int,
    weights: Sequence[float] = (),
    options: Options = Options(),  # noqa: B008 (immutable)
    think_ms: int | None = None,
    jobs: int = 1,
) -> list[MoveValue]:
    """All legal moves with their values for the player to move, the best first.

    With a time limit, every move is searched as deep as its share of the time allows, up to the depth.
    """
    check_fits(game, "Alpha-beta", int(state["players"]), needs=alphabeta.NEEDS)
    if not 1 <= depth <= DEEPEST:
        raise KibitzError(f"The depth of a search is 1 to {DEEPEST} plies, not {depth}.")
    if think_ms is not None and think_ms < 1:
        raise KibitzError("A search needs at least one millisecond. Omit the time limit to search to the depth.")
    moves = game.legal(state) if generic.to_move(state) >= 0 else []
    share = np.inf if think_ms is None else think_ms * jobs / max(len(moves), 1)
    vector = np.array(weights, np.float64)

    def look(move: int) -> MoveValue:
        return one_move(state, move, depth, vector, options, share)

    with ThreadPoolExecutor(jobs) as threads:
        found = list(threads.map(look, moves))
    return sorted(found, key=lambda each: -each.value)


def one_move(state: Any, move: int, depth: int, weights: Any, options: Options, think_ms: float) -> MoveValue:
    me = int(generic.to_move(state))
    after = np.array([state], state.dtype)
    generic.apply(after[0], move)
    workspace = alphabeta.workspace_for(after[0], me, options, weights, TABLE_BITS, no_book())
    limit = Limit(1 << 62, milliseconds() + think_ms, 0.0)
    goes_on = depth > 1 and generic.to_move(after[0]) >= 0
    found = alphabeta.search(workspace, limit, depth - 1 if goes_on else 0, goes_on and bool(options.deepens))
    frame = workspace.frames[0]
    line = tuple(int(each) for each in frame["line"][: frame["length"]])
    nodes = int(workspace.run[0]["nodes"])
    return MoveValue(move, one_later(found.value), found.depth + 1, (move, *line), nodes)


def searching(weights: Sequence[float], depth: int) -> Callable[[Any], Answer]:
    """The solver of an opening book's positions: alpha-beta to this depth, with the default options."""
    vector = np.array(weights, np.float64)

    def answer(state: Any) -> Answer:
        here = state[0]
        workspace = alphabeta.workspace_for(here, int(generic.to_move(here)), Options(), vector, TABLE_BITS, no_book())
        found = alphabeta.search(workspace, Limit(1 << 62, np.inf, 0.0), depth, True)
        return Answer(int(found.move), float(found.value), int(found.depth))

    return answer


def one_later(value: float) -> float:
    """A value as seen one ply earlier."""
    return value - 1 if value > DECIDED else value + 1 if value < -DECIDED else value
