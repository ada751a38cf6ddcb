"""A damaged database: what can be read is brought back, the damaged file stays beside it as it is.

SQLite stops at the first malformed page it meets. So rows are asked for from both ends, by the table and by its index,
and one by one: a page that cannot be read costs the rows on it, not the others.
"""

import contextlib
import sqlite3
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from kibitz.web.sqlite_store import COLUMNS, SqliteStore, make_private

CHECKING = 3.0  # seconds for a look at the whole file; of a huge one only a part is looked at
STEPS = 100_000  # of SQLite's machine between two looks at the clock
FILES = ("", "-wal", "-shm")

Row = tuple[object, ...]


def open_store(path: Path, untouched_kept: int) -> tuple[SqliteStore, list[str]]:
    """The store in a file, and what had to be said of its condition."""
    if not path.exists() or not path.stat().st_size:
        return SqliteStore(path, untouched_kept), []
    make_private(path)
    trouble = integrity(path)
    if not trouble:
        return SqliteStore(path, untouched_kept), []
    damaged = set_aside(path)
    store = SqliteStore(path, untouched_kept)
    salvage = bring_over(damaged, store)
    told = f"{path} is damaged ({trouble}). {salvage.whole} tables are brought back"
    if salvage.shortened:
        told += f", {salvage.shortened} without their last moves"
    if salvage.lost:
        told += f", {salvage.lost} could not be read"
    return store, [f"{told}. The damaged file is kept as {damaged}."]


@dataclass
class Salvage:
    """How many tables could be read: whole, without the end of their log, or not."""

    whole: int = 0
    shortened: int = 0
    lost: int = 0


def integrity(path: Path) -> str:
    """What is wrong with a database; empty if nothing is, as far as one can see in a short time."""
    until = time.monotonic() + CHECKING
    try:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.set_progress_handler(lambda: int(time.monotonic() > until), STEPS)
            [found] = connection.execute("pragma quick_check(1)").fetchone()
            return "" if found == "ok" else str(found).replace("\n", " ")
    except sqlite3.OperationalError as error:
        return "" if str(error) == "interrupted" else str(error)
    except sqlite3.DatabaseError as error:
        return str(error)


def set_aside(path: Path) -> Path:
    """Rename a database with the files that belong to it: where it is now."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    damaged = path.with_name(f"{path.name}.damaged-{stamp}")
    number = 1
    while damaged.exists():
        number += 1
        damaged = path.with_name(f"{path.name}.damaged-{stamp}-{number}")
    for suffix in FILES:
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(damaged.with_name(damaged.name + suffix))
    return damaged


def bring_over(damaged: Path, store: SqliteStore) -> Salvage:
    """Copy every table that can be read. A game that is over must be whole; another may lack its last moves."""
    salvage = Salvage()
    try:
        source = sqlite3.connect(f"{damaged.as_uri()}?mode=ro", uri=True)
    except sqlite3.Error:
        return salvage
    with contextlib.closing(source):
        columns = {row[1] for row in readable(source, "pragma table_info(tables)")}
        wanted = ", ".join(name if name in columns else f"null as {name}" for name in COLUMNS)
        for id in sorted(ids(source)):
            row = next(readable(source, f"select {wanted} from tables where id = ?", (id,)), None)
            entries = contiguous(readable(source, "select * from log where table_id = ? order by entry", (id,)))
            whole = is_whole(source, id, len(entries))
            if row is None or (not whole and row[COLUMNS.index("finished")] is not None):
                salvage.lost += 1
                continue
            notes = list(readable(source, "select * from notes where table_id = ?", (id,)))
            copy(store.reading, row, entries, notes)
            if whole:
                salvage.whole += 1
            else:
                salvage.shortened += 1
    return salvage


def copy(target: sqlite3.Connection, row: Row, entries: list[Row], notes: list[Row]) -> None:
    target.execute("begin immediate")
    target.execute(f"insert into tables ({', '.join(COLUMNS)}) values ({', '.join('?' * len(COLUMNS))})", row)
    target.executemany("insert into log values (?, ?, ?, ?)", entries)
    target.executemany("insert into notes values (?, ?, ?, ?)", notes)
    target.execute("commit")


def contiguous(entries: Iterator[Row]) -> list[Row]:
    """Entries of a log from the first on, up to one that is missing."""
    found: list[Row] = []
    for entry in entries:
        if entry[1] != len(found):
            break
        found.append(entry)
    return found


def is_whole(source: sqlite3.Connection, id: str, entries: int) -> bool:
    """Whether a log has no more entries than were found, and can be read to its end."""
    try:
        [count] = source.execute("select count(payload) from log where table_id = ?", (id,)).fetchone()
        return bool(count == entries)
    except sqlite3.Error:
        return False


def ids(source: sqlite3.Connection) -> set[str]:
    """The names of all tables that anything can be found of."""
    found: set[object] = set()
    for order in ("asc", "desc"):
        for column in ("rowid", "id", "finished"):  # by the table itself, and by its two indexes
            found |= {row[0] for row in readable(source, f"select id from tables order by {column} {order}")}
        found |= {row[0] for row in readable(source, f"select distinct table_id from log order by table_id {order}")}
    return {id for id in found if isinstance(id, str)}


def readable(source: sqlite3.Connection, sql: str, values: Row = ()) -> Iterator[Row]:
    """The rows of a query, up to the first that cannot be read."""
    with contextlib.suppress(sqlite3.Error):
        yield from source.execute(sql, values)
