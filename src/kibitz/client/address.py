"""The address of a host, and a TCP connection to it."""

import socket
import time
from typing import NamedTuple

from kibitz.errors import KibitzError

CONNECT_TIMEOUT, RETRY_INTERVAL = 10.0, 0.1  # seconds


class HostError(KibitzError):
    """The host is unreachable, closed the connection, reported an error, or broke the protocol."""


class ConnectionLostError(HostError):
    """The connection is lost; with a token for the seat, the client can resume."""


class Address(NamedTuple):
    """A host, or a seat that an invitation is for."""

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
    """Open a TCP connection, retrying for `wait` seconds."""
    give_up = time.monotonic() + wait
    while True:
        try:
            connection = socket.create_connection((address.host, address.port), timeout=CONNECT_TIMEOUT)
        except (OSError, UnicodeError) as error:  # a UnicodeError for host names that IDNA cannot encode
            why = getattr(error, "strerror", None) or str(error)
            if time.monotonic() < give_up and not isinstance(error, (socket.gaierror, UnicodeError)):
                time.sleep(RETRY_INTERVAL)
                continue
            raise HostError(f"No host answers at {address} ({why}). Start it first, or change the address.") from None
        # Disable Nagle's algorithm, which delays small messages until the previous one is acknowledged.
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        # Detect a dead host, however long the game is silent.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        return connection
