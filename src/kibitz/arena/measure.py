"""Matches and cross tables that are measured as they are played, saved in a file, and resumable.

The commands and the lab of the web page share them.
"""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.cross import Cell, Count, Cross, CrossPlan, SavedCross, cells_of
from kibitz.arena.match import GameChunk, Match, never, play
from kibitz.arena.saved_match import SavedMatch
from kibitz.arena.standings import Standings
from kibitz.arena.statistics import ScoreCounts


class MatchScores:
    """Results of a match in a cooperative game."""

    def __init__(self, match: Match) -> None:
        self.match, self.tally = match, ScoreCounts(match.game.best)

    @property
    def games(self) -> int:
        return self.tally.games

    def add(self, results: Any, rotations: Any) -> None:
        self.tally.add(*self.match.game.scores(results))

    def as_json(self) -> dict[str, Any]:
        match, tally = self.match, self.tally
        return {
            "game": match.game_name,
            "seats": list(match.seats),
            "rules": match.rules,
            **match.said_start,
            "seed": match.seed,
            **tally.as_json(),
            "stderr": tally.estimate.stderr,
        }


class MeasuredMatch:
    def __init__(self, match: Match, path: Path | None = None) -> None:
        """A prepared match. Games in the checkpoint of `path` count."""
        self.match = match
        self.measure: MatchScores | Standings = Standings(match) if match.game.competitive else MatchScores(match)
        self.measure.add(np.zeros((0, match.game.width), np.int64), np.zeros(0, np.int64))  # compiles it
        self.saved = SavedMatch(path, match) if path else None
        self.seconds, self.failure = 0.0, ""
        if self.saved is not None and len(self.saved.results):
            self.saved.count(self.measure)
        self.before = self.games  # played by earlier runs

    @property
    def games(self) -> int:
        return self.measure.games

    @property
    def games_per_second(self) -> float:
        return (self.games - self.before) / self.seconds if self.seconds else 0.0

    def play(self, jobs: int, held: Callable[[], bool] = never) -> Iterator[GameChunk]:
        """Play the missing games. Afterwards, `failure` says why the match was cut short, if it was."""
        started = time.perf_counter()
        for chunk in play(self.match, jobs, self.before, held=held):
            self.seconds = time.perf_counter() - started
            self.measure.add(chunk.results, chunk.rotations)
            if self.saved is not None:
                self.saved.add(chunk)
            self.failure = chunk.failure
            yield chunk

    def finish(self) -> None:
        """Write the file. It omits the speed, so that the same match gives the same file."""
        if self.saved is not None and not self.failure:
            self.saved.finish(self.measure.as_json())

    def draw(self, folder: Path) -> list[Path]:
        """Draw the results."""
        from kibitz.arena import charts, win_charts

        if isinstance(self.measure, MatchScores):
            return charts.save(charts.scores(self.match, self.measure.tally), folder / "scores")
        pictures = win_charts.pictures(self.measure)
        return [path for name, picture in pictures for path in charts.save(picture, folder / name)]


class MeasuredCross:
    def __init__(self, plan: CrossPlan, prefix: Path | None = None) -> None:
        """A prepared plan; `prefix` is that of its files."""
        self.plan, self.prefix, self.cross = plan, prefix, Cross(plan)
        self.saved = SavedCross(prefix.with_name(prefix.name + ".csv"), plan) if prefix else None
        self.before = list(self.saved.cells) if self.saved else []  # cells that earlier runs played
        for cell in self.before:
            self.cross.add(cell)

    @property
    def games(self) -> int:
        """The number of games of the whole table."""
        return sum(self.plan.games_of(*pair) for pair in self.plan.pairs())

    def play(self, jobs: int, count: Count = lambda games: None) -> Iterator[Cell]:
        """Play the missing cells, and yield each when it is saved."""
        return cells_of(self.steps(jobs), count)

    def steps(self, jobs: int, held: Callable[[], bool] = never) -> Iterator[int | Cell]:
        """The same in smaller steps: the number of games since the last step, or a saved cell."""
        for step in self.cross.steps(jobs, held):
            if self.saved is not None and isinstance(step, Cell):
                self.saved.add(step)
            yield step

    def finish(self) -> list[Path]:
        """Write the table and draw it."""
        from kibitz.arena import charts

        if self.saved is None or self.prefix is None:
            return []
        self.saved.finish(self.cross)
        return [self.saved.path, *charts.save(charts.heat_map(self.cross), self.prefix)]
