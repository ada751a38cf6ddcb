"""Glicko-2 ratings of solvers and puzzles, by the formulas of Glickman (2013), "Example of the Glicko-2 system".

A puzzle that is tried is a game between the solver and the puzzle: who solves it wins. Each such game is a rating
period of its own, so ratings change at once. Glicko-2 was chosen over openskill because every game has two sides and
no teams, its few formulas can be checked against the author's worked example, and its deviation tells how far a
rating can be trusted.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

SCALE = 173.7178  # between the public scale and Glicko-2's own
START, DEVIATION, VOLATILITY = 1500.0, 350.0, 0.06
TAU = 0.5  # how much volatility changes over time
PRECISION = 1e-6
LEAST_DEVIATION = 45.0  # a rating never becomes so certain that it stops moving


class Rating(NamedTuple):
    """A rating on the public scale, its standard deviation, and its volatility."""

    rating: float = START
    deviation: float = DEVIATION
    volatility: float = VOLATILITY

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval."""
        return self.rating - 1.96 * self.deviation, self.rating + 1.96 * self.deviation


def weight(phi: float) -> float:
    """Glickman's g: games with uncertain opponents count for less."""
    return 1.0 / math.sqrt(1.0 + 3.0 * phi * phi / (math.pi * math.pi))


def expected(rating: Rating, other: Rating) -> float:
    """The chance to win."""
    gap = (rating.rating - other.rating) / SCALE
    return 1.0 / (1.0 + math.exp(-weight(other.deviation / SCALE) * gap))


def rated(rating: Rating, games: Sequence[tuple[Rating, float]], tau: float = TAU) -> Rating:
    """The rating after the games of a period, each an opponent and a score from 0 to 1.

    >>> games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    >>> after = rated(Rating(1500, 200, 0.06), games)
    >>> f"{after.rating:.2f} {after.deviation:.2f} {after.volatility:.5f}"
    '1464.05 151.52 0.06000'
    """
    phi = rating.deviation / SCALE
    if not games:
        return rating._replace(deviation=SCALE * math.hypot(phi, rating.volatility))
    information = gain = 0.0
    for other, score in games:
        g, chance = weight(other.deviation / SCALE), expected(rating, other)
        information += g * g * chance * (1.0 - chance)
        gain += g * (score - chance)
    variance = 1.0 / information
    volatility = new_volatility(phi, rating.volatility, variance, variance * gain, tau)
    before = math.hypot(phi, volatility)
    after = 1.0 / math.sqrt(1.0 / (before * before) + information)
    return Rating(rating.rating + SCALE * after * after * gain, SCALE * after, volatility)


def new_volatility(phi: float, sigma: float, variance: float, delta: float, tau: float) -> float:
    """Step 5 of the paper: the root of f, by the Illinois algorithm."""
    a = math.log(sigma * sigma)

    def f(x: float) -> float:
        e = math.exp(x)
        total = phi * phi + variance + e
        return e * (delta * delta - total) / (2.0 * total * total) - (x - a) / (tau * tau)

    low = a
    if delta * delta > phi * phi + variance:
        high = math.log(delta * delta - phi * phi - variance)
    else:
        k = 1
        while f(a - k * tau) < 0.0:
            k += 1
        high = a - k * tau
    f_low, f_high = f(low), f(high)
    while abs(high - low) > PRECISION:
        middle = low + (low - high) * f_low / (f_high - f_low)
        f_middle = f(middle)
        if f_middle * f_high <= 0.0:
            low, f_low = high, f_high
        else:
            f_low /= 2.0
        high, f_high = middle, f_middle
    return math.exp(low / 2.0)
