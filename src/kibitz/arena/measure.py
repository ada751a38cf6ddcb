"""Matches that are measured as they are played, kept in a run, and resumable.

The commands, the API and the lab of the web page share them.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf, isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import msgspec
import numpy as np

from kibitz.arena.code_version import code_version
from kibitz.arena.match import GameChunk, Match, never, play
from kibitz.arena.runs import Numbers, Run, Tally, Texts, begin
from kibitz.arena.sequential import interval
from kibitz.arena.standings import Standings
from kibitz.arena.statistics import Estimate, ScoreCounts
from kibitz.core.record import parse
from kibitz.errors import KibitzError, RecordError

if TYPE_CHECKING:
    from kibitz.arena.executors import Executor

ALPHA = 0.05  # error rate of intervals
Keep = Literal["statistics", "results", "records"]  # what a run keeps of every game


class MatchScores:
    """Results of a match in a cooperative game."""

    def __init__(self, match: Match) -> None:
        self.match, self.tally = match, ScoreCounts(match.game.best)
        self.until = False  # whether the match ends when its mean is known, which takes a wider interval

    @property
    def games(self) -> int:
        return self.tally.games

    @property
    def arrays(self) -> dict[str, Any]:
        return {"scores": self.tally.counts, "lost": self.tally.lost_games}

    @property
    def estimate(self) -> Estimate:
        """The mean with its 95 % interval."""
        if not self.until or not self.games:
            return self.tally.estimate
        estimate = known(self)[0]
        return estimate if isfinite(estimate.half_width) else Estimate(estimate.mean, None, self.games)

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
            "interval": self.estimate.interval,
            "stderr": tally.estimate.stderr,
        }


Measure = MatchScores | Standings


def measure_of(match: Match) -> Measure:
    """An empty measure of a prepared match."""
    measure: Measure = Standings(match) if match.game.competitive else MatchScores(match)
    measure.add(np.zeros((0, match.game.width), np.int64), np.zeros(0, np.int64))  # compiles it
    return measure


def known(measure: Measure) -> list[Estimate]:
    """The mean score, or the share of each seat, with a 95 % interval that is valid however often one looks."""
    if isinstance(measure, MatchScores):
        values = np.arange(measure.tally.best + 1)
        mean, half = interval(measure.tally.counts, values, ALPHA)
        return [Estimate(float(mean), None, measure.games, (float(mean - half), float(mean + half)))]
    return [measure.known_points(seat, ALPHA) for seat in range(measure.match.players)]


def next_look(deals: int) -> int:
    """When a match that ends as soon as its mean is known looks at it next: after an eighth more deals."""
    return max(16, deals + deals // 8)


def sums_of(match: Match, chunk: GameChunk) -> Any:
    """What a chunk adds to the measure of its match, as one array."""
    measure = measure_of(match)
    measure.add(chunk.results, chunk.rotations)
    return np.concatenate([array.ravel() for array in measure.arrays.values()])


def add_sums(measure: Measure, sums: Any) -> None:
    place = 0
    for array in measure.arrays.values():
        array += sums[place : place + array.size].reshape(array.shape)
        place += array.size


def plan_of(match: Match, keep: Keep, until: float | None = None) -> dict[str, Any]:
    """What determines the results of a prepared match, with the version of all its code."""
    ends = {} if until is None else {"until": until}
    return {**msgspec.to_builtins(match.plan()), **ends, "keep": keep, "code": code_version(match)}


def begin_match(match: Match, keep: Keep, until: float | None = None, **how: Any) -> Run:
    """The run of a prepared match; `how` is passed to `begin`."""
    seats = list(dict.fromkeys(match.seats))
    title = "-".join([match.game_name, *seats[:4], *(["and-more"] if len(seats) > 4 else []), str(match.players)])
    return begin("match", plan_of(match, keep, until), title, **how)


class KeptGames:
    """The games of a run, as results or as records."""

    def __init__(self, folder: Path, match: Match, name: str = "") -> None:
        self.match = match
        game, together = match.game, match.games_a_deal
        names = game.columns if len(game.columns) == game.width else [f"result_{n + 1}" for n in range(game.width)]
        self.rows: Numbers | Texts = (
            Texts(folder, name or "records", together)
            if match.records
            else Numbers(folder, name or "games", names, together)
        )

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, chunk: GameChunk) -> None:
        self.rows.add(chunk.records if self.match.records else chunk.results)

    def blocks(self) -> Iterator[GameChunk]:
        """The games with their results, a part at a time; recorded games are checked."""
        first = 0
        for rows in self.rows.blocks():
            numbers = np.arange(first, first + len(rows))
            results = rows
            if self.match.records:
                found = [self._row(int(number), line) for number, line in zip(numbers, rows, strict=True)]
                results = np.array(found, np.int64).reshape(len(rows), self.match.game.width)
            records = rows if self.match.records else []
            yield GameChunk(results, records, first=first, rotations=self.match.rotations(numbers))
            first += len(rows)

    def _row(self, number: int, line: bytes) -> Any:
        """The results of a recorded game, with a check that it is the game with this number."""
        game, deal = self.match.game, self.match.deal_of(number)
        try:
            record = parse(line)
            if record.number != deal or record.result is None:
                raise self.rows.journal.damaged(number, f"it must be a finished game of deal {deal}")
            if game.width == len(game.columns):
                return [record.result[column] for column in game.columns]
            return game.row(record.replay().state)
        except RecordError as error:
            raise self.rows.journal.damaged(number, error) from None
        except KeyError as error:
            raise self.rows.journal.damaged(number, f"its result lacks {error}") from None

    def count(self, measure: Measure) -> None:
        """Add the games to a measure."""
        for chunk in self.blocks():
            try:
                measure.add(chunk.results, chunk.rotations)
            except (ValueError, IndexError, OverflowError, MemoryError) as error:
                why = f"these are no results of {self.match.game.title}: {error}"
                raise self.rows.journal.damaged(chunk.first, why) from None


class MeasuredMatch:
    def __init__(
        self, match: Match, run: Run | None = None, keep: Keep = "statistics", chunks: bool = False,
        until: float | None = None,
    ) -> None:  # fmt: skip
        """A prepared match. Games that its run has kept count. With `chunks`, `play` yields results also if only
        statistics are kept. With `until`, it ends when its mean, or every seat's share, is known to ± that.
        """
        self.match, self.run, self.chunks, self.until = match, run, chunks or keep != "statistics", until
        self.measure = measure_of(match)
        if isinstance(self.measure, MatchScores):
            self.measure.until = until is not None
        self.games_kept: KeptGames | None = None
        self.tally: Tally | None = None
        self.seconds, self.failure = 0.0, ""
        if run is not None and run.folder is not None:
            self._open(run.folder, keep)
        self.before = self.games  # played by earlier runs

    def _open(self, folder: Path, keep: Keep) -> None:
        if keep != "statistics":
            self.games_kept = KeptGames(folder, self.match)
            self.games_kept.count(self.measure)
            return
        self.tally = Tally(folder, "statistics", {name: array.size for name, array in self.measure.arrays.items()})
        add_sums(self.measure, self.tally.total)
        if not 0 <= self.games <= self.match.games:
            raise KibitzError(
                f"{folder} is damaged: it has {self.games:,} games. Delete it with `kibitz run delete {folder.name}`."
            )

    @property
    def games(self) -> int:
        return self.measure.games

    @property
    def games_per_second(self) -> float:
        return (self.games - self.before) / self.seconds if self.seconds else 0.0

    @property
    def half_width(self) -> float:
        """How far the mean is known, by an interval that is valid however often one looks."""
        return max(each.half_width for each in known(self.measure)) if self.games else inf

    @property
    def expected_games(self) -> int:
        """How many games the match will have, as far as that is known."""
        half = self.half_width if self.until is not None else inf
        if self.until is None or not isfinite(half):
            return self.match.games
        return min(self.match.games, int(self.games * max(1.0, half / self.until) ** 2))

    def _stages(self) -> Iterator[Match]:
        """The match, or its beginnings up to each look at the mean. Looks depend on the number of deals alone."""
        if self.until is None:
            yield self.match
            return
        deals = 0
        while deals < self.match.deals:
            deals = min(next_look(deals), self.match.deals)
            stage = replace(self.match, deals=deals)
            if self.games < stage.games:
                yield stage
            if self.games == stage.games and self.half_width <= self.until:
                return

    def play(self, jobs: "int | Executor", held: Callable[[], bool] = never) -> Iterator[GameChunk]:
        """Play the missing games. Afterwards, `failure` says why the match was cut short, if it was."""
        from kibitz.arena.executors import executor_for

        started = time.perf_counter()
        count = None if self.chunks else sums_of
        executor = jobs if self.until is None else executor_for(jobs, [self.match])
        try:
            for stage in self._stages():
                for chunk in play(stage, executor, self.games, held=held, count=count):
                    self.seconds = time.perf_counter() - started
                    if chunk.games:
                        sums = sums_of(self.match, chunk) if chunk.sums is None else chunk.sums
                        add_sums(self.measure, sums)
                        self._keep(chunk, sums)
                    self.failure = chunk.failure
                    yield chunk
                if self.failure:
                    return
        finally:
            if executor is not jobs and not isinstance(executor, int):
                executor.stop()

    def _keep(self, chunk: GameChunk, sums: Any) -> None:
        if self.games_kept is not None:
            self.games_kept.add(chunk)
        if self.tally is not None:
            self.tally.add(sums)
        if self.run is not None:
            self.run.note_progress(self.games, self.expected_games)

    def pause(self) -> None:
        """Note how far an unfinished run is, and let another command resume it."""
        if self.run is not None:
            self.run.note_progress(self.games, self.expected_games, now=True)
            self.run.release()

    def finish(self) -> None:
        """Finish the run. Its files omit the speed, so that the same match gives the same files."""
        if self.run is None or self.failure:
            return
        if self.games_kept is not None:
            self.games_kept.rows.finish()
        if self.tally is not None:
            self.tally.finish()
        self.run.finish(self.as_json())

    def as_json(self) -> dict[str, Any]:
        summary = self.measure.as_json()
        if self.until is not None and self.games:
            summary |= {"until": self.until, "half_width": self.half_width if isfinite(self.half_width) else None}
        return summary

    def draw(self, folder: Path) -> list[Path]:
        """Draw the results."""
        from kibitz.arena import charts, win_charts

        if isinstance(self.measure, MatchScores):
            return charts.save(charts.scores(self.match, self.measure.tally), folder / "scores")
        pictures = win_charts.pictures(self.measure)
        return [path for name, picture in pictures for path in charts.save(picture, folder / name)]
