"""Ratings: one number per agent of a cross table, which predicts its results against any other agent.

The model is Bradley and Terry's: agent A wins strength(A) of every strength(A) + strength(B) games
against B. Strengths are converted to Elo points, with a mean of 0; 400 points are odds of ten to one.

With more than two players, one agent sits among copies of another, and by the same model wins strength(A) of
strength(A) + (players − 1) · strength(B) games. Its losses therefore count once per opponent, and equally strong agents
get the same rating.

Games of one deal are correlated, and all cells play the same deals. The intervals are therefore computed by the
jackknife: the same slice of deals is left out in all cells, each slice in turn.
"""

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from kibitz.arena import bradley_terry
from kibitz.arena.cross import Cross
from kibitz.arena.statistics import Estimate

POINTS = 400 / log(10)
# Each pairing gets one more game, a draw, so that the strength of an agent that never lost stays finite.
BEFOREHAND = 0.5


@dataclass(frozen=True)
class Rating:
    agent: str
    estimate: Estimate

    @property
    def points(self) -> float:
        return self.estimate.mean

    def as_json(self) -> dict[str, Any]:
        return {"agent": self.agent, "points": self.points, "interval": self.estimate.interval}


def ratings(cross: Cross) -> list[Rating]:
    """The agents of a finished table with their ratings, the best first."""
    plan = cross.plan
    points = fitted(cross, None)
    sizes = [len(part) for part in np.array_split(range(plan.deals), len(cross.played()[0].slices))]
    spread = None
    if len(sizes) > 1:
        without = np.array([fitted(cross, (number, sizes), points) for number in range(len(sizes))])
        spread = np.sqrt((len(sizes) - 1) * without.var(axis=0))
    found = []
    for place, agent in enumerate(plan.agents):
        stderr = None if spread is None else float(spread[place])
        found.append(Rating(agent, Estimate(float(points[place]), stderr, plan.deals)))
    return sorted(found, key=lambda rating: -rating.points)


def fitted(cross: Cross, left_out: tuple[int, list[int]] | None, start: Any = None) -> Any:
    """The Elo points of every agent, from all deals or without one slice."""
    plan = cross.plan
    places = {agent: place for place, agent in enumerate(plan.agents)}
    won = np.zeros((len(places), len(places)))
    for row, column in plan.pairs():
        cell = cross.cells[row, column]
        deals, total = float(plan.deals), cell.mean * plan.deals
        if left_out is not None:
            number, sizes = left_out
            deals -= sizes[number]
            total = min(deals, max(0.0, total - cell.slices[number] * sizes[number]))  # clamped against rounding errors
        here, there = places[row], places[column]
        won[here, there] += total + BEFOREHAND
        won[there, here] += (deals - total) / (plan.sides - 1) + BEFOREHAND
    initial = None if start is None else start / POINTS
    return POINTS * bradley_terry.fit(won, initial)


def rating_text(rating: Rating) -> str:
    return f"{rating.estimate:+.0f}".replace("-", "−")
