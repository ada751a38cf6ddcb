"""Tuning: search for better weights of an agent, and measure the gain on holdout deals.

All trials play the same deals, in stages that double in length. After each stage a trial is compared with the best so
far, deal by deal, and stopped if it is clearly worse. Finals on other deals choose a winner among the best trials and
the means of several. The gain is the winner's difference from the original weights on holdout deals.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec
import numpy as np

from kibitz.arena.code_version import code_version
from kibitz.arena.runs import Run
from kibitz.arena.statistics import Estimate
from kibitz.bots.players import known
from kibitz.core.agent import Agent, CompiledAgent, PythonAgent
from kibitz.core.weights import Weights
from kibitz.errors import KibitzError, unknown
from kibitz.extras import missing
from kibitz.learn.paired_deals import Objective, Weighted, derived_seed, paired
from kibitz.learn.samplers import ERROR, Proposer, SamplerName
from kibitz.learn.study import Study, TuningPlan

try:
    from optuna.trial import FrozenTrial, TrialState
except ImportError as error:
    raise missing("learn") from error

DEALS, SLOW_DEALS = 16_000, 400  # deals per trial that is not stopped early; slow agents search or are in Python
HOLDOUT, SLOW_HOLDOUT = 100_000, 2_000  # deals that measure the winner's gain
STAGES = 4  # the last plays all deals, each one before half as many as the next
FEWEST = 25  # deals of the first stage: a test on fewer is meaningless
WEAK = 1.96  # standard errors by which a trial must be worse than the best so far to be stopped
FINALISTS = 10  # single trials in the finals
TOGETHER = (5, 10, 20, 40)  # numbers of best trials whose mean weights are in the finals
DIGITS = 6  # of a written weight


def stages(deals: int) -> list[int]:
    """Number of deals a trial has played after each stage."""
    found = [deals // 2**step for step in range(STAGES - 1, -1, -1)]
    return [each for each in found if each >= FEWEST] or [deals]


def weighted(agent: Agent) -> Weighted:
    """The agent, if it can be tuned: its weights need names and ranges."""
    if not isinstance(agent, CompiledAgent | PythonAgent) or not len(agent.weights):
        raise KibitzError(
            f"{agent.name} declares no weights, so there is nothing to tune. In a Python class, add "
            f'`weights = {{"boldness": 0.5}}` and `ranges = {{"boldness": (0.0, 1.0)}}`, and decide by '
            f'`self.weights["boldness"]`; docs/how-to/tune.md shows an example, and compiled agents.'
        )
    if not agent.weights.names or not agent.weights.ranges:
        what = "ranges" if agent.weights.names else "names and ranges"
        raise KibitzError(
            f"The weights of {agent.name} have no {what}, which bound the search. docs/how-to/tune.md shows how an "
            f"agent declares them."
        )
    return agent


def chosen_weights(weights: Weights, patterns: Sequence[str]) -> list[str]:
    """The weights to tune: all, or those selected by a name or a group."""
    if not patterns:
        return list(weights.names)
    found: set[str] = set()
    for pattern in patterns:
        matching = {name for name in weights.names if name == pattern or name.startswith(f"{pattern}.")}
        if not matching:
            raise unknown("weight", pattern, weights.names, f"The agent's weights are {', '.join(weights.names)}.")
        found |= matching
    return [name for name in weights.names if name in found]


@dataclass
class Progress:
    """Progress of a study."""

    trials: int  # finished, also by earlier commands
    best: float  # the best trial's gain over the agent's own weights, on the trials' deals
    games: int = 0  # played by this command
    stage: str = ""  # the current step of the finals
    done: float = 0.0  # the finished share of the finals


class Verdict(msgspec.Struct, frozen=True):
    """The result of a study, on holdout deals."""

    trials: int
    weights: dict[str, float]  # all weights
    source: str  # the winning candidate
    mean: float
    start_mean: float  # of the agent's original weights
    gain: float
    stderr: float
    deals: int
    seed: int  # of the holdout deals
    finished: str  # when
    changed: bool = True

    @property
    def difference(self) -> Estimate:
        return Estimate(self.gain, self.stderr, self.deals)


@dataclass
class Tuning:
    """A running study."""

    objective: Objective
    agent: Weighted
    begin: Callable[[dict[str, Any]], Run] | None = None  # the run for a plan; by default nothing is kept
    seed: int = 0
    sampler: SamplerName = "cmaes"
    deals: int | None = None
    holdout: int | None = None
    only: Sequence[str] = ()  # the names or groups of weights to tune; by default all
    games: int = 0
    values: dict[int, Any] = field(default_factory=dict)  # the worth of every deal, of the first and the best trials

    def __post_init__(self) -> None:
        quick = all(match.quick for match in self.objective.matches(weighted(self.agent), 0, 1))
        self.deals = self.deals or (DEALS if quick else SLOW_DEALS)
        self.holdout = self.holdout or (HOLDOUT if quick else SLOW_HOLDOUT)
        weights, players = self.agent.weights, self.objective.players
        start = dict(zip(weights.names, weights.for_players(players).tolist(), strict=True))
        ranges = dict(zip(weights.names, weights.ranges, strict=True))
        for name, (low, high) in ranges.items():
            if not low < high or not low <= start[name] <= high:
                raise KibitzError(
                    f"The weight {name} of {self.agent.name} is {start[name]:g} and goes from {low:g} to {high:g}. "
                    f"The range must not be a single point, and must contain the weight."
                )
        tuned = chosen_weights(weights, self.only)
        budget = self.objective.budget
        self.plan = TuningPlan(
            game=self.objective.game.name,
            agent=self.agent.name,
            players=players,
            rules=self.objective.game.check_rules(self.objective.rules),
            seed=self.seed,
            against=self.objective.against,
            budget=(budget.iterations, budget.milliseconds) if budget else (0, 0),
            deals=self.deals,
            start={name: start[name] for name in tuned},
            fixed={name: value for name, value in start.items() if name not in tuned},
            ranges={name: ranges[name] for name in tuned},
            code=" ".join(code_version(match.prepared()) for match in self.objective.matches(self.agent, 0, 1)),
        )
        self.proposer = Proposer(self.sampler, self.seed, self.plan.start, self.plan.ranges)
        self.run = self.begin(msgspec.to_builtins(self.plan)) if self.begin is not None else None
        self.study = Study(self.plan, self.run)
        self.tuning_seed = derived_seed(self.seed, "trials")

    @property
    def finished(self) -> int:
        """The number of finished trials, without that of the agent's own weights."""
        return len(self.study.trials) - 1

    @property
    def whole(self) -> list[FrozenTrial]:
        """Trials that were not stopped early, best first; ties in order of trial."""
        found = [trial for trial in self.study.trials if trial.state == TrialState.COMPLETE and not stopped(trial)]
        return sorted(found, key=lambda trial: -(trial.value or 0.0))

    @property
    def best(self) -> FrozenTrial:
        return self.whole[0]

    def with_weights(self, tuned: Mapping[str, float]) -> Weighted:
        named = {**self.plan.fixed, **tuned}
        return self.agent.with_weights([named[name] for name in self.agent.weights.names])

    def play(self, tuned: Mapping[str, float], seed: int, first: int, last: int) -> Any:
        return self.objective.play(self.with_weights(tuned), seed, first, last, self._count)

    def _count(self, games: int) -> None:
        self.games += games

    def values_of(self, trial: FrozenTrial, deals: int) -> Any:
        """The worth of the first deals to a trial, replayed if an earlier command played them."""
        known = self.values.get(trial.number, np.zeros(0))
        if len(known) < deals:
            more = self.play(trial.params, self.tuning_seed, len(known), deals)
            self.values[trial.number] = known = np.concatenate([known, more])
        return known[:deals]

    def progress(self, stage: str = "", done: float = 0.0) -> Progress:
        return Progress(self.finished, self.best.value or 0.0, self.games, stage, done)

    # Trials

    def play_trials(self, trials: int, seconds: float | None = None) -> Iterator[Progress]:
        """Run trials until the study has this number, or for this time."""
        end = None if seconds is None else time.monotonic() + seconds
        yield self.progress()
        while self.finished < trials and (end is None or time.monotonic() < end):
            if self.run is not None:
                self.run.reopen()
            trial = self.study.propose(self.proposer)
            try:
                yield from self._try(trial)
            except BaseException:
                self.study.discard(trial)
                raise
            if self.run is not None:
                self.run.note_progress(self.finished, trials, "trials")
            yield self.progress()

    def _try(self, trial: Any) -> Iterator[Progress]:
        original, best = self.study.trials[0], self.best
        played, gains = np.zeros(0), {}
        assert self.deals is not None
        for last in stages(self.deals):
            played = np.concatenate([played, self.play(trial.params, self.tuning_seed, len(played), last)])
            gain = paired(played, self.values_of(original, last))
            gains[last] = gain.mean
            trial.set_user_attr(ERROR, gain.stderr or 0.0)
            weak = paired(played, self.values_of(best, last)).clearly_negative(WEAK)
            if weak and last < self.deals:
                trial.set_user_attr("stopped", last)
                self.study.finish(trial, gains, TrialState.PRUNED)
                return
            yield self.progress()
        self.study.finish(trial, gains, TrialState.COMPLETE)
        if gains[self.deals] > (best.value or 0.0):
            self.values = {original.number: self.values[original.number], trial.number: played}

    # Finals

    def candidates(self) -> list[tuple[str, dict[str, float]]]:
        """The candidates of the finals: the original weights, the best trials, and means of several of the best."""
        whole = self.whole
        found: dict[str, Mapping[str, float]] = {"the original weights": self.plan.start}
        for trial in whole[:FINALISTS]:
            if trial.number != self.study.trials[0].number:
                found[f"trial {trial.number}"] = trial.params
        for count in TOGETHER:
            if len(whole) > count:
                best = [[trial.params[name] for name in self.plan.start] for trial in whole[:count]]
                means = np.mean(best, axis=0).tolist()
                found[f"the mean of the {count} best trials"] = dict(zip(self.plan.start, means, strict=True))
        if centre := self.proposer.centre(self.study.trials):
            found["the centre of the search"] = centre
        return [(source, {name: rounded(each[name]) for name in self.plan.start}) for source, each in found.items()]

    def judge(self) -> Iterator[Progress | Verdict]:
        """Choose the winner on deals that no trial played, and evaluate it on holdout deals."""
        kept = self.study.verdict(self.finished)
        if kept is not None:
            yield msgspec.convert(kept, Verdict)
            return
        verdict = None
        for verdict in self._judged():
            if isinstance(verdict, Progress):
                yield verdict
        assert isinstance(verdict, Verdict)
        self.study.keep_verdict(self.finished, msgspec.to_builtins(verdict))
        yield verdict

    def _judged(self) -> Iterator[Progress | Verdict]:
        assert self.deals is not None
        assert self.holdout is not None
        seed, deals = derived_seed(self.seed, "finals", self.finished), 0
        left = self.candidates()
        played = {name: np.zeros(0) for name, _ in left}
        steps, step = 2 * len(left) + 2, 0
        while len(left) > 1:
            deals += self.deals
            for name, tuned in left:
                more = self.play(tuned, seed, len(played[name]), deals)
                played[name] = np.concatenate([played[name], more])
                step += 1
                yield self.progress("finals", min(0.9, step / steps))
            left.sort(key=lambda each: -played[each[0]].mean())
            left = left[: (len(left) + 1) // 2] if len(left) > 2 else left[:1]
        [(source, tuned)] = left
        seed = derived_seed(self.seed, "fresh", self.finished)
        ours = self.play(tuned, seed, 0, self.holdout)
        yield self.progress("holdout deals", 0.95)
        theirs = self.play(self.plan.start, seed, 0, self.holdout)
        found = paired(ours, theirs)
        yield Verdict(
            trials=self.finished, weights={**self.plan.fixed, **tuned}, source=source,
            mean=float(ours.mean()), start_mean=float(theirs.mean()), gain=found.mean, stderr=found.stderr or 0.0,
            deals=self.holdout, seed=seed, finished=datetime.now(UTC).date().isoformat(),
            changed=tuned != self.plan.start,
        )  # fmt: skip

    def provenance(self, verdict: Verdict, command: str) -> dict[str, Any]:
        """The origin and the gain of the weights, saved with them."""
        plan, gain = self.plan, verdict.difference
        a_deal = sum(match.games_a_deal for match in self.objective.matches(self.agent, 0, 1))
        played = sum(max(trial.intermediate_values) for trial in self.study.trials[1:])
        return {
            "command": command,
            "agent": plan.agent,
            "players": plan.players,
            **({"against": list(plan.against)} if plan.against else {}),
            "rules": ", ".join(f"{name}={value}" for name, value in plan.rules.items()),
            "seed": plan.seed,
            "sampler": self.sampler,
            "trials": verdict.trials,
            "games": played * a_deal,
            "date": verdict.finished,
            "winner": verdict.source,
            "holdout_deals": verdict.deals,
            "holdout_seed": verdict.seed,
            "score": round(verdict.mean, 4),
            "score_before": round(verdict.start_mean, 4),
            "gain": round(verdict.gain, 4),
            "gain_interval": [round(gain.low, 4), round(gain.high, 4)],
        }


def stopped(trial: FrozenTrial) -> bool:
    return "stopped" in trial.user_attrs


def rounded(value: float) -> float:
    """A weight as written to the file, so that the saved weights are the evaluated ones."""
    return float(f"{value:.{DIGITS}g}")


def tunable(objective: Objective, text: str) -> Weighted:
    """A tunable agent by its name."""
    return weighted(known(objective.game, text, objective.bot_seconds))
