"""A bot of somebody's own at a host of somebody else's."""

import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from kibitz.client import HostError
from kibitz.errors import AgentError, KibitzError
from kibitz.games.hanabi.formats.unibo_client import UniboClient
from tests.server.host.plain_host import PlainHost, plain_guest, unusually


class Careful(UniboClient):
    """Plays hinted ones, hints ones, else discards."""

    def decide(self, state: dict[str, Any]) -> dict[str, Any]:
        for index, card in enumerate(state[self.full_name]):
            if card["color"] and card["value"] == state[card["color"]] + 1:
                return {"type": "play", "card": index}
        others = [name for name in state if name.startswith("G") and name != self.full_name]
        for name in others:
            for card in state[name]:
                if state["hints"] and card["value"] == state[card["color"]] + 1:
                    if len(card["possible_colors"]) > 1:
                        return {"type": "hint color", "hinted": name, "color": card["color"]}
                    if len(card["possible_values"]) > 1:
                        return {"type": "hint value", "hinted": name, "value": card["value"]}
        return {"type": "discard", "card": 0}


class First(UniboClient):
    def decide(self, state: dict[str, Any]) -> dict[str, Any]:
        return {"type": "discard", "card": 0}


class Diary(Careful):
    """Notes what happens in the life of a game."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.notes: list[str] = []

    def begin(self) -> None:
        self.notes.append(f"begin as {self.full_name} in seat {self.seat}")

    def observe(self, state: dict[str, Any]) -> None:
        self.notes.append(f"observe {state['round']}")

    def decide(self, state: dict[str, Any]) -> dict[str, Any]:
        self.notes.append(f"decide {state['round']}")
        return super().decide(state)

    def end(self, state: dict[str, Any]) -> None:
        self.notes.append("end")


def beside(play: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    """Play in a thread; what it returned or raised."""
    outcomes: list[Any] = []

    def run() -> None:
        try:
            outcomes.append(play())
        except HostError as error:
            outcomes.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    return thread, outcomes


def test_a_bot_of_five_lines_plays_and_learns_the_score() -> None:
    with PlainHost(2) as host:
        plain_guest(host.where)
        assert First("Ada").play(host.where) == [0]
    assert host.scores == [0]
    assert host.turns[0][-1]["type"] == "discard"


@pytest.mark.parametrize(
    "writing", [{}, {"write": unusually, "in_pieces": True}, {"write": unusually, "together": True}]
)
def test_a_game_is_the_same_however_the_host_writes(writing: dict[str, Any]) -> None:
    with PlainHost(3, games=2, seed=5, **writing) as host:
        bots = [beside(partial(Careful(name).play, host.where, games=2)) for name in ("Zoë", "B (2)", "{")]
        for thread, _ in bots:
            thread.join(60)
    assert [outcomes for _, outcomes in bots] == [[host.scores]] * 3
    assert min(host.scores) > 5


def test_the_life_of_a_game() -> None:
    bot = Diary("Ada")
    with PlainHost(2) as host:
        plain_guest(host.where)
        bot.play(host.where)
    assert bot.notes[:2] in ([f"begin as G{seat} (Ada) in seat {seat}", "observe 1"] for seat in (1, 2))
    assert bot.notes[-1] == "end"
    observed = [note for note in bot.notes if note.startswith("observe")]
    assert observed == [f"observe {round}" for round in range(1, len(observed) + 1)]
    decided = [note for note in bot.notes if note.startswith("decide")]
    assert len(decided) == sum("Ada" in turn["player"] for turn in host.turns[0])


def test_nobody_listening_is_reported_with_the_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    with pytest.raises(HostError, match=f"No host answers at 127.0.0.1:{port}"):
        First("Ada", wait=0).play(f"127.0.0.1:{port}")


def test_a_host_that_comes_a_little_later_is_waited_for() -> None:
    host = PlainHost(2)
    port = int(host.where.rpartition(":")[2])
    host.listening.close()
    thread, outcomes = beside(lambda: First("Ada", wait=30).play(host.where))
    plain = beside(lambda: First("Bo", wait=30).play(host.where))
    host.listening = socket.create_server(("127.0.0.1", port))
    with host:
        thread.join(60)
        plain[0].join(60)
    assert outcomes == [host.scores]


STATE = b'{"current":"G1 (Ada)","round":1,"final":-1,"fuse":3,"red":0,"green":0,"white":0,"blue":0,"yellow":0}'


@pytest.mark.parametrize(
    ("at", "says", "outcomes"),
    [
        (4, b"", "closed the connection in the middle of a game, in round 3"),
        (3, b'{"error": "G1 made an illegal move."}', "says: G1 made an illegal move."),
        (3, b"<html>", "begins with {"),
        (3, b"{nonsense}", "not JSON"),
        (3, b'{"current": 1, "round": "4"}', "no state: round, final, fuse, red"),
        (3, b'{"a":' * 20000 + b"1" + b"}" * 20000, "not JSON"),
        (1, b'{"error": "The table is full."}', "says: The table is full."),
        (1, b'{\n "error": "The table is full."\n}\n', "says: The table is full."),
        (1, STATE, "sent a state, and no full name before it"),
        (1, b"", "before the game began"),
        (1, b"hello\n", "this is neither"),
        (1, b"G1 (Ada)\n", "before its first state"),
        (1, b"x" * 5000, "this is neither"),
    ],
)
def test_what_goes_wrong_at_the_host_is_reported(at: int, says: bytes, outcomes: str) -> None:
    with PlainHost(2, breaks_at=at, says=says) as host:
        plain_guest(host.where)
        with pytest.raises(KibitzError, match=re.escape(outcomes)):
            First("Ada").play(host.where)


def test_a_silent_host_is_waited_for_as_long_as_was_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        where = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(HostError, match=r"said nothing for 0\.05 seconds"):
            First("Ada", timeout=0.05).play(where)


@pytest.mark.parametrize("where", ["localhost", "localhost:", "localhost:http", "localhost:70000", ":0"])
def test_a_wrong_address_is_explained(where: str) -> None:
    with pytest.raises(HostError, match="is not HOST:PORT"):
        First("Ada").play(where)


@pytest.mark.parametrize("name", ["", "  ", "Ada\nBo"])
def test_a_name_has_letters_on_one_line(name: str) -> None:
    with pytest.raises(HostError, match="cannot be a name"):
        First(name)


def test_a_decision_that_is_no_dictionary_is_refused_before_it_is_sent() -> None:
    class Wrong(UniboClient):
        def decide(self, state: dict[str, Any]) -> Any:
            return "play 1"

    with pytest.raises(AgentError, match="A move is a dictionary"):
        Wrong("Ada").answer({})


def test_what_goes_wrong_in_a_bot_is_not_blamed_on_the_connection() -> None:
    class Forgetful(UniboClient):
        def decide(self, state: dict[str, Any]) -> Any:
            raise FileNotFoundError("my opening book")

    host = PlainHost(2)
    host.start()
    plain_guest(host.where)
    with pytest.raises(FileNotFoundError, match="my opening book"):
        Forgetful("Ada").play(host.where)
    host.join(30)


def test_the_player_is_filled_in() -> None:
    bot = First("Zoë")
    bot.full_name = "G2 (Zoë)"
    assert json.loads(bot.answer({})) == {"player": "G2 (Zoë)", "type": "discard", "card": 0}
    assert b"\n" not in bot.answer({})


def test_a_bot_writer_waits_for_no_compiler() -> None:
    modules = "kibitz.client, kibitz.games.hanabi.formats.unibo_client"
    heavy = f"import sys, {modules}; print({{'numba', 'numpy', 'polars', 'rich'}} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
