"""The tables on disk: what each began with, and the log of what happened, which only ever grows.

A visitor is told of nothing that is not on the disk. One thread writes, everything that waits in one transaction, so
that many tables share the time a disk takes to be sure.
"""

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

import msgspec

from kibitz.core.errors import KibitzError

VERSION = 1
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
    summary text
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
    primary key (table_id, seat, card)
) strict, without rowid;
"""
COLUMNS = (
    "id", "game", "rules", "start", "dice", "seed", "number", "seats", "options", "host", "created", "finished",
    "summary",
)  # fmt: skip
AS_JSON = ("rules", "start", "seats", "options", "summary")


class StoreError(KibitzError):
    """The disk did not take what was to be kept."""


class Kept(msgspec.Struct, kw_only=True):
    """A table as it began, and when and how it ended."""

    id: str
    game: str
    rules: dict[str, str]
    start: Any
    dice: int
    seed: int | None = None
    number: int | None = None
    seats: list[Any]
    options: dict[str, Any]
    host: str  # a digest of the token of who made the table
    created: float
    finished: float | None = None
    summary: dict[str, Any] | None = None  # of a finished table: what the lobby shows


class Entry(NamedTuple):
    """What happened at a table: a move, or a change of who sits where or of the pace."""

    kind: str
    payload: Any


Statement = tuple[str, tuple[Any, ...]]


class Job(NamedTuple):
    statements: Sequence[Statement]
    loop: asyncio.AbstractEventLoop
    done: "asyncio.Future[None]"


class Store:
    def __init__(self, path: Path, keeps: bool = True) -> None:
        """What is in a file. A store that does not keep anything takes it all and forgets it."""
        self.path, self.keeps = path, keeps
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.reading = self._open()
            self._set_up()
            self.writing = self._open()
        except (sqlite3.Error, OSError) as error:
            raise StoreError(
                f"The tables cannot be kept in {path}: {error}. Choose another folder with --data."
            ) from None
        self.jobs: SimpleQueue[Job | None] = SimpleQueue()
        self.writer = threading.Thread(target=self._write_on, name="store", daemon=True)
        self.writer.start()

    def _open(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, check_same_thread=False, isolation_level=None)
        connection.execute("pragma journal_mode = wal")
        connection.execute("pragma synchronous = full")  # a move that was told survives a loss of power, too
        return connection

    def _set_up(self) -> None:
        version = int(self.reading.execute("pragma user_version").fetchone()[0])
        if version not in (0, VERSION):
            raise StoreError(
                f"{self.path} was written by another version of kibitz (its tables are of version {version}, this one "
                f"reads {VERSION}). Choose another folder with --data."
            )
        self.reading.executescript(SCHEMA)
        self.reading.execute(f"pragma user_version = {VERSION}")

    # Writing

    def _write_on(self) -> None:
        while True:
            jobs = [self.jobs.get()]
            while not self.jobs.empty():
                jobs.append(self.jobs.get())
            wanted = [job for job in jobs if job is not None]
            if wanted:
                report(wanted, self._commit(wanted))
            if len(wanted) < len(jobs):
                return

    def _commit(self, jobs: Sequence[Job]) -> list[Exception | None]:
        """All jobs in one transaction; if that fails, each in its own, so that one does not spoil the others."""
        failure = self._try(statement for job in jobs for statement in job.statements)
        if failure is None or len(jobs) == 1:
            return [failure] * len(jobs)
        return [self._try(job.statements) for job in jobs]

    def _try(self, statements: Any) -> Exception | None:
        try:
            self.writing.execute("begin immediate")
            for sql, values in statements:
                self.writing.execute(sql, values)
            self.writing.execute("commit")
        except sqlite3.Error as error:
            if self.writing.in_transaction:
                self.writing.execute("rollback")
            return StoreError(f"It could not be written to {self.path}: {error}.")
        return None

    async def write(self, *statements: Statement) -> None:
        """Return when the statements are on the disk."""
        if not self.keeps:
            return
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

    # Reading

    def unfinished(self) -> list[Kept]:
        return self._tables("where finished is null order by created")

    def finished(self, limit: int) -> list[Kept]:
        """The last that were finished, the newest first."""
        return self._tables("where finished is not null order by finished desc limit ?", limit)

    def table(self, id: str) -> Kept | None:
        return next(iter(self._tables("where id = ?", id)), None)

    def log(self, id: str) -> list[Entry]:
        rows = self.reading.execute("select kind, payload from log where table_id = ? order by entry", (id,))
        return [Entry(kind, msgspec.json.decode(payload)) for kind, payload in rows]

    def notes(self, id: str) -> list[tuple[int, int, str]]:
        return list(self.reading.execute("select seat, card, text from notes where table_id = ?", (id,)))

    def _tables(self, which: str, *values: Any) -> list[Kept]:
        rows = self.reading.execute(f"select {', '.join(COLUMNS)} from tables {which}", values)
        return [read(dict(zip(COLUMNS, row, strict=True))) for row in rows]


def report(jobs: Sequence[Job], failures: Sequence[Exception | None]) -> None:
    """Tell those who wait, all in one go."""

    def tell() -> None:
        for job, failure in zip(jobs, failures, strict=True):
            if job.done.cancelled():
                continue
            if failure is None:
                job.done.set_result(None)
            else:
                job.done.set_exception(failure)

    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
        jobs[0].loop.call_soon_threadsafe(tell)


def read(row: dict[str, Any]) -> Kept:
    for name in AS_JSON:
        if row[name] is not None:
            row[name] = msgspec.json.decode(row[name])
    return Kept(**row)


# What can be written


def as_text(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def new_table(kept: Kept) -> Statement:
    row = msgspec.structs.asdict(kept)
    values = tuple(as_text(row[name]) if name in AS_JSON and row[name] is not None else row[name] for name in COLUMNS)
    return f"insert into tables ({', '.join(COLUMNS)}) values ({', '.join('?' * len(COLUMNS))})", values


def new_entry(id: str, entry: int, kind: str, payload: Any) -> Statement:
    return "insert into log values (?, ?, ?, ?)", (id, entry, kind, as_text(payload))


def finish(id: str, when: float, summary: dict[str, Any]) -> Statement:
    return "update tables set finished = ?, summary = ? where id = ?", (when, as_text(summary), id)


def note(id: str, seat: int, card: int, text: str) -> Statement:
    if not text:
        return "delete from notes where table_id = ? and seat = ? and card = ?", (id, seat, card)
    return "insert or replace into notes values (?, ?, ?, ?)", (id, seat, card, text)
