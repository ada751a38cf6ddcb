"""What is on the disk: every move before anybody hears of it, and every table back when the server starts again."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from kibitz.engine.seeds import keys, number
from kibitz.errors import KibitzError
from kibitz.server.live.storage import Entry, StorageError, StoredTable
from kibitz.server.live.table_state import OPEN
from kibitz.server.web.sqlite_store import SqliteStore
from tests.server.web.guests import Message, Parlour, in_parlour, parlour, play_on, played
from tests.waiting import idle

SEATS = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "agent": "hajdu_v2"}]
BOTS = [{"kind": "me"}, {"kind": "bot", "agent": "erratic"}, {"kind": "bot", "agent": "trustful"}]


def stored(id: str) -> StoredTable:
    return StoredTable(id=id, game="hanabi", rules={}, start={}, dice=1, seats=[], options={}, host="", created=0.0)


def test_every_table_is_back_and_everybody_sits_where_they_sat() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada, bo = await here.guest("Ada"), await here.guest("Bo")
            seat = await ada.ask("seat", "create", game="hanabi", seats=SEATS, bot_delay=5)
            table, [invitation] = {"table": seat["table"]}, seat["invitations"]
            his = await bo.ask("seat", "sit", **table, invitation=invitation["invitation"])
            ada.say("move", **table, turn=0, move="discard 1")
            await bo.view_at(1)
            ada.say("note", **table, mark=2, text="a note")
            ada.say("bot_delay", **table, milliseconds=7)
            await ada.hear("seats", lambda message: message["options"]["bot_delay"] == 7)
            waiting = await ada.ask("seat", "create", game="hanabi", seats=SEATS)
            before = bo.every("view")[-1]["view"]
        async with parlour(folder) as here:
            assert set(here.tables) == {seat["table"], waiting["table"]}
            ada, bo = await here.guest("Ada"), await here.guest("Bo")
            again = await bo.ask("seat", "resume", **table, token=his["token"])
            assert again["seat"] == 1
            view = await bo.hear("view")
            assert view["view"] == before
            assert view["turn"] == 1
            assert (await bo.hear("your_turn"))["turn"] == 1
            back = await ada.ask("seat", "resume", **table, token=seat["token"])
            assert back["seat"] == 0
            view = await ada.hear("view")
            assert view["notes"] == {"2": "a note"}
            assert view["note_turns"] == {"2": 1}
            assert view["options"]["bot_delay"] == 7
            invited = await ada.ask("seat", "resume", table=waiting["table"], token=waiting["token"])
            assert invited["invitations"] == waiting["invitations"]
            await asyncio.gather(*(play_on_at(guest, seat["table"]) for guest in (ada, bo)))

    async def play_on_at(guest: Any, table: str) -> Message:
        guest.socket.sent[:] = [text for text in guest.socket.sent if f'"table":"{table}"' in text]
        return await play_on(guest)

    played(scenario)


def test_bots_go_on_as_if_nothing_had_happened() -> None:
    """A game that is interrupted after every move of the person is the game that was not interrupted."""

    async def whole(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            view = await ada.opened(seats=BOTS, seed=5)
            await play_on(ada, lambda view: "discard 1")
            games.append([turn.decision for turn in here.tables[view["table"]].state.core.turns])

    async def interrupted(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            view = await ada.opened(seats=BOTS, seed=5)
            table, token = view["table"], ada.tokens[view["table"]]
        while view["state"] != "finished":
            async with parlour(folder) as here:
                ada = await here.guest()
                await ada.ask("seat", "resume", table=table, token=token)
                view = await ada.hear("view", lambda view: "choices" in view or view["state"] == "finished")
                if view["state"] != "finished":
                    ada.say("move", table=table, turn=view["turn"], move="discard 1")
                    await ada.view_at(view["turn"] + 1)  # and not a moment longer: the bots are cut off
                else:
                    games.append([turn.decision for turn in here.tables[table].state.core.turns])

    games: list[Any] = []
    played(whole)
    played(interrupted)
    assert games[0] == games[1]


def test_a_seat_that_changed_hands_is_as_it_was_left() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            view = await ada.opened(seats=BOTS, bot_delay=60_000)
            table, token = {"table": view["table"]}, ada.tokens[view["table"]]
            ada.say("hand_to_bot", **table, agent="bot2")
            await ada.hear("notice")
        async with parlour(folder) as here:
            ada = await here.guest()
            await ada.ask("seat", "resume", **table, token=token)
            view = await ada.hear("view")
            assert view["seats"][0]["agent"] == "bot2"
            assert view["seats"][0]["for"] == "Ada"
            ada.say("reclaim_seat", **table)
            await ada.hear("your_turn")

    played(scenario)


def test_a_table_that_is_back_has_the_dice_it_had() -> None:
    """All seats' dice come from one number on the disk."""

    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            id = (await ada.opened(seats=BOTS, seed=5))["table"]
            before = here.tables[id].state.core.start["streams"].tolist()
            on_disk = here.site.store.load(id)
            assert on_disk is not None
            assert on_disk.table.dice == number(keys(5).dice, 0)
        async with parlour(folder) as here:
            assert here.tables[id].state.core.start["streams"].tolist() == before

    played(scenario)


@in_parlour()
async def test_who_is_sent_every_card_is_sent_no_stream(here: Parlour) -> None:
    """Streams would tell what bots are going to roll, and in Love Letter the decks of later rounds."""
    ada = await here.guest()
    await ada.opened(game="loveletter", seats=[{"kind": "bot", "agent": "greedy"}] * 2)
    [table] = here.tables.values()
    assert table.state.all_may_be_seen
    shown = table.views.view(table.state.core, OPEN)
    assert shown["hands"].tolist() == table.state.core.state["hands"].tolist()
    assert (shown["cards"], *shown["streams"].tolist()) == (0, 0, 0, 0, 0)


def test_a_finished_game_leaves_memory_and_comes_back_when_somebody_looks() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            await ada.opened(seats=BOTS)
            last = await play_on(ada)
            await ada.ask("ok", "leave", table=last["table"])
            ending = here.tables.get(last["table"])
            if ending is not None and ending.ending is not None:
                await ending.ending
            assert last["table"] not in here.tables
        async with parlour(folder) as here:
            assert here.tables == {}
            eve = await here.guest("Eve")
            listed = await eve.ask("tables", "lobby")
            assert [each["table"] for each in listed["tables"]] == [last["table"]]
            eve.say("spectate", table=last["table"])
            view = await eve.hear("view")
            assert view["result"] == last["result"]
            assert view["verdict"] == last["verdict"]

    played(scenario)


def test_a_game_whose_end_was_not_noted_is_noted_at_the_next_start() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            await ada.opened(seats=BOTS)
            last = await play_on(ada)
            live = here.tables[last["table"]]
            assert live.ending is not None
            await live.ending
            await here.site.store.write(("update tables set finished = null, summary = null", ()))
        async with parlour(folder) as here:
            assert here.tables == {}
            assert [each["result"] for each in here.site.store.finished(10)] == [last["result"]]

    played(scenario)


@in_parlour()
async def test_nobody_hears_of_a_move_that_is_not_on_the_disk(here: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await ada.opened(seats=BOTS)
    eve.say("spectate", table=view["table"])
    await eve.hear("view")
    table = here.tables[view["table"]]
    write = here.site.store.write
    at_the_time: list[tuple[int, int]] = []

    async def slowly(*statements: Any) -> None:
        await idle()  # time for whatever is sent too early
        at_the_time.append((len(ada.every("event")), len(eve.every("event"))))
        await write(*statements)

    monkeypatch.setattr(here.site.store, "write", slowly)
    ada.say("move", table=view["table"], turn=0, move="discard 1")
    await ada.view_at(3)
    assert at_the_time[:3] == [(0, 0), (1, 1), (2, 2)]
    assert table.state.turn == 3


@in_parlour()
async def test_a_move_is_made_even_if_who_makes_it_goes_away_meanwhile(
    here: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await here.guest()
    view = await ada.opened(seats=BOTS)
    table, write = here.tables[view["table"]], here.site.store.write
    written, gone = asyncio.Event(), asyncio.Event()

    async def slowly(*statements: Any) -> None:
        written.set()
        await gone.wait()
        await write(*statements)

    monkeypatch.setattr(here.site.store, "write", slowly)
    ada.say("move", table=view["table"], turn=0, move="discard 1")
    await written.wait()
    ada.hang_up()
    await idle()
    gone.set()
    await ada.task
    back = await here.guest()
    await back.ask("seat", "resume", table=view["table"], token=ada.tokens[view["table"]])
    if table.state.turn < 3:
        await back.view_at(3)
    history = here.site.store.load(view["table"])
    assert history is not None
    assert len(history.entries) == table.state.turn == table.state.entries == 3
    back.say("move", table=view["table"], turn=3, move="discard 1")
    await back.view_at(6)
    assert set(table.audience.subscribers) == {back.session}


@in_parlour()
async def test_a_move_the_disk_does_not_take_is_not_made(here: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    ada = await here.guest()
    view = await ada.opened(seats=BOTS)

    async def full(*statements: Any) -> None:
        raise StorageError("It could not be written: the disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(here.site.store, "write", full)
        assert await ada.refused("move", table=view["table"], turn=0, move="discard 1") == "failed"
    assert here.tables[view["table"]].state.turn == 0
    ada.say("move", table=view["table"], turn=0, move="discard 1")
    await ada.view_at(3)


def test_one_bad_entry_does_not_spoil_those_written_with_it(tmp_path: Path) -> None:
    async def scenario() -> None:
        here = SqliteStore(tmp_path / "tables.sqlite")
        await here.add(stored("a"), [])
        move = [Entry("move", {"move": "x"})]
        done = await asyncio.gather(*(here.append("a", number, move) for number in (0, 0, 1)), return_exceptions=True)
        assert [isinstance(each, StorageError) for each in done] == [False, True, False]
        history = here.load("a")
        assert history is not None
        assert len(history.entries) == 2
        here.close()

    asyncio.run(scenario())


def test_the_log_is_kept_as_safely_as_a_disk_can(tmp_path: Path) -> None:
    here = SqliteStore(tmp_path / "tables.sqlite")
    assert here.writing.execute("pragma journal_mode").fetchone() == ("wal",)
    assert here.writing.execute("pragma synchronous").fetchone() == (2,)
    here.close()


def test_tokens_are_not_on_the_disk() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            seat = await ada.ask("seat", "create", game="hanabi", seats=SEATS)
            secrets = [seat["token"], seat["invitations"][0]["invitation"]]
        written = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
        assert not any(secret.encode() in written for secret in secrets)

    played(scenario)


def test_tables_of_another_version_are_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "tables.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("pragma user_version = 99")
    connection.close()
    with pytest.raises(KibitzError, match="another version of kibitz"):
        SqliteStore(path)


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(KibitzError, match="--data"):
        SqliteStore(tmp_path / "file" / "tables.sqlite")


def test_a_table_that_cannot_be_brought_back_keeps_nobody_out() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            view = await ada.opened(seats=BOTS)
            await here.site.store.add(stored("broken"), [])
        async with parlour(folder) as here:
            assert set(here.tables) == {view["table"]}
            ada = await here.guest()
            assert await ada.refused("spectate", table="broken") == "failed"

    played(scenario)
