"""Maximum-likelihood strengths in the model of Bradley and Terry, by Newton's method."""

from typing import Any

import numpy as np

TOLERANCE = 1e-10  # of a strength, in natural logarithms of odds
MOST_STEPS = 200


def log_likelihood(won: Any, strengths: Any) -> float:
    return float(-(won * np.logaddexp(0, strengths[None, :] - strengths[:, None])).sum())


def fit(won: Any, start: Any = None) -> Any:
    """The logarithms of the strengths, with mean 0; `won[i, j]` games were won by i against j, more than 0 each."""
    count = len(won)
    played = won + won.T
    strengths = np.zeros(count) if start is None else np.asarray(start, float)
    for _ in range(MOST_STEPS):
        chances = 1 / (1 + np.exp(strengths[None, :] - strengths[:, None]))
        slope = (won - played * chances).sum(axis=1)
        weights = played * chances * chances.T
        np.fill_diagonal(weights, 0)
        curvature = np.diag(weights.sum(axis=1)) - weights
        step = np.linalg.solve(curvature + weights.max() / count, slope)  # the constant holds the mean
        before = log_likelihood(won, strengths)
        while log_likelihood(won, strengths + step) < before and np.abs(step).max() > TOLERANCE:
            step /= 2
        strengths = strengths + step - step.mean()
        if np.abs(step).max() <= TOLERANCE:
            break
    return strengths - strengths.mean()
