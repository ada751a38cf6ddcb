"""What a searched move costs over `signal`, by the number of players, and how fast `signal` plays without search.

    python benchmarks/searched_move.py
    python benchmarks/searched_move.py --playouts 2000 --games 3 --seed 7

A search stops as soon as it is clear which move to make, so what 10,000 playouts take is what those took that were
made, times as many. One thread; the time is the processor's.
"""

import argparse
import resource
import time

from rich.progress import track

from kibitz.arena.match import Match, play_compiled
from kibitz.core import registry
from kibitz.core.agent import CompiledPlayer
from kibitz.core.table import Table
from kibitz.engine.seeds import keys
from kibitz.games.hanabi.game import HANABI
from kibitz.search.racing import PROBES

ASKED_FOR = 10_000  # playouts, the figure of the published search
RULES = HANABI.check_rules(dict(HANABI.table_rules))


def searched(name: str, players: int, games: int, seed: int) -> list[tuple[float, int]]:
    """CPU seconds and playouts of every move of a searching seat among players of `signal`."""
    found = []
    for number in range(games):
        agents = [registry.agent(HANABI, agent) for agent in (name, *["signal"] * (players - 1))]
        seats = [agent.take_seat(HANABI, explains=False) for agent in agents]
        table = Table(HANABI, seats, HANABI.deal(keys(seed), number, players, RULES))
        searcher = seats[0]
        assert isinstance(searcher, CompiledPlayer)
        while not table.over:
            mine, began = table.to_move == 0, time.process_time()
            table.step()
            if mine:
                found.append((time.process_time() - began, int(searcher.known("memory")["simulations"])))
    return found


def games_a_second(players: int, games: int, seed: int) -> float:
    match = Match("hanabi", ("signal",) * players, deals=games, seed=seed, rules=RULES).prepared()
    play_compiled(match, 0, range(10))
    began = time.process_time()
    play_compiled(match, 0, range(games))
    return games / (time.process_time() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--playouts", type=int, default=ASKED_FOR, help="the budget of a move")
    parser.add_argument("--games", type=int, default=1, help="games with a searching seat, for each number of players")
    parser.add_argument("--alone", type=int, default=4000, help="games of `signal` without search")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args()
    name = f"search:signal@{chosen.playouts}"
    rows = []
    for players in track(HANABI.players, name, transient=True):
        moves = searched(name, players, chosen.games, chosen.seed)
        slowest, most = max(moves), max(moves, key=lambda move: move[1])
        rate = sum(spent for spent, _ in moves) / max(sum(visits for _, visits in moves), 1)
        mean = sum(spent for spent, _ in moves) / len(moves)
        at_once = sum(visits <= PROBES for _, visits in moves) / len(moves)
        speed = games_a_second(players, chosen.alone, chosen.seed)
        rows.append((players, mean, slowest[0], at_once, most[1], ASKED_FOR * rate, speed))
    print(f"{name} in one seat, {chosen.games} games of seed {chosen.seed}; CPU seconds on one thread\n")
    print(f"| players | per move | the slowest | settled at once | most | {ASKED_FOR:,} playouts | `signal` alone |")
    print("|---|---|---|---|---|---|---|")
    for players, mean, slow, at_once, visits, full, speed in rows:
        print(
            f"| {players} | {mean:.2f} s | {slow:.2f} s | {at_once:.0%} | {visits:,} | {full:.2f} s | "
            f"{speed:,.0f} games/s |"
        )
    print(f"\nMost memory of the whole process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main()
