"""Malarczyk's Monte Carlo tree search as his listing has it, line by line, to show why it loses to random moves there.

It differs from the usual search (`mcts_plain`), which his text describes, in three lines:

- The bound of a child divides its mean by its visits again, so that wins soon count for nothing and all children
  are visited alike. Of equally many visits the first in the list wins.
- Every new node holds a copy of the state at the root, newly sampled, instead of the state after the moves on the way.
  So a node's playout begins with its own move alone, and its result counts for all nodes above it.
- The children of a node are the moves of the root's hand: the card held before the card drawn, a Guard with the names
  from Priest to Princess, a Prince on oneself first.
"""

import math

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.expectation import FOUND, Found
from kibitz.engine.loop import WORLD, decision
from kibitz.engine.seat import Budget
from kibitz.engine.seeds import below, number
from kibitz.games.loveletter.agents import agent
from kibitz.games.loveletter.agents.searchers import has_choice, no_choice
from kibitz.games.loveletter.cards import PRINCE
from kibitz.games.loveletter.rules import CARD_OF, MOVES, TARGET_OF, legal
from kibitz.games.loveletter.state import State
from kibitz.search import uct
from kibitz.search.choice import Choice, move_room, note_found
from kibitz.search.clock import goes_on, limit_of
from kibitz.search.playout import RANDOM, buffers_for, play_to_end
from kibitz.search.uct import DEEPEST, EXPLORATION, ROOT, Tree, add_node, estimates, planted, with_room
from kibitz.search.worlds import draw, fresh_worlds, room

UNVISITED, SPREAD = 1000, 20  # the bound of a child without a visit: this, and a random number below that
REASONS = ("My simulations came here most often; {percent} % of them were won", "It is my only legal move")


@agent(
    title="Literal Lou", reasons=REASONS, origin="Malarczyk 2016, listing 4.3", random=True, searches=True,
    budget=Budget(2000), memory=FOUND, needs=uct.NEEDS,
)  # fmt: skip
def mcts_listing(view: State, memory: Found, budget: Budget) -> int:
    """Searches by the letter of a published listing, whose bound hardly counts wins and whose tree forgets its moves.

    It plays the card it held rather than the one it drew, and its Guards name the Priest.
    """
    if not has_choice(view):
        return no_choice(view, memory)
    moves = move_room(view)
    count = listed(view, moves)
    squares = np.zeros(count)  # of the payoffs of the root's children
    tree = searched(view, moves[:count], budget, squares)
    best = ROOT + 1
    for child in range(ROOT + 1, ROOT + 1 + count):
        if tree.nodes[child].visits > tree.nodes[best].visits:
            best = child
    found = estimates(tree, view, squares)
    node = tree.nodes[best]
    choice = Choice(node.move, node.total / max(node.visits, 1))
    note_found(memory, found, choice)
    return decision(choice.move, 0, int(100 * choice.value + 0.5))


@compiled
def listed(view: State, moves):  # type: ignore[no-untyped-def]
    """The legal moves in the order of the source's list; returns their number."""
    me, allowed, count = view.to_move, legal(view), 0
    for place in range(2):
        card = view.hands[me][place]
        if place == 1 and card == view.hands[me][0]:
            break
        for others in range(2):
            for move in range(MOVES):
                later = int(card == PRINCE and TARGET_OF[move] != me)
                if CARD_OF[move] == card and allowed >> move & 1 and later == others:
                    moves[count] = move
                    count += 1
    return count


@compiled
def searched(view: State, moves, budget: Budget, squares):  # type: ignore[no-untyped-def]
    """The tree at the end of the budget; adds to the squares of the payoffs of the root's children."""
    limit, worlds, pair, buffers = limit_of(budget), fresh_worlds(view), room(view, 2), buffers_for(view)
    me, tree, done = view.to_move, planted(), 0
    while goes_on(limit, done):
        dice = number(view.dice, done)
        tree = with_room(tree, moves.shape[0])
        node, depth = ROOT, 0
        while tree.nodes[node].children > 0 and depth < DEEPEST - 1:
            node = selected(tree, node, number(dice, 2 + depth))
            tree.path[depth] = node
            depth += 1
        expand(tree, node, moves)
        child = tree.nodes[node].first + below(dice, 0, moves.shape[0])
        tree.path[depth] = child
        draw(worlds, pair, number(dice, 0))
        generic.apply(pair[WORLD], tree.nodes[child].move)
        play_to_end(pair, RANDOM, number(dice, 1), buffers)
        payoff = generic.payoff(pair[WORLD], me)
        update(tree, depth + 1, payoff)
        squares[tree.path[0] - tree.nodes[ROOT].first] += payoff * payoff
        done += 1
    return tree


@compiled
def expand(tree: Tree, node: int, moves) -> None:  # type: ignore[no-untyped-def]
    tree.nodes[node].first = tree.used[0]
    tree.nodes[node].children = moves.shape[0]
    for place in range(moves.shape[0]):
        add_node(tree, moves[place])


@compiled
def selected(tree: Tree, above: int, dice: int) -> int:
    parent = tree.nodes[above]
    best = parent.first
    for node in range(parent.first, parent.first + parent.children):
        higher = bound(tree, above, node, number(dice, 3 * node)) > bound(tree, above, best, number(dice, 3 * node + 1))
        if higher or bound(tree, above, best, number(dice, 3 * node + 2)) == 0.0:
            best = node
    return best


@compiled
def bound(tree: Tree, above: int, node: int, dice: int) -> float:
    """The listing's upper bound: the mean is divided by the visits again."""
    child = tree.nodes[node]
    if child.visits == 0:
        return float(UNVISITED + below(dice, 0, SPREAD))
    mean = child.total / child.visits
    return mean / child.visits + EXPLORATION * math.sqrt(math.log(tree.nodes[above].visits) / child.visits)


@compiled
def update(tree: Tree, length: int, payoff: float) -> None:
    """Count a result for the root and for all nodes on the path."""
    tree.nodes[ROOT].visits += 1
    tree.nodes[ROOT].total += payoff
    for place in range(length):
        node = tree.nodes[tree.path[place]]
        node.visits += 1
        node.total += payoff
