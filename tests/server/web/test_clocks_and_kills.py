"""The wall clock may jump, and the server may be killed at any moment: nothing is lost, early or late."""

import asyncio
import json
import shutil
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.core import registry
from kibitz.core.record import Record
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from kibitz.server.live.rate_limit import TokenBucket
from kibitz.server.live.storage import StoredTable
from kibitz.server.web.recovery import open_store
from kibitz.server.web.sqlite_store import SqliteStore
from tests.server.web.guests import QUICK, parlour, play_on, played

BOTS = [{"kind": "me"}, {"kind": "bot", "agent": "erratic"}]
YEAR = 365 * 86400.0
JUMPS = (-30 * YEAR, 30 * YEAR)


class WallClock:
    """The time of day, which somebody sets."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.off, true = 0.0, time.time
        monkeypatch.setattr(time, "time", lambda: true() + self.off)


@pytest.mark.parametrize("jump", JUMPS)
def test_a_jump_of_the_clock_changes_no_move_clock_no_seat_and_no_table(
    monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    async def scenario(folder: Path) -> None:
        clock = WallClock(monkeypatch)
        async with parlour(folder, limits=replace(QUICK, put_away_untouched=600.0)) as here:
            ada = await here.guest()
            view = await ada.opened(seats=BOTS, move_seconds=60)
            table, token = view["table"], ada.tokens[view["table"]]
            live = here.tables[table]
            clock.off = jump
            left = live.clock.seconds_left()
            assert left is not None
            assert 0 < left <= 60
            await here.site.tables.put_away_idle()
            assert here.tables[table] is live
            bo = await here.guest("Bo")
            assert (await bo.ask("seat", "resume", table=table, token=token))["seat"] == 0
            ada.say("move", table=table, turn=0, move="discard 1")
            await ada.view_at(2)
        clock.off = 0.0
        async with parlour(folder) as here:
            assert here.tables[table].state.turn == 2
            back = await here.guest()
            assert (await back.ask("seat", "resume", table=table, token=token))["seat"] == 0

    played(scenario)


@pytest.mark.parametrize("jump", JUMPS)
def test_a_jump_of_the_clock_gives_nobody_more_or_fewer_requests(monkeypatch: pytest.MonkeyPatch, jump: float) -> None:
    clock = WallClock(monkeypatch)
    bucket = TokenBucket(rate=1e-9, burst=2.0)
    assert bucket.take()
    clock.off = jump
    assert bucket.take()
    assert not bucket.take()


@pytest.mark.parametrize("jump", JUMPS)
def test_a_reserved_seat_is_kept_for_as_long_whatever_the_clock_says(
    monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    async def scenario(folder: Path) -> None:
        clock = WallClock(monkeypatch)
        async with parlour(folder) as here:
            ada, bo = await here.guest("Ada"), await here.guest("Bo")
            seat = await ada.ask("seat", "create", game="hanabi", seats=[{"kind": "me"}, {"kind": "open"}])
            [invitation] = seat["invitations"]
            await bo.ask("seat", "sit", table=seat["table"], invitation=invitation["invitation"])
            await asyncio.gather(play_on(ada, lambda view: "discard 1"), play_on(bo, lambda view: "discard 1"))
            again = await ada.ask("seat", "rematch", table=seat["table"], token=seat["token"])
            clock.off = jump
            stand_in = {"table": again["table"], "seat": 1}
            assert await ada.refused("stand_in", **stand_in) == "not_yours"
            here.tables[again["table"]].audience.away_since[1] -= 3600.0  # an hour passes
            ada.say("stand_in", **stand_in)
            await ada.hear("seats", lambda message: message["seats"][1]["kind"] == "bot")

    played(scenario)


def test_tables_put_away_before_the_clock_was_set_back_are_the_older_ones(tmp_path: Path) -> None:
    async def scenario() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite", untouched_kept=2)
        for number, when in enumerate((5e9, 4e9, 3e9, 2e9)):
            id = f"table{number}"
            await store.add(
                StoredTable(
                    id=id, game="hanabi", rules={}, start={}, dice=1, seats=[], options={}, host="", created=when
                ),
                [],
            )
            await store.write(("update tables set put_away = ?, untouched = 1 where id = ?", (when, id)))
        await store.put_away({"table3": True}, {"table3": {}})
        assert [id for id in ("table0", "table1", "table2", "table3") if store.load(id)] == ["table2", "table3"]
        store.close()

    asyncio.run(scenario())


def as_killed_now(folder: Path, to: Path) -> Path:
    """The files as a process that is killed now leaves them: what it wrote is there, what it held in memory is not."""
    to.mkdir()
    for file in folder.glob("tables.sqlite*"):
        shutil.copy(file, to)
    return to


def some_record() -> bytes:
    game = registry.game("hanabi")
    rules = game.check_rules({})
    table = Table(game, [], game.deal(keys(3), 0, 2, rules))
    record = Record.of(table, ["Ada", "Bo"], rules, 3, 0)
    move = {"move": game.choices(table.view(table.to_move))[0]["move"]}
    return json.dumps({**json.loads(record.dump()), "moves": [move], "result": None}).encode()


def test_a_server_that_is_killed_loses_no_note_no_import_and_no_move_that_was_announced(tmp_path: Path) -> None:
    announced: list[tuple[Path, Any]] = []

    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            table = (await ada.opened(seats=BOTS))["table"]

            def now(*expected: Any) -> None:
                announced.append((as_killed_now(folder, tmp_path / str(len(announced))), expected))

            for turn in (0, 2):
                ada.say("move", table=table, turn=turn, move="discard 1")
                await ada.view_at(turn + 1)
                now("moves", table, turn + 1)
                await ada.view_at(turn + 2)
                ada.say("note", table=table, mark=2, text=f"seen {turn}")
                await ada.ask("ok", "chat", table=table, word=0)  # answered after the note is kept
                now("note", table, f"seen {turn}")
                imported = await here.site.take_in(some_record(), "192.0.2.1")
                now("moves", imported.id, 1)

    played(scenario)
    for folder, (what, table, expected) in announced:
        store, said = open_store(folder / "tables.sqlite", 10)
        history = store.load(table)
        store.close()
        assert said == []
        assert history is not None
        moves = [entry for entry in history.entries if entry.kind == "move"]
        assert [note.text for note in history.notes] == [expected] if what == "note" else len(moves) >= expected
