"""Recovery at startup: a damaged database is set aside and replaced by the newest good backup."""

import contextlib
import itertools
import os
import shutil
import sqlite3
import sys
import time
from pathlib import Path

from kibitz.core.whole_files import sync_folder
from kibitz.server.live.storage import StorageError
from kibitz.server.web.backups import KEPT, Backups, opened_to_read
from kibitz.server.web.schema import COLUMNS, FILES, VERSION, beside, open_database
from kibitz.server.web.sqlite_store import SqliteStore

CHECKING = 1.5  # seconds to check a database; a huge one is checked partly
STEPS = 100_000  # instructions of SQLite's virtual machine between two calls of the progress handler
UNREADABLE = (sqlite3.Error, UnicodeError)  # an error may quote damaged text that is not UTF-8
# The machine's fault, not the file's: nothing is replaced.
NO_DAMAGE = (
    "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL",
    "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_NOMEM",
)  # fmt: skip
LOG = ("table_id", "entry", "kind", "payload")
NOTES = ("table_id", "seat", "card", "text", "turn")
VERSION_1 = COLUMNS[:13]  # of `tables`
ADDED = ("put_away", "untouched", "damaged")  # in version 2
HEADER = 100  # bytes at the beginning of a database
PAGE = 4096  # bytes, SQLite's default
WAL_HEADER, FRAME_HEADER, INDEX_HEADER = 32, 24, 96  # bytes; https://www.sqlite.org/walformat.html


def open_store(path: Path, untouched_kept: int, backups_kept: int = KEPT) -> tuple[SqliteStore, list[str]]:
    """The store in a file, and warnings about its condition."""
    backups = Backups(path, backups_kept)
    try:
        warning = checked(path, backups)
    except OSError as error:
        raise StorageError(
            f"{path} needs repair, which failed: {error.strerror or error}. Free disk space or make the folder "
            "writable and restart, or choose another folder with --data."
        ) from None
    store = SqliteStore(path, untouched_kept, backups)
    return store, [warning] if warning else []


def checked(path: Path, backups: Backups) -> str:
    """Check the database and repair it if needed. Returns what was done."""
    expected = committed_frames(path) if size(beside(path, "-wal")) else 0  # read before SQLite rebuilds the index
    trouble = trouble_with(path, bool(backups.newest_first()))
    if trouble:
        return replaced(path, backups, trouble)
    return log_checked(path, expected, backups) if expected else ""


def trouble_with(path: Path, expected: bool) -> str:
    """What is wrong with a database. It is `expected` to exist if it has backups."""
    expected = expected or size(beside(path, "-wal")) > 0
    if not path.exists():
        return "is missing" if expected else ""
    if not size(path):
        return "is empty" if expected else ""
    if size(path) < HEADER:
        return f"is cut off after {size(path)} bytes"
    found = integrity(path)
    return f"is damaged ({found})" if found else ""


def integrity(path: Path) -> str:
    """What is wrong inside a database; empty if a short check finds nothing."""
    until = time.monotonic() + CHECKING
    try:
        with contextlib.closing(opened_to_read(path)) as connection:
            connection.set_progress_handler(lambda: int(time.monotonic() > until), STEPS)
            [found] = connection.execute("pragma integrity_check(1)").fetchone()
            return wrong_schema(path, connection) if found == "ok" else str(found).replace("\n", " ")
    except UNREADABLE as error:
        name = getattr(error, "sqlite_errorname", "")
        if name.startswith(NO_DAMAGE):
            raise StorageError(
                f"{path} cannot be read: {error}. Free disk space or make the folder readable and writable and "
                "restart, or choose another folder with --data."
            ) from None
        return "" if name == "SQLITE_INTERRUPT" else str(error)


def wrong_schema(path: Path, connection: sqlite3.Connection) -> str:
    """Damage of the first page that SQLite does not report: changed names, or a read-only format."""
    with path.open("rb") as file:
        if file.read(19)[18] > 2:
            return "its header names a format that cannot be written"
    [version] = connection.execute("pragma user_version").fetchone()
    if version > VERSION:
        return ""  # the store refuses it with a reason
    tables = VERSION_1 if version == 1 else (*VERSION_1, *ADDED)
    notes = NOTES if version > 2 else NOTES[:4]
    for table, columns in (("tables", tables), ("log", LOG), ("notes", notes)):
        missing = set(columns) - {row[1] for row in connection.execute(f"pragma table_info({table})")}
        if version and missing:
            return f"{table} has no column {min(missing)}"
    return ""


# Replacement by the newest backup


def replaced(path: Path, backups: Backups, trouble: str) -> str:
    """Replace a database by its newest good backup. Returns what was done.

    The backup is copied first, so a full disk changes nothing, and an interruption can be repeated.
    """
    before = counted(path)
    backup = next((each for each in backups.newest_first() if is_good(each)), None)
    draft = beside(path, ".restoring")
    if backup:
        shutil.copyfile(backup, draft)
        draft.chmod(0o600)
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
    damaged = set_aside(path)
    if backup:
        draft.rename(path)
    sync_folder(path.parent)
    text = f"{path} {trouble}."
    if damaged:
        text += f" It is kept as {damaged}."
    if backup:
        tables, _ = counted(path) or (0, 0)
        of = f" of the {before[0]}" if before else ""
        text += f" It is replaced by the backup {backup.name} of {made_at(backup)} with {tables}{of} tables; later "
        text += "moves are lost."
    else:
        text += " There is no good backup, so the server starts without tables."
    return f"{text} docs/how-to/serve.md explains how to recover more with sqlite3's .recover."


def is_good(backup: Path) -> bool:
    if not size(backup) or integrity(backup):
        return False
    with contextlib.closing(opened_to_read(backup)) as connection:
        return 0 < int(connection.execute("pragma user_version").fetchone()[0]) <= VERSION


def counted(path: Path) -> tuple[int, int] | None:
    """The number of tables and of log entries, if they can be read."""
    with contextlib.suppress(*UNREADABLE), contextlib.closing(opened_to_read(path)) as connection:
        tables, entries = (
            connection.execute(f"select count(*) from {name} not indexed").fetchone()[0] for name in ("tables", "log")
        )
        return int(tables), int(entries)
    return None


def size(path: Path) -> int:
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def set_aside(path: Path) -> Path | None:
    """Rename a damaged database and its companion files. Returns its new path."""
    if not any(beside(path, suffix).exists() for suffix in FILES):
        return None
    damaged = unused(beside(path, f".damaged-{time.strftime('%Y%m%d-%H%M%S')}"))
    for suffix in FILES:
        with contextlib.suppress(FileNotFoundError):
            beside(path, suffix).rename(beside(damaged, suffix))
    return damaged


def unused(path: Path) -> Path:
    number, free = 1, path
    while any(beside(free, suffix).exists() for suffix in FILES):
        number += 1
        free = beside(path, f"-{number}")
    return free


def made_at(backup: Path) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(backup.stat().st_mtime))


# The write-ahead log


def log_checked(path: Path, expected: int, backups: Backups) -> str:
    """Check that the whole log left by a killed server can be read: SQLite ignores all after a damaged part."""
    try:
        with contextlib.closing(open_database(path)) as connection:
            _, read, _ = connection.execute("pragma wal_checkpoint(passive)").fetchone()
            if read >= expected:
                return ""
            kept = unused(beside(path, f"-wal.damaged-{time.strftime('%Y%m%d-%H%M%S')}"))
            shutil.copyfile(beside(path, "-wal"), kept)  # before the next write restarts the log
    except sqlite3.Error as error:
        raise StorageError(f"{path} cannot be used: {error}. Choose another folder with --data.") from None
    kept.chmod(0o600)
    newest = next((counted(backup) for backup in backups.newest_first() if is_good(backup)), None)
    now = counted(path)
    if newest and now and newest[1] > now[1]:
        return replaced(path, backups, f"has a damaged write-ahead log (kept as {kept})")
    return (
        f"The write-ahead log of {path} is damaged: {read} of {expected} pages could be read. The newest moves of some "
        f"tables may be missing. The log is kept as {kept}."
    )


def committed_frames(path: Path) -> int:
    """The number of pages in a log up to its last commit, from its index if there is one.

    Otherwise from the page headers, which can be read even where a checksum is wrong.
    """
    with contextlib.suppress(FileNotFoundError):
        index = beside(path, "-shm").read_bytes()[:INDEX_HEADER]
        if len(index) == INDEX_HEADER and index[: INDEX_HEADER // 2] == index[INDEX_HEADER // 2 :] and index[12]:
            return int.from_bytes(index[16:20], sys.byteorder)
    wal, step = beside(path, "-wal").read_bytes(), FRAME_HEADER + PAGE
    salts = wal[WAL_HEADER + 8 : WAL_HEADER + 16]  # frames from an earlier use of the file have others
    headers = [wal[at : at + FRAME_HEADER] for at in range(WAL_HEADER, len(wal) - step + 1, step)]
    same = itertools.takewhile(lambda header: header[8:16] == salts, headers)
    is_commit = [header[4:8] != bytes(4) for header in same]
    return max((number for number, ends in enumerate(is_commit, start=1) if ends), default=0)
