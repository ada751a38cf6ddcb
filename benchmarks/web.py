"""How quick the table in the browser is: its first paint, a tap, a bot's reply, and two hundred tables at once.

The server runs as a process of its own and keeps its tables on the disk, as it does for people. The visitors are in
this process: what they cost is counted against the same cores.
"""

import asyncio
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec
from report import Line, limit_line, unmeasured
from websockets.asyncio.client import ClientConnection, connect

sys.path.append(str(Path(__file__).resolve().parents[1]))
from tests.server.web import browsers

KIBITZ = (sys.executable, "-m", "kibitz")
BOTS = ("trustful", "hajdu_v2", "bot2")
TABLES, SECONDS, SETTLING = 200, 20.0, 4.0
THINKING = (0.5, 1.5)  # seconds a scripted person takes for a move, which is less than people do


class Choice(msgspec.Struct):
    move: str
    action: str


class Heard(msgspec.Struct):
    """As much of a message as a scripted person needs."""

    type: str
    turn: int = 0
    table: str = ""
    state: str = ""
    choices: list[Choice] = []
    event: dict[str, Any] = {}


HEARD = msgspec.json.Decoder(Heard)


@dataclass
class Waits:
    """Seconds between a move and what follows it."""

    sent: list[float] = field(default_factory=list)  # until the move was sent: it is on the disk by then
    replied: list[float] = field(default_factory=list)  # from there until the first bot moved
    around: list[float] = field(default_factory=list)  # until it was the person's turn again, three bots later


def share(waits: list[float], part: float) -> float:
    """The wait that this part of the waits does not exceed, in milliseconds."""
    return 1000 * sorted(waits)[min(int(part * len(waits)), len(waits) - 1)]


@contextmanager
def serving() -> Iterator[int]:
    """A server on a free port."""
    with tempfile.TemporaryDirectory(prefix="kibitz-bench-", ignore_cleanup_errors=True) as folder:
        command = [*KIBITZ, "serve", "--no-open", "--port", "0", "--data", folder, "--limit", "bot_grid=0.0001"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        try:
            line = process.stdout.readline()
            found = re.search(r":(\d+)/", line)
            if found is None:
                raise RuntimeError(f"the server did not start: {line or 'it said nothing'}")
            yield int(found[1])
        finally:
            process.terminate()
            process.communicate()


class Person:
    """Somebody who plays one game after the other with three bots, and times it."""

    def __init__(self, socket: ClientConnection, seed: int, thinking: tuple[float, float], waits: Waits) -> None:
        self.socket, self.dice, self.thinking, self.waits = socket, random.Random(seed), thinking, waits

    async def say(self, type: str, **fields: Any) -> None:
        await self.socket.send(json.dumps({"type": type, **fields}))

    async def hear(self) -> Heard:
        return HEARD.decode(await self.socket.recv())

    async def plays(self, begin: float, end: float) -> None:
        """Play games until the end; what is timed begins later."""
        await self.say("hello", version=2, name="bench")
        while time.perf_counter() < end:
            await self.game(begin, end)

    async def game(self, begin: float, end: float) -> None:
        bots = [{"kind": "bot", "agent": agent} for agent in BOTS]
        await self.say("create", game="hanabi", seats=[{"kind": "me"}, *bots], seed=self.dice.randrange(2**40))
        view, moved, sent = Heard("view"), 0.0, 0.0
        while view.state != "finished" and time.perf_counter() < end:
            heard = await self.hear()
            now = time.perf_counter()
            if heard.type == "event" and moved > begin:
                if heard.event["seat"] == 0:
                    self.waits.sent.append(now - moved)
                    sent = now
                elif heard.event["seat"] == 1 and sent:
                    self.waits.replied.append(now - sent)
                    sent = 0.0
            if heard.type == "view":
                view = heard
            if heard.type == "your_turn":
                if moved > begin:
                    self.waits.around.append(now - moved)
                await asyncio.sleep(self.dice.uniform(*self.thinking))
                move = self.chosen(view)
                moved = time.perf_counter()
                await self.say("move", table=heard.table, turn=heard.turn, move=move)

    def chosen(self, view: Heard) -> str:
        """A hint or a discard: the game is then as long as games of people are."""
        wanted = [choice.move for choice in view.choices if choice.action != "play"]
        return self.dice.choice(wanted or [choice.move for choice in view.choices])


async def played(port: int, tables: int, seconds: float, thinking: tuple[float, float]) -> Waits:
    waits = Waits()
    begin = time.perf_counter() + (SETTLING if tables > 1 else 0.5)
    end = begin + seconds

    async def sit(seed: int) -> None:
        await asyncio.sleep(seed / tables)
        async with connect(f"ws://127.0.0.1:{port}/socket", compression=None, open_timeout=60) as socket:
            await Person(socket, seed, thinking, waits).plays(begin, end)

    await asyncio.gather(*(sit(seed) for seed in range(tables)))
    return waits


async def warmed_up(port: int) -> None:
    """One game with these bots, so that all they need is compiled and loaded."""
    async with connect(f"ws://127.0.0.1:{port}/socket", compression=None, open_timeout=60) as socket:
        person = Person(socket, 0, (0.0, 0.0), Waits())
        await person.say("hello", version=2)
        await person.game(float("inf"), float("inf"))


# What the server compiles beside the first tables, compiled before.
COMPILE = """
from kibitz.core import registry
from kibitz.server.live.warmup import rehearse, take_seat, usual_first
for game in registry.games():
    rehearse(game)
    for name in usual_first(game):
        take_seat(game, name)
"""


def tables() -> list[Line]:
    """A bot's reply at a single table, and the moves of two hundred persons who play at once."""
    what = "a table in the browser"
    try:
        subprocess.run([sys.executable, "-c", COMPILE], check=True)
        with serving() as port:
            asyncio.run(warmed_up(port))
            alone = asyncio.run(played(port, 1, 6.0, (0.05, 0.1)))
            crowd = asyncio.run(played(port, TABLES, SECONDS, THINKING))
    except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
        return [unmeasured(what, str(error))]
    many = f"{TABLES} tables of a person and three bots: 95 % of moves sent within"
    return [
        limit_line(
            "one table: 95 % of bots' replies within", share(alone.replied, 0.95), "ms", 100,
            f"median {share(alone.replied, 0.5):.1f} ms, {len(alone.replied)} replies", waits=alone.replied,
        ),
        limit_line(
            many, share(crowd.sent, 0.95), "ms", 250,
            f"median {share(crowd.sent, 0.5):.0f} ms, {len(crowd.sent) / SECONDS:.0f} moves of persons a second",
            waits=crowd.sent,
        ),
        Line(
            "the same until all three bots have moved, too", f"{share(crowd.around, 0.95):.0f} ms",
            f"median {share(crowd.around, 0.5):.0f} ms", figures={"waits": crowd.around},
        ),
    ]  # fmt: skip


def first_load() -> list[Line]:
    """What a browser unpacks for the lobby and a first table of Hanabi, which has the largest board."""
    what = "the lobby and a first table of Hanabi"
    if browsers.installed() is None:
        return [unmeasured(what, "there is no Chromium; `make browser` installs one")]
    with serving() as port, browsers.browsing() as browser:
        page = browser.new_context().new_page()
        page.goto(f"http://localhost:{port}/")
        page.get_by_role("button", name="Play Hanabi now").click()
        page.wait_for_selector(".your-turn", timeout=browsers.PATIENCE)
        sizes = page.evaluate("performance.getEntriesByType('resource').map((each) => each.decodedBodySize)")
    return [limit_line(what, sum(sizes) / 1000, "kB", 250, f"{len(sizes)} files")]


PAINTS = 7


def first_paint() -> list[Line]:
    """How long until a browser that comes for the first time shows something of the lobby."""
    what = "first paint of the lobby"
    if browsers.installed() is None:
        return [unmeasured(what, "there is no Chromium; `make browser` installs one")]
    paints = []
    with serving() as port, browsers.browsing() as browser:
        for _ in range(PAINTS):
            page = browser.new_context().new_page()  # nothing is in its cache
            page.goto(f"http://localhost:{port}/")
            page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length > 0")
            paints.append(page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime"))
    return [limit_line(what, sorted(paints)[PAINTS // 2], "ms", 1000, f"worst {max(paints):.0f} ms", paints=paints)]


SLOWER, TAPS = 6, 30
# From the moment at which the browser has a tap until what it changed is painted.
TIME_TAPS = """() => {
  window.answered = [];
  addEventListener("click", ({ timeStamp }) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => window.answered.push(performance.now() - timeStamp);
    port2.postMessage(null);
  }), { capture: true });
}"""


def taps() -> list[Line]:
    """How long a phone with a slow processor takes to answer a tap on a card at a full table of Hanabi."""
    what = f"a tap on a phone, processor {SLOWER} times slower: 95 % answered within"
    if browsers.installed() is None:
        return [unmeasured(what, "there is no Chromium; `make browser` installs one")]
    waits = {}
    with serving() as port, browsers.browsing() as browser:
        page = browser.new_context(**browsers.PHONE).new_page()
        page.goto(f"http://localhost:{port}/")
        page.get_by_label("Players").first.select_option("5")
        page.get_by_role("button", name="Play Hanabi now").tap()
        page.wait_for_selector(".your-turn", timeout=browsers.PATIENCE)
        page.evaluate(TIME_TAPS)
        for slower in (1, SLOWER):
            page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slower})
            for tap in range(TAPS):
                cards = page.locator(".own .card" if tap % 2 else ".others .card")
                cards.nth(tap % cards.count()).tap()
                page.wait_for_function("taps => window.answered.length === taps", arg=tap + 1)
            waits[slower] = page.evaluate("() => window.answered.splice(0).map((each) => each / 1000)")
    usual, slow = (share(waits[slower], 0.95) for slower in (1, SLOWER))
    beside = f"median {share(waits[SLOWER], 0.5):.0f} ms; at full speed 95 % within {usual:.0f} ms"
    return [limit_line(what, slow, "ms", 100, beside, waits=waits[SLOWER], usual=waits[1])]


def measured() -> list[Line]:
    return [*first_load(), *first_paint(), *taps(), *tables()]


if __name__ == "__main__":
    from report import drawn
    from rich.console import Console

    Console(width=160).print(drawn(measured()))
