"""Small studies that the tests run: `distrustful` from a bad place, a few dozen deals a trial."""

from pathlib import Path
from typing import Any

from kibitz.core import registry
from kibitz.core.game import Game
from kibitz.learn.paired_deals import Objective
from kibitz.learn.tuning import Tuning, Verdict, tunable

SPOILT = "distrustful@good_tip.bar=5@mediocre_tip.bar=5"


def hanabi() -> Game:
    return registry.game("hanabi")


def study(path: Path, agent: str = SPOILT, players: int = 2, jobs: int = 1, **more: Any) -> Tuning:
    objective = Objective(hanabi(), players, {}, jobs=jobs)
    return Tuning(objective, tunable(objective, agent), path, **{"deals": 100, "fresh": 400, **more})


def tried(tuning: Tuning, trials: int) -> Tuning:
    for _ in tuning.run(trials):
        pass
    return tuning


def judged(tuning: Tuning) -> Verdict:
    *_, verdict = tuning.judge()
    assert isinstance(verdict, Verdict)
    return verdict


def trials_of(tuning: Tuning) -> list[tuple[dict[str, float], dict[int, float]]]:
    return [(trial.params, trial.intermediate_values) for trial in tuning.study.trials]
