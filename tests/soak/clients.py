"""Connections as a browser or a program opens them, and plain HTTP; every message is kept for the checks."""

import asyncio
import contextlib
import itertools
import json
import re
import socket
from collections import deque
from collections.abc import AsyncIterator, Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

from tests.soak.promises import ANSWERED, Clock, check

Message = dict[str, Any]
HOME = "127.0.0.1"
LINE_LIMIT = 1 << 24  # bytes of a line that this side reads
REQUESTS = itertools.count(1)
READING: set[asyncio.Task[None]] = set()  # a task that nobody holds on to may vanish


class LostError(Exception):
    """The connection ended."""


class Link:
    """What a connection is made of: a WebSocket, or lines over TCP."""

    async def send(self, text: str) -> None:
        raise NotImplementedError

    async def receive(self) -> str:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError


class PageLink(Link):
    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket

    async def send(self, text: str) -> None:
        await self.socket.send(text)

    async def receive(self) -> str:
        text = await self.socket.recv()
        return text if isinstance(text, str) else text.decode()

    async def close(self) -> None:
        await self.socket.close()


class LineLink(Link):
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer

    async def send(self, text: str) -> None:
        self.writer.write(text.encode() + b"\n")
        await self.writer.drain()

    async def receive(self) -> str:
        line = await self.reader.readline()
        if not line.endswith(b"\n"):
            raise LostError("the server closed the connection")
        return line.decode()

    async def close(self) -> None:
        self.writer.close()


LOSSES = (WebSocketException, OSError, asyncio.IncompleteReadError, EOFError)


async def page(port: int, **options: Any) -> PageLink:
    try:
        return PageLink(await connect(f"ws://{HOME}:{port}/socket", max_size=None, open_timeout=ANSWERED, **options))
    except (*LOSSES, TimeoutError) as error:
        raise LostError(f"no connection: {error!r}") from None


async def lines(port: int, **options: Any) -> LineLink:
    try:
        return LineLink(*await asyncio.open_connection(HOME, port, limit=LINE_LIMIT, **options))
    except OSError as error:
        raise LostError(f"no connection: {error!r}") from None


class Client:
    """Somebody who says things over a link and hears all that is said there."""

    def __init__(self, link: Link, clock: Clock, hears: Callable[[Message, str], None] = lambda *_: None) -> None:
        self.link, self.clock, self.hears = link, clock, hears
        self.waiting: list[tuple[Callable[[Message], bool], asyncio.Future[Message]]] = []
        self.said: deque[str] = deque(maxlen=3)  # the last messages, to find out why a connection ended
        self.lost: str | None = None
        self.failure: Exception | None = None
        self.changed = asyncio.Event()  # set whenever something was heard, or the connection ended
        self.reading = asyncio.create_task(self._read())
        READING.add(self.reading)
        self.reading.add_done_callback(READING.discard)

    async def _read(self) -> None:
        try:
            while True:
                text = await self.link.receive()
                message: Message = json.loads(text)
                self.hears(message, text)
                for matches, future in self.waiting:
                    if not future.done() and matches(message):
                        future.set_result(message)
                self.changed.set()
        except (LostError, *LOSSES) as error:
            self.lost = f"{error!r}, after saying {list(self.said)}"
        except asyncio.CancelledError:
            self.lost = "closed from this side"
            raise
        except Exception as error:  # a promise that was broken, or a message that is none
            self.failure, self.lost = error, repr(error)
        finally:
            self.changed.set()
            for _, future in self.waiting:
                if not future.done():
                    future.set_exception(self.failure or LostError(self.lost))

    def check_alive(self) -> None:
        if self.failure is not None:
            raise self.failure
        if self.lost is not None:
            raise LostError(self.lost)

    async def say(self, type: str, **fields: Any) -> None:
        """A field that is called like a word of Python is written with an underscore behind it."""
        self.check_alive()
        said = {name.rstrip("_"): value for name, value in fields.items()}
        text = json.dumps({"type": type, **said})
        self.said.append(text[:200])
        try:
            await self.link.send(text)
        except LOSSES as error:
            raise LostError(repr(error)) from None

    @contextlib.asynccontextmanager
    async def expecting(self, matches: Callable[[Message], bool]) -> AsyncIterator["asyncio.Future[Message]"]:
        """Listen for a message before saying what leads to it."""
        self.check_alive()
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        entry = matches, future
        self.waiting.append(entry)
        try:
            yield future
        finally:
            self.waiting.remove(entry)
            if future.done() and not future.cancelled():
                future.exception()  # it was looked at
            future.cancel()

    async def within(self, future: "asyncio.Future[Message]", seconds: float, promise: str, about: Any) -> Message:
        """Wait for an answer in working time."""
        begun = self.clock.now()
        while True:
            done, _ = await asyncio.wait([future], timeout=0.5)
            if done:
                return future.result()
            if self.clock.now() - begun > seconds:
                self.check_alive()
                check(False, promise, f"nothing for {seconds:g} s, about {about}")

    async def ask(
        self, type: str, *answers: str, also: Callable[[Message], bool] | None = None, **fields: Any
    ) -> Message:
        """Say something and wait for its answer, an error among them: whatever has the request's number."""
        request = f"q{next(REQUESTS)}"

        def matches(message: Message) -> bool:
            mine = message.get("request") == request and message["type"] in (*answers, "error")
            return mine or (also is not None and also(message))

        async with self.expecting(matches) as future:
            await self.say(type, request=request, **fields)
            return await self.within(
                future, ANSWERED, f"every request is answered within {ANSWERED:g} s", {"type": type, **fields}
            )

    async def hello(self, name: str) -> Message:
        welcome = await self.ask("hello", "welcome", "bye", version=2, name=name)
        check(welcome["type"] == "welcome", "an honest visitor is welcome", welcome)
        return welcome

    async def close(self) -> None:
        self.reading.cancel()
        with contextlib.suppress(asyncio.CancelledError, *LOSSES, Exception):
            await self.reading
        with contextlib.suppress(*LOSSES, TimeoutError):
            async with asyncio.timeout(2):
                await self.link.close()


async def http(
    port: int, path: str, body: bytes | None = None, content_type: str = "application/json", within: float = ANSWERED
) -> tuple[int, bytes]:
    """One request over a connection of its own: the status and the body."""
    try:
        async with asyncio.timeout(within):
            reader, writer = await asyncio.open_connection(HOME, port)
            try:
                method = "GET" if body is None else "POST"
                head = f"{method} {path} HTTP/1.1\r\nHost: {HOME}:{port}\r\nConnection: close\r\n"
                if body is not None:
                    head += f"Content-Type: {content_type}\r\nContent-Length: {len(body)}\r\n"
                writer.write(head.encode() + b"\r\n" + (body or b""))
                answer = await reader.read()
            finally:
                writer.close()
    except (OSError, TimeoutError) as error:
        raise LostError(f"{path}: {error!r}") from None
    head_bytes, _, content = answer.partition(b"\r\n\r\n")
    parts = head_bytes.split(b" ", 2)
    if len(parts) < 2 or not parts[1].isdigit():
        raise LostError(f"{path}: no answer")
    if b"transfer-encoding: chunked" in head_bytes.lower():
        content = unchunked(content)
    length = re.search(rb"content-length: *(\d+)", head_bytes.lower())
    if length and len(content) < int(length[1]):
        raise LostError(f"{path}: the answer was cut off")  # the server was killed in the middle of it
    return int(parts[1]), content


def unchunked(content: bytes) -> bytes:
    whole = b""
    while content:
        size, _, content = content.partition(b"\r\n")
        length = int(size or b"0", 16)
        whole, content = whole + content[:length], content[length + 2 :]
    return whole


async def bound_socket(port: int, home: str, small: bool = False) -> socket.socket:
    """A connection from an address of its own; for a small one the kernel buffers little that is not read."""
    connection = socket.socket()
    connection.setblocking(False)
    if small:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    try:
        connection.bind((home, 0))
        async with asyncio.timeout(2):
            await asyncio.get_running_loop().sock_connect(connection, (HOME, port))
    except (OSError, TimeoutError) as error:
        connection.close()
        raise LostError(f"no connection: {error!r}") from None
    return connection
