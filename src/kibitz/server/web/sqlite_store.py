"""Tables in an SQLite database: the start of each, and an append-only log of its events.

Nothing is announced before it is on the disk. One thread writes all that is waiting in one transaction, so that many
tables share the cost of a sync.
"""

import asyncio
import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import Any, NamedTuple

import msgspec

from kibitz.server.live.storage import (
    Entry,
    History,
    KeptTable,
    Note,
    StorageError,
    StoredTable,
    current_listing,
    current_options,
)
from kibitz.server.web.backups import Backups
from kibitz.server.web.schema import AS_JSON, COLUMNS, SCHEMA, UPGRADES, VERSION, make_private, open_database
from kibitz.server.web.search import words_of

log = logging.getLogger("kibitz.server.web")

# By order of creation: the clock may have been changed since.
PURGE = (
    "select id from tables where untouched = 1 and put_away is not null and finished is null "
    "order by rowid desc limit -1 offset ?"
)

OVER = "finished is not null and damaged is null"
KEPT = "id, game, created, finished, seats, options, summary"
UNREADABLE = (msgspec.MsgspecError, UnicodeError)  # raised by damaged text

# Visitors read these, so they do not name the server's files.
NOT_SAVED = "The server could not save this: {}. Nothing was changed. Try again later."
REASONS = {"SQLITE_FULL": "its disk is full", "SQLITE_IOERR": "its disk failed or is full",
           "SQLITE_READONLY": "its disk is read-only", "SQLITE_CORRUPT": "its database is damaged"}  # fmt: skip

Statement = tuple[str, tuple[Any, ...]]


class Job(NamedTuple):
    statements: Sequence[Statement]
    loop: asyncio.AbstractEventLoop
    done: "asyncio.Future[None]"


class SqliteStore:
    def __init__(self, path: Path, untouched_kept: int = 10_000, backups: Backups | None = None) -> None:
        """Open the store in a file, or create it.

        At most `untouched_kept` archived tables without a move are kept.
        """
        self.path, self.untouched_kept = path, untouched_kept
        self.backups = backups or Backups(path)
        try:
            make_private(path)
            self.reading = open_database(path)
            self._set_up()
            self.writing = open_database(path)
            self.searching = open_database(path)
        except (sqlite3.Error, OSError) as error:
            why = (error.strerror if isinstance(error, OSError) else None) or error
            raise StorageError(
                f"The tables cannot be saved in {path}: {why}. Free disk space or make the folder writable, or choose "
                "another with --data."
            ) from None
        self.counted: int | None = None  # finished tables; None: count again
        self.jobs: SimpleQueue[Job | None] = SimpleQueue()
        self.writer = self._started_writer()
        self.searcher = ThreadPoolExecutor(1, "search")  # the event loop does not wait for a table scan
        self.unsaved = False  # written since the last backup

    def _set_up(self) -> None:
        version = int(self.reading.execute("pragma user_version").fetchone()[0])
        if version not in (0, *UPGRADES, VERSION):
            raise StorageError(
                f"{self.path} was written by another version of kibitz (its schema has version {version}; this one "
                f"reads {', '.join(map(str, UPGRADES))} and {VERSION}). Update kibitz, or choose another folder with "
                "--data."
            )
        for before in range(version or VERSION, VERSION):
            for statement in UPGRADES[before]:
                self.reading.execute(statement)
        self.reading.executescript(SCHEMA)
        if version != VERSION:
            self.reading.execute(f"pragma user_version = {VERSION}")
        self._fill_search()

    def _fill_search(self) -> None:
        """Index finished games of earlier versions, or recovered from a damaged file, for search."""
        lacking = "finished is not null and damaged is null and id not in (select table_id from search)"
        rows = self.reading.execute(f"select id, summary from tables where {lacking}").fetchall()
        if rows:
            self.reading.execute("begin immediate")
            for id, text in rows:
                with contextlib.suppress(sqlite3.Error, UnicodeError):  # a damaged row is not indexed
                    self.reading.execute(*findable(id, row_of(text) or {}))
            self.reading.execute("commit")

    # Writing

    def _started_writer(self) -> threading.Thread:
        writer = threading.Thread(target=self._write_loop, name="store", daemon=True)
        writer.start()
        return writer

    def _write_loop(self) -> None:
        while True:
            jobs = [self.jobs.get()]
            while not self.jobs.empty():
                jobs.append(self.jobs.get())
            wanted = [job for job in jobs if job is not None]
            if wanted:
                try:
                    failures = self._commit(wanted)
                except BaseException:  # report the failure to the waiting callers and continue with the next jobs
                    log.exception("A write of the store failed")
                    failures = [StorageError(NOT_SAVED.format("internal error"))] * len(wanted)
                report(wanted, failures)
            if len(wanted) < len(jobs):
                return

    def _commit(self, jobs: Sequence[Job]) -> list[StorageError | None]:
        """Write all jobs in one transaction; if that fails, each in its own, so that one cannot spoil the others."""
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
        except Exception as error:  # sqlite3's errors, or values that no column can hold
            self._roll_back()
            log.error("%s could not be written: %s", self.path, error)
            return StorageError(NOT_SAVED.format(reason(error)))
        self.unsaved = True
        return None

    def _roll_back(self) -> None:
        try:
            if self.writing.in_transaction:
                self.writing.execute("rollback")
        except sqlite3.Error:  # the connection is broken
            with contextlib.suppress(sqlite3.Error):
                self.writing.close()
            self.writing = open_database(self.path)

    async def write(self, *statements: Statement) -> None:
        """Execute the statements; return when they are on the disk."""
        if not self.writer.is_alive():
            log.error("The writer thread of %s died; starting another", self.path)
            self.writer = self._started_writer()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self.jobs.put(Job(statements, loop, done))
        await done

    def close(self) -> None:
        """Write all waiting jobs and stop."""
        self.jobs.put(None)
        self.writer.join()
        self.searcher.shutdown()
        for connection in (self.writing, self.searching, self.reading):
            connection.close()

    # Backups

    async def back_up(self) -> Path | None:
        """Make a backup in a thread, if anything was written since the last one."""
        if not self.unsaved:
            return None
        self.unsaved = False  # later writes may be missing in it
        backup = await asyncio.to_thread(self.backups.make)
        self.unsaved = self.unsaved or backup is None
        return backup

    async def back_up_at_the_end(self) -> None:
        """Make a last backup if it does not take long."""
        if self.unsaved:
            await asyncio.to_thread(self.backups.make_last)

    # The protocol `Storage`, for tables

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
        parts = (*((name, "table_id") for name in ("log", "notes", "set_aside", "search", "reviews")), ("tables", "id"))
        await self.write(*((f"delete from {table} where {column} = ?", (id,)) for table, column in parts))
        self.counted = None

    async def keep_listings(self, listings: Mapping[str, dict[str, Any]]) -> None:
        await self.write(
            *(("update tables set summary = ? where id = ?", (as_text(row), id)) for id, row in listings.items())
        )

    def load(self, id: str) -> History | None:
        rows = self._rows("where id = ?", id)
        if not rows:
            return None
        damage = self.reading.execute("select damaged from tables where id = ?", (id,)).fetchone()[0]
        if damage:
            raise StorageError(f"The data of table {id} is damaged: {damage}.")
        try:
            table = decoded(rows[0])
        except UNREADABLE as error:
            self._set_damaged(id, error)
            raise StorageError(f"The data of table {id} is damaged: {error}.") from None
        return History(table, self._entries(id) if table.finished else self._readable_entries(id), self._notes(id))

    # For the site

    def unfinished(self, limit: int) -> list[KeptTable]:
        """Tables that are neither finished nor archived, newest first, without their games."""
        rows = self.reading.execute(
            f"select {KEPT} from tables where finished is null and put_away is null and damaged is null "
            "order by rowid desc limit ?",
            (limit,),
        )
        return self._kept(rows.fetchall())

    def finished(self, limit: int, first: int = 0) -> list[dict[str, Any]]:
        """The lobby rows of finished tables, newest first."""
        which = f"{OVER} order by finished desc limit ? offset ?"
        rows = self.reading.execute(f"select summary from tables where {which}", (limit, first))
        return [summary for (text,) in rows if (summary := row_of(text)) is not None]

    def kept(self, ids: Sequence[str]) -> list[KeptTable]:
        """Some tables without their games."""
        which = f"damaged is null and id in ({', '.join('?' * len(ids))})"
        return self._kept(self.reading.execute(f"select {KEPT} from tables where {which}", tuple(ids)).fetchall())

    def _kept(self, rows: Sequence[tuple[Any, ...]]) -> list[KeptTable]:
        found = []
        for id, game, created, finished, text, options, summary in rows:
            try:
                seats = msgspec.json.decode(text, type=list[Any])
                named = current_options(msgspec.json.decode(options, type=dict[str, Any]))
            except UNREADABLE as error:
                self._set_damaged(id, error)
                continue
            listing, moves = row_of(summary), 0
            if listing is None:
                with contextlib.suppress(*UNREADABLE, KeyError, IndexError, TypeError):
                    for payload in self._payloads(id, "seat"):
                        change = msgspec.json.decode(payload)
                        seats[change["number"]] = change["seat"]
                moves = len(self._payloads(id, "move"))
            analysis_board = bool(named.get("analysis_board"))
            found.append(KeptTable(id, game, created, finished, seats, listing, moves, analysis_board))
        return found

    def _payloads(self, id: str, kind: str) -> list[str]:
        rows = self.reading.execute(
            "select payload from log where table_id = ? and kind = ? order by entry", (id, kind)
        )
        return [payload for (payload,) in rows]

    def _set_damaged(self, id: str, error: Exception) -> None:
        log.warning("Table %s is damaged and set aside unchanged: %s", id, error)
        self.reading.execute("update tables set damaged = ? where id = ?", (str(error), id))

    async def search(
        self, terms: Sequence[str], others: Sequence[str], limit: int, first: int
    ) -> tuple[list[int], list[dict[str, Any]], int]:
        """Search in a thread. Returns the indices of `others` that match, a page of finished games, and their number.

        `first` and `limit` refer to the combined list, in which `others` come before the finished games.
        """

        def found() -> tuple[list[int], list[dict[str, Any]], int]:
            which = [number for number, words in enumerate(others) if all(term in words for term in terms)]
            over = f"from tables join search on table_id = id where {OVER} {'and instr(words, ?) > 0 ' * len(terms)}"
            total = self.searching.execute(f"select count(*) {over}", tuple(terms)).fetchone()[0]
            room = limit - len(which[first : first + limit])
            rows = self.searching.execute(
                f"select summary {over} order by finished desc limit ? offset ?",
                (*terms, room, max(0, first - len(which))),
            )
            return which, [row for (text,) in rows if (row := row_of(text)) is not None], int(total)

        return await asyncio.get_running_loop().run_in_executor(self.searcher, found)

    def finished_count(self) -> int:
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

    def _readable_entries(self, id: str) -> list[Entry]:
        """The log up to the first unreadable entry. That entry and all after it are set aside."""
        with contextlib.suppress(*UNREADABLE):
            return self._entries(id)
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
        log.warning("Table %s is restored up to entry %d of its log: %s", id, len(found), why)
        return found


def report(jobs: Sequence[Job], failures: Sequence[StorageError | None]) -> None:
    """Report the results to the waiting callers with one call."""

    def resolve() -> None:
        for job, failure in zip(jobs, failures, strict=True):
            if job.done.done():
                continue
            if failure is None:
                job.done.set_result(None)
            else:
                job.done.set_exception(failure)

    with contextlib.suppress(RuntimeError):  # the loop is closed
        jobs[0].loop.call_soon_threadsafe(resolve)


def reason(error: Exception) -> str:
    """Why a write failed, for visitors."""
    name = getattr(error, "sqlite_errorname", "")
    return next((text for kind, text in REASONS.items() if name.startswith(kind)), "internal error")


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
    """A table's lobby row, or None if it is damaged or was never saved."""
    try:
        row = msgspec.json.decode(text or "null")
    except UNREADABLE:
        return None
    return current_listing(row) if isinstance(row, dict) else None


def findable(id: str, row: dict[str, Any]) -> Statement:
    return "insert or replace into search values (?, ?)", (id, words_of(row))


def new_entries(id: str, first: int, entries: Sequence[Entry]) -> list[Statement]:
    return [
        ("insert into log values (?, ?, ?, ?)", (id, number, entry.kind, as_text(entry.payload)))
        for number, entry in enumerate(entries, start=first)
    ]
