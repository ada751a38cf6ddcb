"""A damaged database: it is found when the server starts, kept as it is, and the newest good backup takes its place."""

import asyncio
import contextlib
import errno
import logging
import os
import shutil
import signal
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from kibitz.errors import KibitzError
from kibitz.server.live.storage import Entry, Note, StorageError, StoredTable
from kibitz.server.live.tokens import new_id
from kibitz.server.web import backups, recovery
from kibitz.server.web.backups import Backups
from kibitz.server.web.recovery import open_store
from kibitz.server.web.schema import COLUMNS, FILES
from kibitz.server.web.sqlite_store import SqliteStore
from tests.server.web.guests import QUICK, parlour, played

PAGE = 4096
DAMAGES = {"a5": b"\xa5" * PAGE, "zeros": bytes(PAGE), "text": b"not a page" * 409 + b"......"}
KILLED_WRITER = """
import os, signal, sqlite3, sys
writer = sqlite3.connect(sys.argv[1], isolation_level=None)
for number in range(20):
    writer.execute("insert into log values (?, ?, 'move', ?)", ("table000", 10 + number, '{"move": "x"}'))
os.kill(os.getpid(), signal.SIGKILL)
"""

SEATS = [{"kind": "me"}, {"kind": "bot", "agent": "hajdu_v1"}]


def stored(id: str, **fields: object) -> StoredTable:
    values = {"game": "hanabi", "rules": {}, "start": {"deck": "x" * 300}, "dice": 1, "seats": [], "options": {}}
    return StoredTable(**{"id": id, "host": "", "created": 0.0, **values, **fields})  # type: ignore[arg-type]


def filled(path: Path, tables: int = 30, entries: int = 10) -> None:
    """Tables of which every third is finished, and every fourth has a note."""

    async def fill() -> None:
        store = SqliteStore(path)
        store.writing.execute("pragma synchronous = off")
        for number in range(tables):
            id = f"table{number:03}"
            log = [Entry("move", {"move": f"discard {entry} at {id}"}) for entry in range(entries)]
            await store.add(stored(id), log)
            if number % 3 == 0:
                await store.finish(id, 5.5, {"table": id, "turn": entries})
            if number % 4 == 0:
                await store.write_note(id, Note(1, 2, f"a note at {id}"))
        store.close()

    asyncio.run(fill())


def rows(path: Path) -> list[Any]:
    """All that is kept."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return [
            connection.execute(f"select {columns} from {table} order by 1, 2, 3").fetchall()
            for table, columns in (("tables", ", ".join(COLUMNS)), ("log", "*"), ("notes", "*"))
        ]


def opened(path: Path) -> str:
    """Open a store as a server does, and close it: the warning."""
    store, said = open_store(path, 10)
    asyncio.run(store.add(stored(f"new{new_id()}"), []))  # it takes writes
    store.close()
    return " ".join(said)


def add_entries(path: Path, first: int, count: int, id: str = "table000") -> None:
    store = SqliteStore(path)
    asyncio.run(store.append(id, first, [Entry("move", {"move": "later"})] * count))
    store.close()


def tables_of(found: list[Any]) -> set[str]:
    return {row[0] for row in found[0] if not row[0].startswith("new")}


@pytest.fixture
def folder() -> Iterator[Path]:
    """In memory: no test waits for a disk."""
    with TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as name:
        yield Path(name)


@pytest.fixture
def path(folder: Path) -> Path:
    """Thirty tables, and a backup of them."""
    path = folder / "tables.sqlite"
    filled(path)
    assert Backups(path).make(pause=0.0)
    return path


def damage(path: Path, page: int, kind: str = "a5") -> bytes:
    """Write over a page: what is in the file then."""
    content = bytearray(path.read_bytes())
    content[(page - 1) * PAGE : page * PAGE] = DAMAGES[kind]
    path.write_bytes(content)
    return bytes(content)


def kept_aside(path: Path) -> Path:
    [kept] = [each for each in path.parent.glob("*.damaged-*") if not each.name.endswith(FILES[1:])]
    return kept


# Starting with a damaged file


@pytest.mark.parametrize(("page", "kind"), [(1, "text"), (2, "a5"), (4, "zeros"), (9, "a5")])
def test_the_newest_backup_takes_the_place_of_a_damaged_database(path: Path, page: int, kind: str) -> None:
    before = rows(path)
    add_entries(path, 10, 3)
    content = damage(path, page, kind)
    said = opened(path)
    assert "is damaged" in said
    assert "tables-000001.sqlite" in said
    assert "with 30" in said
    after = rows(path)
    assert tables_of(after) == tables_of(before)
    assert after[1:] == before[1:]
    assert kept_aside(path).read_bytes() == content
    assert str(kept_aside(path)) in said
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert opened(path) == ""


def test_two_damaged_files_are_both_kept(path: Path) -> None:
    contents = set()
    for page in (2, 4):
        contents.add(damage(path, page))
        opened(path)
    kept = [each for each in path.parent.glob("*.damaged-*") if not each.name.endswith(FILES[1:])]
    assert {each.read_bytes() for each in kept} == contents


def test_a_damaged_backup_is_passed_over(path: Path) -> None:
    before = rows(path)
    add_entries(path, 10, 3)
    newest = Backups(path).make(pause=0.0)
    assert newest is not None
    damage(newest, 3)
    damage(path, 3)
    assert "tables-000001.sqlite" in opened(path)
    assert rows(path)[1:] == before[1:]


def test_without_a_good_backup_the_server_begins_without_tables_and_says_so(path: Path) -> None:
    for backup in Backups(path).newest_first():
        damage(backup, 1)
    content = damage(path, 1)
    said = opened(path)
    assert "There is no good backup" in said
    assert ".recover" in said
    assert kept_aside(path).read_bytes() == content
    assert tables_of(rows(path)) == set()


@pytest.mark.parametrize("length", [0, 1, 100, PAGE, 5 * PAGE + 7])
def test_a_database_that_was_cut_off_is_replaced(path: Path, length: int) -> None:
    before = rows(path)
    path.write_bytes(path.read_bytes()[:length])
    assert "It is replaced by the backup" in opened(path)
    assert rows(path)[1:] == before[1:]


def test_a_database_that_is_gone_is_replaced(path: Path) -> None:
    before = rows(path)
    path.unlink()
    assert "is missing" in opened(path)
    assert rows(path)[1:] == before[1:]


def test_an_empty_file_without_backups_is_a_new_database(folder: Path) -> None:
    (folder / "tables.sqlite").touch()
    assert opened(folder / "tables.sqlite") == ""
    assert opened(folder / "other.sqlite") == ""


def test_renamed_columns_and_formats_are_noticed_before_anything_is_written(path: Path) -> None:
    intact = path.read_bytes()
    renamed = intact.replace(b"    game text not null", b"    gone text not null")
    no_table = intact.replace(b"CREATE TABLE log (", b"CREATE TABLE lag (")
    only_read = intact[:18] + b"\x03" + intact[19:]
    for changed in (renamed, no_table, only_read):
        assert changed != intact
        path.write_bytes(changed)
        assert "is damaged" in opened(path)


def test_a_repair_that_was_interrupted_begins_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, content = rows(path), damage(path, 2)
    for step in ("set_aside", "sync_folder"):

        def interrupted(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(recovery, step, interrupted)
            with pytest.raises(KeyboardInterrupt):
                open_store(path, 10)
    opened(path)
    assert rows(path)[1:] == before[1:]
    assert kept_aside(path).read_bytes() == content


@pytest.mark.parametrize("what", ["shutil.copyfile", "os.fsync"])
def test_a_repair_for_which_there_is_no_room_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    content = damage(path, 2)

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(what, full)
        with pytest.raises(StorageError, match=r"No space left on device\. Free disk space"):
            open_store(path, 10)
    assert path.read_bytes() == content
    assert "It is replaced by the backup" in opened(path)


def test_a_folder_where_nothing_can_be_written_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> sqlite3.Connection:
        raise sqlite3.OperationalError("attempt to write a readonly database")

    monkeypatch.setattr("kibitz.server.web.sqlite_store.open_database", refused)
    with pytest.raises(StorageError, match=r"readonly database\. Free disk space or make the folder writable"):
        open_store(path, 10)


@pytest.mark.parametrize("name", ["SQLITE_FULL", "SQLITE_IOERR_READ", "SQLITE_BUSY", "SQLITE_READONLY_DIRECTORY"])
def test_trouble_of_the_machine_replaces_nothing(path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    def fails(_: Path) -> sqlite3.Connection:
        error = sqlite3.OperationalError("no")
        error.sqlite_errorname = name
        raise error

    monkeypatch.setattr(recovery, "opened_to_read", fails)
    with pytest.raises(StorageError, match="cannot be read: no"):
        open_store(path, 10)
    assert not list(path.parent.glob("*.damaged-*"))


def test_a_database_of_a_newer_version_is_left_alone(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("drop table notes")
        connection.execute("pragma user_version = 99")
    with pytest.raises(KibitzError, match="another version of kibitz"):
        open_store(path, 10)
    assert not list(path.parent.glob("*.damaged-*"))


# The write-ahead log of a killed server


def killed_writer(path: Path) -> tuple[bytes, list[Any]]:
    """Twenty moves that are in the log alone: the log, and all that was kept."""
    child = subprocess.run([sys.executable, "-c", KILLED_WRITER, path], capture_output=True)
    assert child.returncode == -signal.SIGKILL, child.stderr
    other = path.parent / "looked_at"
    other.mkdir()
    for suffix in ("", "-wal"):
        shutil.copy(f"{path}{suffix}", other)
    return Path(f"{path}-wal").read_bytes(), rows(other / path.name)


def test_what_a_killed_server_had_announced_is_there_again_with_and_without_the_index_of_the_log(path: Path) -> None:
    wal, before = killed_writer(path)
    content = path.read_bytes()
    for index in (True, False):
        path.write_bytes(content)
        Path(f"{path}-wal").write_bytes(wal)
        if not index:
            Path(f"{path}-shm").unlink(missing_ok=True)
        store, said = open_store(path, 10)
        store.close()
        assert said == []
        assert rows(path) == before


@pytest.mark.parametrize("index", [True, False])
@pytest.mark.parametrize("harm", ["header", "middle", "cut"])
def test_a_damaged_log_is_said_and_kept_and_what_can_be_read_of_it_counts(path: Path, harm: str, index: bool) -> None:
    wal, before = killed_writer(path)
    harmed = bytearray(wal)
    harmed[20 if harm == "header" else len(wal) // 2] ^= 0xFF
    left = wal[: len(wal) // 2] if harm == "cut" else bytes(harmed)
    Path(f"{path}-wal").write_bytes(left)
    if not index:
        Path(f"{path}-shm").unlink()
    said = opened(path)
    if harm == "cut" and not index:
        assert said == ""  # nothing is left that could tell
    else:
        assert "write-ahead log" in said
        [kept] = path.parent.glob("*-wal.damaged-*")
        assert kept.read_bytes() == left
    entries = rows(path)[1]
    assert set(entries) <= set(before[1])
    moves = len([row for row in entries if row[0] == "table000"])
    assert moves == 10 if harm == "header" else 10 < moves < 30


def test_a_backup_that_knows_more_than_a_damaged_log_takes_its_place(path: Path) -> None:
    wal, before = killed_writer(path)
    with contextlib.closing(sqlite3.connect(path)):
        Backups(path).make(pause=0.0)
    Path(f"{path}-wal").write_bytes(b"\xa5" * 32 + wal[32:])
    Path(f"{path}-shm").unlink(missing_ok=True)
    said = opened(path)
    assert "tables-000002.sqlite" in said
    assert rows(path)[1] == before[1]


# Backups


def test_a_backup_is_one_state_of_a_database_that_is_written_to_all_the_time(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "STEP", 1)
    store, over, written = SqliteStore(path), threading.Event(), threading.Event()

    async def writes() -> None:
        number = 10
        while not over.is_set():
            await store.append("table000", number, [Entry("move", {"move": "x"})])
            written.set()
            number += 1

    writer = threading.Thread(target=lambda: asyncio.run(writes()))
    writer.start()
    written.wait()
    backup = Backups(path).make(pause=0.001, seconds=30.0)
    over.set()
    writer.join()
    store.close()
    assert backup is not None
    entries = [row[1] for row in rows(backup)[1] if row[0] == "table000"]
    assert len(entries) > 10
    assert entries == list(range(len(entries)))


def test_some_backups_are_kept_and_numbered_on(path: Path) -> None:
    for _ in range(5):
        Backups(path, kept=2).make(pause=0.0)
    assert [each.name for each in Backups(path).newest_first()] == ["tables-000006.sqlite", "tables-000005.sqlite"]
    assert {each.name for each in (path.parent / "backups").iterdir()} == {
        "tables-000006.sqlite", "tables-000005.sqlite",
    }  # fmt: skip
    assert all(stat.S_IMODE(each.stat().st_mode) == 0o600 for each in Backups(path).newest_first())


def test_no_backup_of_a_damaged_database_replaces_a_good_one(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    damage(path, 4)
    assert Backups(path, kept=1).make(pause=0.0) is None
    assert "Earlier backups are kept" in caplog.text
    assert [each.name for each in (path.parent / "backups").iterdir()] == ["tables-000001.sqlite"]


def test_a_full_disk_ends_a_backup_and_leaves_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        assert Backups(path).make(pause=0.0) is None
    assert "No space left" in caplog.text
    assert [each.name for each in (path.parent / "backups").iterdir()] == ["tables-000001.sqlite"]


def test_there_are_never_two_backups_at_once(path: Path) -> None:
    backups = Backups(path)
    with backups.lock:
        assert backups.make() is None
    assert backups.make(pause=0.0) is not None


def test_a_backup_that_takes_too_long_is_given_up(path: Path, caplog: pytest.LogCaptureFixture) -> None:
    assert Backups(path).make(seconds=-1.0) is None
    assert "abandoned" in caplog.text
    assert [each.name for each in (path.parent / "backups").iterdir()] == ["tables-000001.sqlite"]


def test_a_server_that_stops_gives_up_a_backup_and_makes_the_last_one_at_once(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(backups, "STEP", 1)
    made, begun, results = Backups(path), threading.Event(), []
    copied = backups.copy

    def copy(source: Path, target: Path, pause: float, gives_up: Any) -> None:
        begun.set()
        copied(source, target, pause, gives_up)

    monkeypatch.setattr(backups, "copy", copy)
    first = threading.Thread(target=lambda: results.append(made.make(pause=0.2)))
    first.start()
    begun.wait()
    last = made.make_last()
    first.join()
    assert results == [None]
    assert last is not None
    assert rows(last) == rows(path)


def test_a_server_backs_up_what_was_written_now_and_then_and_when_it_stops(folder: Path) -> None:
    async def scenario() -> None:
        async with parlour(folder) as here:
            store, ada = here.site.store, await here.guest()
            await ada.opened(seats=SEATS)
            assert await store.back_up() is not None
            assert await store.back_up() is None  # nothing was written since
            await ada.opened(seats=SEATS)
        newest = Backups(folder / "tables.sqlite").newest_first()
        assert [each.name for each in newest] == ["tables-000002.sqlite", "tables-000001.sqlite"]
        assert len(rows(newest[0])[0]) == 2

    asyncio.run(scenario())


def test_backups_are_made_on_a_schedule(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        made = asyncio.Event()

        async def back_up() -> None:
            made.set()

        async with parlour(folder, limits=replace(QUICK, backup=1e-3)) as here:
            monkeypatch.setattr(here.site.store, "back_up", back_up)
            await made.wait()

    asyncio.run(scenario())


# Rows, versions and writes


def test_only_who_runs_the_server_can_read_the_database(tmp_path: Path) -> None:
    path = tmp_path / "data" / "tables.sqlite"
    before = os.umask(0)
    try:
        filled(path, 1)
        store = SqliteStore(path)
        files = [path, *path.parent.glob("tables.sqlite-*")]
        assert len(files) == 3
        assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        store.close()
        path.chmod(0o644)
        SqliteStore(path).close()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    finally:
        os.umask(before)


def make_older(path: Path, version: int) -> None:
    """Take back what later versions added."""
    connection = sqlite3.connect(path)
    connection.execute("alter table notes drop column turn")
    if version == 1:
        for column in ("put_away", "untouched", "damaged"):
            connection.execute(f"alter table tables drop column {column}")
        connection.execute("drop table set_aside")
    connection.execute(f"pragma user_version = {version}")
    connection.commit()
    connection.close()


@pytest.mark.parametrize("version", [1, 2])
def test_tables_of_earlier_versions_open_and_go_on(tmp_path: Path, version: int) -> None:
    path = tmp_path / "tables.sqlite"
    filled(path, 3)
    make_older(path, version)
    store, troubles = open_store(path, 10)
    assert troubles == []
    going_on = [store.load(table.id) for table in store.unfinished(10)]
    assert [len(history.entries) for history in going_on if history] == [10, 10]
    old = store.load("table000")
    assert old is not None
    assert list(old.notes) == [Note(1, 2, "a note at table000", 0)]
    store.close()


@pytest.mark.parametrize("bytes_", [b'{"move', b'{"move": "\xff"}', b"", b"[1, 2]x", b"\x00"])
def test_a_row_with_bad_json_is_set_aside_and_keeps_nobody_out(caplog: pytest.LogCaptureFixture, bytes_: bytes) -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            fine, bad, cut = [await ada.opened(seats=SEATS) for _ in range(3)]
            for turn in (0, 2):
                ada.say("move", table=cut["table"], turn=turn, move="discard 1")
                await ada.view_at(turn + 2)
        connection = sqlite3.connect(folder / "tables.sqlite")
        damage = "cast(? as text) where"
        connection.execute(f"update tables set seats = {damage} id = ?", (bytes_, bad["table"]))
        connection.execute(f"update log set payload = {damage} table_id = ? and entry = 2", (bytes_, cut["table"]))
        connection.commit()
        connection.close()
        with caplog.at_level(logging.WARNING):
            async with parlour(folder) as here:
                assert set(here.tables) == {fine["table"], cut["table"]}
                assert here.tables[cut["table"]].state.turn == 2
                ada = await here.guest()
                assert await ada.refused("spectate", table=bad["table"]) == "failed"
                await ada.opened(seats=SEATS)
        assert f"Table {bad['table']} is damaged and set aside" in caplog.text
        assert f"Table {cut['table']} is restored up to entry 2" in caplog.text
        connection = sqlite3.connect(folder / "tables.sqlite")
        [kept] = connection.execute("select cast(seats as blob) from tables where id = ?", (bad["table"],))
        assert kept == (bytes_,)
        aside = connection.execute("select entry, payload from set_aside order by entry").fetchall()
        assert aside[0] == (2, bytes_)
        assert [entry for entry, _ in aside] == [2, 3]
        connection.close()

    played(scenario)


def test_a_write_that_fails_is_reported_and_the_next_is_done(tmp_path: Path) -> None:
    async def scenario() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite")
        for seed in (2**63, -(2**63) - 1, 2**200):
            with pytest.raises(StorageError, match="could not save"):
                await store.add(stored("a", seed=seed), [])
        with pytest.raises(StorageError):
            await store.add(stored("a", dice="\ud800"), [])
        await store.add(stored("a", seed=2**63 - 1), [])
        assert store.load("a") is not None
        store.close()

    asyncio.run(scenario())


def test_a_writer_that_died_is_noticed_said_and_replaced(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async def scenario() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite")
        store.jobs.put(None)
        store.writer.join()
        await store.add(stored("a"), [])
        assert store.load("a") is not None
        store.close()

    asyncio.run(scenario())
    assert "died; starting another" in caplog.text


def test_whatever_happens_in_the_writer_does_not_end_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite")

        def fails(jobs: object) -> None:
            raise MemoryError("no more")

        with monkeypatch.context() as patch:
            patch.setattr(store, "_commit", fails)
            with pytest.raises(StorageError, match="could not save"):
                await store.add(stored("a"), [])
        await store.add(stored("a"), [])
        assert store.writer.is_alive()
        store.close()

    asyncio.run(scenario())
