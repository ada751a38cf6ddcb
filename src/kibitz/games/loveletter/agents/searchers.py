"""Players that search: the algorithms are those of `kibitz.search`, which know nothing of Love Letter.

Each says how often in a hundred of the rounds it looked into it has won after the move it makes.
"""

from functools import partial

from kibitz.core.weights import Numbers, Weights
from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.expectation import FOUND, Found
from kibitz.engine.loop import decision
from kibitz.engine.seat import Budget
from kibitz.games.loveletter.agents import agent
from kibitz.games.loveletter.agents.greedy import ORIGIN
from kibitz.games.loveletter.rules import legal
from kibitz.games.loveletter.state import State
from kibitz.search import flat as flat_search
from kibitz.search import ismcts as ismcts_search
from kibitz.search import uct as uct_search
from kibitz.search.belief import weighed_worlds
from kibitz.search.choice import Choice, Estimates, forget_found, most_valued, most_visited, note_found
from kibitz.search.clock import limit_of
from kibitz.search.flat import flat
from kibitz.search.ismcts import MANY, MODELLED, SINGLE, Options, ismcts
from kibitz.search.playout import MODEL, RANDOM
from kibitz.search.uct import uct
from kibitz.search.worlds import fresh_worlds

COWLING = "Cowling, Powley and Whitehouse 2012"
EXPLORATION = 0.7
ONLY_MOVE = 1
WORLDS, EXPLORES = range(2)
READER = Weights((500.0, EXPLORATION), ("worlds", "exploration"), ((50.0, 2000.0), (0.1, 2.0)))
REASONS = (
    "won {percent} of a hundred rounds it played on to the end",
    "the only legal move",
)
READING = (
    "won {percent} of a hundred rounds, with the cards that the others' moves speak for",
    "the only legal move",
)


# An agent that searches information sets.
searcher = partial(
    agent, reasons=REASONS, origin=COWLING, random=True, searches=True, budget=Budget(5000), memory=FOUND,
    needs=ismcts_search.NEEDS,
)  # fmt: skip


@compiled
def has_choice(view: State) -> bool:
    moves = legal(view)
    return moves & (moves - 1) != 0


@compiled
def no_choice(view: State, memory: Found) -> int:
    forget_found(memory)
    return decision(lowest_bit(legal(view)), ONLY_MOVE)


@compiled
def chosen(memory: Found, found: Estimates, choice: Choice) -> int:
    note_found(memory, found, choice)
    return decision(choice.move, 0, int(100 * choice.value + 0.5))


@agent(
    title="Dreamy Dana", reasons=REASONS, origin=ORIGIN, random=True, searches=True, budget=Budget(2000),
    memory=FOUND, needs=uct_search.NEEDS,
)  # fmt: skip
def mcts_plain(view: State, memory: Found, budget: Budget) -> int:
    """Guesses once how the hidden cards lie, and looks ahead as if that were true.

    It is plain tree search (UCT) in a single sampled world. There everybody sees all cards, and so it plays: it
    expects the others to know its card, and itself to know theirs. The bad example that the source measured.
    """
    if not has_choice(view):
        return no_choice(view, memory)
    ends = limit_of(budget)
    found = uct(fresh_worlds(view), ends, view.dice, uct_search.Options(uct_search.EXPLORATION, RANDOM))
    return chosen(memory, found, most_visited(found))


@agent(
    title="Patient Pat", reasons=REASONS, origin="kibitz", random=True, searches=True, budget=Budget(5000),
    memory=FOUND, needs=flat_search.NEEDS,
)  # fmt: skip
def flat_mc(view: State, memory: Found, budget: Budget) -> int:
    """Tries every move in many ways the hidden cards could lie, plays each on at random, and takes what won most."""
    if not has_choice(view):
        return no_choice(view, memory)
    ends = limit_of(budget)
    found = flat(fresh_worlds(view), ends, view.dice, RANDOM)
    return chosen(memory, found, most_valued(found))


@searcher(title="Pondering Perry", name="ismcts")
def ismcts_so(view: State, memory: Found, budget: Budget) -> int:
    """Looks ahead, in many ways the hidden cards could lie, and plays what came out well most often.

    It is tree search over what it can tell apart itself, with a fresh sampled world for every iteration. The others
    choose in the same tree, for themselves, but as if they saw no more than it does.
    """
    if not has_choice(view):
        return no_choice(view, memory)
    ends = limit_of(budget)
    options = Options(SINGLE, RANDOM, EXPLORATION)
    found = ismcts(fresh_worlds(view), ends, view.dice, options)
    return chosen(memory, found, most_visited(found))


@searcher(title="Deep Devon")
def ismcts_mo(view: State, memory: Found, budget: Budget) -> int:
    """Looks ahead, in many ways the hidden cards could lie, and lets the others decide by what they can see there.

    It is tree search with a tree for every seat of what that seat can tell apart, all grown together. A fresh world
    is sampled for every iteration, and each seat chooses by its own tree, for itself.
    """
    if not has_choice(view):
        return no_choice(view, memory)
    ends = limit_of(budget)
    options = Options(MANY, RANDOM, EXPLORATION)
    found = ismcts(fresh_worlds(view), ends, view.dice, options)
    return chosen(memory, found, most_visited(found))


@searcher(title="Sharp Shay", reasons=READING, origin="kibitz", budget=Budget(3000), weights=READER)
def reader(view: State, memory: Found, budget: Budget, weights: Numbers) -> int:
    """Reads the others' cards from their moves, and looks for what is best against players who move like that.

    It samples worlds and weighs each by how likely everybody would have made the moves they made with the cards they
    have there. Tree search then goes through worlds drawn by weight, in which the others move as a sensible player
    does.
    """
    if not has_choice(view):
        return no_choice(view, memory)
    ends = limit_of(budget)
    worlds = weighed_worlds(view, int(weights[WORLDS]), view.dice)
    options = Options(MODELLED, MODEL, weights[EXPLORES])
    found = ismcts(worlds, ends, view.dice, options)
    return chosen(memory, found, most_visited(found))
