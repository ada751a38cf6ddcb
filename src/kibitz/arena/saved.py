"""A match in a file: every game is written as it is played, and a match that was killed goes on where it stopped.

While it runs, the games lie in FILE.partial, a line each. At the end they become FILE: `.csv` with a
row for each game, `.jsonl` with a record on each line, or one JSON document with the summary and the
records. An older FILE stays until then.
"""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from kibitz.arena.match import Batch, Match
from kibitz.core.errors import KibitzError

ENDINGS = (".json", ".jsonl", ".csv")


def wants_records(path: Path) -> bool:
    """Whether the games are to be kept whole, not only their results."""
    if path.suffix not in ENDINGS:
        raise KibitzError(f"{path} ends in none of {', '.join(ENDINGS)}, which say how the games are to be written.")
    return path.suffix != ".csv"


class Saved:
    def __init__(self, path: Path, match: Match) -> None:
        self.path, self.match = path, match
        self.partial = path.with_name(path.name + ".partial")
        self.header = json.dumps({"match": msgspec.to_builtins(match)}, sort_keys=True)
        try:
            self.results = self._resume()
            self.lines = self.partial.open("ab")
        except OSError as error:
            raise KibitzError(f"{self.partial} cannot be written: {error.strerror}.") from None

    def _resume(self) -> Any:
        """The results of the games an earlier run left behind; a line it could not finish is cut off."""
        width = len(self.match.game.columns)
        kept = self.partial.read_bytes() if self.partial.exists() else b""
        lines = kept[: kept.rfind(b"\n") + 1].splitlines()
        if not lines:
            self.partial.write_text(self.header + "\n")
            return np.zeros((0, width), np.int64)
        if lines[0].decode() != self.header:
            raise KibitzError(
                f"{self.partial} holds games of another match. Finish that one with the same command, "
                f"delete the file, or save this match under another name."
            )
        with self.partial.open("r+b") as file:
            file.truncate(sum(len(line) + 1 for line in lines))
        results = [list(json.loads(line)["result"].values()) for line in lines[1:]]
        return np.array(results, np.int64).reshape(len(results), width)

    def add(self, batch: Batch) -> None:
        columns = self.match.game.columns
        for row, result in enumerate(batch.results):
            if batch.records:
                line = batch.records[row]
            else:
                named = {column: int(value) for column, value in zip(columns, result, strict=True)}
                line = json.dumps({"number": batch.first + row, "result": named}).encode()
            self.lines.write(line + b"\n")
        self.lines.flush()

    def games(self) -> Iterator[bytes]:
        with self.partial.open("rb") as file:
            next(file)
            for line in file:
                yield line.rstrip(b"\n")

    def close(self) -> None:
        """Leave the games where a later run finds them."""
        self.lines.close()

    def finish(self, summary: dict[str, Any]) -> None:
        self.lines.close()
        draft = self.path.with_name(self.path.name + ".new")
        if self.path.suffix == ".csv":
            with draft.open("w", newline="") as file:
                rows = csv.writer(file)
                rows.writerow(["game", *self.match.game.columns])
                for line in self.games():
                    game = json.loads(line)
                    rows.writerow([game["number"], *game["result"].values()])
        else:
            with draft.open("wb") as out:
                self._write_records(out, summary)
        draft.replace(self.path)
        self.partial.unlink()

    def _write_records(self, out: Any, summary: dict[str, Any]) -> None:
        one_document = self.path.suffix == ".json"
        if one_document:
            out.write(b'{"summary":' + json.dumps(summary).encode() + b',\n"games":[\n')
        for number, line in enumerate(self.games()):
            out.write((b",\n" if number and one_document else b"") + line + (b"" if one_document else b"\n"))
        if one_document:
            out.write(b"\n]}\n")
