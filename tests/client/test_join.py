"""Our players at a host whose protocol nobody named: the host's first answer tells which one it is."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from kibitz.client import HostError
from kibitz.client import client as client_module
from kibitz.client import join as join_module
from kibitz.client import stream as stream_module
from kibitz.client.client import Client
from kibitz.client.handshake import hello
from tests.cli.conftest import Kibitz as Kibitz
from tests.cli.conftest import helped
from tests.cli.conftest import kibitz as kibitz
from tests.fuzzing import first_of
from tests.server.host.hosts import Polite, PoliteWire, hosting
from tests.server.host.plain_host import PlainHost, plain_guest, unusually
from tests.server.host.test_host import at_home, scores

HELLO = '{"type":"hello","name":"Ada","version":2,"structs":true}'


@contextmanager
def answering(*answers: bytes, closes: bool = True) -> Iterator[str]:
    """A server that says one thing to each who comes, after their first line."""
    listening = socket.create_server(("127.0.0.1", 0))
    guests: list[socket.socket] = []

    def serve() -> None:
        for answer in answers:
            try:
                guest, _ = listening.accept()
                guests.append(guest)
                guest.recv(4096)
                guest.sendall(answer)
                if closes:
                    guest.shutdown(socket.SHUT_WR)  # else what the client still sends is answered by RST
            except OSError:
                pass  # the client has heard enough

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    yield f"127.0.0.1:{listening.getsockname()[1]}"
    listening.close()
    for guest in guests:
        guest.close()
    thread.join(10)


# At a kibitz host


def test_at_a_kibitz_host_an_agent_speaks_in_lines_and_plays_with_its_dice(kibitz: Kibitz) -> None:
    with hosting("random_legal,open", games=2) as host:
        code, out, err = kibitz("join", host.where, "--as", "random_legal", "--games", "2", "--json")
        host.ends()
    said = json.loads(out)
    assert (code, err) == (0, "")
    assert [game["score"] for game in said["games"]] == scores(at_home(["random_legal"] * 2, 2))
    assert said["games"][0]["full_name"] == "G2 (random_legal)"


def test_at_a_kibitz_host_either_protocol_may_be_forced(kibitz: Kibitz) -> None:
    for protocol in ("unibo", "lines"):
        with hosting("bot2,open") as host:
            code, out, _ = kibitz("join", host.where, "--as", "bot2", "--name", "Ada", "--protocol", protocol)
            host.ends()
        assert code == 0
        assert "Game 1: G2 (Ada) with G1 (bot2)" in out


def test_a_game_that_the_host_does_not_play_is_named(kibitz: Kibitz) -> None:
    with hosting("open,greedy", "loveletter") as host:
        helped(kibitz, f"join {host.where} --as bot2", "This host plays loveletter, not hanabi. Use --game loveletter")


def test_the_words_of_the_host_are_shown(kibitz: Kibitz) -> None:
    with hosting("open,open") as host:

        def follow() -> None:
            host.says("Ada sits down at G1")
            Polite("Bo").play(host.where)

        other = threading.Thread(target=follow, daemon=True)
        other.start()
        code, out, err = kibitz("join", host.where, "--as", "bot2", "--name", "Ada", "--games", "2")
        other.join()
    assert code == 0
    assert "Game 1: G1 (Ada) with G2 (Bo)" in out
    assert err.startswith("Bo sits down at G2.\n")
    assert err.endswith("All games of this host are played. Goodbye.\n")


# At a host of bare objects


def test_at_a_host_of_bare_objects_the_hello_is_a_name_for_one_game(kibitz: Kibitz) -> None:
    with PlainHost(2, games=2, seed=2, write=unusually, in_pieces=True) as host:
        plain_guest(host.where, "Bo", games=2)
        code, out, err = kibitz("join", host.where, "--as", "bot2", "--name", "Ada", "--games", "2")
    assert code == 0
    assert err.strip() == (
        "This host speaks in bare objects and took the hello for a name. --protocol unibo gives a plain name."
    )
    assert f"G2 ({HELLO}) with G1 (Bo)" in out
    assert "Game 2: G1 (Ada) with G2 (Bo)" in out
    assert f"2 games: mean {sum(host.scores) / 2:.2f}" in out
    assert {turn["player"] for turn in host.turns[0]} == {"G1 (Bo)", f"G2 ({HELLO})"}


def test_the_hello_is_short_with_the_name_in_front() -> None:
    assert hello("Ada", records=True).decode() == HELLO + "\n"
    assert len(HELLO) < 60
    assert hello("Zoë", records=False).decode() == '{"type":"hello","name":"Zoë","version":2}\n'


def test_waiting_for_a_host_that_waits_for_others_is_reported(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(join_module, "SILENCE", 0.01)
    with PlainHost(2) as host:
        joining = threading.Timer(0.1, plain_guest, (host.where, "Bo"))
        joining.start()
        code, _, err = kibitz("join", host.where, "--as", "bot2")
        joining.join()
    assert code == 0
    assert f"The host at {host.where} has not answered yet. It may be waiting for other players." in err


def test_a_game_without_bare_objects_is_not_played_there(kibitz: Kibitz) -> None:
    with answering(b"G1 (x)\n") as where:
        helped(kibitz, f"join {where} --game loveletter --as greedy", "Love Letter is not played by its protocol")
    with answering(b"G1 (x)\n") as where:
        helped(kibitz, f"join {where} --as bot2 --protocol lines", "Leave out --protocol.")
    with answering(b"G1 (x)\n") as where:
        helped(kibitz, f"join {where}/table/secret --as bot2", "An invitation is for the port")


# At anything else


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (b"", "Are all seats taken? If it speaks in bare objects: --protocol unibo gives it a plain name."),
        (b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "is a web server, not a host"),
        (b"SSH-2.0-OpenSSH_9.2\r\n", "answered 'SSH-2.0-OpenSSH_9.2'"),
        (b"\x00\xff\x1b[2J\n", "this is neither"),
        (b"   \r\n", "this is neither"),
        (b"G\n", "this is neither"),
        (b"G0 (Ada)\n", "this is neither"),
        (b"GET / HTTP/1.1\r\n", "this is neither"),
        (b"G1 (" + b"x" * 5000, "this is neither"),
        (b"G1 (Ada)", "this is neither"),
        (b"x" * (10 << 20), "this is neither"),
        (b"{" * (10 << 20), "this is neither"),
        (b'{"a": "' + b"x" * (10 << 20), "this is neither"),
        (b'{"a":', "in the middle of its first message"),
        (b"{}", "this is neither"),
        (b"{nonsense}\n", "this is neither"),
        (b'{"error": "The table is full."}', "says: The table is full."),
        (b'{\n "error": "The table is full."\n}\n', "says: The table is full."),
        (b'{"current": "G1 (Bo)", "round": 1}', "sent a state, and no full name before it"),
        (b'{"type": "error", "code": "full", "message": "There is no room."}\n', "There is no room."),
        (b'{"type": "bye", "reason": "Goodbye."}\n', "Goodbye."),
        (b'{"type": "seat"}\n', "The host does not say welcome."),
        (b'{"type": "welcome"}\n', "closed the connection"),
        (b'{"type": "welcome"}', "closed the connection"),
        (b'{"type": "welcome"}\nnonsense\n', "sent an invalid message"),
        (b"G1 (Ada)\n", "before its first state"),
        (b"G1 (Ada)\n<html>", "begins with {"),
    ],
)
@first_of(20, "protocol", [(), ("--protocol", "unibo"), ("--protocol", "lines")])
def test_a_server_that_is_no_host_is_reported_in_a_sentence(
    kibitz: Kibitz, answer: bytes, complaint: str, protocol: tuple[str, ...]
) -> None:
    with answering(answer) as where:
        code, _, err = kibitz("join", where, "--as", "hajdu_v2", *protocol)
    assert code == 1
    assert "Traceback" not in err
    assert len(err) < 1200
    if not protocol:
        assert complaint in err


@pytest.mark.parametrize("answer", [b"{", b"G1 (A", b'{"type":', b" "])
@pytest.mark.parametrize("protocol", ["unibo", "lines", None])
def test_a_server_that_does_not_finish_its_answer_is_not_waited_for(
    kibitz: Kibitz, answer: bytes, protocol: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream_module, "MESSAGE_SECONDS", 0.05)
    with answering(answer, closes=False) as where:
        code, _, err = kibitz("join", where, "--as", "hajdu_v2", *(("--protocol", protocol) if protocol else ()))
    assert code == 1
    assert "0.05 seconds" in err or "this is neither" in err


def test_a_kibitz_host_that_does_not_answer_a_hello_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "HELLO_SECONDS", 0.05)
    with answering(b"", closes=False) as where, pytest.raises(HostError, match=r"has said nothing for 0\.05 seconds"):
        Client("Ada").play(where)


def test_a_bot_for_the_other_protocol_is_reported() -> None:
    with answering(b"G1 (Ada)\n") as where, pytest.raises(HostError, match="it does not speak in lines of JSON"):
        Client("Ada").play(where)
    with answering(b'{"type": "welcome"}\n') as where, pytest.raises(HostError, match="speaks in lines of JSON"):
        PoliteWire("Ada").play(where)
