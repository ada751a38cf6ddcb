"""Plays games one after the other, and starts the programs for their launched seats."""

import asyncio
import time
from typing import TYPE_CHECKING, Any

from kibitz.errors import KibitzError
from kibitz.server.host.launched_program import LaunchedProgram
from kibitz.server.host.seat_offers import Offer, Port
from kibitz.server.live.messages import SeatSpec
from kibitz.server.live.session import Session
from kibitz.server.live.table import LiveTable

if TYPE_CHECKING:
    from kibitz.server.host.host import Host

AGAIN = 5.0  # seconds for a launched program that still runs to ask for the next game; then it is restarted
MOST_STARTS = 3  # of a program that ends before it sits down


class GameRunner:
    def __init__(self, host: "Host") -> None:
        self.host, self.plan = host, host.plan
        self.programs: dict[int, LaunchedProgram] = {}  # by seat
        self.ports: dict[int, Port] = {}

    async def play(self, number: int) -> None:
        """Play one game: offer its seats, wait for its end, report its result."""
        plan, host = self.plan, self.host
        seats = [SeatSpec("bot", agent=seat.what) if seat.kind == "agent" else SeatSpec("open") for seat in plan.seats]
        options = {
            "kibitz": False, "late": plan.late, "substitute": plan.substitute, "unwatched": True, "seed_chosen": True,
            "seed_hidden": plan.games > 1,
        }  # fmt: skip
        assert plan.seed is not None
        table, _, _ = await host.tables.set_up(plan.game, seats, dict(plan.rules), plan.seed, number, options)
        table.views.dialect = plan.dialect
        await self._offer(table)
        table.schedule_bots()
        await self._until_the_end(table)
        if number in host.series.left:
            raise KibitzError(
                f"Game {number + 1} could not be saved to {plan.save}: see the log. The same command goes on."
            )
        host.tell(table, table.state.forfeit or plan.game.verdict(table.state.core.state))
        for subscriber in list(table.audience.subscribers):
            if isinstance(subscriber, Session):
                subscriber.leave(table.id)
        host.tables.tables.pop(table.id, None)  # players of the wire protocol may still be leaving

    async def end(self) -> None:
        await asyncio.gather(*(program.end() for program in self.programs.values()))
        for port in self.ports.values():
            port.close()

    async def _offer(self, table: LiveTable) -> None:
        """Offer the seats of a table, and start the programs for them."""
        plan, host = self.plan, self.host
        for number, seat in sorted(enumerate(plan.seats), key=lambda each: each[1].kind == "open"):
            if seat.private and number not in self.ports:
                self.ports[number] = host.open_private_port()
            if seat.kind != "agent":
                host.offers.offer(Offer(table, number, self.ports.get(number)))
        waits = [table.game.seat_name(number) for number, seat in enumerate(plan.seats) if seat.kind == "open"]
        if waits and host.offers.open_at(table):
            host.tell(table, f"waits for {' and '.join(waits)}.")
        for number, seat in enumerate(plan.seats):
            if seat.kind == "launch" and number not in self.programs:
                port = self.ports[number].number if number in self.ports else host.port
                self.programs[number] = LaunchedProgram(seat.what, port)
            if seat.private:
                await self._launch(self.programs[number], table, number)

    async def _until_the_end(self, table: LiveTable) -> None:
        """Wait for the end of a game, and watch its launched programs meanwhile."""
        ended = asyncio.create_task(table.ended.wait())
        watched = [
            asyncio.create_task(
                self._watch(program, table, seat) if seat in self.ports else self._keep_running(program, table, seat)
            )
            for seat, program in self.programs.items()
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

    async def _watch(self, program: LaunchedProgram, table: LiveTable, seat: int) -> None:
        """Continue a game without a program that exited."""
        how = await program.died()
        await table.audience.changes.until(lambda: not table.audience.connected(seat))  # its last move may be unread
        where, status = table.game.seat_name(seat), table.state.status
        if status == "waiting":
            raise KibitzError(f"The program for {where} left before the game began: {how}")
        if status == "running" and table.state.seats[seat].kind == "person":
            self.host.tell(table, f"the program for {where}: {how}")
        await table.fails(seat, "went away")

    async def _launch(self, program: LaunchedProgram, table: LiveTable, seat: int) -> None:
        """Start a program that has a port of its own, and wait until it sits down."""
        if not self.host.offers.open_at(table, seat):
            return  # it still runs, and asked for another game
        if program.running and await self._sits_down(program, table, seat, AGAIN) == "":
            return
        await program.stop()  # it played one game, and does not mean to play another
        await program.start()
        trouble = await self._sits_down(program, table, seat, self.plan.launched_within)
        if trouble:
            raise KibitzError(f"The program for {table.game.seat_name(seat)} did not sit down: {trouble}")

    async def _sits_down(self, program: LaunchedProgram, table: LiveTable, seat: int, within: float) -> str:
        """Wait until a program has taken its seat. Returns what went wrong, if anything."""
        died = asyncio.create_task(program.died())
        taken = asyncio.create_task(table.seats_changed.until(lambda: table.state.seats[seat].kind != "open"))
        try:
            done, _ = await asyncio.wait([died, taken], timeout=within, return_when=asyncio.FIRST_COMPLETED)
        finally:
            died.cancel(), taken.cancel()
        if table.state.seats[seat].kind != "open":
            return ""  # even if it has exited since
        if died in done:
            return died.result()
        return f"{program.command!r} had {within:g} seconds for it.{program.last_words()}"

    async def _keep_running(self, program: LaunchedProgram, table: LiveTable, seat: int) -> None:
        """Keep a program running until the game begins. It comes through the public port and takes any free seat.

        A program that ends without an error may have played the game before, and is started again.
        """
        where, starts = table.game.seat_name(seat), 0
        people = any(each.kind == "open" for each in self.plan.seats)
        until = time.monotonic() + self.plan.launched_within
        while table.state.status == "waiting":
            if not program.running:
                if starts and (program.failed or starts == MOST_STARTS):
                    raise KibitzError(f"The program for {where} did not sit down: {await program.died()}")
                await program.start()
                starts += 1
            elif not people and time.monotonic() > until:
                had = f"{program.command!r} had {self.plan.launched_within:g} seconds for it.{program.last_words()}"
                raise KibitzError(f"The program for {where} did not sit down: {had}")
            died = asyncio.create_task(program.died())
            begun = asyncio.create_task(table.seats_changed.until(lambda: table.state.status != "waiting"))
            try:
                left = None if people else max(until - time.monotonic(), 0.0)
                await asyncio.wait([died, begun], timeout=left, return_when=asyncio.FIRST_COMPLETED)
            finally:
                died.cancel(), begun.cancel()
