"""Which run of the laboratory is next: visitors in turn, alternating between their shortest and longest-waiting run."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

MAX_VISITORS = 10_000  # the least recently served are evicted first
TURN = 1.0  # target length in seconds, where games are quick
MAX_CHUNKS = 16  # per worker and turn


class Waiting(NamedTuple):
    """An unfinished run."""

    run: str
    visitor: str
    created: float
    seconds: float  # left, as far as is known; 0 before it is measured


class Turns:
    """When each visitor and each run was last served, counted in turns."""

    def __init__(self) -> None:
        self.number = 0
        self.visitors: OrderedDict[str, tuple[int, int]] = OrderedDict()  # each one's last turn and number of turns
        self.runs: dict[str, int] = {}  # each one's last turn

    def next(self, waiting: Sequence[Waiting]) -> str:
        """The run to continue; the least recently served visitor is next.

        Every other turn of a visitor goes to their shortest run, the others to the one that has waited longest: a short
        run is soon done, and a long one never starves.
        """
        visitor = min(waiting, key=lambda each: (self._served(each.visitor)[0], each.created)).visitor
        theirs = [each for each in waiting if each.visitor == visitor]
        times = self._served(visitor)[1]
        if times % 2 == 0:
            chosen = min(theirs, key=lambda each: (each.seconds, each.created))
        else:
            chosen = min(theirs, key=lambda each: (self.runs.get(each.run, -1), each.created))
        self.visitors[visitor] = self.number, times + 1
        self.visitors.move_to_end(visitor)
        if len(self.visitors) > MAX_VISITORS:
            self.visitors.popitem(last=False)
        self.runs[chosen.run] = self.number
        self.number += 1
        return chosen.run

    def _served(self, visitor: str) -> tuple[int, int]:
        return self.visitors.get(visitor, (-1, 0))

    def forget(self, run: str) -> None:
        self.runs.pop(run, None)


class Share:
    """How many chunks of games a run may begin in a turn: one per worker at first, more where they are quick."""

    def __init__(self, jobs: int) -> None:
        self.jobs = self.quota = jobs
        self.begun = 0

    def begin(self) -> None:
        self.begun = 0

    def take(self) -> bool:
        """Whether another chunk may be begun."""
        if self.begun >= self.quota:
            return False
        self.begun += 1
        return True

    def learn(self, seconds: float) -> None:
        """Adapt the quota to the length of a turn."""
        if seconds < TURN:
            self.quota = min(2 * self.quota, MAX_CHUNKS * self.jobs)
        elif seconds > 2 * TURN:
            self.quota = max(self.quota // 2, self.jobs)
