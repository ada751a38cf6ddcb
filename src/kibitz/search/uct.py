"""Plain Monte Carlo tree search (UCT, Kocsis and Szepesvári 2006) in one sampled world, as Malarczyk 2016 plays it.

It is kept as a measured bad example. The one world is taken for the truth: every seat chooses as if it saw all
cards, the deck included, and what is true in other worlds is never looked at.

Where his text is silent: every seat chooses for its own payoff, and a node where the game is over is counted with
its payoff whenever it is reached.
"""

import math
from typing import Any, NamedTuple

import numpy as np

from kibitz.core import generic
from kibitz.core.compile import WIDE, compiled, struct_dtype
from kibitz.core.loop import WORLD
from kibitz.core.move_sets import Moves, count, first, place, rest
from kibitz.core.seeds import below, number
from kibitz.search.choice import Estimates, move_room, no_estimates
from kibitz.search.clock import Limit, goes_on
from kibitz.search.playout import RANDOM, Desk, desk_for, play_to_end
from kibitz.search.worlds import Worlds, draw, room

EXPLORATION = 2.0**0.5
DEEPEST = 256
ROOT = 0
# The children of a node stand side by side from `first` on; a leaf has none.
NODE = struct_dtype([("total", np.float64), ("visits", WIDE), ("first", WIDE), ("children", WIDE), ("move", np.int64)])

NEEDS = ("imagine", "horizon", "payoff", "legal_moves")  # what it asks of a game besides the rules of play


class Tree(NamedTuple):
    nodes: Any
    used: Any  # how many nodes there are
    path: Any  # the nodes of this iteration
    movers: Any  # the seats that chose them


@compiled
def uct(worlds: Worlds, limit: Limit, stream: int) -> Estimates:
    """How often and with what mean payoff each move was tried in a single world."""
    view = worlds.seen[0]
    world, pair, desk = room(view, 1), room(view, 2), desk_for(view)
    draw(worlds, pair, number(stream, 0))
    world[0] = pair[WORLD]
    tree = planted()
    done = 0
    while goes_on(limit, done):
        tree = with_room(tree, desk.moves.shape[0])
        dice = number(stream, 1 + done)
        pair[WORLD] = world[0]
        chosen = descend(tree, pair[WORLD], number(dice, 0), desk)
        play_to_end(pair, RANDOM, number(dice, 1), desk)
        reward(tree, pair[WORLD], chosen)
        done += 1
    return estimates(tree, view)


@compiled
def planted() -> Tree:
    """A tree of its root."""
    path, movers = np.empty(DEEPEST, np.int64), np.empty(DEEPEST, np.int64)
    tree = Tree(np.empty(1 << 12, NODE), np.zeros(1, np.int64), path, movers)
    add_node(tree, -1)
    return tree


@compiled
def with_room(tree: Tree, children: int) -> Tree:
    """The tree, with room for so many children of another node: in a store twice as large if need be."""
    most = tree.nodes.shape[0]
    if tree.used[0] + children <= most:
        return tree
    nodes = np.empty(2 * most, NODE)
    nodes[:most] = tree.nodes
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
def descend(tree: Tree, state: Any, dice: int, desk: Desk) -> int:
    """Select moves down to a leaf, give it all its children, and go on to one of them; how many moves they are."""
    node, chosen = ROOT, 0
    seat = generic.to_move(state)
    while seat >= 0 and chosen < DEEPEST:
        leaf = tree.nodes[node].children == 0
        if leaf:
            expand(tree, node, generic.legal_moves(state, desk.moves))
        node = select(tree, node, number(dice, chosen))
        tree.path[chosen] = node
        tree.movers[chosen] = seat
        chosen += 1
        generic.apply(state, tree.nodes[node].move)
        generic.settle(state, dice)
        if leaf:
            break
        seat = generic.to_move(state)
    return chosen


@compiled
def expand(tree: Tree, node: int, moves: Moves) -> None:
    tree.nodes[node].first = tree.used[0]
    tree.nodes[node].children = count(moves)
    while count(moves):
        add_node(tree, first(moves))
        moves = rest(moves)


@compiled
def select(tree: Tree, above: int, dice: int) -> int:
    """The child with the highest bound: any of those never visited, else by value and by how seldom it was."""
    parent = tree.nodes[above]
    best, bound, unvisited = -1, -1.0, 0
    for node in range(parent.first, parent.first + parent.children):
        child = tree.nodes[node]
        if child.visits == 0:
            unvisited += 1
            if below(dice, unvisited, unvisited) == 0:  # so each is as likely to stay as the others
                best = node
        elif unvisited == 0:
            this = child.total / child.visits + EXPLORATION * math.sqrt(math.log(parent.visits) / child.visits)
            if this > bound:
                best, bound = node, this
    return best


@compiled
def reward(tree: Tree, state: Any, chosen: int) -> None:
    tree.nodes[ROOT].visits += 1
    for n in range(chosen):
        node = tree.nodes[tree.path[n]]
        node.visits += 1
        node.total += generic.payoff(state, tree.movers[n])


@compiled
def estimates(tree: Tree, view: Any) -> Estimates:
    moves = generic.legal_moves(view, move_room(view))
    found = no_estimates(view, moves)
    root = tree.nodes[ROOT]
    for node in range(root.first, root.first + root.children):
        child = tree.nodes[node]
        entry = place(moves, child.move)
        found.visits[entry] = child.visits
        found.values[entry] = child.total / max(child.visits, 1)
    return found
