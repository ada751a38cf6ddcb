"""Samplers that propose the next weights: Optuna's, and CMA-ES.

All randomness comes from the study's seed and the number of finished trials, so a resumed study proposes the same
trials as one that was never interrupted.
"""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from math import log
from typing import Any, Literal, get_args

import cmaes
import numpy as np
from optuna.distributions import BaseDistribution, FloatDistribution
from optuna.samplers import BaseSampler, GPSampler, RandomSampler, TPESampler
from optuna.study import Study
from optuna.trial import FrozenTrial, TrialState

from kibitz.errors import KibitzError
from kibitz.learn.paired_deals import derived_seed

SamplerName = Literal["cmaes", "tpe", "gp", "random"]
SAMPLERS: tuple[SamplerName, ...] = get_args(SamplerName)
FINISHED = TrialState.COMPLETE, TrialState.PRUNED
GENERATION = "generation"  # attribute of CMA-ES trials
STEP = 0.1  # the first standard deviation of CMA-ES, as a share of each range
SMALLEST_STEP = 0.004  # below it CMA-ES restarts: the effect of smaller changes is lost in the luck of the deal
Ranges = Mapping[str, tuple[float, float]]


def bits(limit: int, *purpose: object) -> int:
    return derived_seed(*purpose) % (1 << limit)  # type: ignore[arg-type]


class Proposer:
    """The sampler of a study, seeded for each trial by the number of finished ones."""

    def __init__(self, name: SamplerName, seed: int, start: Mapping[str, float], ranges: Ranges) -> None:
        if name == "gp" and find_spec("torch") is None:
            others = ", ".join(each for each in SAMPLERS if each != "gp")
            raise KibitzError(
                "The Gaussian process needs PyTorch, which is not installed: pip install 'kibitz[gp]'. The samplers "
                f"{others} work without it."
            )
        self.name, self.seed, self.weights = name, seed, len(start)
        self.evolution = EvolutionSampler(seed, start, ranges) if name == "cmaes" else None
        self.nearby = NearbySampler(seed, start, ranges)

    def sampler(self, finished: int) -> BaseSampler:
        number = bits(31, self.seed, self.name, finished)
        if self.evolution is not None:
            self.evolution.finished = finished
            return self.evolution
        if self.name == "random":
            return RandomSampler(seed=number)
        if finished <= 2 * self.weights:  # Bayesian samplers need some trials to learn from
            self.nearby.finished = finished
            return self.nearby
        if self.name == "tpe":
            return TPESampler(seed=number, multivariate=True, n_startup_trials=1)
        return GPSampler(seed=number, n_startup_trials=1, deterministic_objective=False)

    @property
    def attributes(self) -> dict[str, Any]:
        """Attributes to store with the trial that was just proposed."""
        return {GENERATION: self.evolution.generation} if self.evolution is not None else {}


class EvolutionSampler(BaseSampler):
    """CMA-ES (Hansen): samples from a normal distribution, whose mean and covariance move towards the better trials.

    Optuna's `CmaEsSampler` does not do the job: it does not restart with larger populations, hides the mean, which is a
    finalist here, and keeps a pickled optimizer in the file. This one learns from the finished trials alone, in order.
    """

    def __init__(self, seed: int, start: Mapping[str, float], ranges: Ranges) -> None:
        self.seed, self.finished = seed, 0
        self.names = sorted(start)
        self.low, self.high = (np.array([ranges[name][end] for name in self.names]) for end in (0, 1))
        self.best, self.best_value = self.inside(start), 0.0
        self.generation, self.population = 0, 8 + 2 * round(3 * log(len(self.names)))
        self.optimizer = self.begin()

    def inside(self, weights: Mapping[str, Any]) -> Any:
        """Weights as a point in the unit cube."""
        values = np.array([weights[name] for name in self.names])
        return np.clip((values - self.low) / (self.high - self.low), 0.0, 1.0)

    def begin(self) -> cmaes.CMA:
        """A new optimizer at the best known weights."""
        bounds = np.tile([0.0, 1.0], (len(self.names), 1))
        return cmaes.CMA(self.best.copy(), STEP, bounds, population_size=self.population, seed=0)

    def learn(self, trials: Sequence[FrozenTrial]) -> None:
        """Update the optimizer with the generations that are complete."""
        while True:
            generation = [trial for trial in trials if trial.user_attrs.get(GENERATION) == self.generation]
            if len(generation) < self.population:
                return
            solutions = [(self.inside(trial.params), -(trial.value or 0.0)) for trial in generation[: self.population]]
            for trial, (point, _) in zip(generation, solutions, strict=False):
                if trial.state == TrialState.COMPLETE and trial.value is not None and trial.value > self.best_value:
                    self.best, self.best_value = point, trial.value
            self.optimizer.tell(solutions)
            self.generation += 1
            if self.optimizer._sigma < SMALLEST_STEP or self.optimizer.should_stop():
                self.population *= 2
                self.optimizer = self.begin()

    def centre(self) -> dict[str, float]:
        """The mean of the distribution, which is known better than any single trial."""
        values = self.low + np.clip(self.optimizer.mean, 0.0, 1.0) * (self.high - self.low)
        return dict(zip(self.names, values.tolist(), strict=True))

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        return {name: FloatDistribution(*ends) for name, *ends in zip(self.names, self.low, self.high, strict=True)}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        self.learn(study.get_trials(deepcopy=False, states=FINISHED))
        self.optimizer.reseed_rng(bits(32, self.seed, "cmaes", self.finished))
        values = self.low + self.optimizer.ask() * (self.high - self.low)
        return dict(zip(self.names, np.clip(values, self.low, self.high).tolist(), strict=True))

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        return RandomSampler(seed=bits(32, self.seed, param_name, self.finished)).sample_independent(
            study, trial, param_name, param_distribution
        )


class NearbySampler(EvolutionSampler):
    """Samples around the agent's own weights, without learning."""

    def learn(self, trials: Sequence[FrozenTrial]) -> None:
        pass
