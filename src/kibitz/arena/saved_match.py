"""A match in a file: every game is written as it is played, and a match that was killed goes on where it stopped.

At the end it is a table in a `.csv` or `.parquet` file, with a row for each game or as many as the game
takes, or the records of the games: on a line each in a `.jsonl` file, or in one `.json` document with
the summary.
"""

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from kibitz.arena.checkpoint import Checkpoint
from kibitz.arena.match import GameChunk, Match
from kibitz.arena.rotation import rotated
from kibitz.core.record import parse
from kibitz.errors import KibitzError, RecordError

if TYPE_CHECKING:
    from kibitz.arena.measure import MatchScores
    from kibitz.arena.standings import Standings

RECORDS, TABLES = (".json", ".jsonl"), (".csv", ".parquet")
BLOCK = 20_000  # games that are put into a table at once


def wants_records(path: Path) -> bool:
    """Whether the games are to be kept whole, not only their results."""
    if path.suffix not in RECORDS + TABLES:
        endings = ", ".join(RECORDS + TABLES)
        raise KibitzError(f"{path} ends in none of {endings}, which say how the games are to be written.")
    return path.suffix in RECORDS


def document(summary: bytes, games: Sequence[bytes]) -> bytes:
    """Records, a line each, and what they come to, as one JSON document."""
    return b'{"summary":' + summary + b',\n"games":[\n' + b",\n".join(games) + b"\n]}\n"


class SavedMatch:
    def __init__(self, path: Path, match: Match) -> None:
        self.path, self.match = path, match
        plan = {"match": msgspec.to_builtins(match.plan())}
        width = 0 if match.records else 8 * match.game.width
        self.checkpoint = Checkpoint(path, plan, "games of another match", width, match.games_a_deal)
        self.results = self._results()

    def _results(self) -> Any:
        """The rows of results of the games that are kept; records are played again to have them."""
        game = self.match.game
        if not self.match.records:
            return np.frombuffer(self.checkpoint.entries(), np.int64).reshape(-1, game.width)
        rows = [self._row(number, line) for number, line in enumerate(self.checkpoint.lines())]
        return np.array(rows, np.int64).reshape(len(rows), game.width)

    def _row(self, number: int, line: bytes) -> Any:
        """The results of a game that was recorded, in its place among the others."""
        game, deal = self.match.game, self.match.deal_of(number)
        try:
            record = parse(line)
            if record.number != deal or record.result is None:
                raise self.checkpoint.damaged(number, f"it should be the end of a game of deal {deal}")
            if game.width == len(game.columns):
                return [record.result[column] for column in game.columns]
            return game.row(record.replay().state)
        except RecordError as error:
            raise self.checkpoint.damaged(number, error) from None
        except KeyError as error:
            raise self.checkpoint.damaged(number, f"its result lacks {error}") from None

    def count(self, measure: "MatchScores | Standings") -> None:
        """Add the games that are kept to what is measured."""
        try:
            measure.add(self.results, self.match.rotations(np.arange(len(self.results))))
        except (ValueError, IndexError, OverflowError, MemoryError) as error:
            raise self.checkpoint.damaged(0, f"these are no results of {self.match.game.title}: {error}") from None

    def add(self, chunk: GameChunk) -> None:
        whole = b"".join(record + b"\n" for record in chunk.records) if self.match.records else chunk.results.tobytes()
        self.checkpoint.add(whole)

    def finish(self, summary: dict[str, Any]) -> None:
        write = {".json": self._write_json, ".jsonl": self._write_lines, ".csv": self._write_csv}
        self.summary = summary
        self.checkpoint.finish(write.get(self.path.suffix, self._write_parquet))

    def _write_json(self, path: Path) -> None:
        """As `document` does, game by game."""
        before, after = document(json.dumps(self.summary).encode(), [b"\n"]).split(b"\n\n\n")
        with path.open("wb") as file:
            file.write(before + b"\n")
            for number, line in enumerate(self.checkpoint.lines()):
                file.write((b",\n" if number else b"") + line.rstrip(b"\n"))
            file.write(b"\n" + after)

    def _write_lines(self, path: Path) -> None:
        with path.open("wb") as file:
            file.writelines(self.checkpoint.lines())

    def _write_csv(self, path: Path) -> None:
        with path.open("w", newline="", encoding="utf-8", errors="replace") as file:
            writer = csv.writer(file)
            for number, block in enumerate(self._blocks()):
                if number == 0:
                    writer.writerow(block)
                writer.writerows(zip(*(column.tolist() for column in block.values()), strict=True))

    def _write_parquet(self, path: Path) -> None:
        import polars as pl  # it takes a moment to load

        words = pl.col(pl.String).cast(pl.Categorical)  # few different ones, in millions of places
        table = pl.concat([pl.DataFrame(block).with_columns(words) for block in self._blocks()])
        table.write_parquet(path, metadata={"kibitz": json.dumps(self.summary)})

    def _blocks(self) -> Iterator[dict[str, Any]]:
        results = self._results()
        rotations = self.match.rotations(np.arange(len(results)))
        for first in range(0, len(results), BLOCK):
            stretch = slice(first, first + BLOCK)
            yield table(self.match, first, results[stretch], rotations[stretch])


def table(match: Match, first: int, results: Any, rotations: Any) -> dict[str, Any]:
    """Games in rows for people: the number of the game, of its deal and of who began it, and what the game has to say.

    In a game with a score everybody sits as named and begins together, so its number says it all.
    """
    parts = []
    for rotation in np.unique(rotations):
        here = np.flatnonzero(rotations == rotation)
        named = rotated(range(1, match.players + 1), rotation)
        part = match.game.table(results[here], named)
        parts.append({**part, "row": here[part["row"]]})
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    order = np.argsort(whole["row"], kind="stable")
    row = whole.pop("row")[order]
    numbers: dict[str, Any] = {"game": first + row}
    if match.game.competitive:
        numbers |= {"deal": match.deal_of(first + row), "first": rotations[row] + 1}
    return numbers | {name: column[order] for name, column in whole.items()}
