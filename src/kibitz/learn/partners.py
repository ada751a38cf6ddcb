"""Who a learner plays with, as it is written on a command line: partners that stay as they are, and others that learn.

- an agent, as `kibitz match` takes it: it plays as it always does
- `self`: the learner itself, in another seat
- `learner`: a second one that learns too, with tables of its own
- `learner:AGENT`: the same, which begins with the tables of an agent
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
    written: list[Any]  # what decides who they are, as plain values


def company(game: Game, names: Sequence[str], start: str) -> Partners:
    """The partners of a learner that begins with the tables of `start`, or with none."""
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
        raise KibitzError(f"{name} has no tables to begin with: it is a Python class.")
    return agent
