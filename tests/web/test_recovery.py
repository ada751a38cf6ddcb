"""A database that was damaged: what can be read is back, the rest is set aside with its bytes, and it is said."""

import asyncio
import logging
import os
import sqlite3
import stat
from pathlib import Path

import pytest

from kibitz.live.storage import Entry, StorageError, StoredTable
from kibitz.web.recovery import open_store
from kibitz.web.sqlite_store import SqliteStore
from tests.web.guests import parlour, played

SEATS = [{"kind": "me"}, {"kind": "bot", "agent": "hajdu_v1"}]


def stored(id: str, **fields: object) -> StoredTable:
    values = {"game": "hanabi", "rules": {}, "start": {"deck": "x" * 300}, "dice": 1, "seats": [], "options": {}}
    return StoredTable(**{"id": id, "host": "", "created": 0.0, **values, **fields})  # type: ignore[arg-type]


def filled(path: Path, tables: int = 60, entries: int = 10) -> None:
    async def fill() -> None:
        store = SqliteStore(path)
        log = [Entry("move", {"move": f"discard {number}"}) for number in range(entries)]
        for number in range(tables):
            await store.add(stored(f"table{number:03}"), log)
        store.close()

    asyncio.run(fill())


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


def test_tables_of_version_1_open_and_go_on(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    filled(path, 2)
    connection = sqlite3.connect(path)
    for column in ("put_away", "untouched", "damaged"):
        connection.execute(f"alter table tables drop column {column}")
    connection.execute("drop table set_aside")
    connection.execute("pragma user_version = 1")
    connection.commit()
    connection.close()
    store, troubles = open_store(path, 10)
    assert troubles == []
    histories, troubles = store.unfinished(10)
    assert {len(history.entries) for history in histories} == {10}
    assert len(histories) == 2
    assert troubles == []
    store.close()


def test_a_row_with_bad_json_is_set_aside_and_keeps_nobody_out(caplog: pytest.LogCaptureFixture) -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            fine, bad, cut = [await ada.opened(seats=SEATS) for _ in range(3)]
            for turn in (0, 2):
                ada.say("move", table=cut["table"], turn=turn, move="discard 1")
                await ada.view_at(turn + 2)
        connection = sqlite3.connect(folder / "tables.sqlite")
        connection.execute("update tables set seats = '[{\"kind\": ' where id = ?", (bad["table"],))
        connection.execute("update log set payload = '{\"move' where table_id = ? and entry = 2", (cut["table"],))
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
        assert connection.execute("select seats from tables where id = ?", (bad["table"],)).fetchone() == (
            '[{"kind": ',
        )
        aside = connection.execute("select entry, payload from set_aside order by entry").fetchall()
        assert aside[0] == (2, b'{"move')
        assert [entry for entry, _ in aside] == [2, 3]
        connection.close()

    played(scenario)


@pytest.mark.parametrize("page", [2, 3, 5, 9, 14])
def test_a_malformed_page_costs_what_is_on_it_and_nothing_else(tmp_path: Path, page: int) -> None:
    path = tmp_path / "tables.sqlite"
    filled(path)
    size = 4096
    with path.open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xa5" * size)
    before = path.read_bytes()
    store, [said] = open_store(path, 10)
    histories, _ = store.unfinished(1000)
    assert "is damaged" in said
    assert "is kept as" in said
    assert len(histories) >= 20
    [damaged] = [file for file in tmp_path.glob("tables.sqlite.damaged-*") if not file.name.endswith(("-wal", "-shm"))]
    assert damaged.read_bytes() == before
    asyncio.run(store.add(stored("new"), []))
    store.close()


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
