"""A study in a file: what is tuned, every finished trial, and the verdicts, as a journal of Optuna.

Several processes can work on one study, and any of them can be killed. `optuna-dashboard FILE` shows a study in the
browser.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import optuna
from filelock import FileLock
from optuna.distributions import BaseDistribution, FloatDistribution
from optuna.storages import JournalStorage
from optuna.storages.journal import JournalFileBackend
from optuna.trial import FrozenTrial, TrialState, create_trial

from kibitz.core.whole_files import open_own
from kibitz.errors import KibitzError
from kibitz.learn.samplers import FINISHED, Proposer

NAME = "kibitz"  # of the study in its file
PLAN, VERDICTS, WORKER = "plan", "verdicts", "worker"  # attributes
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
    version: str  # a digest of the rules and of the agents' code


DIFFERENCES = {
    "game": "the game is", "agent": "the agent is", "players": "the number of players is", "rules": "the rules are",
    "seed": "the seed is", "against": "the opponents are", "budget": "the budget of the search is",
    "deals": "the number of deals is", "start": "the weights to begin with are", "fixed": "the other weights are",
    "ranges": "the ranges are", "version": "the digest of the rules and of the agents' code is",
}  # fmt: skip


def value_text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}={value_text(each)}" for name, each in value.items()) or "none"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "none"
    return str(value)


def difference(was: TuningPlan, now: TuningPlan) -> str:
    """The first difference between two plans, as text."""
    for name, words in DIFFERENCES.items():
        before, after = getattr(was, name), getattr(now, name)
        if before != after and isinstance(before, dict):
            before, after = (
                {key: value for key, value in one.items() if other.get(key) != value}
                for one, other in ((before, after), (after, before))
            )
        if before != after:
            return f"there {words} {value_text(before)}, here {value_text(after)}"
    return ""


class StudyJournal(JournalFileBackend):
    """Optuna's journal, which lacks three things: the end of a torn line is cut off before the next is written, links
    are not followed, and errors say what to do."""

    def __init__(self, path: Path) -> None:
        self.path, self.lock = path, FileLock(f"{path}.lock")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            open_own(path, os.O_CREAT).close()
        except OSError as error:
            raise self.unwritable(error) from None
        # Unlike Optuna's own locks, this one ends with its process.
        super().__init__(str(path), self.lock)  # type: ignore[arg-type]

    def unwritable(self, error: OSError) -> KibitzError:
        return KibitzError(
            f"{self.path} cannot be written: {error.strerror}. Its contents are kept: fix the cause, then run the same "
            f"command to resume."
        )

    def damaged(self, why: object) -> KibitzError:
        return KibitzError(
            f"{self.path} is damaged: {why}. Restore a copy of the file, or delete it to start again with the same "
            f"command."
        )

    def read_logs(self, log_number_from: int) -> Iterator[dict[str, Any]]:  # type: ignore[override]
        line = log_number_from + 1
        try:
            for log in super().read_logs(log_number_from):
                if not isinstance(log, dict):
                    raise ValueError("it is not an object")
                yield log
                line += 1
        except ValueError as error:
            raise self.damaged(f"line {line} cannot be read ({error})") from None

    def append_logs(self, logs: list[dict[str, Any]]) -> None:
        try:
            with self.lock, open_own(self.path) as file:
                end = end_of_lines(file)
                file.truncate(end)
                try:
                    super().append_logs(logs)
                except OSError:
                    file.truncate(end)
                    raise
        except OSError as error:
            raise self.unwritable(error) from None


def end_of_lines(file: Any) -> int:
    """Where the last whole line ends."""
    end, step = file.seek(0, 2), 1 << 16
    for last in range(end, 0, -step):
        file.seek(max(0, last - step))
        newline = file.read(min(step, last)).rfind(b"\n")
        if newline >= 0:
            return int(max(0, last - step) + newline + 1)
    return 0


class StudyFile:
    """A study in its file, and a copy in memory for the samplers."""

    def __init__(self, path: Path, plan: TuningPlan) -> None:
        self.path, self.plan = path, plan
        self.worker = uuid4().hex[:12]
        if path.is_dir():
            raise KibitzError(f"{path} is a folder. Name a file in it.")
        self.journal = StudyJournal(path)
        self.kept = self._opened()
        self.distributions: dict[str, BaseDistribution] = {
            name: FloatDistribution(*ends) for name, ends in plan.ranges.items()
        }
        self.memory = optuna.create_study(direction="maximize")
        self.seen = 0
        with self.journal.lock:
            if not self.kept.get_trials(deepcopy=False):  # the gain of its own weights is 0 by definition
                self._add(plan.start, 0.0, {plan.deals: 0.0}, TrialState.COMPLETE, {})
        self.synchronise()

    def _opened(self) -> optuna.Study:
        with self.journal.lock:
            try:
                storage = JournalStorage(self.journal)
                if NAME in optuna.get_all_study_names(storage):
                    study = optuna.load_study(study_name=NAME, storage=storage)
                else:
                    study = optuna.create_study(study_name=NAME, storage=storage, direction="maximize")
                kept = study.user_attrs.get(PLAN)
                was = None if kept is None else msgspec.convert(kept, TuningPlan, strict=False)
                if was is None and study.get_trials(deepcopy=False):
                    raise ValueError("it lacks the settings")
            except KibitzError:
                raise
            except Exception as error:  # Optuna raises various exceptions for inconsistent records
                raise self.journal.damaged(
                    f"it is not a study of kibitz tune ({error or type(error).__name__})"
                ) from None
            if was is None:
                study.set_user_attr(PLAN, msgspec.to_builtins(self.plan))
            elif why := difference(was, self.plan):
                raise KibitzError(
                    f"{self.path} is another study: {why}. Resume it with its own command, choose another file with "
                    f"--study, or delete this one."
                )
        return study

    @property
    def trials(self) -> Sequence[FrozenTrial]:
        """All known finished trials; the first has the agent's own weights."""
        return self.memory.get_trials(deepcopy=False, states=FINISHED)

    def synchronise(self) -> None:
        """Load trials that other processes have finished."""
        kept = self.kept.get_trials(deepcopy=False)
        for trial in kept[self.seen :]:
            if trial.user_attrs.get(WORKER) != self.worker or self.seen == 0:
                self.memory.add_trial(trial)
        self.seen = len(kept)

    def propose(self, proposer: Proposer) -> optuna.Trial:
        """The next trial, with weights in `params`."""
        self.memory.sampler = proposer.sampler(len(self.trials))
        trial = self.memory.ask(self.distributions)
        for name, value in proposer.attributes.items():
            trial.set_user_attr(name, value)
        return trial

    def finish(self, trial: optuna.Trial, stages: dict[int, float], state: TrialState) -> None:
        """Store a trial with its gain after each stage; the last gain is its value."""
        for deals, gain in stages.items():
            trial.report(gain, deals)
        value = list(stages.values())[-1]
        self._add(trial.params, value, stages, state, trial.user_attrs)
        self.memory.tell(trial, value if state == TrialState.COMPLETE else None, state)

    def discard(self, trial: optuna.Trial) -> None:
        """Discard an interrupted trial."""
        self.memory.tell(trial, state=TrialState.FAIL, skip_if_finished=True)  # it may have just finished

    def _add(
        self, params: dict[str, float], value: float, stages: dict[int, float], state: TrialState, attributes: Any
    ) -> None:
        trial = create_trial(
            state=state, value=value, params=params, distributions=self.distributions,
            intermediate_values=stages, user_attrs={**attributes, WORKER: self.worker},
        )  # fmt: skip
        self.kept.add_trial(trial)

    def verdict(self, trials: int) -> Any:
        """The verdict after this number of trials, if there is one."""
        return self.kept.user_attrs.get(VERDICTS, {}).get(str(trials))

    def keep_verdict(self, trials: int, verdict: Any) -> None:
        self.kept.set_user_attr(VERDICTS, {**self.kept.user_attrs.get(VERDICTS, {}), str(trials): verdict})
