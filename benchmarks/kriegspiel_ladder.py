"""How often the players of Kriegspiel beat each other, and how often the believer wins the lecture's endings.

    python benchmarks/kriegspiel_ladder.py --games 200 --endings 200 --iterations 100 --seed 1 --jobs 2
    python benchmarks/kriegspiel_ladder.py --games 200 --endings 0 --umpire lecture

Every game is played twice with the sides changed. Points are a win 1 and a draw a half; the interval is one of 95 %
over pairs of games, that of the endings Wilson's. The endings are those of the lecture, with its umpire: turns include
questions. With --think-ms 50 the believer has 50 ms per attempt.
The endings are also played against kings who see everything, as nobody does in a game (`seeing_kings`). With --games 0
there are only endings.
"""

import argparse
import sys
import time
from math import sqrt
from typing import Any

import numpy as np
from seeing_kings import KINGS, hunted

from kibitz.arena.match import Match, play
from kibitz.arena.statistics import Z95, wilson
from kibitz.core import registry
from kibitz.games.kriegspiel.game import KRIEGSPIEL

PAIRS = (("believer", "random"), ("believer", "heuristic"), ("heuristic", "random"))
ENDINGS = (("rook_ending", "heuristic"), ("queen_ending", "heuristic"), ("rook_ending", "random"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200, help="pairs of games for each pair of players, or 0")
    parser.add_argument("--endings", type=int, default=200)
    parser.add_argument("--iterations", type=int, default=100, help="positions that the believer looks at")
    parser.add_argument("--think-ms", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--umpire", choices=("club", "lecture"), default="club", help="of the games with all pieces")
    chosen = parser.parse_args()
    name = f"believer@{chosen.think_ms}ms" if chosen.think_ms else f"believer@{chosen.iterations}"
    for pair in PAIRS if chosen.games else ():
        agents = tuple(name if agent == "believer" else agent for agent in pair)
        against_each_other(agents, chosen.games, chosen.seed, chosen.jobs, chosen.umpire)
    for start, other in ENDINGS if chosen.endings else ():
        ending(start, (name, other), chosen.endings, chosen.seed, chosen.jobs)
    for start in ("rook_ending", "queen_ending") if chosen.endings else ():
        for king in KINGS:
            seen_ending(start, name, king, chosen.endings, chosen.seed)


def results(match: Match, jobs: int) -> Any:
    rows = []
    for batch in play(match.prepared(), jobs):
        if batch.failure:
            sys.exit(batch.failure)
        rows.extend(batch.results)
        print(f"\r{batch.first + batch.games} of {match.games} games", end="", file=sys.stderr, flush=True)
    print("\r", end="", file=sys.stderr)
    return np.array(rows)


def against_each_other(agents: tuple[str, ...], deals: int, seed: int, jobs: int, umpire: str) -> None:
    before = time.process_time()
    rows = results(Match("kriegspiel", agents, deals, seed, rules={"umpire": umpire}, mirror=True), jobs)
    seconds = time.process_time() - before
    won = rows[:, 0].reshape(deals, 2)  # the first agent sits in the first seat, then in the second
    points = np.stack([(won[:, n] == n + 1) + 0.5 * ((won[:, n] == 0) | (won[:, n] == 3)) for n in (0, 1)]).mean(axis=0)
    half = Z95 * float(points.std(ddof=1)) / sqrt(deals)
    draws = int(((won == 0) | (won == 3)).sum())
    print(
        f"{agents[0]} against {agents[1]}, umpire={umpire}: {points.mean():.3f} ± {half:.3f} points a game, "
        f"{2 * deals} games of seed {seed}, {draws} drawn; "
        f"{1000 * seconds / rows[:, 1].sum():.2f} ms of CPU time per turn",
        flush=True,
    )


def ending(start: str, agents: tuple[str, ...], deals: int, seed: int, jobs: int) -> None:
    rows = results(Match("kriegspiel", agents, deals, seed, rules={"start": start}), jobs)
    say_ending(start, f"{agents[0]} against {agents[1]}", rows[:, 0] == 1, rows[:, 1])


def seen_ending(start: str, name: str, king: str, deals: int, seed: int) -> None:
    found = hunted(registry.agent(KRIEGSPIEL, name), KINGS[king], start, deals, seed)
    won, attempts = np.array(list(found)).T
    say_ending(start, f"{name} against a {king} who sees everything", won == 1, attempts)


def say_ending(start: str, who: str, won: Any, attempts: Any) -> None:
    low, high = wilson(int(won.sum()), len(won))
    print(
        f"{start}, {who}: {won.sum()} of {len(won)} won ({100 * low:.1f}–{100 * high:.1f} %), "
        f"{attempts.mean():.0f} turns of both sides on average, {attempts.max()} at most",
        flush=True,
    )


if __name__ == "__main__":
    main()
