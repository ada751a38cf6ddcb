"""Expectiminimax: minimax with chance nodes, which Star1 and Star2 prune (Ballard 1983).

The value of a chance node is the mean over its outcomes. Star1 stops as soon as the remaining outcomes cannot bring the
mean back between alpha and beta. Star2 first probes one move after each outcome, which bounds the outcome's value and
may cut off before any outcome is searched in full; it pays if positions have many moves. Probes are not nested, which
would cost more than it saves.

It uses the run and the counters of `alphabeta`. A chance node does not count as a ply, except after another: a roll may
leave no legal move.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.generic import CHANCE
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
from kibitz.search.choice import AT_MOST, VALUE, empty_estimates
from kibitz.search.clock import Limit
from kibitz.search.open_games import DECIDED, MOST_MOVES, WIN, copied_behind, final_value, following, write_moves

NEEDS = ("payoff", "legal_moves", "chance_moves")
MEAN, STAR1, STAR2 = range(3)  # the pruning: none at any node, Star1, or Star1 and Star2
SLACK = 1e-6  # the rounding error of a sum of probabilities times values, in points

FRAME = struct_dtype(
    [
        ("ply", np.int64),
        ("moves", np.int64, MOST_MOVES),
        ("chances", np.float64, MOST_MOVES),
        ("least", np.float64, MOST_MOVES),  # lower bounds of the outcomes of a chance node
        ("most", np.float64, MOST_MOVES),
    ]
)


class Workspace(NamedTuple):
    run: Any
    frames: Any
    positions: Any
    weights: Any


@compiled
def workspace_for(state: Any, me: int, weights: Any, prunes: int) -> Workspace:
    run, frames = np.zeros(1, RUN), np.empty(2 * DEEPEST + 2, FRAME)
    for ply in range(frames.shape[0]):
        frames[ply].ply = ply
    run[0].me = me
    run[0].prunes = prunes
    run[0].weights = weights.ctypes.data
    run[0].weight_count = weights.shape[0]
    return Workspace(run, frames, generic.positions(state, frames.shape[0]), weights)


@compiled
def search(workspace: Workspace, limit: Limit, depth: int, deepens: bool) -> SearchResult:
    """The best move for the searching seat, which must be to move: at a fixed depth, or by iterative deepening.

    The limit's iterations count positions. The first ply is always completed.
    """
    run, found = workspace.run[0], SearchResult(-1, 0.0, 0, empty_estimates(0))
    depth = min(depth, DEEPEST)
    for reach in range(1 if deepens else depth, depth + 1):
        run.most_nodes = limit.iterations if reach > 1 else 1 << 62
        run.deadline = limit.deadline if reach > 1 else np.inf
        deepest = search_to(workspace, reach, found.move)
        if run.stopped:
            break
        found = deepest
        if abs(found.value) > DECIDED or run.deepest < reach:
            break  # the game is decided or was searched to its end
    return found


@compiled
def search_to(workspace: Workspace, depth: int, known_move: int) -> SearchResult:
    """The best move at a depth; the best move of the previous depth comes first."""
    run, frame, root = workspace.run[0], workspace.frames[0], workspace.positions[0]
    run.root_tried = 0
    best, best_move = -np.inf, -1
    count = write_best_first(root, frame)
    for n in range(count):
        if frame.moves[n] == known_move:
            frame.moves[0], frame.moves[n] = frame.moves[n], frame.moves[0]
    for n in range(count):
        below = copied_behind(root)
        generic.apply(below, frame.moves[n])
        low = best if run.prunes and best_move >= 0 else -WIN
        nodes = run.nodes
        value = value_at(below, following(frame), run, depth - 1, low, WIN)
        if run.stopped:
            break
        bound = AT_MOST if run.prunes and best_move >= 0 and value <= best else VALUE
        note_root_move(run, frame.moves[n], value, bound, nodes)
        if value > best:
            best, best_move = value, frame.moves[n]
    return SearchResult(best_move, best, depth, root_estimates(root, run))


@compiled
def value_from(workspace: Workspace, ply: int, depth: int) -> float:
    """The value of the workspace's position, which is this many plies below the root."""
    workspace.run[0].most_nodes = 1 << 62
    workspace.run[0].deadline = np.inf
    return value_at(workspace.positions[0], workspace.frames[ply], workspace.run[0], depth, -WIN, WIN)


@compiled
def value_at(position: Any, frame: Any, run: Run, depth: int, alpha: float, beta: float) -> float:
    """The value of a position for the searching seat; outside the window from alpha to beta, only a bound."""
    run.nodes += 1
    run.deepest = max(run.deepest, frame.ply)
    mover = generic.to_move(position)
    if mover == generic.OVER:
        return final_value(position, run.me, frame.ply)
    if run.nodes >= run.next_look:
        run.next_look = run.nodes + LOOKS
        run.stopped = run.nodes >= run.most_nodes or milliseconds_left(run) <= 0.0
    rolls = mover == CHANCE
    if depth < 0 or (depth == 0 and not rolls) or frame.ply >= 2 * DEEPEST:
        return generic.evaluate(position, run.me, numbers_at(run.weights, run.weight_count))
    count = write_outcomes(position, frame) if rolls else write_best_first(position, frame)
    sign = -1.0 if mover >= 0 and mover != run.me else 1.0
    low, high = (alpha, beta) if sign > 0.0 else (-beta, -alpha)
    probes = count if rolls and run.prunes == STAR2 and depth > 0 and not run.probing else 0
    best = -np.inf
    # One recursive call serves both passes: Star2's probes of the outcomes of a chance node, then the full search.
    for n in range(probes + count):
        probing = n < probes
        place = n if probing else n - probes
        below = copied_behind(position)
        generic.apply(below, frame.moves[place])
        next_frame, reach, chooser = following(frame), depth - 1, 0
        if rolls and generic.to_move(below) != CHANCE:
            reach = depth
        worst, most = (low, high) if sign > 0.0 else (-high, -low)
        if run.prunes == MEAN:
            worst, most = -WIN, WIN
        elif rolls:
            worst, most = window(frame, place, count, alpha, beta)
        if probing:
            chooser = generic.to_move(below)
            if chooser < 0:
                continue
            write_best_first(below, next_frame)
            move = next_frame.moves[0]
            below, next_frame, reach = copied_behind(below), following(next_frame), depth - 1
            generic.apply(below, move)
            run.probing = True
        value = value_at(below, next_frame, run, reach, worst, most)
        if probing:
            run.probing = False
        if run.stopped:
            return 0.0
        if not rolls:
            best = max(best, sign * value)
            low = max(low, best)
            if run.prunes != MEAN and best >= high and place + 1 < count:
                run.cutoffs += 1
                break
            continue
        # A value outside its window is only a bound, and so is the value of a single probed move.
        if (value > worst and (not probing or chooser == run.me)) or run.prunes == MEAN:
            frame.least[place] = max(frame.least[place], value)
        if (value < most and (not probing or chooser != run.me)) or run.prunes == MEAN:
            frame.most[place] = min(frame.most[place], value)
        lower, upper = bounds(frame, count)
        if run.prunes != MEAN and n + 1 < probes + count and (lower >= beta or upper <= alpha):
            run.cutoffs += 1
            break
    if rolls:
        lower, upper = bounds(frame, count)
        return lower if lower >= beta else upper
    return sign * best + 0.0


@compiled
def write_outcomes(position: Any, frame: Any) -> int:
    """Write the outcomes of a chance node and their probabilities; returns their number."""
    count = generic.chance_moves(position, frame.moves, frame.chances)
    for n in range(count):
        frame.least[n] = -WIN
        frame.most[n] = WIN
    return count


@compiled
def write_best_first(position: Any, frame: Any) -> int:
    """Write the legal moves, the highest-scored one first; returns their number."""
    count = write_moves(generic.legal_moves(position, frame.moves), frame.moves)
    best, promised = 0, generic.move_order_score(position, frame.moves[0])
    for n in range(1, count):
        move_order_score = generic.move_order_score(position, frame.moves[n])
        if move_order_score > promised:
            best, promised = n, move_order_score
    frame.moves[0], frame.moves[best] = frame.moves[best], frame.moves[0]
    return count


@compiled
def bounds(frame: Any, count: int) -> tuple[float, float]:
    """The bounds of a chance node's value, from the bounds of its outcomes."""
    lower = upper = 0.0
    for n in range(count):
        lower += frame.chances[n] * frame.least[n]
        upper += frame.chances[n] * frame.most[n]
    return lower, upper


@compiled
def window(frame: Any, n: int, count: int, alpha: float, beta: float) -> tuple[float, float]:
    """The window of an outcome: the values with which the mean can lie between alpha and beta."""
    lower, upper = bounds(frame, count)
    chance = frame.chances[n]
    if chance <= 0.0:
        return -WIN, WIN
    low = (alpha - (upper - chance * frame.most[n])) / chance - SLACK
    high = (beta - (lower - chance * frame.least[n])) / chance + SLACK
    return max(low, -WIN - 1.0), min(high, WIN + 1.0)
