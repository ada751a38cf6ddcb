"""A command of kibitz in a process of its own: started, watched, killed, and put under the limits of a system."""

import asyncio
import contextlib
import os
import re
import resource
import signal
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path

from tests.soak.promises import ENDS, LOG, STARTS, check

REPOSITORY = Path(__file__).parents[2]
MARK = "KIBITZ_SOAK"  # an environment variable by which all that a run started is found
ALARMS = ("Traceback (most recent call last)", "exception was never retrieved", "was never awaited")
KEPT_LINES = 60
LAST_PRINTED = "what it printed last:"
LOG_MINUTE = 60.0


class Process:
    """One run of a command; what it prints is read as it comes."""

    def __init__(self, words: Sequence[str], mark: str, temporary: Path, fails: Callable[[Exception], None]) -> None:
        self.words, self.mark, self.temporary, self.fails = words, mark, temporary, fails
        self.log: deque[str] = deque(maxlen=KEPT_LINES)
        self.printed: deque[tuple[float, int]] = deque()  # when, and how many bytes
        self.news = asyncio.Event()
        self.alarm = ""
        self.process: asyncio.subprocess.Process | None = None
        self.watching: asyncio.Task[None] | None = None

    async def start(self, ready: str) -> re.Match[str]:
        """Start it, and wait until it says that it is ready."""
        await self.begin()
        found = await self.says(ready, STARTS)
        if found is None:
            await self.say_where_it_is(STARTS)
        check(found is not None, f"a server that is started is ready within {STARTS:g} s", self.tail())
        assert found is not None
        return found

    async def say_where_it_is(self, seconds: float) -> None:
        """Let it print what its threads are doing: Python's fault handler does so when a process is aborted."""
        if not self.ended:
            self.log.append(f"After {seconds:g} s the process {self.pid} is at:")
            with contextlib.suppress(ProcessLookupError):
                os.kill(self.pid, signal.SIGABRT)
            await asyncio.sleep(2)

    async def begin(self) -> None:
        environment = {
            **os.environ, "COLUMNS": "200", "PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": "1",
            "TMPDIR": str(self.temporary), MARK: self.mark,
        }  # fmt: skip
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "kibitz", *self.words, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT, env=environment, cwd=REPOSITORY, limit=1 << 24,
        )  # fmt: skip
        self.watching = asyncio.create_task(self._watch())

    async def says(self, pattern: str, within: float) -> re.Match[str] | None:
        """Wait until a line of what it prints fits a pattern."""
        until = time.monotonic() + within
        while True:
            found = re.search(pattern, "\n".join(self.log))
            if found or time.monotonic() > until or (self.ended and self.watching is not None and self.watching.done()):
                return found
            self.news.clear()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.2):
                    await self.news.wait()

    async def _watch(self) -> None:
        assert self.process is not None
        assert self.process.stdout is not None
        try:
            async for line in self.process.stdout:
                self._printed(line.decode(errors="replace").rstrip())
        except Exception as error:
            self.fails(error)
        if self.alarm:
            self._sound_alarm()

    def _printed(self, line: str) -> None:
        self.log.append(line)
        self.news.set()
        now = time.monotonic()
        self.printed.append((now, len(line)))
        while self.printed[0][0] < now - LOG_MINUTE:
            self.printed.popleft()
        check(sum(size for _, size in self.printed) <= LOG, f"a log has less than {LOG} bytes a minute", self.tail())
        if not self.alarm and any(alarm in line for alarm in ALARMS):
            self.alarm = line
            asyncio.get_running_loop().call_later(0.5, self._sound_alarm)  # the rest of it is still to come

    def _sound_alarm(self) -> None:
        try:
            check(not self.alarm, "no traceback is ever logged", self.tail())
        except Exception as error:
            self.fails(error)

    def tail(self, lines: int = 40) -> str:
        return "\n    ".join([LAST_PRINTED, *list(self.log)[-lines:]])

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def ended(self) -> bool:
        return self.process is not None and self.process.returncode is not None

    def memory(self) -> float:
        """Megabytes it has in memory now, 0 if it ended."""
        try:
            pages = int(Path(f"/proc/{self.pid}/statm").read_text().split()[1])
        except (OSError, IndexError):
            return 0.0
        return pages * resource.getpagesize() / 1e6

    def starved(self) -> float:
        """Seconds that its main thread was ready to run and waited for a processor, if the system tells."""
        try:
            return int(Path(f"/proc/{self.pid}/schedstat").read_text().split()[1]) / 1e9
        except (OSError, IndexError):
            return 0.0

    def descriptors(self) -> int:
        return len(os.listdir(f"/proc/{self.pid}/fd"))  # noqa: PTH208 (names are not needed)

    def limit(self, what: int, most: int | None) -> None:
        """Give it less of something than it asks for, or again all that it may have."""
        with contextlib.suppress(ProcessLookupError):
            _, hard = resource.prlimit(self.pid, what)
            resource.prlimit(self.pid, what, (hard if most is None else most, hard))

    async def kill(self) -> None:
        """At once, in the middle of whatever it does."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        await self._gone()

    async def terminate(self) -> None:
        """As a system does that shuts down: it has to end soon."""
        assert self.process is not None
        begun, waited = time.monotonic(), self.starved()
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGTERM)
        while not self.ended:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(0.2):
                    await self.process.wait()
            # as everywhere, time in which it waits for a processor that others use does not count
            late = time.monotonic() - begun - max(0.0, self.starved() - waited) > ENDS
            if late and not self.ended:
                await self.say_where_it_is(ENDS)
                tail = self.tail(KEPT_LINES)
                await self.kill()
                check(False, f"after SIGTERM a server ends within {ENDS:g} s", tail)
        await self._gone()

    async def _gone(self) -> None:
        assert self.process is not None
        await self.process.wait()
        if self.watching is not None:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(2):  # a launched program may still hold the pipe
                    await self.watching


def marked(mark: str) -> list[tuple[int, str]]:
    """Every process that a run started and that still runs, with its command."""
    found = []
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal() or int(folder.name) == os.getpid():
            continue
        with contextlib.suppress(OSError):
            if f"{MARK}={mark}".encode() in (folder / "environ").read_bytes():
                state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
                if state != "Z":
                    command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
                    found.append((int(folder.name), command))
    return found
