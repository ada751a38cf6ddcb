"""Evolve Hanabi rule lists by self-play, by tournaments, by a group, and by both; how do they play with strangers?

    python docs/results/strangers.py --jobs 2

It evolves each way from several seeds, like `kibitz evolve hanabi --by …`, and writes the results to
docs/results/bred-with-strangers.md. Checkpoints are kept in a folder, so a killed run resumes.
"""

import argparse
import textwrap
import time
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import NamedTuple

import numpy as np

from kibitz.arena.statistics import Estimate
from kibitz.core import registry
from kibitz.core.breeding import Genes
from kibitz.learn.evaluator import on_threads
from kibitz.learn.evolution import By, Evolution, EvolutionPlan, begin_evolution

PAGE = Path(__file__).with_name("bred-with-strangers.md")
# Every second of the agents that neither cheat nor play at random, by name, is in the group; the others are strangers.
AGENTS = (
    "bot1", "bot2", "bot2_conventions", "distrustful", "hajdu_v1", "hajdu_v1_fixed", "hajdu_v2", "hajdu_v2_fives",
    "hajdu_v3", "hajdu_v4", "iggi", "internal", "outer", "piers", "simple_distrustful", "trustful", "van_den_bergh",
)  # fmt: skip
GROUP, STRANGERS = AGENTS[::2], AGENTS[1::2]
POPULATION, GENERATIONS, JUDGING, WITH_ELITES = 80, 60, 2000, 100
MEASURED = ("copies", "group", "strangers", "elites")


class Way(NamedTuple):
    words: str
    by: By
    rivals: int
    games: int  # with every partner: about 160 for each member of a generation, whatever the way


WAYS = {
    "alone": Way("by pure self-play, with its copies alone", "tournament", rivals=0, games=160),
    "tournament": Way("by tournaments of their own", "tournament", rivals=3, games=40),
    "group": Way("by the group", "group", rivals=0, games=18),
    "both": Way("by tournaments and the group", "both", rivals=3, games=12),
}


def plan(way: str, seed: int) -> EvolutionPlan:
    _, by, rivals, games = WAYS[way]
    return EvolutionPlan(
        "hanabi", by=by, group=GROUP, strangers=STRANGERS, seed=seed, population=POPULATION, generations=GENERATIONS,
        games=games, rivals=rivals, judging=JUDGING,
    ).prepared()  # fmt: skip


def bred(way: str, seed: int, folder: Path, jobs: int) -> dict[str, Estimate]:
    the_plan = plan(way, seed)
    evolution = Evolution(the_plan, begin_evolution(the_plan, name=str(folder / f"{way}-{seed}"), grows=True))
    for _ in evolution.evolve(jobs):
        pass
    genes = evolution.winner(jobs)
    return {**evolution.measured(genes, jobs), "elites": with_elites(evolution.plan, genes, jobs)}


def with_elites(the_plan: EvolutionPlan, genes: Genes, jobs: int) -> Estimate:
    """The mean with each elite of the map that comes with Hanabi: strangers of every way to play."""
    archive, agent = the_plan.game.elites, the_plan.breed.agent(genes, "winner")
    assert archive is not None
    deals = the_plan.evaluator.deals(the_plan.generations * the_plan.games + 2 * JUDGING, WITH_ELITES)
    others = [archive.agent_of(elite) for elite in archive.map.elites]
    with on_threads(jobs) as each:
        worth = list(each(lambda other: the_plan.evaluator.worth(agent, other, deals), others))
    return Estimate.of(np.mean(worth, axis=0))


def over_seeds(values: list[float]) -> str:
    """The mean over seeds and half of its 95 % interval, by Student's t."""
    quantile = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36}[len(values)]
    return f"{fmean(values):.2f} ± {quantile * stdev(values) / sqrt(len(values)):.2f}"


def wrapped(text: str) -> str:
    return textwrap.fill(text, 116, break_long_words=False, break_on_hyphens=False)


def page(found: dict[str, list[dict[str, Estimate]]], seeds: int) -> str:
    elites = len(registry.game("hanabi").elites.map.elites)  # type: ignore[union-attr]
    head = "| evolved | with its copies | with the group | with strangers | with every elite |"
    lines = [
        "# Evolved with strangers", "",
        wrapped(
            f"Made by `python docs/results/strangers.py --seeds {seeds}`. It compares rule lists of Hanabi for two "
            f"players, evolved from {seeds} seeds in each of four ways, {GENERATIONS} generations of {POPULATION}. "
            f"The group is {', '.join(GROUP)}. The strangers, met only at the end, are {', '.join(STRANGERS)}, and the "
            f"{elites} [elites](../explanation/elites.md), which cover all playing styles. Mean scores of the winners "
            f"on {JUDGING:,} holdout deals with every partner ({WITH_ELITES} with each elite); ± is half of a 95 % "
            f"interval over the seeds, and the worst seed is in brackets."
        ), "", head, "|---|---|---|---|---|",
    ]  # fmt: skip
    for way, scores in found.items():
        values = [[each[what].mean for each in scores] for what in MEASURED]
        cells = [f"{over_seeds(each)} ({min(each):.2f})" for each in values]
        lines.append(f"| {WAYS[way].words} | {' | '.join(cells)} |")
    lines += [
        "",
        "The other ways minus the group, seed by seed:",
        "",
        head,
        "|---|---|---|---|---|",
    ]
    for way in (name for name in WAYS if name != "group"):
        cells = []
        for what in MEASURED:
            pairs = zip(found[way], found["group"], strict=True)
            cells.append(over_seeds([one[what].mean - other[what].mean for one, other in pairs]))
        lines.append(f"| {WAYS[way].words} | {' | '.join(cells)} |")
    lines += ["", "Every winner: with its copies / with strangers / with every elite.", ""]
    lines += [f"| seed | {' | '.join(way.words for way in WAYS.values())} |", "|---|---|---|---|---|"]
    for seed in range(seeds):
        winners = [found[way][seed] for way in WAYS]
        cells = [" / ".join(f"{each[what].mean:.2f}" for what in ("copies", "strangers", "elites")) for each in winners]
        lines.append(f"| {seed} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=6)
    parser.add_argument("--jobs", type=int, default=2, help="workers; the figures do not depend on it")
    parser.add_argument("--folder", type=Path, default=Path("build/strangers"), help="where checkpoints are kept")
    chosen = parser.parse_args()
    found: dict[str, list[dict[str, Estimate]]] = {way: [] for way in WAYS}
    started = time.process_time()
    for seed in range(chosen.seeds):
        for way in WAYS:
            scores = bred(way, seed, chosen.folder, chosen.jobs)
            found[way].append(scores)
            means = ", ".join(f"{what} {each.mean:.2f}" for what, each in scores.items())
            print(f"seed {seed} {way}: {means} ({time.process_time() - started:.0f} s)", flush=True)
    PAGE.write_text(page(found, chosen.seeds))
    print(PAGE.read_text())


if __name__ == "__main__":
    main()
