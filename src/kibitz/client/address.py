"""The address of a host, and a TCP connection to it or the reason why there is none."""

import socket
import time
from typing import NamedTuple

from kibitz.errors import KibitzError

CONNECT_TIMEOUT, RETRY_INTERVAL = 10.0, 0.1  # seconds


class HostError(KibitzError):
    """A host that is not there, went away, said that something is wrong, or broke the protocol."""


class ConnectionLostError(HostError):
    """The connection is gone; where the protocol has a token for the seat, the client can resume it."""


class Address(NamedTuple):
    """A host, or one seat of a table that an invitation is for."""

    host: str
    port: int
    table: str = ""
    invitation: str = ""

    @classmethod
    def read(cls, text: str) -> "Address":
        """`HOST:PORT`, or `HOST:PORT/TABLE/INVITATION` as the page of a table gives it for an open seat.

        An IPv6 address stands in brackets, as in [::1]:4000.
        """
        address, *seat = text.split("/")
        host, colon, port = address.rpartition(":")
        is_port = port.isascii() and port.isdecimal() and len(port) <= 5 and 0 < int(port) < 1 << 16
        if not colon or not is_port or len(seat) not in (0, 2):
            raise HostError(
                f"{text!r} is not HOST:PORT, like localhost:4000, nor HOST:PORT/TABLE/INVITATION, as the page of a "
                f"table gives it for an open seat."
            )
        return cls(host.removeprefix("[").removesuffix("]") or "localhost", int(port), *seat)

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def connect(address: Address, wait: float) -> socket.socket:
    """A TCP connection. A host that does not listen yet is tried again for `wait` seconds."""
    give_up = time.monotonic() + wait
    while True:
        try:
            connection = socket.create_connection((address.host, address.port), timeout=CONNECT_TIMEOUT)
        except (OSError, UnicodeError) as error:  # a UnicodeError for host names that IDNA cannot encode
            why = getattr(error, "strerror", None) or str(error)
            if time.monotonic() < give_up and not isinstance(error, (socket.gaierror, UnicodeError)):
                time.sleep(RETRY_INTERVAL)
                continue
            raise HostError(f"Nobody listens at {address} ({why}). Start the host first, or name another.") from None
        # Disable Nagle's algorithm: a small message would wait until the one before it is acknowledged.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # A host whose machine is gone is noticed, however long the game is silent.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        return connection
