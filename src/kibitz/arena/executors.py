"""Where games are played: in threads, in processes, or on a cluster, by one interface.

A task is a function of prepared matches that plays some of their games and returns what was asked for. Results do not
depend on the executor.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, Protocol

from kibitz.arena.match import Match, PlayDeals, PlayElsewhere, play_compiled, play_here

Task = Callable[..., Any]  # of matches, of what plays their deals, and of its own arguments


class Executor(Protocol):
    """Plays chunks of games. Nothing waits for chunks that are unfinished when it is stopped."""

    @property
    def workers(self) -> int:
        """How many chunks are played at once."""
        ...

    moment: float | None  # seconds that a chunk should take, if not the usual
    most: int | None  # games in a chunk, if not the usual

    def prepare(self, matches: Sequence[Match]) -> None:
        """Make ready for matches, and refuse what cannot play them."""
        ...

    def submit(self, task: Task, matches: Sequence[Match], *arguments: Any) -> Future[Any]:
        """Begin a task: `task(matches, play_deals, *arguments)`."""
        ...

    def stop(self) -> None: ...


class Here:
    """Plays at once, in the thread of the caller, so that Ctrl-C stops an agent of this program."""

    workers = 1
    moment: float | None = None
    most: int | None = None

    def prepare(self, matches: Sequence[Match]) -> None:
        pass

    def submit(self, task: Task, matches: Sequence[Match], *arguments: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(task(matches, play_here_or_compiled, *arguments))
        return future

    def stop(self) -> None:
        pass


def play_here_or_compiled(match: Match, rotation: int, deals: Any) -> Any:
    return (play_compiled if match.compiled else play_here)(match, rotation, deals)


class Threads:
    """Plays compiled agents in threads: machine code runs in parallel."""

    moment: float | None = None
    most: int | None = None

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.play_deals: PlayDeals = play_here_or_compiled
        self.pool = ThreadPoolExecutor(workers)

    def prepare(self, matches: Sequence[Match]) -> None:
        pass

    def submit(self, task: Task, matches: Sequence[Match], *arguments: Any) -> Future[Any]:
        return self.pool.submit(task, matches, self.play_deals, *arguments)

    def stop(self) -> None:
        # Machine code cannot be interrupted: do not wait for unfinished games.
        self.pool.shutdown(wait=False, cancel_futures=True)


class Processes(Threads):
    """Plays Python agents, and records games, in processes that run in parallel and can be killed."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self.elsewhere = PlayElsewhere()
        self.play_deals = self._play_deals

    def _play_deals(self, match: Match, rotation: int, deals: Any) -> Any:
        return (play_compiled if match.compiled else self.elsewhere)(match, rotation, deals)

    def stop(self) -> None:
        super().stop()
        self.elsewhere.stop()


def executor_for(jobs: "int | Executor", matches: Sequence[Match]) -> Executor:
    """The given executor, or one of this computer for these matches with a number of workers."""
    if any(match.stays_here for match in matches):
        return Here()
    if not isinstance(jobs, int):
        if any(match.made_here for match in matches):
            return Threads(os.cpu_count() or 1)
        jobs.prepare(matches)
        return jobs
    if any(match.has_bots for match in matches) or (jobs > 1 and not all(match.compiled for match in matches)):
        return Processes(jobs)
    return Threads(jobs)
