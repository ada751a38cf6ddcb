"""A player at a host of Bida & Pandolfi's protocol, in five lines:

    from kibitz.host import UniboClient

    class First(UniboClient):
        def decide(self, state):
            return {"type": "discard", "card": 0}

    First("Ada").play("localhost:4000")

A connection is one seat of one game: the name goes out, the full name comes back, then a state after every move.
"""

import json
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from kibitz.client.address import HostError, Place, connected
from kibitz.client.json_stream import Objects
from kibitz.core.errors import AgentError

COLOURS = ("red", "green", "white", "blue", "yellow")
LONGEST_NAME = 4096  # bytes in a full name
PIECE = 1 << 16

State = dict[str, Any]


def is_over(state: Mapping[str, Any]) -> bool:
    """Whether a state is the last of its game."""
    last_turn_made = state["final"] > 0 and state["round"] == state["final"] + 1
    return state["fuse"] == 0 or piles(state) == 25 or last_turn_made


def score(state: Mapping[str, Any]) -> int:
    """What the last state of a game is worth: a lost game, nothing."""
    return piles(state) if state["fuse"] else 0


def piles(state: Mapping[str, Any]) -> int:
    return sum(state[colour] for colour in COLOURS)


def given_name(full_name: str) -> str:
    """Ada, of G2 (Ada)."""
    return full_name.partition("(")[2].removesuffix(")")


def number(text: str) -> float:
    """Some hosts write 3 as 3.0; here it is 3."""
    value = float(text)
    return int(value) if value.is_integer() else value


class UniboClient:
    """Somebody who plays. A class of your own says what to do in `decide`; the other methods may be left as they are.

    In the life of a game: `begin()`, then for every state `observe(state)` and, on one's own turn, `decide(state)`, and
    at last `end(state)`. A state is a dictionary with the keys of the protocol; numbers in it are whole.
    """

    full_name = ""  # as the host calls us in this game: "G2 (Ada)"

    def __init__(self, name: str, *, wait: float = 3.0, timeout: float | None = None) -> None:
        """A player of this name. It waits so many seconds for a host that is not there yet, and for one that is silent
        so many as `timeout` says, or as long as it takes: partners may be people.
        """
        if not name.strip() or "\n" in name or "\r" in name:
            raise HostError(f"{name!r} cannot be a name: it must have letters, on one line.")
        self.name, self.wait, self.timeout = name, wait, timeout

    def decide(self, state: State) -> Mapping[str, Any]:
        """The move, like `{"type": "play", "card": 0}` or `{"type": "hint value", "hinted": "G1 (Bo)", "value": 3}`.

        `player` is filled in.
        """
        raise NotImplementedError

    def begin(self) -> None:
        """A game begins, and `full_name` and `seat` are known."""

    def observe(self, state: State) -> None:
        """See the table at the start and after every move."""

    def end(self, state: State) -> None:
        """The game is over; this was its last state."""

    @property
    def seat(self) -> int:
        """Our seat, from 1."""
        return int(self.full_name[1])

    def answer(self, state: State) -> bytes:
        """What the host is sent on our turn."""
        move = self.decide(state)
        if not isinstance(move, Mapping):
            raise AgentError(
                f'{self.name} decided {move!r}. A move is a dictionary, like {{"type": "play", "card": 0}}.'
            )
        return json.dumps({"player": self.full_name, **move}, ensure_ascii=False).encode()

    def play(self, where: str, games: int = 1) -> list[int]:
        """Play at a host, `HOST:PORT`; the scores. Every game is a connection of its own."""
        return [self.play_one(where) for _ in range(games)]

    def play_one(self, where: str) -> int:
        with connected(Place.read(where), self.wait, self.timeout) as connection:
            return self._play(Conversation(connection, where))

    def _play(self, host: "Conversation") -> int:
        host.send(self.name.encode(errors="replace") + b"\n")
        self.full_name = host.line()
        if self.full_name[:1] != "G" or not self.full_name[1:2].isdecimal():
            raise HostError(
                f"The host at {host.where} answered {self.full_name!r}, which is not a full name like 'G2 (Ada)'. "
                f"Does it speak this protocol?"
            )
        self.begin()
        for state in host.states():
            self.observe(state)
            if is_over(state):
                self.end(state)
                return score(state)
            if state["current"] == self.full_name:
                host.send(self.answer(state))
        raise AssertionError("states() ends only with an error")


class Conversation:
    """What a host says over a connection: a line, then objects."""

    def __init__(self, connection: socket.socket, where: str) -> None:
        self.connection, self.where = connection, where
        self.rest = b""  # what came behind the line
        self.round = 0

    def send(self, text: bytes) -> None:
        with suppress(OSError):  # what the host said before it went away is still to be read, or that it is gone
            self.connection.sendall(text)

    def receive(self) -> bytes:
        try:
            return self.connection.recv(PIECE)
        except TimeoutError:
            silence = self.connection.gettimeout()
            raise HostError(f"The host at {self.where} has said nothing for {silence:g} seconds.") from None
        except OSError as error:
            raise HostError(f"The connection to the host at {self.where} broke: {error.strerror or error}.") from None

    def line(self) -> str:
        """The first line. A host that has something to complain of instead sends an object."""
        text = b""
        while b"\n" not in text or text[:1] == b"{":
            if text[:1] == b"{":
                self.rest = text
                next(self.states())
                raise HostError(f"The host at {self.where} sent a state, and no full name before it.")
            piece = self.receive()
            if not piece:
                raise HostError(
                    f"The host at {self.where} closed the connection before the game began. Are all seats taken?"
                )
            text += piece
            if len(text) > LONGEST_NAME and b"\n" not in text[:LONGEST_NAME]:
                raise HostError(f"The host at {self.where} sent no full name. Does it speak this protocol?")
        line, _, self.rest = text.partition(b"\n")
        return line.decode(errors="replace").rstrip("\r")

    def states(self) -> Iterator[State]:
        reader, piece = Objects(), self.rest
        while True:
            for text in reader.feed(piece):
                yield self._state(text)
            piece = self.receive()
            if not piece:
                where = f"in round {self.round}" if self.round else "before its first state"
                raise HostError(f"The host at {self.where} closed the connection in the middle of a game, {where}.")

    def _state(self, text: bytes) -> State:
        try:
            said = json.loads(text, parse_float=number)
        except (ValueError, RecursionError) as error:
            raise HostError(f"The host at {self.where} sent something that is not JSON: {error}.") from None
        if "error" in said and "current" not in said:
            raise HostError(f"The host at {self.where} says: {said['error']}")
        missing = [key for key in ("round", "final", "fuse", *COLOURS) if not isinstance(said.get(key), int)]
        if missing or "current" not in said:
            lacks = ", ".join(missing) or "current"
            raise HostError(f"The host at {self.where} sent an object that is no state: {lacks} is missing.")
        self.round = said["round"]
        return said
