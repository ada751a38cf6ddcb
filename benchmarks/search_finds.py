"""How much better the moves of a search over a blueprint are, in games in which none of them is made.

    python benchmarks/search_finds.py --games 30 search:signal@400@plies=0 search:signal@2000

All seats play the blueprint, and at every turn each search says what it would do instead. The gain over the
blueprint's move is measured by continuing after both moves with the blueprint, to the end: in the true hands, with the
rest of the deck in as many random orders as --orders, the same for both. So all searches decide in the same positions,
and minutes show differences for which whole games take hours. As no such move is made, the search finds it again at
the next turn: the sum over a game is more than a search would gain.
"""

import argparse
import sys
import time

import numpy as np
from rich.progress import track

from kibitz.core import registry
from kibitz.core.agent import CompiledAgent, seats_of
from kibitz.core.table import Table
from kibitz.engine import generic
from kibitz.engine.loop import WORLD, continue_games
from kibitz.engine.seeds import keys, number, numbers
from kibitz.games.hanabi.game import HANABI

RULES = HANABI.check_rules(dict(HANABI.table_rules))


def gains(table: Table, blueprint: CompiledAgent, move: int, other: int, orders: int) -> np.ndarray:
    """By how much a move ends better than another: a difference for every order of the deck."""
    players, turn = int(table.state["players"]), int(table.state["turn"])
    pair, seats = np.zeros(2, HANABI.dtype), seats_of(HANABI, [blueprint] * players)
    streams, log = numbers(number(17, turn), 0, orders), np.zeros(HANABI.longest, np.int64)
    found = []
    for first in (move, other):
        pair[WORLD] = table.state
        generic.observe(pair, table.to_move, True)  # its own hand is visible, so only the deck is sampled
        results = np.zeros((orders, HANABI.width), np.int64)
        done = continue_games(table.start, pair, seats, first, streams, results, log)
        assert done == orders, "a game did not go to its end"
        found.append(results[:, 0])
    return found[0] - found[1]


def named(name: str) -> CompiledAgent:
    agent = registry.agent(HANABI, name)
    if not isinstance(agent, CompiledAgent) or len(agent.models) != 1:
        sys.exit(f"{name} does not search over a blueprint: name one such as search:signal@400.")
    return agent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "searches", nargs="+", metavar="SEARCH", help="as search:signal@400@plies=0, over one blueprint"
    )
    parser.add_argument("--players", type=int, choices=range(2, 6), default=2)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--seed", type=int, default=555)
    parser.add_argument("--orders", type=int, default=100, help="of the deck in which two moves are compared")
    chosen = parser.parse_args()
    searches = [named(name) for name in chosen.searches]
    blueprint = searches[0].models[0]
    if any(agent.models[0] != blueprint for agent in searches):
        sys.exit("All of them have to search over the same blueprint, as that one plays the games.")
    found: list[list[tuple[float, float]]] = [[] for _ in searches]  # by search: what each other move gains, its error
    spent = [0.0 for _ in searches]
    turns = 0
    for deal in track(range(chosen.games), "games", transient=True):
        start = HANABI.deal(keys(chosen.seed), deal, chosen.players, RULES)
        table = Table(HANABI, [blueprint.take_seat(HANABI, False) for _ in range(chosen.players)], start)
        players = [[agent.take_seat(HANABI, False) for _ in range(chosen.players)] for agent in searches]
        while not table.over:
            for which, seats in enumerate(players):
                for seat, player in enumerate(seats):
                    player.observe(table.view(seat))
                began = time.process_time()
                move = seats[table.to_move].decide(table.view(table.to_move)).move
                spent[which] += time.process_time() - began
                usual = table.decide().move
                if move != usual:
                    gained = gains(table, blueprint, move, usual, chosen.orders)
                    found[which].append((float(gained.mean()), float(gained.std() / len(gained) ** 0.5)))
            turns += 1
            table.step()
    print(f"{chosen.games} games of seed {chosen.seed}, {chosen.players} players; standard errors\n")
    print("| search | other moves per game | total gain | per move | ms per move |\n|---|---|---|---|---|")
    for name, each, seconds in zip(chosen.searches, found, spent, strict=True):
        means, errors = np.array(each).reshape(-1, 2).T
        total, error = means.sum() / chosen.games, (errors**2).sum() ** 0.5 / chosen.games
        print(
            f"| {name} | {len(each) / chosen.games:.2f} | {total:.3f} ± {error:.3f} | "
            f"{means.mean() if each else 0.0:.3f} | {1000 * seconds / turns:.1f} |"
        )


if __name__ == "__main__":
    main()
