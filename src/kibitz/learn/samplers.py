"""Samplers that propose the next weights: Optuna's TPE, CMA-ES, and a Gaussian process.

All randomness comes from the study's seed and the number of finished trials, so a resumed study proposes the same
trials as one that was never interrupted.
"""

from collections.abc import Mapping, Sequence
from math import log
from typing import Any, Literal

import numpy as np

from kibitz.extras import missing
from kibitz.learn.gaussian_process import Kernel, Model, fitted, single_threaded
from kibitz.learn.paired_deals import derived_seed

try:
    import cmaes
    from optuna.distributions import BaseDistribution, FloatDistribution
    from optuna.samplers import BaseSampler, RandomSampler, TPESampler
    from optuna.study import Study
    from optuna.trial import FrozenTrial, TrialState
except ImportError as error:
    raise missing("learn") from error

SamplerName = Literal["cmaes", "tpe", "gp", "random"]
FINISHED = TrialState.COMPLETE, TrialState.PRUNED
GENERATION = "generation"  # attribute of CMA-ES trials
ERROR = "error"  # attribute of every trial: the standard error of its gain
STEP = 0.1  # the first standard deviation of CMA-ES, as a share of each range
SMALLEST_STEP = 0.004  # below it CMA-ES restarts: the effect of smaller changes is lost in the luck of the deal
RENEWED = 10  # trials after which the Gaussian process fits its kernel again
MOST_LEARNT = 500  # trials it learns from, as its time grows with their cube
GLOBAL = 4  # every fourth trial of the Gaussian process may come from anywhere, the others from near the best
REACH = 0.15  # how near, as a share of each range
LOSSES = 3.0  # gains further below the median than this many times the best one's lead count as that far
Ranges = Mapping[str, tuple[float, float]]


def bits(limit: int, *purpose: object) -> int:
    return derived_seed(*purpose) % (1 << limit)  # type: ignore[arg-type]


class Proposer:
    """The sampler of a study, seeded for each trial by the number of finished ones."""

    def __init__(self, name: SamplerName, seed: int, start: Mapping[str, float], ranges: Ranges) -> None:
        self.name, self.seed, self.weights = name, seed, len(start)
        self.evolution = EvolutionSampler(seed, start, ranges)
        self.nearby = NearbySampler(seed, start, ranges)
        self.process = ProcessSampler(seed, start, ranges)

    def sampler(self, finished: int) -> BaseSampler:
        number = bits(31, self.seed, self.name, finished)
        if self.name == "random":
            return RandomSampler(seed=number)
        if self.name != "cmaes" and finished <= 2 * self.weights:  # Bayesian samplers need some trials to learn from
            return self.nearby.after(finished)
        if self.name == "tpe":
            return TPESampler(seed=number, multivariate=True, n_startup_trials=1)
        return (self.evolution if self.name == "cmaes" else self.process).after(finished)

    @property
    def attributes(self) -> dict[str, Any]:
        """Attributes to store with the trial that was just proposed."""
        return {GENERATION: self.evolution.generation} if self.name == "cmaes" else {}

    def centre(self, trials: Sequence[FrozenTrial]) -> dict[str, float] | None:
        """The weights that the sampler expects to be best, which it may not have tried."""
        if self.name == "cmaes":
            return self.evolution.centre(trials)
        return self.process.centre(trials) if self.name == "gp" and len(trials) > 2 * self.weights else None


class CubeSampler(BaseSampler):
    """A sampler of points in the unit cube, whose sides are the ranges of the weights."""

    def __init__(self, seed: int, start: Mapping[str, float], ranges: Ranges) -> None:
        self.seed, self.finished = seed, 0
        self.names = sorted(start)
        self.low, self.high = (np.array([ranges[name][end] for name in self.names]) for end in (0, 1))

    def after(self, finished: int) -> "CubeSampler":
        """The same, to propose the trial after this number of finished ones."""
        self.finished = finished
        return self

    def inside(self, weights: Mapping[str, Any]) -> Any:
        """Weights as a point in the unit cube."""
        values = np.array([weights[name] for name in self.names])
        return np.clip((values - self.low) / (self.high - self.low), 0.0, 1.0)

    def outside(self, point: Any) -> dict[str, float]:
        """A point in the unit cube as weights."""
        values = np.clip(self.low + point * (self.high - self.low), self.low, self.high)
        return dict(zip(self.names, values.tolist(), strict=True))

    def propose(self, trials: Sequence[FrozenTrial]) -> Any:
        """The next point."""
        raise NotImplementedError

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        return {name: FloatDistribution(*ends) for name, *ends in zip(self.names, self.low, self.high, strict=True)}

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]
    ) -> dict[str, Any]:
        return self.outside(self.propose(study.get_trials(deepcopy=False, states=FINISHED)))

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        return RandomSampler(seed=bits(32, self.seed, param_name, self.finished)).sample_independent(
            study, trial, param_name, param_distribution
        )


class EvolutionSampler(CubeSampler):
    """CMA-ES (Hansen): samples from a normal distribution, whose mean and covariance move towards the better trials.

    Optuna's `CmaEsSampler` (tried: 5.0.0) does not do the job. A resumed study proposes other trials than one that was
    not interrupted; `restart_strategy` is deprecated and ignored; and the mean of the distribution, a finalist here, is
    not public. With noisy trials the mean matters: after 200 trials of a sphere in 12 dimensions with a standard
    deviation of 0.05, it was 0.05 below the optimum, but the best trials 0.10 (Optuna's) and 0.14 (of this sampler).
    """

    def __init__(self, seed: int, start: Mapping[str, float], ranges: Ranges) -> None:
        super().__init__(seed, start, ranges)
        self.best, self.best_value = self.inside(start), 0.0
        self.generation, self.population = 0, 8 + 2 * round(3 * log(len(self.names)))
        self.optimizer = self.begin()

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

    def centre(self, trials: Sequence[FrozenTrial]) -> dict[str, float] | None:
        """The mean of the distribution, which is known better than any single trial."""
        self.learn(trials)
        return self.outside(np.clip(self.optimizer.mean, 0.0, 1.0)) if self.generation else None

    def propose(self, trials: Sequence[FrozenTrial]) -> Any:
        self.learn(trials)
        self.optimizer.reseed_rng(bits(32, self.seed, "cmaes", self.finished))
        return self.optimizer.ask()


class NearbySampler(EvolutionSampler):
    """Samples around the agent's own weights, without learning."""

    def learn(self, trials: Sequence[FrozenTrial]) -> None:
        pass


class ProcessSampler(CubeSampler):
    """Bayesian optimization: proposes the weights of the greatest expected improvement by a Gaussian process.

    Optuna's `GPSampler` (5.0.0) needs PyTorch, and learns nothing from trials that were stopped early. Here these are
    trials with a greater standard error, which the process takes into account.
    """

    def __init__(self, seed: int, start: Mapping[str, float], ranges: Ranges) -> None:
        super().__init__(seed, start, ranges)
        self.learnt, self.unit = 0, 1.0  # trials behind the kernel, and the standard deviation of their gains
        self.floor = 0.0  # worse gains count as this
        self.kernel: Kernel | None = None

    def model(self, trials: Sequence[FrozenTrial]) -> Model:
        """The process after these trials; its kernel is renewed from time to time."""
        learnt = len(trials) // RENEWED * RENEWED or len(trials)
        if learnt != self.learnt:
            gains = np.array([trial.value for trial in trials[:learnt]])
            middle = np.median(gains)
            self.learnt, self.floor = learnt, float(middle - LOSSES * (gains.max() - middle))
            self.unit = float(np.maximum(gains, self.floor).std()) or 1.0
            self.kernel = fitted(*self.data(trials[:learnt]))
        assert self.kernel is not None
        return Model(*self.data(trials), self.kernel)

    def data(self, trials: Sequence[FrozenTrial]) -> tuple[Any, Any, Any]:
        """The points of trials, their gains, and the variances of these; of many trials, the best and the newest."""
        if len(trials) > MOST_LEARNT:
            worst_first = sorted(range(len(trials)), key=lambda number: trials[number].value or 0.0)
            newest = range(len(trials) - MOST_LEARNT // 2, len(trials))
            trials = [trials[number] for number in sorted({*worst_first[-(MOST_LEARNT // 2) :], *newest})]
        points = np.array([self.inside(trial.params) for trial in trials])
        gains = np.maximum([trial.value or 0.0 for trial in trials], self.floor) / self.unit
        errors = np.array([trial.user_attrs.get(ERROR, 0.0) for trial in trials]) / self.unit
        return points, gains, errors**2

    def centre(self, trials: Sequence[FrozenTrial]) -> dict[str, float]:
        """The point of the highest mean, which no trial may have played."""
        with single_threaded():
            return self.outside(self.model(trials).best_mean())

    def propose(self, trials: Sequence[FrozenTrial]) -> Any:
        dice = np.random.default_rng(bits(63, self.seed, "gp", self.finished))
        with single_threaded():
            return self.model(trials).most_promising(dice, 1.0 if self.finished % GLOBAL == 0 else REACH)
