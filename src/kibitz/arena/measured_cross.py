"""Cross tables that are measured as they are played, kept in a run, and resumable."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.code_version import code_version
from kibitz.arena.cross import SLICES, WHOLE, Cell, Count, Cross, CrossPlan, Piece, cells_of
from kibitz.arena.match import never
from kibitz.arena.runs import Numbers, Run, begin, kept
from kibitz.arena.runs.rows import read_parquet, write_parquet
from kibitz.errors import KibitzError
from kibitz.text import fit

if TYPE_CHECKING:
    import polars

    from kibitz.arena.executors import Executor


def begin_cross(plan: CrossPlan, **how: Any) -> Run:
    """The run of a prepared plan; `how` is passed to `begin`."""
    return begin("cross", header_of(plan), f"{plan.game_name}-{len(plan.agents)}-agents-{plan.players}", **how)


def header_of(plan: CrossPlan) -> dict[str, Any]:
    """What determines the results of a table."""
    left_out = ("bot_seconds", "given")
    header = {each.name: getattr(plan, each.name) for each in fields(plan) if each.name not in left_out}
    versions = [code_version(plan.match((name,) * plan.players)) for name in plan.agents]
    return header | {"agents": list(plan.agents), "budget": plan.budget and list(plan.budget), "code": versions}


CELLS = "cells.parquet"
OF_AGENTS = ("agents", "code")  # what differs between the plans of tables that share cells


def cells_of_earlier(plan: CrossPlan, run: Run) -> dict[tuple[str, str], Cell]:
    """Cells that finished tables beside this run have already: of the same agents, code, deals and rules."""
    from kibitz.extras import has

    found: dict[tuple[str, str], Cell] = {}
    if not has("frames"):
        return found
    mine, wanted = run.plan, set(plan.pairs())
    versions = dict(zip(mine["agents"], mine["code"], strict=True))
    terms = {name: value for name, value in mine.items() if name not in OF_AGENTS}
    for other in kept(run.place.parent):
        theirs = other.plan
        if other.what != "cross" or other.folder == run.folder or not other.finished:
            continue
        if {name: value for name, value in theirs.items() if name not in OF_AGENTS} != terms:
            continue
        same = {name for name, code in zip(theirs["agents"], theirs["code"], strict=True) if versions.get(name) == code}
        try:
            cells = read_cells(other.place / CELLS)
        except KibitzError:
            continue  # a damaged one is no loss: its cells are played
        for cell in cells:
            if {cell.row, cell.column} <= same and (cell.row, cell.column) in wanted:
                found.setdefault((cell.row, cell.column), cell)
    return found


class MeasuredCross:
    """A cross table, kept in a run as it is played: the sums of every piece of a cell."""

    def __init__(self, plan: CrossPlan, run: Run | None = None, shares: bool = True) -> None:
        """A prepared plan. If it `shares`, cells of finished tables beside its run are not played again."""
        self.plan, self.run, self.cross = plan, run, Cross(plan)
        self.rows: Numbers | None = None
        self.sums: dict[tuple[str, str], Any] = {}
        self.shared: list[tuple[str, str]] = []  # cells of earlier tables
        if run is not None and run.folder is not None:
            columns = ["row", "column", "first", *WHOLE, *(f"slice_{n}" for n in range(min(SLICES, plan.deals)))]
            self.rows = Numbers(run.folder, "pieces", columns, part=1 << 62)
            self._resume(self.rows)
            for pair, cell in cells_of_earlier(plan, run).items() if shares else ():
                if pair not in self.sums:
                    self.cross.add(cell)
                    self.shared.append(pair)
        cells = self.cross.cells
        self.before = [cells[pair] for pair in plan.pairs() if pair in cells]  # played by earlier commands
        self.games_before = sum(
            int(sums[0]) * self.cross.shape(*pair).games for pair, sums in self.sums.items()
        ) + sum(cells[pair].games for pair in self.shared)  # fmt: skip

    def _resume(self, rows: Numbers) -> None:
        pairs = set(self.plan.pairs())
        for number, (row, column, first, *sums) in enumerate(rows.whole().tolist()):
            names = self.plan.agents
            pair = (names[row], names[column]) if 0 <= row < len(names) and 0 <= column < len(names) else ("", "")
            there = self.sums.get(pair)
            if pair not in pairs or first != (0 if there is None else int(there[0])) or not sums[0] > 0:
                raise rows.journal.damaged(number, "it is no piece of this table")
            self.sums[pair] = np.array(sums, np.int64) + (0 if there is None else there)
            if int(self.sums[pair][0]) > self.plan.deals:
                raise rows.journal.damaged(number, "the cell has too many deals")
            if int(self.sums[pair][0]) == self.plan.deals:
                self.cross.add(self.cross.shape(*pair).cell(*pair, self.sums[pair]))

    @property
    def games(self) -> int:
        """The number of games of the whole table."""
        pairs = self.plan.pairs()
        kinds = {row == column: (row, column) for row, column in pairs}  # all cells of a kind have as many games
        games = {kind: self.plan.games_of(*pair) for kind, pair in kinds.items()}
        return sum(games[row == column] for row, column in pairs)

    def play(self, jobs: "int | Executor", count: Count = lambda games: None) -> Iterator[Cell]:
        """Play the missing cells, and yield each when it is kept."""
        return cells_of(self.steps(jobs), count)

    def steps(self, jobs: "int | Executor", held: Callable[[], bool] = never) -> Iterator[int | Cell]:
        """The same in smaller steps: the number of games since the last step, or a kept cell."""
        games, total = self.games_before, self.games
        for step in self.cross.steps(jobs, held, self.sums, self._keep):
            if not isinstance(step, Cell):
                games += step
                if self.run is not None:
                    self.run.note_progress(games, total)
            yield step

    def _keep(self, piece: Piece, sums: Any) -> None:
        key = piece.row, piece.column
        self.sums[key] = self.sums[key] + sums if key in self.sums else sums
        if self.rows is not None:
            places = [self.plan.agents.index(name) for name in key]
            self.rows.add(np.array([[*places, piece.first, *sums]], np.int64))

    def pause(self) -> None:
        """Note how far an unfinished run is, and let another command resume it."""
        if self.run is not None:
            done = sum(int(sums[0]) * self.cross.shape(*pair).games for pair, sums in self.sums.items())
            done += sum(self.cross.cells[pair].games for pair in self.shared)
            self.run.note_progress(done, self.games, now=True)
            self.run.release()

    def finish(self) -> None:
        """Finish the run: one row per cell instead of its pieces."""
        if self.run is None or self.rows is None:
            return
        write_cells(self.cross, self.run.place / CELLS)
        self.run.finish(self.cross.as_json())
        self.rows.journal.path.unlink(missing_ok=True)


def write_cells(cross: Cross, path: Path) -> None:
    import polars as pl

    cells = [cross.cells[pair] for pair in cross.plan.pairs()]
    columns = {each.name: [getattr(cell, each.name) for cell in cells] for each in fields(Cell)}
    for name in ("row", "column"):
        columns[name] = [fit(text) for text in columns[name]]
    kinds: dict[str, Any] = {"stderr": pl.Float64, "slices": pl.List(pl.Float64), "bounds": pl.List(pl.Float64)}
    frame = pl.DataFrame({name: pl.Series(name, values, dtype=kinds.get(name)) for name, values in columns.items()})
    write_parquet(path, frame)


def read_cells(path: Path) -> list[Cell]:
    """The cells of a finished table; none if another version of kibitz wrote other columns."""
    cells: list[Cell] = read_parquet(path, cells_in)
    return cells


def cells_in(frame: "polars.DataFrame") -> list[Cell]:
    if set(frame.columns) != {each.name for each in fields(Cell)}:
        return []
    rows = frame.to_dicts()
    for row in rows:
        row["slices"] = tuple(row["slices"] or ())
        row["bounds"] = row["bounds"] and tuple(row["bounds"])
    return [Cell(**row) for row in rows]
