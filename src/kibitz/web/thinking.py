"""Where bots think: a few threads, each of which is given up when a bot does not come back from its thoughts.

Compiled bots think without holding up the server. A bot in Python that hangs cannot be stopped for sure, so its thread
is asked to stop, replaced by a fresh one, and left alone; there is a limit to how many of those there may be. The time
in which a thread compiles something, or waits for another that does, does not count, and nobody is stopped in it: the
compiler would be locked for ever.
"""

import asyncio
import contextlib
import ctypes
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, TypeVar

from numba.core import event

from kibitz.core.errors import AgentError

Result = TypeVar("Result")

TICK = 0.1  # seconds between two looks at who takes too long
MOST_LOST = 8  # threads that hang in a bot's code, before no further risks are taken


class TooSlowError(AgentError):
    """A bot that took longer than it may."""


class GivenUpError(BaseException):
    """Raised in the thread of a bot that hangs: not an Exception, which bots may catch."""


class Compiling(event.Listener):
    """The threads that have the compiler's locks or wait for them."""

    KINDS = ("numba:compiler_lock", "numba:llvm_lock")

    def __init__(self) -> None:
        self.lock = threading.RLock()  # who holds it knows that nobody else begins to compile
        self.depths: Counter[int] = Counter()  # by thread: locks are taken within locks

    def on_start(self, event: Any) -> None:
        with self.lock:
            self.depths[threading.get_ident()] += 1

    def on_end(self, event: Any) -> None:
        with self.lock:
            self.depths[threading.get_ident()] -= 1

    def forget(self) -> None:
        """This thread compiles nothing now, whatever another did that had its number."""
        with self.lock:
            self.depths.pop(threading.get_ident(), None)

    def has(self, thread: threading.Thread | None) -> bool:
        return thread is not None and thread.ident is not None and self.depths[thread.ident] > 0


@dataclass(eq=False)
class Thought:
    """Something to be thought, and who waits for it."""

    call: Callable[[], Any]
    seconds: float
    answer: "asyncio.Future[Any]"
    thinker: "threading.Thread | None" = None
    until: float = float("inf")


class Thinkers:
    def __init__(self, threads: int) -> None:
        self.threads = threads
        self.waiting: SimpleQueue[Thought | None] = SimpleQueue()
        self.thinking: set[Thought] = set()
        self.lock = threading.Lock()
        self.lost: list[threading.Thread] = []
        self.compiling = Compiling()
        self.loop: asyncio.AbstractEventLoop | None = None
        self.watch: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begin, in the event loop that will wait for the answers."""
        self.loop = asyncio.get_running_loop()
        self.watch = self.loop.create_task(self._watch())
        for kind in Compiling.KINDS:
            event.register(kind, self.compiling)
        for _ in range(self.threads):
            self._hire()

    def stop(self) -> None:
        if self.watch is not None:
            self.watch.cancel()
            for kind in Compiling.KINDS:
                event.unregister(kind, self.compiling)
        for _ in range(self.threads):
            self.waiting.put(None)

    async def think(self, call: Callable[[], Result], seconds: float, risky: bool = True) -> Result:
        """What the call returns or raises; a TooSlowError if that takes more than so many seconds.

        What is risky may hang for ever, and is not begun when too much of that happened.
        """
        assert self.loop is not None
        if risky and self.lost_count >= MOST_LOST:
            raise TooSlowError("too many bots hang already; the server must be started again before more may think")
        thought = Thought(call, seconds, self.loop.create_future())
        self.waiting.put(thought)
        return await thought.answer

    @property
    def lost_count(self) -> int:
        self.lost = [thread for thread in self.lost if thread.is_alive()]
        return len(self.lost)

    def _hire(self) -> None:
        threading.Thread(target=self._work, name="thinker", daemon=True).start()

    def _work(self) -> None:
        self.compiling.forget()
        with contextlib.suppress(GivenUpError):
            while (thought := self.waiting.get()) is not None:
                if not self._thinks(thought):
                    return  # given up meanwhile; somebody else has this thread's place

    def _thinks(self, thought: Thought) -> bool:
        """Think one thought; whether the thread may go on to the next."""
        if thought.answer.cancelled():
            return True
        thought.thinker, thought.until = threading.current_thread(), time.monotonic() + thought.seconds
        with self.lock:
            self.thinking.add(thought)
        result, failure = None, None
        try:
            result = thought.call()
        except GivenUpError:
            return False
        except BaseException as error:
            failure = error
        with self.lock:
            in_time = thought in self.thinking
            self.thinking.discard(thought)
        if in_time:
            self._answer(thought, result, failure)
        return in_time

    def _answer(self, thought: Thought, result: Any, failure: BaseException | None) -> None:
        def tell() -> None:
            if thought.answer.done():
                return
            if failure is None:
                thought.answer.set_result(result)
            elif isinstance(failure, Exception) and not isinstance(failure, StopIteration):
                thought.answer.set_exception(failure)
            else:  # a bot that raises what would end the server itself
                thought.answer.set_exception(AgentError(f"it raised {type(failure).__name__}"))

        assert self.loop is not None
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits
            self.loop.call_soon_threadsafe(tell)

    async def _watch(self) -> None:
        now = time.monotonic()
        while True:
            await asyncio.sleep(TICK)
            before, now = now, time.monotonic()
            with self.lock, self.compiling.lock:
                for thought in list(self.thinking):
                    if self.compiling.has(thought.thinker):
                        thought.until += now - before
                    elif thought.until < now:
                        self.thinking.discard(thought)
                        self._give_up(thought)

    def _give_up(self, thought: Thought) -> None:
        """Leave a thread to itself, after asking it to stop, which Python code obeys, but not a wait for the world."""
        if not thought.answer.done():
            thought.answer.set_exception(TooSlowError(f"it took longer than {thought.seconds:g} seconds"))
        assert thought.thinker is not None
        assert thought.thinker.ident is not None
        self.lost.append(thought.thinker)
        ctypes.pythonapi.PyThreadState_SetAsyncExc(
            ctypes.c_ulong(thought.thinker.ident), ctypes.py_object(GivenUpError)
        )
        self._hire()
