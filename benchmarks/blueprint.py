"""What search over a blueprint gains on the same deals and what it costs; see docs/explanation/search-over-blueprint.md

    python benchmarks/blueprint.py trustful,trustful search:trustful@100,trustful search:trustful@400,trustful
    python benchmarks/blueprint.py --games 1000 --seed 7 signal,signal search:signal@400,signal
    python benchmarks/blueprint.py --games 8000 --sample 60,20 signal,signal,signal search_signal@200

The first table is what the others are compared with; one agent alone sits in all its seats. A lost game scores 0, and
nobody discards with every token there. Gains are means of differences over deals, with standard errors. A move costs
CPU time, nearly all of it for the search; the time of its partners is included.

Where the first table is nearly always perfect, most deals have nothing to gain. With --sample F,P it plays all deals,
and the others only the first F of those in which it was not perfect, and the first P of those in which it was; a gain
is the mean of the gains in both, weighed by how many deals there are of each (stratified sampling).
"""

import argparse
import sys
import time
from typing import NamedTuple

import numpy as np
from rich.progress import track

from kibitz.arena.match import Match, play_compiled
from kibitz.games.hanabi.game import HANABI

PERFECT = 25


class Played(NamedTuple):
    scores: np.ndarray
    milliseconds: float  # of CPU time, for each move of a searching seat


def played(seats: tuple[str, ...], games: int, seed: int, deals: np.ndarray) -> Played:
    rules = HANABI.check_rules(dict(HANABI.table_rules))
    match = Match("hanabi", seats, deals=games, seed=seed, rules=rules).prepared()
    searching = sum(agent.traits.searches for agent in match.agents)
    began, scores, turns = time.process_time(), [], 0
    for deal in track(deals.tolist(), ", ".join(seats), transient=True):
        stretch = play_compiled(match, 0, range(deal, deal + 1))
        if stretch.failure:
            sys.exit(stretch.failure)
        scores.append(int(stretch.results[0, 0]))
        turns += int(stretch.results[0, 2])
    spent = 1000 * (time.process_time() - began)
    return Played(np.array(scores, float), spent * len(seats) / (turns * searching) if searching else 0.0)


def stratified(values: np.ndarray, sort: np.ndarray, shares: np.ndarray) -> tuple[float, float]:
    """The mean of values of two sorts, which are such shares of all, and its standard error."""
    mean = variance = 0.0
    for each, share in enumerate(shares):
        of_sort = values[sort == each]
        if len(of_sort):
            mean += share * of_sort.mean()
            variance += share**2 * of_sort.var() / len(of_sort)
    return float(mean), float(variance) ** 0.5


def table_of(text: str, players: int) -> tuple[str, ...]:
    seats = tuple(text.split(","))
    return seats * players if len(seats) == 1 else seats


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="+", metavar="SEAT,SEAT…", help="agents by their names, in the order they sit")
    parser.add_argument("--games", type=int, default=200, help="deals, the same for every table")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sample", metavar="F,P", help="sample F of the imperfect deals and P of the perfect ones")
    chosen = parser.parse_args()
    first, *others = chosen.tables
    usual = table_of(first, 1)
    alone = played(usual, chosen.games, chosen.seed, np.arange(chosen.games)).scores
    perfect = (alone == PERFECT).astype(int)
    sort = perfect if chosen.sample else np.zeros(chosen.games, int)
    most = [int(count) for count in chosen.sample.split(",")] if chosen.sample else [chosen.games, 0]
    deals = np.sort(np.concatenate([np.flatnonzero(sort == each)[: most[each]] for each in range(2)]))
    shares = np.bincount(sort, minlength=2) / chosen.games
    root = chosen.games**0.5
    print(f"{chosen.games} deals of seed {chosen.seed}, {len(deals)} of them searched; standard errors\n")
    print("| seats | mean | gain | better | worse | lost | ms per move |\n|---|---|---|---|---|---|---|")
    print(f"| {', '.join(usual)} | {alone.mean():.3f} ± {alone.std() / root:.3f} | | | | {np.sum(alone == 0)} | |")
    for text in others:
        seats = table_of(text, len(usual))
        scores, spent = played(seats, chosen.games, chosen.seed, deals)
        gains = scores - alone[deals]
        gain, error = stratified(gains, sort[deals], shares)
        print(
            f"| {', '.join(seats)} | {alone.mean() + gain:.4f} | {gain:+.4f} ± {error:.4f} | "
            f"{np.sum(gains > 0)} | {np.sum(gains < 0)} | {np.sum(scores == 0)} | {spent:.1f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
