"""Monte Carlo tree search (UCT, Kocsis and Szepesvári 2006) in a single world.

With open information the world is the true state. With hidden cards it is one sampled world, as in Malarczyk 2016, kept
as a measured bad example: every seat chooses as if it saw all cards, including the deck, and other worlds do not count.

Where that paper is silent: every seat chooses for its own payoff, and every visit to a finished game counts its payoff.
Chance nodes are nodes too; their children are sampled by probability.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba.extending import overload

from kibitz.engine import generic
from kibitz.engine.compile import WIDE, compiled, struct_dtype
from kibitz.engine.copying import copy_into
from kibitz.engine.dice import chance_move
from kibitz.engine.loop import WORLD
from kibitz.engine.move_sets import Moves, count, first, place, rest
from kibitz.engine.seeds import below, number
from kibitz.search.choice import Estimates, move_room, no_estimates, set_errors
from kibitz.search.clock import Limit, goes_on
from kibitz.search.playout import MoveBuffers, buffers_for, play_to_end
from kibitz.search.worlds import Worlds, draw, room

EXPLORATION = 2.0**0.5
DEEPEST = 256
ROOT = 0
# The children of a node are contiguous, from `first` on; a leaf has none.
NODE = struct_dtype([("total", np.float64), ("visits", WIDE), ("first", WIDE), ("children", WIDE), ("move", np.int64)])

NEEDS = ("sample_world", "horizon", "payoff", "legal_moves")  # the functions a game must implement besides the rules


class Options(NamedTuple):
    exploration: float  # the weight of the bound's exploration term
    playout: int  # below the tree: RANDOM or MODEL (see `playout`)


class Tree(NamedTuple):
    nodes: Any
    used: Any  # the number of nodes
    path: Any  # the nodes of this iteration
    movers: Any  # the seats that chose them


@compiled
def uct(worlds: Worlds, limit: Limit, stream: int, options: Options) -> Estimates:
    """The visits and mean payoffs of every move, in a single world."""
    view = worlds.seen[0]
    world, pair, buffers = room(view, 1), room(view, 2), buffers_for(view)
    draw(worlds, pair, number(stream, 0))
    world[0] = pair[WORLD]
    tree = planted()
    squares = np.zeros(buffers.moves.shape[0])  # of the payoffs of the root's children
    done = 0
    while goes_on(limit, done):
        tree = with_room(tree, buffers.moves.shape[0])
        dice = number(stream, 1 + done)
        pair[WORLD] = world[0]
        chosen = descend(tree, pair[WORLD], number(dice, 0), buffers, options.exploration)
        generic.resolve_chance(pair[WORLD], dice)
        play_to_end(pair, options.playout, number(dice, 1), buffers)
        reward(tree, pair[WORLD], chosen)
        if chosen > 0:
            payoff = generic.payoff(pair[WORLD], tree.movers[0])
            squares[tree.path[0] - tree.nodes[ROOT].first] += payoff * payoff
        done += 1
    return estimates(tree, view, squares)


@compiled
def planted() -> Tree:
    """A tree with only a root."""
    path, movers = np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int64)
    tree = Tree(np.empty(1 << 12, NODE), np.zeros(1, np.int64), path, movers)
    add_node(tree, -1)
    return tree


@compiled
def with_room(tree: Tree, children: int) -> Tree:
    """The tree with room for another node's children; the store is doubled if needed."""
    most = tree.nodes.shape[0]
    if tree.used[0] + children <= most:
        return tree
    nodes = np.empty(2 * most, NODE)
    copy_into(nodes, tree.nodes)
    return Tree(nodes, tree.used, tree.path, tree.movers)


@compiled
def add_node(tree: Tree, move: int) -> None:
    node = tree.nodes[tree.used[0]]
    tree.used[0] += 1
    node.move = move
    node.total = 0.0
    node.visits = 0
    node.children = 0


@compiled
def descend(tree: Tree, state: Any, dice: int, buffers: MoveBuffers, exploration: float) -> int:
    """Select moves down to a leaf, expand it, and enter one of its children; returns the number of moves."""
    node, chosen = ROOT, 0
    seat = generic.to_move(state)
    while seat != generic.OVER and chosen < DEEPEST:
        leaf = tree.nodes[node].children == 0
        if seat == generic.CHANCE:
            if leaf:
                expand(tree, node, outcomes(state, buffers))
            node = child_with(tree, node, rolled(state, buffers, number(dice, chosen)))
        else:
            if leaf:
                expand(tree, node, generic.legal_moves(state, buffers.moves))
            node = select(tree, node, number(dice, chosen), exploration)
        tree.path[chosen] = node
        tree.movers[chosen] = seat
        chosen += 1
        generic.apply(state, tree.nodes[node].move)
        if leaf:
            break
        seat = generic.to_move(state)
    return chosen


@compiled
def child_with(tree: Tree, above: int, move: int) -> int:
    """The child that a move leads to; it must exist."""
    node = tree.nodes[above].first
    while tree.nodes[node].move != move:
        node += 1
    return node


# Chance nodes, in games that have them


def outcomes(state: Any, buffers: MoveBuffers) -> Any:
    """All outcomes of a chance node, as a list of moves."""
    return buffers.moves[: generic.chance_moves(state, buffers.moves, buffers.chances)]


def rolled(state: Any, buffers: MoveBuffers, number: int) -> int:
    """The outcome that a random number selects."""
    return chance_move(state, buffers.moves, buffers.chances, number)


@overload(outcomes)
def compiled_outcomes(state, buffers):  # type: ignore[no-untyped-def]
    def some(state, buffers):  # type: ignore[no-untyped-def]
        return buffers.moves[: generic.chance_moves(state, buffers.moves, buffers.chances)]

    return some if "chance" in state.fields else (lambda state, buffers: buffers.moves[:0])


@overload(rolled)
def compiled_rolled(state, buffers, number):  # type: ignore[no-untyped-def]
    def some(state, buffers, number):  # type: ignore[no-untyped-def]
        return chance_move(state, buffers.moves, buffers.chances, number)

    return some if "chance" in state.fields else (lambda state, buffers, number: -1)


@compiled
def expand(tree: Tree, node: int, moves: Moves) -> None:
    tree.nodes[node].first = tree.used[0]
    tree.nodes[node].children = count(moves)
    while count(moves):
        add_node(tree, first(moves))
        moves = rest(moves)


@compiled
def select(tree: Tree, above: int, dice: int, exploration: float) -> int:
    """The child with the highest upper confidence bound; a random unvisited one comes first."""
    parent = tree.nodes[above]
    best, bound, unvisited = -1, -1.0, 0
    for node in range(parent.first, parent.first + parent.children):
        child = tree.nodes[node]
        if child.visits == 0:
            unvisited += 1
            if below(dice, unvisited, unvisited) == 0:  # reservoir sampling: all are equally likely
                best = node
        elif unvisited == 0:
            this = child.total / child.visits + exploration * math.sqrt(math.log(parent.visits) / child.visits)
            if this > bound:
                best, bound = node, this
    return best


@compiled
def reward(tree: Tree, state: Any, chosen: int) -> None:
    tree.nodes[ROOT].visits += 1
    for n in range(chosen):
        node = tree.nodes[tree.path[n]]
        node.visits += 1
        if tree.movers[n] >= 0:
            node.total += generic.payoff(state, tree.movers[n])


@compiled
def estimates(tree: Tree, view: Any, squares: Any) -> Estimates:
    moves = generic.legal_moves(view, move_room(view))
    found = no_estimates(view, moves)
    deviations = np.zeros(found.moves.shape[0])
    root = tree.nodes[ROOT]
    for n in range(root.children):
        child = tree.nodes[root.first + n]
        entry = place(moves, child.move)
        found.visits[entry] = child.visits
        found.values[entry] = child.total / max(child.visits, 1)
        deviations[entry] = squares[n] - child.total * found.values[entry]
    set_errors(found, deviations)
    return found
