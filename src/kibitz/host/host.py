"""A host: a port where programs in any language take seats, and a series of games that they play with each other.

Two protocols are spoken at the same port, and may meet at one table: messages in lines (docs/reference/protocol.md),
and for a game that has one its own wire protocol. The first line tells which: a message is an object, a name is not.
"""

import asyncio
import contextlib
import gc
import logging
import socket
import tempfile
import time
from collections import Counter, deque
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.host.doors import Door, DoorSocket, Lane, Offer, Waiting
from kibitz.host.launched import Launched
from kibitz.host.peers import WirePlayer
from kibitz.host.plan import Plan
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
POLL = 0.01  # seconds between two looks at something that nobody tells of
LAST_WORDS = 1.0  # seconds
AGAIN = 5.0  # seconds for a launched program that still runs to ask for the next game; then it is started anew
TRIES = 3  # times a program that ends before it sits down is started
ALL_PLAYED = "All games of this host are played. Goodbye."
STOPPED = "The host stops before all its games are played. Goodbye."


class Host(House):
    understands = frozenset(
        {messages.Hello, messages.Sit, messages.Resume, messages.Move, messages.Retake, messages.Leave}
    )

    def __init__(self, plan: Plan, series: Series, folder: Path, say: Callable[[str], None]) -> None:
        seated = len(plan.chairs) * plan.at_once
        limits = Limits(
            visitors=2 * seated + SPARE, tables=2 * plan.at_once + SPARE, messages_per_second=2000.0,
            messages_at_once=2000,
            waiting=2000, programs=plan.deadline,
        )  # fmt: skip
        agents = {chair.what for chair in plan.chairs if chair.kind == "agent"} | {plan.substitute} - {""}
        super().__init__(
            folder, [(plan.game_name, name) for name in sorted(agents)], limits, warm_up=False, keeps=False
        )
        self.plan, self.series, self.say = plan, series, say
        self.reception = Reception(self, None)
        self.offers: deque[Offer] = deque()
        self.queue: deque[Waiting] = deque()
        self.sitting_down: set[tuple[Any, LiveTable]] = set()  # who, and where
        self.players: set[WirePlayer] = set()
        self.work: set[asyncio.Task[None]] = set()
        self.room = seated + SPARE
        self.connections: Counter[Door | None] = Counter()  # by the door they came through
        self.main = Door()
        self.lanes: list[Lane] = []

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
            self.connections[door] += 1
            try:
                await self._enter(reader, writer, door)
            except (OSError, asyncio.CancelledError):
                pass  # it went away, or we do
            except Exception:
                log.exception("A connection failed")
            finally:
                self.connections[door] -= 1
                writer.close()

        return enter

    async def _enter(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, door: Door | None) -> None:
        lines = DoorSocket(reader, writer)
        lines.door = door
        if door is None and self.connections[None] > self.room:
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
        player = WirePlayer(self, clean_name(text), reader, writer, door)
        if game.wire is None:
            player.turn_away(
                f"{game.title} is played here in lines of JSON: begin with a hello, as docs/reference/protocol.md says."
            )
        elif not text.isprintable() or "\N{REPLACEMENT CHARACTER}" in text or " HTTP/" in text:
            player.turn_away("That is not a name. Begin with your name as UTF-8 text, or with a hello in JSON.")
        elif not text or len(line) > LONGEST_NAME:
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
        self.queue = deque(waiting for waiting in self.queue if not waiting.who.gone)
        for offer in list(self.offers):
            waiting = next((waiting for waiting in self.queue if self._fits(waiting, offer)), None)
            if waiting is not None:
                self.queue.remove(waiting)
                self.offers.remove(offer)
                self.sitting_down.add((waiting.who, offer.table))
                self._do(self._seat_one(offer, waiting))

    def _fits(self, waiting: Waiting, offer: Offer) -> bool:
        """Nobody sits twice at a table: they would see with four eyes."""
        who, table = waiting.who, offer.table
        sits_there = (who, table) in self.sitting_down or (isinstance(who, Visitor) and table.id in who.places)
        return offer.door is waiting.door and not sits_there

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.work.add(task)
        task.add_done_callback(self.work.discard)

    async def _seat_one(self, offer: Offer, waiting: Waiting) -> None:
        table, number, who = offer.table, offer.seat, waiting.who
        async with table.lock:
            if isinstance(who, Visitor) and not who.gone:
                assert waiting.said is not None
                await requests.take_seat(who, table, number, waiting.said)
            elif isinstance(who, WirePlayer) and not who.gone:
                seat = Seat("person", person=who.name, program=True, token=digest(seats.new_token()))
                await table.reseat(number, seat, f"{who.name} sits down at {table.game.seat_name(number)}.")
                who.sits_down(table, number)
        self.sitting_down.discard((who, table))
        if table.seats[number].kind == "open":
            self._offer_again(offer)
            return
        self.tell(table, f"{table.seats[number].person} sits down at {table.game.seat_name(number)}.")
        table.poke()

    def reopen(self, player: WirePlayer, why: str) -> None:
        assert player.table is not None
        self._do(self._reopen(Offer(player.table, player.seat, player.door), why))

    async def _reopen(self, offer: Offer, why: str) -> None:
        table, seat = offer.table, offer.seat
        async with table.lock:
            if table.state != "waiting":
                return
            name = table.seats[seat].person
            text = f"{name} at {table.game.seat_name(seat)} {why}. The seat is open again."
            await table.reseat(seat, Seat("open"), text)
        self.tell(table, text)
        self._offer_again(offer)

    def _offer_again(self, offer: Offer) -> None:
        self.offers.appendleft(offer)
        self._match_up()

    # Games

    async def play(self) -> None:
        """Play the games that are left, so many at once."""
        numbers = iter(self.series.left)
        self.lanes = [Lane() for _ in range(min(self.plan.at_once, len(self.series.left)))]
        try:
            async with asyncio.TaskGroup() as group:
                for lane in self.lanes:
                    group.create_task(self._play_in(lane, numbers))
        except* KibitzError as errors:
            raise errors.exceptions[0] from None

    async def _play_in(self, lane: Lane, numbers: Iterator[int]) -> None:
        for number in numbers:
            await self._play_one(lane, number)

    async def _play_one(self, lane: Lane, number: int) -> None:
        plan = self.plan
        at_table = [messages.Chair("bot", agent=chair.what) if chair.kind == "agent" else messages.Chair("open")
                    for chair in plan.chairs]  # fmt: skip
        options = {
            "kibitz": False, "late": plan.late, "substitute": plan.substitute, "unwatched": True, "seed_chosen": True,
            "seed_untold": plan.games > 1,
        }  # fmt: skip
        assert plan.seed is not None
        table, _, _ = await self.set_up(plan.game, at_table, dict(plan.rules), plan.seed, number, options)
        await self._offer(lane, table)
        table.poke()
        await self._until_the_end(lane, table)
        self.series.add(table.core, [who_played(seat) for seat in table.seats], number)
        ended = table.forfeit or plan.game.verdict(table.core.state)
        self.tell(table, ended)
        for listener in list(table.listeners):
            if isinstance(listener, Visitor):
                listener.leave(table.id)
        self.tables.pop(table.id, None)  # players of the wire may still be on their way out

    async def _until_the_end(self, lane: Lane, table: LiveTable) -> None:
        """Wait for the end of a game. A launched program that ends before it need not be waited for."""
        ended = asyncio.create_task(table.ended.wait())
        watched = [
            asyncio.create_task(
                self._watch(program, table, seat)
                if seat in lane.doors
                else self._see_that_it_comes(program, table, seat)
            )
            for seat, program in lane.programs.items()
        ]
        try:
            waiting: set[asyncio.Task[Any]] = {ended, *watched}
            while not ended.done():
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in done:
                    task.result()
        finally:
            for task in (ended, *watched):
                task.cancel()

    async def _watch(self, program: Launched, table: LiveTable, seat: int) -> None:
        how = await program.died()
        while table.connected(seat):
            await asyncio.sleep(POLL)  # what it said last is still on its way
        where = table.game.seat_name(seat)
        if table.state == "waiting":
            raise KibitzError(f"The program for {where} left before the game began: {how}")
        if table.state == "running" and table.seats[seat].kind == "person":
            self.tell(table, f"the program for {where}: {how}")
        await table.fails(seat, "went away")

    async def _offer(self, lane: Lane, table: LiveTable) -> None:
        """Open the seats of a table, and start the programs that are to take them."""
        for seat, chair in sorted(enumerate(self.plan.chairs), key=lambda each: each[1].kind == "open"):
            if chair.private and seat not in lane.doors:
                lane.doors[seat] = await self._door()
            if chair.kind != "agent":
                self.offers.append(Offer(table, seat, lane.doors.get(seat)))
        waits = [table.game.seat_name(seat) for seat, chair in enumerate(self.plan.chairs) if chair.kind == "open"]
        self._match_up()
        if any(offer.table is table for offer in self.offers) and waits:
            self.tell(table, f"waits for {' and '.join(waits)}.")
        for seat, chair in enumerate(self.plan.chairs):
            if chair.kind == "launch" and seat not in lane.programs:
                lane.programs[seat] = Launched(chair.what, lane.doors.get(seat, self.main).port)
            if chair.private:
                await self._launch(lane.programs[seat], table, seat)

    async def _launch(self, program: Launched, table: LiveTable, seat: int) -> None:
        """Start a program that has a door of its own, and wait until it sits down."""
        if not any(offer.table is table and offer.seat == seat for offer in self.offers):
            return  # it still runs, and asked for another game
        if program.running and await self._sits_down(program, table, seat, AGAIN) == "":
            return
        await program.stop()  # it played one game, and does not mean to play another
        await program.start()
        trouble = await self._sits_down(program, table, seat, self.plan.launched_within)
        if trouble:
            raise KibitzError(f"The program for {table.game.seat_name(seat)} did not sit down: {trouble}")

    async def _sits_down(self, program: Launched, table: LiveTable, seat: int, within: float) -> str:
        """Wait until a program sits; else what happened instead."""
        died = asyncio.create_task(program.died())
        taken = asyncio.create_task(self._taken(table, seat))
        try:
            done, _ = await asyncio.wait([died, taken], timeout=within, return_when=asyncio.FIRST_COMPLETED)
        finally:
            died.cancel(), taken.cancel()
        if taken in done:
            return ""
        if died in done:
            return died.result()
        return f"{program.command!r} has had {within:g} seconds for it.{program.last_words()}"

    async def _taken(self, table: LiveTable, seat: int) -> None:
        while table.seats[seat].kind == "open":
            await asyncio.sleep(POLL)

    async def _see_that_it_comes(self, program: Launched, table: LiveTable, seat: int) -> None:
        """Keep a program running, while the game waits, that comes through the same door as strangers.

        It cannot be told from them, and sits where there is room. One that ends well may have played the game before.
        """
        where, tries = table.game.seat_name(seat), 0
        patience = (
            float("inf") if any(chair.kind == "open" for chair in self.plan.chairs) else self.plan.launched_within
        )
        until = time.monotonic() + patience
        while table.state == "waiting":
            if not program.running:
                if tries and (program.failed or tries == TRIES):
                    raise KibitzError(f"The program for {where} did not sit down: {await program.died()}")
                await program.start()
                tries += 1
            elif time.monotonic() > until:
                had = f"{program.command!r} has had {patience:g} seconds for it.{program.last_words()}"
                raise KibitzError(f"The program for {where} did not sit down: {had}")
            await asyncio.sleep(POLL)

    async def close(self) -> None:
        """Say goodbye to everybody, close the doors, and end the programs that did not end by themselves."""
        farewell = STOPPED if self.series.left else ALL_PLAYED
        self.main.close()
        for visitor in self.reception.visitors:
            visitor.close(1000, farewell)
        for player in self.players:
            player.turn_away(farewell)
        programs = [program for lane in self.lanes for program in lane.programs.values()]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(LAST_WORDS):
                while any(self.connections.values()) or any(program.running for program in programs):
                    await asyncio.sleep(POLL)
        await asyncio.gather(*(program.end() for program in programs))
        for lane in self.lanes:
            for door in lane.doors.values():
                door.close()
        await super().close()


def who_played(seat: Seat) -> str:
    """The name for the record of a game: also of who played on for somebody."""
    return f"{seat.person}, then {seat.agent}" if seat.kind == "bot" and seat.person else seat.name


async def refuse(lines: LineSocket, code: str, message: str) -> None:
    await lines.send(messages.worded("error", code=code, message=message))
    await lines.close(1008, message)


async def serve(
    plan: Plan,
    series: Series,
    listening: socket.socket,
    say: Callable[[str], None],
    opened: Callable[[], None] = lambda: None,
) -> None:
    """Open the doors, play all games, close the doors."""
    with tempfile.TemporaryDirectory(prefix="kibitz-host-") as folder:
        host = Host(plan, series, Path(folder), say)
        await host.open()
        try:
            await host.ready(plan.game)
            gc.collect()
            gc.freeze()  # what is loaded by now stays: to look through all of it again and again takes milliseconds
            await host.listen(listening)
            opened()
            await host.play()
        finally:
            await host.close()
    series.finish()
