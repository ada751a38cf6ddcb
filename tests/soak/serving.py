"""`kibitz serve` for the length of a run: started again whenever it was ended, and everything known about it."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

from tests.soak.clients import Client, LostError, Message, http, lines, page
from tests.soak.processes import Process
from tests.soak.promises import ANSWERED, GROWTH, STARTS, BrokenPromiseError, Clock, Tally, check
from tests.soak.received import ReceivedGames

UNRULY = "tests/server/web/unruly.py"
BAD_BOTS = ("Crashing", "Exiting", "Illegal", "Babbling", "Busy", "Sleeping", "Unborn")
GAMES = ("hanabi", "loveletter")
# All honest players come from one address, and play faster than people: what an address may do is not for them.
LIMITS = ("tables_per_minute_by_address=100000", "sessions_per_second=1000", "uploads_per_minute=100000",
          "upload_bytes_per_minute=1000000000", "advice_per_minute=1000")  # fmt: skip
READY = r"http://localhost:(\d+)/[\s\S]*connect to port (\d+)"
PLACE_NEEDED = "Your place is needed"
SETTLED = 4  # seconds in which its memory does not grow
CALM_AFTER = 3.0  # seconds after a fault until answers count as undisturbed


class Serving:
    def __init__(self, folder: Path, mark: str, seed: int, tally: Tally) -> None:
        self.folder, self.mark, self.seed, self.tally = folder, mark, seed, tally
        self.data, self.temporary = folder / "data", folder / "tmp"
        for each in (self.data, self.temporary):
            each.mkdir(parents=True, exist_ok=True)
        self.clock, self.tables = Clock(), ReceivedGames()
        self.process: Process | None = None
        self.port = self.programs = 0
        self.up = asyncio.Event()
        self.starts = 0  # how often it was started
        self.going_down = False
        self.closing = False  # the run comes to its end: games are finished quickly
        self.active: set[str] = set()  # faults
        self.calm_since = 0.0
        self.first_memory = 0.0
        self.disk_full = self.lobby_filled = False
        tally.server_log = lambda: self.process.tail(15) if self.process is not None else ""
        self.failure: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.changing = asyncio.Lock()  # held while the process is started, stopped or limited

    def dice(self, name: str) -> random.Random:
        return random.Random(f"{self.seed} {name}")

    def fails(self, error: Exception) -> None:
        if not self.failure.done():
            self.failure.set_exception(error)

    # The process

    def new_process(self) -> Process:
        agents = [f"hanabi={UNRULY}:{name}" for name in BAD_BOTS]
        words = ["serve", "--no-open", "--port", "0", "--programs", "0", "--data", str(self.data)]
        words += [word for agent in agents for word in ("--agent", agent)]
        words += [word for limit in LIMITS for word in ("--limit", limit)]
        return Process(words, self.mark, self.temporary, self.fails)

    async def start(self) -> None:
        self.process = self.new_process()
        found = await self.process.start(READY)
        self.port, self.programs = int(found[1]), int(found[2])
        self.starts += 1
        self.going_down = False
        self.scarce = False
        await self._first_table()
        self.first_memory = self.first_memory or await self._settled_memory(self.process)
        self.clock.go_on("down")
        self.up.set()

    async def _settled_memory(self, process: Process) -> float:
        """What it has when the games are loaded that it makes ready after its start."""
        memory = [process.memory()]
        while len(memory) < STARTS and not (len(memory) > SETTLED and memory[-1] < memory[-1 - SETTLED] + 1):
            await asyncio.sleep(1)
            memory.append(process.memory())
        return max(memory)

    async def _first_table(self) -> None:
        """Every game is loaded before time counts: compiling it, the first time, takes a minute."""
        for game in GAMES:
            async with self.visitor("First") as client, client.expecting(seat_or_error) as future:
                await client.say("create", game=game)
                async with asyncio.timeout(300):
                    await future

    async def stop(self, kill: bool) -> None:
        """End it: at once, or as a system does that shuts down."""
        assert self.process is not None
        self.going_down = True
        self.clock.stop("down")
        self.up.clear()
        await (self.process.kill() if kill else self.process.terminate())
        self.tally.counts["kills" if kill else "terms"] += 1

    async def restart(self, kill: bool, stillborn: float = 0.0) -> None:
        """End it and start it again, after an attempt that is killed some seconds after its start."""
        async with self.changing:
            await self.stop(kill)
            if stillborn:
                self.process = self.new_process()
                await self.process.begin()
                await asyncio.sleep(stillborn)
                await self.process.kill()
                self.tally.counts["kills"] += 1
            await self.start()
        await self.check_finished_games()

    async def check_finished_games(self) -> None:
        dice = self.dice(f"finished {self.starts}")
        known = sorted(self.tables.finished)
        for id in dice.sample(known, min(3, len(known))):
            status, text = await self.http(f"/api/tables/{id}.json")
            check(
                status == 200, "a finished game keeps its moves and its result", f"table {id}: {status} {text[:300]!r}"
            )
            self.tables.check_finished(id, text)

    async def watch(self) -> None:
        """Memory, and whether it still runs."""
        while True:
            await asyncio.sleep(1)
            if self.process is None or self.going_down or not self.up.is_set():
                continue
            check(not self.process.ended, "a server runs until it is stopped", self.process.tail())
            memory = self.tally.memory = self.process.memory()
            self.tally.most_memory = max(self.tally.most_memory, memory)
            most = self.first_memory + GROWTH
            check(
                memory <= most,
                f"a server takes less than {GROWTH:g} MB more than at its start",
                f"{memory:.0f} MB, {most:.0f} allowed",
            )

    def starved(self) -> float:
        return self.process.starved() if self.process is not None and self.up.is_set() else 0.0

    # Faults that are active

    @contextlib.contextmanager
    def fault(self, name: str) -> Iterator[None]:
        self.active.add(name)
        self.tally.faults[name] += 1
        try:
            yield
        finally:
            self.active.discard(name)
            self.calm_since = asyncio.get_running_loop().time() + CALM_AFTER

    @property
    def calm(self) -> bool:
        return not self.active and asyncio.get_running_loop().time() > self.calm_since and self.up.is_set()

    # Who comes

    @contextlib.asynccontextmanager
    async def visitor(self, name: str, program: bool = False, home: str = "") -> AsyncIterator[Client]:
        """Somebody without a seat, who said hello."""
        options = {"local_addr": (home, 0)} if home else {}
        link = await (lines(self.programs, **options) if program else page(self.port, **options))
        client = Client(link, self.clock)
        try:
            await client.hello(name)
            yield client
        finally:
            await client.close()

    async def http(
        self, path: str, body: bytes | None = None, content_type: str = "application/json"
    ) -> tuple[int, bytes]:
        """A request of an honest visitor: it is answered, unless the server was ended meanwhile."""
        begun = self.clock.now()
        while True:
            starts = self.starts
            await self.up.wait()
            try:
                status, answer = await http(self.port, path, body, content_type)
                if status != 503 or not (self.scarce or self.disk_full or "disk" in self.active):
                    return status, answer
                begun = self.clock.now()  # it received the reason, and may come back
            except LostError as error:
                if self.clock.now() - begun > ANSWERED and starts == self.starts and not self.going_down:
                    raise BrokenPromiseError(
                        f"a request over HTTP is answered within {ANSWERED:g} s", str(error)
                    ) from None
            await asyncio.sleep(0.2)

    async def after(self, lost: LostError, starts: int) -> None:
        """A connection ended. Either the server was ended too, or an honest client was thrown out.

        When there are no descriptors left, a client without a seat may have to make room; it comes back at once.
        """
        if self.scarce and PLACE_NEEDED in str(lost):
            return
        begun = self.clock.now()
        while starts == self.starts and not self.going_down:
            check(self.clock.now() - begun < 2, "an honest client keeps its connection", str(lost))
            await asyncio.sleep(0.1)
        await self.up.wait()


def seat_or_error(message: Message) -> bool:
    return message["type"] in ("seat", "error")


def refused(message: Message) -> str:
    """The code of an error, or nothing."""
    return str(message["code"]) if message["type"] == "error" else ""
