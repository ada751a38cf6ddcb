"""The limit on connections, and which one is closed to make room for another.

File descriptors are limited; without one a process can neither accept connections nor open files, and all games suffer.
So connections are limited below that, in all and by network address. At the limit the least needed connection is
closed: first those without a request so far, then sessions without a seat; of these, one at the address with the most,
the one that has been silent longest. Holders of seats stay.
"""

import asyncio
import contextlib
import errno
import logging
import math
import socket
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from enum import IntEnum

from kibitz.server.live.changes import Changes

log = logging.getLogger("kibitz.server.live")

RESERVED = 96  # file descriptors for the database, served files, runs of the laboratory, and closing connections
MOST_DESCRIPTORS = 8192  # requested from the system, if it allows fewer at first
PAUSE = 0.5  # seconds without accepting when the system has no descriptor left and no connection can be ended
SCARCITY, SPARED = 5.0, 6  # else: seconds with fewer connections, and how many fewer
SHORT_PAUSE = 0.02  # seconds until a connection that makes room for another is closed
LINGER = 1.0  # seconds for the client to read a refusal
MOST_LINGERING = 32  # refused connections that may stay open for this
NO_ROOM = {errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM}
FULL = "There is no room for another connection. Come back later."


class Rank(IntEnum):
    """How much a connection is needed; the lowest is closed first."""

    NEW = 0  # has no unanswered request
    SESSION = 1  # a session without a seat, or an HTTP request
    SEATED = 2


class Slot:
    """An admitted connection."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.end: Callable[[], None] | None = None  # how to end the connection, once there is one
        self.evicted = False
        self.rank = Rank.NEW
        self.active = time.monotonic()

    def ended_by(self, end: Callable[[], None]) -> None:
        """Register how to end the connection when its place is needed; it may be needed already."""
        self.end = end
        if self.evicted:
            end()

    def evict(self) -> None:
        self.evicted = True
        if self.end is not None:
            self.end()

    def touch(self, rank: Rank | None = None) -> None:
        self.active = time.monotonic()
        if rank is not None:
            self.rank = rank


def descriptors() -> int:
    """The number of file descriptors this process may have; the soft limit is raised if the system allows it."""
    try:
        import resource
    except ImportError:  # a system without such limits
        return MOST_DESCRIPTORS
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    wanted = MOST_DESCRIPTORS if hard == unlimited else min(MOST_DESCRIPTORS, hard)
    if soft != unlimited and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return wanted
    return MOST_DESCRIPTORS if soft == unlimited else soft


class ConnectionLimit:
    def __init__(self, most: int, by_address: int, exempt: frozenset[str] = frozenset()) -> None:
        """`exempt` are the addresses of trusted proxies: all clients behind one share its address."""
        self.usual = self.most = max(1, min(most, descriptors() - RESERVED))
        self.by_address, self.exempt = min(by_address, self.most), exempt
        self.scarce = -math.inf  # when the system last had no descriptor left
        self.slots: set[Slot] = set()
        self.leaving: set[Slot] = set()  # ended to make room, but not closed yet
        self.counts: Counter[str] = Counter()
        self.closed = Changes()  # notified when a connection is closed

    def admit(self, address: str) -> Slot | None:
        """A slot for a connection, made by ending another if necessary; None if all others are needed more."""
        if time.monotonic() - self.scarce > SCARCITY:
            self.most = self.usual
        crowded = address not in self.exempt and self.counts[address] >= self.by_address
        if (crowded or len(self.slots) >= self.most) and not self._make_room(address if crowded else None):
            return None
        slot = Slot(address)
        self.slots.add(slot)
        self.counts[address] += 1
        return slot

    def release(self, slot: Slot) -> None:
        """Release the slot of a closed connection."""
        self.leaving.discard(slot)
        self._remove(slot)
        self.closed.notify()

    def is_empty(self) -> bool:
        return not self.slots

    def _remove(self, slot: Slot) -> None:
        if slot in self.slots:
            self.slots.discard(slot)
            self.counts[slot.address] -= 1
            if not self.counts[slot.address]:
                del self.counts[slot.address]

    def spare_descriptors(self) -> bool:
        """Free descriptors when the system has none left; returns whether some will be free soon.

        For a while fewer connections are admitted than there are now, and some without a request are ended at once, so
        that files can be opened. Others are ended one at a time, and not while some are still closing.
        """
        self.scarce = time.monotonic()
        self.most = min(self.most, max(1, len(self.slots) - SPARED))
        if self.leaving:
            return True
        idle = sum(slot.rank == Rank.NEW for slot in self.slots)
        return sum(self._make_room(None) for _ in range(max(1, min(SPARED, idle)))) > 0

    def _make_room(self, address: str | None) -> bool:
        candidates = [slot for slot in self.slots if slot.rank < Rank.SEATED and address in (None, slot.address)]
        if not candidates:
            return False
        lowest = min(slot.rank for slot in candidates)
        least = [slot for slot in candidates if slot.rank == lowest]
        crowds = Counter(slot.address for slot in least)
        victim = min(least, key=lambda slot: (-crowds[slot.address], slot.active))
        self._remove(victim)
        self.leaving.add(victim)
        victim.evict()
        return True


class Acceptor:
    """Accepts connections of a listening socket while there is room, and refuses the others with a message."""

    def __init__(
        self,
        listening: socket.socket,
        limit: ConnectionLimit,
        serve: Callable[[socket.socket, Slot], Awaitable[None]],
        refusal: bytes,
    ) -> None:
        """`serve` takes over an accepted socket with its slot; `refusal` is the message to the others."""
        self.listening, self.limit, self.serve, self.refusal = listening, limit, serve, refusal
        self.lingering: set[socket.socket] = set()
        self.task: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.listening.setblocking(False)
        self.task = asyncio.get_running_loop().create_task(self._accept())

    def close(self) -> None:
        if self.task is not None:
            self.task.cancel()
        for waiting in self.lingering:
            waiting.close()
        self.listening.close()

    async def _accept(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                connection, peer = await loop.sock_accept(self.listening)
            except OSError as error:
                if error.errno in NO_ROOM:
                    log.warning("No connection can be accepted for a moment: %s", error.strerror)
                    await asyncio.sleep(SHORT_PAUSE if self.limit.spare_descriptors() else PAUSE)
                continue  # else the other end went away before it was accepted
            await self._take(connection, str(peer[0]))

    async def _take(self, connection: socket.socket, address: str) -> None:
        slot: Slot | None = None
        try:
            slot = self.limit.admit(address)
            if slot is None:
                self._refuse(connection)
                return
            connection.setblocking(False)
            with contextlib.suppress(OSError):  # disable Nagle's algorithm: small replies would wait for an ACK
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await self.serve(connection, slot)
        except Exception as error:
            if slot is not None:
                self.limit.release(slot)
            connection.close()
            if not isinstance(error, OSError):
                log.exception("A connection could not be served")

    def _refuse(self, connection: socket.socket) -> None:
        """Send the reason, and close a moment later: closing at once could discard it (TCP reset)."""
        connection.setblocking(False)
        with contextlib.suppress(OSError):
            connection.send(self.refusal)
            connection.shutdown(socket.SHUT_WR)
        if len(self.lingering) >= MOST_LINGERING:
            connection.close()
            return
        self.lingering.add(connection)
        asyncio.get_running_loop().call_later(LINGER, self._forget, connection)

    def _forget(self, connection: socket.socket) -> None:
        self.lingering.discard(connection)
        connection.close()


async def serve_streams(
    connection: socket.socket,
    limit: int,
    serve: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]],
) -> None:
    """Serve an accepted socket as a pair of streams; `limit` is the longest line."""
    loop = asyncio.get_running_loop()

    def protocol() -> asyncio.StreamReaderProtocol:
        return asyncio.StreamReaderProtocol(asyncio.StreamReader(limit, loop=loop), serve, loop=loop)

    await loop.connect_accepted_socket(protocol, connection)
