"""How soon a review begins and ends, and how long a running table's moves take while ten reviews are computed.

    python benchmarks/reviews_at_once.py

A server reviews games of four players of about 60 turns. First one review alone, then ten at once, each asked for by a
visitor of its own. Meanwhile somebody plays at a table with three bots; a move's time is that from the person's message
until the next question to them, three bots' moves later. Without reviews the same game is played for comparison.
"""

import json
import random
import re
import subprocess
import tempfile
import threading
import time
from contextlib import ExitStack
from typing import Any
from urllib.request import Request, urlopen

import numpy as np
from report import Line, drawn, limit_line, unmeasured
from rich.console import Console
from web import KIBITZ
from websockets.sync.client import ClientConnection, connect

import kibitz

REVIEWS, SEED = 10, 17
FIRST, ALL, MOVE = 2.0, 15.0, 0.25  # seconds
PORT = re.compile(r":(\d+)/")
Message = dict[str, Any]


def record(seed: int) -> bytes:
    """A game of four, in which the first player is a person to the server."""
    played = kibitz.table("hanabi", ["iggi", "piers", "piers", "piers"], seed=seed).run().record
    played.seats[0] = "Ada"
    return played.written().encode()


class Visitor:
    def __init__(self, port: int, stack: ExitStack) -> None:
        """A visitor who stays until the stack is closed."""
        opened = connect(f"ws://127.0.0.1:{port}/socket", max_size=None)
        self.socket: ClientConnection = stack.enter_context(opened)
        self.say(type="hello", version=2)

    def say(self, **fields: Any) -> None:
        self.socket.send(json.dumps(fields))

    def hear(self, *types: str) -> Message:
        while (message := json.loads(self.socket.recv()))["type"] not in types:
            pass
        return dict(message)

    def review(self, table: str) -> tuple[float, float]:
        """Seconds until the first verdict, and until all."""
        begun, first = time.perf_counter(), 0.0
        self.say(type="review", table=table)
        while True:
            message = self.hear("review", "error")
            if message["type"] == "error" or message["state"] == "failed":
                raise RuntimeError(str(message))
            if message["turns"] and not first:
                first = time.perf_counter() - begun
            if message["state"] == "done":
                return first, time.perf_counter() - begun

    def moves(self, until: threading.Event, least: int) -> list[float]:
        """The seconds of moves, until something is over and at least this number was made."""
        taken: list[float] = []
        dice = random.Random(SEED)
        while not until.is_set() or len(taken) < least:
            self.say(type="create", game="hanabi", seats=[{"kind": "me"}, *[{"kind": "bot", "agent": "piers"}] * 3])
            view = self.hear("view")
            while view["state"] != "finished":
                if "choices" in view:
                    begun = time.perf_counter()
                    move = dice.choice(view["choices"])["move"]
                    self.say(type="move", table=view["table"], turn=view["turn"], move=move)
                    view = self.hear("view")
                    while view["state"] != "finished" and "choices" not in view:
                        view = self.hear("view")
                    taken.append(time.perf_counter() - begun)
                else:
                    view = self.hear("view")
                time.sleep(0.02)  # people do not move at once
        return taken


def imported(port: int, seed: int) -> str:
    request = Request(f"http://127.0.0.1:{port}/api/import", record(seed), {"content-type": "application/json"})
    with urlopen(request) as answer:
        return str(json.load(answer)["table"])


def measured() -> list[Line]:
    with tempfile.TemporaryDirectory(prefix="kibitz-bench-", ignore_cleanup_errors=True) as folder:
        command = [*KIBITZ, "serve", "--no-open", "--port", "0", "--programs", "0", "--data", folder]
        command += ["--limit", "bot_grid=0.0001", "--limit", "tables_per_minute=1000"]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        try:
            assert process.stdout is not None
            found = PORT.search(process.stdout.readline())
            if found is None:
                raise RuntimeError("the server did not start")
            with ExitStack() as stack:
                return figures(int(found[1]), stack)
        except (OSError, RuntimeError) as error:
            return [unmeasured("reviews at a server", str(error))]
        finally:
            process.terminate()
            process.communicate()


def figures(port: int, stack: ExitStack) -> list[Line]:
    tables = [imported(port, seed) for seed in range(REVIEWS + 2)]
    Visitor(port, stack).review(tables[-1])  # what is compiled is in memory then
    first, whole = Visitor(port, stack).review(tables[-2])
    player, done = Visitor(port, stack), threading.Event()
    done.set()
    alone = np.percentile(player.moves(done, 60), 95)
    done.clear()
    visitors = [threading.Thread(target=Visitor(port, stack).review, args=(table,)) for table in tables[:REVIEWS]]
    for visitor in visitors:
        visitor.start()

    def wait() -> None:
        for visitor in visitors:
            visitor.join()
        done.set()

    threading.Thread(target=wait).start()
    taken = player.moves(done, 60)
    busy = float(np.percentile(taken, 95))
    what = f"a person's move and three bots' replies, 95 % of {len(taken)}, during {REVIEWS} reviews"
    beside = f"without reviews {alone:.3f} s, ratio {busy / alone:.2f}"
    return [
        limit_line("first verdict of a review", first, "s", FIRST),
        limit_line("all verdicts of a review", whole, "s", ALL),
        limit_line(what, busy, "s", MOVE, beside, alone=float(alone)),
    ]


if __name__ == "__main__":
    Console(width=160).print(drawn(measured()))
