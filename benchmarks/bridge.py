"""How many tricks the sampler gains on the heuristic player at duplicate bridge, and how long it takes for a card.

    python benchmarks/bridge.py --deals 60 --samples 20 --seed 1 --jobs 2

Every deal is played twice, once with the sampler as declarer's side and the heuristic player defending, once the other
way round. The difference of the declarer's tricks is what the sampler gained, by declaring or by defending better; the
interval is over deals. The times are those of this process alone, in CPU seconds per card.
"""

import argparse
import sys
import time
from collections.abc import Iterator
from math import sqrt
from typing import Any

import numpy as np
from report import Line, limit_line, unmeasured

from kibitz.arena.match import Match, play
from kibitz.arena.statistics import Z95
from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.engine import seeds
from kibitz.games.bridge.agents.sampler import Sampler
from kibitz.games.bridge.contract import imps
from kibitz.games.bridge.double_dummy import MISSING, installed
from kibitz.games.bridge.game import BRIDGE

WINNERS, DECLARER, NEEDED, TRICKS, SCORE = range(5)
LATE = 28  # cards played: seven tricks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=60)
    parser.add_argument("--samples", type=int, default=20, help="deals that the sampler makes of the unseen cards")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--timed", type=int, default=4, help="deals over which times are taken; 0 for none")
    chosen = parser.parse_args()
    if chosen.timed:
        times(50, chosen.timed)
    gained(chosen.deals, chosen.samples, chosen.seed, chosen.jobs)


MOMENTS = (("opening lead", 0, 20.0), ("after the first trick", 4, None), (f"after {LATE // 4} tricks", LATE, 5.0))


def times(samples: int, deals: int) -> None:
    for name, turn, _ in MOMENTS:
        taken = [seconds_for(number, turn, samples) for number in range(deals)]
        print(f"{name:24} {max(taken):6.2f} s at most for a card, {samples} sampled deals, {deals} positions")


def measured() -> list[Line]:
    """For `make bench`: the longest of a few cards."""
    if not installed():
        return [unmeasured("bridge: a card with 50 sampled deals", MISSING)]
    return [
        limit_line(
            f"bridge: a card with 50 sampled deals, {name}", max(seconds_for(number, turn, 50) for number in range(4)),
            "CPU s", wanted,
        )
        for name, turn, wanted in MOMENTS
        if wanted is not None
    ]  # fmt: skip


def seconds_for(number: int, turn: int, samples: int) -> float:
    at = Table(BRIDGE, [], BRIDGE.deal(seeds.keys(7), number, 4, BRIDGE.check_rules({})))
    while len(at.turns) < turn or len(BRIDGE.legal(at.state)) == 1:
        at.make(Decision(BRIDGE.legal(at.state)[-1]))
    view = BRIDGE.view(at.view(at.to_move))
    before = time.process_time()
    Sampler().estimate(view, samples)
    return time.process_time() - before


def gained(deals: int, samples: int, seed: int, jobs: int) -> None:
    match = Match("bridge", (f"sampler@deals={samples}", "heuristic") * 2, deals, seed, mirror=True, bot_seconds=0)
    rows = np.array(list(results(match.prepared(), jobs))).reshape(deals, 2, len(BRIDGE.columns))
    north_declares = rows[:, 0, DECLARER] % 2 == 0  # where the sampler sits in the first of the two games
    sign = np.where(north_declares, 1, -1)
    tricks = sign * (rows[:, 0, TRICKS] - rows[:, 1, TRICKS])
    scores = rows[:, 0, SCORE] - rows[:, 1, SCORE]
    points = np.sign(scores) * np.array([imps(int(score)) for score in scores])
    print(f"\nsampler, {samples} deals, against heuristic: {deals} deals of seed {seed}, each played by both sides")
    print(f"tricks a deal more than the heuristic player  {interval(tricks)}")
    print(f"international match points a deal             {interval(points)}")


def results(match: Match, jobs: int) -> Iterator[Any]:
    for batch in play(match, jobs):
        if batch.failure:
            sys.exit(batch.failure)
        yield from batch.results
        print(f"\r{batch.first + batch.games} of {match.games} games", end="", file=sys.stderr, flush=True)


def interval(values: Any) -> str:
    half = Z95 * float(values.std(ddof=1)) / sqrt(len(values))
    return f"{values.mean():+.2f} ± {half:.2f}"


if __name__ == "__main__":
    main()
