"""What search over a blueprint gains on the same deals and what it costs; see docs/explanation/search-over-blueprint.md

    python benchmarks/blueprint.py trustful,trustful search:trustful@100,trustful search:trustful@400,trustful
    python benchmarks/blueprint.py --games 1000 --seed 7 signal,signal search:signal@400,signal

The first table is what the others are compared with. A lost game scores 0, and nobody discards with every token there.
Gains are means of differences over deals, with standard errors. A move costs processor time, of which the search has
nearly all; what its partners take is counted to it.
"""

import argparse
import sys
import time
from typing import NamedTuple

import numpy as np
from rich.progress import track

from kibitz.arena.match import Match, play_compiled
from kibitz.hanabi.game import HANABI

STEP = 10  # deals between two looks of the progress bar


class Played(NamedTuple):
    scores: np.ndarray
    milliseconds: float  # of processor time, for every move of a seat that searches


def played(seats: tuple[str, ...], games: int, seed: int) -> Played:
    rules = HANABI.check_rules(dict(HANABI.table_rules))
    match = Match("hanabi", seats, deals=games, seed=seed, rules=rules).prepared()
    searching = sum(agent.traits.searches for agent in match.agents)
    began, scores, turns = time.process_time(), [], 0
    for first in track(range(0, games, STEP), ", ".join(seats), transient=True):
        stretch = play_compiled(match, 0, range(first, min(first + STEP, games)))
        if stretch.failure:
            sys.exit(stretch.failure)
        scores += stretch.results[:, 0].tolist()
        turns += int(stretch.results[:, 2].sum())
    spent = 1000 * (time.process_time() - began)
    return Played(np.array(scores, float), spent * len(seats) / (turns * searching) if searching else 0.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", metavar="SEAT,SEAT…", help="agents by their names, in the order they sit")
    parser.add_argument("--games", type=int, default=200, help="deals, the same for every table")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    first, *others = [tuple(table.split(",")) for table in chosen.tables]
    alone = played(first, chosen.games, chosen.seed).scores
    root = chosen.games**0.5
    print(f"{chosen.games} deals of seed {chosen.seed}, standard errors\n")
    print("| seats | mean | gain | perfect | lost | ms a move |\n|---|---|---|---|---|---|")
    print(f"| {', '.join(first)} | {alone.mean():.3f} ± {alone.std() / root:.3f} | | {np.mean(alone == 25):.1%} | | |")
    for seats in others:
        scores, spent = played(seats, chosen.games, chosen.seed)
        gain = scores - alone
        print(
            f"| {', '.join(seats)} | {scores.mean():.3f} ± {scores.std() / root:.3f} | "
            f"{gain.mean():+.3f} ± {gain.std() / root:.3f} | {np.mean(scores == 25):.1%} | "
            f"{np.sum(scores == 0)} | {spent:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
