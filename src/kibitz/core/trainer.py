"""What a game brings so that an agent can be trained by playing: a trainer, and the training it begins.

A package adds one with an entry point of the group `kibitz.trainers`, named `game.trainer`. Whoever runs a training
shows its progress, keeps it in a file and judges it; a trainer only plays and learns.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.game import Game
from kibitz.errors import KibitzError, unknown


class Setting(NamedTuple):
    """A number that changes how is learned."""

    default: float
    least: float
    most: float
    about: str


class Usual(NamedTuple):
    """How a training is run where nothing else is said: a trainer may have one of its own as `usual`."""

    games: int = 1_000_000  # to learn from
    stretch: int = 20_000  # games between two judgements
    judged: int = 2_000  # deals of a judgement at each table
    final: int = 10_000  # fresh deals of the last one
    partners: tuple[str, ...] = ()  # agents in the other seats; without any they are its own


@dataclass(frozen=True)
class TrainingPlan:
    """What decides a training: the same plan gives the same learners after as many games."""

    game: Game
    players: tuple[int, ...]  # how many sit at a table; if several numbers are given, they take turns
    # Who sits behind the first learner, as often as it takes to fill the table: agents that stay as they are, and
    # learners by their number. The first is 0, so that without partners all seats are its own.
    partners: tuple[Agent | int, ...] = (0,)
    learners: int = 1
    seed: int = 0
    rules: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, float] = field(default_factory=dict)
    starts: Mapping[int, CompiledAgent] = field(default_factory=dict)  # by learner: whose weights it begins with

    def table(self, players: int) -> tuple[Agent | int, ...]:
        """Who sits at a table, the first learner in the first seat."""
        return (0, *(self.partners[seat % len(self.partners)] for seat in range(players - 1)))


class Training(Protocol):
    """A training in progress."""

    def train(self, first: int, games: int) -> Any:
        """Play games from number `first` on and learn from them; for each a row: how many played, and the score."""
        ...

    def state(self) -> dict[str, Any]:
        """All that is needed to go on from here, as arrays."""
        ...

    def restore(self, state: Mapping[str, Any]) -> None: ...

    def learned(self) -> tuple[CompiledAgent, ...]:
        """The learners as agents that play as well as they can by now."""
        ...


@runtime_checkable
class Trainer(Protocol):
    name: str
    game: str
    description: str
    settings: Mapping[str, Setting]
    block: int  # games are asked for in multiples of this

    def begin(self, plan: TrainingPlan) -> Training: ...


def usual_of(trainer: Trainer) -> Usual:
    return getattr(trainer, "usual", Usual())


def check_settings(trainer: Trainer, chosen: Mapping[str, float]) -> dict[str, float]:
    """Every setting of a trainer with its value."""
    for name, value in chosen.items():
        if name not in trainer.settings:
            known = ", ".join(trainer.settings)
            raise unknown("setting", name, trainer.settings, f"The settings of {trainer.name} are {known}.")
        setting = trainer.settings[name]
        if not setting.least <= value <= setting.most:
            raise KibitzError(f"{name} goes from {setting.least:g} to {setting.most:g}, and {value:g} does not.")
    return {name: float(chosen.get(name, setting.default)) for name, setting in trainer.settings.items()}


def seated(table: Sequence[Agent | int], learned: Sequence[CompiledAgent]) -> tuple[Agent, ...]:
    """A table of a plan with agents in the learners' seats."""
    return tuple(learned[each] if isinstance(each, int) else each for each in table)
