"""Whose run of the laboratory is next: visitors in turn, and of each visitor the shortest run or the one that waits."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import NamedTuple

MOST_VISITORS = 10_000  # that are remembered; the least recently served are forgotten first
TURN = 1.0  # seconds that a turn is to take where games are quick
MOST_CHUNKS = 16  # by each worker in a turn


class Waiting(NamedTuple):
    """A run that is not done."""

    run: str
    visitor: str
    created: float
    seconds: float  # that it still takes, as far as is known; 0 before it was measured


class Turns:
    """Who was served when, counted in turns."""

    def __init__(self) -> None:
        self.number = 0
        self.visitors: OrderedDict[str, tuple[int, int]] = (
            OrderedDict()
        )  # the last turn of each, and how many there were
        self.runs: dict[str, int] = {}  # the last turn of each

    def next(self, waiting: Sequence[Waiting]) -> str:
        """The run that goes on now; the visitor who was not served for longest is next.

        Every other turn of a visitor goes to their shortest run, and the turns between to the one that has waited
        longest: so a short run is soon done, and a long one never starves.
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
        if len(self.visitors) > MOST_VISITORS:
            self.visitors.popitem(last=False)
        self.runs[chosen.run] = self.number
        self.number += 1
        return chosen.run

    def _served(self, visitor: str) -> tuple[int, int]:
        return self.visitors.get(visitor, (-1, 0))

    def forget(self, run: str) -> None:
        self.runs.pop(run, None)


class Share:
    """How many chunks of games a run begins in its turn: one for each worker at first, more where they are quick."""

    def __init__(self, jobs: int) -> None:
        self.jobs = self.quota = jobs
        self.begun = 0

    def begin(self) -> None:
        self.begun = 0

    def take(self) -> bool:
        """Whether another chunk can be begun."""
        if self.begun >= self.quota:
            return False
        self.begun += 1
        return True

    def learn(self, seconds: float) -> None:
        """A turn has taken so long."""
        if seconds < TURN:
            self.quota = min(2 * self.quota, MOST_CHUNKS * self.jobs)
        elif seconds > 2 * TURN:
            self.quota = max(self.quota // 2, self.jobs)
