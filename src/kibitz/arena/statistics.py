"""What a match says about its agents: a mean and how far to trust it, the spread, and the whole distribution."""

from dataclasses import dataclass, field
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

Z95 = NormalDist().inv_cdf(0.975)


@dataclass
class Tally:
    """Scores counted as they come in: as much memory for a million games as for one."""

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
        """The standard deviation of a game's score, as estimated from a sample."""
        if self.games < 2:
            return 0.0
        squares = (np.arange(self.best + 1) - self.mean) ** 2
        return sqrt(float(self.counts @ squares) / (self.games - 1))

    @property
    def stderr(self) -> float | None:
        """The standard error of the mean; None for a single game, which says nothing of it."""
        return self.std / sqrt(self.games) if self.games > 1 else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Where the true mean lies, 95 times in a hundred."""
        if self.stderr is None:
            return None
        return self.mean - Z95 * self.stderr, self.mean + Z95 * self.stderr

    @property
    def perfect(self) -> int:
        return int(self.counts[self.best])

    def as_json(self) -> dict[str, Any]:
        return {
            "games": self.games,
            "mean": self.mean,
            "interval": self.interval,
            "std": self.std,
            "perfect": self.perfect,
            "lost": self.lost,
            "histogram": self.counts.tolist(),
        }


def wilson(count: int, of: int) -> tuple[float, float]:
    """Where a share truly lies, 95 times in a hundred, by Wilson: right for rare events and few games too.

    SciPy's `binomtest` finds the same in a thousand times the time, and takes seconds to be imported.
    """
    seen, z2 = count / of, Z95**2 / of
    centre = (seen + z2 / 2) / (1 + z2)
    half = sqrt(seen * (1 - seen) * z2 + z2**2 / 4) / (1 + z2)
    return max(0.0, centre - half), min(1.0, centre + half)


def difference(mean: float, stderr: float, other_mean: float, other_stderr: float) -> tuple[float, float]:
    """The difference of two measured means and the half width of its 95 % interval."""
    return mean - other_mean, Z95 * sqrt(stderr**2 + other_stderr**2)


def bars(counts: Any, width: int = 40) -> list[tuple[int, int, str]]:
    """A small histogram: score, games and a bar for every score from the lowest to the highest that occurred."""
    occurred = np.flatnonzero(counts)
    if not len(occurred):
        return []
    most = int(counts.max())
    eighths = "▏▎▍▌▋▊▉█"
    rows = []
    for score in range(int(occurred[0]), int(occurred[-1]) + 1):
        count = int(counts[score])
        units = -(-8 * width * count // most)  # any game at all is seen
        bar = "█" * (units // 8) + (eighths[units % 8 - 1] if units % 8 else "")
        rows.append((score, count, bar))
    return rows
