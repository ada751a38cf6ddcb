"""Threads for bots to think in, so that the event loop never waits for one of them.

Moves come before advice, and each has threads of its own. Within them everybody has a turn: a table, an agent in
Python or somebody who asks for advice waits for one job of every other, not for all that others have asked for before.

A compiled bot thinks without holding Python's global lock. A bot in Python that hangs cannot be stopped for sure, so
its thread is asked to stop, replaced by a fresh one, and abandoned; there is a limit to how many of those there may be.
The time in which a thread compiles something, or waits for another that does, does not count, and no thread is stopped
in it: the compiler's lock would be held for ever.
"""

import asyncio
import contextlib
import ctypes
import itertools
import os
import threading
import time
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from kibitz.core.compile import Listener, listen, stop_listening
from kibitz.core.errors import AgentError

Result = TypeVar("Result")

TICK = 0.1  # seconds between two looks at who takes too long
MOST_ABANDONED = 8  # threads that hang in a bot's code, before no further Python bots are run
COMPILING = 600.0  # seconds: the first time on a machine takes long
NICENESS = 10  # of threads that give advice, where the system has priorities for threads


class TooSlowError(AgentError):
    """A bot that took longer than it may."""


class AbandonedError(BaseException):
    """Raised in the thread of a bot that hangs: not an Exception, which bots may catch."""


class CompilerWatch(Listener):
    """The threads that hold the compiler's locks or wait for them."""

    KINDS = ("numba:compiler_lock", "numba:llvm_lock")

    def __init__(self) -> None:
        self.lock = threading.RLock()  # who holds it knows that nobody else begins to compile
        self.depths: Counter[int] = Counter()  # by thread id: locks are taken within locks

    def on_start(self, event: Any) -> None:
        with self.lock:
            self.depths[threading.get_ident()] += 1

    def on_end(self, event: Any) -> None:
        with self.lock:
            self.depths[threading.get_ident()] -= 1

    def forget(self) -> None:
        """Thread ids are reused: clear the count that a finished thread of the same id may have left."""
        with self.lock:
            self.depths.pop(threading.get_ident(), None)

    def compiles(self, thread: threading.Thread | None) -> bool:
        return thread is not None and thread.ident is not None and self.depths[thread.ident] > 0


@dataclass(eq=False)
class Job:
    """Something to be worked out, for whom, and who waits for it."""

    key: str
    call: Callable[[], Any]
    seconds: float
    answer: "asyncio.Future[Any]"
    thread: "threading.Thread | None" = None
    until: float = float("inf")


class FairQueue:
    """Jobs that wait, taken from each key in turn, and not more than so many of one key at the same time."""

    def __init__(self, at_once: int) -> None:
        self.at_once = at_once
        self.waiting: OrderedDict[str, deque[Job]] = OrderedDict()
        self.running: Counter[str] = Counter()
        self.changed = threading.Condition()
        self.closed = False

    def __len__(self) -> int:
        return sum(map(len, self.waiting.values()))

    def put(self, job: Job) -> None:
        with self.changed:
            self.waiting.setdefault(job.key, deque()).append(job)
            self.changed.notify()

    def get(self) -> Job | None:
        """The next job, as soon as there is one; None when the queue is closed."""
        with self.changed:
            while not self.closed:
                for key, jobs in self.waiting.items():
                    if self.running[key] < self.at_once:
                        job = jobs.popleft()
                        self.running[key] += 1
                        if jobs:
                            self.waiting.move_to_end(key)
                        else:
                            del self.waiting[key]
                        return job
                self.changed.wait()
            return None

    def done(self, job: Job) -> None:
        with self.changed:
            self.running[job.key] -= 1
            if not self.running[job.key]:
                del self.running[job.key]
            self.changed.notify_all()

    def close(self) -> None:
        with self.changed:
            self.closed = True
            self.changed.notify_all()


class ThreadPool:
    """So many threads that take jobs from one queue."""

    def __init__(self, name: str, threads: int, at_once: int, watch: CompilerWatch, nice: bool = False) -> None:
        self.name, self.threads, self.watch, self.nice = name, threads, watch, nice
        self.queue = FairQueue(at_once)
        self.running: set[Job] = set()
        self.lock = threading.Lock()
        self.started = 0

    def submit(self, job: Job) -> None:
        if self.started < self.threads:  # threads are started as they are needed
            self.started += 1
            self._start_thread()
        self.queue.put(job)

    def _start_thread(self) -> None:
        threading.Thread(target=self._work, name=self.name, daemon=True).start()

    def _work(self) -> None:
        self.watch.forget()
        if self.nice:
            with contextlib.suppress(OSError, AttributeError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        with contextlib.suppress(AbandonedError):
            while (job := self.queue.get()) is not None:
                if not self._run(job):
                    return  # abandoned meanwhile; another has this thread's place

    def _run(self, job: Job) -> bool:
        """Do one job; whether the thread may go on to the next."""
        if job.answer.cancelled():
            self.queue.done(job)
            return True
        job.thread, job.until = threading.current_thread(), time.monotonic() + job.seconds
        with self.lock:
            self.running.add(job)
        result, failure = None, None
        try:
            result = job.call()
        except AbandonedError:
            return False
        except BaseException as error:
            failure = error
        with self.lock:
            in_time = job in self.running
            self.running.discard(job)
        if in_time:
            self.queue.done(job)
            answer(job, result, failure)
        return in_time

    def abandon_late(self, now: float, passed: float) -> list[Job]:
        """Take the jobs away from threads that are late; a thread that compiles is given the time back."""
        late = []
        with self.lock, self.watch.lock:
            for job in list(self.running):
                if self.watch.compiles(job.thread):
                    job.until += passed
                elif job.until < now:
                    self.running.discard(job)
                    assert job.thread is not None
                    assert job.thread.ident is not None
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        ctypes.c_ulong(job.thread.ident), ctypes.py_object(AbandonedError)
                    )
                    late.append(job)
        for job in late:
            self.queue.done(job)
            self._start_thread()
        return late


def answer(job: Job, result: Any, failure: BaseException | None) -> None:
    """Tell the event loop what came of a job."""

    def tell() -> None:
        if job.answer.done():
            return
        if failure is None:
            job.answer.set_result(result)
        elif isinstance(failure, Exception) and not isinstance(failure, StopIteration):
            job.answer.set_exception(failure)
        else:  # SystemExit and the like would end the server itself
            job.answer.set_exception(AgentError(f"it raised {type(failure).__name__}"))

    with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
        job.answer.get_loop().call_soon_threadsafe(tell)


class BotThreads:
    """The pools: moves and advice, each of compiled agents and of agents in Python; and records that are read."""

    def __init__(self) -> None:
        self.watch = CompilerWatch()
        self.moves = ThreadPool("bot", 4, at_once=2, watch=self.watch)
        self.python_moves = ThreadPool("python-bot", 16, at_once=4, watch=self.watch)
        self.advice = ThreadPool("advice", 2, at_once=1, watch=self.watch, nice=True)
        self.python_advice = ThreadPool("python-advice", 4, at_once=1, watch=self.watch, nice=True)
        self.records = ThreadPool("record", 2, at_once=1, watch=self.watch, nice=True)
        self.pools = (self.moves, self.python_moves, self.advice, self.python_advice, self.records)
        self.abandoned: list[threading.Thread] = []
        self.watcher: asyncio.Task[None] | None = None
        self.numbers = itertools.count()

    def start(self) -> None:
        """Begin, in the event loop that will wait for the answers."""
        self.watcher = asyncio.get_running_loop().create_task(self._watch())
        for kind in CompilerWatch.KINDS:
            listen(kind, self.watch)

    def stop(self) -> None:
        if self.watcher is not None:
            self.watcher.cancel()
            for kind in CompilerWatch.KINDS:
                stop_listening(kind, self.watch)
        for pool in self.pools:
            pool.queue.close()

    async def run(self, pool: ThreadPool, key: str, call: Callable[[], Result], seconds: float) -> Result:
        """What the call returns or raises; a TooSlowError if that takes more than so many seconds."""
        if pool in (self.python_moves, self.python_advice) and self.abandoned_count >= MOST_ABANDONED:
            raise TooSlowError("too many bots hang already; the server must be started again before more may think")
        job = Job(key, call, seconds, asyncio.get_running_loop().create_future())
        pool.submit(job)
        return await job.answer

    async def prepare(self, call: Callable[[], Result]) -> Result:
        """Compile something, or load it."""
        return await self.run(self.moves, f"compile {next(self.numbers)}", call, COMPILING)

    @property
    def abandoned_count(self) -> int:
        self.abandoned = [thread for thread in self.abandoned if thread.is_alive()]
        return len(self.abandoned)

    async def _watch(self) -> None:
        now = time.monotonic()
        while True:
            await asyncio.sleep(TICK)
            before, now = now, time.monotonic()
            for pool in self.pools:
                for job in pool.abandon_late(now, now - before):
                    if not job.answer.done():
                        job.answer.set_exception(TooSlowError(f"it took longer than {job.seconds:g} seconds"))
                    assert job.thread is not None
                    self.abandoned.append(job.thread)
