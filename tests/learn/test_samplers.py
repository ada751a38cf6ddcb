"""The Gaussian process finds optima that are known, in spite of noise, and is fitted by the right derivatives."""

from collections.abc import Callable
from math import cos, pi
from typing import Any

import numpy as np
import optuna
import pytest
from optuna.distributions import FloatDistribution
from scipy import optimize

from kibitz.learn import gaussian_process
from kibitz.learn.gaussian_process import Model, fitted, log_improvement
from kibitz.learn.samplers import ERROR, Proposer, SamplerName

Ranges = dict[str, tuple[float, float]]
Worth = Callable[[dict[str, float]], float]
BRANIN: Ranges = {"x": (-5.0, 10.0), "y": (0.0, 15.0)}
BOWL: Ranges = {f"w{number}": (0.0, 1.0) for number in range(5)}
SAMPLED: tuple[SamplerName, ...] = ("gp", "random")
BOTTOM = {name: 0.1 + 0.15 * place for place, name in enumerate(BOWL)}


def branin(at: dict[str, float]) -> float:
    """Branin and Hoo's function, negated; the greatest value is -0.3979, at three points."""
    x, y = at["x"], at["y"]
    return -((y - 5.1 / (4 * pi**2) * x**2 + 5 / pi * x - 6) ** 2 + 10 * (1 - 1 / (8 * pi)) * cos(x) + 10)


def bowl(at: dict[str, float]) -> float:
    return -sum((at[name] - low) ** 2 for name, low in BOTTOM.items())


def expected(sampler: SamplerName, worth: Worth, ranges: Ranges, trials: int, noise: float = 0.0) -> dict[str, float]:
    """Where a sampler expects the optimum after some noisy trials; random search takes its best trial."""
    start = {name: 0.7 * low + 0.3 * high for name, (low, high) in ranges.items()}
    proposer, dice = Proposer(sampler, 0, start, ranges), np.random.default_rng(1)
    study = optuna.create_study(direction="maximize")
    for finished in range(trials):
        study.sampler = proposer.sampler(finished)
        trial = study.ask({name: FloatDistribution(*ends) for name, ends in ranges.items()})
        for name, value in {**proposer.attributes, ERROR: noise}.items():
            trial.set_user_attr(name, value)
        study.tell(trial, worth(trial.params) + noise * dice.standard_normal())
    return proposer.centre(study.trials) or study.best_params


def test_bayesian_optimization_finds_one_of_three_optima() -> None:
    assert branin(expected("gp", branin, BRANIN, 40)) > -0.45


def test_with_noise_it_comes_closer_than_random_search() -> None:
    found, by_chance = (bowl(expected(name, bowl, BOWL, 70, 0.05)) for name in SAMPLED)
    assert found > -0.03
    assert found > by_chance + 0.05


def test_the_process_predicts_what_it_has_not_seen_with_its_uncertainty() -> None:
    dice = np.random.default_rng(0)
    points, unseen = dice.random((60, 3)), dice.random((200, 3))
    truth, seen = np.sin(5 * unseen).sum(axis=1), np.sin(5 * points).sum(axis=1)
    variances = np.full(60, 0.01)
    values = seen + 0.1 * dice.standard_normal(60)
    mean, deviation = Model(points, values, variances, fitted(points, values, variances)).mean_and_deviation(unseen)
    assert np.abs(mean - truth).mean() < 0.1
    assert 0.9 < (np.abs(mean - truth) < 2 * deviation).mean() <= 1.0


def test_derivatives_are_those_of_the_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[Any, Any]] = []

    def noted(loss: Any, start: Any, **more: Any) -> Any:
        asked.append((loss, start))
        return optimize.minimize(loss, start, **more)

    monkeypatch.setattr(gaussian_process, "minimize", noted)
    dice = np.random.default_rng(0)
    points, variances = dice.random((30, 4)), np.full(30, 0.01)
    values = np.sin(4 * points).sum(axis=1)
    model = Model(points, values, variances, fitted(points, values, variances))
    model.most_promising(dice)
    model.best_mean()
    for loss, start in (asked[0], asked[1], asked[-1]):
        here = start * 0.9 + 0.02
        _, slope = loss(here)
        steps = 1e-5 * np.eye(len(here))
        assert slope == pytest.approx(
            [(loss(here + step)[0] - loss(here - step)[0]) / 2e-5 for step in steps], abs=1e-4
        )


def test_the_logarithm_of_a_tiny_improvement_is_exact() -> None:
    assert np.exp(log_improvement(0.0)) == pytest.approx(1 / np.sqrt(2 * pi))
    assert log_improvement(1e6) == pytest.approx(np.log(1e6))
    steps = np.diff(log_improvement(np.linspace(-60, 5, 6501)))
    assert np.all(steps > 0)
    assert np.abs(np.diff(steps)).max() < 0.01, "no jump where another formula takes over"
