"""A player at a host, or at a table of `kibitz serve`, that speaks the protocol of docs/reference/protocol.md.

Write a class with `decide`, and it plays:

    from kibitz.host import Client

    class First(Client):
        def decide(self, view):
            return view["choices"][0]["move"]

    First("Ada").play("localhost:4000")
"""

import json
import time
from collections.abc import Callable
from typing import Any

from kibitz.client.address import HostError, Place, connected

VERSION = 1
RETURNS = 5  # times a lost connection is tried again before the game is given up
BETWEEN = 0.5  # seconds between two tries

Message = dict[str, Any]


class LostError(HostError):
    """The connection is gone; with the token of the seat one can come back."""


class Connection:
    """Messages in lines, one after the other."""

    def __init__(self, where: Place, wait: float = 0.0) -> None:
        self.socket = connected(where, wait)
        self.lines = self.socket.makefile("rb")

    def say(self, type: str, **fields: Any) -> None:
        message = {"type": type, **{name: value for name, value in fields.items() if value not in (None, "")}}
        try:
            self.socket.sendall(json.dumps(message).encode() + b"\n")
        except OSError as error:
            raise LostError(f"The connection is lost: {error.strerror or error}.") from None

    def hear(self) -> Message:
        try:
            line = self.lines.readline()
        except OSError as error:
            raise LostError(f"The connection is lost: {error.strerror or error}.") from None
        if not line.endswith(b"\n"):
            raise LostError("The host closed the connection.")
        try:
            message = json.loads(line)
        except ValueError:
            raise HostError("That is no kibitz host: it does not speak JSON.") from None
        if not isinstance(message, dict) or "type" not in message:
            raise HostError("That is no kibitz host: it sends something that is not a message.")
        return message

    def close(self) -> None:
        self.lines.close()
        self.socket.close()


class Client:
    """A player. `decide` is asked for every move; the other methods may be written, too."""

    records = False  # whether views come as records, for agents of kibitz itself

    def __init__(self, name: str = "") -> None:
        self.name = name or type(self).__name__
        self.table = ""  # where it sits
        self.token = ""  # the key to its seat
        self.view: Message = {}  # the last it saw
        self.returning = False  # whether it asked for its seat back, because somebody else plays in it

    # What a bot may write

    def decide(self, view: Message) -> str:
        """The move: the `move` of one of the view's choices."""
        raise NotImplementedError(f"{type(self).__name__} has no method decide(self, view).")

    def begins(self, seat: Message) -> None:
        """It was given a seat: `seat["seat"]`, from 0, at `seat["table"]`."""

    def past(self, message: Message) -> None:
        """What happened before it came, in `message["events"]`: nothing, unless it comes back to a game."""

    def observe(self, event: Message) -> None:
        """Something happened: a move of anybody's."""

    def sees(self, view: Message) -> None:
        """The table after it."""

    def hears(self, text: str) -> None:
        """The host tells everybody something."""

    def ends(self, view: Message) -> None:
        """The game is over; `view["result"]` and `view["verdict"]` say how it went."""

    # Playing

    def play(self, where: str, games: int = 1, wait: float = 0.0) -> list[Message]:
        """Play games at a host, HOST:PORT, or one in a seat it is invited to, HOST:PORT/TABLE/INVITATION.

        Returns the last view of each game. It ends early when the host has no more games.
        """
        self.where = Place.read(where)
        finished: list[Message] = []
        self.connection = self._connected(wait)
        try:
            while len(finished) < (1 if self.where.table else games):
                last = self._play_one()
                if last is None:
                    break
                finished.append(last)
        except LostError:
            if not finished or self.token:
                raise
        finally:
            self.connection.close()
        return finished

    def _connected(self, wait: float = 0.0) -> Connection:
        connection = Connection(self.where, wait)
        connection.say("hello", version=VERSION, name=self.name, program=True, records=self.records or None)
        answer = connection.hear()
        if answer["type"] != "welcome":
            connection.close()
            raise HostError(str(answer.get("message") or answer.get("reason") or "The host does not say welcome."))
        return connection

    def _play_one(self) -> Message | None:
        """One game: its last view, or None if the host has no more."""
        self.table, self.token, self.view, self.returning = "", "", {}, False
        self.connection.say("sit", table=self.where.table, invitation=self.where.invitation)
        while True:
            try:
                message = self.connection.hear()
                over = self._answer(message)
            except LostError as error:
                self._come_back(error)
                continue
            if message["type"] == "bye" and not self.table:
                return None
            if over:
                return self.view

    def _come_back(self, lost: HostError) -> None:
        """After a loss of the connection, resume the seat."""
        if not self.token:
            raise lost
        self.returning = False
        for _ in range(RETURNS):
            try:
                self.connection.close()
                self.connection = self._connected(BETWEEN)
                self.connection.say("resume", table=self.table, token=self.token)
                return
            except HostError as error:
                lost = error
                time.sleep(BETWEEN)
        raise HostError(f"The connection was lost in the middle of a game, and cannot be had again: {lost}")

    def _answer(self, message: Message) -> bool:
        """React to a message; whether the game is over."""
        answer: Callable[[Message], bool | None] | None = getattr(self, f"_on_{message['type']}", None)
        return bool(answer and answer(message))

    def _on_seat(self, message: Message) -> None:
        again = message["table"] == self.table
        self.table, self.token = message["table"], message["token"]
        if not again:
            self.begins(message)

    def _on_events(self, message: Message) -> None:
        self.past(message)

    def _on_event(self, message: Message) -> None:
        self.observe(message["event"])

    def _on_said(self, message: Message) -> None:
        self.hears(message["text"])

    def _on_view(self, message: Message) -> bool:
        if message["table"] != self.table:
            return False  # of a game that is over
        self.view = message
        self.sees(message)
        if message["state"] in ("finished", "left"):
            self.ends(message)
            return True
        seat = message["as"]
        replaced = isinstance(seat, int) and message["seats"][seat]["kind"] == "bot"
        if replaced and not self.returning:  # it was late, and somebody else plays meanwhile
            self.connection.say("retake", table=self.table, request="retake")
        self.returning = replaced
        return False

    def _on_decide(self, message: Message) -> None:
        if message["table"] == self.table and message["turn"] == self.view.get("turn"):
            move = self.decide(self.view)
            self.connection.say("move", table=self.table, turn=message["turn"], move=move, request="move")

    def _on_error(self, message: Message) -> None:
        about = message.get("request")
        if about == "retake":
            self.returning = False  # not now; the next view brings another try
        elif about != "move" or message["code"] not in ("stale", "not_your_turn", "not_yours", "over"):
            raise HostError(str(message["message"]))
        # else it was late; what the table sends next tells how it goes on

    def _on_bye(self, message: Message) -> bool:
        if self.table:
            raise HostError(f"The host ended in the middle of a game: {message.get('reason', '')}")
        return False
