"""A worker process and everything it has started: what they use, and how to end all of them.

Every process of a family carries a mark in its environment, also one that left the session of its worker or lost its
parent; Linux shows it in /proc. Elsewhere the process group has to do.

Run as a program, this file is the janitor: it outlives the program that started it by a moment and ends the workers of
one that was killed, whatever they are doing. So it uses the standard library alone.
"""

import contextlib
import os
import signal
import sys
from pathlib import Path

MARK = "KIBITZ_BOT"  # the variable of the environment
PROC = Path("/proc")
ROUNDS = 100  # of killing: processes may be started meanwhile
KILL = getattr(signal, "SIGKILL", signal.SIGTERM)


def members(mark: str) -> list[int]:
    """The processes whose mark begins with this one."""
    sought, found = f"\0{MARK}={mark}".encode(), []
    for entry in os.scandir(PROC) if PROC.is_dir() else ():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):  # it has ended, or is somebody else's
                if sought in b"\0" + (PROC / entry.name / "environ").read_bytes():
                    found.append(int(entry.name))
    return found


def memory(pids: list[int]) -> int:
    """The bytes of memory of some processes; what several share counts once."""
    kilobytes = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            for line in (PROC / str(pid) / "smaps_rollup").read_text().splitlines():
                kilobytes += int(line.split()[1]) if line.startswith("Pss:") else 0
    return 1024 * kilobytes


def end(leader: int, mark: str) -> None:
    """Kill a process group, and every process that has the mark."""
    with contextlib.suppress(OSError):  # there is none any more, or not yet
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
    """Read which workers begin (+pid) and end (-pid) until nobody is there to write, then end those that are left."""
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
