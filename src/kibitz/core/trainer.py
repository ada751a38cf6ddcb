"""The interface of trainers, which let agents learn by playing.

A package adds a trainer with an entry point of the group `kibitz.trainers`, named `game.trainer`. A trainer only plays
and learns; the caller shows progress, saves checkpoints and evaluates.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, runtime_checkable

from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.game import Game
from kibitz.errors import KibitzError, unknown


class Setting(NamedTuple):
    """A hyperparameter."""

    default: float
    least: float
    most: float
    about: str


class Usual(NamedTuple):
    """The default settings of a training run; a trainer may have its own as `usual`."""

    games: int = 1_000_000  # to learn from
    stretch: int = 20_000  # games between two evaluations
    judged: int = 2_000  # deals per table in an evaluation
    final: int = 10_000  # new deals in the final evaluation
    partners: tuple[str, ...] = ()  # agents in the other seats; by default, copies of the learner


@dataclass(frozen=True)
class TrainingPlan:
    """Everything that determines a training run: the same plan gives the same learners after the same number of
    games.
    """

    game: Game
    players: tuple[int, ...]  # the number of players per table; several numbers take turns
    # The players after the first learner, repeated to fill the table: fixed agents, or learners by their number. The
    # first learner is 0, so by default it plays all seats.
    partners: tuple[Agent | int, ...] = (0,)
    learners: int = 1
    seed: int = 0
    rules: Mapping[str, str] = field(default_factory=dict)
    settings: Mapping[str, float] = field(default_factory=dict)
    starts: Mapping[int, CompiledAgent] = field(default_factory=dict)  # the initial weights, by learner

    def table(self, players: int) -> tuple[Agent | int, ...]:
        """The players of a table, with the first learner in the first seat."""
        return (0, *(self.partners[seat % len(self.partners)] for seat in range(players - 1)))


class Training(Protocol):
    """A training run in progress."""

    def train(self, first: int, games: int) -> Any:
        """Play games from number `first` on and learn; one row per game: the number of players and the score."""
        ...

    def state(self) -> dict[str, Any]:
        """Everything needed to resume, as arrays."""
        ...

    def restore(self, state: Mapping[str, Any]) -> None: ...

    def learned(self) -> tuple[CompiledAgent, ...]:
        """The learners as agents that play without exploration."""
        ...


@runtime_checkable
class Trainer(Protocol):
    name: str
    game: str
    description: str
    settings: Mapping[str, Setting]
    block: int  # games are requested in multiples of this

    def begin(self, plan: TrainingPlan) -> Training: ...


def usual_of(trainer: Trainer) -> Usual:
    return getattr(trainer, "usual", Usual())


def check_settings(trainer: Trainer, chosen: Mapping[str, float]) -> dict[str, float]:
    """All settings of a trainer with their values."""
    for name, value in chosen.items():
        if name not in trainer.settings:
            known = ", ".join(trainer.settings)
            raise unknown("setting", name, trainer.settings, f"The settings of {trainer.name} are {known}.")
        setting = trainer.settings[name]
        if not setting.least <= value <= setting.most:
            raise KibitzError(f"{name} must be from {setting.least:g} to {setting.most:g}, not {value:g}.")
    return {name: float(chosen.get(name, setting.default)) for name, setting in trainer.settings.items()}


def with_learners(table: Sequence[Agent | int], learned: Sequence[CompiledAgent]) -> tuple[Agent, ...]:
    """The agents of a table, with the learners replaced by what they have learned."""
    return tuple(learned[each] if isinstance(each, int) else each for each in table)
