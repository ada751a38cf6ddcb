"""The tables in an SQLite database: what each began with, and the log of what happened, which only ever grows.

Nobody is told of anything that is not on the disk. One thread writes, everything that waits in one transaction, so that
many tables share the time a disk takes to be sure.
"""

import asyncio
import contextlib
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

import msgspec

from kibitz.live.storage import Entry, History, Note, StorageError, StoredTable
from kibitz.web.search import words_of

log = logging.getLogger("kibitz.web")

VERSION = 3
SCHEMA = """
create table if not exists tables (
    id text primary key,
    game text not null,
    rules text not null,
    start text not null,
    dice integer not null,
    seed integer,
    number integer,
    seats text not null,
    options text not null,
    host text not null,
    created real not null,
    finished real,
    summary text,
    put_away real,
    untouched integer not null default 0,
    damaged text
) strict;
create index if not exists by_finish on tables (finished);
create table if not exists log (
    table_id text not null references tables (id),
    entry integer not null,
    kind text not null,
    payload text not null,
    primary key (table_id, entry)
) strict, without rowid;
create table if not exists notes (
    table_id text not null references tables (id),
    seat integer not null,
    card integer not null,
    text text not null,
    turn integer not null default 0,
    primary key (table_id, seat, card)
) strict, without rowid;
create table if not exists set_aside (
    table_id text not null,
    entry integer not null,
    kind text not null,
    payload blob not null,
    why text not null
) strict;
create table if not exists search (
    table_id text primary key,
    words text not null
) strict, without rowid;
"""
COLUMNS = (
    "id", "game", "rules", "start", "dice", "seed", "number", "seats", "options", "host", "created", "finished",
    "summary", "put_away",
)  # fmt: skip
AS_JSON = ("rules", "start", "seats", "options", "summary")
UPGRADES = {  # from a version to the next
    1: (
        "alter table tables add column put_away real",
        "alter table tables add column untouched integer not null default 0",
        "alter table tables add column damaged text",
    ),
    2: ("alter table notes add column turn integer not null default 0",),
}
PURGE = (
    "select id from tables where untouched = 1 and put_away is not null and finished is null "
    "order by put_away desc limit -1 offset ?"
)

OVER = "finished is not null and damaged is null"
UNREADABLE = (msgspec.MsgspecError, UnicodeError)  # what damaged text raises

Statement = tuple[str, tuple[Any, ...]]


class KeptTable(NamedTuple):
    """What a list shows of a table that is not in memory."""

    id: str
    game: str
    created: float
    finished: float | None
    seats: list[Any]  # as they were at the start
    listing: dict[str, Any] | None
    moves: int


class Job(NamedTuple):
    statements: Sequence[Statement]
    loop: asyncio.AbstractEventLoop
    done: "asyncio.Future[None]"


class SqliteStore:
    def __init__(self, path: Path, untouched_kept: int = 10_000) -> None:
        """What is in a file; it is made if there is none.

        Of the tables where nobody ever moved, so many are kept when they are put away.
        """
        self.path, self.untouched_kept = path, untouched_kept
        try:
            make_private(path)
            self.reading = open_database(path)
            self._set_up()
            self.writing = open_database(path)
        except (sqlite3.Error, OSError) as error:
            raise StorageError(
                f"The tables cannot be kept in {path}: {error}. Choose another folder with --data."
            ) from None
        self.counted: int | None = None  # tables that are over; None: to be counted anew
        self.jobs: SimpleQueue[Job | None] = SimpleQueue()
        self.writer = self._started_writer()

    def _set_up(self) -> None:
        version = int(self.reading.execute("pragma user_version").fetchone()[0])
        if version not in (0, *UPGRADES, VERSION):
            raise StorageError(
                f"{self.path} was written by another version of kibitz (its tables are of version {version}, this one "
                f"reads {VERSION}). Choose another folder with --data."
            )
        for before in range(version or VERSION, VERSION):
            for statement in UPGRADES[before]:
                self.reading.execute(statement)
        self.reading.executescript(SCHEMA)
        if version != VERSION:
            self.reading.execute(f"pragma user_version = {VERSION}")
        self._fill_search()

    def _fill_search(self) -> None:
        """Let games be found that an earlier version finished, or that were brought back from a damaged file."""
        lacking = "finished is not null and damaged is null and id not in (select table_id from search)"
        rows = self.reading.execute(f"select id, summary from tables where {lacking}").fetchall()
        if rows:
            self.reading.execute("begin immediate")
            for id, text in rows:
                with contextlib.suppress(sqlite3.Error, UnicodeError):  # damaged, and not to be found
                    self.reading.execute(*findable(id, row_of(text) or {}))
            self.reading.execute("commit")

    # Writing

    def _started_writer(self) -> threading.Thread:
        writer = threading.Thread(target=self._write_on, name="store", daemon=True)
        writer.start()
        return writer

    def _write_on(self) -> None:
        while True:
            jobs = [self.jobs.get()]
            while not self.jobs.empty():
                jobs.append(self.jobs.get())
            wanted = [job for job in jobs if job is not None]
            if wanted:
                try:
                    failures = self._commit(wanted)
                except BaseException as error:  # whatever it is, who waits is told, and the next jobs are done
                    log.exception("The store failed at a write")
                    failures = [StorageError(f"It could not be written to {self.path}: {error!r}.")] * len(wanted)
                report(wanted, failures)
            if len(wanted) < len(jobs):
                return

    def _commit(self, jobs: Sequence[Job]) -> list[StorageError | None]:
        """All jobs in one transaction; if that fails, each in its own, so that one does not spoil the others."""
        failure = self._try(statement for job in jobs for statement in job.statements)
        if failure is None or len(jobs) == 1:
            return [failure] * len(jobs)
        return [self._try(job.statements) for job in jobs]

    def _try(self, statements: Iterable[Statement]) -> StorageError | None:
        try:
            self.writing.execute("begin immediate")
            for sql, values in statements:
                self.writing.execute(sql, values)
            self.writing.execute("commit")
        except Exception as error:  # sqlite3's own, and what Python values raise that no column can hold
            self._roll_back()
            return StorageError(f"It could not be written to {self.path}: {error}.")
        return None

    def _roll_back(self) -> None:
        try:
            if self.writing.in_transaction:
                self.writing.execute("rollback")
        except sqlite3.Error:  # the connection is of no use any more
            with contextlib.suppress(sqlite3.Error):
                self.writing.close()
            self.writing = open_database(self.path)

    async def write(self, *statements: Statement) -> None:
        """Return when the statements are on the disk."""
        if not self.writer.is_alive():
            log.error("The thread that writes to %s has died; another takes its place", self.path)
            self.writer = self._started_writer()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self.jobs.put(Job(statements, loop, done))
        await done

    def close(self) -> None:
        """Write what waits, and stop."""
        self.jobs.put(None)
        self.writer.join()
        self.writing.close()
        self.reading.close()

    # What tables ask for: the protocol `Storage`

    async def add(self, table: StoredTable, entries: Sequence[Entry]) -> None:
        row = msgspec.structs.asdict(table)
        values = tuple(
            as_text(row[name]) if name in AS_JSON and row[name] is not None else row[name] for name in COLUMNS
        )
        new = f"insert into tables ({', '.join(COLUMNS)}) values ({', '.join('?' * len(COLUMNS))})"
        found = [findable(table.id, table.summary)] if table.summary else []
        await self.write((new, values), *new_entries(table.id, 0, entries), *found)
        self.counted = None

    async def append(self, id: str, first: int, entries: Sequence[Entry]) -> None:
        await self.write(*new_entries(id, first, entries))

    async def finish(self, id: str, when: float, summary: dict[str, Any]) -> None:
        await self.write(
            ("update tables set finished = ?, summary = ?, put_away = null where id = ?", (when, as_text(summary), id)),
            findable(id, summary),
        )
        self.counted = None

    async def write_note(self, id: str, note: Note) -> None:
        new = "insert or replace into notes values (?, ?, ?, ?, ?)", (id, *note)
        gone = "delete from notes where table_id = ? and seat = ? and card = ?", (id, note.seat, note.mark)
        await self.write(new if note.text else gone)

    async def put_away(self, tables: Mapping[str, bool], listings: Mapping[str, dict[str, Any]]) -> None:
        away, now = "update tables set put_away = ?, untouched = ?, summary = ? where id = ?", time.time()
        await self.write(
            *((away, (now, int(untouched), as_text(listings[id]), id)) for id, untouched in tables.items())
        )
        if any(tables.values()):
            surplus = [row[0] for row in self.reading.execute(PURGE, (self.untouched_kept,))]
            for id in surplus:
                await self.delete(id)

    async def bring_back(self, id: str) -> None:
        await self.write(("update tables set put_away = null, untouched = 0, summary = null where id = ?", (id,)))

    async def delete(self, id: str) -> None:
        parts = (*((name, "table_id") for name in ("log", "notes", "set_aside", "search")), ("tables", "id"))
        await self.write(*((f"delete from {table} where {column} = ?", (id,)) for table, column in parts))
        self.counted = None

    def load(self, id: str) -> History | None:
        rows = self._rows("where id = ?", id)
        if not rows:
            return None
        damage = self.reading.execute("select damaged from tables where id = ?", (id,)).fetchone()[0]
        if damage:
            raise StorageError(f"What is kept of table {id} is damaged: {damage}.")
        return History(decoded(rows[0]), self._entries(id), self._notes(id))

    # What the site asks for

    def unfinished(self, limit: int) -> tuple[list[History], list[str]]:
        """The tables that are to be in memory, the newest first, and what is wrong with others."""
        found, troubles = [], []
        which = "where finished is null and put_away is null and damaged is null order by created desc limit ?"
        for row in self._rows(which, limit):
            try:
                table = decoded(row)
            except UNREADABLE as error:
                troubles.append(f"Table {row['id']} is damaged and set aside, with its bytes as they are: {error}")
                self.reading.execute("update tables set damaged = ? where id = ?", (str(error), row["id"]))
                continue
            entries, trouble = self._readable_entries(table.id)
            if trouble:
                troubles.append(trouble)
            found.append(History(table, entries, self._notes(table.id)))
        return found, troubles

    def finished(self, limit: int, first: int = 0, terms: Sequence[str] = ()) -> list[dict[str, Any]]:
        """What the lobby shows of tables that are over, the newest first; with terms, of those that have all."""
        which = f"{OVER} {'and instr(words, ?) > 0 ' * len(terms)}order by finished desc limit ? offset ?"
        searched = "join search on table_id = id" if terms else ""
        rows = self.reading.execute(f"select summary from tables {searched} where {which}", (*terms, limit, first))
        return [summary for (text,) in rows if (summary := row_of(text)) is not None]

    def kept(self, ids: Sequence[str]) -> list[KeptTable]:
        """What is known of some tables without their games."""
        columns = (
            "id, game, created, finished, seats, summary, "
            "(select count(*) from log where table_id = id and kind = 'move' and summary is null)"
        )
        which = f"damaged is null and id in ({', '.join('?' * len(ids))})"
        found = []
        for id, game, created, finished, seats, summary, moves in self.reading.execute(
            f"select {columns} from tables where {which}", tuple(ids)
        ):
            with contextlib.suppress(*UNREADABLE):
                at_start = msgspec.json.decode(seats, type=list[Any])
                found.append(KeptTable(id, game, created, finished, at_start, row_of(summary), moves))
        return found

    def finished_count(self, terms: Sequence[str] = ()) -> int:
        if terms:
            which = f"{OVER} {'and instr(words, ?) > 0 ' * len(terms)}"
            counting = f"select count(*) from tables join search on table_id = id where {which}"
            return int(self.reading.execute(counting, tuple(terms)).fetchone()[0])
        if self.counted is None:
            self.counted = int(self.reading.execute(f"select count(*) from tables where {OVER}").fetchone()[0])
        return self.counted

    # Reading

    def _rows(self, which: str, *values: Any) -> list[dict[str, Any]]:
        rows = self.reading.execute(f"select {', '.join(COLUMNS)} from tables {which}", values)
        return [dict(zip(COLUMNS, row, strict=True)) for row in rows]

    def _entries(self, id: str) -> list[Entry]:
        rows = self.reading.execute("select kind, payload from log where table_id = ? order by entry", (id,))
        return [Entry(kind, msgspec.json.decode(payload)) for kind, payload in rows]

    def _notes(self, id: str) -> list[Note]:
        rows = self.reading.execute("select seat, card, text, turn from notes where table_id = ?", (id,))
        return [Note(*row) for row in rows]

    def _readable_entries(self, id: str) -> tuple[list[Entry], str]:
        """The log up to the first entry that cannot be read. That one and those after it are set aside."""
        with contextlib.suppress(*UNREADABLE):
            return self._entries(id), ""
        found: list[Entry] = []
        rows = self.reading.execute("select entry, kind, payload from log where table_id = ? order by entry", (id,))
        for entry, kind, payload in rows.fetchall():
            try:
                found.append(Entry(kind, msgspec.json.decode(payload)))
            except UNREADABLE as error:
                why = f"entry {entry} is damaged: {error}"
                break
        self.reading.execute("begin immediate")
        self.reading.execute(
            "insert into set_aside select table_id, entry, kind, cast(payload as blob), ? from log "
            "where table_id = ? and entry >= ?",
            (why, id, len(found)),
        )
        self.reading.execute("delete from log where table_id = ? and entry >= ?", (id, len(found)))
        self.reading.execute("commit")
        return found, f"Table {id} is brought back as it was after entry {len(found)} of its log: {why}"


def make_private(path: Path) -> None:
    """Decks and seeds of running games are in it: only the user who runs the server may read it."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(OSError):
            path.with_name(path.name + suffix).chmod(0o600)


def open_database(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10.0)
    connection.text_factory = lambda text: text.decode(errors="surrogateescape")  # damaged text is told by who reads it
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")  # fsync at every commit: what was told survives a power loss
    return connection


def report(jobs: Sequence[Job], failures: Sequence[StorageError | None]) -> None:
    """Tell those who wait, all in one go."""

    def tell() -> None:
        for job, failure in zip(jobs, failures, strict=True):
            if job.done.done():
                continue
            if failure is None:
                job.done.set_result(None)
            else:
                job.done.set_exception(failure)

    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
        jobs[0].loop.call_soon_threadsafe(tell)


def decoded(row: dict[str, Any]) -> StoredTable:
    """A row as a table, its types checked."""
    values = {
        name: msgspec.json.decode(value) if name in AS_JSON and value is not None else value
        for name, value in row.items()
    }
    return msgspec.convert(values, StoredTable)


def as_text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def row_of(text: str | None) -> dict[str, Any] | None:
    """What a list shows of a table; None if that is damaged or was never noted."""
    try:
        row = msgspec.json.decode(text or "null")
    except UNREADABLE:
        return None
    return row if isinstance(row, dict) else None


def findable(id: str, row: dict[str, Any]) -> Statement:
    return "insert or replace into search values (?, ?)", (id, words_of(row))


def new_entries(id: str, first: int, entries: Sequence[Entry]) -> list[Statement]:
    return [
        ("insert into log values (?, ?, ?, ?)", (id, number, entry.kind, as_text(entry.payload)))
        for number, entry in enumerate(entries, start=first)
    ]
