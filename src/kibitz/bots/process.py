"""One worker process from outside: requests and answers, limits, and its end.

A worker shares a small block of memory with this side, in which it notes every call of a bot. So whoever waits for an
answer knows which bot hangs and since when. Requests are pickled. What comes back is data and nothing else, as a bot
may write to any descriptor that it finds.
"""

import atexit
import contextlib
import ctypes
import itertools
import json
import mmap
import os
import pickle
import secrets
import selectors
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec

from kibitz.bots import family
from kibitz.errors import AgentError
from kibitz.text import fit

# The shared numbers: how often a bot was called or came back (odd while it is called), what it was asked for, in which
# seat, in which turn, how many compilations are going on, and how much of how much a bot has done that reports it.
CALLS, ASKED, SEAT, TURN, COMPILING, DONE, OF = range(7)
Shared = ctypes.c_longlong * (OF + 1)
LOAD, SIT, OBSERVE, DECIDE = range(4)  # what a bot can be asked for
PURPOSE = ("load", "take its seat", "observe", "decide")
ANSWER, FAILURE, GAME = "answer", "failure", "game"  # what a worker sends; a game comes before the answer
STARTING = 6  # times the limit of a move: to load a file with all it imports, or to take a seat

HEADER = struct.Struct("<4sI")  # a word that nobody prints by chance, and the length of what follows
WORD = b"\0kbz"
LONGEST = 16 << 20  # bytes of a message
LOOKS = 0.1  # seconds between two looks at how long a bot has been called
FAMILY_LOOKS = 0.25  # seconds between two looks at memory and processes
COMPILE_TIME = 600.0  # seconds that compiling may take before it counts as thinking: the first time takes long
AT_THE_END = 1.0  # seconds for the janitor to end
UNRESPONSIVE = 120.0  # seconds without a call of a bot after which a worker is given up: it may have to start
FAREWELL = 1.0  # seconds that bots have to close their files when everything is over
MOST_PROCESSES = 64  # that a bot may have at a time, its worker included
USUAL_MEMORY = 4096  # megabytes of a worker with all its bots have started, unless KIBITZ_BOT_MEMORY says otherwise
KEPT_OUTPUT = 2000  # bytes of what a bot printed, where that is captured

BOOT = "import json, sys; setup = json.loads(sys.argv.pop()); sys.path[:] = setup['path']; "
BOOT += "from kibitz.bots.worker import work; work(setup)"


class Where(NamedTuple):
    """From where agents are looked for: what relative paths and imports mean."""

    folder: str
    path: tuple[str, ...]


def here() -> Where:
    return Where(str(os.getcwd()), tuple(sys.path))  # noqa: PTH109 (a folder that was deleted has no Path either)


def usual_memory() -> int:
    """Megabytes; 0 is no limit."""
    said = os.environ.get("KIBITZ_BOT_MEMORY", "")
    return int(said) if said.isdigit() else USUAL_MEMORY


class BotStoppedError(AgentError):
    """A bot that had to be stopped, or ended its process: what was asked of it, in which seat and turn."""

    def __init__(self, happened: str, asked: int | None, seat: int, turn: int) -> None:
        super().__init__(happened)
        self.happened, self.asked, self.seat, self.turn = happened, asked, seat, turn

    @property
    def brief(self) -> str:
        """What happened, without advice and without a number that the bot may have chosen to say something with."""
        return self.happened.partition(" (")[0].partition(". ")[0]


class Janitor:
    """The process that ends our workers if we are killed. It is started with the first of them."""

    def __init__(self) -> None:
        self.mark, self.numbers, self.lock = secrets.token_hex(8), itertools.count(), threading.Lock()
        self.process: subprocess.Popen[str] | None = None

    def note(self, line: str) -> None:
        with self.lock, contextlib.suppress(OSError, ValueError):
            if self.process is None:
                command = [sys.executable, "-I", "-S", family.__file__, self.mark]
                self.process = subprocess.Popen(
                    command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, text=True,
                    start_new_session=True,
                )  # fmt: skip
            assert self.process.stdin is not None
            print(line, file=self.process.stdin, flush=True)

    def close(self) -> None:
        """Wait until it has ended, so that nothing outlives a program that ends by itself."""
        with self.lock:
            process, self.process = self.process, None
        if process is not None:
            assert process.stdin is not None
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):
                process.stdin.close()
                process.wait(AT_THE_END)


JANITOR = Janitor()
atexit.register(JANITOR.close)  # after the workers have ended: what is registered last comes first


@contextlib.contextmanager
def closing_after(descriptor: int | None) -> Iterator[None]:
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


class BotProcess:
    """One worker process, from this side."""

    def __init__(self, memory: int | None = None, captured: bool = False, games: Sequence[str] = ()) -> None:
        """With at most so many megabytes. What is printed is captured, or else appears with our errors; the games are
        loaded before they are asked for."""
        self.megabytes = usual_memory() if memory is None else memory
        self.mark = f"{JANITOR.mark}.{next(JANITOR.numbers)}."
        self.messages: deque[Any] = deque()
        self.received, self.said = b"", b""
        self.gone = False  # nothing more comes
        self.waiting = False  # for an answer
        self.answered = False  # ever
        self.took = 0.0  # seconds, for the last one
        self.used = time.monotonic()
        with contextlib.ExitStack() as unless_started:  # where there are no more descriptors, none is left open
            self._start(captured, games, unless_started)
            unless_started.pop_all()
        self.socket.settimeout(UNRESPONSIVE)
        self.selector = getattr(selectors, "PollSelector", selectors.DefaultSelector)()
        self.selector.register(self.socket, selectors.EVENT_READ, self._receive)
        if captured:
            self.selector.register(self.output, selectors.EVENT_READ, self._hear)

    def _start(self, captured: bool, games: Sequence[str], unless_started: contextlib.ExitStack) -> None:
        self.socket, theirs = socket.socketpair()
        unless_started.enter_context(self.socket)
        self.output, writes = os.pipe() if captured else (-1, 2)
        if captured:
            unless_started.callback(os.close, self.output)
        with theirs, closing_after(writes if captured else None), tempfile.TemporaryFile() as file:
            file.truncate(ctypes.sizeof(Shared))
            self.shared: Any = Shared.from_buffer(mmap.mmap(file.fileno(), ctypes.sizeof(Shared)))
            passed = (theirs.fileno(), file.fileno())
            setup = {
                "path": sys.path, "socket": passed[0], "shared": passed[1], "megabytes": self.megabytes, "games": games
            }  # fmt: skip
            with signals_held():
                self.process = subprocess.Popen(
                    [sys.executable, "-c", BOOT, json.dumps(setup)], stdin=subprocess.DEVNULL, stdout=writes,
                    stderr=writes, pass_fds=passed, start_new_session=True,
                    env={**os.environ, family.MARK: self.mark},
                )  # fmt: skip
        JANITOR.note(f"+{self.process.pid}")

    def ask(self, *request: Any) -> None:
        """Send a request: the name of a method of `worker.Worker`, or a function of a worker, and what it takes."""
        self.waiting, self.used = True, time.monotonic()
        data = pickle.dumps(request)
        try:
            self.socket.sendall(HEADER.pack(WORD, len(data)) + data)
        except OSError:  # the worker is gone or reads nothing: `answer` finds out
            self.gone = True

    def answer(self, seconds: float, idle: float = float("inf"), spent: float = 0.0) -> Any:
        """The next message of the worker; a BotStoppedError if a bot takes longer than so many seconds for a call.

        Of those it has spent some before. Between calls the worker may take as long as `idle`. For bots, 0 seconds are
        no limit.
        """
        begun = since = looked = time.monotonic()
        calls, look = -1, min(LOOKS, seconds / 4) if seconds else LOOKS
        while not self.messages:
            for key, _ in self.selector.select(look):
                key.data()
            if self.messages:
                break
            if self.gone:
                raise self._ended()
            now, called = time.monotonic(), self.shared[CALLS]
            compiles = self.shared[COMPILING] and now - begun < COMPILE_TIME
            if called != calls or compiles:
                calls, since = called, now
            elif now - since > (self._limit(seconds) - spent if called % 2 else idle):
                raise self._too_slow(seconds) if called % 2 else self._stopped("does not answer any more")
            if now - looked > FAMILY_LOOKS:
                looked = now
                self.check_family()
        kind, value = self.messages.popleft()
        self.answered, self.waiting, self.took = True, kind == GAME, time.monotonic() - since
        return kind, value

    def _receive(self) -> None:
        try:
            data = self.socket.recv(1 << 16)
        except OSError:
            data = b""
        self.gone = not data
        self.received += data
        while len(self.received) >= HEADER.size:
            word, length = HEADER.unpack_from(self.received)
            if word != WORD or length > LONGEST:
                raise self._stopped("wrote to a descriptor that is not its own")
            if len(self.received) < HEADER.size + length:
                return
            data, self.received = self.received[HEADER.size :][:length], self.received[HEADER.size + length :]
            try:
                kind, value = msgspec.msgpack.decode(data)
            except (msgspec.DecodeError, ValueError, TypeError):
                raise self._stopped("wrote to a descriptor that is not its own") from None
            self.messages.append((kind, value))

    def _hear(self) -> None:
        data = os.read(self.output, 1 << 16)
        if not data:
            self.selector.unregister(self.output)
        self.said = (self.said + data)[-KEPT_OUTPUT:]

    def last_words(self) -> str:
        """The end of what was printed since the last look, where that is captured."""
        said, self.said = fit(self.said.decode(errors="replace").strip()), b""
        return said

    def _limit(self, seconds: float) -> float:
        return seconds * (STARTING if self.shared[ASKED] in (LOAD, SIT) else 1) or float("inf")

    def _too_slow(self, seconds: float) -> BotStoppedError:
        limit, purpose = self._limit(seconds), PURPOSE[self.shared[ASKED]]
        return self._stopped(
            f"took longer than {limit:g} {'second' if limit == 1 else 'seconds'} to {purpose}. Give it more time "
            f"(--bot-seconds, at a server --limit bot_seconds=S), or look for what it waits for"
        )

    def check_family(self) -> None:
        """Refuse too much memory and too many processes, where the system tells of them."""
        pids = family.members(self.mark)
        if len(pids) > MOST_PROCESSES:
            raise self._stopped(f"started {len(pids) - 1} processes; {MOST_PROCESSES - 1} are allowed")
        if self.megabytes and family.memory(pids) > self.megabytes << 20:
            raise self._stopped(
                f"used more than {self.megabytes} MB of memory. Allow it more (KIBITZ_BOT_MEMORY=MB, at a server "
                f"--limit bot_memory=MB), or look for what it keeps"
            )

    def _stopped(self, happened: str) -> BotStoppedError:
        asked, seat, turn = int(self.shared[ASKED]), int(self.shared[SEAT]), int(self.shared[TURN])
        self.kill()
        return BotStoppedError(happened, asked, seat, turn)

    def _ended(self) -> BotStoppedError:
        """The process is gone: the bot that was called last ended it, or somebody else did between two calls."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(FAREWELL)
        code = self.process.returncode
        how = "its connection is closed" if code is None else f"signal {-code}" if code < 0 else f"exit code {code}"
        called = self.shared[CALLS] % 2 == 1
        doing = f" when it was to {PURPOSE[self.shared[ASKED]]}" if called else ""
        stopped = self._stopped(f"ended its process{doing} ({how})")
        stopped.asked = stopped.asked if called else None
        return stopped

    @property
    def alive(self) -> bool:
        return not self.gone and self.process.poll() is None

    def close(self) -> None:
        """Let it end by itself."""
        self.gone = True
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)

    def kill(self) -> None:
        """End it and whatever its bots have started."""
        if self.process.returncode is None:
            family.end(self.process.pid, self.mark)
        else:  # its number may be somebody else's by now
            family.end_marked(self.mark)
        JANITOR.note(f"-{self.process.pid}")
        with contextlib.suppress(OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait(FAREWELL)
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "selector"):
            self.selector.close()
            self.socket.close()
            if self.output >= 0:
                os.close(self.output)


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


def end(processes: Sequence[BotProcess]) -> None:
    """Let processes end by themselves; whichever has not after a moment is killed."""
    for process in processes:
        process.close()
    until = time.monotonic() + FAREWELL
    for process in processes:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.process.wait(max(0.0, until - time.monotonic()))
        process.kill()
