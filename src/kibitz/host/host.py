"""A host: a port where programs in any language take seats, and a series of games that they play with each other.

Two protocols are spoken at the same port, and may meet at one table: messages in lines (docs/reference/protocol.md),
and for a game that has one its own wire protocol. The first line tells which: a message is an object, a name is not.
"""

import asyncio
import contextlib
import logging
import socket
import tempfile
from collections import deque
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.host.launched import Launched
from kibitz.host.peers import WirePlayer
from kibitz.host.plan import Chair, Plan
from kibitz.host.series import Series
from kibitz.web import messages, requests, seats
from kibitz.web.house import House, Limits
from kibitz.web.messages import RefusedError
from kibitz.web.seats import Seat, clean_name, digest
from kibitz.web.sockets import LineSocket
from kibitz.web.tables import LiveTable
from kibitz.web.visitors import Reception, Visitor

log = logging.getLogger("kibitz.host")

SPARE = 64  # connections beyond those that can have a seat
LONGEST_NAME = 1024  # bytes
LAST_WORDS = 1.0  # seconds
ALL_PLAYED = "All games of this host are played. Goodbye."


@dataclass(eq=False)
class Offer:
    """A seat that somebody may take: anybody, or who comes through a door of its own."""

    table: LiveTable
    seat: int
    door: "Door | None" = None


@dataclass(eq=False)
class Waiting:
    """Somebody who asks for a seat."""

    who: "Visitor | WirePlayer"
    door: "Door | None"
    said: messages.Sit | None = None

    def fits(self, offer: Offer) -> bool:
        """Nobody sits twice at a table: they would see with four eyes."""
        return offer.door is self.door and not (isinstance(self.who, Visitor) and offer.table.id in self.who.places)


@dataclass(eq=False)
class Door:
    """A port of its own for a launched program."""

    server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        assert self.server is not None
        return int(self.server.sockets[0].getsockname()[1])

    def close(self) -> None:
        if self.server is not None:
            self.server.close()


@dataclass(eq=False)
class Lane:
    """Games that are played one after the other, with the programs launched for them."""

    programs: dict[int, Launched] = field(default_factory=dict)  # by seat
    doors: dict[int, Door] = field(default_factory=dict)


class DoorSocket(LineSocket):
    """Lines that came in through a certain door."""

    door: Door | None = None


class Host(House):
    understands = frozenset(
        {messages.Hello, messages.Sit, messages.Resume, messages.Move, messages.Retake, messages.Leave}
    )

    def __init__(self, plan: Plan, series: Series, folder: Path, say: Callable[[str], None]) -> None:
        seated = len(plan.chairs) * plan.at_once
        limits = Limits(
            visitors=seated + SPARE, tables=2 * plan.at_once + SPARE, messages_per_second=2000.0, messages_at_once=2000,
            waiting=2000, programs=plan.deadline,
        )  # fmt: skip
        agents = {chair.what for chair in plan.chairs if chair.kind == "agent"} | {plan.substitute} - {""}
        super().__init__(
            folder, [(plan.game_name, name) for name in sorted(agents)], limits, warm_up=False, durable=False
        )
        self.plan, self.series, self.say = plan, series, say
        self.reception = Reception(self, None)
        self.offers: deque[Offer] = deque()
        self.queue: deque[Waiting] = deque()
        self.players: set[WirePlayer] = set()
        self.work: set[asyncio.Task[None]] = set()
        self.connections = 0
        self.main = Door()

    # Doors

    async def listen(self, listening: socket.socket) -> None:
        self.main.server = await asyncio.start_server(self._entered(None), sock=listening, limit=self.limits.frame)

    async def _door(self) -> Door:
        """A door for one launched program, on this machine only."""
        door = Door()
        door.server = await asyncio.start_server(self._entered(door), "127.0.0.1", 0, limit=self.limits.frame)
        return door

    def _entered(
        self, door: Door | None
    ) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]:
        async def enter(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            self.connections += 1
            try:
                await self._enter(reader, writer, door)
            except (OSError, asyncio.CancelledError):
                pass  # it went away, or we do
            except Exception:
                log.exception("A connection failed")
            finally:
                self.connections -= 1
                writer.close()

        return enter

    async def _enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, door: Door | None) -> None:
        lines = DoorSocket(reader, writer)
        lines.door = door
        if self.connections > self.limits.visitors:
            await refuse(lines, "full", "There is no room for another connection. Come back later.")
            return
        try:
            async with asyncio.timeout(self.limits.greeting):
                first = await reader.readuntil(b"\n")
        except TimeoutError:
            await refuse(lines, "bad_message", f"You said nothing for {self.limits.greeting:g} seconds.")
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()
        except asyncio.LimitOverrunError:
            await refuse(lines, "bad_message", f"A line has {self.limits.frame // 1024} kB at most.")
        else:
            if first.lstrip()[:1] in (b"{", b"["):
                lines.first = first
                await self.reception.welcome(lines)
            else:
                await self._named(first, reader, writer, door)

    async def _named(
        self, line: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, door: Door | None
    ) -> None:
        """Somebody said a name: a player of the game's wire protocol."""
        game, text = self.plan.game, line.decode(errors="replace").strip()
        player = WirePlayer(self, clean_name(text), reader, writer)
        if game.wire is None:
            player.turn_away(
                f"{game.title} is played here in lines of JSON: begin with a hello, as docs/reference/protocol.md says."
            )
        elif not text or len(line) > LONGEST_NAME or " HTTP/" in text:
            player.turn_away("Begin with your name and a newline, or with a hello in JSON.")
        else:
            self.queue.append(Waiting(player, door))
            self._match_up()
        self.players.add(player)
        try:
            await player.stay()
        finally:
            self.players.discard(player)

    def tell(self, table: LiveTable, text: str) -> None:
        """Whoever runs the host hears of a game."""
        assert table.kept.number is not None
        self.say(f"Game {table.kept.number + 1}: {text}")

    # Who sits where

    def seat_anywhere(self, visitor: Visitor, said: messages.Sit) -> None:
        door = visitor.socket.door if isinstance(visitor.socket, DoorSocket) else None
        waits = sum(waiting.who is visitor for waiting in self.queue)
        if waits >= self.plan.at_once:
            raise RefusedError("too_fast", "You wait for a seat already.")
        self.queue.append(Waiting(visitor, door, said))
        self._match_up()
        if any(waiting.who is visitor for waiting in self.queue):
            visitor.answer("patience", said.request, text="You are seated as soon as a seat is free.")

    def _match_up(self) -> None:
        """Seat those who wait, in the order in which they came."""
        for offer in list(self.offers):
            for waiting in list(self.queue):
                if waiting.who.gone:
                    self.queue.remove(waiting)
                elif waiting.fits(offer):
                    self.queue.remove(waiting)
                    self.offers.remove(offer)
                    self._do(self._seat_one(offer, waiting))
                    break

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.work.add(task)
        task.add_done_callback(self.work.discard)

    async def _seat_one(self, offer: Offer, waiting: Waiting) -> None:
        table, number, who = offer.table, offer.seat, waiting.who
        async with table.lock:
            if who.gone:
                self.offers.appendleft(offer)
            elif isinstance(who, Visitor):
                assert waiting.said is not None
                await requests.take_seat(who, table, number, waiting.said)
            else:
                seat = Seat("person", person=who.name, program=True, token=digest(seats.new_token()))
                await table.reseat(number, seat, f"{who.name} sits down at {table.game.seat_name(number)}.")
                who.sits_down(table, number)
        if who.gone and offer in self.offers:
            self._match_up()
            return
        self.tell(table, f"{table.seats[number].person} sits down at {table.game.seat_name(number)}.")
        table.poke()

    def reopen(self, table: LiveTable, seat: int, why: str) -> None:
        self._do(self._reopen(table, seat, why))

    async def _reopen(self, table: LiveTable, seat: int, why: str) -> None:
        async with table.lock:
            if table.state != "waiting":
                return
            name = table.seats[seat].person
            text = f"{name} at {table.game.seat_name(seat)} {why}. The seat is open again."
            await table.reseat(seat, Seat("open"), text)
        self.tell(table, text)
        self.offers.appendleft(Offer(table, seat))
        self._match_up()

    # Games

    async def play(self) -> None:
        """Play the games that are left, so many at once."""
        numbers = iter(self.series.left)
        lanes = [Lane() for _ in range(min(self.plan.at_once, len(self.series.left)))]
        try:
            async with asyncio.TaskGroup() as group:
                for lane in lanes:
                    group.create_task(self._play_in(lane, numbers))
        except* KibitzError as errors:
            raise errors.exceptions[0] from None
        finally:
            for lane in lanes:
                await self._clear(lane)

    async def _play_in(self, lane: Lane, numbers: Any) -> None:
        for number in numbers:
            await self._play_one(lane, number)

    async def _play_one(self, lane: Lane, number: int) -> None:
        plan = self.plan
        at_table = [messages.Chair("bot", agent=chair.what) if chair.kind == "agent" else messages.Chair("open")
                    for chair in plan.chairs]  # fmt: skip
        options = {
            "kibitz": False, "deadline": plan.deadline, "late": plan.late, "substitute": plan.substitute,
            "unwatched": True, "seed_chosen": True,
        }  # fmt: skip
        assert plan.seed is not None
        table, _, _ = await self.set_up(plan.game, at_table, dict(plan.rules), plan.seed, number, options)
        await self._offer(lane, table)
        table.poke()
        await table.ended.wait()
        names = [seat.person or seat.name for seat in table.seats]
        self.series.add(table.core, names, number)
        ended = table.forfeit or plan.game.verdict(table.core.state)
        self.tell(table, ended)
        for listener in list(table.listeners):
            if isinstance(listener, Visitor):
                listener.leave(table.id)

    async def _offer(self, lane: Lane, table: LiveTable) -> None:
        """Open the seats of a table, and start the programs that are to take them."""
        for seat, chair in enumerate(self.plan.chairs):
            if chair.kind == "agent":
                continue
            if chair.private and seat not in lane.doors:
                lane.doors[seat] = await self._door()
            self.offers.append(Offer(table, seat, lane.doors.get(seat)))
        waits = [table.game.seat_name(seat) for seat, chair in enumerate(self.plan.chairs) if chair.kind == "open"]
        self._match_up()
        if any(offer.table is table for offer in self.offers) and waits:
            self.tell(table, f"waits for {' and '.join(waits)}.")
        for seat, chair in enumerate(self.plan.chairs):
            if chair.kind == "launch":
                await self._launch(lane, table, seat, chair)

    async def _launch(self, lane: Lane, table: LiveTable, seat: int, chair: Chair) -> None:
        """Start a seat's program and wait until it sits down."""
        door = lane.doors.get(seat)
        program = lane.programs.setdefault(seat, Launched(chair.what, (door or self.main).port))
        if not any(offer.table is table and offer.seat == seat for offer in self.offers):
            return  # it still runs, and asked for another game
        await program.start()
        died = asyncio.create_task(program.died())
        taken = asyncio.create_task(self._taken(table, seat))
        try:
            done, _ = await asyncio.wait(
                [died, taken], timeout=self.plan.launched_within, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            died.cancel(), taken.cancel()
        where = table.game.seat_name(seat)
        if taken in done:
            return
        if died in done:
            raise KibitzError(f"The program for {where} did not sit down: {died.result()}")
        raise KibitzError(
            f"The program for {where}, {chair.what!r}, did not sit down within {self.plan.launched_within:g} seconds."
            f"{program.last_words()}"
        )

    async def _taken(self, table: LiveTable, seat: int) -> None:
        while table.seats[seat].kind == "open":
            await asyncio.sleep(0.01)

    async def _clear(self, lane: Lane) -> None:
        for program in lane.programs.values():
            await program.stop()
        for door in lane.doors.values():
            door.close()

    async def close(self) -> None:
        """Say goodbye to everybody, and close the doors."""
        self.main.close()
        self.reception.say_goodbye(ALL_PLAYED)
        for player in list(self.players):
            if player.table is None:
                player.turn_away(ALL_PLAYED)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS):
                while self.connections:
                    await asyncio.sleep(0.01)
                    for visitor in list(self.reception.visitors):
                        if visitor.outbox.empty():
                            visitor.close(1000, ALL_PLAYED)
        await super().close()


async def refuse(lines: LineSocket, code: str, message: str) -> None:
    await lines.send([messages.worded("error", code=code, message=message)])
    await lines.close(1008, message)


async def serve(
    plan: Plan, series: Series, listening: socket.socket, opened: Callable[[], None], say: Callable[[str], None]
) -> None:
    """Open the doors, play all games, close the doors."""
    with tempfile.TemporaryDirectory(prefix="kibitz-host-") as folder:
        host = Host(plan, series, Path(folder), say)
        await host.open()
        try:
            await host.ready(plan.game)
            await host.listen(listening)
            opened()
            await host.play()
        finally:
            await host.close()
    series.finish()
