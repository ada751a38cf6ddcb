"""A host in a thread, and peers at it: well-behaved ones who play, and raw sockets that do as a test tells them."""

import asyncio
import contextlib
import json
import logging
import socket
import struct
import threading
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from functools import partial
from typing import Any
from unittest import mock

from kibitz.client import Client
from kibitz.client.agent_seat import LineAgentSeat, WireAgentSeat
from kibitz.client.json_stream import JsonObjectStream
from kibitz.client.wire_client import WireClient
from kibitz.core import registry
from kibitz.core.agent import Player
from kibitz.engine.seeds import keys, number
from kibitz.errors import KibitzError
from kibitz.games.hanabi.formats.unibo_client import UniboClient
from kibitz.server.host import host as host_module
from kibitz.server.host.host import Host
from kibitz.server.host.series import Series
from kibitz.server.host.series_plan import SeriesPlan, planned_seats
from kibitz.server.live.listening import bound
from kibitz.server.live.table_service import TableService
from tests.server.host.plain_host import simple_move
from tests.server.web.guests import PROCESSES, hint_or_discard
from tests.waiting import PATIENCE, until

SOON = 0.2  # seconds: the deadline of a test in which somebody is late
HANABI = registry.game("hanabi")
assert HANABI.wire is not None
WIRE = HANABI.wire

Message = dict[str, Any]


PEERS: list["Peer"] = []  # whose sockets are closed with the host


class Alarms(logging.Handler):
    """What a host must never have to log."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.records.append(self.format(record))


class Hosted:
    """A host in a thread of its own."""

    def __init__(self, plan: SeriesPlan, listening: socket.socket) -> None:
        self.plan, self.series = plan, Series(plan)
        self.port = int(listening.getsockname()[1])
        self.where = f"127.0.0.1:{self.port}"
        self.said: list[str] = []
        self.failure: BaseException | None = None
        self.loop = asyncio.new_event_loop()
        self.listening = listening
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self) -> None:
        async def served() -> None:
            self.task = asyncio.current_task()
            await host_module.serve(self.plan, self.series, self.listening, self.said.append)

        def made(*parts: Any) -> Host:
            self.host = Host(*parts)
            return self.host

        try:
            with (
                mock.patch.object(host_module, "Host", made),
                mock.patch.object(host_module, "TableService", partial(TableService, processes=PROCESSES)),
                asyncio.Runner(loop_factory=lambda: self.loop) as runner,
            ):
                runner.run(served())
        except asyncio.CancelledError:
            pass
        except BaseException as failure:
            self.failure = failure

    def says(self, text: str) -> None:
        """Wait until the host has printed a text."""
        until(lambda: self.failure or any(text in said for said in self.said), f"{text!r} in {self.said}")
        assert self.failure is None, self.failure

    def in_loop(self, call: Callable[[], Any]) -> Any:
        """Do something in the thread of the host."""

        async def called() -> Any:
            return call()

        return asyncio.run_coroutine_threadsafe(called(), self.loop).result(PATIENCE)

    def deadline(self, seconds: float, game: int = 0) -> None:
        """Give the player to move in one game a deadline from now, and no player in another. It may be over by now."""

        def set_anew() -> None:
            for table in self.host.tables.tables.values():
                if table.stored.number == game:
                    table.clock.stop()
                    table.clock.deadline = seconds
                    table.clock.set()

        with contextlib.suppress(CancelledError):  # the host has ended
            self.in_loop(set_anew)

    def offers(self, count: int) -> None:
        """Wait until this number of seats is free."""
        until(lambda: self.failure or self.offered == count, f"{count} offers")

    def without_offers(self, act: Callable[[], None]) -> None:
        """Let something happen while no seat is free, which then are again."""
        offers = list(self.host.offers.offers)
        self.in_loop(self.host.offers.offers.clear)
        act()
        self.in_loop(lambda: self.host.offers.offers.extend(offers))
        self.in_loop(self.host.offers.match)

    @property
    def offered(self) -> int:
        """How many seats are free."""
        return len(self.host.offers.offers) if hasattr(self, "host") else 0

    def ends(self) -> Series:
        """Wait until all games are played."""
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive(), self.said
        if self.failure is not None:
            raise self.failure
        return self.series

    def stop(self) -> None:
        if self.thread.is_alive() and self.task is not None:
            with contextlib.suppress(RuntimeError):  # it has just ended
                self.loop.call_soon_threadsafe(self.task.cancel)
        self.thread.join(PATIENCE)
        assert not self.thread.is_alive()


def planned(seats: str, game: str = "hanabi", **fields: Any) -> SeriesPlan:
    """By default nobody is ever late: only tests that are about lateness may depend on time."""
    return SeriesPlan(game, planned_seats(seats), **{"deadline": 0, "seed": 7, **fields}).checked()


@contextlib.contextmanager
def hosting(seats: str, game: str = "hanabi", **fields: Any) -> Iterator[Hosted]:
    """A host that is stopped at the end, if it did not end by itself. It must have had nothing to be alarmed of."""
    alarms = Alarms()
    PEERS.clear()
    with bound("127.0.0.1", 0) as listening:
        host = Hosted(planned(seats, game, **fields), listening)
        logging.getLogger().addHandler(alarms)
        try:
            yield host
        finally:
            for peer in PEERS:
                peer.socket.close()
            host.stop()
            logging.getLogger().removeHandler(alarms)
    assert alarms.records == []
    if host.failure is not None and not isinstance(host.failure, KibitzError):
        raise host.failure


# Those who play as they should


def soon_over(view: Message) -> str:
    """A move that ends a game of Hanabi before long; tests have more to do than to watch it."""
    if view["game"] != "hanabi":
        return str(view["choices"][0]["move"])
    return "play 1" if view["turn"] > 4 else hint_or_discard(view)


class Polite(Client):
    """Plays by the rules, and keeps what it heard and saw."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.heard: list[str] = []
        self.turns_seen: list[int] = []

    def decide(self, view: Message) -> str:
        return soon_over(view)

    def hears(self, text: str) -> None:
        self.heard.append(text)

    def sees(self, view: Message) -> None:
        self.turns_seen.append(view["turn"])


class PoliteWire(UniboClient):
    def decide(self, state: Message) -> Message:
        return {"type": "play", "card": 0} if state["round"] > 5 else simple_move(self.full_name, state)


class Home:
    """One of our players; its results."""

    def __init__(self, agent: str, game: str = "hanabi") -> None:
        self.game = registry.game(game)
        self.agent = registry.agent(self.game, agent)
        self.results: list[dict[str, int]] = []
        self.verdicts: list[str] = []

    def sit(self, seat: int) -> Player:
        return self.agent.take_seat(self.game)

    def greet(self, seat: int, names: Any) -> None: ...

    def saw(self, view: Any) -> None: ...

    def heard(self, text: str) -> None: ...

    def notice(self, text: str) -> None: ...

    def ended(self, view: Any, result: dict[str, int], verdict: str) -> None:
        self.results.append(result)
        self.verdicts.append(verdict)


class LinesFromHome(LineAgentSeat):
    def __init__(self, home: Home) -> None:
        super().__init__(home.agent.name, home.game, home)
        self.home = home


class WireFromHome(WireAgentSeat):
    """Its dice are those of the games of a seed, if it plays them in order."""

    def __init__(self, home: Home, seed: int) -> None:
        super().__init__(home.agent.name, WIRE, home, lambda played: number(keys(seed).dice, played), PATIENCE)
        self.home = home


def line_guest(agent: str, game: str = "hanabi") -> LinesFromHome:
    return LinesFromHome(Home(agent, game))


def wire_guest(agent: str, seed: int = 7) -> WireFromHome:
    return WireFromHome(Home(agent), seed)


class Playing(threading.Thread):
    """Somebody who plays at a host meanwhile."""

    def __init__(self, who: Client | WireClient, where: str, games: int = 1) -> None:
        super().__init__(daemon=True)
        self.who, self.where, self.games = who, where, games
        self.result: list[Any] = []
        self.failure: BaseException | None = None
        self.start()

    def run(self) -> None:
        try:
            self.result = self.who.play(self.where, self.games)
        except BaseException as failure:
            self.failure = failure

    def ends(self) -> list[Any]:
        self.join(PATIENCE)
        assert not self.is_alive()
        if self.failure is not None:
            raise self.failure
        return self.result


# Well-behaved peers


class Peer:
    """A socket."""

    def __init__(self, port: int, unread: int = 0) -> None:
        """The system buffers at least this number of bytes for a client that does not read."""
        self.socket = socket.socket()
        if unread:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, unread)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.text = bytearray()  # all it was sent
        PEERS.append(self)

    def send(self, text: bytes) -> None:
        self.socket.sendall(text)

    def piece(self) -> bytes:
        try:
            piece = self.socket.recv(1 << 16)
        except ConnectionResetError:
            piece = b""
        self.text += piece
        return piece

    def reset(self) -> None:
        """Go away without a word."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


class LinePeer(Peer):
    def __init__(self, port: int, name: str = "Ada", records: bool = False, greets: bool = True) -> None:
        super().__init__(port)
        self.lines, self.unfinished = deque[bytes](), b""
        if greets:
            self.say("hello", version=2, name=name, structs=records)
            self.hear("welcome")

    def say(self, type: str, **fields: Any) -> None:
        self.send(json.dumps({"type": type, **fields}).encode() + b"\n")

    def next(self) -> Message | None:
        """The next message; None if the connection is closed."""
        while not self.lines:
            piece = self.piece()
            if not piece:
                return None
            *whole, self.unfinished = (self.unfinished + piece).split(b"\n")
            self.lines += whole
        message: Message = json.loads(self.lines.popleft())
        return message

    def hear(self, *types: str) -> Message:
        while (message := self.next()) is not None:
            if message["type"] in types:
                return message
        raise AssertionError(f"the connection was closed before {types}")

    def rest(self) -> list[Message]:
        """All that is still said until the connection is closed."""
        return list(iter(self.next, None))

    def sits(self) -> Message:
        self.say("sit")
        self.seat = self.hear("seat")
        return self.seat

    def turn_comes(self) -> Message:
        """Wait for a turn of one's own: the view."""
        view: Message = {}
        while (message := self.hear("view", "your_turn"))["type"] != "your_turn":
            view = message
        self.view = view
        return view

    def moves(self, move: str, **fields: Any) -> None:
        self.say("move", **{"table": self.seat["table"], "turn": self.view["turn"], "move": move, **fields})

    def refused(self, code: str) -> str:
        error = self.hear("error")
        assert error["code"] == code, error
        return str(error["message"])

    def plays_on(self) -> Message:
        """Play as one should, from one's own turn to the end: the last view."""
        view = self.view
        while view["state"] == "running":
            if "choices" in view and view["seats"][view["as"]]["kind"] == "person":
                self.moves(soon_over(view), turn=view["turn"])
            view = self.hear("view")
        return view


class WirePeer(Peer):
    def __init__(self, port: int, name: str = "Ada") -> None:
        super().__init__(port)
        self.objects, self.waiting = JsonObjectStream(), list[bytes]()
        self.send(name.encode() + b"\n")

    def is_seated(self) -> str:
        """The full name."""
        while b"\n" not in self.text:
            assert self.piece(), self.text
        line, _, rest = self.text.partition(b"\n")
        self.waiting += self.objects.feed(bytes(rest))
        self.me = line.decode()
        return self.me

    def next(self) -> Message | None:
        while not self.waiting:
            piece = self.piece()
            if not piece:
                return None
            self.waiting += self.objects.feed(piece)
        said: Message = json.loads(self.waiting.pop(0))
        return said

    def turn_comes(self) -> Message:
        while (state := self.next()) is not None:
            if state["current"] == self.me:
                self.state = state
                return state
        raise AssertionError("the connection was closed")

    def moves(self, **fields: Any) -> None:
        self.send(json.dumps({"player": self.me, **fields}).encode())

    def rest(self) -> list[Message]:
        return list(iter(self.next, None))
