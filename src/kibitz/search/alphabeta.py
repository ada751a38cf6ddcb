"""Minimax and alpha-beta for games with open information, with each enhancement as an option.

Options are values, not code: the search is compiled once per game, and the same machine code runs everything from
minimax to iterative deepening with a transposition table. The recursion passes only structs and numbers, which are not
reference-counted.

Values are points for the searching seat, which all others are assumed to minimize. With two players that is exact; with
more it is the paranoid assumption, that all others play against this seat. `maxn` does without it.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from kibitz.engine import generic, seeds
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.generic import FORCED, QUIET
from kibitz.engine.seat import numbers_at
from kibitz.search import book, table
from kibitz.search.book import PAGE_WORDS
from kibitz.search.choice import AT_MOST, VALUE, Estimates, empty_estimates, entry_of, move_room, no_estimates
from kibitz.search.clock import Limit, milliseconds
from kibitz.search.open_games import (
    DECIDED,
    MOST_MOVES,
    WIN,
    copied_behind,
    final_value,
    following,
    write_moves,
)

NEEDS = ("payoff", "legal_moves", "key")
DEEPEST = 64  # plies below the root
LOOKS = 1024  # nodes between checks of the clock
HISTORIES = 4096  # entries of the history table; a move's number is taken modulo this
INFINITE = 2 * WIN
KILLER_POINTS, HISTORY_POINTS = 200.0, 100.0  # added to `generic.move_order_score`
FIRST = 1e9  # the score of the move from the table, above all others


class Options(NamedTuple):
    """The enhancements a search uses."""

    prunes: bool = True  # alpha-beta; without it, minimax
    promising_first: int = 2  # moves are ordered by score at least this many plies above the leaves; 0: nowhere
    killers: bool = True  # killer moves: refutations at the same ply come early
    history: bool = True  # history heuristic: moves that refuted others anywhere come early
    table: bool = True  # a transposition table
    deepens: bool = True  # iterative deepening
    quiets: bool = True  # quiescence search: only quiet positions are evaluated
    singular: float = 0.0  # extend a move scored this much above all others by a ply; 0: never
    equal_depth: bool = False  # accept table entries of equal depth only, not of greater
    beam: int = 0  # local beam: only this many of the moves with the highest scores are searched; 0: all
    beam_after: int = 2  # the beam begins this many plies below the root
    ally: int = -1  # a seat that plays with the searching one, not against it; −1: none
    shuffles: int = 0  # the seed of a random move order, to measure what order is worth; 0: none


USUAL = Options()
PLAIN = Options(False, 0, False, False, False, False, False)  # minimax

# What all nodes of a search share. The counters come first.
RUN = struct_dtype(
    [
        *(
            (name, np.int64)
            for name in (
                "nodes", "cutoffs", "first_cutoffs", "hits", "answers", "quiet", "extended", "deepest", "prunes",
                "promising_first", "killers", "history", "table", "quiets", "equal_depth", "table_bits", "weights",
                "weight_count", "root_depth", "most_nodes", "next_look", "stopped", "probing", "me", "book",
                "book_length", "book_plies", "book_answers", "beam", "beam_after", "ally", "shuffles",
            )
        ),
        ("singular", np.float64),
        ("deadline", np.float64),
        ("root_tried", np.int64),  # the searched moves of the root, and their values for the mover
        ("root_moves", np.int64, MOST_MOVES),
        ("root_values", np.float64, MOST_MOVES),
        ("root_nodes", np.int64, MOST_MOVES),
        ("root_bounds", np.int64, MOST_MOVES),
        ("refuted", np.float64, HISTORIES),  # by move: its cutoffs, weighted by squared depth
    ]
)  # fmt: skip

# What each ply has of its own.
FRAME = struct_dtype(
    [
        ("ply", np.int64),
        ("length", np.int64),  # of the main line
        ("line", np.int64, DEEPEST),  # the main line from here
        ("killer", np.int64, 2),
        ("moves", np.int64, MOST_MOVES),
        ("scores", np.float64, MOST_MOVES),
    ]
)


class Run(Protocol):
    """A struct of the type RUN."""

    nodes: int  # positions visited
    cutoffs: int  # positions whose remaining moves were skipped
    first_cutoffs: int  # of these, by the first move
    hits: int  # positions found in the table
    answers: int  # of these, positions that needed no search
    quiet: int  # positions in quiescence search
    extended: int  # singular extensions
    deepest: int  # the greatest ply reached
    prunes: bool
    promising_first: int
    killers: bool
    history: bool
    table: int  # address, or 0
    table_bits: int
    quiets: bool
    equal_depth: bool
    weights: int  # address
    weight_count: int
    root_depth: int
    most_nodes: int
    next_look: int  # the number of nodes at the next check of the clock
    stopped: bool
    probing: bool  # whether `expectimax` is in a Star2 probe
    me: int  # the seat that searches
    beam: int
    beam_after: int
    ally: int  # the seat that plays with it, or its own
    shuffles: int
    book: int  # address, or 0
    book_length: int
    book_plies: int  # plies below the root at which the book is used
    book_answers: int  # positions whose value came from it
    singular: float
    deadline: float
    root_tried: int
    root_moves: Any
    root_values: Any
    root_nodes: Any
    root_bounds: Any
    refuted: Any


class Workspace(NamedTuple):
    """The memory of a search. The run holds the addresses of the other parts, so they must outlive the search."""

    run: Any
    frames: Any
    positions: Any
    table: Any
    weights: Any


class SearchResult(NamedTuple):
    move: int
    value: float  # in points for the searching seat
    depth: int  # completed
    estimates: Estimates  # of every legal move


@compiled
def workspace_for(state: Any, me: int, options: Options, weights: Any, table_bits: int, book: Any) -> Workspace:
    """The workspace to search a state for a seat; `no_book()` stands for no book, which has to outlive the search."""
    run, frames = np.zeros(1, RUN), np.empty(DEEPEST + 1, FRAME)
    for ply in range(DEEPEST + 1):
        frames[ply].ply = ply
        frames[ply].length = 0
        frames[ply].killer[:] = -1
    here = run[0]
    entries = table.empty_table(table_bits if options.table else 1)
    here.me = me
    here.prunes = options.prunes
    here.promising_first = options.promising_first
    here.killers = options.killers
    here.history = options.history
    here.table = entries.ctypes.data if options.table else 0
    here.table_bits = table_bits
    here.quiets = options.quiets
    here.singular = options.singular
    here.equal_depth = options.equal_depth
    here.beam = options.beam
    here.beam_after = options.beam_after
    here.ally = options.ally if options.ally >= 0 else me
    here.shuffles = options.shuffles
    here.weights = weights.ctypes.data
    here.weight_count = weights.shape[0]
    here.book = book.ctypes.data if book.shape[0] else 0
    here.book_length = book.shape[0] // PAGE_WORDS
    here.book_plies = DEEPEST if book.shape[0] else 0
    return Workspace(run, frames, generic.positions(state, DEEPEST + 1), entries, weights)


@compiled
def search(workspace: Workspace, limit: Limit, depth: int, deepens: bool) -> SearchResult:
    """The best move for the player to move: at a fixed depth, or by iterative deepening within the limit.

    The limit's iterations count positions. The first ply is always completed.
    """
    run, frame, root = workspace.run[0], workspace.frames[0], workspace.positions[0]
    depth = min(depth, DEEPEST)
    found = SearchResult(-1, 0.0, 0, empty_estimates(0))
    for reach in range(1 if deepens else depth, depth + 1):
        # Without a completed first ply there is no move.
        run.most_nodes = limit.iterations if reach > 1 else 1 << 62
        run.deadline = limit.deadline if reach > 1 else np.inf
        run.root_depth = reach
        run.root_tried = 0
        value = value_at(root, frame, run, reach, -INFINITE, INFINITE)
        if run.stopped:
            break
        move = frame.line[0] if frame.length else -1
        found = SearchResult(move, value, min(reach, run.deepest), root_estimates(root, run))
        if deepens and (abs(value) > DECIDED or (run.deepest < reach and run.book_answers == 0)):
            break  # the game is decided or was searched to its end
    return found


@compiled
def value_at(position: Any, frame: Any, run: Run, depth: int, alpha: float, beta: float) -> float:
    """The value of a position. Outside the window from alpha to beta it is only a bound."""
    run.nodes += 1
    frame.length = 0
    mover = generic.to_move(position)
    if mover < 0:
        return final_worth(position, run, frame.ply)
    sign = 1.0 if mover == run.me or mover == run.ally else -1.0
    if run.book != 0 and depth >= 0 and 0 < frame.ply < run.book_plies:
        page = book.find(run.book, run.book_length, generic.key(position))
        if page >= 0 and book.depth_at(run.book, page) >= depth:
            run.book_answers += 1
            return sign * from_here(book.value_at(run.book, page), frame.ply)
    quiescence = QUIET
    if depth <= 0 or frame.ply >= DEEPEST:
        quiescence = generic.quiescence(position) if run.quiets and frame.ply < DEEPEST else QUIET
        if quiescence == QUIET:
            return worth(position, run)
        run.quiet += 1
    run.deepest = max(run.deepest, frame.ply + 1)
    if run.nodes >= run.next_look:
        run.next_look = run.nodes + LOOKS
        run.stopped = run.nodes >= run.most_nodes or milliseconds_left(run) <= 0.0

    # From here on, values are from the mover's point of view.
    low, high = (alpha, beta) if sign > 0.0 else (-beta, -alpha)
    key, known_move = 0, -1
    if run.table != 0 and depth > 0:
        key = generic.key(position)
        entry = table.find(run.table, run.table_bits, key)
        if entry.key == key and entry.bound != table.EMPTY:
            run.hits += 1
            known_move = entry.move
            deep_enough = entry.depth == depth if run.equal_depth else entry.depth >= depth
            if deep_enough and frame.ply > 0:
                value = from_here(entry.value, frame.ply)
                if (
                    entry.bound == table.EXACT
                    or (entry.bound == table.AT_LEAST and value >= high)
                    or (entry.bound == table.AT_MOST and value <= low)
                ):
                    run.answers += 1
                    return sign * value
    best, best_move, floor = -INFINITE, -1, low
    if depth > 0:
        count = write_moves(generic.legal_moves(position, frame.moves), frame.moves)
    else:
        count = write_moves(generic.tactical_moves(position, frame.moves), frame.moves)
        if quiescence != FORCED:
            best = sign * worth(position, run)
            if run.prunes and best >= high:
                return sign * best
            low = max(low, best)
    ordered = order(position, frame, run, count, depth, known_move)
    lone = is_singular(frame, run, count, depth, ordered)
    if ordered and in_beam(frame, run, depth):
        count = min(count, run.beam)
    next_frame = following(frame)
    for n in range(count):
        if ordered:
            bring_best(frame, n, count)
        move = frame.moves[n]
        below = copied_behind(position)
        generic.apply(below, move)
        reach = depth if lone and n == 0 else depth - 1
        worst, most = (low, high) if run.prunes else (-INFINITE, INFINITE)
        if sign < 0.0:
            worst, most = -most, -worst
        nodes = run.nodes
        value = sign * value_at(below, next_frame, run, reach, worst, most)
        if run.stopped:
            return 0.0
        if frame.ply == 0:
            note_root_move(run, move, value, AT_MOST if run.prunes and value <= low else VALUE, nodes)
        if value > best:
            best, best_move = value, move
            if value > low or not run.prunes:
                low = max(low, value)
                extend_line(frame, next_frame, move)
        if run.prunes and best >= high and n + 1 < count:
            run.cutoffs += 1
            run.first_cutoffs += n == 0
            if depth > 0:
                remember_refutation(frame, run, move, depth)
            break
    if run.table != 0 and depth > 0:
        bound = table.AT_MOST if best <= floor else table.AT_LEAST if best >= high else table.EXACT
        table.keep(run.table, run.table_bits, key, to_here(best, frame.ply), best_move, depth, bound)
    return sign * best + 0.0  # turns −0 into 0


@compiled
def worth(position: Any, run: Run) -> float:
    """The evaluation of a position; of two allies, the better one."""
    points = generic.evaluate(position, run.me, numbers_at(run.weights, run.weight_count))
    if run.ally == run.me:
        return points
    return max(points, generic.evaluate(position, run.ally, numbers_at(run.weights, run.weight_count)))


@compiled
def final_worth(position: Any, run: Run, ply: int) -> float:
    """The value of a finished game; two allies share what they win."""
    points = final_value(position, run.me, ply)
    if run.ally == run.me:
        return points
    payoff = generic.payoff(position, run.me) + generic.payoff(position, run.ally)
    return WIN - ply if payoff >= 1.0 else ply - WIN if payoff <= 0.0 else WIN * (2.0 * payoff - 1.0)


@compiled
def in_beam(frame: Any, run: Run, depth: int) -> bool:
    """Whether only the most promising moves of a position are searched."""
    return run.beam > 0 and depth > 0 and frame.ply >= run.beam_after


@compiled
def note_root_move(run: Run, move: int, value: float, bound: int, nodes_before: int) -> None:
    """Store the value of a root move for the mover."""
    n = run.root_tried
    run.root_moves[n] = move
    run.root_values[n] = value
    run.root_nodes[n] = run.nodes - nodes_before
    run.root_bounds[n] = bound
    run.root_tried = n + 1


@compiled
def root_estimates(root: Any, run: Run) -> Estimates:
    """The values of the root's legal moves, without standard errors."""
    if run.root_tried == 0:
        return empty_estimates(0)
    found = no_estimates(root, generic.legal_moves(root, move_room(root)))
    for n in range(run.root_tried):
        entry = entry_of(found, run.root_moves[n])
        found.values[entry] = run.root_values[n]
        found.errors[entry] = 0.0
        found.visits[entry] = run.root_nodes[n]
        found.bounds[entry] = run.root_bounds[n]
    return found


@compiled
def milliseconds_left(run: Run) -> float:
    return run.deadline - milliseconds() if run.deadline < np.inf else 1.0


@compiled
def to_here(value: float, ply: int) -> float:
    """A value as stored in the table: plies to a decided end are counted from the position, not from the root."""
    return value + ply if value > DECIDED else value - ply if value < -DECIDED else value


@compiled
def from_here(value: float, ply: int) -> float:
    return value - ply if value > DECIDED else value + ply if value < -DECIDED else value


@compiled
def order(position: Any, frame: Any, run: Run, count: int, depth: int, known_move: int) -> bool:
    """Write the moves' ordering scores; False if there is nothing to order them by."""
    if run.shuffles != 0:
        for n in range(count):
            frame.scores[n] = seeds.below(run.shuffles, MOST_MOVES * run.nodes + n, 1 << 30)
        return True
    promising = (run.promising_first > 0 and depth >= run.promising_first) or in_beam(frame, run, depth)
    if not (promising or run.killers or run.history or known_move >= 0):
        return False
    for n in range(count):
        move = frame.moves[n]
        score = generic.move_order_score(position, move) if promising else 0.0
        if move == known_move:
            score += FIRST
        if run.killers and (move == frame.killer[0] or move == frame.killer[1]):
            score += KILLER_POINTS
        if run.history:
            score += HISTORY_POINTS * run.refuted[move % HISTORIES] / (run.refuted[move % HISTORIES] + 1000.0)
        frame.scores[n] = score
    return True


@compiled
def is_singular(frame: Any, run: Run, count: int, depth: int, ordered: bool) -> bool:
    """Whether the first move's score is so far above all others that it is searched deeper."""
    if run.singular <= 0.0 or depth <= 0 or frame.ply + depth >= 2 * run.root_depth:
        return False
    if count > 1:
        if not ordered:
            return False
        best = second = -np.inf
        for n in range(count):
            score = frame.scores[n] if frame.scores[n] < FIRST / 2 else frame.scores[n] - FIRST
            if score > best:
                best, second = score, best
            elif score > second:
                second = score
        if best - second < run.singular:
            return False
    run.extended += 1
    return True


@compiled
def bring_best(frame: Any, n: int, count: int) -> None:
    """Swap the n-th move with the highest-scored move from there on."""
    best = n
    for other in range(n + 1, count):
        if frame.scores[other] > frame.scores[best]:
            best = other
    frame.moves[n], frame.moves[best] = frame.moves[best], frame.moves[n]
    frame.scores[n], frame.scores[best] = frame.scores[best], frame.scores[n]


@compiled
def extend_line(frame: Any, below: Any, move: int) -> None:
    """Make the main line this move followed by the main line below."""
    frame.line[0] = move
    length = min(below.length, DEEPEST - 1)
    for n in range(length):
        frame.line[n + 1] = below.line[n]
    frame.length = length + 1


@compiled
def remember_refutation(frame: Any, run: Run, move: int, depth: int) -> None:
    if frame.killer[0] != move:
        frame.killer[1] = frame.killer[0]
        frame.killer[0] = move
    run.refuted[move % HISTORIES] += depth * depth
