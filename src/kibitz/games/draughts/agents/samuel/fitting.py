"""Weights from positions: by least squares to the values of searches, by logistic regression to how games ended.

In the end all weights are scaled so that a man is worth 100 points. So what is learned is how features compare with a
man, as in Samuel's program, whose piece advantage was not for learning either.
"""

from typing import Any

import numpy as np

from kibitz.games.draughts.agents.samuel.games import OUTCOME, VALUE, WIDTH
from kibitz.games.draughts.evaluation import MAN, MAN_POINTS, RANGES
from kibitz.search.outcomes import logistic

RIDGE = 30.0  # how many positions' worth of doubt every weight has


def to_values(rows: Any, prior: Any) -> Any:
    """The weights whose sum of features is nearest to the values of the searches."""
    features, values = rows[:, :WIDTH], rows[:, VALUE]
    doubt = RIDGE * np.eye(WIDTH)
    return scaled(np.linalg.solve(features.T @ features + doubt, features.T @ values + doubt @ prior), prior)


def to_outcomes(rows: Any, prior: Any) -> Any:
    """The weights by which the chance to win, as a logistic function of their sum, fits how games ended best."""
    theta = logistic(rows[:, :WIDTH] / WIDTH, rows[:, OUTCOME], 1 / RIDGE)
    return scaled(theta, prior)


def scaled(weights: Any, prior: Any) -> Any:
    """With a man at 100 points, within the ranges; what makes men worth nothing has learned nothing yet."""
    if weights[MAN] <= 0:
        return prior
    low, high = np.array(RANGES).T
    return np.clip(weights * (MAN_POINTS / weights[MAN]), low, high)
