"""What a game brings for its agents to be bred (`Breed`), and to be told apart by how they behave (`Behaviour`).

`kibitz.learn` asks for both by these forms and knows no game. A game without them has none of it; the named weights of
any agent can be bred in every game.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, Protocol

from kibitz.core.agent import CompiledAgent

Genes = Any  # what an agent is made from, as plain values that JSON can hold


class Breed(Protocol):
    """Agents of one kind, put together from parts that can be changed and mixed.

    All chance comes from the dice that are handed over, so that the same seed breeds the same agents.
    """

    what: str  # in a word or two: "rule list"
    suffix: str  # of the file that one of them is written to

    def founders(self) -> list[Genes]:
        """Who is there before anything was bred, if anybody is."""

    def random(self, dice: Random) -> Genes: ...

    def changed(self, genes: Genes, dice: Random) -> Genes:
        """A mutation: alike, but not the same."""

    def mixed(self, one: Genes, other: Genes, dice: Random) -> Genes:
        """A crossover: something of both."""

    def agent(self, genes: Genes, name: str) -> CompiledAgent:
        """The agent; a KibitzError says what is wrong with genes from elsewhere."""

    def trimmed(self, genes: Genes, used: Sequence[int]) -> Genes:
        """The same without parts that were never used; `used` has how often each of the agent's reasons was given."""

    def written(self, genes: Genes, about: Mapping[str, Any]) -> str:
        """The text of its file. `about` has name, title, description, origin, and `provenance`: a table of figures."""

    def usage(self, path: str) -> str:
        """How such a file is named where an agent is asked for."""

    def in_words(self, genes: Genes) -> list[str]:
        """What it does, for people, in the order in which it tries it."""


class Axis(NamedTuple):
    """One way in which agents behave differently, as a number from 0 to 1."""

    name: str
    title: str
    about: str  # a sentence: what is counted
    low: str  # what those at 0 do
    high: str


class Behaviour(Protocol):
    """How agents of a game behave, measured on games that were played."""

    axes: tuple[Axis, Axis]

    def sums(self, deals: Any, players: int, rules: int, logs: Any, seats: int) -> Any:
        """What the moves of some seats, a mask, add up to in games with these deals; a row of the log is one game."""

    def values(self, sums: Any) -> tuple[float, float] | None:
        """The place on both axes; None where there was nothing to measure."""
