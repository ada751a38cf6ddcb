"""Backups: copies of the database, made while it is in use. When it is damaged, the newest one takes its place.

A backup gets its name when it is complete, checked and on the disk, so one that fails replaces nothing. Backups are
numbered, because the clock of a machine may be set back.
"""

import contextlib
import logging
import math
import os
import re
import sqlite3
import threading
import time
from pathlib import Path

from kibitz.web.schema import FILES, beside, sync_folder

log = logging.getLogger("kibitz.web")

KEPT = 3
STEP = 256  # pages: a megabyte
PAUSE = 0.02  # seconds between two steps, for moves to be written
AT_THE_END = 2.0  # seconds for a backup while the server stops
NAME = re.compile(r"tables-(\d{6,})\.sqlite")


class Backups:
    def __init__(self, database: Path, kept: int = KEPT) -> None:
        self.database, self.kept = database, kept
        self.folder = database.with_name("backups")
        self.lock = threading.Lock()

    def newest_first(self) -> list[Path]:
        return [path for _, path in sorted(self._numbered(), reverse=True)]

    def _numbered(self) -> list[tuple[int, Path]]:
        paths = self.folder.glob("tables-*.sqlite")
        return [(int(found[1]), path) for path in paths if (found := NAME.fullmatch(path.name))]

    def make(self, pause: float = PAUSE, seconds: float = math.inf) -> Path | None:
        """Make a backup, unless one is being made or the time runs out."""
        if not self.lock.acquire(blocking=False):
            return None
        draft = self.folder / "draft.sqlite"
        try:
            self.folder.mkdir(mode=0o700, exist_ok=True)
            remove(draft)
            os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
            copy(self.database, draft, pause, time.monotonic() + seconds)
            return self._keep(draft)
        except (sqlite3.Error, OSError) as error:
            log.error("No backup of %s could be made: %s. Earlier backups are kept.", self.database, error)
        except TimeoutError:
            log.warning("The backup of %s was given up after %g seconds.", self.database, seconds)
        finally:
            with contextlib.suppress(OSError):
                remove(draft)
            self.lock.release()
        return None

    def _keep(self, draft: Path) -> Path:
        """Give a complete backup its name, and delete the oldest ones."""
        with draft.open("rb+") as file:
            os.fsync(file.fileno())
        number = max((number for number, _ in self._numbered()), default=0) + 1
        backup = self.folder / f"tables-{number:06}.sqlite"
        draft.rename(backup)
        sync_folder(self.folder)
        for old in self.newest_first()[self.kept :]:
            remove(old)
        return backup


def copy(source: Path, target: Path, pause: float, until: float) -> None:
    """Copy one state of a database that others write to; TimeoutError if that takes too long."""

    def check_time(status: int, remaining: int, total: int) -> None:
        if time.monotonic() > until:
            raise TimeoutError

    with contextlib.closing(opened_to_read(source)) as reading, contextlib.closing(sqlite3.connect(target)) as writing:
        # A read transaction: without it every write in between would start the copy again.
        reading.execute("begin")
        reading.execute("select count(*) from sqlite_schema").fetchone()
        writing.execute("pragma synchronous = off")  # it is synced once, at the end
        reading.backup(writing, pages=STEP, progress=check_time, sleep=pause)
        writing.execute("pragma journal_mode = delete")  # one file, which can be opened where nothing can be written
        [found] = writing.execute("pragma quick_check(1)").fetchone()
        if found != "ok":
            raise sqlite3.DatabaseError(f"the database is damaged: {found}")


def opened_to_read(path: Path) -> sqlite3.Connection:
    """A connection that does not write the write-ahead log back into the file when it is closed."""
    # A rollback journal (left by a crash while the file was made) must be applied before anything can be read.
    mode = "rw" if beside(path, "-journal").exists() else "ro"
    connection = sqlite3.connect(f"{path.absolute().as_uri()}?mode={mode}", uri=True, isolation_level=None)
    connection.text_factory = lambda text: text.decode(errors="surrogateescape")  # an error may quote damaged text
    return connection


def remove(path: Path) -> None:
    for suffix in FILES:
        beside(path, suffix).unlink(missing_ok=True)
