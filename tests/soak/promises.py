"""What a server promises, the limits it is held to, and what the soak counts while it looks."""

import asyncio
import statistics
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

ANSWERED = 10.0  # seconds within which every request of an honest client has an answer or an error
MOVED = 5.0  # seconds within which a move of an honest player is answered, whatever else happens
MOVED_USUALLY = 0.25  # seconds: the median of the same, while no fault is active
BOT_MOVES = 15.0  # seconds for a bot: it may think for ten, and is replaced then
QUICK_BOT_MOVES = 8.0  # seconds for a bot that decides at once; to load it takes a second or two
IDLE_CLOSED = 45.0  # seconds after which a connection that never said anything is closed; the docs say 20 for programs
ENDS = 5.0  # seconds from SIGTERM to the end of the process
STARTS = 60.0  # seconds until a server that was started listens; it reads compiled code from the cache
GROWTH = 250.0  # megabytes that a server may take beyond what it had after its start; without faults it takes 20
LOG = 2_000_000  # bytes of log in any minute
CODES = {
    "bad_message", "version", "unknown", "not_yours", "not_your_turn", "stale", "illegal", "over", "hidden",
    "switched_off", "too_fast", "full", "failed", "busy",
}  # fmt: skip
FEW = 20  # moves: a median of fewer says nothing


class BrokenPromiseError(Exception):
    """A server did not do as it promised."""

    def __init__(self, promise: str, seen: str) -> None:
        super().__init__(f"{promise}: {seen}")
        self.promise, self.seen = promise, seen


def check(kept: object, promise: str, seen: Any) -> None:
    """Stop the run if a promise is not kept."""
    if not kept:
        raise BrokenPromiseError(promise, str(seen)[:2000])


class Clock:
    """Time in which the server was able to work: not while it is down, its disk is full, or this process is starved."""

    def __init__(self) -> None:
        self.excused = 0.0
        self.since: dict[str, float] = {}  # why time does not count now, and since when

    def stop(self, why: str) -> None:
        self.since.setdefault(why, time.monotonic())

    def go_on(self, why: str) -> None:
        begun = self.since.pop(why, None)
        if begun is not None:
            self.excused += time.monotonic() - begun

    def now(self) -> float:
        """Seconds of working time; they stand still while something is the matter."""
        pending = time.monotonic() - min(self.since.values()) if self.since else 0.0
        return time.monotonic() - self.excused - pending

    async def watch_the_machine(self, starved: Callable[[], float]) -> None:
        """Time in which this process or the server waits for a processor that others use is excused.

        `starved` says for how many seconds the server has waited so far.
        """
        waited = starved()
        while True:
            before = time.monotonic()
            await asyncio.sleep(0.1)
            late = time.monotonic() - before - 0.1
            so_far = starved()
            self.excused += max(late if late > 0.15 else 0.0, so_far - waited, 0.0)
            waited = so_far


class Tally:
    """What happened so far, for the progress line and the summary."""

    def __init__(self) -> None:
        self.begun = time.monotonic()
        self.counts: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()
        self.server_log: Callable[[], str] = lambda: ""
        self.answers: list[float] = []  # seconds from a move to its answer
        self.calm: list[float] = []  # the same, while no fault was active
        self.slowest_bot = 0.0  # seconds that somebody waited for a bot that decides at once
        self.memory = self.most_memory = 0.0

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    def moved(self, seconds: float, calm: bool) -> None:
        self.answers.append(seconds)
        if calm:
            self.calm.append(seconds)

    def line(self) -> str:
        """Progress, on one line."""
        counts = self.counts
        return (
            f"{self.seconds:6.0f} s  games {counts['games']}  moves {len(self.answers)}  judged {counts['messages']} "
            f"messages  restarts {counts['kills'] + counts['terms']}  series {counts['series']}  "
            f"faults {self.faults.total()}  memory {self.memory:.0f} MB, most {self.most_memory:.0f} MB"
        )

    def faults_text(self) -> str:
        return ", ".join(f"{name} {count}" for name, count in sorted(self.faults.items())) or "none"

    def summary(self) -> str:
        counts = self.counts
        lines = [
            f"{self.seconds:.0f} s: {counts['games']} games finished and judged, {len(self.answers)} moves of people, "
            f"{counts['messages']} messages compared with the rules",
            f"survived {counts['kills']} SIGKILL, {counts['terms']} SIGTERM; {counts['series']} series at hosts with "
            f"{counts['host games']} games, {counts['host kills']} hosts killed",
            f"faults: {self.faults_text()}",
            f"most memory of `kibitz serve`: {self.most_memory:.0f} MB",
            f"the longest wait for a bot that decides at once: {self.slowest_bot:.1f} s",
        ]
        if self.answers:
            ordered = sorted(self.answers)
            part = (ordered[len(ordered) // 2], ordered[len(ordered) * 95 // 100], ordered[-1])
            refused = counts["refused by the disk"]
            lines.append(f"{refused} requests refused while the disk was full" if refused else "no disk was full")
            lines.append("a move was answered within {:.0f} ms (50 %), {:.0f} ms (95 %), {:.0f} ms (all)".format(
                *(1000 * each for each in part)
            ))  # fmt: skip
        return "\n".join(lines)

    def check_usual_speed(self) -> None:
        if len(self.calm) >= FEW:
            median = statistics.median(self.calm)
            check(
                median <= MOVED_USUALLY,
                f"while nothing is wrong, half of the moves are answered within {MOVED_USUALLY} s",
                f"the median of {len(self.calm)} moves is {median:.3f} s",
            )  # fmt: skip
