"""Real servers on real ports: one in a thread with limits of one's own, or a process that can be killed."""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from kibitz.server.live.limits import Limits
from kibitz.server.live.listening import bound
from kibitz.server.web.app import make_app
from kibitz.server.web.http_server import Server, config
from kibitz.server.web.site import Site

PATIENCE = 60.0
Message = dict[str, Any]


@contextlib.contextmanager
def in_a_thread(folder: Path, limits: Limits, proxies: tuple[str, ...] = ()) -> Iterator[int]:
    """A server in this process: its port. The welcome message has the programs' port."""
    ready = threading.Event()
    with bound("127.0.0.1", 0) as listening, bound("127.0.0.1", 0) as programs:
        app = make_app(lambda: Site(folder, (), limits, warm_up=False, proxies=proxies), programs=programs)
        server = Server(config(app, limits, proxies), limits, ready.set)
        thread = threading.Thread(target=server.run, args=([listening],))
        thread.start()
        try:
            assert ready.wait(PATIENCE)
            yield listening.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join()


class Process:
    """`kibitz serve` in a process of its own."""

    def __init__(self, folder: Path, port: int = 0) -> None:
        command = [sys.executable, "-m", "kibitz", "serve", "--no-open", "--port", str(port), "--data", str(folder)]
        environment = {**os.environ, "COLUMNS": "200", "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
        )
        assert self.process.stdout is not None
        said = ""
        while "The table is at" not in said:
            line = self.process.stdout.readline()
            assert line, said
            said += line
        found = re.search(r"http://localhost:(\d+)/", said)
        assert found
        self.port = int(found[1])

    def kill(self) -> None:
        """At once, in the middle of whatever it does."""
        self.process.kill()
        self.process.communicate()

    def stop(self) -> str:
        """As somebody does with Ctrl-C: what it said at the end."""
        self.process.send_signal(signal.SIGINT)
        return self.process.communicate(timeout=PATIENCE)[0]


class Caller:
    """Somebody with a real socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    def say(self, type: str, **fields: Any) -> None:
        self.socket.send(json.dumps({"type": type, **fields}))

    def hear(self, *types: str) -> Message:
        while True:
            message: Message = json.loads(self.socket.recv(timeout=PATIENCE))
            if message["type"] in types:
                return message


@contextlib.contextmanager
def call(port: int, **options: Any) -> Iterator[Caller]:
    with connect(f"ws://127.0.0.1:{port}/socket", **options) as socket:
        caller = Caller(socket)
        caller.say("hello", version=2, name="Ada")
        caller.hear("welcome")
        yield caller
