"""Statistics that stay valid however often one looks at them: an interval of a mean, and the test of chess engines.

They are computed from how often each value occurred. The last axis of `counts` is the value; axes before it are
independent samples, so a simulation computes thousands of them at once.

The interval is the confidence sequence of the t-test with a Gaussian mixture (Lai 1976; Wang & Ramdas 2025, "Anytime-
valid t-tests and confidence sequences for Gaussian means with unknown variance"). The test is the generalized
sequential probability ratio test of Van den Bergh ("Comments on normalized Elo"), which fastchess and OpenBench use
for pairs of games.
"""

from math import log
from typing import Any

import numpy as np

MIXTURE = 25.0  # inverse variance of the effect size in the mixture; intervals are narrowest at about 200 values
UNSEEN = 1e-3  # how often a value that never occurred counts in the ratio test, as in fastchess
HALVINGS = 60  # of the bracket around a root


def moments(counts: Any, values: Any) -> tuple[Any, Any, Any]:
    """The number of values, their mean and their variance."""
    games = counts.sum(axis=-1)
    mean = counts @ values / games
    return games, mean, np.maximum(counts @ values**2 / games - mean**2, 0.0)


def half_width(games: Any, variance: Any, reach: Any, alpha: float) -> Any:
    """Half the width of the confidence sequence of a mean; infinite for the first few values.

    The formula is exact for normal values. Scores are not normal: the first ones are often all alike, which shows no
    variance at all. So the variance counts one value that was not seen, as far from the mean as a value can be.
    """
    games = np.asarray(games, np.float64)
    variance = variance + reach**2 / games
    excess = np.exp((np.log((games + MIXTURE) / MIXTURE) - 2 * log(alpha)) / games)
    room = games + MIXTURE - excess * MIXTURE
    with np.errstate(divide="ignore", invalid="ignore"):
        square = variance * (excess - 1) * (games + MIXTURE) / room
    return np.where(room > 0, np.sqrt(np.maximum(square, 0.0)), np.inf)


def interval(counts: Any, values: Any, alpha: float) -> tuple[Any, Any]:
    """The mean, and half the width of its confidence sequence.

    >>> mean, half = interval(np.array([20, 40, 40]), np.array([0.0, 1.0, 2.0]), 0.05)
    >>> print(f"{mean:.2f} ± {half:.2f}")
    1.20 ± 0.23
    """
    games, mean, variance = moments(counts, values)
    return mean, half_width(games, variance, reach_of(mean, values), alpha)


def reach_of(mean: Any, values: Any) -> Any:
    """How far from the mean a value can be."""
    return np.maximum(values[-1] - mean, mean - values[0])


def likelihood(counts: Any, values: Any, mean: float) -> Any:
    """The greatest log likelihood of the counts under a mean, relative to that without one: at most 0.

    Of all distributions with this mean, the likeliest has probabilities `p / (1 + theta * (value - mean))`, where `p`
    are the observed ones, and `theta` makes the mean right.
    """
    counts = np.maximum(counts, UNSEEN)
    shifted = values - mean
    low = np.full(counts.shape[:-1], -1 / shifted[-1])
    high = np.full(counts.shape[:-1], -1 / shifted[0])
    for _ in range(HALVINGS):
        theta = (low + high) / 2
        above = (counts * shifted / (1 + theta[..., None] * shifted)).sum(axis=-1) > 0
        low, high = np.where(above, theta, low), np.where(above, high, theta)
    return -(counts * np.log1p(((low + high) / 2)[..., None] * shifted)).sum(axis=-1)


def log_likelihood_ratio(counts: Any, values: Any, mean0: float, mean1: float) -> Any:
    """By how much the counts favour the mean `mean1` over `mean0`."""
    return likelihood(counts, values, mean1) - likelihood(counts, values, mean0)


def bounds(alpha: float, beta: float) -> tuple[float, float]:
    """Where a ratio test accepts `mean0`, and where `mean1`, with these error rates (Wald).

    >>> print("{:.3f} {:.3f}".format(*bounds(0.05, 0.05)))
    -2.944 2.944
    """
    return log(beta / (1 - alpha)), log((1 - beta) / alpha)
