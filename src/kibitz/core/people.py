"""What a game provides to learn how people play it: their games as choices among legal moves, and a model's file.

A choice is made by a person in a game, from a context and one row of numbers for each legal move. `learn.people` fits
and judges models of such choices; it knows nothing else of the game.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

# How often a person had played before, as the study asked; the last stands for people who did not say.
EXPERIENCE = ("new", "dabbling", "intermediate", "expert", "unknown")
UNKNOWN = EXPERIENCE.index("unknown")


@dataclass(frozen=True)
class Choices:
    """Choices of people, game by game. The rows of choice `n` are `starts[n]` to `starts[n + 1]`."""

    contexts: Any  # by choice: the numbers about the position
    starts: Any
    rows: Any  # by row: the numbers about the move; how many count depends on its kind
    kinds: Any  # by row: the kind of move
    moves: Any  # by row: the move
    chosen: Any  # by choice: the row of the person's move
    games: Any  # by choice: the number of its game
    people: Any  # by choice: the number of its person
    names: tuple[str, ...]  # of the people
    experience: tuple[int, ...]  # by person: the place in EXPERIENCE

    def __len__(self) -> int:
        return len(self.chosen)

    def games_of_people(self) -> Any:
        """By person: the number of games."""
        pairs = np.unique(np.stack([self.people, self.games]), axis=1)
        return np.bincount(pairs[0], minlength=len(self.names))

    def weights(self, cap: int) -> Any:
        """By choice: how much it counts if nobody counts for more than `cap` games."""
        return np.minimum(1.0, cap / np.maximum(self.games_of_people(), 1))[self.people]


class Read(NamedTuple):
    """The games of people in some files, and a sentence about each game or file that cannot be used."""

    games: Sequence[Any]
    problems: Sequence[str]


class Shape(NamedTuple):
    """The sizes of a model: numbers about the position, and about a move of each kind."""

    context: int
    widths: tuple[int, ...]


@dataclass(frozen=True)
class Choosing:
    """The fitted numbers of a model: for each kind of move a linear part and a layer of hidden units, from the inputs
    to the move's score and to what each habit adds to it; and how habits are distributed by experience.
    """

    linear: tuple[Any, ...]  # by kind: (context + width) × (1 + habits)
    hidden: tuple[Any, ...]  # (context + width) × units
    biases: tuple[Any, ...]
    outputs: tuple[Any, ...]  # units × (1 + habits)
    means: Any  # by experience: the mean of the habits
    spreads: Any  # by experience: the factor of their covariance
    shares: Any  # by experience: the share of people
    about: str = ""
    figures: Mapping[str, Any] = field(default_factory=dict)  # what was measured when it was fitted

    @property
    def habits(self) -> int:
        return self.means.shape[1]


class People(Protocol):
    """The part of a game that knows people's games."""

    shape: Shape

    def read(self, paths: Iterable[Path], experience: str = "") -> Read: ...

    def choices(self, games: Sequence[Any]) -> Choices: ...

    def save(self, path: Path, model: Choosing) -> None: ...

    def load(self, path: Path | None) -> Choosing:
        """The model in a file, or the one that comes with the game."""
        ...
