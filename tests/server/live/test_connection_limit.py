"""Which connections are accepted, which are closed, and what happens without file descriptors."""

import asyncio
import errno
import logging
import socket

import pytest

from kibitz.server.live import connection_limit
from kibitz.server.live.connection_limit import Acceptor, ConnectionLimit, Rank, Slot
from kibitz.server.live.listening import bound
from kibitz.server.live.log_limit import MOST, LogLimit
from kibitz.server.live.rate_limit import BucketsByAddress


class Crowd:
    """Connections at a limit, and who of them had to go, in order."""

    def __init__(self, most: int, by_address: int = 1000, exempt: frozenset[str] = frozenset()) -> None:
        self.limit = ConnectionLimit(most, by_address, exempt)
        self.gone: list[str] = []

    def comes(self, name: str, rank: Rank = Rank.NEW, address: str = "192.0.2.1") -> Slot | None:
        slot = self.limit.admit(address)
        if slot is not None:
            slot.ended_by(lambda: self.gone.append(name))
            slot.touch(rank)
        return slot


def test_who_asked_for_nothing_goes_before_sessions_and_nobody_who_holds_a_seat() -> None:
    crowd = Crowd(4)
    for name, rank in {"seated": Rank.SEATED, "session": Rank.SESSION, "old": Rank.NEW, "new": Rank.NEW}.items():
        crowd.comes(name, rank)
    for number in range(3):
        assert crowd.comes(f"seated {number}", Rank.SEATED)
    assert crowd.gone == ["old", "new", "session"]
    assert crowd.comes("late") is None
    assert len(crowd.limit.slots) == 4


def test_an_address_has_its_share_and_makes_room_among_its_own() -> None:
    crowd = Crowd(100, by_address=3)
    crowd.comes("elsewhere", Rank.NEW, "192.0.2.9")
    for number in range(5):
        assert crowd.comes(str(number))
    assert crowd.gone == ["0", "1"]
    assert crowd.limit.counts == {"192.0.2.9": 1, "192.0.2.1": 3}


def test_everybody_behind_a_trusted_proxy_has_its_address() -> None:
    crowd = Crowd(100, by_address=3, exempt=frozenset({"192.0.2.1"}))
    assert all(crowd.comes(str(number)) for number in range(50))
    assert crowd.gone == []


def test_of_equals_the_address_with_most_connections_makes_room() -> None:
    crowd = Crowd(5)
    crowd.comes("honest", Rank.SESSION, "192.0.2.9")
    for number in range(6):
        crowd.comes(str(number), Rank.SESSION)
    assert crowd.gone == ["0", "1"]


def test_a_slot_is_given_back_once() -> None:
    crowd = Crowd(2)
    slot = crowd.comes("ada")
    assert slot is not None
    crowd.limit.release(slot)
    crowd.limit.release(slot)
    assert not crowd.limit.counts


def test_a_place_that_is_needed_before_its_connection_is_there_is_given_up_then() -> None:
    limit, ended = ConnectionLimit(1, 1), []
    slot = limit.admit("192.0.2.1")
    assert slot is not None
    assert limit.admit("192.0.2.2")
    slot.ended_by(lambda: ended.append("at once"))
    assert ended == ["at once"]


def test_there_are_fewer_connections_than_file_descriptors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection_limit, "descriptors", lambda: 256)
    assert ConnectionLimit(1000, 1000).most < 256


def test_without_a_descriptor_accepting_pauses_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(connection_limit, "PAUSE", 0.01)

    async def scenario() -> None:
        loop, tries, served = asyncio.get_running_loop(), 0, asyncio.Event()
        accept = loop.sock_accept

        async def scarce(listening: socket.socket) -> tuple[socket.socket, object]:
            nonlocal tries
            tries += 1
            if tries < 4:
                raise OSError(errno.EMFILE, "Too many open files")
            return await accept(listening)

        async def serve(connection: socket.socket, slot: Slot) -> None:
            connection.close()
            served.set()

        monkeypatch.setattr(loop, "sock_accept", scarce)
        with bound("127.0.0.1", 0) as listening, socket.socket() as client:
            acceptor = Acceptor(listening, ConnectionLimit(10, 10), serve, b"")
            acceptor.start()
            client.setblocking(False)
            await loop.sock_connect(client, listening.getsockname())
            async with asyncio.timeout(60):
                await served.wait()
            acceptor.close()
        assert tries >= 4

    asyncio.run(scenario())
    assert len(caplog.records) == 3
    assert not any(record.exc_info for record in caplog.records)


def test_the_log_says_a_thing_a_few_times_and_then_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("kibitz.server.live.log_limit.time.monotonic", lambda: now[0])
    limit, written = LogLimit(), []

    def say(text: str, detail: int) -> None:
        record = logging.LogRecord("kibitz.server.web", logging.ERROR, "", 0, text, (detail,), None)
        if limit.filter(record):
            written.append(record.getMessage())

    for number in range(1000):
        say("Peer %s broke it", number)
    say("Something else: %s", 1)
    assert len(written) == MOST + 1
    now[0] = 100.0
    say("Peer %s broke it", 7)
    assert written[-1] == f"Peer 7 broke it (and {1000 - MOST} more like it since the last)"


def test_a_rate_limit_by_address_forgets_who_has_not_come_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.server.live.rate_limit.MOST_ADDRESSES", 3)
    buckets = BucketsByAddress(rate=0.001, burst=1)
    assert [buckets.take(address) for address in "aab"] == [True, False, True]
    assert [buckets.take(address) for address in "cd"] == [True, True]
    assert len(buckets.buckets) == 3
    assert buckets.take("a")
