"""Fit weights to positions: by least squares to the values of searches, by logistic regression to results of games.

All weights are scaled so that a man is worth 100 points: features are learned in comparison with a man, as in Samuel's
program, in which the piece advantage was fixed too.
"""

from typing import Any

import numpy as np

from kibitz.games.draughts.agents.samuel.games import OUTCOME, VALUE, WIDTH
from kibitz.games.draughts.evaluation import MAN, MAN_POINTS, RANGES
from kibitz.search.outcomes import logistic

RIDGE = 30.0  # the strength of the prior, in positions


def to_values(rows: Any, prior: Any) -> Any:
    """The weights whose sums are nearest to the values of the searches."""
    features, values = rows[:, :WIDTH], rows[:, VALUE]
    doubt = RIDGE * np.eye(WIDTH)
    return scaled(np.linalg.solve(features.T @ features + doubt, features.T @ values + doubt @ prior), prior)


def to_outcomes(rows: Any, prior: Any) -> Any:
    """The weights for which a logistic function of the sum best predicts the results."""
    theta = logistic(rows[:, :WIDTH] / WIDTH, rows[:, OUTCOME], 1 / RIDGE)
    return scaled(theta, prior)


def scaled(weights: Any, prior: Any) -> Any:
    """Scale a man to 100 points and clip to the ranges; return the prior if men have no positive weight yet."""
    if weights[MAN] <= 0:
        return prior
    low, high = np.array(RANGES).T
    return np.clip(weights * (MAN_POINTS / weights[MAN]), low, high)
