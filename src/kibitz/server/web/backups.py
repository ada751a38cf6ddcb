"""Online backups of the database. The newest replaces a damaged database.

A backup gets its name once it is complete, checked and on the disk, so a failed one replaces nothing. Backups are
numbered because the machine's clock may be set back.
"""

import contextlib
import logging
import math
import os
import re
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

from kibitz.core.whole_files import sync_folder
from kibitz.server.web.schema import FILES, beside

log = logging.getLogger("kibitz.server.web")

KEPT = 3
STEP = 256  # pages: a megabyte
PAUSE = 0.02  # seconds between steps, in which moves are written
AT_THE_END = 2.0  # seconds for a backup at shutdown
INSTRUCTIONS = 100_000  # of SQLite's virtual machine between checks whether to give up
NAME = re.compile(r"tables-(\d{6,})\.sqlite")


class GivenUpError(Exception):
    """A backup was abandoned."""


class Backups:
    def __init__(self, database: Path, kept: int = KEPT) -> None:
        self.database, self.kept = database, kept
        self.folder = database.with_name("backups")
        self.lock = threading.Lock()
        self.stopping = threading.Event()

    def newest_first(self) -> list[Path]:
        return [path for _, path in sorted(self._numbered(), reverse=True)]

    def _numbered(self) -> list[tuple[int, Path]]:
        paths = self.folder.glob("tables-*.sqlite")
        return [(int(found[1]), path) for path in paths if (found := NAME.fullmatch(path.name))]

    def make(self, pause: float = PAUSE, seconds: float = math.inf) -> Path | None:
        """Make a backup, unless one is under way, the time runs out, or the server stops."""
        return self._make(pause, seconds, self.stopping) if self.lock.acquire(blocking=False) else None

    def make_last(self) -> Path | None:
        """Make a backup at shutdown; abandon one that is under way."""
        self.stopping.set()
        self.lock.acquire()
        return self._make(0.0, AT_THE_END, threading.Event())

    def _make(self, pause: float, seconds: float, stopping: threading.Event) -> Path | None:
        draft, until = self.folder / "draft.sqlite", time.monotonic() + seconds
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            remove(draft)
            os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            copy(self.database, draft, pause, lambda: stopping.is_set() or time.monotonic() > until)
            return self._keep(draft)
        except GivenUpError:
            log.warning("The backup of %s was abandoned: the server is stopping, or it took too long.", self.database)
        except (sqlite3.Error, OSError) as error:
            log.error("The backup of %s failed: %s. Earlier backups are kept.", self.database, error)
        finally:
            with contextlib.suppress(OSError):
                remove(draft)
            self.lock.release()
        return None

    def _keep(self, draft: Path) -> Path:
        """Name a complete backup, and delete the oldest ones."""
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        number = max((number for number, _ in self._numbered()), default=0) + 1
        backup = self.folder / f"tables-{number:06}.sqlite"
        draft.rename(backup)
        sync_folder(self.folder)
        for old in self.newest_first()[self.kept :]:
            remove(old)
        return backup


def copy(source: Path, target: Path, pause: float, gives_up: Callable[[], bool]) -> None:
    """Copy one state of a database that others write to, and check the copy."""

    def pause_or_stop(status: int, remaining: int, total: int) -> None:
        if gives_up():
            raise GivenUpError
        time.sleep(pause)  # `Connection.backup` itself only sleeps if the database is locked

    with contextlib.closing(opened_to_read(source)) as reading, contextlib.closing(sqlite3.connect(target)) as writing:
        # Without a read transaction, every write in between would restart the copy.
        reading.execute("begin")
        reading.execute("select count(*) from sqlite_schema").fetchone()
        writing.execute("pragma synchronous = off")  # synced once, at the end
        reading.backup(writing, pages=STEP, progress=pause_or_stop)
        writing.execute("pragma journal_mode = delete")  # one file, which opens on a read-only disk
        writing.set_progress_handler(lambda: int(gives_up()), INSTRUCTIONS)
        try:
            [found] = writing.execute("pragma quick_check(1)").fetchone()
        except sqlite3.OperationalError:
            if gives_up():
                raise GivenUpError from None
            raise
        if found != "ok":
            raise sqlite3.DatabaseError(f"the database is damaged: {found}")


def opened_to_read(path: Path) -> sqlite3.Connection:
    """A read-only connection, which does not write the write-ahead log back into the file when it closes."""
    # A rollback journal, left by a crash while the file was created, must be applied before reading.
    mode = "rw" if beside(path, "-journal").exists() else "ro"
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None)
    connection.text_factory = lambda text: text.decode(errors="surrogateescape")  # an error may quote damaged text
    return connection


def remove(path: Path) -> None:
    for suffix in FILES:
        beside(path, suffix).unlink(missing_ok=True)
