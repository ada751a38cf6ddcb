"""A database that was damaged: what can be read is back, the rest is set aside with its bytes, and it is said."""

import asyncio
import contextlib
import functools
import logging
import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations, cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kibitz.live.storage import Entry, Note, StorageError, StoredTable
from kibitz.web.page_scan import PageScan
from kibitz.web.recovery import open_store
from kibitz.web.sqlite_store import COLUMNS, SqliteStore
from tests.web.guests import parlour, played

PAGE = 4096
DAMAGES = ("a5", "zeros", "random")
USER_VERSION = range(60, 64)  # in the header; a file of another version is refused, not repaired
KILLED_WRITER = """
import os, signal, sqlite3, sys
writer = sqlite3.connect(sys.argv[1])
writer.execute("attach ? as more", (sys.argv[2],))
for table in ("tables", "log", "notes"):
    writer.execute(f"insert or ignore into {table} select * from more.{table}")
    writer.commit()
os.kill(os.getpid(), signal.SIGKILL)
"""

Row = tuple[Any, ...]
SEATS = [{"kind": "me"}, {"kind": "bot", "agent": "hajdu_v1"}]


def stored(id: str, **fields: object) -> StoredTable:
    values = {"game": "hanabi", "rules": {}, "start": {"deck": "x" * 300}, "dice": 1, "seats": [], "options": {}}
    return StoredTable(**{"id": id, "host": "", "created": 0.0, **values, **fields})  # type: ignore[arg-type]


def filled(path: Path, tables: int = 60, entries: int = 10, start: int = 300) -> None:
    """Tables that say their id in everything they write; every third is finished, every fourth has a note."""

    async def fill() -> None:
        store = SqliteStore(path)
        store.writing.execute("pragma synchronous = off")
        for number in range(tables):
            id = f"table{number:03}"
            log = [Entry("move", {"move": f"discard {entry} at {id}"}) for entry in range(entries)]
            await store.add(stored(id, start={"deck": id * (start // len(id))}), log)
            if number % 3 == 0:
                await store.finish(id, 5.5, {"table": id, "turn": entries})
            if number % 4 == 0:
                await store.write_note(id, Note(1, 2, f"a note at {id}"))
        store.close()

    asyncio.run(fill())


def rows_by_table(path: Path) -> dict[str, list[Row]]:
    """All that is kept: of each table its row, its log, its notes."""
    found = defaultdict(list)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.text_factory = lambda text: text.decode(errors="surrogateescape")
        for table, columns in (("tables", ", ".join(COLUMNS)), ("log", "*"), ("notes", "*")):
            for row in connection.execute(f"select {columns} from {table} not indexed"):
                found[row[0]].append((table, *row))
    return dict(found)


class Intact:
    """A database that is damaged again and again.

    All that a table writes holds its id, so a page without the id costs it nothing.
    """

    def __init__(self, folder: Path, content: bytes, wal: bytes = b"") -> None:
        self.folder, self.path, self.content, self.wal = folder, folder / "tables.sqlite", content, wal
        self.pages = len(content) // PAGE
        self.lay(content)
        self.rows = rows_by_table(self.path)

    def lay(self, content: bytes) -> None:
        for file in self.folder.glob("tables.sqlite*"):
            file.unlink()
        self.path.write_bytes(content)
        if self.wal:
            self.path.with_name("tables.sqlite-wal").write_bytes(self.wal)

    def ask(self, sql: str) -> list[Row]:
        self.lay(self.content)
        with contextlib.closing(sqlite3.connect(self.path)) as connection:
            return connection.execute(sql).fetchall()

    def root(self, name: str) -> int:
        [[number]] = self.ask(f"select rootpage from sqlite_schema where name = '{name}'")
        return int(number)

    def with_damaged(self, damage: str, *pages: int) -> bytes:
        content = bytearray(self.content)
        for page in pages:
            filling = {"a5": b"\xa5" * PAGE, "zeros": bytes(PAGE), "random": random.Random(page).randbytes(PAGE)}
            content[(page - 1) * PAGE : page * PAGE] = filling[damage]
        return bytes(content)

    def untouched_by(self, *pages: int) -> set[str]:
        """The tables that have nothing on these pages."""
        lost = b"".join(self.content[(page - 1) * PAGE : page * PAGE] for page in pages)
        return {id for id in self.rows if id.encode() not in lost}

    def opened(self, content: bytes) -> tuple[dict[str, list[Row]], str]:
        """What is kept after a damaged file was opened, and what was said; the file itself must be as it was."""
        self.lay(content)
        store, troubles = open_store(self.path, 10)
        store.close()
        if troubles:
            [kept] = [file for file in self.folder.glob("*.damaged-*") if not file.name.endswith(("-wal", "-shm"))]
            assert kept.read_bytes() == content
            assert not self.wal or kept.with_name(f"{kept.name}-wal").read_bytes() == self.wal
        return rows_by_table(self.path), "".join(troubles)

    def check(self, content: bytes, spared: set[str]) -> str:
        """The spared tables are back, and of the others nothing that was not written; what was said."""
        back, said = self.opened(content)
        assert {id for id in spared if back.get(id) != self.rows[id]} == set()
        for id in set(back) - spared if said else ():
            row, *others = back[id]
            assert row == self.rows[id][0]
            assert set(others) <= set(self.rows[id])
            moves, written = ([row for row in found if row[0] == "log"] for found in (others, self.rows[id]))
            assert moves == written[: len(moves)]
            assert len(moves) == len(written) or row[1 + COLUMNS.index("finished")] is None
        return said


def in_memory() -> TemporaryDirectory[str]:
    """A folder where hundreds of databases can be opened without waiting for a disk each time."""
    return TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None)


@pytest.fixture
def folder() -> Iterator[Path]:
    with in_memory() as name:
        yield Path(name)


@functools.cache
def content(tables: int, start: int = 300) -> bytes:
    with in_memory() as folder:
        filled(Path(folder) / "tables.sqlite", tables, start=start)
        return (Path(folder) / "tables.sqlite").read_bytes()


def after_a_killed_writer(folder: Path) -> Intact:
    """Thirty tables in the file, ten more and a part of the first ones again in its write-ahead log."""
    path, more = folder / "tables.sqlite", folder / "more.sqlite"
    path.write_bytes(content(30))
    more.write_bytes(content(40))
    child = subprocess.run([sys.executable, "-c", KILLED_WRITER, path, more], capture_output=True)
    assert child.returncode == -signal.SIGKILL, child.stderr
    return Intact(folder, path.read_bytes(), path.with_name("tables.sqlite-wal").read_bytes())


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
    histories, troubles = store.unfinished(10)
    assert {len(history.entries) for history in histories} == {10}
    assert len(histories) == 2
    assert troubles == []
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
                assert await ada.refused("look", table=bad["table"]) == "failed"
                await ada.opened(seats=SEATS)
        assert f"Table {bad['table']} is damaged and set aside" in caplog.text
        assert f"Table {cut['table']} is brought back as it was after entry 2" in caplog.text
        connection = sqlite3.connect(folder / "tables.sqlite")
        [kept] = connection.execute("select cast(seats as blob) from tables where id = ?", (bad["table"],))
        assert kept == (bytes_,)
        aside = connection.execute("select entry, payload from set_aside order by entry").fetchall()
        assert aside[0] == (2, bytes_)
        assert [entry for entry, _ in aside] == [2, 3]
        connection.close()

    played(scenario)


@pytest.mark.parametrize("tables", [3, 60])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_malformed_page_costs_what_is_on_it_and_nothing_else(folder: Path, tables: int, damage: str) -> None:
    intact = Intact(folder, content(tables))
    for page in range(1, intact.pages + 1):
        said = intact.check(intact.with_damaged(damage, page), spared=intact.untouched_by(page))
        assert "is damaged" in said
        assert "is kept as" in said
    store, _ = open_store(intact.path, 10)
    asyncio.run(store.add(stored("new"), []))
    store.close()


def test_rows_with_overflow_pages_come_back_unless_one_of_theirs_is_damaged(folder: Path) -> None:
    intact = Intact(folder, content(200, start=20_000))
    pages = (1, intact.root("tables"), intact.root("log"), 77, 78, 79, intact.pages)
    for page, damage in zip(pages, cycle(DAMAGES), strict=False):
        spared = intact.untouched_by(page)
        assert len(spared) > 150
        intact.check(intact.with_damaged(damage, page), spared)


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_index_costs_nothing(folder: Path, damage: str) -> None:
    intact = Intact(folder, content(60))
    for name in ("sqlite_autoindex_tables_1", "by_finish"):
        said = intact.check(intact.with_damaged(damage, intact.root(name)), spared=set(intact.rows))
        assert "60 tables are brought back whole. The damaged file" in said


def test_two_malformed_pages_cost_what_is_on_them_and_nothing_else(folder: Path) -> None:
    intact = Intact(folder, content(3))
    for pages in combinations(range(1, intact.pages + 1), 2):
        intact.check(intact.with_damaged("random", *pages), spared=intact.untouched_by(*pages))


def test_a_file_cut_off_anywhere_costs_what_was_cut_off_and_nothing_else(folder: Path) -> None:
    intact = Intact(folder, content(3))
    for length in range(0, len(intact.content), 512):
        gone = range(length // PAGE + 1, intact.pages + 1)
        intact.check(intact.content[:length], spared=intact.untouched_by(*gone))


def test_what_a_killed_writer_left_in_the_write_ahead_log_is_read_and_the_log_kept(folder: Path) -> None:
    intact = after_a_killed_writer(folder)
    assert len(intact.rows) == 40
    in_log = {int.from_bytes(intact.wal[at : at + 4], "big") for at in range(32, len(intact.wal), PAGE + 24)}
    assert set(range(1, intact.pages + 1)) - in_log
    for page in range(1, intact.pages + 1):
        spared = set(intact.rows) if page in in_log else intact.untouched_by(page)
        intact.check(intact.with_damaged("random", page), spared)
    intact.check(b"", spared={f"table{number:03}" for number in range(30, 40)})


def test_a_write_ahead_log_counts_up_to_the_last_commit_before_damage_as_sqlite_counts(folder: Path) -> None:
    intact = after_a_killed_writer(folder)
    wal = intact.wal
    flipped = bytearray(wal)
    flipped[len(wal) * 2 // 3] ^= 1
    for log in (wal, bytes(flipped), wal[: len(wal) * 2 // 3], wal[:31], b"\xa5" * len(wal)):
        intact.wal = log
        intact.lay(intact.content)
        scan = PageScan(intact.path)
        pages = [scan.page(number) for number in range(1, scan.count + 1)]
        with contextlib.closing(sqlite3.connect(intact.path)) as connection:
            connection.execute("select * from sqlite_schema").fetchall()
        assert intact.path.read_bytes() == b"".join(pages)  # SQLite wrote into the file what it holds committed


def test_a_finished_game_that_lacks_a_move_is_lost_and_another_shortened(folder: Path) -> None:
    intact = Intact(folder, content(60))
    page = intact.root("log")
    back, said = intact.opened(intact.with_damaged("zeros", page))
    over = {id for id, (row, *_) in intact.rows.items() if row[1 + COLUMNS.index("finished")] is not None}
    assert 0 < len(intact.rows.keys() - back.keys()) < len(over)
    assert intact.rows.keys() - back.keys() <= over - intact.untouched_by(page)
    assert any(len(back[id]) < len(intact.rows[id]) for id in back.keys() - over)
    assert f"{60 - len(back)} could not be read" in said


def test_deleted_tables_stay_deleted(folder: Path) -> None:
    path = folder / "more.sqlite"
    path.write_bytes(content(60))
    connection = sqlite3.connect(path)
    connection.execute("pragma secure_delete = off")  # what is deleted stays on the freed pages
    for table, column in (("tables", "id"), ("log", "table_id"), ("notes", "table_id")):
        connection.execute(f"delete from {table} where {column} > 'table005'")
    connection.commit()
    connection.close()
    intact = Intact(folder, path.read_bytes())
    assert intact.ask("pragma freelist_count") > [(3,)]
    assert b"table040" in intact.content
    for name in ("tables", "log", "notes"):
        intact.check(intact.with_damaged("zeros", intact.root(name)), spared=intact.untouched_by(intact.root(name)))
    back, _ = intact.opened(intact.with_damaged("zeros", intact.root("by_finish")))
    assert back == intact.rows


@pytest.mark.parametrize("version", [1, 2])
def test_rows_of_earlier_versions_are_found_in_their_pages(folder: Path, version: int) -> None:
    path = folder / "old.sqlite"
    path.write_bytes(content(3))
    make_older(path, version)
    old = path.read_bytes()
    SqliteStore(path).close()  # adds columns, which the rows on the disk do not have
    intact = Intact(folder, path.read_bytes())
    intact.check(intact.with_damaged("zeros", 1), spared=set(intact.rows))
    intact.check(bytes(PAGE) + old[PAGE:], spared=set(intact.rows))
    intact.check(old[:100] + bytes(PAGE - 100) + old[PAGE:], spared=set(intact.rows))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_changed_bytes_change_at_most_as_many_rows_and_never_raise(data: st.DataObject) -> None:
    with in_memory() as folder:
        intact = Intact(Path(folder), content(12))
        places = st.integers(0, len(intact.content) - 1).filter(lambda place: place not in USER_VERSION)
        changes = data.draw(st.dictionaries(places, st.integers(0, 255), min_size=1, max_size=8))
        changed = bytearray(intact.content)
        for place, byte in changes.items():
            changed[place] = byte
        back, _ = intact.opened(bytes(changed))
        written = {row for rows in intact.rows.values() for row in rows}
        assert len({row for rows in back.values() for row in rows} - written) <= len(changes)


def test_damage_that_leaves_the_b_trees_in_order_is_noticed_before_anything_is_written(folder: Path) -> None:
    intact = Intact(folder, content(12))
    renamed = intact.content.replace(b"    game text not null", b"    gone text not null")
    no_table = intact.content.replace(b"CREATE TABLE log (", b"CREATE TABLE lag (")
    only_read = intact.content[:18] + b"\x03" + intact.content[19:]
    index = bytearray(intact.content)
    page = intact.root("sqlite_autoindex_tables_1")
    index[page * PAGE - 1] = 77  # the last byte of an index entry: the number of a row that does not exist
    for changed in (renamed, no_table, only_read, bytes(index)):
        assert changed != intact.content
        assert "is damaged" in intact.check(changed, spared=set(intact.rows))


def test_a_recovery_that_was_interrupted_begins_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    intact = Intact(folder, content(12))
    damaged = intact.with_damaged("zeros", 1)
    intact.lay(damaged)

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("kibitz.web.recovery.copy", interrupted)
        with pytest.raises(KeyboardInterrupt):
            open_store(intact.path, 10)
    assert intact.path.read_bytes() == damaged
    store, _ = open_store(intact.path, 10)
    store.close()
    assert rows_by_table(intact.path) == intact.rows
    assert not list(folder.glob("*.recovering*"))


@pytest.mark.parametrize("bytes_", [b"not a database at all" * 300, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_file_that_is_no_database_is_set_aside_whole(tmp_path: Path, bytes_: bytes) -> None:
    path = tmp_path / "tables.sqlite"
    path.write_bytes(bytes_)
    store, [said] = open_store(path, 10)
    assert "0 tables are brought back" in said
    [damaged] = tmp_path.glob("tables.sqlite.damaged-*")
    assert damaged.read_bytes() == bytes_
    asyncio.run(store.add(stored("new"), []))
    store.close()


def test_a_write_that_fails_is_told_and_the_next_is_done(tmp_path: Path) -> None:
    async def scenario() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite")
        for seed in (2**63, -(2**63) - 1, 2**200):
            with pytest.raises(StorageError, match="could not be written"):
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
    assert "has died; another takes its place" in caplog.text


def test_whatever_happens_in_the_writer_does_not_end_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite")

        def fails(jobs: object) -> None:
            raise MemoryError("no more")

        with monkeypatch.context() as patch:
            patch.setattr(store, "_commit", fails)
            with pytest.raises(StorageError, match="no more"):
                await store.add(stored("a"), [])
        await store.add(stored("a"), [])
        assert store.writer.is_alive()
        store.close()

    asyncio.run(scenario())
