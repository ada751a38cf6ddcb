"""A player at a host, or at a table of `kibitz serve`, that speaks the protocol of docs/reference/protocol.md.

Write a class with `decide`, and it plays:

    from kibitz.client import Client

    class First(Client):
        def decide(self, view):
            return view["choices"][0]["move"]

    First("Ada").play("localhost:4000")

What a host sends is checked before a bot sees it: whatever is missing or of the wrong type is a HostError.
"""

import json
import time
from collections.abc import Callable
from typing import Any

from kibitz.client.address import Address, ConnectionLostError, HostError
from kibitz.client.handshake import Message, first_answer, hello
from kibitz.client.json_stream import NotAnObjectError, decode_object
from kibitz.client.stream import ByteStream, shown
from kibitz.errors import AgentError

LIMIT = 4 << 20  # bytes per line; the longest, a whole game of views for a returning client, has about 300,000
HELLO_SECONDS = 30.0  # for the answer to a hello
RETRIES = 5  # lost connections in a row without a new view, before the client gives up
RETRY_INTERVAL = 0.5  # seconds
LONGEST_REASON = 500  # characters
LATE_MOVE = ("stale", "not_your_turn", "not_yours", "over")  # error codes that the table's next message explains


class Connection:
    """Messages, as lines of JSON."""

    def __init__(self, stream: ByteStream) -> None:
        self.stream = stream

    def send(self, type: str, **fields: Any) -> None:
        message = {"type": type, **{name: value for name, value in fields.items() if value not in (None, "")}}
        self.stream.send(json.dumps(message).encode() + b"\n")

    def receive(self) -> Message:
        line = self.stream.line(LIMIT)
        if line is None:
            raise ConnectionLostError(f"The host at {self.stream.where} closed the connection.")
        try:
            message = decode_object(line)
        except NotAnObjectError as error:
            raise HostError(f"The host at {self.stream.where} sent an invalid message: {error}.") from None
        if not isinstance(message.get("type"), str):
            raise HostError(f"The host at {self.stream.where} sent a message without a type.")
        return message

    def close(self) -> None:
        self.stream.close()


def wrong(message: Message, field: str, expected: str) -> HostError:
    return HostError(
        f"The host broke the protocol: {expected} is expected as {field!r} of a message of type {message['type']!r}, "
        f"and it sent {shown(repr(message.get(field)))}."
    )


def text_in(message: Message, field: str) -> str:
    value = message.get(field)
    if not isinstance(value, str):
        raise wrong(message, field, "text")
    return value


def count_in(message: Message, field: str) -> int:
    """A non-negative integer, such as a turn or a seat."""
    value = message.get(field)
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < 1 << 31:
        raise wrong(message, field, "a whole number from 0")
    return value


def seconds_in(message: Message) -> float | None:
    """A time limit; None if there is none."""
    value = message.get("seconds")
    if value is not None and (not isinstance(value, int | float) or isinstance(value, bool)):
        raise wrong(message, "seconds", "a number")
    return value


def object_in(message: Message, field: str) -> Message:
    value = message.get(field)
    if not isinstance(value, dict):
        raise wrong(message, field, "an object")
    return value


def objects_in(message: Message, field: str, *texts: str) -> list[Message]:
    """An optional list of objects with text in these fields."""
    values = message.get(field, [])
    if not isinstance(values, list) or not all(
        isinstance(each, dict) and all(isinstance(each.get(text), str) for text in texts) for each in values
    ):
        raise wrong(message, field, " ".join(["a list of objects", *(f"with {text!r}" for text in texts)]))
    return values


class Client:
    """A player. Override `decide`, and any of the other callbacks."""

    records = False  # as in the protocol: whether views arrive as structs, for kibitz's own agents

    def __init__(self, name: str = "") -> None:
        self.name = name or type(self).__name__
        self.table = ""  # the id of the table
        self.token = ""  # the key to the seat, if the client has one
        self.seat = -1
        self.view: Message = {}  # the last one
        self.reason = ""  # for the move it decides on, shown in replays
        self.seconds: float | None = None  # the time for this move, if it is limited
        self.retaking = False  # whether the seat was reclaimed from the bot that plays for this client
        self.losses = 0  # lost connections since the last new view

    # Callbacks

    def decide(self, view: Message) -> str:
        """The move: the `move` of one of the view's choices. `self.reason` may be set to explain it."""
        raise NotImplementedError(f"{type(self).__name__} has no method decide(self, view).")

    def begins(self, seat: Message) -> None:
        """The client got seat `seat["seat"]`, from 0, at `seat["table"]`."""

    def past(self, message: Message) -> None:
        """Earlier events, in `message["events"]`: empty unless the client returns to a game."""

    def observe(self, event: Message) -> None:
        """An event: a move by any player."""

    def sees(self, view: Message) -> None:
        """The view after the event."""

    def hears(self, text: str) -> None:
        """A notice from the host: to everyone, or that no seat is free yet, or that there are no more games."""

    def ends(self, view: Message) -> None:
        """The game is over; `view["result"]` and `view["verdict"]` describe the outcome."""

    # Playing

    def play(self, where: str, games: int = 1, wait: float = 0.0) -> list[Message]:
        """Play games at a host, HOST:PORT, or one in a seat it is invited to, HOST:PORT/TABLE/INVITATION.

        Returns the last view of each game. It ends early when the host has no more games.
        """
        address = Address.read(where)
        return self.play_over(self._connect(address, wait), address, games)

    def play_over(self, connection: Connection, address: Address, games: int) -> list[Message]:
        """Play on a connection after the host's welcome."""
        self.address, self.connection = address, connection
        finished: list[Message] = []
        try:
            while len(finished) < (1 if address.table else games):
                last = self._play_one()
                if last is None:
                    break
                finished.append(last)
        except ConnectionLostError:
            if not finished or self.token:
                raise
        finally:
            self.connection.close()
        return finished

    def hello(self) -> bytes:
        return hello(self.name, self.records)

    def _connect(self, address: Address, wait: float = 0.0) -> Connection:
        stream = ByteStream.open(address, wait, timeout=HELLO_SECONDS)
        try:
            stream.send(self.hello())
            answer = first_answer(stream)
            if isinstance(answer, str):
                raise HostError(
                    f"The host at {address} answered with a full name, {shown(answer)!r}: it does not speak in lines "
                    f"of JSON but in bare objects. `kibitz join --protocol unibo` and a WireClient speak so, too."
                )
            return self.welcomed(stream, answer)
        except HostError:
            stream.close()
            raise

    def welcomed(self, stream: ByteStream, answer: Message) -> Connection:
        """The connection, if the message is a valid answer to a hello."""
        if answer["type"] != "welcome":
            why = answer.get("message") or answer.get("reason") or "The host does not say welcome."
            raise HostError(shown(why))
        stream.timeout = None  # partners may be people
        return Connection(stream)

    def _play_one(self) -> Message | None:
        """Play one game; returns its last view, or None if the host has no more games."""
        self.table, self.token, self.seat, self.view, self.retaking, self.losses = "", "", -1, {}, False, 0
        self.connection.send("sit", table=self.address.table, invitation=self.address.invitation)
        while True:
            try:
                message = self.connection.receive()
                over = self._handle(message)
            except ConnectionLostError as error:
                self._resume(error)
                continue
            if over:
                return self.view or None

    def _resume(self, lost: HostError) -> None:
        """Return to the seat after a lost connection.

        Losses are counted until the game continues, so the client also gives up on a host that accepts every connection
        and closes it.
        """
        if not self.token:
            raise lost
        self.retaking = False
        while self.losses < RETRIES:
            self.losses += 1
            try:
                self.connection.close()
                self.connection = self._connect(self.address, RETRY_INTERVAL)
                self.connection.send("resume", table=self.table, token=self.token)
                return
            except HostError as error:
                lost = error
                time.sleep(RETRY_INTERVAL)
        raise HostError(f"The connection was lost during a game and could not be restored: {lost}")

    # Messages. Every field is validated before use.

    def _handle(self, message: Message) -> bool:
        """Handle a message; whether the game is over. Unknown types are ignored, as the protocol requires."""
        handler: Callable[[Message], bool | None] | None = getattr(self, f"_on_{message['type']}", None)
        return bool(handler and handler(message))

    def _is_here(self, message: Message) -> bool:
        """Whether a message is about the current game."""
        return text_in(message, "table") == self.table and bool(self.token)

    def _on_seat(self, message: Message) -> None:
        table, token, seat = text_in(message, "table"), text_in(message, "token"), count_in(message, "seat")
        if not table or not token:
            raise wrong(message, "token" if table else "table", "text that is not empty")
        if not self.token:
            self.table, self.token, self.seat = table, token, seat
            self.begins(message)
        elif (table, seat) == (self.table, self.seat):
            self.token = token
        else:
            raise HostError("The host gave this client a second seat before the game in its first was over.")

    def _on_events(self, message: Message) -> None:
        if self._is_here(message):
            objects_in(message, "events")
            self.past(message)

    def _on_event(self, message: Message) -> None:
        if self._is_here(message):
            self.observe(object_in(message, "event"))

    def _on_notice(self, message: Message) -> None:
        self.hears(text_in(message, "text"))

    def _on_pending(self, message: Message) -> None:
        self.hears(text_in(message, "text"))

    def _on_view(self, message: Message) -> bool:
        if not self._is_here(message):
            return False
        turn, seats = count_in(message, "turn"), objects_in(message, "seats", "kind")
        state = text_in(message, "state")
        if count_in(message, "as") != self.seat or self.seat >= len(seats):
            raise wrong(message, "as", f"the seat {self.seat} of this client")
        objects_in(message, "choices", "move")
        if turn > self.view.get("turn", -1):
            self.losses = 0
        self.view = message
        self.sees(message)
        if state in ("finished", "abandoned"):
            self.ends(message)
            return True
        replaced = seats[self.seat]["kind"] == "bot"
        if replaced and not self.retaking:  # it was late, and a bot replaced it
            self.connection.send("reclaim_seat", table=self.table, request="reclaim_seat")
        self.retaking = replaced
        return False

    def _on_your_turn(self, message: Message) -> None:
        if not self._is_here(message) or count_in(message, "turn") != self.view.get("turn"):
            return
        if not self.records and not self.view.get("choices"):
            raise wrong(self.view, "choices", "the legal moves, when it is one's turn,")
        self.reason, self.seconds = "", seconds_in(message)
        move = self.decide(self.view)
        if not isinstance(move, str):
            raise AgentError(f"{self.name} decided {move!r}. A move is the text in the `move` of one of the choices.")
        self.connection.send(
            "move", table=self.table, turn=message["turn"], move=str(move), reason=str(self.reason)[:LONGEST_REASON],
            request="move",
        )  # fmt: skip

    def _on_error(self, message: Message) -> None:
        about = message.get("request")
        if about == "reclaim_seat":
            self.retaking = False  # refused; try again at the next view
        elif about != "move" or message.get("code") not in LATE_MOVE:
            raise HostError(shown(text_in(message, "message")))

    def _on_bye(self, message: Message) -> bool:
        reason = shown(message.get("reason", ""))
        if self.token:
            raise HostError(f"The host shut down during a game: {reason}")
        self.hears(reason)
        return True
