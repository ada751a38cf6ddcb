"""A damaged database: it is found when the server starts, set aside, and the newest good backup takes its place."""

import contextlib
import itertools
import os
import shutil
import sqlite3
import sys
import time
from pathlib import Path

from kibitz.server.live.storage import StorageError
from kibitz.server.web.backups import KEPT, Backups, opened_to_read
from kibitz.server.web.schema import COLUMNS, FILES, VERSION, beside, open_database, sync_folder
from kibitz.server.web.sqlite_store import SqliteStore

CHECKING = 1.5  # seconds to check a database; of a huge one only a part is checked
STEPS = 100_000  # instructions of SQLite's virtual machine between two calls of the progress handler
UNREADABLE = (sqlite3.Error, UnicodeError)  # an error may quote damaged text, which is not always UTF-8
# What is wrong then is the machine, not the file: nothing is replaced.
NO_DAMAGE = (
    "SQLITE_FULL", "SQLITE_IOERR", "SQLITE_CANTOPEN", "SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL",
    "SQLITE_READONLY", "SQLITE_PERM", "SQLITE_NOMEM",
)  # fmt: skip
LOG = ("table_id", "entry", "kind", "payload")
NOTES = ("table_id", "seat", "card", "text", "turn")
VERSION_1 = COLUMNS[:13]  # of `tables`
ADDED = ("put_away", "untouched", "damaged")  # in version 2
HEADER = 100  # bytes at the beginning of a database
PAGE = 4096  # bytes: what SQLite uses unless it is asked for another size
WAL_HEADER, FRAME_HEADER, INDEX_HEADER = 32, 24, 96  # bytes; https://www.sqlite.org/walformat.html


def open_store(path: Path, untouched_kept: int, backups_kept: int = KEPT) -> tuple[SqliteStore, list[str]]:
    """The store in a file, and what somebody should know of its condition."""
    backups = Backups(path, backups_kept)
    try:
        said = checked(path, backups)
    except OSError as error:
        raise StorageError(
            f"{path} needs repair, which failed: {error.strerror or error}. Make room or free the folder for writing, "
            "and start again; or choose another folder with --data."
        ) from None
    store = SqliteStore(path, untouched_kept, backups)
    return store, [said] if said else []


def checked(path: Path, backups: Backups) -> str:
    """Check the database and repair it if need be: what was done."""
    promised = committed_frames(path) if size(beside(path, "-wal")) else 0  # read before SQLite makes the index anew
    trouble = trouble_with(path, bool(backups.newest_first()))
    if trouble:
        return replaced(path, backups, trouble)
    return log_checked(path, promised, backups) if promised else ""


def trouble_with(path: Path, expected: bool) -> str:
    """What is wrong with a database, which is `expected` to be there if there are backups of it."""
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
    """What is wrong inside a database; empty if nothing is, as far as one can see in a short time."""
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
                f"{path} cannot be read: {error}. Make room or free the folder for reading and writing, and start "
                "again; or choose another folder with --data."
            ) from None
        return "" if name == "SQLITE_INTERRUPT" else str(error)


def wrong_schema(path: Path, connection: sqlite3.Connection) -> str:
    """Damage of the first page that SQLite does not report: changed names, a format that it only reads."""
    with path.open("rb") as file:
        if file.read(19)[18] > 2:
            return "its header names a format that cannot be written"
    [version] = connection.execute("pragma user_version").fetchone()
    if version > VERSION:
        return ""  # the store refuses it, and says why
    tables = VERSION_1 if version == 1 else (*VERSION_1, *ADDED)
    notes = NOTES if version > 2 else NOTES[:4]
    for table, columns in (("tables", tables), ("log", LOG), ("notes", notes)):
        missing = set(columns) - {row[1] for row in connection.execute(f"pragma table_info({table})")}
        if version and missing:
            return f"{table} has no column {min(missing)}"
    return ""


# The newest backup instead


def replaced(path: Path, backups: Backups, trouble: str) -> str:
    """Set a database aside and put the newest good backup in its place: what was done.

    The backup is copied first, so a full disk changes nothing; whoever is interrupted can begin again.
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
        text += f" What there was is kept as {damaged}."
    if backup:
        tables, _ = counted(path) or (0, 0)
        of = f" of the {before[0]}" if before else ""
        text += f" The backup {backup.name} of {made_at(backup)} takes its place, with {tables}{of} tables; what was "
        text += "played later is not in it."
    else:
        text += " There is no good backup, so the server begins without tables."
    return f"{text} docs/how-to/serve.md says how to get more out of a damaged file with sqlite3's .recover."


def is_good(backup: Path) -> bool:
    if not size(backup) or integrity(backup):
        return False
    with contextlib.closing(opened_to_read(backup)) as connection:
        return 0 < int(connection.execute("pragma user_version").fetchone()[0]) <= VERSION


def counted(path: Path) -> tuple[int, int] | None:
    """How many tables and entries of logs there are, if that can be read."""
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
    """Give a damaged database, and what belongs to it, a name that no file has: where it is now."""
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


def log_checked(path: Path, promised: int, backups: Backups) -> str:
    """Whether all of a log that a killed server left can be read: SQLite ignores what follows a damaged part."""
    try:
        with contextlib.closing(open_database(path)) as connection:
            _, read, _ = connection.execute("pragma wal_checkpoint(passive)").fetchone()
            if read >= promised:
                return ""
            kept = unused(beside(path, f"-wal.damaged-{time.strftime('%Y%m%d-%H%M%S')}"))
            shutil.copyfile(beside(path, "-wal"), kept)  # before the next write begins the log anew
    except sqlite3.Error as error:
        raise StorageError(f"{path} cannot be used: {error}. Choose another folder with --data.") from None
    kept.chmod(0o600)
    newest = next((counted(backup) for backup in backups.newest_first() if is_good(backup)), None)
    now = counted(path)
    if newest and now and newest[1] > now[1]:
        return replaced(path, backups, f"has a damaged write-ahead log (kept as {kept})")
    return (
        f"The write-ahead log of {path} is damaged: {read} of {promised} pages could be read. The newest moves of some "
        f"tables may be missing. The log is kept as {kept}."
    )


def committed_frames(path: Path) -> int:
    """How many pages a log holds up to its last commit: by its index, which SQLite writes after each, if there is one.

    Else by the headers of the pages alone, which are there although a checksum may be wrong.
    """
    with contextlib.suppress(FileNotFoundError):
        index = beside(path, "-shm").read_bytes()[:INDEX_HEADER]
        if len(index) == INDEX_HEADER and index[: INDEX_HEADER // 2] == index[INDEX_HEADER // 2 :] and index[12]:
            return int.from_bytes(index[16:20], sys.byteorder)
    wal, step = beside(path, "-wal").read_bytes(), FRAME_HEADER + PAGE
    salts = wal[WAL_HEADER + 8 : WAL_HEADER + 16]  # what is left of an earlier use of the file has others
    headers = [wal[at : at + FRAME_HEADER] for at in range(WAL_HEADER, len(wal) - step + 1, step)]
    same = itertools.takewhile(lambda header: header[8:16] == salts, headers)
    is_commit = [header[4:8] != bytes(4) for header in same]
    return max((number for number, ends in enumerate(is_commit, start=1) if ends), default=0)
