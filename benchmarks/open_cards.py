"""Whether 25 was possible with open cards, on many deals, and a check against agents that see their own cards.

    python benchmarks/open_cards.py --deals 2000 --seed 1

Every deal on which `smart_cheater` or `cheater` reaches 25 must be `found`, and every line that is found is replayed by
the rules.
"""

import argparse
import time
from collections import Counter

import numpy as np

from kibitz.arena.match import play_agents
from kibitz.core import registry
from kibitz.core.agent import CompiledAgent
from kibitz.engine import generic
from kibitz.engine.seeds import keys, number, numbers
from kibitz.games.hanabi.open_cards import FOUND, open_cards

CHEATERS, TRIES = ("smart_cheater", "cheater"), 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    chosen = parser.parse_args()
    game = registry.game("hanabi")
    rules = game.check_rules(game.table_rules)
    print("| players | found | impossible | unknown | perfect by cheaters | of these found | median ms | longest s |")
    print("|---|---|---|---|---|---|---|---|")
    for players in game.players:
        answers, seconds, perfect, missed = Counter[str](), [], 0, 0
        reached = perfect_by_cheaters(players, chosen.deals, chosen.seed)
        for deal in range(chosen.deals):
            start = game.deal(keys(chosen.seed), deal, players, rules)
            began = time.perf_counter()
            found = open_cards(start[0])
            seconds.append(time.perf_counter() - began)
            answers[found.answer] += 1
            perfect += reached[deal]
            missed += reached[deal] and found.answer != FOUND
            if found.answer == FOUND:
                replay(start, found.moves)
        times = np.array(seconds)
        print(
            f"| {players} | {answers['found']} | {answers['impossible']} | {answers['unknown']} | {perfect} | "
            f"{perfect - missed} | {1000 * np.median(times):.1f} | {times[1:].max():.1f} |",
            flush=True,
        )


def perfect_by_cheaters(players: int, deals: int, seed: int) -> list[bool]:
    """By deal: whether an agent that sees its own cards reached 25 in any of some tries."""
    game = registry.game("hanabi")
    reached = np.zeros(deals, bool)
    cards = numbers(keys(seed).deal, 0, deals)
    for name in CHEATERS:
        agent = registry.agent(game, name)
        assert isinstance(agent, CompiledAgent)
        for n in range(TRIES):
            dice = np.full(deals, number(keys(seed).dice, n), np.int64)
            played = play_agents(game, [agent] * players, game.table_rules, cards, dice)
            reached |= game.scores(played.results)[0] == game.best
    return [bool(each) for each in reached]


def replay(start: object, moves: tuple[int, ...]) -> None:
    state = start.copy()  # type: ignore[attr-defined]
    for move in moves:
        assert generic.allowed(state[0], move)
        generic.apply(state[0], move)
    assert registry.game("hanabi").result(state[0])["score"] == 25


if __name__ == "__main__":
    main()
