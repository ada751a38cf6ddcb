"""One worker process from outside: requests and answers, limits, and its end.

A worker records every call of a bot in shared memory, so that the main program knows which bot hangs. Requests are
pickled. Answers are plain data, because a bot may write to any descriptor that it finds.
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

# The shared numbers: a counter of calls and returns (odd during a call), the kind of call, seat and turn, the number of
# running compilations, and the progress a bot reports (done, total).
CALLS, ASKED, SEAT, TURN, COMPILING, DONE, OF = range(7)
Shared = ctypes.c_longlong * (OF + 1)
LOAD, SIT, OBSERVE, DECIDE = range(4)  # kinds of calls
PURPOSE = ("load", "take its seat", "observe", "decide")
ANSWER, FAILURE, GAME = "answer", "failure", "game"  # messages from a worker; GAME precedes the answer
STARTING = 6  # loading a file or taking a seat may take this many times the limit of a move

HEADER = struct.Struct("<4sI")  # a magic word that is not printed by chance, and the length
WORD = b"\0kbz"
LONGEST = 16 << 20  # bytes of a message
LOOKS = 0.1  # seconds between two checks of a call's duration
FAMILY_LOOKS = 0.25  # seconds between two checks of memory and processes
COMPILE_TIME = 600.0  # seconds of compiling that do not count as thinking
AT_THE_END = 1.0  # seconds for the janitor to end
UNRESPONSIVE = 120.0  # seconds after which a worker outside a bot's call is given up; starting may be slow
FAREWELL = 1.0  # seconds for bots to close their files at the end
MOST_PROCESSES = 64  # processes of a bot, including its worker
USUAL_MEMORY = 4096  # default limit in megabytes for a worker and its children; KIBITZ_BOT_MEMORY changes it
KEPT_OUTPUT = 2000  # bytes of captured output

BOOT = "import json, sys; setup = json.loads(sys.argv.pop()); sys.path[:] = setup['path']; "
BOOT += "from kibitz.bots.worker import work; work(setup)"


class Where(NamedTuple):
    """The working folder and import path, which relative names of agents depend on."""

    folder: str
    path: tuple[str, ...]


def here() -> Where:
    return Where(str(os.getcwd()), tuple(sys.path))  # noqa: PTH109 (Path.cwd() also fails in a deleted folder)


def usual_memory() -> int:
    """Megabytes; 0 is no limit."""
    said = os.environ.get("KIBITZ_BOT_MEMORY", "")
    return int(said) if said.isdigit() else USUAL_MEMORY


class BotStoppedError(AgentError):
    """A bot was stopped or ended its process, during which call, in which seat and turn."""

    def __init__(self, happened: str, asked: int | None, seat: int, turn: int) -> None:
        super().__init__(happened)
        self.happened, self.asked, self.seat, self.turn = happened, asked, seat, turn

    @property
    def brief(self) -> str:
        """What happened, without advice, and without an exit code, which a bot could use as a message."""
        return self.happened.partition(" (")[0].partition(". ")[0]


class Janitor:
    """The process that ends our workers if we are killed. It starts with the first worker."""

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
    """One worker process, seen from the main program."""

    def __init__(self, memory: int | None = None, captured: bool = False, games: Sequence[str] = ()) -> None:
        """Start a worker with at most `megabytes` of memory, and load some games in advance. Output is captured or goes
        to our stderr.
        """
        self.megabytes = usual_memory() if memory is None else memory
        self.mark = f"{JANITOR.mark}.{next(JANITOR.numbers)}."
        self.messages: deque[Any] = deque()
        self.received, self.said = b"", b""
        self.gone = False  # no more messages will come
        self.waiting = False  # for an answer
        self.answered = False  # at least once
        self.took = 0.0  # seconds of the last answer
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
        """Send a request: a method of `worker.Worker` or a function of a worker, and its arguments."""
        self.waiting, self.used = True, time.monotonic()
        data = pickle.dumps(request)
        try:
            self.socket.sendall(HEADER.pack(WORD, len(data)) + data)
        except OSError:  # the worker is gone or does not read: `answer` will notice
            self.gone = True

    def answer(self, seconds: float, idle: float = float("inf"), spent: float = 0.0) -> Any:
        """The next message of the worker; a BotStoppedError if a bot's call takes longer than `seconds`.

        `spent` is how much of that it has used before; 0 seconds is no limit. Between calls the worker may take `idle`
        seconds.
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
        """The end of the captured output since the last call."""
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
        """Enforce the limits on memory and processes, where the system reports them."""
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
        """Describe why the process is gone: its bot ended it, or it was ended between two calls."""
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
        """Ask it to end by itself."""
        self.gone = True
        with contextlib.suppress(OSError):
            self.socket.shutdown(socket.SHUT_RDWR)

    def kill(self) -> None:
        """Kill it and everything its bots have started."""
        if self.process.returncode is None:
            family.end(self.process.pid, self.mark)
        else:  # its number may have been reused
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
    """Block signals while starting: a new process inherits the mask, so Ctrl-C in its first moments prints no
    traceback.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def end(processes: Sequence[BotProcess]) -> None:
    """Let processes end by themselves, and kill those that have not after a moment."""
    for process in processes:
        process.close()
    until = time.monotonic() + FAREWELL
    for process in processes:
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.process.wait(max(0.0, until - time.monotonic()))
        process.kill()
