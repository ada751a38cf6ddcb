"""Players that search: the algorithms are those of `kibitz.search`, which know nothing of Love Letter.

The budget is in the first two weights: iterations, or milliseconds. Each says how often in a hundred of the rounds
it looked into it has won after the move it makes.
"""

from kibitz.core.agent import Budget
from kibitz.core.bits import lowest_bit
from kibitz.core.compile import compiled
from kibitz.core.loop import Memory, Weights, decision
from kibitz.loveletter.agents import agent
from kibitz.loveletter.agents.greedy import ORIGIN
from kibitz.loveletter.rules import legal
from kibitz.loveletter.state import State
from kibitz.search.belief import weighed_worlds
from kibitz.search.choice import Choice, most_valued, most_visited
from kibitz.search.clock import Limit, limit_of
from kibitz.search.flat import flat
from kibitz.search.ismcts import MANY, MODELLED, SINGLE, Options, ismcts
from kibitz.search.playout import MODEL, RANDOM
from kibitz.search.uct import uct
from kibitz.search.worlds import fresh_worlds

COWLING = "Cowling, Powley and Whitehouse 2012"
EXPLORATION = 0.7
ONLY_MOVE = 1
REASONS = (
    "won {percent} of a hundred rounds it played on to the end",
    "the only legal move",
)
READING = (
    "won {percent} of a hundred rounds, with the cards that the others' moves speak for",
    "the only legal move",
)


@compiled
def limit(weights: Weights) -> Limit:
    return limit_of(Budget(int(weights.values[0]), int(weights.values[1])))


@compiled
def has_choice(view: State) -> bool:
    moves = legal(view)
    return moves & (moves - 1) != 0


@compiled
def no_choice(view: State) -> int:
    return decision(lowest_bit(legal(view)), ONLY_MOVE)


@compiled
def chosen(choice: Choice) -> int:
    return decision(choice.move, 0, int(100 * choice.value + 0.5))


@agent(reasons=REASONS, origin=ORIGIN, random=True, searches=True, weights=(2000.0, 0.0))
def mcts_plain(view: State, memory: Memory, weights: Weights) -> int:
    """Plain tree search (UCT) in a single sampled world, as if it were the true one.

    There everybody sees all cards, and so it plays: it expects the others to know its card, and itself to know
    theirs. The bad example that the source measured.
    """
    if not has_choice(view):
        return no_choice(view)
    ends = limit(weights)
    return chosen(most_visited(uct(fresh_worlds(view), ends, view.dice)))


@agent(reasons=REASONS, origin="kibitz", random=True, searches=True, weights=(5000.0, 0.0))
def flat_mc(view: State, memory: Memory, weights: Weights) -> int:
    """Tries every move in the same sampled worlds, plays each on at random, and takes the move that won most."""
    if not has_choice(view):
        return no_choice(view)
    ends = limit(weights)
    return chosen(most_valued(flat(fresh_worlds(view), ends, view.dice, RANDOM)))


@agent(reasons=REASONS, origin=COWLING, random=True, searches=True, weights=(5000.0, 0.0), name="ismcts")
def ismcts_so(view: State, memory: Memory, weights: Weights) -> int:
    """Tree search over what it can tell apart itself, with a fresh sampled world for every iteration.

    The others choose in the same tree, for themselves, but as if they saw no more than it does.
    """
    if not has_choice(view):
        return no_choice(view)
    ends = limit(weights)
    options = Options(SINGLE, RANDOM, EXPLORATION)
    return chosen(most_visited(ismcts(fresh_worlds(view), ends, view.dice, options)))


@agent(reasons=REASONS, origin=COWLING, random=True, searches=True, weights=(5000.0, 0.0))
def ismcts_mo(view: State, memory: Memory, weights: Weights) -> int:
    """Tree search with a tree for every seat of what that seat can tell apart, all grown together.

    A fresh world is sampled for every iteration, and each seat chooses by its own tree, for itself.
    """
    if not has_choice(view):
        return no_choice(view)
    ends = limit(weights)
    options = Options(MANY, RANDOM, EXPLORATION)
    return chosen(most_visited(ismcts(fresh_worlds(view), ends, view.dice, options)))


@agent(reasons=READING, origin="kibitz", random=True, searches=True, weights=(3000.0, 0.0, 500.0, EXPLORATION))
def reader(view: State, memory: Memory, weights: Weights) -> int:
    """Reads the others' cards from their moves, and looks for what is best against players who move like that.

    It samples worlds and weighs each by how likely everybody would have made the moves they made with the cards they
    have there. Tree search then goes through worlds drawn by weight, in which the others move as a sensible player
    does. After the budget its weights are the number of worlds and how much it explores.
    """
    if not has_choice(view):
        return no_choice(view)
    ends = limit(weights)
    worlds = weighed_worlds(view, int(weights.values[2]), view.dice)
    options = Options(MODELLED, MODEL, weights.values[3])
    return chosen(most_visited(ismcts(worlds, ends, view.dice, options)))
