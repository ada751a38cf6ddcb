"""A buffered connection that a hostile host cannot make hang or fill the memory.

A host may be silent without limit, because a partner may be thinking. But a message must be complete within some
seconds, its size is limited, and the host must read our messages.
"""

import socket
import time
from types import TracebackType

from kibitz.client.address import Address, ConnectionLostError, HostError, connect

CHUNK = 1 << 16
MESSAGE_SECONDS = 30.0  # from the first byte of a message to its last
SEND_SECONDS = 30.0  # for the host to read our messages
SILENCE = 2.0  # seconds without an answer before a person is informed
SHOWN = 500  # characters of a host's text that an error quotes


def shown(text: object) -> str:
    """A host's text as one short line without control characters."""
    line = "".join(letter if letter.isprintable() else " " for letter in str(text)[: SHOWN * 2])
    line = " ".join(line.split())
    return line if len(line) <= SHOWN else f"{line[:SHOWN]}…"


class ByteStream:
    """A connection and its unread data."""

    def __init__(self, connection: socket.socket, where: str, timeout: float | None = None) -> None:
        """`where` names the host in errors; `timeout` is the longest accepted silence in seconds."""
        self.connection, self.where, self.timeout = connection, where, timeout
        self.buffer = bytearray()

    @classmethod
    def open(cls, address: Address, wait: float, timeout: float | None = None) -> "ByteStream":
        return cls(connect(address, wait), str(address), timeout)

    def __enter__(self) -> "ByteStream":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    def send(self, data: bytes) -> None:
        try:
            self.connection.settimeout(SEND_SECONDS)
            self.connection.sendall(data)
        except OSError as error:
            raise self._lost(error) from None

    def is_silent(self, seconds: float) -> bool:
        """Whether nothing arrives within `seconds`."""
        if self.buffer:
            return False
        try:
            self.connection.settimeout(seconds if self.timeout is None else min(seconds, self.timeout))
            self.connection.recv(1, socket.MSG_PEEK)
        except TimeoutError:
            return True
        except OSError:
            pass  # reading will raise it again
        return False

    def deadline(self) -> float:
        """The time by which a message that begins now must be complete."""
        return time.monotonic() + MESSAGE_SECONDS

    def receive(self, deadline: float | None = None) -> bytes:
        """Receive more bytes, before a deadline or within the timeout; b"" is the end of the stream."""
        seconds = self.timeout
        if deadline is not None:
            left = max(deadline - time.monotonic(), 0.001)
            seconds = left if seconds is None else min(left, seconds)
        try:
            self.connection.settimeout(seconds)
            return self.connection.recv(CHUNK)
        except TimeoutError:
            if deadline is not None and time.monotonic() >= deadline:
                raise HostError(
                    f"The host at {self.where} began a message and did not finish it in {MESSAGE_SECONDS:g} seconds."
                ) from None
            raise HostError(f"The host at {self.where} has said nothing for {seconds:g} seconds.") from None
        except OSError as error:
            raise self._lost(error) from None

    def fill(self, deadline: float | None = None) -> bool:
        """Receive more bytes into the buffer; False at the end of the stream."""
        data = self.receive(deadline)
        self.buffer += data
        return bool(data)

    def line(self, limit: int) -> bytes | None:
        """The next line without its newline; None at the end of the stream."""
        deadline, searched = None, 0
        while (end := self.buffer.find(b"\n", searched)) < 0:
            searched = len(self.buffer)
            if searched > limit:
                break
            if searched and deadline is None:
                deadline = self.deadline()
            if not self.fill(deadline):
                return None
        if not 0 <= end <= limit:
            raise HostError(f"The host at {self.where} sent a line of more than {limit:,} bytes, which is not read.")
        line = bytes(self.buffer[:end])
        del self.buffer[: end + 1]
        return line

    def _lost(self, error: OSError) -> ConnectionLostError:
        return ConnectionLostError(f"The connection to the host at {self.where} broke: {error.strerror or error}.")
