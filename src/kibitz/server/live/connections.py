"""Connections as a session sees them, and the one that programs use: messages in lines over TCP."""

import asyncio
import contextlib
from collections.abc import Sequence
from typing import Any, Protocol

from kibitz.server.live.messages import encode

LAST_WORDS = 2.0  # seconds for what is on its way when a connection is ended
CHUNK = 1 << 16
POLICY, TOO_LONG, TRY_AGAIN = 1008, 1009, 1013  # close codes of the WebSocket protocol


class ClosedError(Exception):
    """Nobody is at the other end any more."""


class TooLongError(Exception):
    """A message that is longer than any may be; what follows it cannot be found."""


class Connection(Protocol):
    program: bool  # whether a program is at the other end, as far as one can tell
    address: str  # the network address of the other end

    def write(self, messages: Sequence[bytes]) -> int | None:
        """Send messages at once: how many bytes wait for the other end to read them. None if that cannot be done."""

    async def receive(self) -> str | None:
        """The next message; None if it is not text."""

    async def send(self, message: bytes) -> None:
        """Send a message, and return when there is room for the next."""

    async def close(self, code: int, reason: str) -> None: ...


class LineConnection:
    """A message is a line. The reader's limit is that of a line."""

    program = True

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, first: bytes = b"") -> None:
        """`first` is a line that was read already, to detect the protocol."""
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
                return error.partial  # a last line without its end; most likely it makes no sense
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
        if code == TRY_AGAIN:  # the place is needed now: nobody is waited for
            self.write([bye])
            self.writer.close()
            asyncio.get_running_loop().call_later(LAST_WORDS, self.writer.transport.abort)
            return
        with contextlib.suppress(OSError, RuntimeError, TimeoutError, ClosedError):
            async with asyncio.timeout(LAST_WORDS):
                await self.send(bye)
        await hang_up(self.reader, self.writer)


def write_at_once(writer: asyncio.StreamWriter, text: bytes) -> int:
    """Send without waiting: the number of bytes not sent yet. A lost connection shows when it is read."""
    try:
        writer.write(text)
        return int(writer.transport.get_write_buffer_size())
    except (OSError, RuntimeError):  # a closed transport of uvloop raises, one of asyncio does not
        return 0


def ignore_lost_connections(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """An exception handler for an event loop.

    asyncio keeps how a connection ended as the exception of a future that nobody need wait for, and reports it as never
    retrieved. A peer that resets a connection is no fault of this program.
    """
    unheard = context.get("message") == "Future exception was never retrieved"
    if not (unheard and isinstance(context.get("exception"), ConnectionError)):
        loop.default_exception_handler(context)


async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """End a connection so that the last words are heard.

    Closing a socket with unread input makes the system send a reset, which discards what is still on its way. So input
    is read and thrown away until the other end closes too or has had its time.
    """
    try:
        async with asyncio.timeout(LAST_WORDS):
            writer.transport.set_write_buffer_limits(0)
            await writer.drain()  # write_eof() behind unsent bytes raises where nobody can catch it
            if writer.can_write_eof():
                writer.write_eof()
            while await reader.read(CHUNK):
                pass
            writer.close()
            await writer.wait_closed()
    except (OSError, RuntimeError, TimeoutError):
        writer.transport.abort()
