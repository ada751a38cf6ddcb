"""Statistics of matches: estimates with 95 % intervals, and the distribution of scores."""

from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

Z95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Estimate:
    """A mean with its standard error.

    >>> print(Estimate.of([1, 2, 3, 4]))
    2.500 ± 1.265
    """

    mean: float
    stderr: float | None  # None if unknown, as after a single deal
    games: int = 0  # or deals, if the games of a deal are correlated
    bounds: tuple[float, float] | None = None  # of an interval that is not symmetric

    @classmethod
    def of(cls, values: Any) -> "Estimate":
        """From independent values, such as one per deal."""
        values, count = np.asarray(values), len(values)
        return cls(float(values.mean()), float(values.std(ddof=1)) / sqrt(count) if count > 1 else None, count)

    @classmethod
    def share(cls, count: int, games: int) -> "Estimate":
        """The share `count` of `games`, with Wilson's interval."""
        return cls(count / games, None, games, wilson(count, games))

    @property
    def half_width(self) -> float:
        """Half the width of the 95 % interval; 0 if unknown."""
        if self.stderr is None and self.bounds is not None:
            return (self.bounds[1] - self.bounds[0]) / 2
        return Z95 * (self.stderr or 0.0)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval."""
        if self.bounds is not None:
            return self.bounds
        return None if self.stderr is None else (self.mean - self.half_width, self.mean + self.half_width)

    @property
    def low(self) -> float:
        return self.interval[0] if self.interval else self.mean

    @property
    def high(self) -> float:
        return self.interval[1] if self.interval else self.mean

    def __sub__(self, other: "Estimate") -> "Estimate":
        """The difference from an independent estimate."""
        stderr = sqrt((self.stderr or 0.0) ** 2 + (other.stderr or 0.0) ** 2)
        return Estimate(self.mean - other.mean, stderr, min(self.games, other.games))

    def __rmul__(self, factor: float) -> "Estimate":
        """The same in other units."""
        stderr = None if self.stderr is None else factor * self.stderr
        bounds = None if self.bounds is None else (factor * self.bounds[0], factor * self.bounds[1])
        return Estimate(factor * self.mean, stderr, self.games, bounds)

    def clearly_negative(self, deviations: float) -> bool:
        """Whether zero lies more than this number of standard errors above the mean."""
        return self.stderr is not None and self.mean < 0 and self.mean + deviations * self.stderr < 0

    def __str__(self) -> str:
        return f"{self:.3f}"

    def __format__(self, spec: str) -> str:
        """As `mean ± half width`, the second if it is known; a sign in the format is for the mean."""
        spec = spec or ".3f"
        error = f" ± {self.half_width:{spec.lstrip('+')}}" if self.interval else ""
        return f"{self.mean:{spec}}{error}"


@dataclass
class ScoreCounts:
    """A histogram of scores, updated as games come in, in constant memory."""

    best: int
    counts: Any = field(init=False)  # games by score
    lost_games: Any = field(init=False)

    def __post_init__(self) -> None:
        self.counts, self.lost_games = np.zeros(self.best + 1, np.int64), np.zeros(1, np.int64)

    @property
    def lost(self) -> int:
        return int(self.lost_games[0])

    @classmethod
    def of_all(cls, tallies: "list[ScoreCounts]") -> "ScoreCounts":
        """The tally of the games of several."""
        if len(tallies) == 1:
            return tallies[0]
        found = cls(tallies[0].best)
        for tally in tallies:
            found.counts += tally.counts
            found.lost_games += tally.lost_games
        return found

    def add(self, scores: Any, lost: int) -> None:
        self.counts += np.bincount(scores, minlength=self.best + 1)
        self.lost_games += lost

    @property
    def games(self) -> int:
        return int(self.counts.sum())

    @property
    def mean(self) -> float:
        return float(self.counts @ np.arange(self.best + 1) / self.games) if self.games else 0.0

    @property
    def std(self) -> float:
        """The sample standard deviation of a game's score."""
        if self.games < 2:
            return 0.0
        squares = (np.arange(self.best + 1) - self.mean) ** 2
        return sqrt(float(self.counts @ squares) / (self.games - 1))

    @property
    def estimate(self) -> Estimate:
        return Estimate(self.mean, self.std / sqrt(self.games) if self.games > 1 else None, self.games)

    @property
    def perfect(self) -> int:
        return int(self.counts[self.best])

    @property
    def perfect_share(self) -> Estimate:
        """The share of games with the best score."""
        return Estimate.share(self.perfect, self.games) if self.games else Estimate(0.0, None)

    def as_json(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "mean": self.mean,
            "interval": self.estimate.interval,
            "std": self.std,
            "perfect": self.perfect,
            "perfect_interval": self.perfect_share.interval,
            "lost": self.lost,
            "histogram": self.counts.tolist(),
        }


def wilson(count: int, of: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share, which also suits rare events and few games.

    SciPy's `binomtest` gives the same, but takes a thousand times as long, and seconds to import.
    """
    seen, z2 = count / of, Z95**2 / of
    centre = (seen + z2 / 2) / (1 + z2)
    half = sqrt(seen * (1 - seen) * z2 + z2**2 / 4) / (1 + z2)
    return max(0.0, centre - half), min(1.0, centre + half)


def bars(counts: Any, width: int = 40) -> list[tuple[int, int, str]]:
    """A text histogram: score, games and a bar, from the lowest to the highest score that occurred."""
    occurred = np.flatnonzero(counts)
    if not len(occurred):
        return []
    most = int(counts.max())
    eighths = "▏▎▍▌▋▊▉█"
    rows = []
    for score in range(int(occurred[0]), int(occurred[-1]) + 1):
        count = int(counts[score])
        units = -(-8 * width * count // most)  # a single game is visible
        bar = "█" * (units // 8) + (eighths[units % 8 - 1] if units % 8 else "")
        rows.append((score, count, bar))
    return rows
