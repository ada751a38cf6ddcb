"""What a game provides so that puzzles can be made of its games: who plays, how a decision is examined, and words.

`kibitz.coach.puzzle_making` knows games only through this part. An `Examiner` is given the views of one seat and
nothing else, so a puzzle never depends on what its solver cannot know.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

Z = 2.576  # a gap counts if its 99 % interval is clear of zero: the best of many moves is compared with each of them


class Source(NamedTuple):
    """A table whose games puzzles are made of: the agents by seat."""

    agents: tuple[str, ...]
    rules: Mapping[str, str] = {}


class Value(NamedTuple):
    """What a move is worth to the seat, with the standard error; 0 if it is exact."""

    move: int
    value: float
    error: float


class Gap(NamedTuple):
    """By how much the best move is ahead of the second, with the standard error of the difference."""

    points: float
    error: float

    @property
    def is_clear(self) -> bool:
        return self.points > Z * self.error


@dataclass(frozen=True)
class Answer:
    """The answer of a puzzle: all moves with their values, the best first, and how sure it is."""

    values: tuple[Value, ...]
    gap: Gap
    confirmed: Gap  # by a second evaluator; the same where values are exact
    measure: str  # what is measured: "points", "perfect" (the chance of the best result), "wins"
    exact: bool = False

    @property
    def best(self) -> int:
        return self.values[0].move

    @property
    def second(self) -> int:
        return self.values[1].move


class Examined(NamedTuple):
    """The stage at which the examination ended: UNCLEAR, UNCONFIRMED, or KEPT with an answer."""

    stage: str
    answer: Answer | None = None


UNCLEAR, UNCONFIRMED, KEPT = "unclear", "unconfirmed", "kept"


class Explained(NamedTuple):
    """The theme of a puzzle, and its answer in words."""

    theme: str  # empty if no person would see why the move is best, so that it is no puzzle
    text: str


class Theme(NamedTuple):
    title: str
    help: str  # one sentence: what the solver has to see
    share: float = 1.0  # at most this share of the puzzles of a game


@dataclass(frozen=True)
class Lesson:
    """A short text for beginners, and the theme whose easiest puzzles practise it."""

    name: str
    title: str
    text: str
    theme: str
    puzzles: int = 10


class Examiner(Protocol):
    """Examines the decisions of one seat in one game, in their order."""

    def see(self, views: Sequence[Any]) -> Any:
        """What the seat can know at its turn, from all its views so far. Called for every own turn, in their order."""
        ...

    def promises(self, known: Any, chosen: int, stream: int) -> bool:
        """Whether a quick evaluation finds one move well ahead of the others."""
        ...

    def evaluate(self, known: Any, stream: int) -> Answer | None:
        """Evaluate all moves at length, once; None if there is no choice, or if values should be exact and are not."""
        ...

    def examine(self, known: Any, stream: int) -> Examined:
        """Evaluate all moves at length, then again with other random numbers."""
        ...

    def explain(self, known: Any, answer: Answer, stream: int) -> Explained: ...


class PuzzlePart(Protocol):
    """The part of a game that makes puzzles."""

    unit: str  # of values: "points", "wins" or "search points"
    least_gap: float  # in that unit
    sources: Sequence[Source]  # game n of a run is played at table n of these, in turn
    references: Sequence[str]  # agents that try the puzzle: the more of them find the answer, the easier it is
    themes: Mapping[str, Theme]
    lessons: Sequence[Lesson]
    conventions: Mapping[str, str]  # by agent: what a solver may assume about partners or opponents like that

    def examiner(self, agents: Sequence[str], seat: int) -> Examiner: ...


@dataclass
class Counts:
    """How many decisions reached which stage, while puzzles were made."""

    games: int = 0
    decisions: int = 0
    promising: int = 0
    stages: dict[str, int] = field(default_factory=dict)

    def add(self, other: "Counts") -> None:
        self.games += other.games
        self.decisions += other.decisions
        self.promising += other.promising
        for stage, count in other.stages.items():
            self.stages[stage] = self.stages.get(stage, 0) + count
