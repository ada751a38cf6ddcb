"""Puzzles of games whose moves a search can value: one agent finds the best move, another one must agree."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from kibitz.core import registry
from kibitz.core.puzzling import (
    KEPT,
    UNCLEAR,
    UNCONFIRMED,
    Answer,
    Examined,
    Explained,
    Gap,
    Lesson,
    Source,
    Theme,
    Value,
)
from kibitz.engine.expectation import Bound
from kibitz.search.move_estimates import estimate_moves


@dataclass(frozen=True)
class SearchedPuzzles:
    """The puzzles of a game in which nothing is hidden."""

    game: str
    evaluator: str  # the agent that values all moves,
    second: str  # and the one that must agree; the same if its values are exact
    unit: str
    least_gap: float
    sources: Sequence[Source]
    references: Sequence[str]
    themes: Mapping[str, Theme]
    explain: Callable[[Any, Answer], Explained]
    worth: Callable[[float], float] = float  # an agent's value in the unit of the puzzles
    earliest: int = 0  # the turn before which positions are not looked at
    lessons: Sequence[Lesson] = ()
    conventions: Mapping[str, str] = field(default_factory=dict)

    def examiner(self, agents: Sequence[str], seat: int) -> "SearchedExaminer":
        return SearchedExaminer(self)


class SearchedExaminer:
    def __init__(self, part: SearchedPuzzles) -> None:
        self.part = part
        game = registry.game(part.game)
        self.evaluator, self.second = registry.agent(game, part.evaluator), registry.agent(game, part.second)

    def see(self, views: Sequence[Any]) -> Any:
        return views[-1]

    def values(self, agent: Any, view: Any) -> list[Value]:
        """The values of all moves, the best first; none if a move is not valued."""
        found = estimate_moves(agent, view)
        if any(each.bound == Bound.UNKNOWN for each in found):
            return []
        listed = [Value(each.move, self.part.worth(each.value), 0.0) for each in found]
        return sorted(listed, key=lambda each: (-each.value, each.move))

    def promises(self, known: Any, chosen: int, stream: int) -> bool:
        turn = int(known["turn"]) if "turn" in (known.dtype.names or ()) else 0
        if turn < self.part.earliest:
            return False
        values = self.values(self.evaluator, known)
        return len(values) > 1 and lead(values).points >= self.part.least_gap

    def evaluate(self, known: Any, stream: int) -> Answer | None:
        values = self.values(self.evaluator, known)
        exact = self.part.evaluator == self.part.second
        return Answer(tuple(values), lead(values), lead(values), self.part.unit, exact) if len(values) > 1 else None

    def examine(self, known: Any, stream: int) -> Examined:
        values, exact = self.values(self.evaluator, known), self.part.evaluator == self.part.second
        if len(values) < 2 or lead(values).points < self.part.least_gap:
            return Examined(UNCLEAR)
        again = values if exact else self.values(self.second, known)
        if len(again) < 2 or again[0].move != values[0].move or lead(again).points < self.part.least_gap:
            return Examined(UNCONFIRMED)
        return Examined(KEPT, Answer(tuple(again), lead(again), lead(values), self.part.unit, exact))

    def explain(self, known: Any, answer: Answer, stream: int) -> Explained:
        return self.part.explain(known, answer)


def lead(values: Sequence[Value]) -> Gap:
    return Gap(values[0].value - values[1].value, 0.0)


def after(view: Any, move: int) -> Any:
    """The position after a move, in a game that hides nothing."""
    from kibitz.engine import generic

    later = np.array([view])
    generic.apply(later[0], move)
    return later[0]
