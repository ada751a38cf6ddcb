"""The learners at the mixed tables of Jarząbek & Leja 2020, chapter 6: each in the seats where the thesis had its own.

    python benchmarks/reinforced_tables.py
    python benchmarks/reinforced_tables.py --games 10000 --seed 7

Every learner plays the same deals at a table. Behind a mean stands the half of its 95 % interval.
"""

import argparse
from collections.abc import Sequence

import numpy as np
from rich.console import Console
from rich.table import Table

from kibitz.arena import experiment
from kibitz.arena.match import Match, play
from kibitz.arena.statistics import Z95

PAPER, THEIRS = "jarzabek-leja-2020", "reinforced4"
LEARNERS = ("reinforced4", "reinforced2", "reinforced_guest", "reinforced_all")


def score(seats: Sequence[str], games: int, seed: int) -> tuple[float, float]:
    match = Match("hanabi", tuple(seats), games, seed).prepared()
    scores = np.concatenate([match.game.scores(batch.results)[0] for batch in play(match)])
    return float(scores.mean()), float(Z95 * scores.std(ddof=1) / np.sqrt(len(scores)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10_000, help="at each table")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    table = Table("table", "thesis", *LEARNERS, box=None)
    with Console(stderr=True).status("playing"):
        for mixed in experiment.read(PAPER).mixed:
            if THEIRS not in mixed.seats:
                continue
            cells = []
            for learner in LEARNERS:
                seats = [learner if seat == THEIRS else seat for seat in mixed.seats]
                mean, half = score(seats, chosen.games, chosen.seed)
                cells.append(f"{mean:.2f} ± {half:.2f}")
            named = ", ".join("learner" if seat == THEIRS else seat for seat in mixed.seats)
            table.add_row(named, f"{mixed.mean:.2f}", *cells)
    console = Console(width=140)
    console.print(f"{chosen.games:,} games of seed {chosen.seed} at each table", highlight=False)
    console.print(table)


if __name__ == "__main__":
    main()
