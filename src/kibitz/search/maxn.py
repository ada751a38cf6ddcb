"""Max^n (Luckhardt and Irani 1986): any number of players, who all maximize their own value.

A position has a value for every seat, and the player to move chooses by their own. Ties go to the first move, though
other seats may care which: the weakness of max^n. The other approach to many players, the paranoid assumption, is in
`alphabeta`, whose counters this module shares.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.copying import copy_into
from kibitz.engine.seat import numbers_at
from kibitz.search.alphabeta import (
    DEEPEST,
    LOOKS,
    RUN,
    Run,
    SearchResult,
    milliseconds_left,
    note_root_move,
    root_estimates,
)
from kibitz.search.choice import VALUE, empty_estimates
from kibitz.search.clock import Limit
from kibitz.search.open_games import MOST_MOVES, WIN, copied_behind, final_value, following, write_moves

NEEDS = ("payoff", "legal_moves")
MOST_SEATS = 16

FRAME = struct_dtype(
    [("ply", np.int64), ("moves", np.int64, MOST_MOVES), ("move", np.int64), ("values", np.float64, MOST_SEATS)]
)


class Workspace(NamedTuple):
    run: Any
    frames: Any
    positions: Any
    weights: Any


@compiled
def workspace_for(state: Any, weights: Any) -> Workspace:
    run, frames = np.zeros(1, RUN), np.empty(DEEPEST + 1, FRAME)
    for ply in range(DEEPEST + 1):
        frames[ply].ply = ply
    run[0].weights = weights.ctypes.data
    run[0].weight_count = weights.shape[0]
    return Workspace(run, frames, generic.positions(state, DEEPEST + 1), weights)


@compiled
def search(workspace: Workspace, limit: Limit, depth: int, players: int, deepens: bool) -> SearchResult:
    """The best move for the player to move if everybody maximizes: at a fixed depth, or by iterative deepening.

    The limit's iterations count positions. The first ply is always completed.
    """
    run, frame, root = workspace.run[0], workspace.frames[0], workspace.positions[0]
    depth, found = min(depth, DEEPEST), SearchResult(-1, 0.0, 0, empty_estimates(0))
    for reach in range(1 if deepens else depth, depth + 1):
        run.most_nodes = limit.iterations if reach > 1 else 1 << 62
        run.deadline = limit.deadline if reach > 1 else np.inf
        run.deepest = run.root_tried = 0
        evaluate_all(root, frame, run, reach, players)
        if run.stopped:
            break
        value = frame.values[generic.to_move(root)]
        found = SearchResult(frame.move, value, run.deepest, root_estimates(root, run))
        if run.deepest < reach:
            break  # the game was searched to its end
    return found


@compiled
def evaluate_all(position: Any, frame: Any, run: Run, depth: int, players: int) -> int:
    """Write the values of a position for every seat; returns the number of positions visited."""
    run.nodes += 1
    run.deepest = max(run.deepest, frame.ply)
    mover = generic.to_move(position)
    if mover < 0 or depth <= 0:
        for seat in range(players):
            frame.values[seat] = (
                final_value(position, seat, frame.ply)
                if mover < 0
                else generic.evaluate(position, seat, numbers_at(run.weights, run.weight_count))
            )
        return 1
    if run.nodes >= run.next_look:
        run.next_look = run.nodes + LOOKS
        run.stopped = run.nodes >= run.most_nodes or milliseconds_left(run) <= 0.0
    looked_at = 1
    below_frame = following(frame)
    count = write_moves(generic.legal_moves(position, frame.moves), frame.moves)
    for n in range(count):
        below = copied_behind(position)
        generic.apply(below, frame.moves[n])
        nodes = run.nodes
        looked_at += evaluate_all(below, below_frame, run, depth - 1, players)
        if run.stopped:
            break  # the values are incomplete and not used
        if frame.ply == 0:
            note_root_move(run, frame.moves[n], below_frame.values[mover], VALUE, nodes)
        if n == 0 or below_frame.values[mover] > frame.values[mover]:
            copy_into(frame.values, below_frame.values[:players])
            frame.move = frame.moves[n]
        if frame.values[mover] >= WIN - frame.ply - 1 and n + 1 < count:  # a win with this move: nothing is better
            run.cutoffs += 1
            break
    return looked_at
