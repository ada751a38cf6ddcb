"""Clocks for a noisy machine: who is compared takes turns in short rounds, and every round is a ratio of its own."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import median

ROUNDS, SECONDS = 15, 0.2

# Does some work and says how much it was, and how many seconds it took.
Worker = Callable[[], tuple[int, float]]


@dataclass(frozen=True)
class Rates:
    """What was done in a second, round by round."""

    rounds: tuple[float, ...]

    @property
    def best(self) -> float:
        """Others on the machine only ever slow a program down, so the best round is nearest to what it can do."""
        return max(self.rounds)

    @property
    def median(self) -> float:
        return median(self.rounds)

    def over(self, others: "Rates") -> "Rates":
        """The ratios to others that took turns with these."""
        return Rates(tuple(mine / theirs for mine, theirs in zip(self.rounds, others.rounds, strict=True)))


def timed(work: Callable[[], int], clock: Callable[[], float] = time.perf_counter) -> Worker:
    def worker() -> tuple[int, float]:
        start = clock()
        done = work()
        return done, clock() - start

    return worker


def rate(worker: Worker, seconds: float) -> float:
    """What a worker does in a second, kept at it for at least as many as said."""
    done, took = 0, 0.0
    while took < seconds:
        more, longer = worker()
        done, took = done + more, took + longer
    return done / took


def take_turns(workers: Sequence[Worker], rounds: int = ROUNDS, seconds: float = SECONDS) -> list[Rates]:
    """The rates of several workers; in every other round they go in the opposite order."""
    for worker in workers:
        worker()  # the first time is for loading
    found: list[list[float]] = [[] for _ in workers]
    for number in range(rounds):
        for place in range(len(workers))[:: -1 if number % 2 else 1]:
            found[place].append(rate(workers[place], seconds))
    return [Rates(tuple(rates)) for rates in found]
