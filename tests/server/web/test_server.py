"""The server as the network sees it: its doors, its headers, its limits, and what it survives."""

import contextlib
import json
import re
import socket
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from kibitz.core import registry
from kibitz.core.agent import Decision
from kibitz.core.record import parse
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.errors import KibitzError
from kibitz.server.live.limits import Limits
from kibitz.server.live.listening import bound, listening_at
from kibitz.server.web import server
from tests.games.bridge.tables import EVEN
from tests.server.web.guests import ANY_DISCARD, folder
from tests.server.web.servers import Caller, Process, call, in_a_thread
from tests.waiting import until

LIMITS = replace(Limits(), connections=60)
BOTS = [{"kind": "bot", "agent": "hajdu_v2"}, {"kind": "bot", "agent": "trustful"}]
SEATS = [{"kind": "me"}, *BOTS]


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with folder() as path, in_a_thread(path, LIMITS) as port:
        yield port


def get(port: int, path: str, **options: Any) -> httpx.Response:
    return httpx.get(f"http://127.0.0.1:{port}{path}", timeout=60, **options)


def post(port: int, body: bytes, **headers: str) -> httpx.Response:
    headers = {"content-type": "application/json", **{name.replace("_", "-"): each for name, each in headers.items()}}
    return httpx.post(f"http://127.0.0.1:{port}/api/import", content=body, headers=headers, timeout=60)


def finished_game(port: int, **rules: str) -> str:
    with call(port) as ada:
        ada.say("create", game="hanabi", seats=BOTS, seed=1, rules=rules)
        table = ada.hear("seat")["table"]
        while ada.hear("view")["state"] != "finished":
            pass
    return str(table)


# Doors


@pytest.mark.parametrize(
    "path", ["/", "/static/index.html", "/nowhere", "/api/tables/none.json", "/api/import", "/games/hanabi/none.js"]
)
def test_every_answer_has_the_headers_that_protect_the_page(port: int, path: str) -> None:
    headers = get(port, path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-cache"
    assert "set-cookie" not in headers
    assert "server" not in headers


def test_the_page_is_served(port: int) -> None:
    page = get(port, "/")
    assert page.status_code == 200
    assert "<title>kibitz</title>" in page.text
    assert get(port, "/nowhere").status_code == 404


@pytest.mark.parametrize(
    "path",
    [
        "/static/../server.py", "/static/..%2fserver.py", "/static/%2e%2e/server.py", "/games/hanabi/../game.py",
        "/games/hanabi/..%2fgame.py", "/games/hanabi/%2e%2e/%2e%2e/web/server.py", "/games/hanabi//etc/passwd",
        "/games/nothing/board.js", "/runs/../tables.sqlite", "/runs/x/..%2f..%2ftables.sqlite",
        "/api/tables/..%2fx.json",
    ],
)  # fmt: skip
def test_no_path_leads_out_of_the_folders_that_are_served(port: int, path: str) -> None:
    with socket.create_connection(("127.0.0.1", port)) as plain:
        plain.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
        answer = b""
        while part := plain.recv(65536):
            answer += part
    assert b" 404 " in answer.split(b"\r\n")[0]


@pytest.mark.parametrize(
    ("host", "origin", "let_in"),
    [
        (None, None, True),
        ("localhost:8000", "http://localhost:8000", True),
        ("192.168.1.20:8000", "http://192.168.1.20:8000", True),
        ("[::1]:8000", "http://[::1]:8000", True),
        ("localhost:8000", "http://evil.example", False),
        ("localhost:8000", "http://localhost:9000", False),
        ("localhost:8000", "null", False),
        ("evil.example", "http://evil.example", False),
        ("evil.example", None, False),
        ("localhost.evil.example", None, False),
        ("[broken", None, False),
    ],
)
def test_pages_of_other_sites_are_kept_out(port: int, host: str | None, origin: str | None, let_in: bool) -> None:
    headers = {name: value for name, value in (("host", host), ("origin", origin)) if value}
    assert (get(port, "/", headers=headers).status_code == 200) == let_in
    handshake = [
        "GET /socket HTTP/1.1", "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==", f"Host: {host or 'localhost'}",
        *([f"Origin: {origin}"] if origin else []),
    ]  # fmt: skip
    with socket.create_connection(("127.0.0.1", port)) as plain:
        plain.sendall(("\r\n".join(handshake) + "\r\n\r\n").encode())
        assert (b" 101 " in plain.recv(65536).split(b"\r\n")[0]) == let_in


def test_a_name_that_was_given_to_the_server_is_known() -> None:
    from kibitz.server.web.app import Guard

    guard = Guard(lambda *_: None, ["Table.example.org"])  # type: ignore[arg-type]
    assert guard.known("table.example.org:443")
    assert guard.known(socket.gethostname())
    assert not guard.known("example.org")
    assert not guard.known("")


# Records


def test_a_game_is_exported_imported_and_exported_again(port: int) -> None:
    table = finished_game(port, full_discard="allowed")
    first = get(port, f"/api/tables/{table}.json")
    assert first.status_code == 200
    assert "attachment" in first.headers["content-disposition"]
    assert parse(first.content).replay().over
    taken = post(port, first.content)
    assert taken.status_code == 200
    again = get(port, f"/api/tables/{taken.json()['table']}.json")
    assert again.content == first.content


def test_a_game_goes_out_and_comes_in_as_other_programs_write_it(port: int) -> None:
    address = f"/api/tables/{finished_game(port)}.json"
    ours = parse(get(port, address).content)
    file, link = (get(port, address, params={"format": name}) for name in ("hanab.live", "hanab.live-link"))
    assert 'filename="hanabi-' in file.headers["content-disposition"]
    assert link.headers["content-type"].startswith("text/plain")
    assert link.text.startswith("https://hanab.live/")
    for text in (file.content, json.dumps(link.text).encode()):
        taken = post(port, text)
        assert taken.status_code == 200
        again = parse(get(port, f"/api/tables/{taken.json()['table']}.json").content)
        assert (again.start, [made.move for made in again.moves]) == (ours.start, [made.move for made in ours.moves])
    unknown = get(port, address, params={"format": "chess"})
    assert unknown.status_code == 400
    assert "no format called 'chess'" in unknown.json()["error"]
    table = finished_game(port, full_discard="allowed")
    refused = get(port, f"/api/tables/{table}.json", params={"format": "hanab.live"})
    assert refused.status_code == 400
    assert "discard with all 8 tokens there" in refused.json()["error"]
    refused = post(port, b'"https://hanab.live/replay/7"')
    assert refused.status_code == 400
    assert "only names game 7" in refused.json()["error"]


def test_a_deal_that_nobody_has_played_comes_in_to_be_played_from(port: int) -> None:
    taken = post(port, f'[Deal "{EVEN}"] [Contract "4S"] [Declarer "S"]'.encode())
    assert taken.status_code == 200
    with call(port) as ada:
        seats = [{"kind": "bot", "agent": "random"}, {"kind": "bot", "agent": "random"}, {"kind": "me"}]
        ada.say("what_if", table=taken.json()["table"], turn=0, bot_delay=0, seats=[*seats, {"kind": "open"}])
        assert ada.hear("seat")["seat"] == 2  # who declares
    bare = {"game": "tictactoe", "players": 2, "seats": ["Ada", "Bo"], "rules": {}, "start": {}, "moves": []}
    refused = post(port, json.dumps({**bare, "format": "kibitz-game", "version": 1}).encode())
    assert refused.status_code == 400
    assert "no moves to show" in refused.json()["error"]


def test_records_of_running_games_and_of_no_games_are_not_given(port: int) -> None:
    with call(port) as ada:
        ada.say("create", game="hanabi", seats=SEATS)
        table = ada.hear("seat")["table"]
        for format in ("", "?format=hanab.live", "?format=hanab.live-link"):
            answer = get(port, f"/api/tables/{table}.json{format}")
            assert answer.status_code == 403
            assert "still running" in answer.json()["error"]
    assert get(port, "/api/tables/none.json").status_code == 404


def test_what_is_no_record_is_refused_with_the_reason(port: int) -> None:
    good = json.loads(get(port, f"/api/tables/{finished_game(port)}.json").content)
    for broken, why in (
        (b"", "not a record"),
        (b"[1, 2", "not a record"),
        (json.dumps({**good, "game": "chess"}).encode(), "no game called"),
        (json.dumps({**good, "start": {"deck": "r1"}}).encode(), "not the 50"),
        (json.dumps({**good, "moves": [{"move": "castle"}]}).encode(), "not a move"),
        (json.dumps({**good, "moves": good["moves"][:3]}).encode(), "do not end"),
        (json.dumps({**good, "result": {**good["result"], "score": 25}}).encode(), "replayed"),
        (json.dumps({**good, "players": 3}).encode(), "names 2 seats"),
    ):
        answer = post(port, broken)
        assert answer.status_code == 400
        assert why in answer.json()["error"]


def test_imports_are_limited_to_json_of_a_megabyte_from_this_page(port: int) -> None:
    assert post(port, b"[" + b" " * 1024 * 1024 + b"]").status_code == 413
    assert post(port, b"{}", content_type="text/plain").status_code == 415
    assert post(port, b"{}", origin="http://evil.example").status_code == 403
    assert get(port, "/api/import").status_code == 405


# What it survives


def test_a_frame_of_a_megabyte_ends_its_own_connection_and_no_other(port: int) -> None:
    with call(port) as bo, call(port) as ada:
        ada.socket.send("x" * 1024 * 1024)
        with pytest.raises(ConnectionClosed) as closed:
            ada.hear("nothing")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009
        bo.say("catalogue")
        bo.hear("catalogue")


def test_half_a_frame_and_garbage_on_the_wire_hold_nobody_up(port: int) -> None:
    handshake = (
        b"GET /socket HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    with contextlib.ExitStack() as stack:
        for rest in (
            b"\x81\xfe\x01",
            b"\xff" * 40,
            b"\x81\x85\x00\x00\x00\x00hel",
            b"\x81\x82\x00\x00\x00\x00\xff\xfe",
        ):
            plain = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            plain.sendall(handshake)
            assert b" 101 " in plain.recv(65536)
            plain.sendall(rest)
        half = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
        half.sendall(b"GET / HTTP/1.1\r\nHo")
        with call(port) as ada:
            ada.say("catalogue")
            ada.hear("catalogue")


def test_newcomers_displace_who_only_looks_on_and_never_who_holds_a_seat() -> None:
    """Hundreds of connections are a nuisance, and nothing more."""
    limits = replace(LIMITS, connections=10, seated=1.0)
    with folder() as path, in_a_thread(path, limits) as port, contextlib.ExitStack() as stack:
        ada = stack.enter_context(call(port))
        ada.say("create", game="hanabi", seats=SEATS)
        ada.hear("seat")
        crowd = [stack.enter_context(call(port)) for _ in range(200)]
        with pytest.raises(ConnectionClosed) as closed:
            crowd[0].hear("nothing")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
        ada.say("catalogue")
        ada.hear("catalogue")
        for late in crowd[-9:]:
            late.say("create", game="hanabi", seats=SEATS)
            late.hear("seat")
        refusal = get(port, "/")
        assert refusal.status_code == 503
        assert "no room" in refusal.text
        crowd[-1].socket.close()
        until(lambda: get(port, "/").status_code == 200, "room for another visitor")


# A process that is killed


def resumed(port: int, table: str, token: str, known: list[dict[str, Any]]) -> Iterator[tuple[Caller, Any, list[Any]]]:
    with call(port) as ada:
        ada.say("resume", table=table, token=token)
        assert ada.hear("seat", "error")["type"] == "seat"
        events = ada.hear("events")["events"]
        assert events[: len(known)] == known, "an event that was sent is gone"
        yield ada, ada.hear("view"), events


def test_a_server_that_is_killed_at_any_moment_loses_nothing_and_doubles_nothing() -> None:
    """The game is the one that would have been played without all that."""
    expected = undisturbed(seed=77)
    with folder() as path:
        server = Process(path)
        port = server.port
        with call(port) as ada:
            ada.say("create", game="hanabi", seats=SEATS, seed=77, rules=ANY_DISCARD)
            seat = ada.hear("seat")
            table, token = seat["table"], seat["token"]
            ada.say("create", game="hanabi", seats=[{"kind": "me"}, {"kind": "open"}])
            other = ada.hear("seat")
        known: list[dict[str, Any]] = []
        for kill_at in (3, 12, None):
            for ada, first, events in resumed(port, table, token, known):
                view, known = first, events
                while view["state"] != "finished" and (kill_at is None or view["turn"] < kill_at):
                    if "choices" in view:
                        ada.say("move", table=table, turn=view["turn"], move="discard 1")
                    known.append(ada.hear("event")["event"])
                    view = ada.hear("view")
                if kill_at is not None:
                    if "choices" in view:
                        ada.say("move", table=table, turn=view["turn"], move="discard 1")
                    server.kill()
            if kill_at is not None:
                server = Process(path, port)
                assert server.port == port
        with call(port) as ada:
            ada.say("resume", table=other["table"], token=other["token"])
            assert ada.hear("seat")["invitations"] == other["invitations"]
        record = parse(get(port, f"/api/tables/{table}.json").content)
        assert [event["turn"] for event in known] == list(range(1, len(record.moves) + 1))
        assert [made.move for made in record.moves] == expected
        with call(port) as ada:
            end = server.stop()
            assert ada.hear("bye")["reason"]
        assert "All tables are saved" in end
        assert server.process.returncode == 130


def undisturbed(seed: int) -> list[str]:
    """The moves of a game with a person who always discards the oldest card."""
    game = registry.game("hanabi")
    agents = ["trustful", "hajdu_v2", "trustful"]  # the first stands for the person
    players = [registry.agent(game, name).take_seat(game) for name in agents]
    table = Table(game, players, game.deal(seeds.keys(seed), 0, 3, game.check_rules({})))
    while not table.over:
        move = game.move("discard 1", table.state)
        table.make(Decision(move) if table.to_move == 0 else table.decide())
    return [game.move_text(turn.decision.move) for turn in table.turns]


# Starting


def test_a_port_that_is_taken_is_reported_with_one_that_is_free() -> None:
    with bound("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(KibitzError, match=rf"Port {port} is taken.*use --port \d+") as error:
            listening_at("127.0.0.1", port, 8000)
        free = re.search(r"--port (\d+)", str(error.value))
        assert free
        with listening_at("127.0.0.1", int(free[1]), 8000) as listening:
            assert listening.getsockname()[1] == int(free[1])


def test_without_a_wish_the_next_free_port_is_taken() -> None:
    with bound("127.0.0.1", 0) as taken:
        usual = taken.getsockname()[1]
        with listening_at("127.0.0.1", None, usual) as listening:
            assert listening.getsockname()[1] > usual


def test_an_address_that_is_not_here_is_reported() -> None:
    with pytest.raises(KibitzError, match=r"cannot listen at 192\.0\.2\.1"):
        listening_at("192.0.2.1", 8000, 8000)


def test_two_servers_do_not_share_a_folder(tmp_path: Path) -> None:
    with (
        server.alone_in(tmp_path, "http://localhost:1/"),
        pytest.raises(KibitzError, match="runs at http://localhost:1/"),
        server.alone_in(tmp_path, "http://localhost:2/"),
    ):
        pass
    with server.alone_in(tmp_path, "http://localhost:3/"):
        pass


def test_for_other_devices_the_addresses_of_the_machine_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "own_addresses", lambda: ["192.168.1.20"])
    assert server.addresses("127.0.0.1", 80) == ["http://localhost:80/"]
    assert server.addresses("0.0.0.0", 80) == ["http://localhost:80/", "http://192.168.1.20:80/"]
    assert server.addresses("192.168.1.20", 80) == ["http://192.168.1.20:80/"]
    assert all(not address.startswith("127.") for address in server.own_addresses())
