"""How `guest` plays with strangers, beside the best fixed agents with the same strangers; see docs/explanation/guest.md

    python benchmarks/guest.py tables                  # the 12 mixed tables of Jarząbek & Leja 2020
    python benchmarks/guest.py pairs                   # two players, with every honest agent
    python benchmarks/guest.py unknown                 # two players, without a model of the partner

All play the same deals, so gains are means of differences over deals; ± is half of a 95 % interval. Games are kept as they
are played: if it is killed, the same command goes on where it was.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from rich.progress import Progress

from kibitz.arena import experiment
from kibitz.arena.match import Match, play_compiled
from kibitz.arena.run_checkpoints import RunCheckpoints
from kibitz.arena.statistics import Z95
from kibitz.core import registry
from kibitz.core.agent import Agent
from kibitz.hanabi.agents.guest import guest, guest_knowing
from kibitz.hanabi.agents.guest_models import KNOWN
from kibitz.hanabi.game import HANABI

PAPER = "jarzabek-leja-2020"
STEP = 5  # deals between two looks of the progress bar, and at most lost if it is killed
TRIAL_SEED, TRIAL_DEALS = 90_001, 400  # by which the best fixed agent of a table is found
SEARCHER = "search@100"


def fixed_agents() -> list[str]:
    """Every honest agent that does not search."""
    agents = registry.agents(HANABI)
    return [agent.name for agent in agents if not agent.traits.cheats and not agent.traits.searches]


@dataclass
class Games:
    """Plays tables, and remembers their scores by deal."""

    seed: int
    rules: dict[str, str]
    kept: RunCheckpoints
    progress: Progress

    @cached_property
    def known(self) -> dict[object, np.ndarray]:
        return {}

    def scores(self, seats: Sequence[str | Agent], deals: int, seed: int | None = None) -> np.ndarray:
        seed = self.seed if seed is None else seed
        key = (tuple(seats), deals, seed)
        if key not in self.known:
            self.known[key] = self._play(seats, deals, seed)
        return self.known[key]

    def _play(self, seats: Sequence[str | Agent], deals: int, seed: int) -> np.ndarray:
        agents = [registry.agent(HANABI, seat) if isinstance(seat, str) else seat for seat in seats]
        match = Match.of(HANABI, agents, deals, seed, rules=self.rules).prepared()
        kept = self.kept.kept(match)
        results = kept.results if kept is not None else np.zeros((0, HANABI.width), np.int64)
        searching = any(agent.traits.searches for agent in agents)
        step = STEP if searching else deals
        task = self.progress.add_task(", ".join(agent.name for agent in agents), total=deals, completed=len(results))
        while len(results) < deals:
            stretch = play_compiled(match, 0, range(len(results), min(len(results) + step, deals)))
            if stretch.failure:
                sys.exit(stretch.failure)
            if kept is not None:
                kept.add(stretch.results)
            results = np.concatenate([results, stretch.results])
            self.progress.update(task, completed=len(results))
        self.progress.remove_task(task)
        return results[:, 0].astype(float)

    def among(self, agent: str | Agent, strangers: Sequence[str], seat: int, deals: int) -> np.ndarray:
        """The scores of an agent who takes a seat at a table of strangers."""
        return self.scores([*strangers[:seat], agent, *strangers[seat:]], deals)


def mean_and_half(values: np.ndarray) -> tuple[float, float]:
    return float(values.mean()), float(Z95 * values.std(ddof=1) / np.sqrt(len(values)))


def plus_minus(values: np.ndarray, sign: str = "") -> str:
    mean, half = mean_and_half(values)
    return f"{mean:{sign}.2f} ± {half:.2f}"


# The mixed tables


def best_fixed(games: Games, strangers: Sequence[str], seat: int) -> str:
    """Who scores most in a seat among strangers, on deals of its own."""
    means = {
        name: games.scores([*strangers[:seat], name, *strangers[seat:]], TRIAL_DEALS, TRIAL_SEED).mean()
        for name in fixed_agents()
    }
    return max(means, key=lambda name: means[name])


def tables(games: Games, deals: int) -> None:
    print("| strangers, and one seat more | guest | best fixed agents | gain | who they are |\n|---|---|---|---|---|")
    for mixed in experiment.read(PAPER).mixed:
        ours, theirs, who = [], [], []
        for seat in range(len(mixed.seats)):
            strangers = [*mixed.seats[:seat], *mixed.seats[seat + 1 :]]
            rival = best_fixed(games, strangers, seat)
            ours.append(games.among("guest", strangers, seat, deals))
            theirs.append(games.among(rival, strangers, seat, deals))
            who.append(rival)
        one, other = np.mean(ours, axis=0), np.mean(theirs, axis=0)
        print(
            f"| {', '.join(mixed.seats)} | {plus_minus(one)} | {plus_minus(other)} | {plus_minus(one - other, '+')} | "
            f"{', '.join(dict.fromkeys(who))} |",
            flush=True,
        )
    pairs = [("guest", *["trustful"] * n) for n in (1, 2, 3, 4)]
    print("\n| with copies of `trustful` | guest | trustful | gain |\n|---|---|---|---|")
    for seats in pairs:
        players = len(seats)
        one = np.mean([games.among("guest", ["trustful"] * (players - 1), seat, deals) for seat in range(players)], axis=0)
        other = games.scores(["trustful"] * players, deals)
        print(f"| {players} players | {plus_minus(one)} | {plus_minus(other)} | {plus_minus(one - other, '+')} |", flush=True)


# All pairs


def paired(games: Games, one: str | Agent, other: str, deals: int) -> np.ndarray:
    """Two at a table of two, in both orders, by deal."""
    return np.mean([games.scores(seats, deals) for seats in ((one, other), (other, one))], axis=0)


def pairs(games: Games, deals: int) -> None:
    everybody = [*fixed_agents(), SEARCHER, "guest"]
    rows = {}
    for name in everybody:
        cells = [paired(games, *sorted((name, other), key=everybody.index), deals) for other in everybody]
        rows[name] = np.array(cells)
        print(f"{name}: {plus_minus(rows[name].mean(axis=0))}", file=sys.stderr)
    ours = rows["guest"].mean(axis=0)
    print("| agent | mean over all pairs | gain of guest | with itself | with guest |\n|---|---|---|---|---|")
    for name in sorted(rows, key=lambda name: -rows[name].mean()):
        mean, place = rows[name].mean(axis=0), everybody.index(name)
        gain = "" if name == "guest" else plus_minus(ours - mean, "+")
        own, beside = rows[name][place], rows["guest"][place]
        print(f"| `{name}` | {plus_minus(mean)} | {gain} | {own.mean():.2f} | {plus_minus(beside)} |", flush=True)


# Partners without a model


def unknown(games: Games, deals: int) -> None:
    rivals = fixed_agents()
    print("| partner | guest | without its model | best of the others, fixed |\n|---|---|---|---|")
    for partner in KNOWN:
        others = [name for name in rivals if name != partner.name]
        means = {name: paired(games, name, partner.name, deals) for name in others}
        best = max(means, key=lambda name: means[name].mean())
        without = guest_knowing([each for each in KNOWN if each is not partner])
        cells = [paired(games, each, partner.name, deals) for each in ("guest", replace(without, name="guest_without"))]
        print(
            f"| `{partner.name}` | {plus_minus(cells[0])} | {plus_minus(cells[1])} | {plus_minus(means[best])} `{best}` |",
            flush=True,
        )


WHAT = {"tables": tables, "pairs": pairs, "unknown": unknown}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("--deals", type=int, default=40, help="for each order of the seats, the same for everybody")
    parser.add_argument("--seed", type=int, default=2015)
    chosen = parser.parse_args()
    # The thesis counts the piles of a lost game; people do not.
    rules = dict(experiment.read(PAPER).rules) if chosen.what == "tables" else dict(HANABI.table_rules)
    kept = RunCheckpoints({"guest": chosen.what, "deals": chosen.deals, "seed": chosen.seed})
    print(f"{chosen.deals} deals of seed {chosen.seed} for every order of the seats; {guest.title} plays on {guest.budget.iterations} times a move\n")
    with Progress(transient=True) as progress:
        WHAT[chosen.what](Games(chosen.seed, HANABI.check_rules(rules), kept, progress), chosen.deals)
    kept.finish()


if __name__ == "__main__":
    main()
