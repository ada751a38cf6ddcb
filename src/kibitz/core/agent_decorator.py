"""The decorator that turns a function from a view to a decision into an agent.

The agent keeps the function; it is compiled when the agent first takes a seat. A game's package of agents names the
game once: `agent = partial(agent_of_function, "hanabi")`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from kibitz.core.agent import CompiledAgent, Decide, Traits, agent_of


def agent_of_function(
    game: str,
    *,
    reasons: tuple[str, ...],
    origin: str = "",
    cheats: bool = False,
    random: bool = False,
    searches: bool = False,
    last_reasons: tuple[str, ...] = (),
    **parts: Any,
) -> Callable[[Decide], CompiledAgent]:
    """Make an agent of a function; its docstring is the description, and its name the default name.

    `origin` says where the idea comes from: a paper, a person; by default, the name of the function's file.
    `last_reasons` are appended to the reasons of all of a game's agents. `parts` are fields of `CompiledAgent`:
    `observe`, `memory`, `weights`, `budget` and so on.
    """

    def make(decide: Decide) -> CompiledAgent:
        traits = Traits(cheats, random, searches=searches)
        where = origin or Path(decide.__code__.co_filename).name
        all_reasons = (*reasons, *last_reasons)
        return agent_of(game, decide, all_reasons, where, traits, shared_reasons=len(last_reasons), **parts)

    return make
