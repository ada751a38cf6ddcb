"""A bot written from Bida and Pandolfi's report alone plays whole games at a host of that dialect."""

import json
import socket
import threading
from collections.abc import Callable
from typing import Any

import pytest

from kibitz.errors import KibitzError
from kibitz.games.hanabi.formats.unibo_client import UniboClient
from tests.server.host import plain_host
from tests.server.host.hosts import Playing, hosting, planned, wire_guest
from tests.server.host.plain_host import PlainGame, PlainHost, simple_move
from tests.waiting import PATIENCE

State = dict[str, Any]
Decide = Callable[[str, State], dict[str, Any]]


def first_card(me: str, state: State) -> dict[str, Any]:
    return {"player": me, "type": "play", "card": 0}


class ReportBot(threading.Thread):
    """What the report says of the end is all it knows: the game is over when `final` and `round` are equal."""

    def __init__(self, port: int, name: str, decide: Decide = simple_move) -> None:
        super().__init__(daemon=True)
        self.port, self.called, self.decide = port, name, decide
        self.states: list[State] = []
        self.moves = 0
        self.start()

    def run(self) -> None:
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as host:
            host.sendall(f"{self.called}\n".encode())
            stream = host.makefile("rb")
            me, text = stream.readline().decode().rstrip("\n"), ""
            while piece := stream.read1():
                text += piece.decode()
                while text:
                    try:
                        state, end = json.JSONDecoder().raw_decode(text)
                    except ValueError:
                        break
                    text = text[end:]
                    self.states.append(state)
                    if state["final"] == state["round"]:
                        return
                    if state["current"] == me:
                        self.moves += 1
                        host.sendall(json.dumps(self.decide(me, state)).encode())

    def ends(self) -> State:
        self.join(PATIENCE)
        assert not self.is_alive()
        return self.states[-1]


@pytest.mark.parametrize("decide", [simple_move, first_card])
def test_a_bot_of_the_report_plays_to_the_end_of_the_deck_or_of_its_lives(decide: Decide) -> None:
    with hosting("open,open", dialect="report") as host:
        bots = [ReportBot(host.port, name, decide) for name in ("Ada", "Bo")]
        series = host.ends()
        last, also = (bot.ends() for bot in bots)
    assert last["round"] == last["final"] == also["round"]
    assert sum(bot.moves for bot in bots) == last["round"] - 1, "nobody else moved for them"
    assert (last["deck"] == 0) == (decide is simple_move)
    assert all(state["final"] == -1 for state in bots[0].states[:-1] if state["deck"])
    piles = sum(last[colour] for colour in ("red", "green", "white", "blue", "yellow"))
    assert series.summary()["mean"] == piles


def test_at_a_host_that_counts_like_the_program_it_leaves_the_last_turn_to_another() -> None:
    with hosting("open,open") as host:
        bots = [ReportBot(host.port, name) for name in ("Ada", "Bo")]
        host.ends()
        last = bots[0].ends()
    assert sum(bot.moves for bot in bots) == last["round"] - 1 == last["final"] - 1
    assert any("plays for" in said for said in host.said), host.said


def test_an_unknown_dialect_is_answered_with_those_there_are() -> None:
    with pytest.raises(KibitzError, match="knows no dialect 'latin': --dialect must be one of program, report"):
        planned("open,open", dialect="latin")
    with pytest.raises(KibitzError, match="--dialect must be left out, as it has no protocol of its own"):
        planned("open,open", "loveletter", dialect="report")


class ReportGame(PlainGame):
    """A game at a host that was written from the report."""

    def seen_by(self, name: str) -> dict[str, Any]:
        state = super().seen_by(name)
        return {**state, "final": self.round if self.over else self.final + (self.final > 0)}


@pytest.mark.parametrize("names", [("bot2", "bot2"), ("trustful", "bot2", "hajdu_v2")])
def test_our_players_play_at_a_host_of_the_report(names: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_host, "PlainGame", ReportGame)
    with PlainHost(len(names)) as host:
        played = [Playing(wire_guest(name), host.where) for name in names]
        assert [each.ends() for each in played] == [host.scores] * len(names)
    assert host.scores[0] > 5


class Discarding(UniboClient):
    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.seen: list[State] = []

    def observe(self, state: State) -> None:
        self.seen.append(state)

    def decide(self, state: State) -> dict[str, Any]:
        return {"type": "discard", "card": 0}


def test_a_bot_of_the_client_class_sees_the_programs_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plain_host, "PlainGame", ReportGame)
    ada = Discarding("Ada")
    with PlainHost(2) as host:
        other = threading.Thread(target=Discarding("Bo").play, args=(host.where,), daemon=True)
        other.start()
        ada.play(host.where)
        other.join(PATIENCE)
    last = ada.seen[-1]
    assert (last["deck"], last["round"]) == (0, last["final"] + 1)
    assert {state["final"] for state in ada.seen} == {-1, last["final"]}
