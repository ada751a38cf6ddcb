"""A damaged database: what can be read is brought back, the damaged file stays beside it as it is.

SQLite stops at the first malformed page it meets, and finds nothing below a damaged root. So what it reads is filled up
by what is found in the pages themselves: a page that cannot be read costs the rows on it, not the others.
"""

import contextlib
import logging
import math
import sqlite3
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec

from kibitz.web.page_scan import PageScan, SqliteRecord
from kibitz.web.sqlite_store import COLUMNS, SCHEMA, SqliteStore, decoded, make_private

log = logging.getLogger("kibitz.web")

CHECKING = 3.0  # seconds for a look at the whole file; of a huge one only a part is looked at
STEPS = 100_000  # instructions of SQLite's virtual machine between two calls of the progress handler
TELLING = 2.0  # seconds between two words about how far the reading is
FILES = ("", "-wal", "-shm", "-journal")
UNREADABLE = (sqlite3.Error, UnicodeError)  # an error may quote damaged text, which is not always UTF-8
LOG = ("table_id", "entry", "kind", "payload")
NOTES = ("table_id", "seat", "card", "text", "turn")
VERSION_1 = COLUMNS[:13]  # of `tables`
ADDED = ("put_away", "untouched", "damaged")  # in version 2; on the disk, older rows end before them
ENDS = "create table ends (table_id text primary key, entry integer not null)"  # the last entry, where it was seen
KEEP_END = "insert into ends values (?, ?) on conflict do update set entry = max(entry, excluded.entry)"
KEEP_TABLE = (  # of two versions of a row the one that was finished later
    f"insert into tables ({', '.join(COLUMNS)}) values ({', '.join('?' * len(COLUMNS))}) on conflict do update set "
    f"({', '.join(COLUMNS)}) = ({', '.join(f'excluded.{name}' for name in COLUMNS)}) "
    "where (coalesce(excluded.finished, -1), length(coalesce(excluded.summary, ''))) "
    "> (coalesce(tables.finished, -1), length(coalesce(tables.summary, '')))"
)


@dataclass
class Salvage:
    """How many tables could be read: whole, perhaps without the end of their log, or not."""

    whole: int = 0
    shortened: int = 0
    lost: int = 0


def open_store(path: Path, untouched_kept: int) -> tuple[SqliteStore, list[str]]:
    """The store in a file, and what had to be said of its condition."""
    if not path.exists():
        return SqliteStore(path, untouched_kept), []
    make_private(path)
    trouble = integrity(path)
    if not trouble:
        return SqliteStore(path, untouched_kept), []
    log.warning("%s is damaged. What can be read of it is being brought back.", path)
    # The damaged file stays in its place until all is brought over: who is interrupted can begin again.
    fresh = path.with_name(f"{path.name}.recovering")
    for suffix in FILES:
        fresh.with_name(fresh.name + suffix).unlink(missing_ok=True)
    store = SqliteStore(fresh)
    try:
        salvage = bring_over(path, store)
    finally:
        store.close()
    damaged = set_aside(path)
    rename(fresh, path)
    message = f"{path} is damaged ({trouble}). {salvage.whole} tables are brought back whole"
    if salvage.shortened:
        message += f", {salvage.shortened} perhaps without their last moves"
    if salvage.lost:
        message += f", {salvage.lost} could not be read"
    return SqliteStore(path, untouched_kept), [f"{message}. The damaged file is kept as {damaged}."]


def integrity(path: Path) -> str:
    """What is wrong with a database; empty if nothing is, as far as one can see in a short time."""
    wal = path.with_name(path.name + "-wal")
    if not path.stat().st_size:
        return "it is empty, but its -wal file is not" if wal.exists() and wal.stat().st_size else ""
    until = time.monotonic() + CHECKING
    try:
        with contextlib.closing(opened_to_read(path)) as connection:
            connection.set_progress_handler(lambda: int(time.monotonic() > until), STEPS)
            [found] = connection.execute("pragma integrity_check(1)").fetchone()
            return wrong_schema(path, connection) if found == "ok" else str(found).replace("\n", " ")
    except sqlite3.OperationalError as error:
        return "" if str(error) == "interrupted" else str(error)
    except UNREADABLE as error:
        return str(error)


def opened_to_read(path: Path) -> sqlite3.Connection:
    """A connection that does not write the write-ahead log back into the file when it is closed."""
    # A rollback journal (left by a crash while the file was made) must be applied before anything can be read.
    mode = "rw" if path.with_name(f"{path.name}-journal").exists() else "ro"
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True)


def wrong_schema(path: Path, connection: sqlite3.Connection) -> str:
    """Damage of the first page that SQLite does not call so: names that were changed, a format it only reads."""
    with path.open("rb") as file:
        if file.read(19)[18] > 2:
            return "its header names a format that cannot be written"
    [version] = connection.execute("pragma user_version").fetchone()
    tables = VERSION_1 if version == 1 else (*VERSION_1, *ADDED)
    notes = NOTES if version > 2 else NOTES[:4]
    for table, columns in (("tables", tables), ("log", LOG), ("notes", notes)):
        missing = set(columns) - {row[1] for row in connection.execute(f"pragma table_info({table})")}
        if version and missing:
            return f"{table} has no column {min(missing)}"
    return ""


def set_aside(path: Path) -> Path:
    """Give a damaged database a name that says so: where it is now."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    damaged = path.with_name(f"{path.name}.damaged-{stamp}")
    number = 1
    while damaged.exists():
        number += 1
        damaged = path.with_name(f"{path.name}.damaged-{stamp}-{number}")
    rename(path, damaged)
    return damaged


def rename(path: Path, target: Path) -> None:
    """Rename a database and the files that belong to it."""
    for suffix in FILES:
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(target.with_name(target.name + suffix))


def bring_over(damaged: Path, store: SqliteStore) -> Salvage:
    """Copy every table that can be read. A game that is over must be whole; another may lack its last moves."""
    salvage = Salvage()
    with contextlib.closing(sqlite3.connect("", isolation_level=None)) as found:  # in a temporary file if it is big
        found.executescript(SCHEMA + ENDS)
        log_is_complete = gather(damaged, found)
        store.reading.execute("begin immediate")
        for (id,) in found.execute("select id from tables union select table_id from log").fetchall():
            row = found.execute(f"select {', '.join(COLUMNS)} from tables where id = ?", (id,)).fetchone()
            every = found.execute("select * from log where table_id = ? order by entry", (id,)).fetchall()
            entries = [entry for number, entry in enumerate(every) if entry[1] == number]
            ends = found.execute("select entry from ends where table_id = ?", (id,)).fetchone()
            whole = len(entries) == len(every) and (log_is_complete or ends == (len(entries) - 1,))
            over = row is not None and row[COLUMNS.index("finished")] is not None
            if over:
                whole = is_whole(row, entries, whole)
            if row is None or (over and not whole):
                salvage.lost += 1
                continue
            notes = found.execute("select * from notes where table_id = ?", (id,)).fetchall()
            copy(store.reading, row, entries, notes)
            if whole:
                salvage.whole += 1
            else:
                salvage.shortened += 1
        store.reading.execute("commit")
    return salvage


def is_whole(row: SqliteRecord, entries: list[SqliteRecord], seen_to_end: bool) -> bool:
    """Whether a game that is over has all its moves: as many as its summary says, if it says so."""
    summary = msgspec.json.decode(str(row[COLUMNS.index("summary")] or "null"))
    turn = summary.get("turn") if isinstance(summary, dict) else None
    return seen_to_end if turn is None else turn == moves_that_count(entries)


def moves_that_count(entries: list[SqliteRecord]) -> int:
    """How many moves a log leads to: some may have been taken back."""
    count = 0
    for _, _, kind, payload in entries:
        if kind == "undo":
            count = int(msgspec.json.decode(str(payload))["turn"])
        count += kind == "move"
    return count


def copy(target: sqlite3.Connection, row: SqliteRecord, entries: list[SqliteRecord], notes: list[SqliteRecord]) -> None:
    target.execute(f"insert into tables ({', '.join(COLUMNS)}) values ({', '.join('?' * len(COLUMNS))})", row)
    target.executemany("insert into log values (?, ?, ?, ?)", entries)
    target.executemany("insert into notes values (?, ?, ?, ?, ?)", notes)


def gather(damaged: Path, found: sqlite3.Connection) -> bool:
    """Put every row that can be read into another database, and say whether SQLite could read the log to its end.

    What SQLite reaches comes first and stays. If the list of freed pages is lost, rows that were deleted may come, too.
    """
    scan = PageScan(damaged)
    found.execute("begin")
    log_is_complete = not scan.torn and gather_by_sql(damaged, found)
    reported = time.monotonic()
    for number, records in scan.runs():
        keep(found, records)
        if time.monotonic() > reported + TELLING:
            reported = time.monotonic()
            log.warning("%s: page %d of %d is read", damaged, number, scan.count)
    found.execute("commit")
    return log_is_complete


def gather_by_sql(damaged: Path, found: sqlite3.Connection) -> bool:
    """The rows up to the first that SQLite cannot read. No index is used: a damaged one can join parts of two rows."""
    with contextlib.suppress(*UNREADABLE), contextlib.closing(opened_to_read(damaged)) as source:
        columns = {row[1] for row in readable(source, "pragma table_info(tables)")}
        wanted = ", ".join(name if name in columns else f"null as {name}" for name in COLUMNS)
        keep(found, readable(source, f"select {wanted} from tables not indexed order by rowid"))
        keep(found, readable(source, "select * from notes"))
        keep(found, readable(source, f"select {', '.join(LOG)} from log order by table_id, entry"))
        counts = [list(readable(where, "select count(payload) from log")) for where in (source, found)]
        return counts[0] == counts[1]
    return False


def readable(source: sqlite3.Connection, sql: str) -> Iterator[SqliteRecord]:
    """The rows of a query, up to the first that cannot be read."""
    with contextlib.suppress(*UNREADABLE):
        yield from source.execute(sql)


def keep(found: sqlite3.Connection, records: Iterable[SqliteRecord]) -> None:
    """Add the rows among some records, which are in the order of their keys. They are told apart by their shape."""
    before: SqliteRecord = ()  # the entry of a log just before this record
    for record in records:
        entry = is_entry(record)
        if entry:
            found.execute("insert or ignore into log values (?, ?, ?, ?)", record)
        elif is_note(record):
            found.execute("insert or ignore into notes values (?, ?, ?, ?, ?)", (*record, 0)[: len(NOTES)])
        elif is_table(record):
            found.execute(KEEP_TABLE, (*record, None)[: len(COLUMNS)])
        if before and entry and before[0] != record[0]:
            found.execute(KEEP_END, before[:2])
        before = record if entry else ()


def is_entry(record: SqliteRecord) -> bool:
    match record:
        case (str(id), int(entry), str(kind), str(payload)):
            return is_name(id) and entry >= 0 and is_name(kind) and is_json(payload)
    return False


def is_note(record: SqliteRecord) -> bool:
    match record:
        case (str(id), int(), int(), str(text)) | (str(id), int(), int(), str(text), int()):
            return is_name(id) and text != "" and "\0" not in text
    return False


def is_table(record: SqliteRecord) -> bool:
    if not len(VERSION_1) <= len(record) <= len(VERSION_1) + len(ADDED):
        return False
    row = dict(zip(COLUMNS, (*record, None), strict=False))
    try:
        finite = all(math.isfinite(value) for value in record if isinstance(value, float))
        decoded(row)  # checks the types
    except (msgspec.MsgspecError, ValueError, TypeError, RecursionError):
        return False
    no_blobs = not any(isinstance(value, bytes) for value in record)
    return finite and no_blobs and is_name(row["id"]) and is_name(row["game"]) and str(row["host"]).isprintable()


def is_name(text: object) -> bool:
    return isinstance(text, str) and text != "" and text.isprintable()


def is_json(text: str) -> bool:
    try:
        msgspec.json.decode(text)
    except (msgspec.MsgspecError, ValueError, RecursionError):
        return False
    return True
