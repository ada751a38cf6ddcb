"""The decorator that makes an agent of a function from a view to a decision.

It keeps the function as it is written, with its description and where it comes from; the function is compiled when the
agent first takes a seat. A game's package of agents names the game: `agent = partial(agent_of_function, "hanabi")`.
"""

from collections.abc import Callable
from typing import Any

from kibitz.core.agent import CompiledAgent, Decide, Traits, agent_of


def agent_of_function(
    game: str,
    *,
    reasons: tuple[str, ...],
    origin: str,
    cheats: bool = False,
    random: bool = False,
    searches: bool = False,
    last_reasons: tuple[str, ...] = (),
    **parts: Any,
) -> Callable[[Decide], CompiledAgent]:
    """Make an agent of a function; its docstring is the description, its name the agent's if no other is given.

    `last_reasons` are those that every agent of a game has behind its own. The parts are those of a `CompiledAgent`:
    `observe`, `memory`, `weights`, `budget` and so on.
    """

    def make(decide: Decide) -> CompiledAgent:
        traits = Traits(cheats, random, searches=searches)
        return agent_of(game, decide, (*reasons, *last_reasons), origin, traits, **parts)

    return make
