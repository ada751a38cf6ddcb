"""Processes in which somebody else's Python runs: watched from outside, and killed when a bot hangs.

Only another process can end code that never returns to the interpreter. What runs in these is in `bot_worker`. A
process that is free is kept for the next match, and all end with this one.
"""

import atexit
import contextlib
import ctypes
import multiprocessing.util  # noqa: F401 (its exit handler must run after ours, so it is registered first)
import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pickle import UnpicklingError
from typing import Any, NamedTuple

from kibitz.core.errors import AgentError

# The numbers of the memory that is shared with a worker: how often a bot was called or came back (odd while it is
# called), what it was asked for, in which seat, in which turn, how many compilations are going on, and how much of how
# much a bot has done that tells.
CALLS, ASKED, SEAT, TURN, COMPILING, DONE, OF = range(7)
LOAD, SIT, OBSERVE, DECIDE = range(4)  # what a bot can be asked for
PURPOSE = ("load", "take its seat", "observe", "decide")
ANSWER, FAILURE, GAME = "answer", "failure", "game"  # what a worker sends; a game comes before the answer
STARTING = 6  # times as long for what is done once: to load a file with all it imports, or to take a seat

LOOKS = 0.1  # seconds between two looks at how long a bot has been called
FAREWELL = 1.0  # seconds that bots have to close their files when everything is over


class Where(NamedTuple):
    """From where agents are looked for: what relative paths and imports mean."""

    folder: str
    path: tuple[str, ...]


def here() -> Where:
    return Where(str(os.getcwd()), tuple(sys.path))  # noqa: PTH109 (a folder that was deleted has no Path either)


class BotStoppedError(AgentError):
    """A bot that had to be stopped, or ended its process: what was asked of it, in which seat and turn."""

    def __init__(self, happened: str, asked: int | None, seat: int, turn: int) -> None:
        super().__init__(happened)
        self.happened, self.asked, self.seat, self.turn = happened, asked, seat, turn


class BotProcess:
    """One worker process, from this side."""

    def __init__(self) -> None:
        from kibitz.arena.bot_worker import work

        context = get_context("spawn")
        self.shared: Any = context.RawArray(ctypes.c_longlong, OF + 1)
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=work, args=(theirs, self.shared), name="kibitz bots")
        with signals_held():
            self.process.start()
        theirs.close()
        self.ready = waiter(self.pipe)

    def ask(self, *request: Any) -> None:
        """Send a request: the name of a method of `bot_worker.Worker`, and what it takes."""
        with contextlib.suppress(OSError):  # broken pipe, the worker is gone: `answer` finds out
            self.pipe.send(request)

    def answer(self, seconds: float) -> Any:
        """The next message of the worker; a BotStoppedError if a bot takes longer than so many seconds for a call."""
        calls, since = -1, 0.0
        look = min(LOOKS, seconds / 4) if seconds else None
        while True:
            try:
                if self.ready(look):
                    return self.pipe.recv()
            except (EOFError, OSError, UnpicklingError):
                raise self._ended() from None
            now = time.monotonic()
            if self.shared[CALLS] % 2 == 0 or self.shared[CALLS] != calls or self.shared[COMPILING]:
                calls, since = self.shared[CALLS], now
            elif now - since > seconds * (STARTING if self.shared[ASKED] in (LOAD, SIT) else 1):
                raise self._too_slow(seconds)

    def _too_slow(self, seconds: float) -> BotStoppedError:
        self.kill()
        asked = int(self.shared[ASKED])
        limit = seconds * (STARTING if asked in (LOAD, SIT) else 1)
        happened = (
            f"took longer than {limit:g} {'second' if limit == 1 else 'seconds'} to {PURPOSE[asked]}. Give it more "
            f"time with --bot-seconds, or look for what it waits for"
        )
        return BotStoppedError(happened, asked, int(self.shared[SEAT]), int(self.shared[TURN]))

    def _ended(self) -> BotStoppedError:
        """The process is gone: the bot that was called last ended it, or somebody else did between two calls."""
        self.process.join(FAREWELL)
        code = self.process.exitcode
        self.kill()
        how = f"signal {-code}" if code is not None and code < 0 else f"exit code {code}"
        called = self.shared[CALLS] % 2 == 1
        asked = int(self.shared[ASKED]) if called else None
        doing = f" when it was to {PURPOSE[asked]}" if asked is not None else ""
        return BotStoppedError(
            f"ended its process{doing} ({how})", asked, int(self.shared[SEAT]), int(self.shared[TURN])
        )

    @property
    def alive(self) -> bool:
        return self.process.is_alive() and not self.pipe.closed

    def close(self) -> None:
        """Let it end by itself."""
        with contextlib.suppress(OSError):
            self.pipe.close()

    def kill(self) -> None:
        """End it and whatever programs its bots have started."""
        pid = self.process.pid
        if pid is not None and hasattr(os, "killpg"):
            with contextlib.suppress(OSError):  # it has not begun its session yet, or all of it is gone
                os.killpg(pid, signal.SIGKILL)
        with contextlib.suppress(OSError, ValueError):
            self.process.kill()
            self.process.join(FAREWELL)


def waiter(pipe: Connection) -> Callable[[float | None], Any]:
    """Whether a message has come, at the latest after so many seconds: `Connection.poll` without its preparations."""
    if not hasattr(select, "poll"):
        return pipe.poll
    poller = select.poll()
    poller.register(pipe.fileno(), select.POLLIN)
    return lambda seconds: poller.poll(None if seconds is None else 1000 * seconds)


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Block signals: a new process inherits the signal mask, so that Ctrl-C in its first moments gives no traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class Processes:
    """All worker processes of this program."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.all: set[BotProcess] = set()
        self.free: list[BotProcess] = []
        self.ending = False

    @contextlib.contextmanager
    def borrowed(self) -> Iterator[BotProcess]:
        """A process for as long as it takes; one that was stopped in the middle does not come back."""
        process = self.take()
        try:
            yield process
        except BaseException:
            self._end(process)
            raise
        with self.lock:
            self.free.append(process)

    def take(self) -> BotProcess:
        """A process to keep."""
        with self.lock:
            found = next((each for each in self.free if each.alive), None)
            self.free = [each for each in self.free if each is not found and each.alive]
        return found or self._started()

    def _started(self) -> BotProcess:
        if self.ending:
            raise AgentError("The program is ending; no further bots are started.")
        process = BotProcess()
        with self.lock:
            self.all.add(process)
        if self.ending:
            process.kill()
        return process

    def _end(self, process: BotProcess) -> None:
        process.kill()
        with self.lock:
            self.all.discard(process)

    def release(self) -> None:
        """End the processes that nobody uses, in order: for a program that goes on without bots."""
        with self.lock:
            free, self.free = self.free, []
            self.all.difference_update(free)
        end(free)

    def kill(self) -> None:
        """End every process now, whatever it does; no further ones are begun."""
        self.ending = True
        for process in list(self.all):
            process.kill()

    def close(self) -> None:
        """End every process; bots have a moment to do it in order."""
        with self.lock:
            every, self.all, self.free = list(self.all), set(), []
        end(every)


def end(processes: Sequence[BotProcess]) -> None:
    """Let processes end by themselves; whichever has not after a moment is killed."""
    for process in processes:
        process.close()
    until = time.monotonic() + FAREWELL
    for process in processes:
        process.process.join(max(0.0, until - time.monotonic()))
        process.kill()


PROCESSES = Processes()
atexit.register(PROCESSES.close)
