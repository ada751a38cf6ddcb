"""How many games a host plays with programs that join it over TCP, and how many at once.

The host is a process of its own; the bots are in this one and use the same cores. A bot discards its oldest card or,
with all tokens there, gives the first hint it can, so games are as long as possible and decisions take no time. The
clock runs from the first move to the last: before it the first players sit down, and after it the host says goodbye.
"""

import asyncio
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import Any

import msgspec
from report import Line, limit_line, rate_line, unmeasured
from timing import Rates

from kibitz.client.json_stream import JsonObjectStream

KIBITZ = (sys.executable, "-m", "kibitz")
PLAYERS, GAMES, CROWD, ROUNDS = 4, 60, 200, 3
WANTED = 20  # games per second
TOLD_WITHIN = 250  # milliseconds
WORTH_READING = tuple(b'{"type":"%b"' % name for name in (b"view", b"your_turn", b"bye"))


class Choice(msgspec.Struct):
    move: str
    action: str
    slot: int = -1


class Board(msgspec.Struct):
    tokens: int = 0


class Heard(msgspec.Struct):
    """As much of a message as the bot needs."""

    type: str
    table: str = ""
    turn: int = 0
    state: str = ""
    view: Board = msgspec.field(default_factory=Board)
    choices: list[Choice] = []


class State(msgspec.Struct):
    """As much of a state of the other protocol."""

    current: str
    round: int
    final: int
    hints: int
    fuse: int


HEARD, STATE = msgspec.json.Decoder(Heard), msgspec.json.Decoder(State)


@dataclass
class Evening:
    """When the first move was made and the last was sent, and how long each took to come back."""

    began: float = 0.0
    ended: float = 0.0
    waits: list[float] = field(default_factory=list)


class Player(asyncio.Protocol):
    """A bot on one connection."""

    def __init__(self, evening: Evening) -> None:
        self.evening, self.moved = evening, 0.0
        self.pieces = b""
        self.gone = asyncio.get_running_loop().create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.begin()

    def data_received(self, data: bytes) -> None:
        if self.moved:
            self.evening.waits.append(time.perf_counter() - self.moved)
            self.moved = 0.0
        self.pieces += data
        self.read()

    def connection_lost(self, error: Exception | None) -> None:
        if not self.gone.done():
            self.gone.set_result(None)

    def move(self, message: bytes) -> None:
        self.moved = time.perf_counter()
        self.evening.began = self.evening.began or self.moved
        self.transport.write(message)

    def begin(self) -> None: ...

    def read(self) -> None: ...


class InLines(Player):
    """A bot of docs/reference/protocol.md, until the host says bye."""

    def begin(self) -> None:
        self.view = Heard("view")
        self.transport.write(b'{"type":"hello","version":2,"name":"bench"}\n{"type":"sit"}\n')

    def read(self) -> None:
        *lines, self.pieces = self.pieces.split(b"\n")
        for line in lines:
            if line.startswith(WORTH_READING):
                self.hear(HEARD.decode(line))

    def hear(self, heard: Heard) -> None:
        if heard.type == "bye":
            self.transport.close()
        elif heard.type == "your_turn":
            wanted = "hint" if self.view.view.tokens == 8 else "discard"
            move = next(choice.move for choice in self.view.choices if choice.action == wanted)
            said = {"type": "move", "table": heard.table, "turn": heard.turn, "move": move}
            self.move(msgspec.json.encode(said) + b"\n")
        else:
            self.view = heard
            if heard.state == "finished":
                self.evening.ended = time.perf_counter()
                self.transport.write(b'{"type":"sit"}\n')


class InBareObjects(Player):
    """A bot of docs/reference/unibo.md, for one game."""

    def begin(self) -> None:
        self.me = ""
        self.transport.write(b"bench\n")

    def read(self) -> None:
        if not self.me:
            name, newline, rest = self.pieces.partition(b"\n")
            if not newline:
                return
            self.me, self.pieces = name.decode(), rest
        while self.pieces:
            try:
                state, whole, self.pieces = STATE.decode(self.pieces), self.pieces, b""
            except msgspec.DecodeError:  # it is not whole yet, or there is more than one
                found = list(JsonObjectStream().feed(self.pieces))
                if not found:
                    return
                state, whole, self.pieces = STATE.decode(found[0]), found[0], self.pieces[len(found[0]) :]
            self.hear(state, whole)

    def hear(self, state: State, whole: bytes) -> None:
        if state.fuse == 0 or 0 < state.final < state.round:
            self.evening.ended = time.perf_counter()
            self.transport.close()
        elif state.current == self.me:
            self.move(msgspec.json.encode({"player": self.me, **chosen(state.hints, self.me, whole)}))


def chosen(hints: int, me: str, whole: bytes) -> dict[str, Any]:
    if hints < 8:
        return {"type": "discard", "card": 0}
    state = msgspec.json.decode(whole)
    other = next(name for name in state if name.startswith("G") and name != me)
    return {"type": "hint value", "hinted": other, "value": state[other][0]["value"]}


async def bot(kind: type[Player], port: int, evening: Evening) -> None:
    """Play until the host has no more games."""
    while True:
        try:
            _, player = await asyncio.get_running_loop().create_connection(lambda: kind(evening), "127.0.0.1", port)
        except OSError:
            return
        await player.gone


class Hosting:
    """A host on a free port, and what it says at the end."""

    def __init__(self, games: int, at_once: int) -> None:
        seats = ",".join(["open"] * PLAYERS)
        options = ["--seats", seats, "--games", str(games), "--at-once", str(at_once), "--port", "0", "--seed", "1"]
        self.process = subprocess.Popen([*KIBITZ, "host", "hanabi", *options], stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        found = re.search(r":(\d+),", line)
        if found is None:
            raise RuntimeError(f"the host did not start: {line or 'it said nothing'}")
        self.port = int(found[1])


def played(kind: type[Player], games: int, at_once: int) -> tuple[float, list[float]]:
    """Games per second, from the first move to the last, and how long moves took to come back."""
    host, evening = Hosting(games, at_once), Evening()
    try:

        async def crowd() -> None:
            await asyncio.gather(*(bot(kind, host.port, evening) for _ in range(PLAYERS * at_once)))

        asyncio.run(crowd())
        return games / (evening.ended - evening.began), sorted(evening.waits)
    finally:
        host.process.terminate()
        host.process.communicate()


def measured() -> list[Line]:
    what, lines = "games of four TCP bots at a host", []
    try:
        for name, kind in {"bare objects": InBareObjects, "lines": InLines}.items():
            rates = Rates(tuple(played(kind, GAMES, 1)[0] for _ in range(ROUNDS)))
            lines.append(rate_line(f"{what}, in {name}, one after the other", rates, "games/s", WANTED))
        lines += [crowd_line(alone) for alone in (True, False)]
    except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
        return [unmeasured(what, str(error))]
    return lines


def crowd_line(alone: bool) -> Line:
    """Many games at once, on a machine that has nothing else to do, or beside a program that never rests."""
    other = None if alone else subprocess.Popen([sys.executable, "-c", "while True: pass"])
    try:
        rate, waits = played(InLines, 2 * CROWD, CROWD)
    finally:
        if other is not None:
            other.kill()
            other.wait()
    beside = "" if alone else ", beside a busy program"
    return limit_line(
        f"{CROWD} games at once, in lines{beside}: 95 % of moves sent within",
        1000 * waits[int(0.95 * len(waits))],
        "ms",
        TOLD_WITHIN,
        f"median {1000 * waits[len(waits) // 2]:.0f} ms, {rate:.1f} games per second",
        rate=rate,
    )


if __name__ == "__main__":
    from report import drawn
    from rich.console import Console

    Console(width=160).print(drawn(measured()))
