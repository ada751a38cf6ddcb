"""Cross tables: every agent with or against every other, as a matrix of mean scores or of shares.

The row's agent sits in one seat among copies of the column's agent: every deal is played once for each
seat it can take, and counts as the mean of those games. All cells play the same deals. With two players a
cell and its mirror image are the same games, which are played once. In a game of partners the row's agent is all of one
side, and the column's are the others.

In a game with a score an agent plays with copies of itself on the diagonal. Where somebody wins, a cell is
what the row's agent got of the games: a win is one, and a draw or a win that several share is divided. The
diagonal needs no games there: among its copies everybody has the same share.
"""

import csv
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kibitz.arena.checkpoint import Checkpoint
from kibitz.arena.match import GameChunk, Match, can_search, never, play, somebody_searches
from kibitz.arena.standings import wins_by_name
from kibitz.arena.statistics import Estimate
from kibitz.arena.worth import worth
from kibitz.bots.players import BOT_SECONDS, known
from kibitz.core import registry
from kibitz.core.agent import Agent
from kibitz.core.game import Game
from kibitz.engine.seat import Budget
from kibitz.errors import KibitzError

SLICES = 50  # of the deals of a cell, left out in turn to see how far ratings can be trusted

Count = Callable[[int], None]  # told how many games were played since the last time


@dataclass(frozen=True)
class CrossPlan:
    """What is to be played."""

    game_name: str
    agents: tuple[str, ...]  # they may be given as agents and as descriptions, too, and are known by their texts
    players: int
    deals: int
    seed: int
    rules: dict[str, str] = field(default_factory=dict)
    budget: Budget | None = None  # of the agents that search
    bot_seconds: float = BOT_SECONDS  # that a Python agent has for a move; 0 is no limit
    given: dict[str, Agent] = field(default_factory=dict, compare=False, repr=False)  # agents that are not names

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
        """How many play against each other: everybody, or in a game of partners every side."""
        return self.game.sides or self.players

    @property
    def fair_share(self) -> float:
        return 1 / self.sides

    def agent(self, name: str) -> Agent:
        return self.given.get(name) or known(self.game, name, self.bot_seconds)

    def prepared(self) -> "CrossPlan":
        """The same plan, checked, with each agent once and compiled, and its rules complete."""
        agents = self.agents
        if len(agents) < 2:
            raise KibitzError("A cross table needs two different agents or more. `kibitz match` measures one.")
        self.game.check_players(self.players)
        rules = self.game.check_rules(self.rules)
        if self.budget is not None:
            somebody_searches(self.game, [self.agent(name) for name in agents])
        plan = replace(self, agents=agents, rules=rules)
        for name in agents:
            plan.match((name,) * self.players).prepared()
        return plan

    def match(self, seats: tuple[str, ...], mirror: bool = False) -> Match:
        """A match between some of the agents; the budget is for those that search."""
        budget = self.budget if any(can_search(self.agent(name)) for name in seats) else None
        agents = [self.given.get(name, name) for name in seats]
        return Match.of(
            self.game, agents, self.deals, self.seed, rules=self.rules, mirror=mirror, budget=budget,
            bot_seconds=self.bot_seconds,
        )  # fmt: skip

    def matches(self, row: str, column: str) -> list[Match]:
        """One after the other they seat the row's agent in every seat; a mirrored match does so by itself."""
        if self.game.competitive:
            around = (row, *[column] * (self.sides - 1))
            return [self.match(around * (self.players // self.sides), mirror=True)]
        if row == column:
            return [self.match((row,) * self.players)]
        seats = range(self.players)
        return [self.match(tuple(row if place == seat else column for place in seats)) for seat in seats]

    def pairs(self) -> list[tuple[str, str]]:
        """The cells to play, row by row; of two that are the same games only the first."""
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
    """What one agent among copies of another came to."""

    row: str
    column: str
    games: int
    mean: float
    stderr: float | None  # None for a single deal, which says nothing of it
    lost: int
    wins: int = 0  # by the row's agent alone, where somebody wins
    draws: int = 0  # without a winner, or with several of whom it is one
    slices: tuple[float, ...] = ()  # the mean in each of a few equal parts of the deals, for ratings

    @property
    def estimate(self) -> Estimate:
        return Estimate(self.mean, self.stderr, self.games)

    @property
    def interval(self) -> tuple[float, float] | None:
        return self.estimate.interval

    def mirrored(self, competitive: bool) -> "Cell":
        """The same games from the column's side, with two players."""
        if not competitive:
            return replace(self, row=self.column, column=self.row)
        slices = tuple(1 - mean for mean in self.slices)
        return Cell(
            self.column, self.row, self.games, 1 - self.mean, self.stderr, self.wins, self.lost, self.draws, slices
        )  # fmt: skip


class Sums:
    """What the games of a cell add up to, deal by deal."""

    def __init__(self, plan: CrossPlan) -> None:
        self.plan, self.totals = plan, np.zeros(plan.deals)
        self.wins = self.draws = self.lost = 0

    def add(self, chunk: GameChunk) -> None:
        if self.plan.game.competitive:
            self._add_points(chunk)
            return
        scores, lost = self.plan.game.scores(chunk.results)
        self.totals[chunk.first : chunk.first + chunk.games] += scores
        self.lost += lost

    def _add_points(self, chunk: GameChunk) -> None:
        """Of the seat named first, which is the row's, or of its side."""
        sides = self.plan.sides
        wins = wins_by_name(self.plan.game.winners(chunk.results), chunk.rotations, self.plan.players)[:, :sides]
        deals = chunk.first // sides, (chunk.first + chunk.games) // sides
        points = worth(self.plan.game, chunk.results, 0, self.plan.players, chunk.rotations, sides)
        self.totals[slice(*deals)] = points.reshape(-1, sides).sum(axis=1)
        alone, others = (wins[:, 0] == 1) & (wins.sum(axis=1) == 1), (wins[:, 0] == 0) & wins.any(axis=1)
        self.wins += int(alone.sum())
        self.lost += int(others.sum())
        self.draws += chunk.games - int(alone.sum()) - int(others.sum())


def measured(plan: CrossPlan, row: str, column: str, jobs: int, count: Count) -> Cell:
    """Play a cell."""
    [cell] = cells_of(measuring(plan, row, column, jobs), count)
    return cell


def cells_of(steps: Iterable[int | Cell], count: Count) -> Iterator[Cell]:
    """The cells among steps; the games between them are counted."""
    for step in steps:
        if isinstance(step, Cell):
            yield step
        else:
            count(step)


def measuring(
    plan: CrossPlan, row: str, column: str, jobs: int, held: Callable[[], bool] = never
) -> Iterator[int | Cell]:
    """Play a cell in steps: how many games were played since the last, and in the end the cell.

    Games of one deal are alike, so the deals, not the games, are what the error is counted over.
    """
    sums, games = Sums(plan), plan.games_of(row, column)
    for match in plan.matches(row, column):
        for chunk in play(match.prepared(), jobs, held=held):
            if chunk.failure:
                raise KibitzError(f"{chunk.failure} It sat at the table {', '.join(match.seats)}.")
            if chunk.games:
                sums.add(chunk)
            yield chunk.games
    by_deal = sums.totals / (games // plan.deals)
    found = Estimate.of(by_deal)
    cell = Cell(row, column, games, found.mean, found.stderr, sums.lost)
    if not plan.game.competitive:
        yield cell
        return
    slices = tuple(float(part.mean()) for part in np.array_split(by_deal, min(SLICES, plan.deals)))
    yield replace(cell, wins=sums.wins, draws=sums.draws, slices=slices)


@dataclass
class Cross:
    """A cross table, whole or in the making."""

    plan: CrossPlan
    cells: dict[tuple[str, str], Cell] = field(default_factory=dict)

    def add(self, cell: Cell) -> None:
        self.cells[cell.row, cell.column] = cell
        if self.plan.sides == 2:
            self.cells[cell.column, cell.row] = cell.mirrored(self.plan.game.competitive)

    @property
    def missing(self) -> list[tuple[str, str]]:
        return [pair for pair in self.plan.pairs() if pair not in self.cells]

    def play(self, jobs: int, count: Count = lambda games: None) -> Iterator[Cell]:
        """Play the cells that are missing, and give each when it is done."""
        return cells_of(self.steps(jobs), count)

    def steps(self, jobs: int, held: Callable[[], bool] = never) -> Iterator[int | Cell]:
        """The same in smaller steps: how many games were played since the last, and each cell when it is done."""
        for row, column in self.missing:
            for step in measuring(self.plan, row, column, jobs, held):
                if isinstance(step, Cell):
                    self.add(step)
                yield step

    def rows(self) -> list[list[Cell | None]]:
        """The matrix; where an agent would play against itself there is nothing."""
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
        return table

    @property
    def outcomes(self) -> tuple[str, ...]:
        """Which games are counted, besides the mean."""
        return ("wins", "draws", "lost") if self.plan.game.competitive else ("lost",)


COLUMNS = ("game", "players", "seed", "deals", "rules", "row", "column", "games", "mean", "stderr", "low", "high")


class SavedCross:
    """A cross table in a CSV file, a row for each cell. A run that was killed goes on from the cells it had."""

    def __init__(self, path: Path, plan: CrossPlan) -> None:
        self.path = path
        left_out = ("bot_seconds", "given")
        header = {each.name: getattr(plan, each.name) for each in fields(plan) if each.name not in left_out}
        self.checkpoint = Checkpoint(path, {"cross": header}, "cells of another cross table")
        pairs = plan.pairs()
        self.cells = [self._cell(number, line, pairs) for number, line in enumerate(self.checkpoint.lines())]

    def _cell(self, number: int, line: bytes, pairs: list[tuple[str, str]]) -> Cell:
        try:
            cell = msgspec.convert(json.loads(line), Cell)
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            raise self.checkpoint.damaged(number, error) from None
        if (cell.row, cell.column) not in pairs:
            raise self.checkpoint.damaged(number, f"{cell.row} with {cell.column} is no cell of this table")
        return cell

    def add(self, cell: Cell) -> None:
        # The names of files need not be Unicode; json escapes what msgspec refuses.
        self.checkpoint.add(json.dumps(asdict(cell), separators=(",", ":")).encode() + b"\n")

    def finish(self, cross: Cross) -> None:
        self.checkpoint.finish(lambda path: write_csv(cross, path))


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
