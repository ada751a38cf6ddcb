"""Programs in processes of their own, in languages of their own, at one host; and a bot at a table in the browser."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from kibitz.core.record import nth_game
from tests.server.host.hosts import LinePeer, Message, Peer, Playing, Polite, line_guest
from tests.server.host.test_host import Process
from tests.server.web.guests import ANY_DISCARD, QUICK, folder
from tests.server.web.servers import call, in_a_thread
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[3]
NODE = shutil.which("node")
needs_node = pytest.mark.skipif(
    NODE is None, reason="There is no Node here; install nodejs to try the bot in JavaScript."
)


def started(*words: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)


def ended(process: "subprocess.Popen[str]") -> str:
    out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, "")
    return out


@needs_node
def test_two_processes_of_ours_and_a_bot_in_javascript_play_at_one_host(tmp_path: Path) -> None:
    save = tmp_path / "games.jsonl"
    host = Process("hanabi", "--seats", "open,open,open", "--port", "0", "--games", "2", "--output", str(save))
    where = f"127.0.0.1:{host.port}"
    join = [sys.executable, "-m", "kibitz", "join", where, "--games", "2", "--json", "--wait", "60"]
    joined = [started(*join, "--as", "bot2", "--protocol", protocol) for protocol in ("unibo", "lines")]
    node = started(str(NODE), "examples/bot.mjs", where, "2")
    results = [json.loads(ended(process)) for process in joined]
    verdicts = ended(node).splitlines()[:2]  # then perhaps a goodbye
    out, _ = host.ends()
    records = [nth_game(save.read_bytes(), number) for number in range(2)]
    scores = [record.result["score"] for record in records if record.result]
    assert [sorted(record.seats) for record in records] == [["Node", "bot2", "bot2"]] * 2
    for result in results:
        assert [game["score"] for game in result["games"]] == scores
    assert all(str(score) in verdict for score, verdict in zip(scores, verdicts, strict=True))
    assert f"maximum      {max(scores)}" in out
    assert f"minimum      {min(scores)}" in out


@needs_node
def test_a_host_starts_the_bots_of_the_examples_itself(tmp_path: Path) -> None:
    python = f"launch:{sys.executable} {ROOT}/examples/remote_bot.py {{host}}:{{port}} 2"
    node = f"launch:{NODE} {ROOT}/examples/bot.mjs {{host}}:{{port}} 1"
    host = Process("hanabi", "--seats", f"{python},{node},bot2", "--port", "0", "--games", "2")
    out, err = host.ends()
    assert (host.process.returncode, err) == (0, "")
    assert "Remote sits down at G1" in out
    assert "Game 2: Node sits down at G2" in out
    assert "2 games, seed" in out


def test_the_bot_of_the_examples_plays_any_game() -> None:
    host = Process("loveletter", "--seats", "open,greedy", "--port", "0")
    out = ended(started(sys.executable, "examples/remote_bot.py", f"127.0.0.1:{host.port}"))
    assert out.strip()
    assert "won" in host.ends()[0]


# At a table in the browser


def test_a_bot_takes_a_seat_at_a_table_in_the_browser() -> None:
    with folder() as path, in_a_thread(path, QUICK) as port, call(port) as ada:
        ada.say("hello", version=2, name="Ada")
        programs = ada.hear("welcome")["programs"]
        ada.say("create", game="hanabi", seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "open"}], rules=ANY_DISCARD)
        seat = ada.hear("seat")
        places = [f"127.0.0.1:{programs}/{seat['table']}/{each['invitation']}" for each in seat["invitations"]]
        bots = [Playing(line_guest("trustful"), places[0]), Playing(Polite("Bot"), places[1])]
        view: Message = {"state": "waiting", "turn": 0}
        while view["state"] in ("waiting", "running"):
            if "choices" in view:
                discard = next(each["move"] for each in view["choices"] if each["action"] == "discard")
                ada.say("move", table=seat["table"], turn=view["turn"], move=discard)
                view = ada.hear("view")
            view = ada.hear("view") if "choices" not in view else view
        reasons = ada.hear("reasons")["reasons"]  # all of them at the end, of the one that says why
        assert {each["seat"] for each in reasons} == {1}
        assert reasons[0]["turn"] == 2
        assert [each["name"] for each in view["seats"]] == ["Ada", "trustful", "Bot"]
        assert [each.get("program", False) for each in view["seats"]] == [False, True, True]
        for bot in bots:
            [last] = bot.ends()
            assert last["result"] == view["result"]


def test_a_page_of_somebody_else_cannot_speak_to_the_port_for_programs() -> None:
    with folder() as path, in_a_thread(path, QUICK) as port, call(port) as ada:
        ada.say("hello", version=2)
        programs = ada.hear("welcome")["programs"]
        page = LinePeer(programs, greets=False)
        page.send(b'POST / HTTP/1.1\r\nHost: localhost\r\n\r\n{"type": "hello", "version": 2}\n{"type": "catalogue"}\n')
        error, bye = page.rest()
        page.socket.close()
        assert error["code"] == "bad_message"
        assert bye == {"type": "bye", "reason": "The first line must be a hello."}
        for first in (b"x" * (1 << 20), b"\xff\n", b'{"type": "sit"}\n'):
            peer = Peer(programs)
            peer.send(first)
            while peer.piece():
                pass
            peer.socket.close()
            assert b'"code":"bad_message"' in peer.text
