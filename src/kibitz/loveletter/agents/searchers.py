"""Players that search: the algorithms are those of `kibitz.search`, which know nothing of Love Letter.

A budget is in the first two weights: iterations, or milliseconds. What a search expects is told as how often in a
hundred such rounds it has won.
"""

from kibitz.core.agent import Budget
from kibitz.core.bits import lowest_bit
from kibitz.core.compile import compiled
from kibitz.core.loop import Memory, Weights, decision
from kibitz.loveletter.agents import agent
from kibitz.loveletter.rules import legal
from kibitz.loveletter.state import Table
from kibitz.search.belief import weighed_worlds
from kibitz.search.choice import Choice, most_valued, most_visited
from kibitz.search.clock import Limit, limit_of
from kibitz.search.flat import flat
from kibitz.search.ismcts import Manner, ismcts
from kibitz.search.uct import uct
from kibitz.search.worlds import fresh_worlds


@compiled
def limit(weights: Weights) -> Limit:
    return limit_of(Budget(int(weights.values[0]), int(weights.values[1])))


@compiled
def decided(choice: Choice) -> int:
    return decision(choice.move, 0, int(100 * choice.value + 0.5))


@compiled
def only_move(view: Table) -> bool:
    moves = legal(view)
    return moves & (moves - 1) == 0


REASONS = ("won {percent} of a hundred", "the only legal move")


@agent(reasons=REASONS, origin="kibitz", random=True, searches=True, weights=(1000.0, 0.0, 0.0))
def flat_mc(view: Table, memory: Memory, weights: Weights) -> int:
    """Flat"""
    if only_move(view):
        return decision(lowest_bit(legal(view)), 1)
    ends = limit(weights)
    return decided(most_valued(flat(fresh_worlds(view), ends, view.dice, int(weights.values[2]))))


@agent(reasons=REASONS, origin="kibitz", random=True, searches=True, weights=(1000.0, 0.0))
def mcts_plain(view: Table, memory: Memory, weights: Weights) -> int:
    """Flat"""
    if only_move(view):
        return decision(lowest_bit(legal(view)), 1)
    ends = limit(weights)
    return decided(most_visited(uct(fresh_worlds(view), ends, view.dice)))


@agent(reasons=REASONS, origin="kibitz", random=True, searches=True, weights=(1000.0, 0.0, 0.0, 0.0, 0.7))
def is_(view: Table, memory: Memory, weights: Weights) -> int:
    """Flat"""
    if only_move(view):
        return decision(lowest_bit(legal(view)), 1)
    ends = limit(weights)
    return decided(
        most_visited(
            ismcts(
                fresh_worlds(view),
                ends,
                view.dice,
                Manner(int(weights.values[2]), int(weights.values[3]), weights.values[4]),
            )
        )
    )


@agent(reasons=REASONS, origin="kibitz", random=True, searches=True, weights=(1000.0, 0.0, 2.0, 1.0, 0.7, 500.0))
def reader(view: Table, memory: Memory, weights: Weights) -> int:
    """Flat"""
    if only_move(view):
        return decision(lowest_bit(legal(view)), 1)
    ends = limit(weights)
    worlds = weighed_worlds(view, int(weights.values[5]), view.dice)
    return decided(
        most_visited(
            ismcts(worlds, ends, view.dice, Manner(int(weights.values[2]), int(weights.values[3]), weights.values[4]))
        )
    )
