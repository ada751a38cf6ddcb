"""Fuzzing: mutated views, records and texts must be refused or be playable, without a crash or a hang.

The cases run in another process (`fuzz_cases`), so that a crash or a hang becomes a finding with a case number.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.testing.fuzz_cases import COUNTS, MOST_FAULTS, Count
from kibitz.testing.position import CheckError

PATIENCE = 20.0  # seconds of CPU time per case
ASLEEP = 10  # times the patience by the clock: the limit for a case that waits and uses no CPU time
POLL = 0.25  # seconds

Progress = Callable[[int], None]  # called with the number of cases tried


@dataclass
class Found:
    """The outcomes of all cases."""

    tried: int = 0
    refused: int = 0
    accepted: int = 0
    decisions: int = 0  # of agents in accepted views and records
    faults: list[str] = field(default_factory=list)

    def check(self) -> "Found":
        """Return itself, or raise the first fault."""
        if self.faults:
            raise CheckError(self.faults[0])
        return self


@dataclass(frozen=True)
class Plan:
    """The cases of a game, which is named as for `kibitz check`. By default some fast agents play."""

    where: str
    seed: int = 0
    agents: Sequence[str] = ()
    patience: float = PATIENCE

    def command(self, first: int, end: int) -> list[str]:
        return ["-m", "kibitz.testing.fuzz_cases", self.where, *map(str, (self.seed, first, end)), *self.agents]


def no_progress(tried: int) -> None:
    pass


def fuzz(plan: Plan, cases: int, first: int = 0, progress: Progress = no_progress) -> Found:
    """Try `cases` cases beginning with number `first`. A case depends only on the seed and its number."""
    found, end = Found(), first + cases
    while first < end and len(found.faults) < MOST_FAULTS:
        with tempfile.TemporaryDirectory() as folder:
            counts = np.memmap(Path(folder) / COUNTS, np.int64, "w+", shape=len(Count))
            ended = run(plan, first, end, Path(folder), counts, lambda done: progress(found.tried + done))
            done = int(counts[Count.TRIED])
            found.tried += done
            found.refused += int(counts[Count.REFUSED])
            found.accepted += int(counts[Count.ACCEPTED])
            found.decisions += int(counts[Count.DECIDED])
            ready = bool(counts[Count.READY])
        faults = [line.split(" ", 1) for line in ended.faults]
        if ended.how and not ready:
            raise CheckError(f"The process that fuzzes {plan.where} {ended.how} before the first case.")
        first += done
        if ended.how:
            faults.append([str(first), f"the process {ended.how}"])
            found.tried += 1
            first += 1
        found.faults += [
            f"A mutated view, record or text (case {case} of seed {plan.seed}): {what}. To reproduce it, run python "
            f"{' '.join(plan.command(int(case), int(case) + 1))}"
            for case, what in faults
        ]
    return found


@dataclass
class Ended:
    """How a process ended, which is empty if it tried all its cases, and the faults it reported."""

    how: str
    faults: list[str]


def run(plan: Plan, first: int, end: int, folder: Path, counts: Any, progress: Progress) -> Ended:
    command = [sys.executable, *plan.command(first, end)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), COUNTS: str(folder / COUNTS)}
    how, before, waited, since = "", -1, 0.0, 0.0
    with (folder / "output").open("w+") as output, (folder / "errors").open("w+") as errors:
        process = subprocess.Popen(command, env=environment, stdout=output, stderr=errors)
        try:
            while not how:
                try:
                    code = process.wait(POLL)
                    errors.seek(0)
                    last = (errors.read().strip().splitlines() or ["no message"])[-1]
                    how = f"ended with exit code {code}: {last}" if code else ""
                    break
                except subprocess.TimeoutExpired:
                    done = int(counts[Count.TRIED])
                    waited, used = waited + POLL, cpu_seconds(process.pid)
                    if done != before or not counts[Count.READY]:
                        before, waited, since = done, 0.0, used or 0.0
                    progress(done)
                    worked = waited if used is None else used - since
                    if worked >= plan.patience or waited >= ASLEEP * plan.patience:
                        how = f"hung for {plan.patience:.0f} seconds"
        finally:
            process.kill()
            process.wait()
        output.seek(0)
        return Ended(how, output.read().splitlines())


def cpu_seconds(process: int) -> float | None:
    """The CPU time of a process, which other programs do not prolong; None where the system does not show it."""
    try:
        times = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[11:13]
    except OSError:
        return None
    return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")
