"""A machine search of the conventions of `convention2` for two players, and what each choice gains.

    python benchmarks/convention_search.py --starts 6 --deals 2000 --seed 2027 --file search.jsonl

It climbs from random combinations of the choices below: one choice after another, in random order, is set to the value
that plays best with all others unchanged, until a whole round changes nothing. All conventions play the same deals
under the rules of the published figures. The file keeps every result, and an interrupted run resumes from it.

At the end each choice is changed alone in the best convention found, and the differences are printed with their 95 %
intervals.
"""

import argparse
import json
from math import prod
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
from rich.progress import Progress

from kibitz.arena.match import Match, play_compiled
from kibitz.arena.statistics import Z95
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.games.hanabi.game import HANABI

RULES = {"lost_game": "zero", "empty_hint": "forbidden", "full_discard": "forbidden"}
CHOICES = {
    "focus.colour_newest": (0, 1), "focus.rank_newest": (0, 1), "focus.touched_again": (0, 1),
    "implicit.discard": (0, 1), "implicit.save_tokens": (0, 7), "implicit.hint_over_play": (0, 1),
    "implicit.no_play_saves": (0, 1), "implicit.no_play_denies": (0, 1),
    "discard.chop": (0, 1), "discard.max_calls": (0, 1, 3),
}  # fmt: skip
GAIN = 0.005  # points that a change must gain
Convention = tuple[int, ...]  # one value for each choice


class Measured:
    """The scores of conventions on the same deals, stored in a file."""

    def __init__(self, deals: int, seed: int, path: Path | None) -> None:
        agent = registry.agent(HANABI, "convention2")
        assert isinstance(agent, CompiledAgent)
        self.agent, self.deals, self.seed, self.path = agent, deals, seed, path
        self.key = [agent.weights.digest(), deals, seed]
        self.means: dict[Convention, float] = {}
        if path and path.exists():
            lines = [json.loads(line) for line in path.read_text().splitlines() if line.endswith("}")]
            self.means = {tuple(each["values"]): each["mean"] for each in lines if each["key"] == self.key}

    def scores(self, convention: Convention) -> Any:
        weights = dict(zip(CHOICES, map(float, convention), strict=True))
        agents = [self.agent.with_weights(weights)] * 2
        match = Match.of(HANABI, agents, self.deals, self.seed, rules=HANABI.check_rules(RULES))
        return np.asarray(play_compiled(match, 0, range(self.deals)).results)[:, 0].astype(float)

    def mean(self, convention: Convention) -> float:
        if convention not in self.means:
            self.means[convention] = float(self.scores(convention).mean())
            if self.path:
                line = {"key": self.key, "values": convention, "mean": self.means[convention]}
                with self.path.open("a") as file:
                    file.write(json.dumps(line) + "\n")
        return self.means[convention]


def others(convention: Convention, place: int) -> list[Convention]:
    """The convention with the other values of one choice."""
    values = list(CHOICES.values())[place]
    return [(*convention[:place], value, *convention[place + 1 :]) for value in values if value != convention[place]]


def climbed(measured: Measured, start: Convention, dice: Random, progress: Progress, task: Any) -> Convention:
    """Coordinate ascent from a convention."""
    best, since = start, 0
    order = dice.sample(range(len(CHOICES)), len(CHOICES))
    while since < len(order):
        for place in order:
            better = max(others(best, place), key=measured.mean)
            since = 0 if measured.mean(better) > measured.mean(best) + GAIN else since + 1
            best = better if since == 0 else best
            progress.update(task, description=f"{measured.mean(best):.3f}, {len(measured.means)} conventions")
            if since >= len(order):
                break
    return best


def in_words(convention: Convention) -> str:
    return ", ".join(f"{name}={value}" for name, value in zip(CHOICES, convention, strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=12, help="random starting points")
    parser.add_argument("--deals", type=int, default=4000, help="games per convention")
    parser.add_argument("--seed", type=int, default=2027)
    parser.add_argument("--file", type=Path, help="file of results, to resume from")
    options = parser.parse_args()
    measured, dice = Measured(options.deals, options.seed, options.file), Random(options.seed)
    ends = []
    print(f"{prod(map(len, CHOICES.values())):,} conventions; {options.deals:,} deals of seed {options.seed}\n")
    print("| start | its score | leads to |\n|---|---|---|")
    with Progress(transient=True) as progress:
        task = progress.add_task("climbing", total=options.starts)
        for number in range(1, options.starts + 1):
            start = tuple(dice.choice(values) for values in CHOICES.values())
            ends.append(climbed(measured, start, dice, progress, task))
            progress.console.print(f"| {number} | {measured.mean(start):.3f} | {measured.mean(ends[-1]):.3f} |")
            progress.advance(task)
    best = max(ends, key=measured.mean)
    print(f"\n{len(measured.means):,} conventions were played. The best: {in_words(best)}\n")
    print("| changed choice | mean | difference |\n|---|---|---|")
    own = measured.scores(best)
    for place, name in enumerate(CHOICES):
        for other in others(best, place):
            gain = measured.scores(other) - own
            half = Z95 * gain.std(ddof=1) / len(gain) ** 0.5
            print(
                f"| {name}={other[place]} | {(own + gain).mean():.3f} | {gain.mean():+.3f} ± {half:.3f} |", flush=True
            )


if __name__ == "__main__":
    main()
