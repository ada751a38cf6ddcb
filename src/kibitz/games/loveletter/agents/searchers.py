"""Agents that use the algorithms of `kibitz.search`. Their reasons give the percentage of simulated rounds they won."""

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
    "I won {percent} % of the rounds I simulated with this move",
    "It is my only legal move",
)
READING = (
    "I won {percent} % of the rounds I simulated, with cards that the others' moves suggest",
    "It is my only legal move",
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
    """Guesses the hidden cards once, and searches as if the guess were true.

    This is plain tree search (UCT) in a single sampled world, in which everybody sees all cards: it assumes that the
    others know its card, and that it knows theirs. It is the source's bad example.
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
    """Tries every move in many sampled worlds with random playouts, and makes the one that wins most often."""
    if not has_choice(view):
        return no_choice(view, memory)
    ends = limit_of(budget)
    found = flat(fresh_worlds(view), ends, view.dice, RANDOM)
    return chosen(memory, found, most_valued(found))


@searcher(title="Pondering Perry", name="ismcts")
def ismcts_so(view: State, memory: Found, budget: Budget) -> int:
    """Searches a tree of its own information sets, with a new sampled world for each iteration.

    The others choose in the same tree, each for themselves, as if they saw no more than this seat.
    """
    if not has_choice(view):
        return no_choice(view, memory)
    ends = limit_of(budget)
    options = Options(SINGLE, RANDOM, EXPLORATION)
    found = ismcts(fresh_worlds(view), ends, view.dice, options)
    return chosen(memory, found, most_visited(found))


@searcher(title="Deep Devon")
def ismcts_mo(view: State, memory: Found, budget: Budget) -> int:
    """Searches a tree of information sets for each seat, all at once, with a new sampled world for each iteration.

    Each seat chooses in its own tree, for itself, by what it can see.
    """
    if not has_choice(view):
        return no_choice(view, memory)
    ends = limit_of(budget)
    options = Options(MANY, RANDOM, EXPLORATION)
    found = ismcts(fresh_worlds(view), ends, view.dice, options)
    return chosen(memory, found, most_visited(found))


@searcher(title="Sharp Shay", reasons=READING, origin="kibitz", budget=Budget(3000), weights=READER)
def reader(view: State, memory: Found, budget: Budget, weights: Numbers) -> int:
    """Infers the others' cards from their moves, and searches for the best response to sensible players.

    It samples worlds and weighs each by the probability of the moves made with the cards in it. Tree search then draws
    worlds by weight; the others move like sensible players.
    """
    if not has_choice(view):
        return no_choice(view, memory)
    ends = limit_of(budget)
    worlds = weighed_worlds(view, int(weights[WORLDS]), view.dice)
    options = Options(MODELLED, MODEL, weights[EXPLORES])
    found = ismcts(worlds, ends, view.dice, options)
    return chosen(memory, found, most_visited(found))
