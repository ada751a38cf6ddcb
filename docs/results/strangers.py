"""Breed Hanabi's rule lists by tournaments of their own, by a group, and by both; how do they play with strangers?

    python docs/results/strangers.py --jobs 2

It breeds each way from several seeds, as `kibitz evolve hanabi --by …` does, and writes what it measures to
docs/results/bred-with-strangers.md. Checkpoints lie in a folder, so a run that was killed goes on.
"""

import argparse
import time
from math import sqrt
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from kibitz.learn.evolution import BYS, Evolution, EvolutionPlan, Score, score
from kibitz.learn.tables import compiled_agent

PAGE = Path(__file__).with_name("bred-with-strangers.md")
GROUP = ("internal", "outer", "iggi", "piers", "van_den_bergh")  # the published rule lists
STRANGERS = (
    "simple_distrustful",
    "distrustful",
    "trustful",
    "bot1",
    "bot2",
    "hajdu_v2",
    "hajdu_v3",
)  # of other authors
POPULATION, GENERATIONS, GAMES, RIVALS, JUDGING = 80, 60, 40, 3, 2000
KNOWN = ("piers", "iggi")  # to compare with
WORDS = {"tournament": "by tournaments of their own alone", "group": "by the group", "both": "by both"}


def plan(by: Any, seed: int) -> EvolutionPlan:
    return EvolutionPlan(
        "hanabi", by=by, group=GROUP, strangers=STRANGERS, seed=seed, population=POPULATION, generations=GENERATIONS,
        games=GAMES, rivals=RIVALS, judging=JUDGING,
    ).prepared()  # fmt: skip


def bred(by: Any, seed: int, folder: Path, jobs: int) -> dict[str, Score]:
    evolution = Evolution(plan(by, seed), folder / f"{by}-{seed}.toml")
    for _ in evolution.evolve(jobs):
        pass
    return evolution.told(evolution.winner(jobs), jobs)


def known(name: str, seed: int) -> dict[str, Score]:
    """A published list on the same fresh deals."""
    the_plan = plan("group", seed)
    agent, tables = compiled_agent(the_plan.game, name), the_plan.tables
    deals = tables.deals(GENERATIONS * GAMES + JUDGING, JUDGING)
    others = {"copies": [agent], "strangers": the_plan.stranger_agents}
    return {
        what: score(sum(tables.worth(agent, other, deals) for other in agents) / len(agents))
        for what, agents in others.items()
    }


def over_seeds(values: list[float]) -> str:
    """The mean over seeds and half of its 95 % interval, by Student's t."""
    quantile = {2: 12.71, 3: 4.30, 4: 3.18, 5: 2.78, 6: 2.57, 7: 2.45, 8: 2.36}[len(values)]
    return f"{fmean(values):.2f} ± {quantile * stdev(values) / sqrt(len(values)):.2f}"


def page(found: dict[str, list[dict[str, Score]]], published: dict[str, dict[str, Score]], seeds: int) -> str:
    lines = [
        "# Bred among themselves, and with strangers", "",
        f"Made by `python docs/results/strangers.py --seeds {seeds}`: rule lists of Hanabi for two players, bred from "
        f"{seeds} seeds in each of three ways, {GENERATIONS} generations of {POPULATION}. The group are "
        f"{', '.join(GROUP)}; strangers, whom nobody meets before the end, are {', '.join(STRANGERS)}. Mean scores of "
        f"the winners on {JUDGING:,} fresh deals with every partner; ± is half of a 95 % interval over the seeds.", "",
        "| bred | with its copies | with the group | with strangers |", "|---|---|---|---|",
    ]  # fmt: skip
    for by, scores in found.items():
        cells = [over_seeds([each[what].mean for each in scores]) for what in ("copies", "group", "strangers")]
        lines.append(f"| {WORDS[by]} | {' | '.join(cells)} |")
    for name, scores in published.items():
        with_copies, strangers = (f"{scores[what].mean:.2f}" for what in ("copies", "strangers"))
        lines.append(f"| `{name}`, as it was published | {with_copies} | | {strangers} |")
    lines += ["", "The difference that the way of breeding makes, seed by seed:", ""]
    lines += ["| | with its copies | with strangers |", "|---|---|---|"]
    for by in ("group", "both"):
        cells = []
        for what in ("copies", "strangers"):
            pairs = zip(found[by], found["tournament"], strict=True)
            cells.append(over_seeds([one[what].mean - other[what].mean for one, other in pairs]))
        lines.append(f"| {WORDS[by]}, minus {WORDS['tournament']} | {' | '.join(cells)} |")
    lines += [
        "",
        "Seed by seed, with its copies / with strangers:",
        "",
        f"| seed | {' | '.join(BYS)} |",
        "|---|---|---|---|",
    ]
    for seed in range(seeds):
        cells = [f"{found[by][seed]['copies'].mean:.2f} / {found[by][seed]['strangers'].mean:.2f}" for by in BYS]
        lines.append(f"| {seed} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--jobs", type=int, default=2, help="workers; the figures do not depend on it")
    parser.add_argument("--folder", type=Path, default=Path("build/strangers"), help="where checkpoints are kept")
    chosen = parser.parse_args()
    found: dict[str, list[dict[str, Score]]] = {by: [] for by in BYS}
    started = time.process_time()
    for seed in range(chosen.seeds):
        for by in BYS:
            scores = bred(by, seed, chosen.folder, chosen.jobs)
            found[by].append(scores)
            told = ", ".join(f"{what} {each.mean:.2f}" for what, each in scores.items())
            print(f"seed {seed} {by}: {told} ({time.process_time() - started:.0f} s)", flush=True)
    PAGE.write_text(page(found, {name: known(name, 0) for name in KNOWN}, chosen.seeds))
    print(PAGE.read_text())


if __name__ == "__main__":
    main()
