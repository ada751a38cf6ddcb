"""How often the players of Kriegspiel beat each other, and how often the believer wins the lecture's endings.

    python benchmarks/kriegspiel_ladder.py --games 200 --endings 200 --iterations 100 --seed 1 --jobs 2

Every game is played twice with the sides changed. Points are a win 1 and a draw a half; the interval is one of 95 %
over pairs of games, that of the endings Wilson's. With --think-ms 50 the believer has so much time for an attempt.
"""

import argparse
import sys
import time
from math import sqrt
from typing import Any

import numpy as np

from kibitz.arena.match import Match, play
from kibitz.arena.statistics import Z95, wilson

PAIRS = (("believer", "random"), ("believer", "heuristic"), ("heuristic", "random"))
ENDINGS = (("rook_ending", "heuristic"), ("queen_ending", "heuristic"), ("rook_ending", "random"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="pairs of games for each pair of players")
    parser.add_argument("--endings", type=int, default=200)
    parser.add_argument("--iterations", type=int, default=100, help="positions that the believer looks at")
    parser.add_argument("--think-ms", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    name = f"believer@{chosen.think_ms}ms" if chosen.think_ms else f"believer@{chosen.iterations}"
    for pair in PAIRS:
        agents = tuple(name if agent == "believer" else agent for agent in pair)
        against_each_other(agents, chosen.games, chosen.seed, chosen.jobs)
    for start, other in ENDINGS:
        ending(start, (name, other), chosen.endings, chosen.seed, chosen.jobs)


def results(match: Match, jobs: int) -> Any:
    rows = []
    for batch in play(match.prepared(), jobs):
        if batch.failure:
            sys.exit(batch.failure)
        rows.extend(batch.results)
        print(f"\r{batch.first + batch.games} of {match.games} games", end="", file=sys.stderr, flush=True)
    print("\r", end="", file=sys.stderr)
    return np.array(rows)


def against_each_other(agents: tuple[str, ...], deals: int, seed: int, jobs: int) -> None:
    before = time.process_time()
    rows = results(Match("kriegspiel", agents, deals, seed, mirror=True), jobs)
    seconds = time.process_time() - before
    won = rows[:, 0].reshape(deals, 2)  # the first agent sits in the first seat, then in the second
    points = np.stack([(won[:, n] == n + 1) + 0.5 * ((won[:, n] == 0) | (won[:, n] == 3)) for n in (0, 1)]).mean(axis=0)
    half = Z95 * float(points.std(ddof=1)) / sqrt(deals)
    draws = int(((won == 0) | (won == 3)).sum())
    print(
        f"{agents[0]} against {agents[1]}: {points.mean():.3f} ± {half:.3f} points a game, {2 * deals} games of seed "
        f"{seed}, {draws} drawn; {1000 * seconds / rows[:, 1].sum():.2f} ms of processor time for an attempt",
        flush=True,
    )


def ending(start: str, agents: tuple[str, ...], deals: int, seed: int, jobs: int) -> None:
    rows = results(Match("kriegspiel", agents, deals, seed, rules={"start": start}), jobs)
    won = int((rows[:, 0] == 1).sum())
    low, high = wilson(won, deals)
    print(
        f"{start}, {agents[0]} against {agents[1]}: {won} of {deals} won ({100 * low:.1f}–{100 * high:.1f} %), "
        f"{rows[:, 1].mean():.0f} attempts of both sides on average",
        flush=True,
    )


if __name__ == "__main__":
    main()
