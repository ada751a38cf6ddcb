"""How `guest` plays with strangers, beside the best fixed agents with the same strangers; see docs/explanation/guest.md

    python benchmarks/guest.py tables                  # the 12 mixed tables of Jarząbek & Leja 2020
    python benchmarks/guest.py copies                  # the guest among copies of trustful, beside one more of them
    python benchmarks/guest.py pairs                   # two players, with every honest agent
    python benchmarks/guest.py unknown                 # two players, without a model of the partner
    python benchmarks/guest.py people                  # with a model of real people
    python benchmarks/guest.py people --own a.npz --person b.npz   # fitted to the games of other people

All play the same deals, so gains are means of differences over deals; ± is half of a 95 % interval, by Student's t, as
deals are few. Games are kept as they are played: if it is killed, the same command goes on where it was, and one with
more deals plays only these.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
from rich.progress import Progress

from kibitz.arena import experiment
from kibitz.arena.kept_matches import KeptMatches
from kibitz.arena.match import Match, play_compiled
from kibitz.arena.runs import begin
from kibitz.arena.statistics import Z95
from kibitz.core import registry
from kibitz.core.agent import Agent, CompiledAgent
from kibitz.games.hanabi.agents.guest import guest, guest_knowing
from kibitz.games.hanabi.agents.guest_models import KNOWN
from kibitz.games.hanabi.agents.person import person
from kibitz.games.hanabi.agents.typical_people import TYPICAL
from kibitz.games.hanabi.game import HANABI

PAPER = "jarzabek-leja-2020"
MOST = 10_000  # deals
STEP = 4  # deals between two looks of the progress bar, and at most lost if it is killed
TRIAL_SEED, TRIAL_DEALS = 90_001, 200  # by which the best fixed agent of a table is found
SEARCHER = "search@100"

Seat = str | Agent


def fixed_agents() -> list[str]:
    """Every honest agent that does not search."""
    agents = registry.agents(HANABI)
    return [agent.name for agent in agents if not agent.traits.cheats and not agent.traits.searches]


@dataclass
class Games:
    """Plays tables, and remembers their scores by deal."""

    seed: int
    rules: dict[str, str]
    kept: KeptMatches
    progress: Progress
    only: tuple[int, ...] = ()  # of the mixed tables, or numbers of players
    searcher: bool = False  # whether pairs are played with another who searches, too
    person: Path | None = None  # a model of the people at the table,
    own: Path | None = None  # and of those that the guest knows
    known: dict[object, np.ndarray] = field(default_factory=dict)

    def scores(self, seats: Sequence[Seat], deals: int, seed: int | None = None) -> np.ndarray:
        seed = self.seed if seed is None else seed
        agents = [registry.agent(HANABI, seat) if isinstance(seat, str) else seat for seat in seats]
        key = (tuple(map(str, seats)), deals, seed)
        if key not in self.known:
            self.known[key] = self._play(agents, deals, seed)
        return self.known[key]

    def _play(self, agents: Sequence[Agent], deals: int, seed: int) -> np.ndarray:
        match = Match.of(HANABI, agents, MOST, seed, rules=self.rules).prepared()
        kept = self.kept.kept(match)
        results = kept.results if kept is not None else np.zeros((0, HANABI.width), np.int64)
        step = STEP if any(agent.traits.searches for agent in agents) else deals
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
        return results[:deals, 0].astype(float)


def student95(freedom: int) -> float:
    """How many standard errors a 95 % interval goes to each side.

    Three terms of an expansion (Abramowitz & Stegun 26.7.5), right to 1 % from 3 degrees of freedom on.
    """
    z = Z95
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return z + sum(term / freedom**power for power, term in enumerate(terms, start=1))


def plus_minus(values: np.ndarray, sign: str = "") -> str:
    half = student95(len(values) - 1) * values.std(ddof=1) / np.sqrt(len(values))
    return f"{values.mean():{sign}.2f} ± {half:.2f}"


# The mixed tables


def seated(agent: Seat, strangers: Sequence[str], seat: int) -> list[Seat]:
    """A table of strangers at which an agent takes a seat."""
    return [*strangers[:seat], agent, *strangers[seat:]]


def best_fixed(games: Games, strangers: Sequence[str], seat: int) -> str:
    """The agent that scores most in a seat among strangers, on separate deals."""
    means = {
        name: games.scores(seated(name, strangers, seat), TRIAL_DEALS, TRIAL_SEED).mean() for name in fixed_agents()
    }
    return max(means, key=lambda name: float(means[name]))


def tables(games: Games, deals: int) -> None:
    """At each table every agent in turn gives its seat to the guest, and to the agent that plays best there."""
    print("| table | guest | best fixed agents | gain | who they are |\n|---|---|---|---|---|")
    for number, mixed in enumerate(experiment.read(PAPER).mixed, start=1):
        if games.only and number not in games.only:
            continue
        ours, theirs, who = [], [], []
        for seat in range(len(mixed.seats)):
            strangers = [*mixed.seats[:seat], *mixed.seats[seat + 1 :]]
            who.append(best_fixed(games, strangers, seat))
            ours.append(games.scores(seated("guest", strangers, seat), deals))
            theirs.append(games.scores(seated(who[-1], strangers, seat), deals))
        one, other = np.mean(ours, axis=0), np.mean(theirs, axis=0)
        cells = [", ".join(mixed.seats), plus_minus(one), plus_minus(other), plus_minus(one - other, "+")]
        print(f"| {' | '.join(cells)} | {', '.join(who)} |", flush=True)
    if not games.only:
        print()
        copies_of_trustful(games, deals)


def copies_of_trustful(games: Games, deals: int) -> None:
    """The guest in every seat among copies of `trustful`, beside one more copy."""
    print("| with copies of `trustful` | guest | trustful | gain |\n|---|---|---|---|")
    for players in games.only or HANABI.players:
        copies = ["trustful"] * (players - 1)
        one = np.mean([games.scores(seated("guest", copies, seat), deals) for seat in range(players)], axis=0)
        other = games.scores(["trustful"] * players, deals)
        gain = plus_minus(one - other, "+")
        print(f"| {players} players | {plus_minus(one)} | {plus_minus(other)} | {gain} |", flush=True)


# All pairs


def paired(games: Games, one: Seat, other: Seat, deals: int) -> np.ndarray:
    """Two at a table of two, in both orders, by deal."""
    scores: np.ndarray = np.mean([games.scores(seats, deals) for seats in ((one, other), (other, one))], axis=0)
    return scores


def pairs(games: Games, deals: int) -> None:
    """Every agent with every agent, itself included; of the searching agents the guest and, on request, another."""
    everybody = [*fixed_agents(), *([SEARCHER] if games.searcher else []), "guest"]
    rows = {}
    for name in reversed(everybody):
        rows[name] = np.array([paired(games, name, other, deals) for other in everybody])
    ours = rows["guest"].mean(axis=0)
    print("| agent | mean over all pairs | gain of guest | with its copy | with guest |\n|---|---|---|---|---|")
    for name in sorted(rows, key=lambda name: -float(rows[name].mean())):
        mean, place = rows[name].mean(axis=0), everybody.index(name)
        gain = "" if name == "guest" else plus_minus(ours - mean, "+")
        own, beside = rows[name][place], rows["guest"][place]
        print(f"| `{name}` | {plus_minus(mean)} | {gain} | {own.mean():.2f} | {plus_minus(beside)} |", flush=True)


# Partners without a model


def unknown(games: Games, deals: int) -> None:
    """Partners without a model in the guest, and the other agent that plays best with them."""
    print("| partner | guest | without its model | best fixed agent but its copy |\n|---|---|---|---|")
    for partner in KNOWN:
        means = {name: paired(games, name, partner, deals) for name in fixed_agents() if name != partner.name}
        best = max(means, key=lambda name: float(means[name].mean()))
        without = replace(guest_knowing([each for each in KNOWN if each is not partner]), name="guest_without")
        cells = " | ".join(plus_minus(paired(games, each, partner, deals)) for each in ("guest", without))
        print(f"| `{partner.name}` | {cells} | {plus_minus(means[best])} `{best}` |", flush=True)


# A person


def with_a_person(games: Games, agent: Seat, players: int, deals: int) -> np.ndarray:
    """Copies of an agent with a person, who sits in each seat in turn, by deal."""
    real = person_of(games.person, "person")
    scores: np.ndarray = np.mean(
        [
            games.scores([real if seat == person else agent for seat in range(players)], deals)
            for person in range(players)
        ],
        axis=0,
    )
    return scores


def person_of(path: Path | None, name: str) -> CompiledAgent:
    """A person by the model in a file."""
    return replace(person.with_weights(person.weights.from_file(path)), name=name) if path else person


def guest_of(path: Path | None) -> CompiledAgent:
    """A guest that knows people by the model in a file."""
    if path is None:
        return guest
    fitted = person.weights.from_file(path)
    models = (
        each.with_weights(fitted.but({"experience": each.weights.by_name()["experience"]})) if each in TYPICAL else each
        for each in KNOWN
    )
    return replace(guest, models=tuple(models), name="guest_of_others")


def people(games: Games, deals: int) -> None:
    """Guests with a model of real people, and the best partner that does not search."""
    print("| players | guest | `partner` | gain |\n|---|---|---|---|")
    for players in games.only or HANABI.players:
        ours, theirs = (with_a_person(games, agent, players, deals) for agent in (guest_of(games.own), "partner"))
        gain = plus_minus(ours - theirs, "+")
        print(f"| {players} | {plus_minus(ours)} | {plus_minus(theirs)} | {gain} |", flush=True)


WHAT = {"tables": tables, "copies": copies_of_trustful, "pairs": pairs, "unknown": unknown, "people": people}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=WHAT)
    parser.add_argument("--deals", type=int, default=20, help="for each order of the seats, the same for everybody")
    parser.add_argument("--seed", type=int, default=2015)
    parser.add_argument(
        "--only",
        type=int,
        nargs="+",
        default=(),
        metavar="N",
        help="mixed tables, from 1; with copies and people: tables with this number of players",
    )
    parser.add_argument("--person", type=Path, help="with people: a model of those at the table")
    parser.add_argument("--own", type=Path, help="with people: a model of those that the guest knows")
    parser.add_argument("--searcher", action="store_true", help=f"pairs with {SEARCHER}, too; that takes its time")
    chosen = parser.parse_args()
    # The thesis counts the piles of a lost game; people do not.
    thesis = chosen.what in ("tables", "copies")
    rules = dict(experiment.read(PAPER).rules) if thesis else dict(HANABI.table_rules)
    run = begin("benchmark", {"guest": chosen.what, "seed": chosen.seed}, f"guest-{chosen.what}")
    kept = KeptMatches(run)
    assert guest.budget is not None
    playouts = guest.budget.iterations
    print(f"{chosen.deals} deals of seed {chosen.seed} in every order of the seats, {playouts} playouts per move\n")
    with Progress(transient=True) as progress:
        options = HANABI.check_rules(rules)
        games = Games(
            chosen.seed, options, kept, progress, tuple(chosen.only), chosen.searcher, chosen.person, chosen.own
        )
        WHAT[chosen.what](games, chosen.deals)
    run.release()


if __name__ == "__main__":
    main()
