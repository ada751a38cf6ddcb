"""The rows of a run: finished parts as Parquet files, and the newest rows in a journal.

Parts have a fixed number of rows, whatever the order of events, so a resumed run has the same files as an unbroken one.
Memory holds one part at a time.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kibitz.arena.runs.journal import Journal
from kibitz.core.whole_files import whole_file
from kibitz.errors import KibitzError
from kibitz.extras import need
from kibitz.text import error_text

if TYPE_CHECKING:
    import polars

PART = 100_000  # rows of numbers in a file
TEXTS_A_PART = 2_000
MOST_ROWS = 10_000_000  # that a part may declare; the parts of a run are smaller


class Rows:
    """Rows of one kind; see the three kinds below. `together` rows are kept or dropped as a whole."""

    size = 0  # of a row in the journal in bytes; 0 for lines

    def __init__(self, folder: Path, name: str, together: int = 1, part: int = PART) -> None:
        need("frames")
        self.folder, self.name, self.together = folder, name, together
        self.part = max(1, part // together) * together
        self.parts = sorted(folder.glob(f"{name}-*.parquet"))
        self.in_parts = sum(map(self._length, self.parts))
        self._begin_journal()

    def _begin_journal(self) -> None:
        path = self.folder / f"{self.name}-{len(self.parts):05}.tail"
        for old in self.folder.glob(f"{self.name}-*.tail"):
            if old != path:
                old.unlink()  # its rows are in a part
        header = {"rows": self.name, "part": len(self.parts), "size": self.size}
        self.journal = Journal(path, header, "other rows", self.size, self.together)
        self.in_journal = self._count(self.journal.entries())

    def _count(self, entries: bytes) -> int:
        return len(entries) // self.size if self.size else entries.count(b"\n")

    def __len__(self) -> int:
        return self.in_parts + self.in_journal

    # To and from the forms that are stored

    def encoded(self, rows: Any) -> bytes:
        raise NotImplementedError

    def decoded(self, entries: bytes) -> Any:
        raise NotImplementedError

    def to_frame(self, rows: Any) -> "polars.DataFrame":
        raise NotImplementedError

    def from_frame(self, frame: "polars.DataFrame") -> Any:
        raise NotImplementedError

    # Writing

    def add(self, rows: Any) -> None:
        if not len(rows):
            return
        self.journal.add(self.encoded(rows))
        self.in_journal += len(rows)
        if self.in_journal >= self.part:
            rows = self._in_journal()
            while len(rows) >= self.part:
                self._write(rows[: self.part])
                rows = rows[self.part :]
                self._begin_journal()
                if len(rows):
                    self.journal.add(self.encoded(rows))
                    self.in_journal = len(rows)

    def _write(self, rows: Any) -> None:
        path = self.folder / f"{self.name}-{len(self.parts):05}.parquet"
        write_parquet(path, self.to_frame(rows))
        self.parts.append(path)
        self.in_parts += len(rows)

    def finish(self) -> None:
        """Write the rows of the journal as the last part."""
        if self.in_journal:
            self._write(self._in_journal())
        self.journal.path.unlink(missing_ok=True)
        self.in_journal = 0

    # Reading

    def _in_journal(self) -> Any:
        try:
            return self.decoded(self.journal.entries())
        except ValueError as error:
            raise self.journal.damaged(0, error) from None

    def blocks(self) -> Iterator[Any]:
        """All rows, a part at a time."""
        for path in self.parts:
            yield read_parquet(path, self.from_frame)
        if self.in_journal:
            yield self._in_journal()

    def _length(self, path: Path) -> int:
        import polars as pl

        with readable(path):
            rows = int(pl.scan_parquet(path).select(pl.len()).collect().item())
            if rows > MOST_ROWS:
                raise ValueError(f"it declares {rows:,} rows")
        return rows


class Numbers(Rows):
    """Rows of whole numbers, as arrays."""

    def __init__(
        self, folder: Path, name: str, columns: Sequence[str], together: int = 1, part: int = PART
    ) -> None:  # fmt: skip
        self.columns = tuple(columns)
        self.size = 8 * len(self.columns)
        super().__init__(folder, name, together, part)

    def encoded(self, rows: Any) -> bytes:
        return np.ascontiguousarray(rows, np.int64).tobytes()

    def decoded(self, entries: bytes) -> Any:
        return np.frombuffer(entries, np.int64).reshape(-1, len(self.columns))

    def to_frame(self, rows: Any) -> "polars.DataFrame":
        import polars as pl

        return pl.DataFrame({name: rows[:, place] for place, name in enumerate(self.columns)})

    def from_frame(self, frame: "polars.DataFrame") -> Any:
        if tuple(frame.columns) != self.columns:
            raise ValueError(f"it has the columns {', '.join(frame.columns)}")
        return np.ascontiguousarray(frame.to_numpy(), np.int64).reshape(-1, len(self.columns))

    def whole(self) -> Any:
        """All rows in one array."""
        return np.concatenate([np.zeros((0, len(self.columns)), np.int64), *self.blocks()])


class Texts(Rows):
    """Lines of text, as bytes without the line break."""

    def __init__(self, folder: Path, name: str, together: int = 1, part: int = TEXTS_A_PART) -> None:
        super().__init__(folder, name, together, part)

    def encoded(self, rows: Any) -> bytes:
        return b"".join(row + b"\n" for row in rows)

    def decoded(self, entries: bytes) -> Any:
        return entries.splitlines()

    def to_frame(self, rows: Any) -> "polars.DataFrame":
        import polars as pl

        return pl.DataFrame({self.name: [row.decode() for row in rows]}, schema={self.name: pl.String})

    def from_frame(self, frame: "polars.DataFrame") -> Any:
        return [text.encode() for text in frame[self.name].to_list()]


class Entries(Rows):
    """Entries of plain values by name. In Parquet, each name is a column; values that are no numbers are JSON."""

    def encoded(self, rows: Any) -> bytes:
        return b"".join(json.dumps(row, separators=(",", ":")).encode() + b"\n" for row in rows)

    def decoded(self, entries: bytes) -> Any:
        rows = []
        for number, line in enumerate(entries.splitlines()):
            try:
                rows.append(json.loads(line))
                if not isinstance(rows[-1], dict):
                    raise ValueError("it is not an object")
            except (ValueError, RecursionError) as error:
                raise self.journal.damaged(number, error) from None
        return rows

    def to_frame(self, rows: Any) -> "polars.DataFrame":
        import polars as pl

        names = dict.fromkeys(name for row in rows for name in row)
        columns = {}
        for name in names:
            values = [row.get(name) for row in rows]
            plain = all(value is None or type(value) in (int, float) for value in values)
            columns[name] = pl.Series(
                name, values if plain else [json.dumps(value) for value in values], strict=False
            )  # fmt: skip
        return pl.DataFrame(columns)

    def from_frame(self, frame: "polars.DataFrame") -> Any:
        import polars as pl

        texts = {name for name, kind in frame.schema.items() if kind == pl.String}
        return [
            {name: json.loads(value) if name in texts else value for name, value in row.items()}
            for row in frame.to_dicts()
        ]

    def whole(self) -> list[dict[str, Any]]:
        return [row for block in self.blocks() for row in block]


class Tally:
    """Sums that grow as games are played: counts by name, each with a number of places."""

    MOST_ROWS = 2_000  # of the journal, before they are added up

    def __init__(self, folder: Path, name: str, widths: Mapping[str, int]) -> None:
        need("frames")
        self.folder, self.name, self.widths = folder, name, dict(widths)
        self.width = sum(self.widths.values())
        self.path = folder / f"{name}.parquet"
        self.total = np.zeros(self.width, np.int64)
        self.journal: Journal | None = None
        if self.path.is_file():
            self.total = self._read()
            return
        self.journal = self._journal()
        rows = np.frombuffer(self.journal.entries(), np.int64).reshape(-1, self.width)
        self.rows, self.total = len(rows), rows.sum(axis=0)

    def _journal(self) -> Journal:
        header = {"rows": self.name, "widths": self.widths}
        return Journal(self.folder / f"{self.name}.tail", header, "other sums", 8 * self.width)

    def add(self, sums: Any) -> None:
        assert self.journal is not None
        self.journal.add(np.ascontiguousarray(sums, np.int64).tobytes())
        self.total = self.total + sums
        self.rows += 1
        if self.rows >= self.MOST_ROWS:
            with whole_file(self.journal.path) as draft:
                draft.write_bytes(self.journal.header + self.total.tobytes())
            self.rows = 1

    def finish(self) -> None:
        import polars as pl

        if self.journal is None:
            return
        parts = np.split(self.total, np.cumsum([*self.widths.values()])[:-1])
        columns = {name: [part.tolist()] for name, part in zip(self.widths, parts, strict=True)}
        write_parquet(self.path, pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.List(pl.Int64))))
        self.journal.path.unlink(missing_ok=True)
        self.journal = None

    def _read(self) -> Any:
        return read_parquet(self.path, self._sums)

    def _sums(self, frame: "polars.DataFrame") -> Any:
        found = {name: frame[name].to_list() for name in frame.columns}
        if {name: len(value[0]) if value else 0 for name, value in found.items()} != self.widths:
            raise ValueError("it has other columns")
        return np.array([number for value in found.values() for number in value[0]], np.int64)


def write_parquet(path: Path, frame: "polars.DataFrame") -> None:
    try:
        with whole_file(path) as draft:
            frame.write_parquet(draft, statistics=False)
    except OSError as error:
        raise KibitzError(
            f"{path} cannot be written: {error.strerror or error}. What was played before is kept: fix the cause, then "
            f"run the same command to resume."
        ) from None


def read_parquet(path: Path, decode: Callable[["polars.DataFrame"], Any]) -> Any:
    import polars as pl

    with readable(path):
        return decode(pl.read_parquet(path))


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Report whatever is wrong with a file, which somebody may have changed, in a sentence."""
    from polars.exceptions import PanicException, PolarsError

    try:
        yield
    except (PolarsError, PanicException, OSError, ValueError, TypeError, LookupError, RecursionError) as error:
        raise damaged(path, error) from None


def damaged(path: Path, why: BaseException) -> KibitzError:
    text = error_text(why).splitlines()[0]
    return KibitzError(
        f"{path} is damaged or was cut off ({text}). The other files of the run are kept. Restore a copy of this one, "
        f"or delete the run with `kibitz run delete {path.parent.name}` and run its command again."
    )
