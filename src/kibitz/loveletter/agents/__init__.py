"""The players of Love Letter: one file a player, or a family.

A compiled player is a function from a view to a decision. The decorator keeps it as it is written, with
its description and where it comes from, and compiles it when it first takes a seat.
"""

from collections.abc import Callable
from typing import Any

from kibitz.core.agent import CompiledAgent, Decide, Traits, agent_of


def agent(
    *, reasons: tuple[str, ...], origin: str, random: bool = False, searches: bool = False, **parts: Any
) -> Callable[[Decide], CompiledAgent]:
    """Make a player of a function; its docstring is the description, its name the player's if no other is given.

    The parts are those of a `CompiledAgent`: `weights`, `budget`, `name` and so on.
    """

    def make(decide: Decide) -> CompiledAgent:
        return agent_of("loveletter", decide, reasons, origin, Traits(random=random, searches=searches), **parts)

    return make
