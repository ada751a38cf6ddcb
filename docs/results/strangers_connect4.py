"""Evolve weights of Connect 4 by tournaments, by a fixed group and by both; measure the winners against strangers.

The lecture warns of pure self-play: an agent that meets only its own kind may learn to beat nobody else. Every way
plays the same number of games for each member of a generation, so the comparison is of opponents only. The winners of
all seeds play agents that nobody met, on fresh random openings, half in either seat, and so do the hand-made weights.
It writes the page `bred-connect4.md` and resumes from checkpoints.
"""

import argparse
import time
from pathlib import Path
from statistics import fmean
from typing import NamedTuple

from strangers import over_seeds, wrapped

from kibitz.core.breeding import Genes
from kibitz.learn.evolution import By, Evolution, EvolutionPlan, begin_evolution

PAGE = Path(__file__).parent / "bred-connect4.md"
AGENT = "alphabeta2"
GROUP = ("greedy", "alphabeta2", "mcts@100")
STRANGERS = ("alphabeta4", "mcts@300", "mcts_informed@100")
POPULATION, GENERATIONS, JUDGING = 16, 10, 400
HAND = "hand-made"


class Way(NamedTuple):
    words: str
    by: By
    rivals: int
    games: int  # with every one met: 120 for each member of a generation, whatever the way


WAYS = {
    "tournament": Way("by tournaments of their own", "tournament", rivals=6, games=20),
    "group": Way("by the group", "group", rivals=0, games=40),
    "both": Way("by tournaments and the group", "both", rivals=3, games=20),
}


def plan(way: Way, seed: int) -> EvolutionPlan:
    return EvolutionPlan(
        "connect4", AGENT, way.by, GROUP, STRANGERS, seed=seed, rules={"opening": "random"}, population=POPULATION,
        generations=GENERATIONS, games=way.games, rivals=way.rivals, judging=JUDGING,
    ).prepared()  # fmt: skip


class Winner(NamedTuple):
    genes: Genes
    group: float  # the share of points against it
    strangers: float


def measured(evolution: Evolution, genes: Genes, jobs: int) -> Winner:
    scores = evolution.measured(genes, jobs)
    return Winner(genes, scores["group"].mean, scores["strangers"].mean)


def bred(way: str, seed: int, folder: Path, jobs: int) -> tuple[Winner, Winner]:
    """The winner, and the hand-made weights on the same deals."""
    the_plan = plan(WAYS[way], seed)
    evolution = Evolution(the_plan, begin_evolution(the_plan, name=str(folder / f"{way}-{seed}"), grows=True))
    for _ in evolution.evolve(jobs):
        pass
    by_hand = evolution.plan.breed.founders()[0]
    return measured(evolution, evolution.winner(jobs), jobs), measured(evolution, by_hand, jobs)


def mean_of(winners: list[Winner]) -> Winner:
    """The same weights, measured several times."""
    return Winner(winners[0].genes, fmean(each.group for each in winners), fmean(each.strangers for each in winners))


def between(found: dict[str, list[Winner]]) -> list[str]:
    """The gain of the other ways against strangers, compared with the group."""
    lines = ["", "Against strangers, the other ways minus the group, seed by seed:", ""]
    lines += ["| evolved | difference |", "|---|---|"]
    for way in (name for name in found if name != "group"):
        pairs = zip(found[way], found["group"], strict=True)
        lines.append(f"| {WAYS[way].words} | {over_seeds([100 * (a.strangers - b.strangers) for a, b in pairs])} |")
    return lines


def page(found: dict[str, list[Winner]], by_hand: dict[str, list[Winner]], seeds: int) -> str:
    head = ["| evolved | against the group | against strangers | strangers, worst seed |", "|---|---|---|---|"]
    lines = [
        "# Connect 4: weights evolved among themselves, and with others", "",
        wrapped(
            f"Made by `python docs/results/strangers_connect4.py --seeds {seeds}`. It compares weights of `{AGENT}`, "
            f"evolved from {seeds} seeds in each of three ways, {GENERATIONS} generations of {POPULATION}, 120 games "
            f"for each member, random openings. The group is {', '.join(GROUP)}. The strangers, met only at the end, "
            f"are {', '.join(STRANGERS)}. Shares of points in per cent (a draw is half a point) of the winners on "
            f"{JUDGING} fresh openings with each of them, half in either seat; ± is half of a 95 % interval over the "
            f"seeds."
        ), "",
        *head,
    ]  # fmt: skip
    of_hand = [mean_of([each[seed] for each in by_hand.values()]) for seed in range(seeds)]
    for words, winners in [*((WAYS[way].words, each) for way, each in found.items()), (HAND, of_hand)]:
        group, strangers = [100 * each.group for each in winners], [100 * each.strangers for each in winners]
        lines.append(f"| {words} | {over_seeds(group)} | {over_seeds(strangers)} | {min(strangers):.1f} |")
    lines += ["", "Each way minus the hand-made weights, on the same deals, seed by seed:", "", *head[:1], head[1]]
    for way, winners in found.items():
        pairs = list(zip(winners, by_hand[way], strict=True))
        group = [100 * (one.group - other.group) for one, other in pairs]
        strangers = [100 * (one.strangers - other.strangers) for one, other in pairs]
        lines.append(f"| {WAYS[way].words} | {over_seeds(group)} | {over_seeds(strangers)} | {min(strangers):.1f} |")
    lines += between(found)
    lines += ["", "The weights of every winner, for lines with one, two and three stones:", ""]
    lines += [f"| seed | {' | '.join(WAYS[way].words for way in found)} |", f"|---|{'---|' * len(found)}"]
    for seed in range(seeds):
        cells = [", ".join(f"{gene:.1f}" for gene in found[way][seed].genes) for way in found]
        lines.append(f"| {seed} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=2, help="workers; the figures do not depend on it")
    parser.add_argument("--folder", type=Path, default=Path("build/strangers_connect4"), help="where checkpoints are")
    chosen = parser.parse_args()
    found: dict[str, list[Winner]] = {way: [] for way in WAYS}
    hands: dict[str, list[Winner]] = {way: [] for way in WAYS}
    started = time.process_time()
    for seed in range(chosen.seeds):
        for way in WAYS:
            winner, by_hand = bred(way, seed, chosen.folder, chosen.jobs)
            found[way].append(winner)
            hands[way].append(by_hand)
            print(f"seed {seed} {way}: {winner} ({time.process_time() - started:.0f} s)", flush=True)
    PAGE.write_text(page(found, hands, chosen.seeds))
    print(PAGE.read_text())


if __name__ == "__main__":
    main()
