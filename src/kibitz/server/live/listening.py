"""Listening sockets: on the requested port, or else on the default port or the next free one."""

import contextlib
import errno
import socket

from kibitz.errors import KibitzError

TRIED = 50  # ports tried after one that is taken


def bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(1024)
    except BaseException:
        listening.close()
        raise
    return listening


def listening_at(host: str, port: int | None, usual: int) -> socket.socket:
    """A socket on the requested port, or else on the default port or the next free one."""
    try:
        return bound(host, usual if port is None else port)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise KibitzError(f"The server cannot listen at {host}, port {port or usual}: {error.strerror}.") from None
    except OverflowError:
        raise KibitzError(f"{port} is not a port; ports are the numbers 1 to 65535.") from None
    free = next_free(host, usual if port is None else port)
    if port is not None:
        advice = f" Port {free.getsockname()[1]} is free: use --port {free.getsockname()[1]}." if free else ""
        if free:
            free.close()
        raise KibitzError(f"Port {port} is taken by another program, perhaps another kibitz.{advice}")
    if free is None:
        raise KibitzError(f"Port {usual} and the {TRIED} after it are taken. Choose one with --port.")
    return free


def next_free(host: str, port: int) -> socket.socket | None:
    for candidate in range(port + 1, min(port + 1 + TRIED, 65536)):
        with contextlib.suppress(OSError):
            return bound(host, candidate)
    return None
