"""What the command line costs, each time in a process of its own: memory, and the wait before the first word."""

import os
import subprocess
import sys
import tempfile
import time

from report import Line, limit_line, unmeasured

KIBITZ = (sys.executable, "-m", "kibitz")
MATCH = (*KIBITZ, "match", "hanabi", "simple_distrustful", "--players", "4")
MEGABYTE = 1_000_000

# A process starts with the peak of the one that started it on its account, so a small one must stand between.
WEIGH = """
import resource, subprocess, sys
failed = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
unit = 1 if sys.platform == "darwin" else 1024
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * unit)
sys.exit(failed)
"""


class CommandFailedError(Exception):
    pass


def run(*command: str) -> str:
    with tempfile.TemporaryDirectory() as runs:
        environment = {**os.environ, "KIBITZ_RUNS": runs}
        done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip() or "it said nothing").splitlines()[-1]
        raise CommandFailedError(f"{' '.join(command[-6:])} failed: {said}")
    return done.stdout


def peak_megabytes(*command: str) -> float:
    return int(run(sys.executable, "-c", WEIGH, *command)) / MEGABYTE


def best_seconds(runs: int, *command: str) -> float:
    """The best of several runs, after one that fills the caches."""
    run(*command)
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        run(*command)
        best = min(best, time.perf_counter() - start)
    return best


def memory() -> list[Line]:
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        for what, output in (("", ()), (", saved as Parquet", ("--output", f"{folder}/games.parquet"))):
            name = f"memory of a million games{what}"
            try:
                few = peak_megabytes(*MATCH, "--games", "10000", "--json", *output)
                many = peak_megabytes(*MATCH, "--games", "1000000", "--json", *output)
            except CommandFailedError as error:
                lines.append(unmeasured(name, str(error)))
                continue
            lines.append(limit_line(name, many, "MB", 500, f"of ten thousand: {few:.0f} MB", ten_thousand=few))
    return lines


def start() -> list[Line]:
    lines = []
    for what, wanted, runs, command in (
        ("kibitz --help", 0.4, 5, (*KIBITZ, "--help")),
        ("kibitz match of one game, second start", 2.0, 3, (*MATCH, "--games", "1")),
    ):
        try:
            lines.append(limit_line(what, best_seconds(runs, *command), "s", wanted))
        except CommandFailedError as error:
            lines.append(unmeasured(what, str(error)))
    return lines
