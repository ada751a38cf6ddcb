"""A match, or a cross table, that is measured while it is played, kept in a file, and gone on with after a break.

Commands and the laboratory of the page play them the same way, and show what they come to each in its own way.
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
    """What a match of a game with a score has come to."""

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
        """A prepared match. What an earlier run left beside the file it is to become counts."""
        self.match = match
        self.measure: MatchScores | Standings = Standings(match) if match.game.competitive else MatchScores(match)
        self.measure.add(np.zeros((0, match.game.width), np.int64), np.zeros(0, np.int64))  # compiles what it takes
        self.saved = SavedMatch(path, match) if path else None
        self.seconds, self.failure = 0.0, ""
        if self.saved is not None and len(self.saved.results):
            self.saved.count(self.measure)
        self.before = self.games  # that earlier runs played

    @property
    def games(self) -> int:
        return self.measure.games

    @property
    def games_per_second(self) -> float:
        return (self.games - self.before) / self.seconds if self.seconds else 0.0

    def play(self, jobs: int, held: Callable[[], bool] = never) -> Iterator[GameChunk]:
        """Play what is missing. `failure` then says why it could not be played to the end, if so."""
        started = time.perf_counter()
        for chunk in play(self.match, jobs, self.before, held=held):
            self.seconds = time.perf_counter() - started
            self.measure.add(chunk.results, chunk.rotations)
            if self.saved is not None:
                self.saved.add(chunk)
            self.failure = chunk.failure
            yield chunk

    def finish(self) -> None:
        """Write the file itself. How fast it went is left out, so that the same match is the same file."""
        if self.saved is not None and not self.failure:
            self.saved.finish(self.measure.as_json())

    def draw(self, folder: Path) -> list[Path]:
        """What was measured, as pictures."""
        from kibitz.arena import charts, win_charts

        if isinstance(self.measure, MatchScores):
            return charts.save(charts.scores(self.match, self.measure.tally), folder / "scores")
        pictures = win_charts.pictures(self.measure)
        return [path for name, picture in pictures for path in charts.save(picture, folder / name)]


class MeasuredCross:
    def __init__(self, plan: CrossPlan, prefix: Path | None = None) -> None:
        """A prepared plan; its files begin with the prefix."""
        self.plan, self.prefix, self.cross = plan, prefix, Cross(plan)
        self.saved = SavedCross(prefix.with_name(prefix.name + ".csv"), plan) if prefix else None
        self.before = list(self.saved.cells) if self.saved else []  # cells that earlier runs played
        for cell in self.before:
            self.cross.add(cell)

    @property
    def games(self) -> int:
        """Of all cells that are to be played."""
        return sum(self.plan.games_of(*pair) for pair in self.plan.pairs())

    def play(self, jobs: int, count: Count = lambda games: None) -> Iterator[Cell]:
        """Play what is missing, and give each cell when it is done and kept."""
        return cells_of(self.steps(jobs), count)

    def steps(self, jobs: int, held: Callable[[], bool] = never) -> Iterator[int | Cell]:
        """The same in smaller steps: how many games were played since the last, and each cell when it is kept."""
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
