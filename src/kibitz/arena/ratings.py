"""Ratings: one number for each agent of a cross table, by which its chances against any other can be foretold.

The model is Bradley and Terry's, fitted by choix: against a copy of B, agent A wins strength(A) of every
strength(A) + strength(B) games. Strengths are told in Elo's points, of which 400 are odds of ten to one;
their mean is 0.

With more than two players one agent sits among copies of another. By the same model it wins strength(A) of
strength(A) + (players − 1) · strength(B) games. So the games it does not win count for as many opponents as
it has, and agents of the same strength come out the same.

Games of a deal are alike, and cells play the same deals. How far to trust the ratings is therefore seen by leaving
out a slice of the deals in every cell at once, each slice in turn (the jackknife). Nothing in it is random.
"""

from dataclasses import dataclass
from math import log
from typing import Any

import numpy as np

from kibitz.arena.cross import Cross
from kibitz.arena.statistics import Estimate

POINTS = 400 / log(10)
# Each pairing is given one more game that both sides won by half: who never lost is then strong, but not without limit.
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
    """The points of every agent, by all deals or without one of their slices."""
    import choix  # it takes a moment to load

    plan = cross.plan
    places = {agent: place for place, agent in enumerate(plan.agents)}
    won = np.zeros((len(places), len(places)))
    for row, column in plan.pairs():
        cell = cross.cells[row, column]
        deals, total = float(plan.deals), cell.mean * plan.deals
        if left_out is not None:
            number, sizes = left_out
            deals -= sizes[number]
            total = min(deals, max(0.0, total - cell.slices[number] * sizes[number]))  # not a rounding error beyond
        here, there = places[row], places[column]
        won[here, there] += total + BEFOREHAND
        won[there, here] += (deals - total) / (plan.sides - 1) + BEFOREHAND
    initial = None if start is None else start / POINTS
    return POINTS * choix.ilsr_pairwise_dense(won, initial_params=initial, max_iter=10_000)


def rating_text(rating: Rating) -> str:
    error = f" ± {rating.estimate.half_width:.0f}" if rating.estimate.interval else ""
    return f"{rating.points:+.0f}{error}".replace("-", "−")
