"""Finding a host: where it is, a connection to it, and what is wrong if there is none."""

import socket
import time
from typing import NamedTuple

from kibitz.core.errors import KibitzError

CONNECTING, PAUSE = 10.0, 0.1  # seconds: for one try to connect, and between two


class HostError(KibitzError):
    """A host that is not there, went away, or said that something is wrong."""


class Place(NamedTuple):
    """Where to sit down: at a host, or in the seat of a table that an invitation is for."""

    host: str
    port: int
    table: str = ""
    invitation: str = ""

    @classmethod
    def read(cls, where: str) -> "Place":
        """`HOST:PORT`, or `HOST:PORT/TABLE/INVITATION` as the page of a table gives it for an open seat.

        An address with colons of its own stands in brackets, as [::1]:4000.
        """
        address, *seat = where.split("/")
        host, colon, port = address.rpartition(":")
        if not colon or not port.isdecimal() or not 0 < int(port) < 1 << 16 or len(seat) not in (0, 2):
            raise HostError(
                f"{where!r} is not HOST:PORT, like localhost:4000, nor HOST:PORT/TABLE/INVITATION, as the page of a "
                f"table gives it for an open seat."
            )
        return cls(host.removeprefix("[").removesuffix("]") or "localhost", int(port), *seat)

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"


def connected(place: Place, wait: float, timeout: float | None = None) -> socket.socket:
    """A connection; a host that is not there yet is tried for so many seconds."""
    until = time.monotonic() + wait
    while True:
        try:
            connection = socket.create_connection((place.host, place.port), timeout=CONNECTING)
        except OSError as error:
            why = error.strerror or str(error)
            if time.monotonic() < until and not isinstance(error, socket.gaierror):
                time.sleep(PAUSE)
                continue
            raise HostError(f"Nobody listens at {place} ({why}). Start the host first, or name another.") from None
        connection.settimeout(timeout)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # a move must not wait for the next
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        return connection
