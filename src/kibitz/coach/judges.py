"""The coach of a game: its own part, or the estimates of a searching agent that the game names as its reviewer.

The estimates of a search are uncertain where it samples. So one search chooses the best move, and another, with other
dice, measures what the chosen move loses.
"""

import math
from collections.abc import Sequence
from typing import Any

from kibitz.core import registry
from kibitz.core.agent import Agent
from kibitz.core.coaching import Coach, Evaluation, Remark, Worth
from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.engine.expectation import Bound, MoveEstimate
from kibitz.engine.seat import Budget
from kibitz.engine.seeds import number
from kibitz.errors import KibitzError
from kibitz.search.move_estimates import estimate_moves

ITERATIONS = 4000  # of a search with iterations; searches by depth take their own depth
LEAST_VISITS = 16  # of a move, for its value to count
WON = 1000.0  # points of a search, above which a game is as good as won: more of them make no difference


def coach_of(game: Game) -> Coach:
    """The coach of a game; an error says which games have none."""
    if game.coach is not None:
        return game.coach
    if game.reviewer:
        return SearchCoach(game)
    raise KibitzError(f"Games of {game.title} cannot be reviewed: the game names no agent that estimates all moves.")


class SearchCoach:
    """Reviews by an agent that searches. It plays all seats, so who the others are does not count."""

    people = ""

    def __init__(self, game: Game) -> None:
        self.game, self.agent = game, registry.agent(game, game.reviewer)
        self.unit = game.reviewer_unit

    def playouts(self, models: Sequence[Agent]) -> int:
        return ITERATIONS

    def model(self, name: str, agent: Agent | None) -> Agent:
        return self.agent

    def judge(self, models: Sequence[Agent], people: int, seat: int, reviewed: int) -> "SearchJudge":
        return SearchJudge(self.game, self.agent, self.unit)

    def episode(self, view: Any) -> int:
        return 0

    def outcomes(self, state: Any, seat: int) -> list[float]:
        """Payoffs; a search in points does not say what a finished game is worth in points."""
        if self.unit == "wins" and not generic.missing(self.game.dtype, ["payoff"]):
            return [float(generic.payoff(state, seat))]
        return []


class SearchJudge:
    def __init__(self, game: Game, agent: Agent, unit: str) -> None:
        self.game, self.agent, self.unit = game, agent, unit
        # The moves of games without chance and hidden cards are searched to a depth, which needs no second search.
        self.samples = agent.traits.random

    def see(self, views: Sequence[Any]) -> Sequence[Any]:
        return list(views)

    def evaluate(self, known: Sequence[Any], chosen: int, stream: int, playouts: int) -> Evaluation:
        first = self.estimates(known, number(stream, 0), playouts)
        best = max(first.values(), key=lambda each: (usable(each), each.value, each.move == chosen, -each.move)).move
        if usable(first[chosen]) and first[chosen].value >= first[best].value:
            best = chosen
        second = self.estimates(known, number(stream, 1), playouts) if self.samples else first
        loss, error = difference(second[best], second[chosen], self.unit)
        if best != chosen and loss <= 0.0:
            best, loss = chosen, 0.0
        others = [each for each in second.values() if each.move != best and usable(each)]
        margin, margin_error = 0.0, math.inf
        if best == chosen and others:
            margin, margin_error = difference(second[best], max(others, key=lambda each: each.value), self.unit)
        worths = [
            Worth(each.move, each.value if usable(each) else 0.0, each.error if usable(each) else math.inf, each.visits)
            for each in second.values()
        ]
        value = second[chosen].value if usable(second[chosen]) else second[best].value - loss
        worths = [
            worth._replace(value=value) if worth.move == chosen
            else worth._replace(value=value + loss) if worth.move == best
            else worth
            for worth in worths
        ]  # fmt: skip
        worths.sort(key=lambda each: (each.move != best, each.error == math.inf, -each.value, each.move))
        return Evaluation(tuple(worths), chosen, best, loss, error, margin, margin_error)

    def estimates(self, known: Sequence[Any], dice: int, playouts: int) -> dict[int, MoveEstimate]:
        view = known[-1].copy()
        view["dice"] = dice
        budget = Budget(playouts) if self.samples else None
        found = estimate_moves(self.agent, view, seen=[*known[:-1], view], budget=budget)
        return {each.move: each for each in found}

    def remark(self, known: Sequence[Any], found: Evaluation, stream: int) -> Remark:
        if found.best == found.chosen or found.loss <= 0.0:
            return Remark("", "")
        phrase = self.game.move_phrase(found.best, known[-1])
        if self.unit == "wins":
            return Remark("other", f"{phrase} wins {100 * found.loss:.0f} % more.")
        return Remark("other", f"{phrase} is better by {found.loss:.0f} points of the search.")


def usable(each: MoveEstimate) -> bool:
    return each.bound != Bound.UNKNOWN and (each.visits >= LEAST_VISITS or each.error == 0.0)


def difference(one: MoveEstimate, other: MoveEstimate, unit: str) -> tuple[float, float]:
    """One value minus another, with its standard error. A search in points counts all wins alike."""
    if not usable(one) or not usable(other):
        return 0.0, math.inf
    if unit == "wins":
        return one.value - other.value, math.hypot(one.error, other.error)
    values = [max(-WON, min(each.value, WON)) for each in (one, other)]
    return values[0] - values[1], math.hypot(one.error, other.error)
