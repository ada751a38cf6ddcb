"""A worker process and everything it has started: measure them, and kill them.

All of them have a mark in their environment, even those that left the worker's session or lost their parent; Linux
shows it in /proc. Other systems only have the process group.

Run as a program, this file is the janitor: it outlives a killed main program and kills its workers. So it uses only the
standard library.
"""

import contextlib
import os
import signal
import sys
from pathlib import Path

MARK = "KIBITZ_BOT"  # the environment variable
PROC = Path("/proc")
ROUNDS = 100  # of killing, because new processes may start meanwhile
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


def members(mark: str) -> list[int]:
    """The processes whose mark begins with this one."""
    sought, found = f"\0{MARK}={mark}".encode(), []
    for entry in os.scandir(PROC) if PROC.is_dir() else ():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):  # it has ended or belongs to another user
                if sought in b"\0" + (PROC / entry.name / "environ").read_bytes():
                    found.append(int(entry.name))
    return found


def memory(pids: list[int]) -> int:
    """The memory of some processes in bytes; shared memory counts once."""
    kilobytes = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            for line in (PROC / str(pid) / "smaps_rollup").read_text().splitlines():
                kilobytes += int(line.split()[1]) if line.startswith("Pss:") else 0
    return 1024 * kilobytes


def end(leader: int, mark: str) -> None:
    """Kill a process group and all processes with the mark."""
    with contextlib.suppress(OSError):  # already gone, or not yet there
        os.killpg(leader, KILL)
    end_marked(mark)


def end_marked(mark: str) -> None:
    for _ in range(ROUNDS):
        found = members(mark)
        for pid in found:
            with contextlib.suppress(OSError):
                os.kill(pid, KILL)
        if not found:
            return


def tidy_up(mark: str) -> None:
    """Read which workers start (+pid) and end (-pid) until stdin closes, then kill those that are left."""
    leaders = set()
    for line in sys.stdin:
        if line.startswith("+"):
            leaders.add(int(line))
        else:
            leaders.discard(-int(line))
    for leader in leaders:
        with contextlib.suppress(OSError):
            os.killpg(leader, KILL)
    end_marked(mark)


if __name__ == "__main__":
    tidy_up(sys.argv[1])
