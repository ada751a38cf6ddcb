"""Whatever a host sends, a client plays on or explains the error in a sentence: no traceback, no hang."""

import base64
import copy
import json
import random
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from kibitz.client import Client, HostError
from kibitz.client import client as client_module
from kibitz.client import stream as stream_module
from kibitz.client.address import Address
from kibitz.client.agent_seat import LineAgentSeat, WireAgentSeat
from kibitz.client.client import Connection
from kibitz.client.json_stream import NotAnObjectError, decode_object
from kibitz.client.stream import ByteStream
from kibitz.core import registry
from kibitz.errors import AgentError, KibitzError
from kibitz.games.hanabi.formats.unibo_client import UniboClient
from tests.server.host.hosts import WIRE, Home, LinesFromHome, Message, Playing, hosting, soon_over
from tests.server.host.plain_host import PlainGame, simple_move

NOWHERE = Address("127.0.0.1", 1)
ME = "G2 (Ada)"
NASTY: list[Any] = [
    None, True, -1, 0, 3, 1 << 70, 1e300, float("nan"), float("inf"), "", "x", "\ud800", "\x1b[2J", "G1 (Bo)", ME,
    [], [[]], {}, {"type": "view"}, [None] * 3, "A" * 2000, ["red"], {"move": 1},
]  # fmt: skip
JUNK = [b"", b"\x00", b"{", b'"', b"\n", b"\xff", b"[" * 5000]
MUTATIONS = 60


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "RETRY_INTERVAL", 0.0)
    monkeypatch.setattr(client_module, "RETRIES", 1)


@contextmanager
def sent(data: bytes) -> Iterator[ByteStream]:
    """A connection on which a host says this and nothing more, whatever it is answered."""
    ours, theirs = socket.socketpair()

    def say() -> None:
        try:
            theirs.sendall(data)
            theirs.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the client has heard enough

    thread = threading.Thread(target=say, daemon=True)
    thread.start()
    try:
        yield ByteStream(ours, "example:4000", timeout=10)
    finally:
        ours.close()
        thread.join(10)
        theirs.close()


def encoded(message: Any) -> bytes:
    return json.dumps(message).encode() + b"\n"


def mutations(said: list[Message], seed: int) -> Iterator[bytes]:
    dice, lines = random.Random(seed), [encoded(message) for message in said]
    for _ in range(MUTATIONS):
        yield mutated(said, list(lines), dice)


def mutated(said: list[Message], lines: list[bytes], dice: random.Random) -> bytes:
    """A conversation with a fault in it: in a value, in the order of the messages, or in the bytes."""
    kind, place = dice.randrange(6), dice.randrange(len(said))
    if kind <= 2:
        changed = copy.deepcopy(said[place])
        change_a_value(changed, dice)
        lines[place] = encoded(changed)
    elif kind == 3:
        lines.insert(place, lines.pop(dice.randrange(len(lines))))
    elif kind == 4:
        del lines[place : place + dice.randint(1, 3)]
    text = b"".join(lines)
    if kind == 5:
        cut = dice.randrange(len(text))
        text = text[:cut] + dice.choice(JUNK) + text[cut + dice.randint(0, 3) :]
    return text


def change_a_value(value: Any, dice: random.Random) -> None:
    """Replace or remove something in an object, at any depth."""
    while True:
        key: Any = dice.choice(list(value)) if isinstance(value, dict) else dice.randrange(len(value))
        inner = value[key]
        if key == "struct" and dice.random() < 0.7:
            value[key] = changed_struct(inner, dice)
            return
        if isinstance(inner, dict | list) and inner and dice.random() < 0.8:
            value = inner
            continue
        if isinstance(value, dict) and dice.random() < 0.3:
            del value[key]
        else:
            value[key] = dice.choice(NASTY)
        return


def changed_struct(text: str, dice: random.Random) -> str:
    data = bytearray(base64.b64decode(text))
    for _ in range(dice.randint(1, 3)):
        data[dice.randrange(len(data))] = dice.randrange(256)
    return base64.b64encode(data[: dice.choice([len(data), len(data), -1])]).decode()


def outcome(play: Callable[[], Any]) -> str:
    """Play to the end, or return the error's sentence. Anything but a KibitzError fails the test."""
    try:
        play()
    except KibitzError as error:
        return str(error)
    return "played"


def check_sentences(complaints: set[str]) -> None:
    """Many faults are found, and each error fits on a screen and can be printed."""
    assert len(complaints) > 10
    for sentence in complaints:
        assert 0 < len(sentence) < 2000
        assert sentence.isprintable()


# Messages in lines


class Kept(LinesFromHome):
    """An agent that keeps what a real host says."""

    def __init__(self, home: Home) -> None:
        super().__init__(home)
        self.said: list[Message] = []

    def _handle(self, message: Message) -> bool:
        self.said.append(copy.deepcopy(message))
        return super()._handle(message)


class KeptBot(Client):
    """The same for a bot that reads page views."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.said: list[Message] = []

    def _handle(self, message: Message) -> bool:
        self.said.append(copy.deepcopy(message))
        return super()._handle(message)

    def decide(self, view: Message) -> str:
        return soon_over(view)


class FirstChoice(Client):
    def decide(self, view: Message) -> str:
        return str(view["choices"][0]["move"])


@cache
def conversation(game: str, agent: str, other: str) -> list[Message]:
    """All that a real host says in a game after the welcome."""
    who = Kept(Home(agent, game)) if agent else KeptBot("Ada")
    with hosting(f"{other},open", game) as host:
        Playing(who, host.where).ends()
    return who.said


def play_lines(client: Client, text: bytes) -> None:
    with sent(text) as stream:
        client.play_over(Connection(stream), NOWHERE, 1)


def play_agent(game: str, agent: str, text: bytes) -> None:
    home = Home(agent, game)
    play_lines(LineAgentSeat("Ada", home.game, home), text)


def hanabi_lines() -> list[Message]:
    return copy.deepcopy(conversation("hanabi", "hajdu_v2", "bot2"))


@pytest.mark.parametrize(
    ("game", "agent", "other"), [("hanabi", "hajdu_v2", "bot2"), ("loveletter", "greedy", "random")]
)
def test_an_agent_survives_whatever_a_host_says_in_lines(game: str, agent: str, other: str) -> None:
    said = conversation(game, agent, other)
    assert outcome(partial(play_agent, game, agent, b"".join(map(encoded, said)))) == "played"
    check_sentences({outcome(partial(play_agent, game, agent, text)) for text in mutations(said, 1)})


def test_a_bot_survives_whatever_a_host_says_in_lines() -> None:
    said = conversation("hanabi", "", "bot2")
    check_sentences({outcome(partial(play_lines, FirstChoice("Ada"), text)) for text in mutations(said, 2)})


def with_view(**fields: Any) -> bytes:
    """The conversation with other fields in its first view."""
    said = hanabi_lines()
    view = next(message for message in said if message["type"] == "view")
    view.update(fields)
    return b"".join(map(encoded, said))


STRUCT_BYTES = registry.game("hanabi").dtype.itemsize


@pytest.mark.parametrize(
    ("fields", "complaint"),
    [
        ({"struct": "%%%"}, "not the struct of a view in base 64"),
        ({"struct": "AAAA"}, "not the struct of a view in base 64"),
        ({"struct": None}, "not the struct of a view in base 64"),
        (
            {"struct": base64.b64encode(b"\x7f" * STRUCT_BYTES).decode()},
            "In a view of Hanabi, hinted_kinds must be from 0 to",
        ),
        ({"struct": base64.b64encode(b"\x00" * STRUCT_BYTES).decode()}, "not a view of G2 in a game of Hanabi"),
        ({"turn": 7}, "skipped the view of turn 0"),
        ({"turn": -1}, "a whole number from 0 is expected as 'turn'"),
        ({"turn": 1 << 80}, "a whole number from 0 is expected as 'turn'"),
        ({"turn": True}, "a whole number from 0 is expected as 'turn'"),
        ({"as": 0}, "the seat 1 of this client is expected as 'as'"),
        ({"as": "spectator"}, "a whole number from 0 is expected as 'as'"),
        ({"seats": [1, 2]}, "a list of objects with 'kind' is expected as 'seats'"),
        ({"game": "chess"}, "This host plays chess, not hanabi. Use --game chess."),
        ({"layout": 1}, "a different version of kibitz"),
    ],
)
def test_a_view_with_a_wrong_field_is_refused_by_the_name_of_the_field(fields: Message, complaint: str) -> None:
    with pytest.raises(HostError) as refused:
        play_agent("hanabi", "hajdu_v2", with_view(**fields))
    assert complaint in str(refused.value)


def first_record(**fields: int) -> str:
    """The first struct that the host sent, with other numbers in it."""
    view = next(message for message in hanabi_lines() if message["type"] == "view")
    struct = np.frombuffer(bytearray(base64.b64decode(view["struct"])), registry.game("hanabi").dtype)
    for name, value in fields.items():
        struct[name] = value
    return base64.b64encode(struct.tobytes()).decode()


def test_a_view_within_its_bounds_that_no_game_leads_to_reaches_no_agent() -> None:
    """With 50 drawn cards, of which most lie face down, `signal` read outside of its arrays."""
    with pytest.raises(HostError, match="A view of Hanabi hides the viewer's hand and the draw pile, and no more"):
        play_agent("hanabi", "signal", with_view(struct=first_record(drawn=50)))


def test_a_game_that_does_not_begin_at_its_beginning_is_refused() -> None:
    said = hanabi_lines()
    first, second = [message for message in said if message["type"] == "view"][:2]
    first["struct"] = second["struct"]
    with pytest.raises(HostError, match="No legal game of Hanabi leads to this view"):
        play_agent("hanabi", "hajdu_v2", b"".join(map(encoded, said)))


def test_a_move_is_not_decided_on_when_it_is_the_turn_of_another() -> None:
    said = hanabi_lines()
    place, view = next((n, message) for n, message in enumerate(said) if message["type"] == "view")
    said.insert(place + 1, {"type": "your_turn", "table": view["table"], "turn": view["turn"]})
    with pytest.raises(HostError, match="requests a move in turn 0, but it is not this seat's"):
        play_agent("hanabi", "hajdu_v2", b"".join(map(encoded, said)))


def test_a_view_before_the_seat_is_skipped() -> None:
    view = next(message for message in hanabi_lines() if message["type"] == "view")
    text = b"".join(encoded({**view, "table": table}) for table in ("", view["table"]))
    with pytest.raises(HostError, match="closed the connection"):
        play_agent("hanabi", "hajdu_v2", text + encoded({"type": "your_turn", "table": "", "turn": 0}))


@pytest.mark.parametrize(
    ("seat", "complaint"),
    [
        ({"table": "t", "seat": 77, "token": "k"}, "gave seat 77"),
        ({"table": "t", "seat": "1", "token": "k"}, "expected as 'seat'"),
        ({"table": "t", "seat": 1}, "text is expected as 'token'"),
        ({"table": "", "seat": 1, "token": "k"}, "text that is not empty is expected as 'table'"),
        ({"table": ["t"], "seat": 1, "token": "k"}, "text is expected as 'table'"),
    ],
)
def test_a_seat_that_is_none_is_refused(seat: Message, complaint: str) -> None:
    with pytest.raises(HostError, match=complaint):
        play_agent("hanabi", "hajdu_v2", encoded({"type": "seat", **seat}))


def test_a_second_seat_in_the_middle_of_a_game_is_refused() -> None:
    seats = [encoded({"type": "seat", "table": table, "seat": 1, "token": "k"}) for table in ("a", "b")]
    with pytest.raises(HostError, match="a second seat"):
        play_lines(FirstChoice("Ada"), b"".join(seats))


def test_a_bot_is_not_asked_for_a_move_without_choices() -> None:
    said = copy.deepcopy(conversation("hanabi", "", "bot2"))
    for message in said:
        message.pop("choices", None)
    with pytest.raises(HostError, match="the legal moves, when it is one's turn, is expected as 'choices'"):
        play_lines(FirstChoice("Ada"), b"".join(map(encoded, said)))


def test_a_decision_that_is_no_text_is_refused_before_it_is_sent() -> None:
    class Wrong(Client):
        def decide(self, view: Message) -> Any:
            return 3

    with pytest.raises(AgentError, match=r"Ada decided 3\. A move is the text"):
        play_lines(Wrong("Ada"), b"".join(map(encoded, conversation("hanabi", "", "bot2"))))


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (b"hello\n", "invalid message: that is not JSON"),
        (b"[1]\n", "invalid message: a JSON object is expected"),
        (b"{}\n", "a message without a type"),
        (b'{"type": 1}\n', "a message without a type"),
        (b"[" * 100_000 + b"\n", "not JSON"),
        (b'{"type": "view", "turn": ' + b"9" * 5000 + b"}\n", "not JSON"),
        (b'{"type": "error", "message": "\\u001b[2Jgo\\naway"}\n', "[2Jgo away"),
        (b'{"type": "error"}\n', "expected as 'message'"),
        (b'{"type": "error", "code": [], "request": "move", "message": 3}\n', "expected as 'message'"),
    ],
)
def test_a_line_that_is_no_message_is_reported(line: bytes, complaint: str) -> None:
    with pytest.raises(HostError) as refused:
        play_lines(FirstChoice("Ada"), line)
    assert complaint in str(refused.value)
    assert "\x1b" not in str(refused.value)


def test_a_line_without_an_end_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "LIMIT", 1 << 18)
    with sent(b"x" * (10 << 20)) as stream:
        with pytest.raises(HostError, match="a line of more than 262,144 bytes"):
            FirstChoice("Ada").play_over(Connection(stream), NOWHERE, 1)
        assert len(stream.buffer) < 1 << 19


class Tireless(threading.Thread):
    """A host that gives every client the same seat, and then ends the connection."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.where = f"127.0.0.1:{self.listening.getsockname()[1]}"
        self.came = 0
        self.start()

    def run(self) -> None:
        seat = encoded({"type": "welcome"}) + encoded({"type": "seat", "table": "t", "seat": 0, "token": "k"})
        while True:
            try:
                guest, _ = self.listening.accept()
            except OSError:
                return
            with guest:
                self.came += 1
                guest.sendall(seat)
                guest.recv(4096)


def test_a_host_that_ends_every_connection_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "RETRIES", 3)
    host = Tireless()
    with pytest.raises(HostError):
        FirstChoice("Ada").play(host.where)
    host.listening.close()
    assert host.came <= 4


def test_a_message_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_module, "MESSAGE_SECONDS", 0.05)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b'{"type": ')
        with pytest.raises(HostError, match=r"did not finish it in 0\.05 seconds"):
            FirstChoice("Ada").play_over(Connection(ByteStream(ours, "example:4000")), NOWHERE, 1)


def test_a_host_that_does_not_read_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_module, "SEND_SECONDS", 0.05)
    ours, theirs = socket.socketpair()
    with ours, theirs, pytest.raises(HostError, match="broke: timed out"):
        ByteStream(ours, "example:4000").send(b"x" * (10 << 20))


def test_half_of_a_surrogate_pair_is_no_text() -> None:
    assert decode_object(b'{"a": "\\ud83c\\udca1"}') == {"a": "\U0001f0a1"}
    with pytest.raises(NotAnObjectError, match="surrogates not allowed"):
        decode_object(b'{"a": "\\ud83c"}')


# Bare objects


@cache
def states_of_a_game() -> list[Message]:
    """As the second player sees them, when both play simply."""
    game = PlainGame(["G1 (Bo)", ME], random.Random(4))
    states = [copy.deepcopy(game.seen_by(ME))]
    while not game.over:
        game.make(simple_move(game.current, game.seen_by(game.current)))
        states.append(copy.deepcopy(game.seen_by(ME)))
    return states


def play_mirror(text: bytes) -> None:
    with sent(text) as stream:
        WireAgentSeat("Ada", WIRE, Home("hajdu_v2"), lambda played: 1, 0).play_over(stream, ME)


class First(UniboClient):
    def decide(self, state: Message) -> Message:
        return {"type": "discard", "card": 0}


def play_first(text: bytes) -> None:
    with sent(text) as stream:
        First("Ada").play_over(stream, ME)


@pytest.mark.parametrize("play", [play_mirror, play_first])
def test_clients_survive_whatever_a_host_says_in_bare_objects(play: Callable[[bytes], None]) -> None:
    states = states_of_a_game()
    assert outcome(partial(play, b"".join(map(encoded, states)))) == "played"
    check_sentences({outcome(partial(play, text)) for text in mutations(states, 3)})


@pytest.mark.parametrize(("field", "value"), [("red", True), ("fuse", 1e300), ("round", "1"), ("current", 3)])
def test_a_state_with_a_wrong_field_is_refused_by_the_name_of_the_field(field: str, value: Any) -> None:
    with pytest.raises(HostError, match=f"no state: {field} is missing"):
        play_first(encoded({**states_of_a_game()[0], field: value}))


def test_an_object_that_never_ends_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stream_module, "MESSAGE_SECONDS", 0.05)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.sendall(b'{"current": ')
        with pytest.raises(HostError, match=r"did not finish it in 0\.05 seconds"):
            First("Ada").play_over(ByteStream(ours, "example:4000"), ME)


def test_what_a_host_contradicts_is_reported_in_a_line() -> None:
    second = {**states_of_a_game()[1], "lastaction": {"player": "x" * 100_000}}
    complaint = outcome(partial(play_mirror, encoded(states_of_a_game()[0]) + encoded(second)))
    assert "lastaction" in complaint or "It was the turn of" in complaint
    assert len(complaint) < 1000
