"""The Hanabi agents: one file an agent, or a family.

A compiled agent is a function from a view to a decision. The decorator keeps it as it is written,
with its description and where it comes from, and compiles it when it first takes a seat.
"""

from collections.abc import Callable
from typing import Any

from kibitz.core.agent import CompiledAgent, Traits, agent_of, see_nothing

NO_DISCARD = "pass: with every token there these rules forbid a discard"
Decide = Callable[[Any, Any, Any], int]


def agent(
    *,
    reasons: tuple[str, ...],
    origin: str,
    cheats: bool = False,
    random: bool = False,
    observe: Callable[[Any, Any, Any], None] = see_nothing,
    weights: tuple[float, ...] = (),
) -> Callable[[Decide], CompiledAgent]:
    """Make an agent of a function; its docstring is the description, its name the agent's."""

    def make(decide: Decide) -> CompiledAgent:
        traits = Traits(cheats, random, observe is not see_nothing)
        return agent_of("hanabi", decide, (*reasons, NO_DISCARD), origin, traits, observe, weights)

    return make
