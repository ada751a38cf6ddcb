"""Claims of papers about the scores of a cooperative game: means, deviations, shares, the commonest, best and worst.

Tables are written as in `claims`. The interval of a difference is paired: all tables play the same deals.
"""

from math import inf
from typing import Any, Literal

import numpy as np

from kibitz.arena.claims import (
    FAILS,
    HOLDS,
    Bounded,
    Check,
    Finding,
    MeasuredTables,
    Seats,
    label,
    seats_named,
    verdict,
)
from kibitz.arena.statistics import Estimate

CHANCE = 0.025  # in each tail of a 95 % interval


def tables_in(named: str | list[str]) -> list[Seats]:
    return [seats_named(text) for text in ([named] if isinstance(named, str) else named)]


class Mean(Bounded, tag="mean", kw_only=True):
    """The mean score of a table, or of several together."""

    of: str | list[str]

    def tables(self) -> list[Seats]:
        return tables_in(self.of)

    def finding(self, tables: MeasuredTables) -> Finding:
        ours = Estimate.of(sum(tables[seats].scores for seats in self.tables()) / len(self.tables()))
        compares = "mean of " + " and ".join(map(label, self.tables()))
        return Finding(compares, self.said("g"), f"{ours:.2f}", verdict(ours, *self.bounds), (ours,))


def deviation_parts(scores: Any) -> Any:
    """Values whose mean is the standard deviation of the scores, and whose spread gives its standard error."""
    gaps = np.asarray(scores, float) - np.mean(scores)
    std = float(np.std(scores, ddof=1))
    return std + (gaps**2 - std**2) / (2 * std) if std else gaps


class DeviationDifference(Bounded, tag="deviation_difference", kw_only=True):
    """The standard deviation of a table's scores minus that of another: which of two is more stable."""

    of: str
    minus: str

    def tables(self) -> list[Seats]:
        return [seats_named(self.of), seats_named(self.minus)]

    def finding(self, tables: MeasuredTables) -> Finding:
        plus, minus = self.tables()
        ours = Estimate.of(deviation_parts(tables[plus].scores) - deviation_parts(tables[minus].scores))
        compares = f"deviation of {label(plus)} − {label(minus)}"
        return Finding(compares, self.said("g"), f"{ours:+.2f}", verdict(ours, *self.bounds), (ours,))


class ScoreShare(Bounded, tag="score_share", kw_only=True):
    """The share of games whose score lies in a range, over one or several tables."""

    of: str | list[str]
    scores: tuple[int, int]  # the lowest and the highest

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.scores[0] > self.scores[1]:
            raise ValueError("`scores` are the lowest and the highest, as in [25, 25]")

    def tables(self) -> list[Seats]:
        return tables_in(self.of)

    def finding(self, tables: MeasuredTables) -> Finding:
        low, high = self.scores
        played = [np.asarray(tables[seats].scores) for seats in self.tables()]
        count = sum(int(((low <= scores) & (scores <= high)).sum()) for scores in played)
        games = sum(map(len, played))
        ours = Estimate.share(count, games)
        compares = f"games with {low if low == high else f'{low} to {high}'} points: " + " + ".join(
            map(label, self.tables())
        )
        text = f"{ours.mean:.2%} ({ours.low:.2%} to {ours.high:.2%}): {count:,} of {games:,}"
        return Finding(compares, self.said(".2%"), text, verdict(ours, *self.bounds), (ours,))


class Extreme(Check, tag="extreme", kw_only=True):
    """The best or the worst score of a paper's games: whether it lies where that of as many games of ours does in 95 %
    of all cases. The games are shared equally by several tables."""

    of: str | list[str]
    which: Literal["highest", "lowest"]
    score: int
    games: int

    def __post_init__(self) -> None:
        if self.games < len(self.tables()):
            raise ValueError("`games` must be at least one per table")

    def tables(self) -> list[Seats]:
        return tables_in(self.of)

    def finding(self, tables: MeasuredTables) -> Finding:
        played = [np.asarray(tables[seats].scores) for seats in self.tables()]
        sign = 1 if self.which == "highest" else -1
        values = np.unique(np.concatenate(played))[::sign]
        share = self.games / len(played)
        # The chance that no game goes beyond each value.
        within = np.prod(
            [np.mean(sign * scores[:, None] <= sign * values, axis=0) ** share for scores in played], axis=0
        )
        first, last = (int(values[np.argmax(within > chance)]) for chance in (CHANCE, 1 - CHANCE))
        low, high = sorted((first, last))
        compares = f"{self.which} of {self.games:,} games: " + " and ".join(map(label, self.tables()))
        found = HOLDS if low <= self.score <= high else FAILS
        theirs = self.theirs or f"{self.score}"
        return Finding(compares, theirs, f"{low} to {high}" if low < high else f"{low}", found)


class Peak(Check, tag="peak", kw_only=True):
    """The commonest score above zero of one or several tables together: whether it lies in a range.

    It is compared with the commonest score outside the range, by the 95 % interval of the difference of their shares.
    """

    of: str | list[str]
    scores: tuple[int, int]  # the lowest and the highest

    def tables(self) -> list[Seats]:
        return tables_in(self.of)

    def finding(self, tables: MeasuredTables) -> Finding:
        low, high = self.scores
        scores = np.concatenate([np.asarray(tables[seats].scores) for seats in self.tables()])
        values, counts = np.unique(scores[scores > 0], return_counts=True)
        inside = (low <= values) & (values <= high)
        most_inside, most_outside = (int(counts[part].max(initial=0)) for part in (inside, ~inside))
        lead = Estimate.of(
            np.repeat([1.0, -1.0, 0.0], [most_inside, most_outside, len(scores) - most_inside - most_outside])
        )
        compares = "commonest score above 0: " + " + ".join(map(label, self.tables()))
        theirs = self.theirs or (f"{low}" if low == high else f"{low} to {high}")
        ours = f"{values[np.argmax(counts)]}" if len(values) else "none"
        return Finding(compares, theirs, ours, verdict(lead, 0.0, inf), (lead,))
