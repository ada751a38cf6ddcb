"""A learner's partners, parsed from the command line.

- an agent, as for `kibitz match`: it does not learn
- `self`: the learner itself, in another seat
- `learner`: a second learner with its own tables
- `learner:AGENT`: a second learner that starts from the tables of an agent
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.game import Game
from kibitz.errors import KibitzError

SELF, LEARNER = "self", "learner"


class Partners(NamedTuple):
    partners: tuple[Agent | int, ...]
    learners: int
    starts: dict[int, CompiledAgent]
    identities: list[Any]  # what identifies the agents, as plain values


def parse_partners(game: Game, names: Sequence[str], start: str) -> Partners:
    """The partners of a learner that starts from the tables of `start`, or from none."""
    numbers, starts = {SELF: 0}, {0: compiled(game, start)} if start else {}
    partners: list[Agent | int] = []
    for name in names:
        head, _, whose = name.partition(":")
        if name == SELF or head == LEARNER:
            if name not in numbers:
                numbers[name] = len(numbers)
                starts |= {numbers[name]: compiled(game, whose)} if whose else {}
            partners.append(numbers[name])
        else:
            partners.append(registry.agent(game, name))
    specs = [registry.spec(game.name, name).written() for name in (start, *names) if name and not is_learner(name)]
    return Partners(tuple(partners) or (0,), len(numbers), starts, [spec for spec in specs if spec])


def is_learner(name: str) -> bool:
    return name == SELF or name.partition(":")[0] == LEARNER


def compiled(game: Game, name: str) -> CompiledAgent:
    agent = registry.agent(game, name)
    if not isinstance(agent, CompiledAgent):
        raise KibitzError(f"{name} is a Python class and has no tables to start from. Name a compiled agent.")
    return agent
