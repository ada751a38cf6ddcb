"""Statistics of matches: estimates with 95 % intervals, and the distribution of scores."""

from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

Z95 = NormalDist().inv_cdf(0.975)


@dataclass(frozen=True)
class Estimate:
    """A mean, and how far to trust it.

    >>> print(f"{Estimate.of([1, 2, 3, 4]):.2f}")
    2.50 ± 1.27
    """

    mean: float
    stderr: float | None  # None if unknown, as after a single deal
    games: int = 0  # or deals, where the games of a deal are alike
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

    def clearly_negative(self, deviations: float) -> bool:
        """Whether zero lies more than this number of standard errors above the mean."""
        return self.stderr is not None and self.mean < 0 and self.mean + deviations * self.stderr < 0

    def __format__(self, spec: str) -> str:
        """As `mean ± half width`; a sign in the format is for the mean."""
        return f"{self.mean:{spec}} ± {self.half_width:{spec.lstrip('+')}}"


@dataclass
class ScoreCounts:
    """A histogram of scores, updated as games come in, in constant memory."""

    best: int
    counts: Any = field(init=False)  # games by score
    lost: int = 0

    def __post_init__(self) -> None:
        self.counts = np.zeros(self.best + 1, np.int64)

    def add(self, scores: Any, lost: int) -> None:
        self.counts += np.bincount(scores, minlength=self.best + 1)
        self.lost += lost

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

    def as_json(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "mean": self.mean,
            "interval": self.estimate.interval,
            "std": self.std,
            "perfect": self.perfect,
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
