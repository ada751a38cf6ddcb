"""How agents of Hanabi play with a person: `make levels` measures it, writes `levels.json` and prints a table.

A model of real people (`person`) sits in every seat equally often, and an agent in all the others. What counts is the
mean score under the rules for people, and how often hints reach the person. A player with a playable card that has no
hint could use one: how often it comes with an agent's next turn is compared between the person and the copies of the
agent. The plain number of hints would mislead, because a player who acts on one hint needs fewer than one who waits for
a second.
"""

import argparse
import json
from dataclasses import asdict, dataclass
from math import exp, sqrt
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.arena.match import Match, drawn, play_compiled
from kibitz.arena.statistics import Z95
from kibitz.core import registry
from kibitz.engine.compile import compiled
from kibitz.engine.loop import MOVE_BITS
from kibitz.engine.seeds import keys
from kibitz.games.hanabi.agents.choices import slots_of, unmarked_slots
from kibitz.games.hanabi.agents.person import person as real_person
from kibitz.games.hanabi.cards import hinted_kinds
from kibitz.games.hanabi.game import HANABI
from kibitz.games.hanabi.knowledge import awaited
from kibitz.games.hanabi.rules import HINT, apply, deal, to_move
from kibitz.games.hanabi.state import State
from kibitz.server.web import agent_scores

FILE = Path(__file__).with_name("levels.json")
SEED, DEALS, DIGITS = 0, 4000, 3
SEARCHING = {"search_partner": 48}  # and with how many deals: it takes its time
CLOSE = {"stopped_clock": 12_000, "internal": 12_000}  # neighbouring levels that take more games to tell apart
SCORE, TURNS = HANABI.columns.index("score"), HANABI.columns.index("turns")


@dataclass(frozen=True)
class Measured:
    """An agent with a person at a table, with 95 % intervals."""

    games: int
    mean: float
    interval: tuple[float, float]
    hints: float | None  # how often a hint reaches the person, others being 1; None where there is nobody else
    hints_interval: tuple[float, float] | None


def candidates() -> list[str]:
    """Every agent that looks at no hidden card and does not take long, and of those that search the one for people."""
    agents = registry.agents(HANABI)
    return [agent.name for agent in agents if not agent.traits.cheats and not agent.traits.searches] + [*SEARCHING]


@compiled
def unhinted_playable(state: State, seat: int) -> int:
    """The slots of a hand with a card that fits and that nothing was said of."""
    return slots_of(state, seat, awaited(state)) & unmarked_slots(state, seat)


@compiled
def count_hints(
    state: State, players: int, rules: int, deals: Any, moves: Any, turns: Any, person: int, out: Any
) -> None:
    """Play games again; by game, how often the person (0) and others (2) could do with a hint of an agent whose turn it
    was, and how often they got it (1 and 3)."""
    for game in range(deals.shape[0]):
        deal(state, players, rules, deals[game])
        for turn in range(turns[game]):
            move, mover = moves[game, turn], to_move(state)
            if mover != person and state.tokens > 0:
                for seat in range(players):
                    waiting = unhinted_playable(state, seat) if seat != mover else 0
                    if waiting:
                        place = 0 if seat == person else 2
                        out[game, place] += 1
                        if move >= HINT and (move - HINT) // 10 == seat:
                            named = hinted_kinds((move - HINT) % 10)
                            out[game, place + 1] += slots_of(state, seat, named) & waiting != 0
            apply(state, move)


def measure(name: str, players: int, games: int) -> Measured:
    """An agent in all seats but one, which is the person's, each seat in turn."""
    rules = HANABI.check_rules(HANABI.table_rules)
    scores, counts = [], []
    for person in range(players):
        agents = [real_person if seat == person else registry.agent(HANABI, name) for seat in range(players)]
        numbers = np.arange(person, games, players)
        match = Match.of(HANABI, agents, games, SEED, rules=rules).prepared()
        played = play_compiled(match, 0, numbers, keeps=True)
        assert not played.failure, played.failure
        moves = played.decisions & ((1 << MOVE_BITS) - 1)
        counted = np.zeros((len(numbers), 4), np.int64)
        turns, deals = played.results[:, TURNS].copy(), drawn(keys(SEED).deal, numbers)
        state = np.zeros(1, HANABI.dtype)
        count_hints(state[0], players, HANABI.rule_bits(rules), deals, moves, turns, person, counted)
        assert HANABI.row(state[0])[SCORE] == played.results[-1, SCORE]
        scores.append(played.results[:, SCORE])
        counts.append(counted)
    return summary(np.concatenate(scores).astype(float), np.concatenate(counts).astype(float))


def summary(scores: Any, counts: Any) -> Measured:
    mean, half = float(scores.mean()), Z95 * float(scores.std(ddof=1)) / sqrt(len(scores))
    totals = counts.sum(axis=0)
    hints = hints_interval = None
    if totals.all():
        hints = float(totals[1] / totals[0] / (totals[3] / totals[2]))
        # The delta method for the logarithm of the ratio: games are independent, turns of a game are not.
        influence = (
            counts[:, 1] / totals[1] - counts[:, 0] / totals[0] - counts[:, 3] / totals[3] + counts[:, 2] / totals[2]
        )
        factor = exp(Z95 * sqrt(float((influence**2).sum())))
        hints_interval = round(hints / factor, DIGITS), round(hints * factor, DIGITS)
        hints = round(hints, DIGITS)
    interval = round(mean - half, DIGITS), round(mean + half, DIGITS)
    return Measured(len(scores), round(mean, DIGITS), interval, hints, hints_interval)


def table(found: dict[str, dict[str, Any]]) -> str:
    """The figures as Markdown, the strongest at four players last."""
    levels: dict[str, list[str]] = {name: [] for name in found}
    for title, lineup in HANABI.lineups.items():
        for name in lineup.everybody:
            sizes = [str(players) for players in HANABI.players if name in lineup.at_table(players)]
            levels[name].append(title if len(sizes) == len(HANABI.players) else f"{title} ({', '.join(sizes)})")
    heads = [f"{players} players" for players in HANABI.players]
    hints = [f"hints, {players}" for players in HANABI.players if players > 2]
    lines = [f"| bot | level | {' | '.join([*heads, *hints])} |", "|---|---|" + "---|" * (len(heads) + len(hints))]
    for name in sorted(found, key=lambda name: found[name]["4"]["mean"]):
        cells = [f"{each['mean']:.1f}" for each in found[name].values()]
        for each in found[name].values():
            if each["hints"] is not None:
                cells.append("{:.2f} ({:.2f}–{:.2f})".format(each["hints"], *each["hints_interval"]))
            elif each is not found[name]["2"]:
                cells.append("none")
        title = registry.agent(HANABI, name).title
        lines.append(f"| {title} (`{name}`) | {', '.join(levels[name])} | {' | '.join(cells)} |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=DEALS, help="games for every agent and number of players")
    parser.add_argument("--missing", action="store_true", help="measure only agents that are not in the file yet")
    parser.add_argument("--print", action="store_true", help="print the table of what was measured before")
    chosen = parser.parse_args()
    if not chosen.print:
        known = json.loads(FILE.read_text())["agents"] if chosen.missing else {}
        found = {
            name: known.get(name)
            or {
                str(players): asdict(measure(name, players, (SEARCHING | CLOSE).get(name, chosen.deals)))
                for players in HANABI.players
            }
            for name in candidates()
        }
        lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(each)}" for name, each in found.items())
        FILE.write_text(f'{{"made_by": "make levels", "seed": {SEED}, "agents": {{\n{lines}\n}}}}\n')
    measured = json.loads(FILE.read_text())["agents"]
    agent_scores.write_with_people(HANABI.name, measured, SEED)  # the page ranks bots by them
    print(table(measured))


if __name__ == "__main__":
    main()
