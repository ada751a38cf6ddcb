"""The Hanabi agents: one file an agent, or a family.

A compiled agent is a function from a view to a decision. The decorator keeps it as it is written,
with its description and where it comes from, and compiles it when it first takes a seat.
"""

from collections.abc import Callable
from typing import Any

from kibitz.core.agent import CompiledAgent, Decide, Traits, agent_of

NO_DISCARD = "pass: with every token there these rules forbid a discard"


def agent(
    *, reasons: tuple[str, ...], origin: str, cheats: bool = False, random: bool = False, **parts: Any
) -> Callable[[Decide], CompiledAgent]:
    """Make an agent of a function; its docstring is the description, its name the agent's.

    The parts are those of a `CompiledAgent`: `observe`, `memory`, `weights` and so on.
    """

    def make(decide: Decide) -> CompiledAgent:
        return agent_of("hanabi", decide, (*reasons, NO_DISCARD), origin, Traits(cheats, random), **parts)

    return make
