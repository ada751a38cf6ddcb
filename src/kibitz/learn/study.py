"""A study: what is tuned, every finished trial, and the verdicts, kept in a run, with a copy for Optuna's samplers."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from kibitz.arena.runs import Entries, Run
from kibitz.extras import missing
from kibitz.learn.samplers import FINISHED, Proposer

try:
    import optuna
    from optuna.distributions import BaseDistribution, FloatDistribution
    from optuna.trial import FrozenTrial, TrialState, create_trial
except ImportError as error:
    raise missing("learn") from error

optuna.logging.set_verbosity(optuna.logging.ERROR)


class TuningPlan(msgspec.Struct, frozen=True):
    """The settings of a study: trials of different plans must not be mixed."""

    game: str
    agent: str
    players: int
    rules: dict[str, str]
    seed: int
    against: tuple[str, ...]
    budget: tuple[int, int]  # search iterations and milliseconds; 0 is the agent's default
    deals: int  # per trial that is not stopped early
    start: dict[str, float]  # initial values of the tuned weights
    fixed: dict[str, float]  # weights that are not tuned
    ranges: dict[str, tuple[float, float]]
    code: str  # a digest of the rules and of the agents' code


class Study:
    """The trials of a run, and their copy in memory."""

    def __init__(self, plan: TuningPlan, run: Run | None = None) -> None:
        self.plan, self.run = plan, run
        folder = run.folder if run is not None else None
        self.rows = Entries(folder, "trials") if folder is not None else None
        self.verdicts = Entries(folder, "verdicts") if folder is not None else None
        self.distributions: dict[str, BaseDistribution] = {
            name: FloatDistribution(*ends) for name, ends in plan.ranges.items()
        }
        self.memory = optuna.create_study(direction="maximize")
        for number, row in enumerate(self.rows.whole() if self.rows is not None else ()):
            try:
                self.memory.add_trial(self._trial(**row))
            except (KeyError, TypeError, ValueError, AttributeError, IndexError) as error:
                assert self.rows is not None
                raise self.rows.journal.damaged(number, error) from None
        if not self.trials:  # the gain of its own weights is 0 by definition
            self.memory.add_trial(self._kept(plan.start, {plan.deals: 0.0}, TrialState.COMPLETE, {}))

    @property
    def trials(self) -> Sequence[FrozenTrial]:
        """All finished trials; the first has the agent's own weights."""
        return self.memory.get_trials(deepcopy=False, states=FINISHED)

    def propose(self, proposer: Proposer) -> optuna.Trial:
        """The next trial, with weights in `params`."""
        self.memory.sampler = proposer.sampler(len(self.trials))
        trial = self.memory.ask(self.distributions)
        for name, value in proposer.attributes.items():
            trial.set_user_attr(name, value)
        return trial

    def finish(self, trial: optuna.Trial, stages: dict[int, float], state: TrialState) -> None:
        """Keep a trial with its gain after each stage; the last gain is its value."""
        for deals, gain in stages.items():
            trial.report(gain, deals)
        self._kept(trial.params, stages, state, trial.user_attrs)
        value = list(stages.values())[-1]
        self.memory.tell(trial, value if state == TrialState.COMPLETE else None, state)

    def discard(self, trial: optuna.Trial) -> None:
        """Discard an interrupted trial."""
        self.memory.tell(trial, state=TrialState.FAIL, skip_if_finished=True)  # it may have just finished

    def _kept(
        self, params: Mapping[str, float], stages: Mapping[int, float], state: TrialState, attributes: Mapping[str, Any]
    ) -> FrozenTrial:
        row = {"params": dict(params), "stages": stages, "state": state.name, "attributes": dict(attributes)}
        if self.rows is not None:
            self.rows.add([row])
        return self._trial(**row)  # type: ignore[arg-type]

    def _trial(
        self, params: Mapping[str, float], stages: Mapping[Any, float], state: str, attributes: Mapping[str, Any]
    ) -> FrozenTrial:
        values = {int(deals): float(gain) for deals, gain in stages.items()}
        return create_trial(
            state=TrialState[state], value=list(values.values())[-1], params=dict(params),
            distributions=self.distributions, intermediate_values=values, user_attrs=dict(attributes),
        )  # fmt: skip

    def verdict(self, trials: int) -> Any:
        """The verdict after this number of trials, if there is one."""
        found = self.verdicts.whole() if self.verdicts is not None else []
        return next((row["verdict"] for row in reversed(found) if row["trials"] == trials), None)

    def keep_verdict(self, trials: int, verdict: Any) -> None:
        if self.verdicts is not None:
            self.verdicts.add([{"trials": trials, "verdict": verdict}])

    def close(self, results: Mapping[str, Any]) -> None:
        """Finish the run."""
        if self.run is not None and self.rows is not None and self.verdicts is not None:
            self.rows.finish()
            self.verdicts.finish()
            self.run.finish(results)
