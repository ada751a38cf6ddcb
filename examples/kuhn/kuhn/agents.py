"""Agents for Kuhn poker: one in Python, one that plays an equilibrium, and one that searches."""

from collections.abc import Mapping
from typing import Any

from kibitz.core.agent_decorator import agent_of_function
from kibitz.engine.dice import SHARE
from kibitz.engine.expectation import FOUND
from kibitz.engine.loop import decision
from kibitz.engine.seat import Budget
from kibitz.engine.seeds import number
from kibitz.search.choice import most_visited, note_found
from kibitz.search.clock import limit_of
from kibitz.search.ismcts import MANY, NEEDS, Options, ismcts
from kibitz.search.playout import RANDOM
from kibitz.search.worlds import fresh_worlds
from kuhn.game import View
from kuhn.rules import BET, EQUILIBRIUM, MOST_CHIPS, PASS, situation

EXPLORATION = 0.7  # the constant of Cowling and others, for payoffs from 0 to 1


class Honest:
    """Bets and calls with the king only."""

    def decide(self, view: View) -> tuple[str, str]:
        return "bet" if view.card == "king" else "pass", f"I have the {view.card}"


@agent_of_function("kuhn", reasons=("I bet this often",), origin="Kuhn 1950", random=True)
def equilibrium(view: Any) -> int:
    """Plays an equilibrium: no strategy wins against it in the long run."""
    bets = EQUILIBRIUM[situation(view), view.cards[view.seat]]
    return decision(BET if number(view.dice, 0) * SHARE < bets else PASS, 0)


def reason_variables(view: Any, reader: Any, about: int, public: Any, memory: Any) -> Mapping[str, str]:
    """The text for {chips} in a reason: the expected payoff, as chips."""
    return {"chips": f"{MOST_CHIPS * (2 * float(memory['value']) - 1):+.2f}"}


@agent_of_function(
    "kuhn", name="ismcts", reasons=("I expect {chips} chips",), reason_variables=reason_variables,
    origin="Cowling, Powley and Whitehouse 2012", random=True, searches=True, budget=Budget(2000), memory=FOUND,
    needs=NEEDS,
)  # fmt: skip
def searcher(view: Any, memory: Any, budget: Budget) -> int:
    """Searches a tree of information sets, with a new sampled world for each iteration."""
    found = ismcts(fresh_worlds(view), limit_of(budget), view.dice, Options(MANY, RANDOM, EXPLORATION))
    choice = most_visited(found)
    note_found(memory, found, choice)
    return decision(choice.move, 0)
