"""Bayesian optimization: a Gaussian process that predicts the gain of weights, and the point that promises most.

The kernel is Matérn 5/2 with a length for every weight, on the unit cube. Lengths have the prior of Hvarfner, Hellsten
and Nardi (2024), which grows with the number of weights: with dozens of weights and few trials, the likelihood alone
would explain the luck of the deal. The noise of every trial is known, since a trial has a standard error.
"""

from contextlib import AbstractContextManager
from dataclasses import dataclass
from math import exp, log, pi, sqrt
from typing import Any

import numpy as np

from kibitz.extras import missing

try:
    from scipy.linalg import cho_solve, cholesky, solve_triangular
    from scipy.optimize import minimize
    from scipy.spatial.distance import cdist
    from scipy.special import log_ndtr, ndtr
    from threadpoolctl import ThreadpoolController
except ImportError as error:
    raise missing("learn") from error

LENGTH_SPREAD = sqrt(3)  # the standard deviation of the prior of a length's logarithm
FIRST_LENGTH = 0.5  # a logarithm: the fit begins with lengths below those of the prior, lest it explain all by noise
SMALLEST_NOISE, GREATEST_NOISE = 1e-6, 0.05  # of what the kernel cannot explain, besides the trials' own errors
FIT_STEPS, CLIMB_STEPS = 60, 40  # iterations of the optimizer
CANDIDATES, CLIMBS = 1000, 4  # points tried by chance, and how many of the best are improved
NEAR = 0.05  # standard deviation of candidates around the best points
LEADERS = 10  # points with candidates around them
BOUNDS = (log(0.01), log(100.0))  # of the logarithms of lengths and scale
BLAS = ThreadpoolController()


def single_threaded() -> AbstractContextManager[object]:
    """Linear algebra in one thread.

    With two, matrices this small take seven times as long on a busy machine, and the last bits depend on their number.
    """
    return BLAS.limit(limits=1, user_api="blas")


@dataclass(frozen=True)
class Kernel:
    """The parameters: a length for every weight, and the variances of the function and of what it cannot explain."""

    lengths: Any
    scale: float
    noise: float

    @classmethod
    def of(cls, parameters: Any) -> "Kernel":
        return cls(np.exp(parameters[:-2]), exp(parameters[-2]), exp(parameters[-1]))

    def between(self, points: Any, others: Any) -> Any:
        return self.scale * matern(sqrt(5) * cdist(points / self.lengths, others / self.lengths))


def matern(far: Any) -> Any:
    """The correlation at a distance of which √5 is a part."""
    return (1 + far + far**2 / 3) * np.exp(-far)


def fitted(points: Any, values: Any, variances: Any) -> Kernel:
    """The kernel of the greatest posterior density: marginal likelihood times prior."""
    count, weights = points.shape
    usual = sqrt(2) + log(weights) / 2  # the mean of the prior of a length's logarithm
    squares = [(points[:, [weight]] - points[:, weight]) ** 2 for weight in range(weights)]

    def loss(parameters: Any) -> tuple[float, Any]:
        kernel = Kernel.of(parameters)
        far = sqrt(5) * cdist(points / kernel.lengths, points / kernel.lengths)
        covariance = kernel.scale * matern(far)
        factor = cholesky(covariance + np.diag(variances + kernel.noise), lower=True)
        inverse = cho_solve((factor, True), np.eye(count))
        centre = inverse.sum(axis=0) @ values / inverse.sum()
        solved = inverse @ (values - centre)
        off = (parameters[:-2] - usual) / LENGTH_SPREAD
        priors = 0.5 * (off @ off) + 0.5 * parameters[-2] ** 2 + 0.5 * ((parameters[-1] + 4) / 2) ** 2
        found = 0.5 * (values - centre) @ solved + np.log(np.diag(factor)).sum() + priors
        blame = inverse - np.outer(solved, solved)  # twice the derivative by the covariance
        pull = (
            5 / 3 * kernel.scale * blame * (1 + far) * np.exp(-far)
        )  # by a length: times squared difference / length²
        slopes = [0.5 * np.vdot(pull, square) for square in squares] / kernel.lengths**2
        slope = np.array([*slopes, 0.5 * np.vdot(blame, covariance), 0.5 * kernel.noise * np.trace(blame)])
        slope[:-2] += off / LENGTH_SPREAD
        slope[-2] += parameters[-2]
        slope[-1] += (parameters[-1] + 4) / 4
        return float(found), slope

    start = np.array([*[FIRST_LENGTH] * weights, 0.0, -4.0])
    bounds = [*[BOUNDS] * (weights + 1), (log(SMALLEST_NOISE), log(GREATEST_NOISE))]
    best = minimize(loss, start, jac=True, method="L-BFGS-B", bounds=bounds, options={"maxiter": FIT_STEPS})
    return Kernel.of(best.x)


class Model:
    """What the trials say of all points: mean and standard deviation of the value."""

    def __init__(self, points: Any, values: Any, variances: Any, kernel: Kernel) -> None:
        self.points, self.kernel = points, kernel
        covariance = kernel.between(points, points) + np.diag(variances + kernel.noise)
        self.factor = cholesky(covariance, lower=True)
        ones = cho_solve((self.factor, True), np.ones(len(points)))
        self.centre = float(ones @ values / ones.sum())
        self.solved = cho_solve((self.factor, True), values - self.centre)

    def mean(self, points: Any) -> Any:
        return self.centre + self.kernel.between(points, self.points) @ self.solved

    def mean_and_deviation(self, points: Any) -> tuple[Any, Any]:
        near = self.kernel.between(points, self.points)
        explained = solve_triangular(self.factor, near.T, lower=True)
        variance = self.kernel.scale - (explained**2).sum(axis=0)
        return self.centre + near @ self.solved, np.sqrt(np.maximum(variance, 1e-12))

    def slopes(self, point: Any) -> tuple[float, float, Any, Any]:
        """Mean and deviation at a point, and their derivatives."""
        off = (point - self.points) / self.kernel.lengths
        far = sqrt(5) * np.sqrt((off**2).sum(axis=1))
        near = self.kernel.scale * matern(far)
        by_point = -5 / 3 * self.kernel.scale * ((1 + far) * np.exp(-far))[:, None] * off / self.kernel.lengths
        weighed = cho_solve((self.factor, True), near)
        deviation = sqrt(max(self.kernel.scale - near @ weighed, 1e-12))
        mean = self.centre + float(near @ self.solved)
        return mean, deviation, by_point.T @ self.solved, -(by_point.T @ weighed) / deviation

    def leaders(self) -> Any:
        """The trials' points of the highest means."""
        return self.points[np.argsort(-self.mean(self.points), kind="stable")[:LEADERS]]

    def best_mean(self) -> Any:
        """The point of the highest mean."""

        def loss(point: Any) -> tuple[float, Any]:
            mean, _, slope, _ = self.slopes(point)
            return -mean, -slope

        weights = self.points.shape[1]
        return self.climbed(self.leaders()[:CLIMBS], loss, np.zeros(weights), np.ones(weights))

    def most_promising(self, dice: np.random.Generator, reach: float = 1.0) -> Any:
        """The point with the greatest expected improvement on the best known mean, within reach of that point."""
        leaders = self.leaders()
        best = float(self.mean(leaders[:1])[0])
        low, high = np.maximum(leaders[0] - reach, 0.0), np.minimum(leaders[0] + reach, 1.0)
        candidates = np.clip(around(leaders, dice), low, high)
        mean, deviation = self.mean_and_deviation(candidates)
        order = np.argsort(-log_improvement((mean - best) / deviation) - np.log(deviation), kind="stable")

        def loss(point: Any) -> tuple[float, Any]:
            mean, deviation, by_mean, by_deviation = self.slopes(point)
            score = (mean - best) / deviation
            worth = log_improvement(score)
            rise = exp(min(float(log_ndtr(score)) - worth, 700.0))  # the derivative of the logarithm
            slope = rise * (by_mean - score * by_deviation) / deviation + by_deviation / deviation
            return -(worth + log(deviation)), -slope

        return self.climbed(candidates[order[:CLIMBS]], loss, low, high)

    def climbed(self, starts: Any, loss: Any, low: Any, high: Any) -> Any:
        inside = list(zip(low, high, strict=True))
        ends = [
            minimize(loss, start, jac=True, method="L-BFGS-B", bounds=inside, options={"maxiter": CLIMB_STEPS})
            for start in starts
        ]
        return min(ends, key=lambda end: float(end.fun)).x


def around(leaders: Any, dice: np.random.Generator) -> Any:
    """Candidates: a third from anywhere, the others near a leader, some with only a few weights changed."""
    weights = leaders.shape[1]
    anywhere = dice.random((CANDIDATES // 3, weights))
    near = leaders[dice.integers(len(leaders), size=CANDIDATES - len(anywhere))]
    changed = dice.random(near.shape) < np.where(dice.random(len(near)) < 0.5, 1.0, min(1.0, 4 / weights))[:, None]
    return np.concatenate([anywhere, np.clip(near + changed * NEAR * dice.standard_normal(near.shape), 0.0, 1.0)])


def log_improvement(score: Any) -> Any:
    """The logarithm of the expected improvement, φ(z) + z Φ(z), also where the improvement itself would be 0."""
    score = np.asarray(score, float)
    likely, far = score > -5, score < -20
    direct = np.where(likely, score, 0.0)
    usual = np.log(np.exp(-0.5 * direct**2) / sqrt(2 * pi) + direct * ndtr(direct))
    density = -0.5 * score**2 - 0.5 * log(2 * pi)
    rare = np.where(likely | far, -5.0, score)
    seldom = density + np.log1p(rare * np.exp(log_ndtr(rare) + 0.5 * rare**2 + 0.5 * log(2 * pi)))
    tail = density - 2 * np.log(np.where(far, -score, 1.0))  # φ(z) / z² for very negative z
    return np.where(likely, usual, np.where(far, tail, seldom))
