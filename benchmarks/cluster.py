"""What a cluster costs: the model of docs/explanation/scale.md, measured on this computer.

    python benchmarks/cluster.py

A Dask scheduler and two workers with one thread each are started on the loopback address. Measured are the CPU seconds
that scheduler and client need for an empty task; the CPU seconds of matches on the two workers, with scheduler and
client, beside those of the same matches on two threads of this program; and games per CPU second in a cross table. From
these follow how many cores one scheduler keeps busy, and how long a large cross table takes. Ratios of the time by the
clock are printed, too, but are true only on an idle machine. Results are checked to be the same.
"""

import argparse
import os
import pickle
import statistics
import time
from collections.abc import Sequence
from typing import Any

import psutil
from distributed import LocalCluster

from kibitz.arena.cluster import MOMENT, Cluster, packed, play_there
from kibitz.arena.executors import Executor
from kibitz.arena.match import Match
from kibitz.arena.measure import MeasuredMatch

SEED = 7
AGENTS = ("piers", "iggi", "outer", "trustful", "bot2", "hajdu_v4", "van_den_bergh", "simple_distrustful")
LARGE, PLAYERS, DEALS = 100, 4, 10_000  # the cross table of the model
CORES = (2, 64, 1000)


def nothing(matches: Sequence[Match], play_deals: object) -> None:
    """A task without games."""


def cpu_seconds(pids: Sequence[int] = ()) -> float:
    """Of this process, which runs the scheduler and the client, and of workers."""
    times = [psutil.Process(pid).cpu_times() for pid in pids]
    return time.process_time() + sum(each.user + each.system for each in times)


def cost_of_a_task(cluster: Cluster, tasks: int) -> float:
    """The CPU seconds of the client and the scheduler per task, when workers have nothing to do."""
    match = Match("hanabi", ("piers",) * PLAYERS, 1, SEED).prepared()
    cluster.prepare([match])
    began = cpu_seconds()
    waiting = [cluster.submit(nothing, [match]) for _ in range(tasks)]
    for future in waiting:
        future.result()
    return (cpu_seconds() - began) / tasks


def idle_share(pids: Sequence[int], seconds: float = 5.0) -> float:
    """The CPU seconds that an idle cluster takes per second: its processes look after one another."""
    began = cpu_seconds(pids)
    time.sleep(seconds)
    return (cpu_seconds(pids) - began) / seconds


def played(match: Match, jobs: "int | Executor", pids: Sequence[int] = ()) -> tuple[float, float, Any]:
    """Games per second by the clock and of CPU time, and the results."""
    measured = MeasuredMatch(match)
    clock, cpu = time.perf_counter(), cpu_seconds(pids)
    for _ in measured.play(jobs):
        pass
    clock, cpu = time.perf_counter() - clock, cpu_seconds(pids) - cpu
    return measured.games / clock, measured.games / cpu, measured.measure.as_json()


def mixed(games: int) -> Match:
    return Match("hanabi", tuple(AGENTS[place] for place in range(PLAYERS)), games, SEED).prepared()


def rate_of_agents(games: int) -> float:
    """Games per CPU second, of cells of a cross table between these agents."""
    seconds = 0.0
    for place, row in enumerate(AGENTS):
        column = AGENTS[(place + 1) % len(AGENTS)]
        match = Match("hanabi", (row, *[column] * (PLAYERS - 1)), games, SEED).prepared()
        seconds += games / played(match, 1)[1]
    return len(AGENTS) * games / seconds


def duration(seconds: float) -> str:
    return f"{seconds / 60:.1f} minutes" if seconds < 7200 else f"{seconds / 3600:.1f} hours"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=400_000, help="of each match; a round should take several seconds")
    parser.add_argument("--tasks", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=5)
    chosen = parser.parse_args()
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; {chosen.games:,} games a match\n")
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as workers:
        cluster = Cluster(workers.scheduler_address)
        try:
            cost = cost_of_a_task(cluster, chosen.tasks)
            match = mixed(chosen.games)
            pids = [worker.pid for worker in workers.workers.values()]
            turns: list[tuple[int | Executor, list[int]]] = [(1, []), (2, []), (cluster, pids)]
            idle = idle_share(pids)
            rounds = [[played(match, *turn) for turn in turns] for _ in range(chosen.rounds + 1)][1:]
        finally:
            cluster.stop()
    for results in rounds:
        assert results[0][2] == results[1][2] == results[2][2]
    threads, clock = (statistics.median(each[n + 1][0] / each[n][0] for each in rounds) for n in (0, 1))
    more = [two[1] / there[1] - 1 for _, two, there in rounds]
    beside = [idle * two[1] / there[0] for _, two, there in rounds]  # of an idle cluster in the same time by the clock
    overhead, games_alone = statistics.median(more), statistics.median(map(float.__sub__, more, beside))
    rate = rate_of_agents(max(1000, chosen.games // 20))
    print(f"an empty task: {1e3 * cost:.2f} CPU ms of scheduler and client ({chosen.tasks:,} tasks)")
    print(f"bytes of a task: {len(packed([match])) + len(pickle.dumps((play_there, ()))):,}")
    print(f"more CPU time than with two threads: {overhead:.1%}, in chunks of {MOMENT} s")
    print(f"without what an idle cluster takes in that time ({idle:.3f} CPU seconds per second): {games_alone:.1%}")
    print(f"by the clock: two threads beside one {threads:.2f} ×; two workers beside two threads {clock:.2f} ×")
    for seconds in (0.1, 0.5, 1.0, MOMENT, 5.0):
        print(f"chunks of {seconds} s: one scheduler keeps {seconds / cost:,.0f} cores busy")
    games = LARGE * DEALS + LARGE * (LARGE - 1) * PLAYERS * DEALS
    print(f"\n{LARGE} agents, {PLAYERS} players, {DEALS:,} deals: {games:,} games at {rate:,.0f} games per CPU second")
    for cores in CORES:
        playing = games / rate / cores
        scheduling = games / rate / MOMENT * cost
        print(f"  {cores:5,} cores: {duration(max(playing, scheduling))}")


if __name__ == "__main__":
    main()
