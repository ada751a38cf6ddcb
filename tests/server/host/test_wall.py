"""What a host sends to a seat is the same, byte for byte, in any two worlds that the seat could not tell apart."""

import itertools
import json
import re
from typing import Any

import pytest

from kibitz.core import registry
from kibitz.core.table import Table
from kibitz.games.hanabi.formats.unibo_words import move_object
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.server.live import tokens
from tests.server.host.hosts import LinePeer, WirePeer, hosting
from tests.server.web import unruly
from tests.server.web.test_wall import HANABI_READ, LOVE_LETTER_READ, SCRIPTED, Reading
from tests.server.web.test_wall_of_every_game import asked_why, worlds
from tests.wall import another_start, counting

FULL_NAMES = re.compile(r"G\d \(.*?\)")


def everything_sent(
    monkeypatch: pytest.MonkeyPatch, reading: Reading, start: Any, table: Table, person: int, format: str
) -> bytes:
    """Play a game again at a host, with a fault wherever there can be one: every byte that was sent to a seat.

    Names, tokens and times are the same every time; so any difference between two worlds comes from the cards.
    """
    game, numbers = reading.game, itertools.count()
    moves = [game.move_text(turn.decision.move) for turn in table.turns]
    chairs = [SCRIPTED] * int(table.state["players"])
    chairs[person] = "open"
    with monkeypatch.context() as patch:
        patch.setattr("time.time", lambda: 1767225600.0)
        patch.setattr(tokens, "secrets", counting(numbers))
        unruly.known_file("moves").write_text(json.dumps(moves))
        patch.setattr(type(game), "deal", lambda *_: start.copy())
        with hosting(",".join(chairs), game.name, games=2) as host:
            if format == "wire":
                return over_the_wire(WirePeer(host.port), table, person)
            return in_lines(LinePeer(host.port, records=format == "records"), moves, person)


def in_lines(peer: LinePeer, moves: list[str], person: int) -> bytes:
    peer.sits()
    where, turn = {"table": peer.seat["table"]}, -1
    while turn < len(moves):
        turn = peer.hear("your_turn")["turn"]
        wrong = [f"hint red to G{person + 1}", "discard 9", "play 0", "Guard at G9 (King)", "Jester", "jump"]
        questions: list[tuple[str, dict[str, Any]]] = [
            *(("move", {"turn": turn, "move": move}) for move in wrong),
            ("move", {"turn": turn + 1, "move": "discard 1"}),
            ("resume", {"token": "another's"}),
            ("reclaim_seat", {}),
            ("odds", {}),
            ("history", {"turn": 0, "as": "open"}),
        ]
        for type, fields in questions:
            peer.say(type, **where, **fields)
            peer.hear("error")
        if turn < len(moves):
            peer.say("move", **where, turn=turn, move=moves[turn])
        else:
            return bytes(peer.text)
    raise AssertionError


def over_the_wire(peer: WirePeer, table: Table, person: int) -> bytes:
    """The last move is one that is not legal."""
    peer.is_seated()
    for turn in table.turns:
        if turn.seat == person:
            state = peer.turn_comes()
            names = sorted(key for key in state if FULL_NAMES.fullmatch(key))
            peer.moves(**move_object(turn.decision.move, peer.me, names))
    state = peer.turn_comes()
    [other, *_] = sorted(key for key in state if FULL_NAMES.fullmatch(key) and key != peer.me)
    absent = min({1, 2, 3, 4, 5, 6} - {card["value"] for card in state[other]})
    peer.moves(type="hint value", hinted=other, value=absent)
    assert "error" in peer.rest()[-1]
    return bytes(peer.text)


@pytest.mark.parametrize("format", ["page", "records", "wire"])
@pytest.mark.parametrize("players", [2, 4])
def test_in_hanabi_a_seat_is_sent_the_same_bytes_whatever_it_does_not_see(
    players: int, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    person = players - 1
    table = HANABI_READ.until(players, 5 * players, person)
    other = another_start(table, person, 3)
    assert other.tobytes() != table.start.tobytes()
    mine, theirs = (
        everything_sent(monkeypatch, HANABI_READ, start, table, person, format) for start in (table.start, other)
    )
    assert len(mine) > 10_000
    assert mine == theirs


@pytest.mark.parametrize("format", ["page", "records"])
@pytest.mark.parametrize("players", LOVE_LETTER.players)
def test_in_love_letter_a_seat_is_sent_the_same_bytes_whatever_it_does_not_see(
    players: int, format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = LOVE_LETTER_READ.until(players, 4, 1)
    other = another_start(table, 1, 1)
    assert other.tobytes() != table.start.tobytes()
    mine, theirs = (
        everything_sent(monkeypatch, LOVE_LETTER_READ, start, table, 1, format) for start in (table.start, other)
    )
    assert mine == theirs


@pytest.mark.parametrize("format", ["page", "records"])
def test_in_bridge_a_seat_is_sent_the_same_bytes_whatever_it_does_not_see(
    format: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = registry.game("bridge")
    reader, table, other = worlds(game, asked_why(game), game.check_rules(game.table_rules))
    reading = Reading(game, lambda players, seed: table.start, lambda view, dice: 0, (), "nobody")
    mine, theirs = (
        everything_sent(monkeypatch, reading, start, table, reader, format) for start in (table.start, other.start)
    )
    assert len(mine) > 1000
    assert mine == theirs


@pytest.mark.parametrize("format", ["page", "records", "wire"])
def test_the_byte_reader_finds_what_is_there_to_be_found(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """In two worlds that a seat can tell apart, it is sent different bytes."""
    table = HANABI_READ.until(3, 9, 0)
    other = another_start(table, 1, 5)  # somebody else's view is the same, and not this seat's
    mine, theirs = (
        everything_sent(monkeypatch, HANABI_READ, start, table, 0, format) for start in (table.start, other)
    )
    assert mine != theirs


def test_partners_do_not_hear_why_a_hint_was_not_legal() -> None:
    """It would tell them what they do not hold, and the game goes on."""
    with hosting("open,open", substitute="hajdu_v2") as host:
        ada = WirePeer(host.port, "Ada")
        host.says("Ada sits down at G1")
        bo = LinePeer(host.port, "Bo")
        bo.sits()
        ada.is_seated()
        state = ada.turn_comes()
        absent = min({1, 2, 3, 4, 5} - {card["value"] for card in state["G2 (Bo)"]})
        ada.moves(type="hint value", hinted="G2 (Bo)", value=absent)
        assert f"G2 holds no {absent}" in ada.rest()[-1]["error"]
        bo.turn_comes()
        assert b"holds no" not in bo.text
        assert b"Ada sent a move that is not legal. hajdu_v2 plays for Ada." in bo.text
