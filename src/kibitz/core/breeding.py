"""Interfaces of games whose agents can evolve (`Breed`) and be distinguished by behaviour (`Behaviour`).

`kibitz.learn` uses both and knows no game. Both are optional; the weights of any agent can evolve in every game.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from kibitz.core.agent import CompiledAgent

Genes = Any  # the parts of an agent, as plain JSON values


class Breed(Protocol):
    """Agents composed of parts that can be mutated and crossed.

    All randomness comes from `dice`, so the same seed breeds the same agents.
    """

    what: str  # one or two words: "rule list"
    suffix: str  # of the files of such agents

    def founders(self) -> list[Genes]:
        """The initial population, if there is one."""

    def random(self, dice: Random) -> Genes: ...

    def changed(self, genes: Genes, dice: Random) -> Genes:
        """A mutation."""

    def mixed(self, one: Genes, other: Genes, dice: Random) -> Genes:
        """A crossover."""

    def agent(self, genes: Genes, name: str) -> CompiledAgent:
        """The agent; a KibitzError says what is wrong with the genes."""

    def trimmed(self, genes: Genes, used: Sequence[int]) -> Genes:
        """The genes without unused parts; `used` counts how often the agent gave each of its reasons."""

    def written(self, genes: Genes, about: Mapping[str, Any]) -> str:
        """The text of its file. `about` has name, title, description, origin and `provenance`, a table of figures."""

    def usage(self, path: str) -> str:
        """How people name its file as an agent."""

    def in_words(self, genes: Genes) -> list[str]:
        """What it does, for people, in order of priority."""


class Axis(NamedTuple):
    """One dimension of behaviour, from 0 to 1."""

    name: str
    title: str
    about: str  # a sentence on what is counted
    low: str  # what agents at 0 do
    high: str


class Behaviour(Protocol):
    """The behaviour of agents, measured in games."""

    axes: tuple[Axis, Axis]

    def sums(self, deals: Any, players: int, rules: int, logs: Any, seats: int) -> Any:
        """Sums over the moves of some seats, given as a mask, in games with these deals; each row of `logs` is a
        game.
        """

    def values(self, sums: Any) -> tuple[float, float] | None:
        """The values on both axes; None if there was nothing to measure."""
