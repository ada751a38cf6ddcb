"""What a hostile or careless client can do to a server: use up its own share, and nobody else's."""

import asyncio
import contextlib
import json
import socket
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from kibitz.errors import KibitzError
from kibitz.server.live.limits import Limits, limits_with
from kibitz.server.live.storage import StorageError
from kibitz.server.web.sqlite_store import SqliteStore
from tests.server.web.guests import (
    PATIENCE,
    QUICK,
    Guest,
    Message,
    Parlour,
    folder,
    in_parlour,
    parlour,
    play_on,
    played,
)
from tests.server.web.servers import call, in_a_thread
from tests.waiting import idle

SEATS = [{"kind": "me"}, {"kind": "bot", "agent": "hajdu_v1"}]
ONLY_BOTS = [{"kind": "bot", "agent": "hajdu_v1"}] * 2
SOON = 0.3  # seconds


# Tables


def test_however_many_tables_are_made_the_next_visitor_can_make_one_too() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder, limits=replace(QUICK, tables=10)) as here:
            crowd = [await here.guest(f"Greedy {number}") for number in range(5)]
            made = [await guest.opened(seats=SEATS) for guest in crowd for _ in range(10)]
            assert len(here.tables) <= 10
            ada = await here.guest("Ada")
            view = await ada.opened(seats=SEATS)
            ada.say("move", table=view["table"], turn=0, move="discard 1")
            await ada.view_at(2)
            first = made[0]["table"]
            assert first not in here.tables
            crowd[0].read = len(crowd[0].socket.sent)
            crowd[0].say("move", table=first, turn=0, move="discard 1")  # it is back as if it had never been away
            assert (await crowd[0].view_at(2))["table"] == first
        async with parlour(folder, limits=replace(QUICK, tables=10)) as here:
            assert len(here.tables) <= 10
            await (await here.guest()).opened(seats=SEATS)

    played(scenario)


def test_a_session_and_an_address_make_only_so_many_tables_a_minute() -> None:
    async def scenario(folder: Path) -> None:
        limits = replace(QUICK, tables_per_minute=6, tables_per_minute_by_address=4, free_tables=2)
        async with parlour(folder, limits=limits) as here:
            ada, bo = await here.guest("Ada"), await here.guest("Bo")
            for _ in range(6):
                await ada.opened(seats=SEATS)
            assert await ada.refused("create", game="hanabi") == "too_fast"
            for _ in range(2):
                await bo.opened(seats=SEATS)  # these are free, whatever others at the address did
            assert await bo.refused("create", game="hanabi") == "too_fast"

    played(scenario)


def test_a_table_that_the_disk_does_not_let_come_back_can_be_asked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    async def full(self: object, id: str) -> None:
        raise StorageError("The disk is full.")

    async def scenario(folder: Path) -> None:
        async with parlour(folder, limits=replace(QUICK, put_away_untouched=0.0)) as here:
            ada = await here.guest("Ada")
            table = (await ada.opened(seats=SEATS))["table"]
            await here.site.tables.put_away_idle()
            with monkeypatch.context() as patched:
                patched.setattr(SqliteStore, "bring_back", full)
                with pytest.raises(StorageError, match="The disk is full"):
                    await here.site.tables.table(table)
            assert (await here.site.tables.table(table)).id == table

    played(scenario)


def test_tables_where_nobody_moves_are_put_away_and_come_back_when_somebody_opens_them() -> None:
    async def scenario(folder: Path) -> None:
        limits = replace(QUICK, put_away=3600.0, put_away_untouched=0.0)
        async with parlour(folder, limits=limits) as here:
            ada = await here.guest("Ada")
            touched, untouched = await ada.opened(seats=SEATS), await ada.opened(seats=SEATS)
            ada.say("move", table=touched["table"], turn=0, move="discard 1")
            await ada.view_at(2)
            ada.say("note", table=untouched["table"], mark=3, text="keep")
            await here.site.tables.put_away_idle()
            assert set(here.tables) == {touched["table"]}
            await ada.gone()
            token = ada.tokens[untouched["table"]]
        async with parlour(folder, limits=limits) as here:
            assert set(here.tables) == {touched["table"]}
            ada = await here.guest("Ada")
            await ada.ask("seat", "resume", table=untouched["table"], token=token)
            assert (await ada.hear("view"))["notes"] == {"3": "keep"}
            ada.say("move", table=untouched["table"], turn=0, move="discard 1")
            await ada.view_at(2)
        async with parlour(folder, limits=limits) as here:
            assert set(here.tables) == {touched["table"], untouched["table"]}

    played(scenario)


@in_parlour(limits=replace(QUICK, put_away_untouched=0.0, untouched_kept=2))
async def test_of_the_tables_where_nobody_ever_moved_the_oldest_are_deleted_in_the_end(here: Parlour) -> None:
    ada = await here.guest("Ada")
    views = [await ada.opened(seats=SEATS) for _ in range(4)]
    for view in views:
        await here.site.tables.put_away([here.tables[view["table"]]])
    eve = await here.guest("Eve")
    for view in views[:2]:
        assert await eve.refused("spectate", table=view["table"]) == "unknown"
    eve.say("spectate", table=views[3]["table"])
    await eve.hear("view")


def test_a_table_is_deleted_by_who_made_it_and_by_nobody_else() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada, bo, eve = [await here.guest(name) for name in ("Ada", "Bo", "Eve")]
            seat = await ada.ask("seat", "create", game="hanabi", seats=[{"kind": "me"}, {"kind": "open"}])
            table, [invitation] = {"table": seat["table"]}, seat["invitations"]
            assert seat["host"]
            await bo.ask("seat", "sit", **table, invitation=invitation["invitation"])
            eve.say("spectate", **table)
            await eve.hear("view")
            for guest in (bo, eve):
                assert await guest.refused("delete", **table) == "not_yours"
            assert await ada.refused("delete", **table) == "not_yours"  # Bo plays
            bo.say("hand_to_bot", **table)
            await ada.hear("seats", lambda message: message["seats"][1]["kind"] == "bot")
            await ada.ask("deleted", "delete", **table)
            await eve.hear("deleted")
            assert await eve.refused("spectate", **table) == "unknown"
            assert await ada.refused("resume", **table, token=seat["token"]) == "unknown"
        async with parlour(folder) as here:
            assert here.tables == {}

    played(scenario)


@in_parlour()
async def test_nobody_takes_a_second_seat_on_the_same_connection(here: Parlour) -> None:
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    seat = await ada.ask("seat", "create", game="hanabi", seats=seats)
    table = {"table": seat["table"]}
    first, second = (each["invitation"] for each in seat["invitations"])
    assert await ada.refused("sit", **table, invitation=first) == "not_yours"
    his = await bo.ask("seat", "sit", **table, invitation=first)
    assert await bo.refused("sit", **table, invitation=second) == "not_yours"
    assert await ada.refused("resume", **table, token=his["token"]) == "not_yours"
    await bo.ask("seat", "resume", **table, token=his["token"])  # one's own, as often as one likes


# The lobby


def rows_of(messages: list[Message]) -> list[Message]:
    """The rows of a page of the lobby after all that was sent of it, as a client keeps them."""
    rows: dict[str, Message] = {}
    order: list[str] = []
    for message in messages:
        if message["type"] == "tables":
            rows = {row["table"]: row for row in message["tables"]}
            order = list(rows)
        elif message["type"] == "tables_changed":
            rows |= {row["table"]: row for row in message.get("changed", ())}
            order = message.get("order", order)
    return [rows[id] for id in order]


async def settled(here: Parlour) -> None:
    """Wait until all messages are sent."""
    here.site.lobby.send_changes()
    await idle()


@in_parlour()
async def test_the_lobby_is_sent_once_and_then_as_what_has_changed(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    for _ in range(20):
        await ada.opened(seats=SEATS)
    whole = await eve.ask("tables", "lobby")
    assert len(whole["tables"]) == 20
    view = await ada.opened(seats=SEATS)
    ada.say("move", table=view["table"], turn=0, move="discard 1")
    await ada.view_at(2)
    await settled(here)
    assert len(eve.every("tables")) == 1
    changes = eve.every("tables_changed")
    assert sum(len(change.get("changed", ())) for change in changes) <= 4
    shown = rows_of([whole, *changes])
    assert (shown[0]["table"], shown[0]["turn"]) == (view["table"], 2)
    assert shown == (await eve.ask("tables", "lobby"))["tables"]


@in_parlour(limits=replace(QUICK, listed=3))
async def test_the_lobby_has_pages(here: Parlour) -> None:
    ada = await here.guest("Ada")
    for _ in range(2):
        await ada.opened(seats=ONLY_BOTS)
        await ada.hear("view", lambda view: view["state"] == "finished")
    running = [(await ada.opened(seats=SEATS))["table"] for _ in range(5)]
    await asyncio.gather(*(each.ending for each in here.tables.values() if each.ending))
    pages = [await ada.ask("tables", "lobby", page=page) for page in range(3)]
    assert [len(page["tables"]) for page in pages] == [3, 3, 1]
    assert {page["pages"] for page in pages} == {3}
    assert {page["total"] for page in pages} == {7}
    listed = [row["table"] for page in pages for row in page["tables"]]
    assert listed[:5] == running[::-1]
    over = await ada.ask("tables", "lobby", which="finished")
    assert [row["table"] for row in over["tables"]] == listed[5:]
    going_on = await ada.ask("tables", "lobby", which="running", page=1)
    assert [row["table"] for row in going_on["tables"]] == listed[3:5]


@in_parlour()
async def test_who_does_not_read_the_lobby_is_sent_the_newest_state_when_they_do(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    await eve.ask("tables", "lobby")
    eve.socket.free.clear()
    view = await ada.opened(seats=SEATS)
    last = view["table"]
    for _ in range(300):
        ada.say("bot_delay", table=last, milliseconds=0)
        last = (await ada.opened(seats=SEATS))["table"]
        await ada.ask("ok", "leave", table=last)
        here.site.lobby.send_changes()
    assert eve.session.unsent < 100_000
    assert eve.session.closing is None
    eve.socket.free.set()
    async with asyncio.timeout(PATIENCE):
        while [row["table"] for row in rows_of(eve.heard)][:1] != [last]:
            await settled(here)


# Connections


@contextlib.contextmanager
def serving(**limits: Any) -> Iterator[int]:
    with folder() as path, in_a_thread(path, replace(Limits(), **limits)) as port:
        yield port


def get(port: int, path: str = "/", **options: Any) -> httpx.Response:
    return httpx.get(f"http://127.0.0.1:{port}{path}", timeout=60, **options)


def ended(connection: socket.socket) -> bytes:
    """The messages on a connection before it is closed."""
    connection.settimeout(30)
    heard = b""
    with contextlib.suppress(ConnectionError):
        while piece := connection.recv(65536):
            heard += piece
    return heard


def test_requests_that_never_arrive_whole_are_ended_and_reported() -> None:
    heads = [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: localhost\r\n", b"GET / HTTP/1.1\r\nHost: localhost\r\nX: "]
    with serving(request_head=SOON) as port, contextlib.ExitStack() as stack:
        half = [stack.enter_context(socket.create_connection(("127.0.0.1", port))) for _ in heads]
        for connection, head in zip(half, heads, strict=True):
            connection.sendall(head)
        again = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        again.sendall(b"GET /nothing HTTP/1.1\r\nHost: localhost\r\n\r\nGET / HTTP/1.1\r\nHo")
        endings = [ended(connection) for connection in half]
        assert all(text.startswith(b"HTTP/1.1 408") for text in endings)
        assert ended(again).startswith(b"HTTP/1.1 404")
        assert get(port).status_code == 200


def test_half_open_requests_make_room_for_who_asks_for_something() -> None:
    with serving(connections=20, request_head=60.0) as port, contextlib.ExitStack() as stack, call(port) as ada:
        ada.say("create", game="hanabi", seats=SEATS)
        ada.hear("seat")
        for _ in range(100):
            half = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            half.sendall(b"GET / HTTP/1.1\r\nHo")
        assert get(port).status_code == 200
        ada.say("catalogue")
        ada.hear("catalogue")


def test_who_has_no_seat_and_says_nothing_for_long_is_let_go() -> None:
    with serving(idle=SOON) as port, call(port) as ada:
        ada.say("create", game="hanabi", seats=SEATS)
        ada.hear("seat")
        for _ in range(2):  # so Ada is silent for longer than either of them
            with call(port) as eve, pytest.raises(ConnectionClosed) as closed:
                eve.hear("nothing")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1013
        ada.say("catalogue")
        ada.hear("catalogue")


def test_an_address_opens_only_so_many_sessions_at_once() -> None:
    with serving(sessions_per_second=0.001, sessions_at_once=2) as port:
        with call(port), call(port):
            pass
        with pytest.raises(ConnectionClosed), call(port):
            pass
        assert get(port).status_code == 200


@pytest.mark.parametrize(
    "path",
    ["/%00", "/static/%00", "/games/hanabi/%00", "/runs/x/%00", "/api/tables/%00.json", "/" + "x" * 5000,
     "/static/" + "x" * 5000, "/games/" + "x" * 5000 + "/y", "/games/hanabi/" + "x" * 5000,
     "/runs/" + "x" * 5000 + "/y", "/api/tables/" + "x" * 5000 + ".json", "/static/" + "a/" * 2000],
)  # fmt: skip
def test_addresses_that_no_file_can_have_are_not_found(port: int, path: str) -> None:
    assert get(port, path).status_code == 404


@pytest.mark.parametrize(
    "origin", ["http://[", "http://[::1", "//", "null", "http://evil.example", "\xff", "http://]:x"]
)
def test_an_origin_that_is_none_is_refused(port: int, origin: str) -> None:
    assert get(port, headers={b"Origin": origin.encode("latin-1")}).status_code == 403


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with serving() as port:
        yield port


def test_records_are_taken_in_only_so_fast() -> None:
    with serving(uploads_per_minute=3) as port:
        send = {"headers": {"content-type": "application/json"}, "content": b"{}", "timeout": 60}
        answers = [httpx.post(f"http://127.0.0.1:{port}/api/import", **send) for _ in range(5)]  # type: ignore[arg-type]
        assert [answer.status_code for answer in answers] == [400, 400, 400, 429, 429]
        assert "Wait a minute" in answers[-1].json()["error"]
    with serving(upload_bytes_per_minute=100_000) as port:
        send["content"] = b"x" * 40_000
        answers = [httpx.post(f"http://127.0.0.1:{port}/api/import", **send) for _ in range(3)]  # type: ignore[arg-type]
        assert [answer.status_code for answer in answers] == [400, 400, 429]


@pytest.mark.parametrize("trusted", [True, False])
def test_limits_by_address_count_those_behind_a_proxy_that_is_trusted(trusted: bool) -> None:
    limits, proxies = replace(Limits(), uploads_per_minute=1), ("127.0.0.1",) if trusted else ()
    with folder() as path, in_a_thread(path, limits, proxies) as port:

        def upload(address: str) -> int:
            headers = {"content-type": "application/json", "x-forwarded-for": address}
            sent = httpx.post(f"http://127.0.0.1:{port}/api/import", headers=headers, content=b"{}", timeout=60)
            return sent.status_code

        answers = [upload(address) for address in ("192.0.2.1", "192.0.2.2", "192.0.2.1")]
        assert answers == ([400, 400, 429] if trusted else [400, 429, 429])


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 2**64, 10**30])
@pytest.mark.parametrize("field", ["seed", "number"])
@in_parlour()
async def test_a_record_with_a_number_that_nothing_can_hold_is_refused_and_tables_go_on(
    here: Parlour, field: str, number: int
) -> None:
    ada = await here.guest()
    last = await finished(here, ada)
    record = json.loads(here.site.record(await here.site.tables.table(last["table"])).dump())
    with pytest.raises(Exception, match=field):
        await here.site.take_in(json.dumps({**record, field: number}).encode(), "")
    view = await ada.opened(seats=SEATS)
    ada.say("move", table=view["table"], turn=0, move="discard 1")
    await ada.hear("view", lambda message: message["table"] == view["table"] and message["turn"] == 2)


async def finished(here: Parlour, guest: Guest) -> Message:
    await guest.opened(seats=SEATS, seed=1)
    return await play_on(guest)


# Runs of others


@in_parlour()
async def test_a_run_is_stopped_by_who_started_it_and_by_nobody_else(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    wishes = {"what": "match", "game": "hanabi", "agents": ["erratic"], "players": 2, "games": 1_000_000}
    started = await ada.ask("lab_started", "lab_start", **wishes)
    assert await eve.refused("lab_cancel", run=started["run"]) == "not_yours"
    assert await eve.refused("lab_cancel", run=started["run"], token="guessed") == "not_yours"
    runs = await eve.ask("runs", "lab")
    assert started["token"] not in json.dumps(runs)
    assert "owner" not in runs["runs"][0]
    ada.say("lab_cancel", run=started["run"], token=started["token"])
    await eve.hear("runs", lambda message: message["runs"][0]["state"] == "cancelled")


# Choosing limits


def test_every_limit_is_in_the_documentation_with_what_it_usually_is() -> None:
    page = (Path(__file__).parents[3] / "docs/how-to/serve.md").read_text()
    usual: dict[str, str] = {}
    for line in page.splitlines():
        if line.startswith("| `"):
            names, numbers = line.split("|")[1:3]
            usual |= zip(names.replace("`", "").split(","), numbers.split(","), strict=True)
    documented = {name.strip(): float(number) for name, number in usual.items()}
    assert documented == {field.name: field.default for field in fields(Limits)}


def test_limits_are_chosen_by_name() -> None:
    assert limits_with(["tables=7", "idle=0.5"]) == replace(Limits(), tables=7, idle=0.5)
    for wrong in ("tables", "tables=", "tables=x", "tables=-1", "tables=1.5", "idle=nan", "idle=inf", "idle=0"):
        with pytest.raises(KibitzError, match="NAME=NUMBER"):
            limits_with([wrong])
    with pytest.raises(KibitzError, match="tables_per_minute"):
        limits_with(["tables_per_minut=3"])
