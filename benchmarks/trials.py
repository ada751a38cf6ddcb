"""The measurement behind how flat search spends its playouts (docs/explanation/search.md), on rounds of Love Letter.

    python benchmarks/trials.py

Three ways: every move equally often in the same worlds, equally often in worlds of its own, and by the upper
confidence bound UCB1. What each chooses is judged by a search a thousand times as long: how much of the chance
to win it gives away by not choosing the best move, in hundredths.
"""

import numpy as np
from searching import SEED, decisions

from kibitz.engine import generic
from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.loop import WORLD
from kibitz.engine.seat import Budget
from kibitz.engine.seeds import number
from kibitz.search.choice import Estimates, most_valued, most_visited, no_estimates
from kibitz.search.clock import Limit, goes_on, limit_of
from kibitz.search.flat import flat
from kibitz.search.playout import RANDOM, buffers_for, play_to_end
from kibitz.search.worlds import Worlds, draw, fresh_worlds, room

PLAYOUTS, STREAMS, REFERENCE = (100, 400, 1600), 25, 200_000
EVEN, BOUND = 0, 1


@compiled
def in_worlds_of_their_own(worlds: Worlds, limit: Limit, stream: int, way: int) -> Estimates:
    """Flat search with a fresh world for every playout; the next move in turn, or the one with the highest bound."""
    view = worlds.seen[0]
    found, pair, buffers = no_estimates(view, generic.legal(view)), room(view, 2), buffers_for(view)
    done = 0
    while goes_on(limit, done):
        draw(worlds, pair, number(stream, 2 * done))
        move = next_move(found, generic.legal(view), done, way)
        generic.apply(pair[WORLD], move)
        play_to_end(pair, RANDOM, number(stream, 2 * done + 1), buffers)
        found.visits[move] += 1
        found.values[move] += (generic.payoff(pair[WORLD], view.seat) - found.values[move]) / found.visits[move]
        done += 1
    return found


@compiled
def next_move(found: Estimates, moves: int, done: int, way: int) -> int:
    best, bound = -1, -1.0
    while moves:
        move = lowest_bit(moves)
        moves &= moves - 1
        if found.visits[move] == 0:
            return move
        if way == EVEN:
            this = 1.0 / found.visits[move]
        else:
            this = found.values[move] + np.sqrt(2 * np.log(done) / found.visits[move])
        if this > bound:
            best, bound = move, this
    return best


def main() -> None:
    views = [*decisions(2), *decisions(4)]
    exact = [flat(fresh_worlds(view), limit_of(Budget(REFERENCE)), SEED, RANDOM).values for view in views]
    print(f"{len(views)} decisions, {STREAMS} times each; given away, in hundredths of a win")
    for playouts in PLAYOUTS:
        lost: dict[str, list[float]] = {"same worlds": [], "own worlds": [], "UCB1": []}
        for view, values in zip(views, exact, strict=True):
            for stream in range(STREAMS):
                worlds, limit = fresh_worlds(view), limit_of(Budget(playouts))
                chosen = (
                    most_valued(flat(worlds, limit, stream, RANDOM)),
                    most_valued(in_worlds_of_their_own(worlds, limit, stream, EVEN)),
                    most_visited(in_worlds_of_their_own(worlds, limit, stream, BOUND)),
                )
                for way, choice in zip(lost, chosen, strict=True):
                    lost[way].append(100 * (values.max() - values[choice.move]))
        print(f"{playouts:5} playouts: " + ", ".join(f"{way} {np.mean(each):.2f}" for way, each in lost.items()))


if __name__ == "__main__":
    main()
