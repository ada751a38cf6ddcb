"""The results of a series: saved to a file as they arrive, so that a killed host can resume, and summarized."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kibitz.arena.runs.journal import Journal, header_of
from kibitz.arena.saved_match import document
from kibitz.arena.statistics import ScoreCounts
from kibitz.core.record import Record, parse
from kibitz.core.table import Table
from kibitz.core.whole_files import write_whole
from kibitz.errors import KibitzError
from kibitz.server.host.series_plan import SeriesPlan
from kibitz.server.live.table_state import Seat, TableState


def remembered_seed(path: Path, plan: SeriesPlan) -> int | None:
    """The seed of a killed run of the same series, to resume it without naming the seed."""
    begun = header_of(beside(path))
    seed = begun["host"].get("seed") if isinstance(begun, dict) and isinstance(begun.get("host"), dict) else None
    return seed if isinstance(seed, int) and begun == header({**plan.as_json(), "seed": seed}) else None


def beside(path: Path) -> Path:
    """The file that keeps the games of a series until it is over."""
    return path.with_name(path.name + ".partial")


def header(series: dict[str, Any]) -> dict[str, Any]:
    """The header of a series' file."""
    return {"host": series}


class Series:
    """The results so far."""

    def __init__(self, plan: SeriesPlan) -> None:
        self.plan, self.game = plan, plan.game
        self.rows: dict[int, Any] = {}  # results by the number of the game
        self.forfeits: set[int] = set()
        self.journal: Journal | None = None
        if plan.save is not None:
            if plan.save.is_dir():
                raise KibitzError(f"{plan.save} is a folder. Name a file in it.")
            self.journal = Journal(beside(plan.save), header(plan.as_json()), "games of another series")
            for line in self.journal.entries().splitlines():
                record = parse(line)
                if record.number is None:
                    raise KibitzError(f"{self.journal.path} holds a game without a number. Delete the file.")
                self._count(record.number, record.replay())

    @property
    def left(self) -> list[int]:
        """The numbers of the games not played yet."""
        return [number for number in range(self.plan.games) if number not in self.rows and number not in self.forfeits]

    @property
    def games(self) -> int:
        return len(self.rows) + len(self.forfeits)

    def add_table(self, state: TableState) -> None:
        """Record the game of a table, finished or aborted."""
        assert state.stored.number is not None
        self.add(state.core, [who_played(seat) for seat in state.seats], state.stored.number)

    def add(self, table: Table, names: Sequence[str], number: int) -> None:
        if self.journal is not None:
            record = Record.of(table, list(names), dict(self.plan.rules), self.plan.seed, number)
            self.journal.add(record.dump() + b"\n")
        self._count(number, table)

    def _count(self, number: int, table: Table) -> None:
        if table.over:
            self.rows[number] = self.game.row(table.state)
        else:
            self.forfeits.add(number)

    def finish(self) -> None:
        """Write the final file, unless it is already written."""
        if self.journal is None or self.plan.save is None:
            return
        games = sorted(self.journal.entries().splitlines(), key=lambda line: parse(line).number or 0)
        if self.plan.save.suffix == ".json":
            whole = document(msgspec.json.encode(self.summary()), games)
        else:
            whole = b"".join(line + b"\n" for line in games)
        again = f"Nothing is lost: fix the cause, then run the same command to resume from {self.journal.path}."
        write_whole(self.plan.save, whole, again)
        self.journal.path.unlink()
        self.journal = None

    # The summary

    def results(self) -> Any:
        rows = [self.rows[number] for number in sorted(self.rows)]
        return np.array(rows, np.int64).reshape(len(rows), self.game.width)

    def tally(self) -> ScoreCounts:
        """The scores. A forfeited game scores nothing, and is lost."""
        tally = ScoreCounts(self.game.best)
        scores, lost = self.game.scores(self.results())
        tally.add(scores, lost)
        tally.add(np.zeros(len(self.forfeits), np.int64), len(self.forfeits))
        return tally

    def wins(self) -> list[int]:
        """The number of wins of each seat; a forfeited game has no winner."""
        winners = self.game.winners(self.results())
        return [int(np.count_nonzero(winners >> seat & 1)) for seat in range(len(self.plan.seats))]

    def summary(self) -> dict[str, Any]:
        shown = {**self.plan.as_json(), "played": self.games, "forfeited": sorted(self.forfeits)}
        if self.game.competitive:
            return {**shown, "wins": self.wins()}
        tally = self.tally()
        occurred = np.flatnonzero(tally.counts)
        extremes = {"maximum": int(occurred[-1]), "minimum": int(occurred[0])} if len(occurred) else {}
        return {**shown, **tally.as_json(), "games": self.plan.games, **extremes}


def who_played(seat: Seat) -> str:
    """A player's name for the record, with the agent that replaced them, if any."""
    return f"{seat.person}, then {seat.agent}" if seat.kind == "bot" and seat.person else seat.name
