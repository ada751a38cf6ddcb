"""What the order of moves is worth to alpha-beta: the depth that it saves, on game positions and on random trees.

python benchmarks/ordering.py --game connect4 --depth 7 --positions 20
python benchmarks/ordering.py --branching 8 --depth 8 --positions 20

Minimax to depth d looks at b**d leaves. With the best order alpha-beta looks at about b**(d/2), and with a random one,
as lectures say, at about b**(3d/4). For each order this prints the share of the depth that is left: the logarithm of
the positions that alpha-beta visits over that of minimax.
"""

import argparse
from collections.abc import Callable, Iterator
from math import log, sqrt
from typing import Any

import numpy as np

from kibitz.core import registry
from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import below, keys, number, numbers
from kibitz.search import alphabeta
from kibitz.search.alphabeta import PLAIN, Options
from kibitz.search.book import no_book
from kibitz.search.clock import ENDLESS, Limit
from kibitz.search.players import usual_weights

RANDOM = 2  # random moves before each position, for each player
ORDERS: dict[str, Options] = {
    "as numbered": PLAIN._replace(prunes=True),
    "random": PLAIN._replace(prunes=True, shuffles=1),
    "by score": PLAIN._replace(prunes=True, promising_first=1),
    "with killers and history": PLAIN._replace(prunes=True, promising_first=1, killers=True, history=True),
}
WORST_FIRST, AT_RANDOM, BEST_FIRST = range(3)


def positions(game: Game, count: int, seed: int) -> Iterator[Any]:
    """Positions after some random moves, with no winner yet."""
    for place, stream in enumerate(numbers(keys(seed).dice, 0, 10 * count).tolist()):
        state = game.deal(keys(seed), place, 2, game.check_rules({}))[0]
        for turn in range(2 * RANDOM):
            legal = game.legal(state)
            generic.apply(state, legal[below(stream, turn, len(legal))])
        if generic.to_move(state) >= 0:
            yield state


def nodes(game: Game, state: Any, depth: int, options: Options) -> int:
    """The positions that a search looks at."""
    weights = np.array(usual_weights(game), np.float64)
    workspace = alphabeta.workspace_for(state, int(generic.to_move(state)), options, weights, 1, no_book())
    alphabeta.search(workspace, Limit(ENDLESS, np.inf, 0.0), depth, False)
    return int(workspace.run[0]["nodes"])


@compiled
def leaves(seed: int, branching: int, depth: int, order: int) -> int:
    """The leaves that alpha-beta looks at in a tree whose leaves have random values, independent of each other."""
    count = np.zeros(1, np.int64)
    values = np.zeros((depth + 1, branching))
    tree_search(seed, 1, branching, depth, order, -2.0, 2.0, count, values)
    return count[0]


@compiled
def tree_value(seed: int, node: int, branching: int, depth: int) -> float:
    """The value of a node for its player."""
    if depth == 0:
        return number(seed, node) / 2.0**63
    best = -2.0
    for n in range(branching):
        best = max(best, -tree_value(seed, branching * node + n, branching, depth - 1))
    return best


@compiled
def tree_search(
    seed: int, node: int, branching: int, depth: int, order: int, low: float, high: float, count: Any, values: Any
) -> float:
    """Negamax with alpha-beta. Sorting looks at the true values, which costs time and is not counted."""
    if depth == 0:
        count[0] += 1
        return number(seed, node) / 2.0**63
    here, best, done = values[depth], -2.0, 0
    for n in range(branching):
        here[n] = tree_value(seed, branching * node + n, branching, depth - 1) if order != AT_RANDOM else float(n)
    while done >> branching == 0:
        chosen = -1
        for n in range(branching):
            worse = chosen >= 0 and (here[n] > here[chosen] if order == WORST_FIRST else here[n] < here[chosen])
            if done >> n & 1 == 0 and (chosen < 0 or worse):
                chosen = n
        if chosen < 0:
            break
        done |= 1 << chosen
        kept = here.copy()
        below_value = -tree_search(
            seed, branching * node + chosen, branching, depth - 1, order, -high, -low, count, values
        )
        here[:] = kept
        best = max(best, below_value)
        low = max(low, best)
        if low >= high:
            break
    return best


def share_text(shares: list[float]) -> str:
    spread = 1.96 * np.std(shares, ddof=1) / sqrt(len(shares)) if len(shares) > 1 else float("nan")
    return f"{np.mean(shares):.3f} ± {spread:.3f}"


def show(rows: dict[str, list[int]], whole: list[int]) -> None:
    print(f"{'order':<26}{'positions':>14}   share of the depth, 95 %")
    print(f"{'minimax':<26}{round(np.mean(whole)):>14,}   1")
    for name, found in rows.items():
        shares = [log(each) / log(all_of) for each, all_of in zip(found, whole, strict=True)]
        print(f"{name:<26}{round(np.mean(found)):>14,}   {share_text(shares)}")


def of_trees(branching: int, depth: int, count: int, seed: int) -> tuple[dict[str, list[int]], list[int]]:
    streams = numbers(keys(seed).dice, 0, count).tolist()
    orders = {"the worst first": WORST_FIRST, "random": AT_RANDOM, "the best first": BEST_FIRST}
    counted = lambda order: [int(leaves(stream, branching, depth, order)) for stream in streams]  # noqa: E731
    return {name: counted(order) for name, order in orders.items()}, [branching**depth] * count


def of_game(game: Game, depth: int, count: int, seed: int) -> tuple[dict[str, list[int]], list[int]]:
    found = [state for state, _ in zip(positions(game, count, seed), range(count), strict=False)]
    looked: Callable[[Options], list[int]] = lambda options: [nodes(game, state, depth, options) for state in found]  # noqa: E731
    return {name: looked(options) for name, options in ORDERS.items()}, looked(PLAIN)


def main() -> None:
    chosen = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    chosen.add_argument("--game", default="connect4", help="a game without hidden information or dice")
    chosen.add_argument("--branching", type=int, default=0, help="random trees with this number of moves instead")
    chosen.add_argument("--depth", type=int, default=7, help="plies")
    chosen.add_argument("--positions", type=int, default=20, help="positions, or trees")
    chosen.add_argument("--seed", type=int, default=0)
    options = chosen.parse_args()
    if options.branching:
        print(f"random trees, {options.branching} moves everywhere, {options.depth} plies, seed {options.seed}\n")
        show(*of_trees(options.branching, options.depth, options.positions, options.seed))
    else:
        game = registry.game(options.game)
        print(f"{game.title}, {options.positions} positions, {options.depth} plies, seed {options.seed}\n")
        show(*of_game(game, options.depth, options.positions, options.seed))


if __name__ == "__main__":
    main()
