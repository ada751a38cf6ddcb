"""Small studies that the tests run: `distrustful` from a bad place, a few dozen deals a trial."""

from pathlib import Path
from typing import Any

from kibitz.arena.runs import Run, begin
from kibitz.core import registry
from kibitz.core.game import Game
from kibitz.learn.paired_deals import Objective
from kibitz.learn.tuning import Tuning, Verdict, tunable

OPEN: dict[Path, Run] = {}
SPOILT = "distrustful@good_tip.bar=5@mediocre_tip.bar=5"


def hanabi() -> Game:
    return registry.game("hanabi")


def study(path: Path, agent: str = SPOILT, players: int = 2, jobs: int = 1, **more: Any) -> Tuning:
    """The study of the run in a folder. An earlier one of this program lets go of it."""
    objective = Objective(hanabi(), players, {}, jobs=jobs)
    if path in OPEN:
        OPEN.pop(path).release()

    def begun(plan: dict[str, Any]) -> Run:
        OPEN[path] = begin("tune", plan, "", name=str(path), grows=True)
        return OPEN[path]

    return Tuning(objective, tunable(objective, agent), begun, **{"deals": 100, "holdout": 400, **more})


def tried(tuning: Tuning, trials: int) -> Tuning:
    for _ in tuning.play_trials(trials):
        pass
    return tuning


def judged(tuning: Tuning) -> Verdict:
    *_, verdict = tuning.judge()
    assert isinstance(verdict, Verdict)
    return verdict


def trials_of(tuning: Tuning) -> list[tuple[dict[str, float], dict[int, float]]]:
    return [(trial.params, trial.intermediate_values) for trial in tuning.study.trials]
