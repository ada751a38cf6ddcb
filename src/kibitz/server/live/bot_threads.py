"""Threads in which agents think, so that the event loop never waits for one.

Moves have priority over advice, and each has its own threads. Within them jobs are scheduled round robin: a table, a
Python agent or a client that requests advice waits for one job of every other, not for all their earlier requests.

No thread is ever stopped. Code that runs in a thread is part of kibitz, and ends; users' bots run in processes, which
are killed when they exceed their time, and a thread only waits for them.
"""

import asyncio
import contextlib
import itertools
import os
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from kibitz.errors import AgentError

Result = TypeVar("Result")

LONG = 600.0  # seconds: the first time on a machine, compiling takes long
NICENESS = 10  # of threads that give advice, where the system has priorities for threads


class TooSlowError(AgentError):
    """An agent that took longer than it may."""


@dataclass(eq=False)
class Job:
    """A call, the client or table it is for, and the future that waits for it."""

    key: str
    call: Callable[[], Any]
    seconds: float
    answer: "asyncio.Future[Any]"
    ended: bool = False
    late: bool = False

    def tell(self, call: Callable[[], None]) -> None:
        """Call in the event loop, if the future is still awaited."""
        with contextlib.suppress(RuntimeError):  # the loop is closed
            self.answer.get_loop().call_soon_threadsafe(lambda: None if self.answer.done() else call())

    def end(self, result: Any, failure: BaseException | None) -> None:
        if failure is None:
            self.tell(lambda: self.answer.set_result(result))
            return
        fit = isinstance(failure, Exception) and not isinstance(failure, StopIteration)  # else it would end the server
        reported = failure if fit else AgentError(f"it raised {type(failure).__name__}")
        self.tell(lambda: self.answer.set_exception(reported))


class FairQueue:
    """Waiting jobs, taken from each key in turn, with a limit on running jobs per key."""

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
    """Threads that take jobs from one queue. A late thread gets no more jobs and is replaced."""

    def __init__(self, name: str, threads: int, at_once: int, nice: bool = False) -> None:
        self.name, self.threads, self.nice = name, threads, nice
        self.queue = FairQueue(at_once)
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
        if self.nice:
            with contextlib.suppress(OSError, AttributeError):
                os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
        while (job := self.queue.get()) is not None:
            if not job.answer.cancelled():
                self._run(job)
            if job.late:
                return
            self.queue.done(job)

    def _run(self, job: Job) -> None:
        job.tell(lambda: self._watch(job))
        result, failure = None, None
        try:
            result = job.call()
        except BaseException as error:
            failure = error
        with self.lock:
            job.ended = True
        if not job.late:
            job.end(result, failure)

    def _watch(self, job: Job) -> None:
        timer = job.answer.get_loop().call_later(job.seconds, self._is_late, job)
        job.answer.add_done_callback(lambda done: timer.cancel())

    def _is_late(self, job: Job) -> None:
        with self.lock:
            job.late = not job.ended
        if job.late:
            if not job.answer.done():
                job.answer.set_exception(TooSlowError(f"it took longer than {job.seconds:g} seconds"))
            self.queue.done(job)
            self._start_thread()


class BotThreads:
    """The pools: moves and advice, each of compiled agents and of agents in Python; records that are read; reviews."""

    def __init__(self) -> None:
        self.moves = ThreadPool("bot", 4, at_once=2)
        self.python_moves = ThreadPool("python-bot", 16, at_once=4)
        self.advice = ThreadPool("advice", 2, at_once=1, nice=True)
        self.python_advice = ThreadPool("python-advice", 4, at_once=1, nice=True)
        self.records = ThreadPool("record", 2, at_once=1, nice=True)
        self.reviews = ThreadPool("review", 2, at_once=2, nice=True)  # a job is one decision
        self.numbers = itertools.count()

    def stop(self) -> None:
        for pool in (self.moves, self.python_moves, self.advice, self.python_advice, self.records, self.reviews):
            pool.queue.close()

    async def run(self, pool: ThreadPool, key: str, call: Callable[[], Result], seconds: float = LONG) -> Result:
        """The result of the call; a TooSlowError if it takes longer than `seconds`."""
        job = Job(key, call, seconds, asyncio.get_running_loop().create_future())
        pool.submit(job)
        return await job.answer

    async def prepare(self, call: Callable[[], Result]) -> Result:
        """Compile something, or load it."""
        return await self.run(self.moves, f"compile {next(self.numbers)}", call)
