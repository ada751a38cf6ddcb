"""The results of a series: saved to a file as they arrive, so that a killed host can resume, and summarized."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kibitz.arena.checkpoint import Checkpoint, plan_in
from kibitz.arena.saved_match import document
from kibitz.arena.statistics import ScoreCounts
from kibitz.core.record import Record, parse
from kibitz.core.table import Table
from kibitz.errors import KibitzError
from kibitz.server.host.series_plan import SeriesPlan
from kibitz.server.live.table_state import Seat, TableState


def remembered_seed(path: Path, plan: SeriesPlan) -> int | None:
    """The seed of a killed run of the same series, to resume it without naming the seed."""
    begun = plan_in(path)
    seed = begun["host"].get("seed") if isinstance(begun, dict) and isinstance(begun.get("host"), dict) else None
    return seed if isinstance(seed, int) and begun == header({**plan.as_json(), "seed": seed}) else None


def header(series: dict[str, Any]) -> dict[str, Any]:
    """What stands at the head of the file of a series."""
    return {"host": series}


class Series:
    """What is known of the games so far."""

    def __init__(self, plan: SeriesPlan) -> None:
        self.plan, self.game = plan, plan.game
        self.rows: dict[int, Any] = {}  # results by the number of the game
        self.forfeits: set[int] = set()
        self.checkpoint: Checkpoint | None = None
        if plan.save is not None:
            self.checkpoint = Checkpoint(plan.save, header(plan.as_json()), "games of another series")
            for line in self.checkpoint.entries().splitlines():
                record = parse(line)
                if record.number is None:
                    raise KibitzError(f"{self.checkpoint.path} holds a game without a number. Delete the file.")
                self._count(record.number, record.replay())

    @property
    def left(self) -> list[int]:
        """The numbers of the games that are still to be played."""
        return [number for number in range(self.plan.games) if number not in self.rows and number not in self.forfeits]

    @property
    def games(self) -> int:
        return len(self.rows) + len(self.forfeits)

    def add_table(self, state: TableState) -> None:
        """The game of a table is over, at its end or before."""
        assert state.stored.number is not None
        self.add(state.core, [who_played(seat) for seat in state.seats], state.stored.number)

    def add(self, table: Table, names: Sequence[str], number: int) -> None:
        if self.checkpoint is not None:
            record = Record.of(table, list(names), dict(self.plan.rules), self.plan.seed, number)
            self.checkpoint.add(record.dump() + b"\n")
        self._count(number, table)

    def _count(self, number: int, table: Table) -> None:
        if table.over:
            self.rows[number] = self.game.row(table.state)
        else:
            self.forfeits.add(number)

    def finish(self) -> None:
        """Write the file itself, if it is not written yet."""
        if self.checkpoint is None:
            return
        games = sorted(self.checkpoint.entries().splitlines(), key=lambda line: parse(line).number or 0)
        if self.checkpoint.target.suffix == ".json":
            whole = document(msgspec.json.encode(self.summary()), games)
        else:
            whole = b"".join(line + b"\n" for line in games)
        self.checkpoint.finish(lambda path: path.write_bytes(whole))
        self.checkpoint = None

    # The sum

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
        """How often each seat won; nobody wins a forfeited game."""
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
