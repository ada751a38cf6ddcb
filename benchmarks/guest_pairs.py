"""How well the acquaintances of the agent `guest` play with each other: writes the file by which it picks its own part.

    python benchmarks/guest_pairs.py
    python benchmarks/guest_pairs.py --missing --deals 30

Every agent sits in each seat among copies of every other, at each number of players, by the rules that people play by.
It takes some minutes. A killed run resumes with the missing cells. With `--missing` only pairs with an agent that is
not in the file yet are played.
"""

import argparse
import json
import sys
from datetime import date
from pathlib import Path
from typing import Any

from rich.progress import Progress

from kibitz.arena.cross import CrossPlan
from kibitz.arena.match import Match, play_compiled
from kibitz.arena.measured_cross import MeasuredCross, begin_cross
from kibitz.games.hanabi.agents.guest_models import KNOWN, PAIRS
from kibitz.games.hanabi.game import HANABI

DEALS, SEED, DIGITS = 100, 1501, 2


def crossed(players: int, deals: int, seed: int) -> list[list[float]]:
    """By agent and partner: the mean score of the agent among copies of the partner."""
    agents: Any = KNOWN  # one of them is in no catalogue, so they are not named but given
    plan = CrossPlan("hanabi", agents, players, deals, seed, dict(HANABI.table_rules)).prepared()
    with begin_cross(plan) as run, Progress(transient=True) as progress:
        measured = MeasuredCross(plan, run)
        task = progress.add_task(f"{players} players", total=len(plan.pairs()), completed=len(measured.before))
        for _ in measured.play(1):
            progress.advance(task)
        measured.finish()
    cross = measured.cross
    return [[round(cross.cells[own, other].mean, DIGITS) for other in plan.agents] for own in plan.agents]


def missing(players: int, deals: int, known: dict[tuple[str, str], float]) -> list[list[float]]:
    """The same, with only those pairs played that are not known."""
    rules, found = HANABI.check_rules(HANABI.table_rules), []
    for own in KNOWN:
        row = []
        for other in KNOWN:
            if (own.name, other.name) not in known:
                scores = []
                for seat in range(players if own is not other else 1):
                    agents = [own if place == seat else other for place in range(players)]
                    match = Match.of(HANABI, agents, deals, SEED, rules=rules).prepared()
                    played = play_compiled(match, 0, range(deals))
                    assert not played.failure, played.failure
                    scores.append(played.results[:, 0].mean())
                known[own.name, other.name] = round(sum(scores) / len(scores), DIGITS)
            row.append(known[own.name, other.name])
        found.append(row)
    return found


def known_pairs(output: Path, players: int) -> dict[tuple[str, str], float]:
    """What the file has already."""
    before = json.loads(output.read_text("utf-8"))
    table = before["means"][str(players)]
    return {
        (own, other): table[row][column]
        for row, own in enumerate(before["agents"])
        for column, other in enumerate(before["agents"])
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=DEALS, help="for each seat, the same in all cells")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--output", type=Path, default=PAIRS)
    parser.add_argument("--missing", action="store_true", help="play only pairs that are not in the file yet")
    chosen = parser.parse_args()
    later: dict[str, Any] = {}
    if chosen.missing:
        before = json.loads(chosen.output.read_text("utf-8"))
        new = [agent.name for agent in KNOWN if agent.name not in before["agents"]]
        later = {"later": {"agents": new, "deals": chosen.deals}}
        found = {}
        for players in HANABI.players:
            found[str(players)] = missing(players, chosen.deals, known_pairs(chosen.output, players))
            print(f"{players} players: done", file=sys.stderr)
        chosen.deals = before["deals"]
    else:
        found = {str(players): crossed(players, chosen.deals, chosen.seed) for players in HANABI.players}
    about = {
        "made_by": "python benchmarks/guest_pairs.py", "date": str(date.today()), "seed": chosen.seed,
        "deals": chosen.deals, "rules": dict(HANABI.table_rules), "agents": [agent.name for agent in KNOWN],
        **later,
    }  # fmt: skip
    tables = ",\n".join(
        f'"{players}": [\n' + ",\n".join(json.dumps(row) for row in table) + "\n]" for players, table in found.items()
    )
    chosen.output.write_text(f'{json.dumps(about)[:-1]}, "means": {{\n{tables}\n}}}}\n', "utf-8")
    print(f"Wrote {chosen.output}", file=sys.stderr)


if __name__ == "__main__":
    main()
