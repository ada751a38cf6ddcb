"""A paper's table is a file: play it again and set their figures beside ours."""

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

import msgspec

from kibitz.arena.match import Match, play
from kibitz.arena.statistics import Tally, difference
from kibitz.core import registry
from kibitz.core.errors import KibitzError, unknown

HERE = Path(__file__).resolve().parents[1]
FOLDERS = (HERE / "experiments", HERE.parents[1] / "experiments")  # of an installed package, of a clone


class Figure(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What the paper reports of one table of agents."""

    mean: float
    std: float
    perfect: int | None = None  # games with the best score


class MixedFigure(Figure, kw_only=True):
    seats: list[str]


class Experiment(msgspec.Struct, forbid_unknown_fields=True):
    title: str
    source: str
    game: str
    their_games: int  # behind each figure
    margin: float  # how far apart two means may lie beyond sampling error, before we call them different
    self_play: dict[str, dict[int, Figure]] = {}  # by agent and number of players
    mixed: list[MixedFigure] = []
    rules: dict[str, str] = {}
    notes: dict[str, str] = {}  # by agent: what a reader of the differences should know

    def tables(self) -> list[tuple[tuple[str, ...], Figure]]:
        """Who sat at the table, and what came of it."""
        alike = [((agent,) * players, figure) for agent, by in self.self_play.items() for players, figure in by.items()]
        return alike + [(tuple(figure.seats), figure) for figure in self.mixed]


def names() -> list[str]:
    return sorted({path.stem for folder in FOLDERS for path in folder.glob("*.toml")})


def read(name: str) -> Experiment:
    """An experiment by its name or the path of its file."""
    paths = [Path(name)] if name.endswith(".toml") else [folder / f"{name}.toml" for folder in FOLDERS]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        raise unknown(
            "experiment", name, names(), "`kibitz reproduce` lists them; a file of yours is named by its path."
        )
    try:
        return msgspec.convert(tomllib.loads(path.read_text()), Experiment, strict=False)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError, UnicodeDecodeError) as error:
        raise KibitzError(f"{path} is not an experiment: {error}.") from None


@dataclass
class Row:
    """Theirs beside ours. A row without ours needs an agent that does not exist here."""

    seats: tuple[str, ...]
    theirs: Figure
    their_games: int
    margin: float
    missing: list[str] = field(default_factory=list)
    ours: Tally | None = None

    @property
    def label(self) -> str:
        alike = len(set(self.seats)) == 1
        return f"{self.seats[0]} × {len(self.seats)}" if alike else ", ".join(self.seats)

    @property
    def difference(self) -> tuple[float, float]:
        """Ours minus theirs, and the half width of its 95 % interval."""
        assert self.ours is not None
        their_error = self.theirs.std / sqrt(self.their_games)
        return difference(self.ours.mean, self.ours.stderr or 0.0, self.theirs.mean, their_error)

    @property
    def verdict(self) -> str:
        if self.ours is None:
            return f"missing: {', '.join(self.missing)}"
        gap, half = self.difference
        if abs(gap) <= half:
            return "agrees"
        if abs(gap) <= half + self.margin:
            return f"agrees within {self.margin}"
        return "ours is higher" if gap > 0 else "ours is lower"

    @property
    def differs(self) -> bool:
        return self.verdict.startswith("ours")

    def as_json(self) -> dict[str, Any]:
        theirs = {
            "mean": self.theirs.mean,
            "std": self.theirs.std,
            "perfect": self.theirs.perfect,
            "games": self.their_games,
        }
        row: dict[str, Any] = {"seats": list(self.seats), "verdict": self.verdict, "theirs": theirs}
        if self.ours is not None:
            gap, half = self.difference
            row["ours"] = {
                "mean": self.ours.mean, "stderr": self.ours.stderr, "std": self.ours.std,
                "perfect": self.ours.perfect, "lost": self.ours.lost, "games": self.ours.games,
            }  # fmt: skip
            row["difference"] = {"mean": gap, "low": gap - half, "high": gap + half}
        return row


def rows(experiment: Experiment, games: int, seed: int, jobs: int) -> Iterator[Row]:
    """Play every table of an experiment, one after the other."""
    game = registry.game(experiment.game)
    known = registry.agent_entries(game.name)
    for seats, figure in experiment.tables():
        row = Row(seats, figure, experiment.their_games, experiment.margin)
        row.missing = sorted({name for name in seats if name not in known})
        if not row.missing:
            row.ours = measured(Match(game.name, row.seats, games, seed, experiment.rules), jobs)
        yield row


def measured(match: Match, jobs: int) -> Tally:
    tally = Tally(match.game.best)
    for batch in play(match.prepared(), jobs):
        if batch.failure:
            raise KibitzError(batch.failure)
        tally.add(*match.game.scores(batch.results))
    return tally
