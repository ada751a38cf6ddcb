"""Cross tables: every agent with or against every other, as a matrix of mean scores or shares of wins.

The row's agent takes one seat among copies of the column's agent: every deal is played once for each seat it can take,
and counts as the mean of those games. All cells play the same deals. With two players, a cell and its mirror image are
the same games, played once. In a game of partners, the row's agent plays one side and the column's agent the others.

In a cooperative game, the diagonal is self-play. In a competitive game, a cell is the row agent's share of wins, where
draws and shared wins are divided; the diagonal needs no games, as copies have equal shares.
"""

import csv
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from math import sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.match import ChunkSize, Match, PlayDeals, can_search, never, play_chunk, somebody_searches
from kibitz.arena.standings import parts, wins_by_name
from kibitz.arena.statistics import Estimate, wilson
from kibitz.arena.worth import worth
from kibitz.bots.players import BOT_SECONDS, known
from kibitz.core import registry
from kibitz.core.agent import Agent
from kibitz.core.game import Game
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.arena.executors import Executor

SLICES = 50  # of a cell's deals, for the jackknife errors of ratings

Count = Callable[[int], None]  # called with the number of games since the last call


@dataclass(frozen=True)
class CrossPlan:
    """The definition of a cross table."""

    game_name: str
    agents: tuple[str, ...]  # agents and their specs are converted to names
    players: int
    deals: int
    seed: int
    rules: dict[str, str] = field(default_factory=dict)
    budget: Budget | None = None  # of searching agents
    bot_seconds: float = BOT_SECONDS  # time limit per move of Python agents; 0 disables it
    given: dict[str, Agent] = field(default_factory=dict, compare=False, repr=False)  # agents given as objects, by name

    def __post_init__(self) -> None:
        named = {str(registry.spec(self.game_name, each)): each for each in self.agents}
        object.__setattr__(self, "agents", tuple(named))
        given = {text: each for text, each in named.items() if isinstance(each, Agent)}
        object.__setattr__(self, "given", {**self.given, **given})

    @property
    def game(self) -> Game:
        return registry.game(self.game_name)

    @property
    def sides(self) -> int:
        """The number of opposing sides: every seat, or every side of partners."""
        return self.game.sides or self.players

    @property
    def fair_share(self) -> float:
        return 1 / self.sides

    def agent(self, name: str) -> Agent:
        return self.given.get(name) or known(self.game, name, self.bot_seconds)

    def prepared(self) -> "CrossPlan":
        """The same plan, checked, with complete rules and each agent once, compiled."""
        agents = self.agents
        if len(agents) < 2:
            raise KibitzError("A cross table needs at least two different agents. `kibitz match` measures one.")
        self.game.check_players(self.players)
        rules = self.game.check_rules(self.rules)
        if self.budget is not None:
            somebody_searches(self.game, [self.agent(name) for name in agents])
        plan = replace(self, agents=agents, rules=rules)
        for name in agents:
            plan.match((name,) * self.players).prepared()
        return plan

    def match(self, seats: tuple[str, ...], mirror: bool = False) -> Match:
        """A match between some of the agents."""
        budget = self.budget if any(can_search(self.agent(name)) for name in seats) else None
        agents = [self.given.get(name, name) for name in seats]
        return Match.of(
            self.game, agents, self.deals, self.seed, rules=self.rules, mirror=mirror, budget=budget,
            bot_seconds=self.bot_seconds,
        )  # fmt: skip

    def matches(self, row: str, column: str) -> list[Match]:
        """The matches of a cell: the row's agent in every seat, or one mirrored match."""
        if self.game.competitive:
            around = (row, *[column] * (self.sides - 1))
            return [self.match(around * (self.players // self.sides), mirror=True)]
        if row == column:
            return [self.match((row,) * self.players)]
        seats = range(self.players)
        return [self.match(tuple(row if place == seat else column for place in seats)) for seat in seats]

    def pairs(self) -> list[tuple[str, str]]:
        """The cells to play, row by row; of two mirror images only the first."""
        places = [(row, column) for row in range(len(self.agents)) for column in range(len(self.agents))]
        return [
            (self.agents[row], self.agents[column])
            for row, column in places
            if (self.sides > 2 or row <= column) and not (self.game.competitive and row == column)
        ]

    def games_of(self, row: str, column: str) -> int:
        return sum(match.games for match in self.matches(row, column))


@dataclass(frozen=True)
class Cell:
    """The result of one agent among copies of another."""

    row: str
    column: str
    games: int
    mean: float
    stderr: float | None  # None for a single deal
    lost: int
    wins: int = 0  # by the row's agent alone, in competitive games
    draws: int = 0  # games without a winner, or with a win it shares
    slices: tuple[float, ...] = ()  # the means of equal parts of the deals, for resampling
    bounds: tuple[float, float] | None = None  # of the interval, where the standard error says nothing

    @property
    def estimate(self) -> Estimate:
        return Estimate(self.mean, None if self.bounds else self.stderr, self.games, self.bounds)

    @property
    def error(self) -> float:
        """The wider side of the interval; 0 if it is unknown."""
        low, high = self.interval or (self.mean, self.mean)
        return max(self.mean - low, high - self.mean)

    @property
    def interval(self) -> tuple[float, float] | None:
        return self.estimate.interval

    def mirrored(self, competitive: bool) -> "Cell":
        """The same games from the column's side; only for two players."""
        if not competitive:
            return replace(self, row=self.column, column=self.row)
        slices = tuple(1 - mean for mean in self.slices)
        bounds = None if self.bounds is None else (1 - self.bounds[1], 1 - self.bounds[0])
        return Cell(
            self.column, self.row, self.games, 1 - self.mean, self.stderr, self.wins, self.lost, self.draws, slices,
            bounds,
        )  # fmt: skip


WHOLE = ("deals", "total", "squares", "lost", "wins", "draws")  # the sums of a cell, besides those of its slices


@dataclass(frozen=True)
class CellShape:
    """What the sums of a cell mean. All are whole numbers, so they do not depend on how the deals were divided."""

    deals: int
    games: int  # per deal
    unit: int  # what a game is divided into, so that winners can share it evenly
    best: int = 1  # the best mean: a score, or all the games

    @classmethod
    def of(cls, plan: CrossPlan, matches: Sequence[Match]) -> "CellShape":
        unit = parts(plan.sides) if plan.game.competitive else 1
        best = 1 if plan.game.competitive else plan.game.best
        return cls(plan.deals, sum(match.games_a_deal for match in matches), unit, best)

    @property
    def slices(self) -> int:
        return min(SLICES, self.deals)

    @property
    def ends(self) -> Any:
        """Where each slice of the deals ends."""
        return np.cumsum([len(part) for part in np.array_split(np.arange(self.deals), self.slices)])

    def cell(self, row: str, column: str, sums: Any) -> "Cell":
        """The result of a cell, from the sums of all its deals. Games of one deal are correlated, so the standard error
        is computed over deals.
        """
        deals, total, squares, lost, wins, draws = map(int, sums[: len(WHOLE)])
        whole = self.games * self.unit
        stderr = None
        if deals > 1:
            stderr = sqrt(max(0.0, (squares - total**2 / deals) / (deals - 1)) / deals) / whole
        sizes = np.diff([0, *self.ends])
        slices = tuple((sums[len(WHOLE) :] / (sizes * whole)).tolist())
        mean = total / deals / whole
        bounds = self._bounds(mean, deals) if stderr == 0 else None
        return Cell(row, column, deals * self.games, mean, stderr, lost, wins, draws, slices, bounds)

    def _bounds(self, mean: float, deals: int) -> tuple[float, float] | None:
        """The interval where all deals ended alike: by Wilson's, some of those to come may be worse, or better."""
        if mean in (0, self.best):
            low, high = wilson(deals if mean else 0, deals)
            return low * self.best, high * self.best
        share = wilson(0, deals)[1]  # of deals that end differently
        return mean * (1 - share), mean + share * (self.best - mean)


@dataclass(frozen=True)
class Piece:
    """Some deals of a cell, to be played by one worker."""

    row: str
    column: str
    first: int
    deals: int
    matches: tuple[Match, ...]


def cell_sums(shape: CellShape, matches: Sequence[Match], play_deals: PlayDeals, first: int, deals: int) -> Any:
    """Play some deals of a cell: their sums."""
    game, sides = matches[0].game, matches[0].game.sides or matches[0].players
    totals, lost, wins, draws = np.zeros(deals, np.int64), 0, 0, 0
    for each in matches:
        match = each if each.loaded else each.prepared()
        size = match.games_a_deal
        chunk = play_chunk(match, first * size, deals * size, play_deals)
        if chunk.failure:
            raise KibitzError(f"{chunk.failure} It sat at the table {', '.join(match.seats)}.")
        if not game.competitive:
            scores, gone = game.scores(chunk.results)
            totals += scores
            lost += gone
            continue
        won = wins_by_name(game.winners(chunk.results), chunk.rotations, match.players)[:, :sides]
        points = worth(game, chunk.results, 0, match.players, chunk.rotations, sides)
        totals += np.rint(points * shape.unit).astype(np.int64).reshape(-1, size).sum(axis=1)
        alone, others = (won[:, 0] == 1) & (won.sum(axis=1) == 1), (won[:, 0] == 0) & won.any(axis=1)
        wins += int(alone.sum())
        lost += int(others.sum())
        draws += chunk.games - int(alone.sum()) - int(others.sum())
    slices = np.zeros(shape.slices, np.int64)
    np.add.at(slices, np.searchsorted(shape.ends, np.arange(first, first + deals), "right"), totals)
    return np.array([deals, totals.sum(), (totals**2).sum(), lost, wins, draws, *slices], np.int64)


def cells_task(
    matches: Sequence[Match], play_deals: PlayDeals, shape: CellShape, pieces: Sequence[tuple[int, int, int]]
) -> tuple[list[Any], str, float]:  # fmt: skip
    """Play pieces of cells, for an executor: the number of matches, the first deal and the number of deals of each.

    Returns the sums of the pieces up to one that failed, why it did, and the seconds.
    """
    began, place, found, failure = time.perf_counter(), 0, [], ""
    try:
        for count, first, deals in pieces:
            found.append(cell_sums(shape, matches[place : place + count], play_deals, first, deals))
            place += count
    except KibitzError as error:
        failure = str(error)
    return found, failure, time.perf_counter() - began


class PieceSize:
    """How many deals a worker plays before it reports."""

    most, at_first = 20_000, 50  # deals

    def __init__(self, quick: bool, moment: float | None) -> None:
        self.moment = moment or ChunkSize.moment
        self.deals = self.at_first if quick else 1

    def learn(self, deals: int, seconds: float) -> None:
        if seconds > 0:
            self.deals = max(1, min(self.most, 4 * self.deals, int(self.moment * deals / seconds)))


class CellPlayer:
    """Plays what is missing of a cross table, in pieces of cells."""

    def __init__(self, plan: CrossPlan, done: Mapping[tuple[str, str], Any]) -> None:
        """`done` has the sums of cells, finished or not."""
        self.plan, self.sums = plan, dict(done)

    def pieces(self, pairs: Sequence[tuple[str, str]], size: PieceSize) -> Iterator[list[Piece]]:
        """What is missing, in order; in one list is about as much as a worker plays before it reports."""
        together: list[Piece] = []
        for row, column in pairs:
            matches = tuple(self.plan.matches(row, column))
            first = int(self.sums[row, column][0]) if (row, column) in self.sums else 0
            while first < self.plan.deals:
                room = max(1, size.deals - sum(piece.deals for piece in together))
                deals = min(room, self.plan.deals - first)
                together.append(Piece(row, column, first, deals, matches))
                first += deals
                if sum(piece.deals for piece in together) >= size.deals:
                    yield together
                    together = []
        if together:
            yield together

    def play(
        self, pairs: Sequence[tuple[str, str]], jobs: "int | Executor", held: Callable[[], bool]
    ) -> Iterator[tuple[Piece, Any] | None]:  # fmt: skip
        """Play the pairs: yields every piece with its sums, in order, and None when held and nothing is in progress."""
        from kibitz.arena.executors import executor_for

        tables = [self.plan.match((name,) * self.plan.players) for name in self.plan.agents]
        executor = executor_for(jobs, tables)
        size = PieceSize(all(match.quick for match in tables), executor.moment)
        waiting: deque[tuple[list[Piece], Future[Any]]] = deque()
        coming, more = self.pieces(pairs, size), True
        try:
            while waiting or more:
                while more and len(waiting) < 2 * executor.workers and not held():
                    pieces = next(coming, None)
                    if pieces is None:
                        more = False
                        break
                    waiting.append((pieces, self._begun(executor, pieces)))
                if not waiting:
                    if more:
                        yield None
                    continue
                pieces, future = waiting.popleft()
                found, failure, seconds = future.result()
                size.learn(sum(piece.deals for piece in pieces), seconds)
                for piece, sums in zip(pieces, found, strict=False):
                    key = piece.row, piece.column
                    self.sums[key] = self.sums[key] + sums if key in self.sums else sums
                    yield piece, sums
                if failure:
                    raise KibitzError(failure)
        finally:
            for _, future in waiting:
                future.cancel()
            if executor is not jobs:
                executor.stop()

    def _begun(self, executor: "Executor", pieces: Sequence[Piece]) -> "Future[Any]":
        matches = [match for piece in pieces for match in piece.matches]
        sizes = [(len(piece.matches), piece.first, piece.deals) for piece in pieces]
        return executor.submit(cells_task, matches, CellShape.of(self.plan, pieces[0].matches), sizes)


def measured(plan: CrossPlan, row: str, column: str, jobs: "int | Executor" = 1) -> Cell:
    """Play one cell."""
    player, shape = CellPlayer(plan, {}), CellShape.of(plan, plan.matches(row, column))
    for _ in player.play([(row, column)], jobs, never):
        pass
    return shape.cell(row, column, player.sums[row, column])


def cells_of(steps: Iterable[int | Cell], count: Count) -> Iterator[Cell]:
    """The cells among steps; the games between them go to `count`."""
    for step in steps:
        if isinstance(step, Cell):
            yield step
        else:
            count(step)


@dataclass
class Cross:
    """A cross table, complete or in progress."""

    plan: CrossPlan
    cells: dict[tuple[str, str], Cell] = field(default_factory=dict)

    def add(self, cell: Cell) -> None:
        self.cells[cell.row, cell.column] = cell
        if self.plan.sides == 2:
            self.cells[cell.column, cell.row] = cell.mirrored(self.plan.game.competitive)

    @property
    def missing(self) -> list[tuple[str, str]]:
        return [pair for pair in self.plan.pairs() if pair not in self.cells]

    def shape(self, row: str, column: str) -> CellShape:
        return CellShape.of(self.plan, self.plan.matches(row, column))

    def play(self, jobs: "int | Executor", count: Count = lambda games: None) -> Iterator[Cell]:
        """Play the missing cells, and yield each when it is done."""
        return cells_of(self.steps(jobs), count)

    def steps(
        self, jobs: "int | Executor", held: Callable[[], bool] = never,
        done: Mapping[tuple[str, str], Any] | None = None, keep: Callable[[Piece, Any], object] = lambda *_: None,
    ) -> Iterator[int | Cell]:  # fmt: skip
        """The same in smaller steps: the number of games since the last step, 0 when held, or a finished cell.

        `done` has the sums of cells that were begun earlier; `keep` gets every piece with its sums.
        """
        player = CellPlayer(self.plan, done or {})
        for played in player.play(self.missing, jobs, held):
            if played is None:
                yield 0
                continue
            piece, sums = played
            keep(piece, sums)
            shape = CellShape.of(self.plan, piece.matches)
            yield piece.deals * shape.games
            if piece.first + piece.deals == self.plan.deals:
                self.add(shape.cell(piece.row, piece.column, player.sums[piece.row, piece.column]))
                yield self.cells[piece.row, piece.column]

    def rows(self) -> list[list[Cell | None]]:
        """The matrix of cells; None where a competitive agent would play itself."""
        return [[self.cells.get((row, column)) for column in self.plan.agents] for row in self.plan.agents]

    def played(self) -> list[Cell]:
        return [cell for row in self.rows() for cell in row if cell is not None]

    def as_json(self) -> dict[str, Any]:
        plan = self.plan
        table: dict[str, Any] = {
            "game": plan.game_name, "players": plan.players, "agents": list(plan.agents), "deals": plan.deals,
            "seed": plan.seed, "rules": plan.rules,
        }  # fmt: skip
        if plan.game.competitive:
            table["budget"] = plan.budget._asdict() if plan.budget else None
            table["fair_share"] = plan.fair_share
        names = ("row", "column", "games", "mean", "stderr", *self.outcomes)
        table["cells"] = [
            {**{name: getattr(cell, name) for name in names}, "interval": cell.interval} for cell in self.played()
        ]
        if plan.game.competitive:
            from kibitz.arena.ratings import ratings

            table["ratings"] = [rating.as_json() for rating in ratings(self)]
        elif not self.missing:
            from kibitz.arena.partners import partnerships

            table["partners"] = [each.as_json() for each in partnerships(self)]
        return table

    @property
    def outcomes(self) -> tuple[str, ...]:
        """The games that are counted besides the mean."""
        return ("wins", "draws", "lost") if self.plan.game.competitive else ("lost",)


COLUMNS = ("game", "players", "seed", "deals", "rules", "row", "column", "games", "mean", "stderr", "low", "high")


def write_csv(cross: Cross, path: Path) -> None:
    plan = cross.plan
    rules = " ".join(f"{name}={value}" for name, value in plan.rules.items())
    with path.open("w", newline="", encoding="utf-8", errors="replace") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*COLUMNS, *cross.outcomes])
        for cell in cross.played():
            low, high = cell.interval or ("", "")
            outcomes = [getattr(cell, name) for name in cross.outcomes]
            writer.writerow(
                [
                    plan.game_name, plan.players, plan.seed, plan.deals, rules, cell.row, cell.column, cell.games,
                    cell.mean, cell.stderr, low, high, *outcomes,
                ]
            )  # fmt: skip
