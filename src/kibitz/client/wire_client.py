"""A player at a host of bare JSON objects, as docs/reference/unibo.md describes it for Hanabi.

One connection is one seat of one game: the client sends a name and receives its full name, then a state after every
move. The game's `StateReader` knows the fields of a state, which state is the last, and its score.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

from kibitz.client.address import Address, ConnectionLostError, HostError
from kibitz.client.handshake import first_answer
from kibitz.client.json_stream import JsonObjectStream, NotAnObjectError, decode_object
from kibitz.client.stream import SILENCE, ByteStream, shown
from kibitz.core.wire import StateReader
from kibitz.errors import AgentError

GREATEST = 1 << 31  # all numbers in a state are smaller

State = dict[str, Any]


def given_name(full_name: str) -> str:
    """Ada, of G2 (Ada)."""
    return full_name.partition("(")[2].removesuffix(")")


def whole_if_possible(text: str) -> float:
    """Parse a number; some hosts write 3 as 3.0."""
    value = float(text)
    return int(value) if value.is_integer() and abs(value) < GREATEST else value


class WireClient:
    """A player. Subclass it and write `decide`; the other methods are optional.

    In each game, `begin()` is called first; then `observe(state)` for every state, and `decide(state)` on your turn;
    and `end(state)` last. A state is a dictionary with the keys of the protocol; numbers are integers.
    """

    reader: StateReader
    full_name = ""  # the host's name for us in this game: "G2 (Ada)"

    def __init__(self, name: str, *, wait: float = 3.0, timeout: float | None = None) -> None:
        """`wait` is how many seconds to wait for a host to start; `timeout` limits its silence, which is unlimited by
        default because partners may be people.
        """
        if not name.strip() or "\n" in name or "\r" in name:
            raise HostError(f"{name!r} cannot be a name: it must have letters, on one line.")
        self.name, self.wait, self.timeout = name, wait, timeout

    def decide(self, state: State) -> Mapping[str, Any]:
        """The move, as a dictionary with the keys of the protocol; `player` is filled in."""
        raise NotImplementedError(f"{type(self).__name__} has no method decide(self, state).")

    def waits(self, where: str) -> None:
        """The host has not answered for some seconds, usually because not all seats are taken."""

    def begin(self) -> None:
        """A game begins; `full_name` and `seat` are known."""

    def observe(self, state: State) -> None:
        """The state at the start and after every move."""

    def end(self, state: State) -> None:
        """The game is over, with this state."""

    @property
    def seat(self) -> int:
        """Our seat, from 1."""
        return int(self.full_name[1])

    def answer(self, state: State) -> bytes:
        """The message with our move."""
        move = self.decide(state)
        if not isinstance(move, Mapping):
            raise AgentError(
                f'{self.name} decided {move!r}. A move is a dictionary, like {{"type": "play", "card": 0}}.'
            )
        return json.dumps({"player": self.full_name, **move}, ensure_ascii=False).encode()

    def play(self, where: str, games: int = 1) -> list[int]:
        """Play at a host, `HOST:PORT`, one game per connection; returns the scores."""
        return [self.play_one(where) for _ in range(games)]

    def play_one(self, where: str) -> int:
        with ByteStream.open(Address.read(where), self.wait, self.timeout) as stream:
            send(stream, self.name.encode(errors="replace") + b"\n")
            if stream.is_silent(SILENCE):
                self.waits(stream.where)
            answer = first_answer(stream)
            if not isinstance(answer, str):
                raise HostError(
                    f"The host at {stream.where} answered with a message, not with a full name like 'G2 (Ada)'. It "
                    f"speaks in lines of JSON, as `kibitz join` without --protocol and a `kibitz.client.Client` do."
                )
            return self.play_over(stream, answer)

    def play_over(self, stream: ByteStream, full_name: str) -> int:
        """Play on a connection after the host has sent our full name; returns the score."""
        self.full_name = full_name
        self.begin()
        shift = None
        for state in states(stream, self.reader):
            if shift is None:
                shift = self.reader.shift(state)
            if shift:
                state = self.reader.unshifted(state, shift)
            self.observe(state)
            if self.reader.is_last(state):
                self.end(state)
                return self.reader.score(state)
            if state["current"] == self.full_name:
                send(stream, self.answer(state))
        raise AssertionError("states() ends only with an error")


def send(stream: ByteStream, text: bytes) -> None:
    """Send, and ignore a lost connection: reading will notice it, after the host's last messages."""
    with suppress(ConnectionLostError):
        stream.send(text)


def states(stream: ByteStream, reader: StateReader) -> Iterator[State]:
    objects, piece, round, deadline = JsonObjectStream(), bytes(stream.buffer), 0, None
    stream.buffer.clear()
    while True:
        try:
            for text in objects.feed(piece):
                round, deadline = round + 1, None
                yield checked_state(decode_object(text, whole_if_possible), stream.where, reader)
        except NotAnObjectError as error:
            raise HostError(f"The host at {stream.where} sent something that is no state: {error}") from None
        if objects.buffered and deadline is None:
            deadline = stream.deadline()
        piece = stream.receive(deadline)
        if not piece:
            when = f"in round {round}" if round else "before its first state"
            raise HostError(f"The host at {stream.where} closed the connection in the middle of a game, {when}.")


def checked_state(said: State, where: str, reader: StateReader) -> State:
    if "error" in said and "current" not in said:
        raise HostError(f"The host at {where} says: {shown(said['error'])}")
    missing = [field for field in reader.numbers if not is_number(said.get(field))]
    if missing or not isinstance(said.get("current"), str):
        lacks = ", ".join(missing) or "current"
        raise HostError(
            f"The host at {where} sent an object that is no state: {lacks} is missing or not as it must be."
        )
    return said


def is_number(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) < GREATEST
