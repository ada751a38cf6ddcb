"""Cross tables: every agent with every other, as a matrix of mean scores.

On the diagonal an agent plays with copies of itself. Elsewhere the row's agent sits in one seat among
copies of the column's agent: every deal is played once for each seat it can take, and counts as the
mean of those games. All cells play the same deals. With two players a cell and its mirror image are
the same games, which are played once.
"""

import csv
import json
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.match import Match, play
from kibitz.arena.partial import Partial
from kibitz.arena.statistics import Z95
from kibitz.core import registry
from kibitz.core.errors import KibitzError
from kibitz.core.game import Game

Count = Callable[[int], None]  # told how many games were played since the last time


@dataclass(frozen=True)
class Plan:
    """What is to be played."""

    game_name: str
    agents: tuple[str, ...]
    players: int
    deals: int
    seed: int
    rules: dict[str, str] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        return registry.game(self.game_name)

    def prepared(self) -> "Plan":
        """The same plan, checked, with each agent once and compiled, and its rules complete."""
        agents = tuple(dict.fromkeys(self.agents))
        if len(agents) < 2:
            raise KibitzError("A cross table needs two different agents or more. `kibitz match` measures one.")
        self.game.check_players(self.players)
        rules = self.game.check_rules(self.rules)
        for name in agents:
            Match(self.game_name, (name,) * self.players, 0, self.seed, rules).prepared()
        return Plan(self.game_name, agents, self.players, self.deals, self.seed, rules)

    def tables(self, row: str, column: str) -> list[tuple[str, ...]]:
        """Who sits where, for every seat the row's agent can take."""
        if row == column:
            return [(row,) * self.players]
        return [
            tuple(row if place == seat else column for place in range(self.players)) for seat in range(self.players)
        ]

    def pairs(self) -> list[tuple[str, str]]:
        """The cells to play, row by row; of two that are the same games only the first."""
        places = [(row, column) for row in range(len(self.agents)) for column in range(len(self.agents))]
        return [(self.agents[row], self.agents[column]) for row, column in places if self.players > 2 or row <= column]

    def games_of(self, row: str, column: str) -> int:
        return self.deals * len(self.tables(row, column))


@dataclass(frozen=True)
class Cell:
    """What one agent among copies of another came to."""

    row: str
    column: str
    games: int
    mean: float
    stderr: float | None  # None for a single deal, which says nothing of it
    lost: int

    @property
    def half_width(self) -> float:
        """Of the 95 % interval."""
        return Z95 * (self.stderr or 0.0)

    @property
    def interval(self) -> tuple[float, float] | None:
        return None if self.stderr is None else (self.mean - self.half_width, self.mean + self.half_width)


def measured(plan: Plan, row: str, column: str, jobs: int, count: Count) -> Cell:
    """Play a cell. Games of one deal are alike, so the deals, not the games, are what the error is counted over."""
    tables = plan.tables(row, column)
    totals, lost = np.zeros(plan.deals), 0
    for seats in tables:
        match = Match(plan.game_name, seats, plan.deals, plan.seed, plan.rules)
        for batch in play(match.prepared(), jobs):
            if batch.failure:
                raise KibitzError(f"{batch.failure} It sat at the table {', '.join(seats)}.")
            scores, lost_here = plan.game.scores(batch.results)
            totals[batch.first : batch.first + batch.games] += scores
            lost += lost_here
            count(batch.games)
    by_deal = totals / len(tables)
    stderr = float(by_deal.std(ddof=1)) / sqrt(plan.deals) if plan.deals > 1 else None
    return Cell(row, column, plan.deals * len(tables), float(by_deal.mean()), stderr, lost)


@dataclass
class Cross:
    """A cross table, whole or in the making."""

    plan: Plan
    cells: dict[tuple[str, str], Cell] = field(default_factory=dict)

    def add(self, cell: Cell) -> None:
        self.cells[cell.row, cell.column] = cell
        if self.plan.players == 2:
            mirrored = Cell(cell.column, cell.row, cell.games, cell.mean, cell.stderr, cell.lost)
            self.cells[cell.column, cell.row] = mirrored

    @property
    def missing(self) -> list[tuple[str, str]]:
        return [pair for pair in self.plan.pairs() if pair not in self.cells]

    def play(self, jobs: int, count: Count = lambda games: None) -> Iterator[Cell]:
        """Play the cells that are missing, and give each when it is done."""
        for row, column in self.missing:
            cell = measured(self.plan, row, column, jobs, count)
            self.add(cell)
            yield cell

    def rows(self) -> list[list[Cell]]:
        return [[self.cells[row, column] for column in self.plan.agents] for row in self.plan.agents]

    def as_json(self) -> dict[str, Any]:
        cells = [{**asdict(cell), "interval": cell.interval} for row in self.rows() for cell in row]
        plan = self.plan
        return {
            "game": plan.game_name, "players": plan.players, "agents": list(plan.agents), "deals": plan.deals,
            "seed": plan.seed, "rules": plan.rules, "cells": cells,
        }  # fmt: skip


COLUMNS = (
    "game", "players", "seed", "deals", "rules", "row", "column", "games", "mean", "stderr", "low", "high", "lost",
)  # fmt: skip


class SavedCross:
    """A cross table in a CSV file, a row for each cell. A run that was killed goes on from the cells it had."""

    def __init__(self, path: Path, plan: Plan) -> None:
        self.path = path
        self.partial = Partial(path, {"cross": asdict(plan)}, "cells of another cross table")
        self.cells = [Cell(**json.loads(line)) for line in self.partial.entries().splitlines()]

    def add(self, cell: Cell) -> None:
        self.partial.add(json.dumps(asdict(cell)).encode() + b"\n")

    def finish(self, cross: Cross) -> None:
        self.partial.finish(lambda path: write_csv(cross, path))


def write_csv(cross: Cross, path: Path) -> None:
    plan = cross.plan
    rules = " ".join(f"{name}={value}" for name, value in plan.rules.items())
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for cell in (cell for row in cross.rows() for cell in row):
            low, high = cell.interval or ("", "")
            writer.writerow(
                [
                    plan.game_name, plan.players, plan.seed, plan.deals, rules, cell.row, cell.column, cell.games,
                    cell.mean, cell.stderr, low, high, cell.lost,
                ]
            )  # fmt: skip
