"""A host: a port where programs in any language take seats, and a series of games that they play with each other.

Two protocols share the port, and may meet at one table: messages in lines (docs/reference/protocol.md), and the game's
own wire protocol, if it has one. The first line decides: a message is an object, a name is not.
"""

import asyncio
import contextlib
import gc
import logging
import socket
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

from kibitz.errors import KibitzError
from kibitz.server.host.game_runner import GameRunner
from kibitz.server.host.seat_offers import Applicant, Offer, Port, PortConnection, SeatOffers
from kibitz.server.host.series import Series
from kibitz.server.host.series_plan import SeriesPlan
from kibitz.server.host.wire_player import WirePlayer
from kibitz.server.live import messages
from kibitz.server.live.connection_limit import FULL, Acceptor, ConnectionLimit, Rank, Slot, serve_streams
from kibitz.server.live.connections import LineConnection, ignore_lost_connections, write_at_once
from kibitz.server.live.limits import Limits
from kibitz.server.live.listening import bound
from kibitz.server.live.log_limit import limit_logs
from kibitz.server.live.messages import RefusedError, encode
from kibitz.server.live.play_requests import sit, take_seat
from kibitz.server.live.request_registry import TABLE_REQUESTS, Registry, handles
from kibitz.server.live.session import Session, Sessions
from kibitz.server.live.storage import NoStorage, StorageError
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_service import TableService
from kibitz.server.live.table_state import Seat, clean_name
from kibitz.server.live.tokens import digest, new_token

log = logging.getLogger("kibitz.server.host")

SPARE = 64  # connections beyond those that can have a seat
LONGEST_NAME = 1024  # bytes
LAST_WORDS, HURRIED = 1.0, 0.3  # seconds for clients to leave at the end, and when the host is stopped
ALL_PLAYED = "All games of this host are played. Goodbye."
STOPPED = "The host stops before all its games are played. Goodbye."
REFUSED = encode("error", code="full", message=FULL) + b"\n"
ANSWERED = (messages.Hello, messages.Resume, messages.Move, messages.ReclaimSeat, messages.Leave)
HOST_REQUESTS: Registry = {kind: TABLE_REQUESTS[kind] for kind in ANSWERED}


def limits_for(plan: SeriesPlan) -> Limits:
    """The limits for a known number of seats, taken by fast programs."""
    seats = len(plan.seats) * plan.at_once
    return Limits(
        connections=seats + SPARE, connections_by_address=seats + SPARE, seated=1.0, sessions_per_second=1000.0,
        sessions_at_once=10 * (seats + SPARE), idle=float("inf"), tables=2 * plan.at_once + SPARE,
        messages_per_second=2000.0, messages_at_once=2000, costly_per_second_by_address=1e9,
        costly_at_once_by_address=10**9, unread=2000, unread_bytes=1 << 21,
        program_seconds=plan.deadline, bot_grid=0,
    )  # fmt: skip


class Host:
    def __init__(self, plan: SeriesPlan, series: Series, say: Callable[[str], None]) -> None:
        """`say` prints events for the person who runs the host."""
        self.plan, self.series, self.say = plan, series, say
        self.limits = limits_for(plan)
        agents = {seat.what for seat in plan.seats if seat.kind == "agent"} | {plan.substitute} - {""}
        offered = [(plan.game_name, name) for name in sorted(agents)]
        self.tables = TableService(
            NoStorage(), self.limits, offered, on_finish=self._save_result, on_substitution=self.tell
        )
        self.sessions = Sessions(self.tables, HOST_REQUESTS, self.limits, self.limits.connections, server=self)
        self.connections = ConnectionLimit(self.limits.connections, self.limits.connections_by_address)
        self.private = ConnectionLimit(self.limits.connections, self.limits.connections)
        self.offers = SeatOffers(lambda offer, applicant: self._do(self._seat(offer, applicant)))
        self.players: set[WirePlayer] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self.main: Acceptor | None = None
        self.port = 0
        self.runners: list[GameRunner] = []

    async def open(self, listening: socket.socket) -> None:
        """Compile the game, then accept connections."""
        limit_logs()
        asyncio.get_running_loop().set_exception_handler(ignore_lost_connections)
        self.tables.start()
        await self.tables.ready(self.plan.game)
        gc.collect()
        gc.freeze()  # loaded objects stay: repeated full garbage collections would take milliseconds each
        self.port = int(listening.getsockname()[1])
        self.main = self._acceptor(listening, self.connections, None)

    # Connections

    def _acceptor(self, listening: socket.socket, limit: ConnectionLimit, port: Port | None) -> Acceptor:
        async def serve(connection: socket.socket, slot: Slot) -> None:
            async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
                slot.ended_by(lambda: turn_away(writer))
                try:
                    await self._enter(PortConnection(reader, writer, port), slot)
                except (OSError, asyncio.CancelledError):
                    pass  # one side has closed
                except Exception:
                    log.exception("A connection failed")
                finally:
                    limit.release(slot)
                    writer.close()

            await serve_streams(connection, self.limits.frame, connected)

        acceptor = Acceptor(listening, limit, serve, REFUSED)
        acceptor.start()
        return acceptor

    def open_private_port(self) -> Port:
        """A port for one launched program, on this machine only."""
        listening = bound("127.0.0.1", 0)
        port = Port(int(listening.getsockname()[1]))
        port.acceptor = self._acceptor(listening, self.private, port)
        return port

    async def _enter(self, connection: PortConnection, slot: Slot) -> None:
        """Find out which protocol a connection uses."""
        reader = connection.reader
        try:
            async with asyncio.timeout(self.limits.greeting):
                first = await reader.readuntil(b"\n")
        except TimeoutError:
            await refuse(connection, "bad_message", f"You said nothing for {self.limits.greeting:g} seconds.")
        except (asyncio.IncompleteReadError, ConnectionError):
            connection.writer.close()
        except asyncio.LimitOverrunError:
            await refuse(connection, "bad_message", f"A line has {self.limits.frame // 1024} kB at most.")
        else:
            if first.lstrip()[:1] in (b"{", b"["):
                connection.first = first
                await self.sessions.serve(connection, slot)
            else:
                await self._named(first, connection, slot)

    async def _named(self, line: bytes, connection: PortConnection, slot: Slot) -> None:
        """Serve a player of the game's wire protocol, which begins with a name."""
        game, text = self.plan.game, line.decode(errors="replace").strip()
        player = WirePlayer(self, clean_name(text), connection.reader, connection.writer, connection.port)
        slot.touch(Rank.SESSION)
        if game.wire is None:
            player.turn_away(
                f"{game.title} is played here in lines of JSON: begin with a hello, as docs/reference/protocol.md says."
            )
        elif not text.isprintable() or "\N{REPLACEMENT CHARACTER}" in text or " HTTP/" in text:
            player.turn_away("That is not a name. Begin with your name as UTF-8 text, or with a hello in JSON.")
        elif not text or len(line) > LONGEST_NAME:
            player.turn_away("Begin with your name and a newline, or with a hello in JSON.")
        else:
            player.slot = slot
            self.offers.apply(Applicant(player, connection.port))
        self.players.add(player)
        try:
            await player.stay()
        finally:
            self.players.discard(player)

    def tell(self, table: LiveTable, text: str) -> None:
        """Report something about a game to the person who runs the host."""
        assert table.stored.number is not None
        self.say(f"Game {table.stored.number + 1}: {text}")

    # Seats

    def apply(self, session: Session, said: messages.Sit) -> None:
        """Give a program the next free seat, or let it wait for one."""
        if self.offers.waits(session) >= self.plan.at_once:
            raise RefusedError("too_fast", "You wait for a seat already.")
        port = session.connection.port if isinstance(session.connection, PortConnection) else None
        self.offers.apply(Applicant(session, port, said))
        if self.offers.waits(session):
            session.answer("pending", said.request, text="You are seated as soon as a seat is free.")

    def _save_result(self, table: LiveTable) -> None:
        try:
            self.series.add_table(table.state)
        except KibitzError as error:
            raise StorageError(str(error)) from None

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def _seat(self, offer: Offer, applicant: Applicant) -> None:
        table, number, who = offer.table, offer.seat, applicant.who
        async with table.changing() as state:
            if isinstance(who, Session) and not who.gone:
                assert applicant.said is not None
                await take_seat(who, table, number, applicant.said)
            elif isinstance(who, WirePlayer) and not who.gone:
                seat = Seat("person", person=who.name, program=True, token=digest(new_token()))
                await table.reseat(number, seat, f"{who.name} sits down at {table.game.seat_name(number)}.")
                who.sits_down(table, number)
        self.offers.took_seat(offer, applicant)
        if state.seats[number].kind == "open":
            self.offers.offer(offer, first=True)
            return
        self.tell(table, f"{state.seats[number].person} sits down at {table.game.seat_name(number)}.")
        table.schedule_bots()

    def reopen(self, player: WirePlayer, why: str) -> None:
        assert player.table is not None
        self._do(self._reopen(Offer(player.table, player.seat, player.port), why))

    async def _reopen(self, offer: Offer, why: str) -> None:
        table, seat = offer.table, offer.seat
        async with table.changing() as state:
            if state.status != "waiting":
                return
            name = state.seats[seat].person
            text = f"{name} at {table.game.seat_name(seat)} {why}. The seat is open again."
            await table.reseat(seat, Seat("open"), text)
        self.tell(table, text)
        self.offers.offer(offer, first=True)

    # Games

    async def play(self) -> None:
        """Play the remaining games, `at_once` in parallel."""
        numbers = iter(self.series.left)
        self.runners = [GameRunner(self) for _ in range(min(self.plan.at_once, len(self.series.left)))]
        try:
            async with asyncio.TaskGroup() as group:
                for runner in self.runners:
                    group.create_task(self._play_with(runner, numbers))
        except* KibitzError as errors:
            raise errors.exceptions[0] from None

    async def _play_with(self, runner: GameRunner, numbers: Iterator[int]) -> None:
        for number in numbers:
            await runner.play(number)

    async def close(self) -> None:
        """Say goodbye to everybody, stop listening, and end the programs that did not end by themselves."""
        farewell = STOPPED if self.series.left else ALL_PLAYED
        if self.main is not None:
            self.main.close()
        for session in self.sessions.sessions:
            session.close(1000, farewell)
        for player in self.players:
            player.turn_away(farewell)
        programs = [program for runner in self.runners for program in runner.programs.values()]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(HURRIED if self.series.left else LAST_WORDS):
                running = [program.died() for program in programs if program.running]
                limits = (self.connections, self.private)
                await asyncio.gather(*running, *(limit.closed.until(limit.is_empty) for limit in limits))
        await asyncio.gather(*(runner.end() for runner in self.runners))
        self.tables.close()


def turn_away(writer: asyncio.StreamWriter) -> None:
    """Close a connection that has not sent anything yet, to make room for another."""
    write_at_once(writer, REFUSED)
    writer.close()
    asyncio.get_running_loop().call_later(LAST_WORDS, writer.transport.abort)


async def refuse(connection: LineConnection, code: str, message: str) -> None:
    await connection.send(encode("error", code=code, message=message))
    await connection.close(1008, message)


@handles(messages.Sit, HOST_REQUESTS)
async def sit_anywhere(session: Session, said: messages.Sit) -> None:
    """Take a seat at the named table, or any free seat."""
    if said.table:
        await sit(session, said)
        return
    session.check_room()
    session.sessions.server.apply(session, said)


async def serve(
    plan: SeriesPlan,
    series: Series,
    listening: socket.socket,
    say: Callable[[str], None],
    opened: Callable[[], None] = lambda: None,
) -> None:
    """Open the host, play all games, close it."""
    host = Host(plan, series, say)
    try:
        await host.open(listening)
        opened()
        await host.play()
    finally:
        await host.close()
    series.finish()  # last of all: a host killed before this resumes from the partial file
