"""Connections as a session sees them, and the one that programs use: messages in lines over TCP."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any, Protocol

from kibitz.server.live.messages import encode

LAST_WORDS = 2.0  # seconds for data in transit when a connection is closed
CHUNK = 1 << 16
POLICY, TOO_LONG, TRY_AGAIN = 1008, 1009, 1013  # close codes of the WebSocket protocol


class ClosedError(Exception):
    """The other end has closed the connection."""


class TooLongError(Exception):
    """A message exceeds the maximum length, so the start of the next cannot be found."""


class Connection(Protocol):
    program: bool  # whether a program is at the other end, as far as one can tell
    address: str  # the network address of the other end

    def write(self, messages: Sequence[bytes]) -> int | None:
        """Send messages without waiting; returns the number of bytes that are not sent yet, or None if it is
        impossible.
        """

    async def receive(self) -> str | None:
        """The next message; None if it is not text."""

    async def send(self, message: bytes) -> None:
        """Send a message, and return when there is room for the next."""

    async def close(self, code: int, reason: str) -> None: ...


class LineConnection:
    """A connection on which every line is a message; the reader's limit is that of a line."""

    program = True

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first: bytes = b"") -> None:
        """`first` is a line that was already read to detect the protocol."""
        self.reader, self.writer, self.first = reader, writer, first
        self.address = str((writer.get_extra_info("peername") or ("",))[0])

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
                return error.partial  # a last line without its end, most likely invalid
            raise ClosedError from None
        except asyncio.LimitOverrunError:
            raise TooLongError from None
        except OSError:
            raise ClosedError from None

    def write(self, messages: Sequence[bytes]) -> int | None:
        return write_at_once(self.writer, b"\n".join((*messages, b"")))

    async def send(self, message: bytes) -> None:
        try:
            self.writer.write(message + b"\n")
            await self.writer.drain()
        except (OSError, RuntimeError):
            raise ClosedError from None

    async def close(self, code: int, reason: str) -> None:
        bye = encode("bye", reason=reason)
        if code == TRY_AGAIN:  # the place is needed at once
            self.write([bye])
            self.writer.close()
            asyncio.get_running_loop().call_later(LAST_WORDS, self.writer.transport.abort)
            return
        with contextlib.suppress(OSError, RuntimeError, TimeoutError, ClosedError):
            async with asyncio.timeout(LAST_WORDS):
                await self.send(bye)
        await hang_up(self.reader, self.writer)


def write_at_once(writer: asyncio.StreamWriter, text: bytes) -> int:
    """Send without waiting; returns the number of bytes not sent yet. A lost connection is noticed by reading."""
    try:
        writer.write(text)
        return int(writer.transport.get_write_buffer_size())
    except (OSError, RuntimeError):  # a closed transport of uvloop raises, one of asyncio does not
        return 0


def ignore_lost_connections(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An exception handler for an event loop that ignores lost connections.

    asyncio stores the end of a connection as the exception of a future that need not be awaited, and reports it as
    never retrieved. A connection reset by a peer is not an error of this program.
    """
    unheard = context.get("message") == "Future exception was never retrieved"
    if not (unheard and isinstance(context.get("exception"), ConnectionError)):
        loop.default_exception_handler(context)


async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Close a connection so that the last messages arrive.

    Closing a socket with unread input makes the system send a reset, which discards data still in transit. So input is
    read and discarded until the other end closes, too, or a timeout passes.
    """
    try:
        async with asyncio.timeout(LAST_WORDS):
            writer.transport.set_write_buffer_limits(0)
            await writer.drain()  # write_eof() after unsent bytes raises an exception that cannot be caught
            if writer.can_write_eof():
                writer.write_eof()
            while await reader.read(CHUNK):
                pass
            writer.close()
            await writer.wait_closed()
    except (OSError, RuntimeError, TimeoutError):
        writer.transport.abort()
