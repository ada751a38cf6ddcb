"""Training with regular evaluations and a checkpoint; a resumed training ends with the same result.

After every stretch of games the learners are evaluated with their partners, without exploration, on deals they do not
learn from. The best learners so far are kept, and evaluated on holdout deals at the end.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import blake2b
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from kibitz import __version__
from kibitz.arena.match import Match, play
from kibitz.arena.rotation import rotated
from kibitz.arena.runs import Run, begin
from kibitz.arena.statistics import Estimate
from kibitz.arena.worth import worth
from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.array_files import damaged, read_arrays, write_arrays
from kibitz.core.trainer import Trainer, TrainingPlan, usual_of, with_learners
from kibitz.core.whole_files import write_whole
from kibitz.errors import KibitzError
from kibitz.extras import has

if TYPE_CHECKING:
    from kibitz.arena.executors import Executor


class Point(NamedTuple):
    """A point of the learning curve."""

    games: int
    trained: float  # the mean score of the training games since the last point, with exploration
    judged: float  # the mean score without exploration
    half_width: float


def other_seed(seed: int, purpose: str) -> int:
    """A seed whose deals are independent of those of the training."""
    return int.from_bytes(blake2b(f"{purpose} {seed}".encode(), digest_size=7).digest(), "little")


def scores_at(plan: TrainingPlan, table: Sequence[Agent], deals: int, seed: int, jobs: "int | Executor") -> Any:
    """The score of every deal; each rotation of the players plays an equal part of the deals."""
    rows, players = [], len(table)
    alike = len({id(agent) for agent in table}) == 1
    shifts = 1 if alike else players
    for shift in range(shifts):
        share = -(-deals // shifts)
        match = Match.of(plan.game, rotated(table, shift), share, seed + shift, rules=dict(plan.rules)).prepared()
        for batch in play(match, jobs):
            if batch.failure:
                raise KibitzError(batch.failure)
            rows.append(worth(plan.game, batch.results, -shift % players, players))
    return np.concatenate(rows)


def judged(
    plan: TrainingPlan, learned: Sequence[CompiledAgent], deals: int, seed: int, jobs: "int | Executor" = 1
) -> dict[int, Estimate]:
    """The scores of learners and partners, by number of players."""
    found = {}
    for players in dict.fromkeys(plan.players):
        scores = scores_at(plan, with_learners(plan.table(players), learned), deals, seed, jobs)
        found[players] = Estimate.of(scores)
    return found


def overall(judgements: Mapping[int, Estimate]) -> Estimate:
    """The mean over tables, with equal weights."""
    found = judgements.values()
    stderr = sqrt(sum((each.stderr or 0.0) ** 2 for each in found)) / len(found)
    return Estimate(sum(each.mean for each in found) / len(found), stderr, sum(each.games for each in found))


@dataclass
class TrainingRun:
    """A training with its files. `plan_text` is its plan as plain values."""

    trainer: Trainer
    plan: TrainingPlan
    plan_text: dict[str, Any]
    output: Path
    run: Run
    jobs: "int | Executor" = 1
    stretch: int = 0  # games between evaluations; 0 is the trainer's default, here and below
    judged_deals: int = 0
    final_deals: int = 0
    curve: list[Point] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.training = self.trainer.begin(self.plan)
        usual = usual_of(self.trainer)
        self.stretch = self.stretch or usual.stretch
        self.judged_deals = self.judged_deals or usual.judged
        self.final_deals = self.final_deals or usual.final
        self.plan_text = {**self.plan_text, "stretch": self.stretch, "judged_deals": self.judged_deals}
        self.best = self._tables()
        if self.output.is_dir():
            raise KibitzError(f"{self.output} is a folder. Name a file in it, such as {self.output / 'tables.npz'}.")
        if self.checkpoint is not None and self.checkpoint.exists():
            self._resume(self.checkpoint)

    @property
    def checkpoint(self) -> Path | None:
        """The file of the run that holds the training as of its last evaluation."""
        return None if self.run.folder is None else self.run.folder / "training.npz"

    @property
    def games(self) -> int:
        """The number of games learned from so far."""
        return self.curve[-1].games if self.curve else 0

    def _tables(self) -> list[Any]:
        return [agent.weights.values for agent in self.training.learned()]

    def learned(self) -> list[CompiledAgent]:
        """The learners as they were at their best evaluation."""
        now = self.training.learned()
        return [agent.with_weights(values) for agent, values in zip(now, self.best, strict=True)]

    # Training

    def train(self, games: int, tick: Callable[[int, float], object] = lambda games, mean: None) -> Iterator[Point]:
        """Train up to this number of games, in whole stretches; yields every point after it is saved."""
        while self.games < games:
            yield self._one_stretch(tick)

    def _one_stretch(self, tick: Callable[[int, float], object]) -> Point:
        first, rows = self.games, []
        for game in range(first, first + self.stretch, self.trainer.block):
            rows.append(self.training.train(game, self.trainer.block))
            tick(game + self.trainer.block, float(rows[-1][:, 1].mean()))
        found = overall(
            judged(
                self.plan, self.training.learned(), self.judged_deals, other_seed(self.plan.seed, "judging"), self.jobs
            )
        )
        if not self.curve or found.mean > max(point.judged for point in self.curve):
            self.best = self._tables()
        trained = float(np.concatenate(rows)[:, 1].mean())
        point = Point(first + self.stretch, trained, found.mean, found.half_width)
        self.curve.append(point)
        self._keep()
        return point

    # Its checkpoint

    def _keep(self) -> None:
        if self.checkpoint is None:
            return
        arrays = {f"state_{name}": array for name, array in self.training.state().items()}
        arrays |= {f"best_{number}": values for number, values in enumerate(self.best)}
        write_arrays(
            self.checkpoint,
            f"{self.checkpoint} still has the training up to game {self.games - self.stretch:,}, and the same command "
            f"resumes from there." if self.games > self.stretch else "Nothing was saved yet.",
            curve=as_text(self.curve), **arrays,
        )  # fmt: skip

    def _resume(self, checkpoint: Path) -> None:
        arrays = read_arrays(checkpoint, "Delete it to start again with the same command.")
        try:
            curve = json.loads(str(arrays["curve"]))
            head = "state_"
            self.training.restore(
                {name.removeprefix(head): each for name, each in arrays.items() if name.startswith(head)}
            )
            self.best = [arrays[f"best_{number}"] for number in range(self.plan.learners)]
            self.curve = [Point(*point) for point in curve]
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise damaged(checkpoint, error, "Delete it to start again with the same command.") from None

    def finish(self, command: str) -> dict[str, Any]:
        """Evaluate the best on holdout deals, and write their tables, their provenance and the learning curve.

        The same training gives byte-identical tables: date and command are in the file beside them.
        """
        seed = other_seed(self.plan.seed, "fresh")
        scores = judged(self.plan, self.learned(), self.final_deals, seed, self.jobs)
        about = {
            **self.plan_text,
            "games": self.games,
            "score": {
                str(players): {"mean": round(each.mean, 4), "half_width": round(each.half_width, 4)}
                for players, each in scores.items()
            },
            "holdout_deals": {"seed": seed, "deals": self.final_deals},
        }
        again = "Nothing is lost: run the same command to resume."
        for path, values in zip(self.outputs, self.best, strict=True):
            write_arrays(path, again, small=True, weights=values.astype(np.float16), about=as_text(about))
        made = {"command": command, "version": __version__, "date": date.today().isoformat()}
        whole = {**made, **about, "curve": [point._asdict() for point in self.curve]}
        write_whole(self.output.with_suffix(".json"), (json.dumps(whole, indent=1) + "\n").encode(), again)
        return about

    def draw(self) -> list[Path]:
        """Draw the learning curve, if charts can be drawn."""
        if not has("charts"):
            return []
        from kibitz.arena import charts
        from kibitz.learn.curve import learning_curve

        title = f"{self.plan.game.title}: {self.trainer.name} learns"
        try:
            return charts.save(learning_curve(self.curve, title, self.plan_text), self.output.with_suffix(""))
        except OSError as error:
            raise KibitzError(
                f"The learning curve cannot be drawn to {self.output.parent}: {error.strerror}."
            ) from None

    def close(self, about: dict[str, Any]) -> None:
        """Finish the run: all is written."""
        self.run.finish({**about, "curve": [point._asdict() for point in self.curve]})
        if self.checkpoint is not None:
            self.checkpoint.unlink(missing_ok=True)

    @property
    def outputs(self) -> list[Path]:
        """The files of the learners, one each."""
        others = range(2, self.plan.learners + 1)
        return [self.output, *(self.output.with_name(f"{self.output.stem}-{n}{self.output.suffix}") for n in others)]


def as_text(value: Any) -> Any:
    return np.array(json.dumps(value))


def begin_training(plan_text: Mapping[str, Any], **how: Any) -> Run:
    """The run of a training, by its plan as plain values; `how` is passed to `begin`."""
    players = "-".join(map(str, plan_text["players"]))
    return begin("train", plan_text, f"{plan_text['game']}-{plan_text['trainer']}-{players}", rows=False, **how)
