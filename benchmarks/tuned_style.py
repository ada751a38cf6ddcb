"""How tuning changed the way `trustful` plays: the tables and the chart of docs/explanation/tuned-trustful.md.

    python benchmarks/tuned_style.py                    # prints the tables
    python benchmarks/tuned_style.py --chart FOLDER     # and draws what each weight is worth

Both play the same deals, of a seed that no study used. What a weight is worth is what is lost when it alone is set back
to what it was.
"""

import argparse
from collections.abc import Iterator
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena import charts
from kibitz.arena.match import Match, play_compiled
from kibitz.arena.statistics import Z95, Estimate
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.engine.loop import MOVE_BITS, REASON_BITS
from kibitz.games.hanabi.agents.trustful import (
    DISCARD_TIP,
    GUESS_DISCARD,
    HINTED_PLAY,
    INFORMATION_TIP,
    NECESSARY_TIP,
    OBVIOUS_DISCARD,
    OBVIOUS_PLAY,
    PLAY_TIP,
    RISKY_TIP,
    SAVE_TIP,
    VETO,
    trustful,
)
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.rules import HINT
from kibitz.learn.paired_deals import Objective, paired

SEED, DEALS, PLAYERS = 1, 20_000, (2, 3, 4, 5)
SCORE, LIVES, TURNS = (HANABI.columns.index(name) for name in ("score", "lives", "turns"))
REASONS = {
    "play tips": PLAY_TIP, "risky tips": RISKY_TIP, "save tips": SAVE_TIP, "information tips": INFORMATION_TIP,
    "discard tips": DISCARD_TIP, "necessary tips": NECESSARY_TIP, "vetoes": VETO, "plays that are sure": OBVIOUS_PLAY,
    "plays that were promised": HINTED_PLAY, "discards that are sure": OBVIOUS_DISCARD,
    "discards by guess": GUESS_DISCARD,
}  # fmt: skip


def tuned(players: int) -> CompiledAgent:
    agent = registry.agent(HANABI, f"bayesian_trustful{players}")
    assert isinstance(agent, CompiledAgent)
    return agent


def habits(agent: CompiledAgent, players: int, deals: int) -> dict[str, Any]:
    """What happened in every game, by what it is called."""
    match = Match.of(HANABI, [agent] * players, deals, SEED).prepared()
    found: dict[str, list[Any]] = {}
    for first in range(0, deals, 2_000):
        part = play_compiled(match, 0, np.arange(first, min(first + 2_000, deals)), keeps=True)
        made = np.arange(part.decisions.shape[1]) < part.results[:, TURNS, None]
        moves = part.decisions & ((1 << MOVE_BITS) - 1)
        reasons = (part.decisions >> MOVE_BITS) & ((1 << REASON_BITS) - 1)
        counted = {
            "score": part.results[:, SCORE],
            "perfect games": part.results[:, SCORE] == HANABI.best,
            "turns": part.results[:, TURNS],
            "hints": ((moves >= HINT) & made).sum(axis=1),
            **{name: ((reasons == reason) & made).sum(axis=1) for name, reason in REASONS.items()},
            "misplays": 3 - part.results[:, LIVES],
        }
        for name, values in counted.items():
            found.setdefault(name, []).append(values)
    return {name: np.concatenate(values).astype(float) for name, values in found.items()}


def style(deals: int) -> Iterator[str]:
    """What happens in a game of trustful, and how much more or less of it in one of the agent tuned for that table."""
    yield "| a game | " + " | ".join(f"{players} players" for players in PLAYERS) + " |"
    yield "|---" * (len(PLAYERS) + 1) + "|"
    rows: dict[str, list[str]] = {}
    for players in PLAYERS:
        before, after = (habits(agent, players, deals) for agent in (trustful, tuned(players)))
        for name in before:
            difference, digits = paired(after[name], before[name]), 3 if name == "perfect games" else 2
            change = f"{difference.mean:+.{digits}f} ± {difference.half_width:.{digits}f}"
            rows.setdefault(name, []).append(f"{before[name].mean():.{digits}f}, {change}")
    for name, cells in rows.items():
        yield f"| {name} | {' | '.join(cells)} |"


def set_back(players: int, deals: int) -> dict[str, Estimate]:
    """What is lost, deal by deal, when one weight is set back to what it was; the most first."""
    objective, agent = Objective(HANABI, players, {}, jobs=2), tuned(players)
    whole = objective.play(agent, SEED, 0, deals)
    own, found = trustful.weights.by_name(), {}
    for name in agent.weights.names:
        other = objective.play(agent.with_weights({name: own[name]}), SEED, 0, deals)
        found[name] = paired(whole, other)
    return dict(sorted(found.items(), key=lambda each: -each[1].mean))


def weights_table(players: int, worth: dict[str, Estimate]) -> Iterator[str]:
    own, now = trustful.weights.by_name(), tuned(players).weights.by_name()
    yield f"| {players} players: weight | was | is | worth |"
    yield "|---|---|---|---|"
    for name, difference in worth.items():
        yield f"| `{name}` | {own[name]:g} | {now[name]:.2f} | {difference.mean:+.3f} ± {difference.half_width:.3f} |"


def chart(worths: dict[int, dict[str, Estimate]], deals: int) -> Any:
    """A panel for each number of players, a bar for each weight."""
    from matplotlib.figure import Figure

    names = list(trustful.weights.names)
    total = {name: sum(each[name].mean for each in worths.values()) for name in names}
    names.sort(key=lambda name: -total[name])
    figure = Figure(figsize=(10, 5.6), layout="constrained")
    for axes, (players, worth) in zip(figure.subplots(1, len(worths), sharey=True), worths.items(), strict=True):
        means = [worth[name].mean for name in names]
        halves = [worth[name].half_width for name in names]
        axes.barh(range(len(names)), means, 0.7, color="#0072B2", xerr=halves, error_kw={"lw": 0.8, "ecolor": "0.35"})
        axes.axvline(0, color="black", lw=0.8)
        axes.set_title(f"{players} players", loc="left", fontsize=9, weight="bold")
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(labelsize=7.5, length=0)
        axes.locator_params(axis="x", nbins=4)
        axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    figure.supxlabel(
        "points lost when the weight is set back to trustful's, ± 95 % interval", fontsize=8, color=charts.GREY
    )
    figure.suptitle(
        f"What each tuned weight is worth ({deals:,} deals of seed {SEED})",
        x=0.01,
        ha="left",
        fontsize=10,
        weight="bold",
    )
    return figure


def crossed(deals: int) -> Iterator[str]:
    """Every tuned agent at every number of players, as a difference to trustful."""
    yield "| | " + " | ".join(f"{players} players" for players in PLAYERS) + " |"
    yield "|---" * (len(PLAYERS) + 1) + "|"
    base = {players: Objective(HANABI, players, {}, jobs=2).play(trustful, SEED, 0, deals) for players in PLAYERS}
    means = [f"{base[players].mean():.2f} ± {Z95 * base[players].std() / sqrt(deals):.2f}" for players in PLAYERS]
    yield f"| `trustful` | {' | '.join(means)} |"
    for at in PLAYERS:
        cells = []
        for players in PLAYERS:
            gain = paired(Objective(HANABI, players, {}, jobs=2).play(tuned(at), SEED, 0, deals), base[players])
            cells.append(f"{gain.mean:+.2f} ± {gain.half_width:.2f}")
        yield f"| `bayesian_trustful{at}` | {' | '.join(cells)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=DEALS, help="of seed 1, for each figure")
    parser.add_argument("--chart", type=Path, metavar="FOLDER", help="where to draw the chart")
    chosen = parser.parse_args()
    for lines in (crossed(chosen.deals), style(chosen.deals)):
        print("\n".join(lines), end="\n\n", flush=True)
    worths = {}
    for players in PLAYERS:
        worths[players] = set_back(players, chosen.deals)
        print("\n".join(weights_table(players, worths[players])), end="\n\n", flush=True)
    if chosen.chart:
        chosen.chart.mkdir(parents=True, exist_ok=True)
        charts.save(chart(worths, chosen.deals), chosen.chart / "tuned-trustful")


if __name__ == "__main__":
    main()
