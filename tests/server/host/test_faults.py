"""Peers that break every rule: each hears which, the game continues by the host's rule, and others are untouched."""

import contextlib
import json
import socket
import threading
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import pytest

from kibitz.client import Client, HostError
from kibitz.games.hanabi.formats.unibo_client import UniboClient
from kibitz.server.host import host as host_module
from kibitz.server.host import wire_player
from kibitz.server.host.series import Series
from kibitz.server.live.limits import Limits
from tests.fuzzing import parametrized
from tests.server.host.hosts import (
    SOON,
    Home,
    Hosted,
    LinePeer,
    LinesFromHome,
    Message,
    Peer,
    Playing,
    Polite,
    PoliteWire,
    WirePeer,
    hosting,
    soon_over,
)  # fmt: skip
from tests.server.host.test_host import at_home
from tests.waiting import until

LATE = ["substitute", "forfeit"]
STAND_IN = "hajdu_v2"


def with_one_policy(faults: Iterable[str]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Parametrize a test with faults, and the policies for late players in turn; the other pairs are slow tests."""
    pairs = [(fault, LATE[number % 2]) for number, fault in enumerate(faults)]
    others = [(fault, late) for fault in faults for late in LATE if (fault, late) not in pairs]
    return parametrized(("fault", "late"), pairs, others)


@contextlib.contextmanager
def evening(late: str, seats: str = "open,open", **fields: Any) -> Iterator[Hosted]:
    """Two games at once. In the first a test does what it likes; the second must go on as if nothing were."""
    with hosting(seats, games=2, at_once=2, late=late, substitute=STAND_IN, **fields) as host:
        yield host
        beside = [Playing(Polite(name), host.where) for name in ("Cy", "Di")[: seats.count("open")]]
        for playing in beside:
            [view] = playing.ends()
            assert view["state"] == "finished"
            assert isinstance(playing.who, Polite)
            assert not any("Ada" in text for text in playing.who.heard)
            assert sorted(set(playing.who.turns_seen)) == list(range(view["turn"] + 1))
        series = host.ends()
        assert series.games == 2
        assert 1 in series.rows


def ada_to_move(host: Hosted, bo: Client | UniboClient) -> tuple[LinePeer, Playing]:
    """Ada, who speaks in lines and has to move now, and her partner, who plays by himself."""
    ada = LinePeer(host.port, "Ada")
    ada.sits()
    partner = Playing(bo, host.where)
    ada.turn_comes()
    return ada, partner


def followed(late: str, why: str, partner: Playing, series: Series) -> None:
    """The rule was kept, and the partner knows what happened, but not more."""
    [view] = partner.ends()
    assert isinstance(partner.who, Polite)
    if late == "forfeit":
        text = f"Ada {why} and forfeits the game."
        assert (view["state"], view["verdict"], view.get("result")) == ("abandoned", text, None)
        assert series.forfeits == {0}
        assert series.tally().games == 2
        assert series.tally().lost >= 1
    else:
        text = f"Ada {why}. {STAND_IN} plays for Ada."
        assert view["state"] == "finished"
        assert series.forfeits == set()
    assert [said for said in partner.who.heard if "sits down" not in said] == [text]


# Over the wire, any fault is the last


def no_such_hint(peer: WirePeer) -> Message:
    """A hint that would tell the partner what it does not hold."""
    values = {card["value"] for card in peer.state["G2 (Bo)"]}
    return {"type": "hint value", "hinted": "G2 (Bo)", "value": min({1, 2, 3, 4, 5} - values)}


WIRE_FAULTS: dict[str, tuple[Callable[[WirePeer], Any], str, str]] = {
    "garbage": (
        lambda peer: peer.send(b"\xff\x00 what?"), "A JSON object begins with {", "sent something that is no move",
    ),
    "not JSON": (
        lambda peer: peer.send(b'{"player": }'), "That is not a JSON object", "sent something that is no move",
    ),
    "nested too deep": (
        lambda peer: peer.send(b'{"player":' * 1400 + b"0" + b"}" * 1400),
        "That is not a JSON object", "sent something that is no move",
    ),
    "a megabyte": (
        lambda peer: peer.send(b'{"player": "' + b"x" * (1 << 20)),
        "A JSON object of more than 16,384 bytes is not read.", "sent something that is no move",
    ),
    "no such card": (
        lambda peer: peer.moves(type="play", card=9), "its place in the hand, 0 (the oldest) to 4, not 9",
        "sent a move that is not legal",
    ),
    "an illegal hint": (
        lambda peer: peer.moves(**no_such_hint(peer)), "is not legal now: G2 holds no", "sent a move that is not legal",
    ),
    "out of turn": (
        lambda peer: peer.send(2 * json.dumps({"player": peer.me, "type": "discard", "card": 0}).encode()),
        "It is the turn of G2 (Bo), not yours.", "moved out of turn",
    ),
    "for another": (
        lambda peer: peer.moves(player="G2 (Bo)", type="discard", card=0),
        "Send moves in your own name", "moved in the name of another",
    ),
}  # fmt: skip


@with_one_policy(WIRE_FAULTS)
def test_a_fault_over_the_wire_is_reported_and_ends_the_connection(fault: str, late: str) -> None:
    act, complaint, why = WIRE_FAULTS[fault]
    with evening(late) as host:
        ada = WirePeer(host.port, "Ada")
        host.says("Ada sits down at G1")
        partner = Playing(Held("Bo") if fault == "out of turn" else Polite("Bo"), host.where)
        ada.is_seated()
        ada.turn_comes()
        act(ada)
        *states, last = ada.rest()
        assert complaint in last["error"]
        assert not any("error" in state for state in states)
        if isinstance(partner.who, Held):
            partner.who.may_move.set()
        partner.ends()
        series = host.series
    followed(late, why, partner, series)
    assert any(complaint[:20] in said for said in host.said)


class Held(Polite):
    """Moves when it may, so that it is surely its turn until then."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.may_move = threading.Event()

    def decide(self, view: Message) -> str:
        assert self.may_move.wait(60)
        return super().decide(view)


@pytest.mark.parametrize("late", LATE)
@pytest.mark.parametrize("half", [b"", b'{"player": "G1 (A'])
def test_who_hangs_up_over_the_wire_went_away(half: bytes, late: str) -> None:
    with evening(late) as host:
        ada = WirePeer(host.port, "Ada")
        host.says("Ada sits down at G1")
        partner = Playing(Polite("Bo"), host.where)
        ada.is_seated()
        ada.turn_comes()
        ada.send(half)
        ada.reset() if not half else ada.socket.shutdown(socket.SHUT_WR)
        partner.ends()
    followed(late, "went away", partner, host.series)


def test_partners_over_the_wire_hear_why_a_game_is_forfeited() -> None:
    with evening("forfeit") as host:
        _, partner = ada_to_move(host, PoliteWire("Bo"))
        host.deadline(SOON)
        with pytest.raises(HostError, match=r"Ada ran out of time and forfeits"):
            partner.ends()


def test_partners_over_the_wire_play_on_with_a_substitute() -> None:
    with evening("substitute", rules={"lost_game": "zero"}) as host:  # as their clients count
        ada = WirePeer(host.port, "Ada")
        host.says("Ada sits down at G1")
        partner = Playing(PoliteWire("Bo"), host.where)
        ada.is_seated()
        ada.turn_comes()
        ada.send(b"what?")
        [score] = partner.ends()
    assert host.series.rows[0][0] == score
    assert host.series.summary()["forfeited"] == []


@pytest.mark.parametrize("late", LATE)
def test_who_is_silent_over_the_wire_hears_that_time_is_up(late: str) -> None:
    with evening(late, f"open,{STAND_IN}") as host:
        ada = WirePeer(host.port, "Ada")
        ada.is_seated()
        ada.turn_comes()
        host.deadline(SOON)
        complaint = {
            "substitute": "You ran out of time: a move may take 0.2 seconds. A bot plays for you now.",
            "forfeit": "Ada ran out of time and forfeits the game.",
        }
        assert ada.rest() == [{"error": complaint[late]}]
        host.says("Ada ran out of time")


def test_a_wire_player_who_does_not_read_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wire_player, "UNREAD", 1 << 12)
    with hosting("open,open", substitute=STAND_IN) as host:
        host.listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 12)
        deaf = Peer(host.port, unread=1 << 12)
        deaf.send(b"Ada\n")
        host.says("Ada sits down at G1")
        partner = Playing(Polite("Bo"), host.where)
        host.says("Bo sits down at G2")
        [table] = host.host.tables.tables.values()
        for _ in range(40):
            host.in_loop(table.views.send_views)
        host.says("Ada does not read what it is sent. hajdu_v2 plays for Ada.")
        [view] = partner.ends()
        assert view["state"] == "finished"


# In lines, most faults can be made good

SAID_IN_LINES: dict[str, tuple[Callable[[LinePeer], Any], str, str]] = {
    "garbage": (lambda peer: peer.send(b"\xff\x00 what?\n"), "bad_message", "JSON as UTF-8 text"),
    "not JSON": (lambda peer: peer.send(b'{"type": \n'), "bad_message", "not a message this server understands"),
    "no message": (lambda peer: peer.send(b'{"type": "dance"}\n'), "bad_message", "dance"),
    "nested too deep": (lambda peer: peer.send(b"[" * 5000 + b"\n"), "bad_message", "not a message"),
    "what is not done here": (lambda peer: peer.say("create", game="hanabi"), "unknown", "What is: hello, leave, move"),
    "a move that is none": (lambda peer: peer.moves("jump"), "illegal", "jump"),
    "an illegal move": (lambda peer: peer.moves("play 9"), "illegal", "play 9"),
    "a move of another turn": (
        lambda peer: peer.moves("discard 1", turn=7), "stale", "0 moves were made, and yours was decided after 7",
    ),
    "a wrong token": (
        lambda peer: peer.say("resume", table=peer.seat["table"], token="x" * 32), "not_yours", "not the key to a seat",
    ),
    "another's table": (
        lambda peer: peer.moves("discard 1", table="aaaaaaaa"), "not_yours", "You are not at table 'aaaaaaaa'",
    ),
    "an invitation": (
        lambda peer: peer.say("sit", table=peer.seat["table"], invitation="x"), "not_yours", "This invitation is not",
    ),
    "a seat that is its own": (
        lambda peer: peer.say("reclaim_seat", table=peer.seat["table"]), "bad_message", "You sit there already",
    ),
}  # fmt: skip


def test_every_fault_in_lines_is_reported_and_can_be_made_good() -> None:
    with evening("forfeit") as host:
        ada, partner = ada_to_move(host, Polite("Bo"))
        for act, code, complaint in SAID_IN_LINES.values():
            act(ada)
            assert complaint in ada.refused(code)
        assert ada.plays_on()["state"] == "finished"
        [view] = partner.ends()
    assert isinstance(partner.who, Polite)
    assert partner.who.heard == []
    assert view["seats"][0] == {"name": "Ada", "kind": "person", "program": True, "connected": True}
    assert host.series.forfeits == set()


def test_a_move_out_of_turn_is_refused_in_lines() -> None:
    with evening("forfeit") as host:
        ada, bo = LinePeer(host.port, "Ada"), LinePeer(host.port, "Bo")
        ada.sits(), bo.sits()
        bo.view = ada.turn_comes()
        bo.moves("discard 1")
        assert bo.refused("not_your_turn") == "It is the turn of G1, not yours."
        bo.say("resume", table=bo.seat["table"], token=ada.seat["token"][:-1] + "!")
        bo.refused("not_yours")
        ada.moves("discard 1")
        bo.turn_comes()
        ada.moves("discard 1", turn=1)
        assert ada.refused("not_your_turn") == "It is the turn of G2, not yours."
        finish(ada, bo)


def finish(ada: LinePeer, bo: LinePeer) -> None:
    """Two peers play in turn; it is Bo's."""
    table, view = bo, bo.view
    while True:
        table.moves(soon_over(view), turn=view["turn"])
        other = ada if table is bo else bo
        seen = other.hear("view")
        while seen["turn"] <= view["turn"]:
            seen = other.hear("view")
        if seen["state"] != "running":
            return
        table, view = other, seen


def half_closed(peer: Peer, text: bytes) -> None:
    peer.send(text)
    peer.socket.shutdown(socket.SHUT_WR)


BEFORE_THE_DEADLINE: dict[str, Callable[[LinePeer], Any]] = {
    "silent": lambda peer: None,
    "half a message": lambda peer: peer.send(b'{"type": "move", '),
    "half a message, and no more": lambda peer: half_closed(peer, b'{"type": "move", '),
    "gone": lambda peer: peer.reset(),
    "left": lambda peer: peer.say("leave", table=peer.seat["table"]),
    "a megabyte": lambda peer: peer.send(b'{"type": "' + b"x" * (1 << 20)),
}


@with_one_policy(BEFORE_THE_DEADLINE)
def test_who_does_not_move_in_time_is_played_for_or_forfeits(fault: str, late: str) -> None:
    with evening(late, f"open,{STAND_IN}") as host:
        ada = LinePeer(host.port, "Ada")
        ada.sits()
        ada.turn_comes()
        BEFORE_THE_DEADLINE[fault](ada)
        if fault == "a megabyte":
            error, bye = ada.rest()
            assert (error["code"], error["message"]) == ("bad_message", "A message has 64 kB at most.")
            assert bye == {"type": "bye", "reason": "Too long."}
        host.deadline(SOON)
        ending = {"substitute": f". {STAND_IN} plays for Ada.", "forfeit": " and forfeits the game."}[late]
        host.says(f"Game 1: Ada ran out of time{ending}")
        if fault == "silent":
            assert ada.hear("notice")["text"] == f"Ada ran out of time{ending}"
        if late == "substitute":
            until(lambda: 0 in host.series.rows)
    assert host.series.forfeits == ({0} if late == "forfeit" else set())


def test_the_deadline_is_sent_with_every_turn() -> None:
    with hosting("open,bot2", deadline=500) as host:
        ada = LinePeer(host.port)
        ada.sits()
        decide = ada.hear("your_turn")
        assert 0 < decide["seconds"] <= 500


# Coming back


class Cut(LinesFromHome):
    """Its connection is cut in the middle of the game, more than once."""

    cuts = 0

    def sees(self, view: Message) -> None:
        super().sees(view)
        if view["turn"] in (3, 4, 11) and self.cuts < 3:
            self.cuts += 1
            with contextlib.suppress(OSError):  # this view came before the last cut: it is cut already
                self.connection.stream.connection.shutdown(socket.SHUT_RDWR)


def test_who_comes_back_with_its_token_plays_on_as_if_nothing_had_happened() -> None:
    with hosting("open,hajdu_v2") as host:
        guest = Cut(Home("trustful"))
        Playing(guest, host.where).ends()
        host.ends()
    assert guest.cuts == 3
    [table] = at_home(["trustful", "hajdu_v2"], 1)
    assert guest.home.results == [table.result()]
    assert host.series.rows[0].tolist() == table.game.row(table.state).tolist()


def test_who_was_late_may_come_back_and_take_the_seat_again() -> None:
    with hosting(f"open,{STAND_IN}", substitute=STAND_IN) as host:
        ada = LinePeer(host.port, "Ada")
        ada.sits()
        ada.turn_comes()
        ada.reset()
        [table] = host.host.tables.tables.values()
        host.in_loop(lambda: setattr(table.state, "bot_delay", 60_000))
        host.deadline(SOON)
        host.says(" plays for ")
        host.deadline(0)
        again = LinePeer(host.port, "Ada")
        again.say("resume", table=ada.seat["table"], token=ada.seat["token"])
        again.seat = again.hear("seat")
        again.view = again.hear("view")
        assert again.view["seats"][0] == {
            "name": STAND_IN, "kind": "bot", "agent": STAND_IN, "for": "Ada", "program": True, "connected": True,
        }  # fmt: skip
        assert "choices" not in again.view
        again.moves("discard 1")
        assert again.refused("not_yours") == "A bot plays in your seat. Take it back first."
        again.say("reclaim_seat", table=again.seat["table"])
        assert "this move is made for you" in again.refused("not_your_turn")
        host.in_loop(lambda: setattr(table.state, "bot_delay", 0))
        host.in_loop(table.schedule_bots)
        while (view := again.hear("view"))["turn"] == 0:
            pass
        again.say("reclaim_seat", table=again.seat["table"])
        while view["seats"][0]["kind"] == "bot" and view["state"] == "running":
            view = again.hear("view")
        again.view = view
        assert again.plays_on()["state"] == "finished"
        host.ends()


class Dawdler(Polite):
    """Late once, and never again."""

    def __init__(self, host: Hosted) -> None:
        super().__init__("Ada")
        self.host, self.errors, self.mine = host, list[str](), list[str]()

    def sees(self, view: Message) -> None:
        super().sees(view)
        self.mine.append(view["seats"][0]["kind"])

    def decide(self, view: Message) -> str:
        if view["turn"] == 0:
            self.host.deadline(SOON)
            self.host.says(" plays for ")
            self.host.deadline(0)
        return super().decide(view)


def test_a_client_that_was_late_comes_back_by_itself() -> None:
    with hosting(f"open,{STAND_IN}", substitute=STAND_IN) as host:
        ada = Dawdler(host)
        [view] = Playing(ada, host.where).ends()
        host.ends()
    assert view["state"] == "finished"
    assert "Ada is back at G1." in ada.heard
    assert ada.mine[-1] == "person"


# Before the game begins


def test_who_leaves_the_wire_before_the_game_begins_makes_room() -> None:
    with hosting("open,open") as host:
        ada = WirePeer(host.port, "Ada")
        host.says("Ada sits down at G1")
        ada.reset()
        host.says("Game 1: Ada at G1 went away. The seat is open again.")
        eve = WirePeer(host.port, "Eve")
        host.says("Eve sits down at G1")
        eve.send(b'{"player": "G1 (Eve)", "type": "discard", "card": 0}')
        assert eve.rest() == [
            {"error": "The game has not begun; wait for a state in which you are the current player."}
        ]
        host.says("Game 1: Eve at G1 moved before the game began. The seat is open again.")
        players = [Playing(Polite(name), host.where) for name in ("Bo", "Cy")]
        assert {playing.ends()[0]["state"] for playing in players} == {"finished"}


@pytest.mark.parametrize("back", [True, False])
def test_in_lines_a_seat_is_kept_for_who_has_its_token(back: bool) -> None:
    with hosting("open,open", substitute=STAND_IN) as host:
        ada = LinePeer(host.port, "Ada")
        ada.sits()
        ada.reset()
        bo = Playing(Polite("Bo"), host.where)
        host.says("Bo sits down at G2")
        if back:
            again = LinePeer(host.port, "Ada")
            again.say("resume", table=ada.seat["table"], token=ada.seat["token"])
            again.seat = again.hear("seat")
            again.turn_comes()
            again.plays_on()
        else:
            host.deadline(SOON)
            host.says("Ada ran out of time")
            host.deadline(0)
        assert bo.ends()[0]["state"] == "finished"


def test_nobody_sits_twice_at_a_table() -> None:
    with hosting("open,open", games=2, at_once=2) as host:
        host.offers(4)
        ada = LinePeer(host.port, "Ada")
        for _ in range(2):
            ada.say("sit")
        assert ada.hear("seat")["table"] != ada.hear("seat")["table"]
        for _ in range(3):
            ada.say("sit")
        assert ada.refused("too_fast") == "You wait for a seat already."


def test_nobody_sits_twice_who_waited_before_there_were_seats() -> None:
    with hosting("open,open", games=2, at_once=2) as host:
        host.offers(4)
        ada = LinePeer(host.port, "Ada")

        def wait() -> None:
            for _ in range(2):
                ada.say("sit")
                ada.hear("pending")

        host.without_offers(wait)
        assert ada.hear("seat")["table"] != ada.hear("seat")["table"]


# At the door


@pytest.mark.parametrize("game", ["hanabi", "loveletter"])
@pytest.mark.parametrize("first", [b"POST / HTTP/1.1\r\n", b"GET /?x={} HTTP/1.1\r\n"])
def test_a_page_of_somebody_else_cannot_speak_to_a_host(game: str, first: bytes) -> None:
    smuggled = b'Host: localhost\r\n\r\n{"type": "hello", "version": 2}\n{"type": "sit"}\n'
    with hosting("open,open", game) as host:
        page = Peer(host.port)
        page.send(first + smuggled)
        while page.piece():
            pass
        answer = json.loads(page.text)
        assert list(answer) == ["error"]
        assert "hello" in answer["error"]
        assert not any("sits down" in said for said in host.said)


@pytest.mark.parametrize(
    ("first", "complaint"),
    [
        (b"\n", "Begin with your name and a newline, or with a hello in JSON."),
        (b"\x16\x03\x01\x02\x00\n", "That is not a name."),
        (b"\xff\xfe\n", "That is not a name."),
        (b"x" * 2000 + b"\n", "Begin with your name and a newline"),
        (b"x" * (1 << 20), "A line has 64 kB at most."),
        (b'{"type": "sit"}\n', "Say hello first"),
        (
            b'{"type": "hello", "version": 99}\n',
            "You speak version 99 of the protocol; this server speaks version 2.",
        ),
        (b"[1, 2]\n", "not a message this server understands"),
        (b'{"type": "hel', None),
        (b"Ada", None),
        (b"", None),
    ],
)
def test_who_does_not_begin_as_one_should_is_sent_away(first: bytes, complaint: str | None) -> None:
    with hosting("open,bot2") as host:
        peer = Peer(host.port)
        with contextlib.suppress(ConnectionError):
            peer.send(first)
        if complaint is None:
            peer.socket.shutdown(socket.SHUT_WR)
        while peer.piece():
            pass
        assert (complaint or "").encode() in peer.text
        assert complaint is not None or peer.text == b""
        [view] = Playing(Polite("Bo"), host.where).ends()
        assert view["state"] == "finished"


def test_who_says_nothing_at_all_is_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host_module, "Limits", partial(Limits, greeting=SOON))
    with hosting("open,bot2") as host:
        error, bye = LinePeer(host.port, greets=False).rest()
        assert error["message"] == bye["reason"] == "You said nothing for 0.2 seconds."


def welcomed(port: int) -> bool:
    """Whether there is room for somebody who comes, and goes again."""
    try:
        LinePeer(port).socket.close()
    except AssertionError:
        return False
    return True


def test_a_thousand_connections_leave_nothing_behind() -> None:
    with hosting("open,bot2") as host:
        host.offers(1)

        def crowd() -> None:
            for number in range(1000):
                with socket.create_connection(("127.0.0.1", host.port)) as peer:
                    peer.sendall([b"Ada\n", b'{"type":"hello","version":2}\n{"type":"sit"}\n', b"", b"{"][number % 4])
            until(lambda: welcomed(host.port))  # all who came before have been let in or turned away by then
            until(lambda: not host.host.connections.slots)

        host.without_offers(crowd)
        assert not host.host.players
        assert not host.host.sessions.sessions
        assert not host.host.offers.applicants
        [view] = Playing(Polite("Bo"), host.where).ends()
        assert view["state"] == "finished"


def test_a_crowd_hears_that_there_is_no_room_and_those_who_play_do_not_notice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(host_module, "SPARE", 5)
    with hosting("open,open") as host:
        ada, partner = ada_to_move(host, Polite("Bo"))
        crowd = [Peer(host.port) for _ in range(100)]
        turned_away = 0
        for peer in crowd[:95]:
            while peer.piece():
                pass
            turned_away += b'"code":"full","message":"There is no room for another connection' in peer.text
        assert turned_away == 95
        assert ada.plays_on()["state"] == "finished"
        assert partner.ends()[0]["state"] == "finished"


def test_who_sends_far_too_much_is_slowed_down_and_then_sent_away(monkeypatch: pytest.MonkeyPatch) -> None:
    with evening("substitute") as host:
        ada, partner = ada_to_move(host, Polite("Bo"))
        with contextlib.suppress(ConnectionError):
            ada.send(b'{"type":"dance"}\n' * 20_000)
        assert ada.rest()[-1]["type"] == "bye"
        host.deadline(SOON)
        host.says("Ada ran out of time")
        host.deadline(0)
        assert partner.ends()[0]["state"] == "finished"
