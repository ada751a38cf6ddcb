"""The two ways to speak with the server: the frames of a WebSocket, for pages, and lines over TCP, for programs."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any, Protocol

from starlette.websockets import WebSocket, WebSocketDisconnect

from kibitz.web.messages import worded

LAST_WORDS = 2.0  # seconds for what is on its way to a program when the connection is ended
CHUNK = 1 << 16


class GoneError(Exception):
    """Nobody is at the other end any more."""


class TooLongError(Exception):
    """A message that is longer than any may be; what follows it cannot be found."""


class Socket(Protocol):
    program: bool  # whether a program is at the other end, as far as one can tell

    def write(self, messages: Sequence[bytes]) -> int | None:
        """Send messages at once: how many bytes wait for the other end to read them. None if that cannot be done."""

    async def receive(self) -> str | None:
        """The next message; None if it is not text."""

    async def send(self, message: bytes) -> None: ...

    async def close(self, code: int, reason: str) -> None: ...


class PageSocket:
    program = False

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket

    def write(self, messages: Sequence[bytes]) -> int | None:
        return None

    async def receive(self) -> str | None:
        try:
            frame = await self.socket.receive()
        except WebSocketDisconnect:
            raise GoneError from None
        if frame["type"] == "websocket.disconnect":
            raise GoneError
        text: str | None = frame.get("text")
        return text

    async def send(self, message: bytes) -> None:
        try:
            await self.socket.send({"type": "websocket.send", "text": message.decode()})
        except (WebSocketDisconnect, RuntimeError):
            raise GoneError from None

    async def close(self, code: int, reason: str) -> None:
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            await self.socket.close(code, reason)


class LineSocket:
    """A message is a line. The reader's limit is that of a line."""

    program = True

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first: bytes = b"") -> None:
        """The first line may have been read already, by who had to know what is spoken here."""
        self.reader, self.writer, self.first = reader, writer, first

    async def receive(self) -> str | None:
        line = self.first
        while not line.strip():
            line = await self._line()
        self.first = b""
        try:
            return line.decode()
        except UnicodeDecodeError:
            return None

    async def _line(self) -> bytes:
        try:
            return await self.reader.readuntil(b"\n")
        except asyncio.IncompleteReadError as error:
            if error.partial.strip():
                return error.partial  # a last line without its end; most likely it makes no sense
            raise GoneError from None
        except asyncio.LimitOverrunError:
            raise TooLongError from None
        except OSError:
            raise GoneError from None

    def write(self, messages: Sequence[bytes]) -> int | None:
        self.writer.write(b"\n".join((*messages, b"")))
        return int(self.writer.transport.get_write_buffer_size())

    async def send(self, message: bytes) -> None:
        try:
            self.write([message])
            await self.writer.drain()
        except (OSError, RuntimeError):
            raise GoneError from None

    async def close(self, code: int, reason: str) -> None:
        with contextlib.suppress(OSError, RuntimeError, TimeoutError, GoneError):
            async with asyncio.timeout(LAST_WORDS):
                await self.send(worded("bye", reason=reason))
        await hang_up(self.reader, self.writer)


def overlook_lost_connections(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """A handler of an event loop for exceptions that nobody hears of.

    How a connection ended is kept for whoever waits for its end. Nobody does if the other end broke it while we closed
    it, or when the whole loop comes to its end, and asyncio would complain of it.
    """
    unheard = context.get("message") == "Future exception was never retrieved"
    if not (unheard and isinstance(context.get("exception"), ConnectionError)):
        loop.default_exception_handler(context)


async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """End a connection so that the last words are heard.

    Whoever closes before everything is read that was sent takes back what is still on its way. So what comes in is
    thrown away, until the other end closes too or has had its time.
    """
    try:
        async with asyncio.timeout(LAST_WORDS):
            writer.transport.set_write_buffer_limits(0)
            await writer.drain()  # an end that waits behind unsent bytes raises where nobody can catch it
            if writer.can_write_eof():
                writer.write_eof()
            while await reader.read(CHUNK):
                pass
            writer.close()
            await writer.wait_closed()
    except (OSError, RuntimeError, TimeoutError):
        writer.transport.abort()
