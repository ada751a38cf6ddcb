"""The agents' scores in the catalogue, stored in `scores.json`. `make scores` measures them again.

In a cooperative game the figure is an agent's mean score in self-play, in a competitive game its share of wins against
copies of one baseline agent.
"""

import argparse
import json
from pathlib import Path
from typing import Any

from kibitz.arena.cross import CrossPlan, measured
from kibitz.core import registry
from kibitz.core.agent import Agent
from kibitz.core.game import Game
from kibitz.core.whole_files import write_whole

FILE = Path(__file__).with_name("scores.json")
WITH_PEOPLE = Path(__file__).with_name("people_scores.json")  # made by `make levels`
SEED, DIGITS = 0, 4
DEALS, SEARCHED = 10_000, 200  # searching agents are slow


def read() -> dict[str, Any]:
    """Measured means by game, agent and number of players."""
    if not FILE.exists():
        return {}
    found: dict[str, Any] = json.loads(FILE.read_text())["games"]
    return found


def with_people() -> dict[str, Any]:
    """Mean scores with a model of real people, by game, agent and number of players, where they were measured."""
    found: dict[str, Any] = json.loads(WITH_PEOPLE.read_text()) if WITH_PEOPLE.exists() else {}
    return found


def baseline(game: Game) -> str:
    """The agent that all others of a competitive game play against: the default opponent of a person."""
    return game.usual_seats(2)[0]


def score(game: Game, agent: Agent, players: int, searched: int, jobs: int) -> dict[str, Any]:
    other = baseline(game) if game.competitive else agent.name
    deals = searched if agent.traits.searches or registry.agent(game, other).traits.searches else DEALS
    plan = CrossPlan(game.name, (agent.name, other), players, deals, SEED, game.check_rules({}))
    cell = measured(plan, agent.name, other, jobs)
    interval = [round(end, DIGITS) for end in cell.interval or ()] or None
    found = {"mean": round(cell.mean, DIGITS), "interval": interval, "games": cell.games}
    return found | ({"against": other} if game.competitive else {})


def write(games: dict[str, Any]) -> None:
    """Write one line per agent, for readable diffs."""
    blocks = (
        f"{json.dumps(game)}: {{\n" + ",\n".join(f"{json.dumps(name)}: {json.dumps(found)}" for name, found in agents)
        for game, agents in ((game, agents.items()) for game, agents in games.items())
    )
    head = f'{{"made_by": "make scores", "seed": {SEED}, "games": {{\n'
    write_whole(FILE, head + "\n},\n".join(blocks) + "\n}}}\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--missing", action="store_true", help="measure only agents that are not in the file")
    parser.add_argument("--jobs", type=int, default=2, help="number of workers; the scores do not depend on it")
    parser.add_argument(
        "--only", metavar="GAME.AGENT,…", default="", help="only these games or agents, e.g. hanabi or hanabi.signal"
    )
    parser.add_argument("--searched", type=int, default=SEARCHED, help="deals per searching agent")
    chosen = parser.parse_args()
    known = read() if chosen.missing or chosen.only else {}
    only = {name for name in chosen.only.split(",") if name}
    games = {game.name: dict(known.get(game.name, {})) for game in registry.games()}
    for game in registry.games():
        for agent in registry.agents(game):
            if only and not only & {game.name, f"{game.name}.{agent.name}"}:
                continue
            found = dict(games[game.name].get(agent.name, {})) if chosen.missing else {}
            for players in game.players:
                if str(players) not in found:
                    found[str(players)] = score(game, agent, players, chosen.searched, chosen.jobs)
                    print(f"{game.name} {agent.name}, {players} players: {found[str(players)]['mean']:.3f}", flush=True)
            games[game.name][agent.name] = found
            write(games)


if __name__ == "__main__":
    main()
