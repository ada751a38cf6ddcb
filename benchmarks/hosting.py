"""How many games a host plays with programs that join it over TCP, and how many at once.

The host is a process of its own, the bots are in this one: what they cost is counted against the same cores. A bot
throws its oldest card away, or with all tokens there gives the first hint it can, so games are as long as they get
and the bots take next to no time to decide.
"""

import asyncio
import re
import subprocess
import sys
import time
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
from report import Line, limit_line, rate_line, unmeasured
from timing import Rates

from kibitz.host.objects import Objects

KIBITZ = (sys.executable, "-m", "kibitz")
PLAYERS, GAMES, CROWD, ROUNDS = 4, 60, 200, 3
WANTED = 20  # games a second
Bot = Callable[[int], Coroutine[Any, Any, list[float]]]


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


HEARD = msgspec.json.Decoder(Heard)


async def in_lines(port: int) -> list[float]:
    """A bot of docs/reference/protocol.md, until the host says bye; how long each of its moves took to come back."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)

    def say(type: str, **fields: Any) -> None:
        writer.write(msgspec.json.encode({"type": type, **fields}) + b"\n")

    say("hello", version=1, name="bench", program=True)
    say("sit")
    waits, moved, view = [], 0.0, Heard("view")
    while line := await reader.readline():
        heard = HEARD.decode(line)
        if heard.type == "view":
            if moved:
                waits.append(time.perf_counter() - moved)
                moved = 0.0
            view = heard
            if heard.state == "finished":
                say("sit")
        elif heard.type == "decide":
            wanted = "hint" if view.view.tokens == 8 else "discard"
            move = next(choice.move for choice in view.choices if choice.action == wanted)
            moved = time.perf_counter()
            say("move", table=heard.table, turn=heard.turn, move=move)
        elif heard.type == "bye":
            break
    writer.close()
    return waits


async def in_bare_objects(port: int) -> list[float]:
    """A bot of docs/reference/unibo.md, game after game until the host is closed."""
    waits: list[float] = []
    while True:
        try:
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(b"bench\n")
            me = (await reader.readline()).decode().strip()
            if not me.startswith("G"):
                return waits
            await one_game(me, reader, writer, waits)
            writer.close()
        except OSError:
            return waits


async def one_game(me: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, waits: list[float]) -> None:
    objects, moved = Objects(), 0.0
    while piece := await reader.read(1 << 16):
        for text in objects.feed(piece):
            if moved:
                waits.append(time.perf_counter() - moved)
                moved = 0.0
            state = msgspec.json.decode(text)
            if state["fuse"] == 0 or 0 < state["final"] < state["round"]:
                return
            if state["current"] == me:
                moved = time.perf_counter()
                writer.write(msgspec.json.encode({"player": me, **move(state, me)}))


def move(state: dict[str, Any], me: str) -> dict[str, Any]:
    if state["hints"] < 8:
        return {"type": "discard", "card": 0}
    other = next(name for name in state if name.startswith("G") and name != me)
    return {"type": "hint value", "hinted": other, "value": state[other][0]["value"]}


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


def played(bot: Bot, games: int, at_once: int) -> tuple[float, list[float]]:
    """Games a second, from the first seat taken to the end, and how long moves took to come back."""
    host = Hosting(games, at_once)
    try:

        async def crowd() -> list[list[float]]:
            return await asyncio.gather(*(bot(host.port) for _ in range(PLAYERS * at_once)))

        begin = time.perf_counter()
        waits = asyncio.run(crowd())
        return games / (time.perf_counter() - begin), sorted(wait for each in waits for wait in each)
    finally:
        host.process.terminate()
        host.process.communicate()


def measured() -> list[Line]:
    what, lines = "games of four TCP bots at a host", []
    try:
        for name, bot in {"bare objects": in_bare_objects, "lines": in_lines}.items():
            rates = Rates(tuple(played(bot, GAMES, 1)[0] for _ in range(ROUNDS)))
            lines.append(rate_line(f"{what}, in {name}, one after the other", rates, "games/s", WANTED))
        rate, waits = played(in_lines, 2 * CROWD, CROWD)
        late = 1000 * waits[int(0.95 * len(waits))]
        lines.append(
            limit_line(
                f"{CROWD} games at once, in lines: 95 % of moves told within",
                late,
                "ms",
                1000,
                f"median {1000 * waits[len(waits) // 2]:.0f} ms, {rate:.1f} games a second",
                rate=rate,
            )
        )
    except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
        return [unmeasured(what, str(error))]
    return lines


if __name__ == "__main__":
    from report import drawn
    from rich.console import Console

    Console(width=160).print(drawn(measured()))
