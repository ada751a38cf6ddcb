"""How well agents of a cooperative cross table play with others: means over partners, and who understands whom.

Two agents understand each other if a table of both scores about what each of them scores with its own copies. Agents
are grouped by average linkage of what their tables lose, and ordered so that groups, and likenesses in them, are
neighbours.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from kibitz.arena.cross import Cross
from kibitz.arena.statistics import Estimate

UNDERSTOOD = 0.1  # of the best score: what a table of two agents that understand each other may lose


@dataclass(frozen=True)
class Partnership:
    """An agent with its partners: in one seat among copies of each other agent."""

    agent: str
    estimate: Estimate  # the mean over partners
    best: str  # the partner with which it scores most
    worst: str
    group: int  # from 1; agents of one group understand one another

    def as_json(self) -> dict[str, Any]:
        return {
            "agent": self.agent, "mean": self.estimate.mean, "interval": self.estimate.interval,
            "best_partner": self.best, "worst_partner": self.worst, "group": self.group,
        }  # fmt: skip


def partnerships(cross: Cross) -> list[Partnership]:
    """The agents of a finished cooperative table, the best partner first.

    All cells play the same deals. So the interval comes from equal parts of the deals: a part's mean over all partners.
    """
    group_of = {agent: number for number, group in enumerate(groups(cross), start=1) for agent in group}
    found = []
    for agent in cross.plan.agents:
        cells = [cross.cells[agent, other] for other in cross.plan.agents if other != agent]
        slices = np.mean([cell.slices for cell in cells], axis=0)
        stderr = float(slices.std(ddof=1)) / sqrt(len(slices)) if len(slices) > 1 else None
        mean = Estimate(float(np.mean([cell.mean for cell in cells])), stderr, cross.plan.deals)
        by_mean = sorted(cells, key=lambda cell: cell.mean)
        found.append(Partnership(agent, mean, by_mean[-1].column, by_mean[0].column, group_of[agent]))
    return sorted(found, key=lambda each: -each.estimate.mean)


def losses(cross: Cross) -> Any:
    """What a table of two agents loses against the mean of each with its own copies."""
    means = np.array([[cross.cells[row, column].mean for column in cross.plan.agents] for row in cross.plan.agents])
    alone = np.diag(means)
    return (alone[:, None] + alone) / 2 - (means + means.T) / 2


def groups(cross: Cross) -> list[list[str]]:
    """The agents of a finished cooperative table, ordered, in groups that understand one another."""
    lost = losses(cross)
    ordered = [[place] for place in range(len(lost))]
    parts: list[list[int]] = []

    def between(one: list[int], other: list[int]) -> float:
        return float(lost[np.ix_(one, other)].mean())

    while len(ordered) > 1:
        pairs = [(a, b) for a in range(len(ordered)) for b in range(a + 1, len(ordered))]
        first, second = min(pairs, key=lambda pair: between(ordered[pair[0]], ordered[pair[1]]))
        if not parts and between(ordered[first], ordered[second]) > UNDERSTOOD * cross.plan.game.best:
            parts = [list(each) for each in ordered]
        joined = nearest_ends(ordered[first], ordered[second], lost)
        ordered[first] = joined
        del ordered[second]
    parts = sorted(parts or [ordered[0]], key=lambda part: min(ordered[0].index(place) for place in part))
    names = cross.plan.agents
    return [[names[place] for place in sorted(part, key=ordered[0].index)] for part in parts]


def nearest_ends(one: list[int], other: list[int], lost: Any) -> list[int]:
    """Both in a row, turned so that the agents that meet lose least together."""
    turned = [(a, b) for a in (one, one[::-1]) for b in (other, other[::-1])]
    a, b = min(turned, key=lambda pair: float(lost[pair[0][-1], pair[1][0]]))
    return [*a, *b]
