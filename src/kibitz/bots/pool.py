"""A pool of worker processes.

Each table has one process for all its bots. When the limit is reached, a table that needs a process takes that of the
table whose bots have been idle for longest; those bots are seated again when they must decide.
"""

import atexit
import contextlib
import threading
import time
from collections.abc import Iterator, Sequence

from kibitz.bots.process import JANITOR, UNRESPONSIVE, BotProcess, BotStoppedError, end
from kibitz.errors import AgentError

IDLE = 300.0  # seconds after which an unused process is ended
TIDYING = 0.5  # seconds for a worker to drop its players


class Processes:
    """The worker processes of a program or a server."""

    def __init__(
        self, most: int | None = None, memory: int | None = None, captured: bool = False, spare: Sequence[str] = ()
    ) -> None:
        """At most `most` processes with `memory` megabytes each. One spare process is kept ready for the games in
        `spare`.
        """
        self.most, self.memory, self.captured, self.spare = most, memory, captured, spare
        self.changed = threading.Condition()
        self.all: set[BotProcess] = set()
        self.free: list[BotProcess] = []
        self.shared: dict[SharedProcess, BotProcess] = {}  # idle ones, least recently used first
        self.starting = 0
        self.ending = False

    @contextlib.contextmanager
    def borrowed(self) -> Iterator[BotProcess]:
        """Borrow a process. One that was stopped meanwhile is not returned."""
        process = self.take()
        try:
            yield process
        except BaseException:
            self.end(process)
            raise
        self.give(process)

    def take(self) -> BotProcess:
        """Take a process; if the limit is reached, wait for one."""
        with self.changed:
            while True:
                if self.ending:
                    raise AgentError("The program is ending and starts no more bots.")
                found = next((each for each in self.free if each.alive), None)
                if found is not None:
                    self.free.remove(found)
                    return found
                for dead in self.free:
                    self.all.discard(dead)
                self.free.clear()
                if self.most is None or len(self.all) + self.starting < self.most:
                    break
                if self.shared:
                    return self.shared.pop(next(iter(self.shared)))
                self.changed.wait()
            self.starting += 1
        return self._started()

    def take_clean(self) -> BotProcess:
        """Take a process in which no bot has left anything running."""
        while True:
            process = self.take()
            try:
                process.ask("forget_players")
                if process.answer(TIDYING, TIDYING if process.answered else UNRESPONSIVE)[1] is True:
                    return process
            except BotStoppedError:
                pass
            self.end(process)

    def give(self, process: BotProcess) -> None:
        with self.changed:
            self.free.append(process)
            self.changed.notify_all()

    def _started(self) -> BotProcess:
        """A new process, already counted as starting."""
        process = None
        try:
            process = BotProcess(self.memory, self.captured, self.spare)
        finally:
            with self.changed:
                self.starting -= 1
                if process is not None:
                    self.all.add(process)
                self.changed.notify_all()
        if self.ending:
            process.kill()
        return process

    def keep_spare(self) -> None:
        """Start a spare process unless one is free: starting takes a second, for which a player would wait."""
        with self.changed:
            full = self.most is not None and len(self.all) + self.starting >= self.most
            if not self.spare or self.free or self.ending or full:
                return
            self.starting += 1
        with contextlib.suppress(OSError):  # no descriptors or no memory now: the next bot to sit down tries again
            self.give(self._started())

    def end(self, process: BotProcess) -> None:
        process.kill()
        with self.changed:
            self.all.discard(process)
            self.changed.notify_all()

    def end_idle(self, seconds: float = IDLE) -> None:
        """End processes that were idle for long, and idle ones that exceed their limits."""
        now, ended = time.monotonic(), []
        with self.changed:
            spared = self.free[-1:] if self.spare else []
            owners = {process: shared for shared, process in self.shared.items()}
            for process in [*self.free, *owners]:
                if not process.alive or (process not in spared and now - process.used > seconds):
                    ended.append(process)
                else:
                    try:
                        process.check_family()
                    except BotStoppedError:
                        ended.append(process)
            for process in ended:
                self.shared.pop(owners[process], None) if process in owners else self.free.remove(process)
            self.all.difference_update(ended)
            self.changed.notify_all()
        end(ended)

    def begin_no_more(self) -> None:
        with self.changed:
            self.ending = True
            self.changed.notify_all()

    def kill(self) -> None:
        """Kill all processes now, because the program ends, and start no more."""
        self.begin_no_more()
        for process in list(self.all):
            process.kill()
        JANITOR.close()

    def close(self) -> None:
        """End all processes; bots get a moment to finish."""
        with self.changed:
            every, self.all, self.free = list(self.all), set(), []
            self.shared.clear()
            self.changed.notify_all()
        end(every)


class SharedProcess:
    """The process of one table's bots. It may change between two decisions: see `held`."""

    def __init__(self, processes: Processes) -> None:
        self.processes = processes
        self.lock = threading.RLock()  # one bot decides at a time
        self.working: BotProcess | None = None  # while somebody holds it
        self.stay = 0  # how often the process has changed
        self.gone: list[int] = []  # numbers of players that are no longer needed

    def forget(self, number: int) -> None:
        self.gone.append(number)

    @contextlib.contextmanager
    def held(self) -> Iterator[BotProcess]:
        """Hold the process for a decision. A new process has no players."""
        with self.lock:
            if self.working is not None:
                yield self.working
                return
            with self.processes.changed:
                self.working = self.processes.shared.pop(self, None)
            if self.working is None or not self.working.alive:
                if self.working is not None:
                    self.processes.end(self.working)
                self.working = self.processes.take_clean()
                self.gone, self.stay = [], self.stay + 1
                threading.Thread(target=self.processes.keep_spare, daemon=True).start()
            process = self.working
            try:
                yield process
            finally:
                self._put_back(process)

    def _put_back(self, process: BotProcess) -> None:
        if not process.alive or process.waiting:  # its late answer would be taken for another one
            self.working = None
            self.processes.end(process)
            return
        with self.processes.changed:
            self.working = None
            self.processes.shared[self] = process
            self.processes.changed.notify_all()

    def let_go(self) -> None:
        """The table no longer needs its bots. A bot that is deciding is stopped."""
        with self.processes.changed:
            idle, working = self.processes.shared.pop(self, None), self.working
        if idle is not None:
            self.processes.give(idle)
        elif working is not None:
            threading.Thread(target=working.kill, daemon=True).start()


PROCESSES = Processes()
atexit.register(PROCESSES.close)
