"""Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), for any number of players.

Every iteration samples another world, so a node is an information set: the moves made so far, and the observer's
information key after each. The move is chosen by upper confidence bound among the moves that are legal in the
iteration's world; the bound counts how often a move was available, not how often its node was visited.

*Single observer*: one tree over the information sets of the searching seat. The other seats choose in it too, each for
its own payoff, but only distinguish what the searching seat can. *Many observers*: a tree per seat, all descended
together, and each seat chooses in its own. *Modelled*: the other seats move like the game's model of a sensible player,
and only the searching seat optimizes.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import WIDE, compiled, struct_dtype
from kibitz.engine.copying import copy_into
from kibitz.engine.loop import WORLD
from kibitz.engine.move_sets import Moves, any_of, contains, count, without
from kibitz.engine.seeds import number
from kibitz.search.choice import Estimates, entry_of, move_room, no_estimates, set_errors
from kibitz.search.clock import Limit, goes_on
from kibitz.search.playout import MoveBuffers, buffers_for, plausible_move, play_to_end
from kibitz.search.worlds import Worlds, draw, room

SINGLE, MANY, MODELLED = 0, 1, 2  # the observers, and how the others choose
NONE = -1
DEEPEST = 128  # moves an iteration can choose in the tree before its playout
FEW = 1 << 14  # iterations to allocate room for at the start; the store grows

# A node is an information set, and its edges are the moves made from there; an edge's outcomes are the nodes that the
# move led to, one per information key. Edges and outcomes are short linked lists.
NODE = struct_dtype([("information_key", np.int64), ("edges", WIDE), ("next", WIDE)])
EDGE = struct_dtype(
    [
        ("total", np.float64),
        ("visits", WIDE),
        ("available", WIDE),
        ("outcomes", WIDE),
        ("next", WIDE),
        ("move", np.int64),
    ]
)

# The functions a game must implement besides the rules.
NEEDS = (
    "sample_world",
    "horizon",
    "payoff",
    "legal_moves",
    "information_key",
    "move_probabilities",
)


class Options(NamedTuple):
    """How to search: see the module's docstring."""

    observers: int = SINGLE
    playout: int = 0
    exploration: float = 0.7  # from Cowling et al., for payoffs from 0 to 1


class Trees(NamedTuple):
    """The trees of all observers, in one store; edge number `observer` leads to that observer's roots."""

    nodes: Any
    edges: Any
    used: Any  # the numbers of nodes and edges
    here: Any  # the node of each observer in this iteration
    path: Any  # the edges chosen in this iteration
    movers: Any  # the seats that chose them


@compiled
def ismcts(worlds: Worlds, limit: Limit, stream: int, options: Options) -> Estimates:
    """The visits and mean payoffs of every move in the view."""
    view = worlds.seen[0]
    me = view.seat
    observers = view.players if options.observers == MANY else 1
    trees = planted(observers, min(limit.iterations, FEW))
    pair, buffers = room(view, 2), buffers_for(view)
    found = no_estimates(view, generic.legal_moves(view, move_room(view)))
    squares = np.zeros(found.moves.shape[0])  # of the payoffs of each move
    done = 0
    while goes_on(limit, done):
        trees = with_room(trees)
        draw(worlds, pair, number(stream, 2 * done))
        dice = number(stream, 2 * done + 1)
        for tree in range(observers):
            trees.here[tree] = outcome(trees, tree, generic.information_key(pair[WORLD], observer(options, me, tree)))
        chosen = descend(trees, pair, me, options, number(dice, 0), buffers)
        play_to_end(pair, options.playout, number(dice, 1), buffers)
        reward(trees, pair[WORLD], chosen)
        if chosen > 0:
            payoff = generic.payoff(pair[WORLD], trees.movers[0])
            squares[entry_of(found, trees.edges[trees.path[0]].move)] += payoff * payoff
        done += 1
    write_estimates(trees, me if options.observers == MANY else 0, found, squares)
    return found


@compiled
def observer(options: Options, me: int, tree: int) -> int:
    """The seat that observes this tree."""
    return tree if options.observers == MANY else me


@compiled
def planted(observers: int, iterations: int) -> Trees:
    """Empty trees, with room for the nodes that this number of iterations usually adds."""
    most = observers * (2 * iterations + DEEPEST)
    trees = Trees(
        np.empty(most, NODE), np.empty(most, EDGE), np.zeros(2, np.int64),
        np.zeros(observers, np.int64), np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int64),
    )  # fmt: skip
    for _ in range(observers):
        add_edge(trees, NONE, NONE)
    return trees


@compiled
def with_room(trees: Trees) -> Trees:
    """The trees with room for another iteration; the store is doubled if needed."""
    most = trees.nodes.shape[0]
    if max(trees.used[0], trees.used[1]) + trees.here.shape[0] * (DEEPEST + 1) <= most:
        return trees
    nodes, edges = np.empty(2 * most, NODE), np.empty(2 * most, EDGE)
    copy_into(nodes, trees.nodes)
    copy_into(edges, trees.edges)
    return Trees(nodes, edges, trees.used, trees.here, trees.path, trees.movers)


@compiled
def add_edge(trees: Trees, move: int, next: int) -> int:
    added = trees.used[1]
    trees.used[1] += 1
    edge = trees.edges[added]
    edge.move = move
    edge.next = next
    edge.total = 0.0
    edge.visits = 0
    edge.available = 0
    edge.outcomes = NONE
    return added


@compiled
def edge_of(trees: Trees, node: int, move: int) -> int:
    """A move's edge at a node, created if missing."""
    edge = trees.nodes[node].edges
    while edge != NONE:
        if trees.edges[edge].move == move:
            return edge
        edge = trees.edges[edge].next
    trees.nodes[node].edges = add_edge(trees, move, trees.nodes[node].edges)
    return trees.nodes[node].edges


@compiled
def outcome(trees: Trees, edge: int, information_key: int) -> int:
    """The node a move leads to if the observer then has this information key, created if missing."""
    node = trees.edges[edge].outcomes
    while node != NONE:
        if trees.nodes[node].information_key == information_key:
            return node
        node = trees.nodes[node].next
    added = trees.used[0]
    trees.used[0] += 1
    trees.nodes[added].information_key = information_key
    trees.nodes[added].edges = NONE
    trees.nodes[added].next = trees.edges[edge].outcomes
    trees.edges[edge].outcomes = added
    return added


@compiled
def descend(trees: Trees, pair: Any, me: int, options: Options, dice: int, buffers: MoveBuffers) -> int:
    """Make moves down to the first that is new at its node, or to the end; returns their number."""
    state = pair[WORLD]
    observers = trees.here.shape[0]
    chosen = 0
    seat = generic.to_move(state)
    while seat >= 0 and chosen < DEEPEST:
        own = seat if options.observers == MANY else 0
        if options.observers == MODELLED and seat != me:
            edge = edge_of(trees, trees.here[own], plausible_move(pair, seat, dice, chosen, buffers))
        else:
            edge = select(
                trees,
                trees.here[own],
                generic.legal_moves(state, buffers.moves),
                options.exploration,
                number(dice, chosen),
            )
        move = trees.edges[edge].move
        trees.path[chosen] = edge
        trees.movers[chosen] = seat
        generic.apply(state, move)
        generic.resolve_chance(state, dice)
        chosen += 1
        for tree in range(observers):
            made = edge if tree == own else edge_of(trees, trees.here[tree], move)
            trees.here[tree] = outcome(trees, made, generic.information_key(state, observer(options, me, tree)))
        if trees.edges[edge].visits == 0:
            break
        seat = generic.to_move(state)
    return chosen


@compiled
def select(trees: Trees, node: int, moves: Moves, exploration: float, dice: int) -> int:
    """The edge of the legal move with the highest upper confidence bound; untried moves come first."""
    best, bound = NONE, -np.inf
    edge = trees.nodes[node].edges
    while edge != NONE:
        tried = trees.edges[edge]
        if contains(moves, tried.move):
            moves = without(moves, tried.move)
            tried.available += 1
            this = tried.total / tried.visits + exploration * math.sqrt(math.log(tried.available) / tried.visits)
            if this > bound:
                best, bound = edge, this
        edge = tried.next
    if count(moves):
        trees.nodes[node].edges = add_edge(trees, any_of(moves, dice, 0), trees.nodes[node].edges)
        best = trees.nodes[node].edges
        trees.edges[best].available = 1
    return best


@compiled
def reward(trees: Trees, state: Any, chosen: int) -> None:
    """Add the payoffs to the chosen moves, each for its own seat."""
    for n in range(chosen):
        edge = trees.edges[trees.path[n]]
        edge.visits += 1
        edge.total += generic.payoff(state, trees.movers[n])


@compiled
def write_estimates(trees: Trees, tree: int, found: Estimates, squares: Any) -> None:
    """Write the estimates of the moves at the root of the searching seat's tree."""
    edge = trees.nodes[trees.edges[tree].outcomes].edges
    while edge != NONE:
        tried = trees.edges[edge]
        entry = entry_of(found, tried.move)
        found.visits[entry] = tried.visits
        found.values[entry] = tried.total / tried.visits
        squares[entry] -= tried.total * found.values[entry]
        edge = tried.next
    set_errors(found, squares)
