"""Strategy fusion: what the sampler expects of a deal that hangs on a guess, and what it takes.

    python benchmarks/bridge_fusion.py --deals 40 --samples 20 --seed 1 --picture docs/pictures/strategy-fusion.svg

South plays 7NT with twelve tricks on top and a queen that can be finessed on either side. The hands of East and West
are dealt again for every game. Solved openly every deal makes thirteen tricks, since who sees all cards knows where the
queen is; the one who plays has to guess.
"""

import argparse
from math import sqrt
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

from kibitz.arena.statistics import Z95
from kibitz.core import registry
from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.engine.dice import set_dice
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seeds import keys, number
from kibitz.games.bridge.agents.sampler import Sampler
from kibitz.games.bridge.game import BRIDGE
from kibitz.games.bridge.worlds import sample_world

DEAL = "N:KJ2.432.5432.432 Q94.T98.JT9.T987 AT3.AKQJ.AKQ.AKQ 8765.765.876.J65"
SOUTH, WEST = 2, 3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=40)
    parser.add_argument("--samples", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--picture", type=Path)
    chosen = parser.parse_args()
    played = [one_deal(number(keys(chosen.seed).deal, deal), chosen.samples) for deal in range(chosen.deals)]
    expected, taken = np.array([each[0] for each in played]), np.array([each[1] for each in played])
    half = Z95 * taken.std(ddof=1) / sqrt(len(taken))
    print(f"{chosen.deals} deals of seed {chosen.seed}, {chosen.samples} sampled deals for a card")
    print(f"expected before the first card of dummy  {expected[:, 0].mean():.2f} tricks")
    print(f"taken                                    {taken.mean():.2f} ± {half:.2f} tricks")
    if chosen.picture:
        draw(expected, taken, chosen.picture)


def one_deal(stream: int, samples: int) -> tuple[list[float], int]:
    """What the sampler expects at its first card of every trick, and how many tricks it takes, with other defenders."""
    table = Table(BRIDGE, [], another_deal(stream))
    defender, sampler, expected = registry.agent(BRIDGE, "heuristic").take_seat(BRIDGE), Sampler(), list[float]()
    while not table.over:
        view = table.view(table.to_move)
        if table.to_move != SOUTH:
            table.make(defender.decide(view))
            continue
        best, *_ = sampler.estimate(BRIDGE.view(view), samples)
        if len(expected) == len(table.turns) // 4:
            expected.append(best.value)
        table.make(Decision(best.move))
    return expected, int(table.state["tricks"][0])


def another_deal(stream: int) -> Any:
    """The deal with other hands for East and West: those that South could imagine once dummy lies open."""
    start = BRIDGE.load_start({"deal": DEAL, "contract": "7NT", "declarer": "S"}, 4, BRIDGE.check_rules({}))
    pair = np.zeros(2, BRIDGE.dtype)
    pair[SEEN] = start[0]
    pair[SEEN]["seat"] = SOUTH
    for hidden in (1, WEST):
        pair[SEEN]["hands"][hidden] = pair[SEEN]["dealt"][hidden] = 0
    sample_world(pair, stream)
    set_dice(pair[WORLD], stream)
    return pair[WORLD : WORLD + 1].copy()


def draw(expected: Any, taken: Any, path: Path) -> None:
    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "kibitz"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 3.4))
    tricks = np.arange(1, expected.shape[1] + 1)
    axes.plot(tricks, expected.mean(axis=0), marker="o", label="what it expects, mean over the deals")
    axes.axhline(taken.mean(), linestyle="--", color="tab:red", label="what it takes in the end")
    axes.set_xlabel("trick")
    axes.set_ylabel("tricks of South")
    axes.set_xticks(tricks)
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    main()
