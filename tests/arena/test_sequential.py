"""Intervals and tests that stay valid however often one looks, compared with published figures and with other ways."""

import numpy as np
import pytest
from scipy import integrate, optimize, stats

from kibitz.arena.sequential import MIXTURE, bounds, interval, likelihood, log_likelihood_ratio, moments, reach_of

PAIRS = np.array([0, 0.25, 0.5, 0.75, 1])  # the score of a pair of games


def score(elo: float) -> float:
    return float(1 / (1 + 10 ** (-elo / 400)))


@pytest.mark.parametrize(
    ("pairs", "elo", "published"),
    [((223, 9863, 21279, 10037, 246), (0.5, 2.5), -3.07), ((871, 26175, 55983, 26678, 821), (0, 2), -4.98)],
)
def test_the_ratio_is_that_of_fastchess(pairs: tuple[int, ...], elo: tuple[float, float], published: float) -> None:
    found = log_likelihood_ratio(np.array(pairs), PAIRS, score(elo[0]), score(elo[1]))
    assert found == pytest.approx(published, abs=0.005)


def test_the_ratio_is_that_of_openbench() -> None:
    """Its worked example has bounds of normalized Elo, here converted by the deviation of the pairs."""
    pairs = np.array([39, 8843, 26675, 9240, 44])
    per_elo = np.sqrt(2 * moments(pairs, PAIRS)[2]) * np.log(10) / 800
    assert log_likelihood_ratio(pairs, PAIRS, 0.5 + 0.5 * per_elo, 0.5 + 2.5 * per_elo) == pytest.approx(
        2.941675, abs=1e-4
    )


def test_the_likelihood_is_the_greatest_of_all_distributions_with_the_mean() -> None:
    counts = np.array([3.0, 10.0, 40.0, 25.0, 8.0])

    def loss(logits: np.ndarray) -> float:
        return float(-(counts * np.log(np.exp(logits) / np.exp(logits).sum())).sum())

    constraint = {"type": "eq", "fun": lambda x: np.exp(x) @ PAIRS / np.exp(x).sum() - 0.45}
    best = optimize.minimize(loss, np.log(counts), constraints=[constraint], tol=1e-12)
    free = float((counts * np.log(counts / counts.sum())).sum())
    assert likelihood(counts, PAIRS, 0.45) == pytest.approx(-best.fun - free, abs=1e-4)


def test_the_bounds_are_those_of_wald() -> None:
    assert bounds(0.05, 0.1) == pytest.approx((np.log(0.1 / 0.95), np.log(0.9 / 0.05)))


def test_the_interval_ends_where_the_mixture_of_t_tests_rejects() -> None:
    """Integrate the Bayes factor of the t statistic: its effect size is normal, against no effect."""
    values = np.arange(4.0)
    counts = np.array([20, 35, 30, 15])
    games = int(counts.sum())
    mean, half = interval(counts, values, 0.05)
    variance = moments(counts, values)[2] + reach_of(mean, values) ** 2 / games
    t = half / np.sqrt(variance / (games - 1))

    def weighted(effect: float) -> float:
        prior = stats.norm.pdf(effect, scale=MIXTURE**-0.5)
        return float(stats.nct.pdf(t, games - 1, effect * games**0.5) * prior)

    factor = integrate.quad(weighted, -1.5, 1.5)[0] / stats.t.pdf(t, games - 1)
    assert factor == pytest.approx(1 / 0.05, rel=1e-4)


def test_equal_first_scores_are_no_proof() -> None:
    _, half = interval(np.array([0, 50, 0]), np.array([-1.0, 0.0, 1.0]), 0.05)
    assert half > 0.05
    assert np.isinf(interval(np.array([0, 1, 1]), np.array([-1.0, 0.0, 1.0]), 0.05)[1])


def test_an_interval_seldom_misses_at_any_look() -> None:
    rng, values = np.random.default_rng(1), np.array([-1.0, 0.0, 1.0])
    shares = np.array([0.3, 0.5, 0.2])
    counts, missed = np.zeros((400, 3)), np.zeros(400, bool)
    for _ in range(100):
        counts += rng.multinomial(8, shares, 400)
        mean, half = interval(counts, values, 0.05)
        missed |= np.abs(mean + 0.1) > half
    assert missed.mean() < 0.05
