"""A training that is judged as it goes, kept in a file, and gone on with after a break to the same end.

After every stretch of games the learners play deals that they do not learn from, with their partners, as well as they
can. The best so far are kept. What comes of it in the end is judged once more, by deals that decided nothing.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from hashlib import blake2b
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz import __version__
from kibitz.arena.match import Match, play
from kibitz.arena.rotation import rotated
from kibitz.arena.statistics import Estimate
from kibitz.arena.worth import worth
from kibitz.core.agent import Agent, CompiledAgent
from kibitz.core.array_files import damaged, read_arrays, write_arrays
from kibitz.core.trainer import Trainer, TrainingPlan, usual_of, with_learners
from kibitz.core.whole_files import write_whole
from kibitz.errors import KibitzError


class Point(NamedTuple):
    """A point of the learning curve."""

    games: int
    trained: float  # the mean score of the training games since the last point, with all that was tried out in them
    judged: float  # of the learners as well as they can play
    half_width: float


def other_seed(seed: int, purpose: str) -> int:
    """A seed whose deals have nothing to do with those of the training."""
    return int.from_bytes(blake2b(f"{purpose} {seed}".encode(), digest_size=7).digest(), "little")


def scores_at(plan: TrainingPlan, table: Sequence[Agent], deals: int, seed: int, jobs: int) -> Any:
    """The score of every deal at a table whose players sit in every order of turns, a part of the deals each."""
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
    plan: TrainingPlan, learned: Sequence[CompiledAgent], deals: int, seed: int, jobs: int = 1
) -> dict[int, Estimate]:
    """What learners and partners score together, by the number of players."""
    found = {}
    for players in dict.fromkeys(plan.players):
        scores = scores_at(plan, with_learners(plan.table(players), learned), deals, seed, jobs)
        found[players] = Estimate.of(scores)
    return found


def overall(judgements: Mapping[int, Estimate]) -> Estimate:
    """The mean over tables, each counting the same."""
    found = judgements.values()
    stderr = sqrt(sum((each.stderr or 0.0) ** 2 for each in found)) / len(found)
    return Estimate(sum(each.mean for each in found) / len(found), stderr, sum(each.games for each in found))


@dataclass
class TrainingRun:
    """A training with its file. `plan_text` says in plain values what decides it."""

    trainer: Trainer
    plan: TrainingPlan
    plan_text: dict[str, Any]
    output: Path
    jobs: int = 1
    stretch: int = 0  # what is 0 is as usual for the trainer
    judged_deals: int = 0
    final_deals: int = 0
    curve: list[Point] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.training = self.trainer.begin(self.plan)
        usual = usual_of(self.trainer)
        self.stretch = self.stretch or usual.stretch
        self.judged_deals = self.judged_deals or usual.judged
        self.final_deals = self.final_deals or usual.final
        self.checkpoint = self.output.with_name(self.output.name + ".partial")
        self.plan_text = {**self.plan_text, "stretch": self.stretch, "judged_deals": self.judged_deals}
        self.best = self._tables()
        if self.output.is_dir():
            raise KibitzError(f"{self.output} is a folder. Name a file in it, such as {self.output / 'tables.npz'}.")
        if self.checkpoint.exists():
            self._resume()

    @property
    def games(self) -> int:
        """That were learned from so far."""
        return self.curve[-1].games if self.curve else 0

    def _tables(self) -> list[Any]:
        return [agent.weights.values for agent in self.training.learned()]

    def learned(self) -> list[CompiledAgent]:
        """The learners as they were when they were judged best."""
        now = self.training.learned()
        return [agent.with_weights(values) for agent, values in zip(now, self.best, strict=True)]

    # Training

    def train(self, games: int, tick: Callable[[int, float], object] = lambda games, mean: None) -> Iterator[Point]:
        """Train until so many games were learned from, in whole stretches; every point is kept before it is told."""
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

    # Its file

    def _keep(self) -> None:
        arrays = {f"state_{name}": array for name, array in self.training.state().items()}
        arrays |= {f"best_{number}": values for number, values in enumerate(self.best)}
        write_arrays(
            self.checkpoint,
            f"{self.checkpoint} still has what was learned up to the game {self.games - self.stretch:,}, and the same "
            f"command goes on from there." if self.games > self.stretch else "Nothing was kept yet.",
            plan=as_text(self.plan_text), curve=as_text(self.curve), **arrays,
        )  # fmt: skip

    def _resume(self) -> None:
        arrays = read_arrays(self.checkpoint, "Delete it, and the same command begins anew.")
        try:
            plan, curve = json.loads(str(arrays["plan"])), json.loads(str(arrays["curve"]))
            if plan != self.plan_text:
                changed = [name for name in {**plan, **self.plan_text} if plan.get(name) != self.plan_text.get(name)]
                raise KibitzError(
                    f"{self.checkpoint} holds a training with another {' and another '.join(sorted(changed))}. Finish "
                    f"that with its own command, delete the file, or write to another --output."
                )
            head = "state_"
            self.training.restore(
                {name.removeprefix(head): each for name, each in arrays.items() if name.startswith(head)}
            )
            self.best = [arrays[f"best_{number}"] for number in range(self.plan.learners)]
            self.curve = [Point(*point) for point in curve]
        except (KeyError, ValueError, TypeError, IndexError) as error:
            raise damaged(self.checkpoint, error, "Delete it, and the same command begins anew.") from None

    def finish(self, command: str) -> dict[str, Any]:
        """Judge the best by fresh deals, and write their tables, where they come from, and the curve.

        The same training gives the same tables to the last byte: when and how it was asked for stands beside them.
        """
        fresh = other_seed(self.plan.seed, "fresh")
        scores = judged(self.plan, self.learned(), self.final_deals, fresh, self.jobs)
        about = {
            **self.plan_text,
            "games": self.games,
            "score": {
                str(players): {"mean": round(each.mean, 4), "half_width": round(each.half_width, 4)}
                for players, each in scores.items()
            },
            "fresh_deals": {"seed": fresh, "deals": self.final_deals},
        }
        again = f"Nothing is lost: the same command goes on from {self.checkpoint}."
        for path, values in zip(self.outputs, self.best, strict=True):
            write_arrays(path, again, small=True, weights=values.astype(np.float16), about=as_text(about))
        made = {"command": command, "version": __version__, "date": date.today().isoformat()}
        whole = {**made, **about, "curve": [point._asdict() for point in self.curve]}
        write_whole(self.output.with_suffix(".json"), (json.dumps(whole, indent=1) + "\n").encode(), again)
        return about

    def draw(self) -> list[Path]:
        from kibitz.arena import charts
        from kibitz.learn.curve import learning_curve

        title = f"{self.plan.game.title}: {self.trainer.name} learns"
        try:
            return charts.save(learning_curve(self.curve, title, self.plan_text), self.output.with_suffix(""))
        except OSError as error:
            raise KibitzError(
                f"The learning curve cannot be drawn to {self.output.parent}: {error.strerror}."
            ) from None

    def forget_checkpoint(self) -> None:
        self.checkpoint.unlink(missing_ok=True)

    @property
    def outputs(self) -> list[Path]:
        """A file for each learner."""
        others = range(2, self.plan.learners + 1)
        return [self.output, *(self.output.with_name(f"{self.output.stem}-{n}{self.output.suffix}") for n in others)]


def as_text(value: Any) -> Any:
    return np.array(json.dumps(value))
