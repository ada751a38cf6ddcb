"""How many iterations search makes in a second on one thread, over the decisions of whole rounds of Love Letter."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from report import Line, rate_line, short
from timing import take_turns, timed

from kibitz.core.table import Table
from kibitz.engine.bits import count_bits
from kibitz.engine.seat import Budget
from kibitz.engine.seeds import keys
from kibitz.games.loveletter.agents.greedy import greedy
from kibitz.games.loveletter.agents.searchers import EXPLORATION
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.games.loveletter.rules import legal
from kibitz.search.belief import weighed_worlds
from kibitz.search.clock import limit_of
from kibitz.search.flat import flat
from kibitz.search.ismcts import MANY, MODELLED, SINGLE, Options, ismcts
from kibitz.search.playout import MODEL, RANDOM
from kibitz.search.uct import Options as TreeOptions
from kibitz.search.uct import uct
from kibitz.search.worlds import fresh_worlds

SEED, ROUNDS, ITERATIONS, POOL = 1, 10, 2000, 1000
WANTED = 100_000


def decisions(players: int) -> list[Any]:
    """What the seat to move sees, whenever it has a choice, in some rounds of greedy players."""
    views = []
    for number in range(ROUNDS):
        start = LOVE_LETTER.deal(keys(SEED), number, players, LOVE_LETTER.check_rules({}))
        table = Table(LOVE_LETTER, [greedy.take_seat(LOVE_LETTER, explains=False) for _ in range(players)], start)
        while not table.over:
            view = table.view(table.to_move)
            if count_bits(int(legal(view))) > 1:
                views.append(view)
            table.step()
    return views


def tree(observers: int, playout: int) -> Callable[[Any, int], Any]:
    options = Options(observers, playout, EXPLORATION)
    return lambda view, iterations: ismcts(fresh_worlds(view), limit_of(Budget(iterations)), SEED, options)


def reading(view: Any, iterations: int) -> Any:
    options = Options(MODELLED, MODEL, EXPLORATION)
    return ismcts(weighed_worlds(view, POOL, SEED), limit_of(Budget(iterations)), SEED, options)


USUAL = TreeOptions(EXPLORATION, RANDOM)
SEARCHES: dict[str, tuple[Callable[[Any, int], Any], int | None]] = {
    "information sets, one observer": (tree(SINGLE, RANDOM), WANTED),
    "information sets, many observers": (tree(MANY, RANDOM), WANTED),
    "plain UCT": (lambda view, iterations: uct(fresh_worlds(view), limit_of(Budget(iterations)), SEED, USUAL), None),
    "flat": (lambda view, iterations: flat(fresh_worlds(view), limit_of(Budget(iterations)), SEED, RANDOM), None),
    f"reading: {POOL} worlds weighed, others modelled": (reading, None),
}


def work_of(search: Callable[[Any, int], Any], views: list[Any], iterations: int) -> Callable[[], int]:
    """Looks into the views one after the other, a few each time it is called; the iterations made."""
    place = 0

    def work() -> int:
        nonlocal place
        for _ in range(5):
            search(views[place % len(views)], iterations)
            place += 1
        return 5 * iterations

    return work


def iterations() -> list[Line]:
    lines = []
    for players in (2, 4):
        views = decisions(players)
        for name, (search, wanted) in SEARCHES.items():
            [rates] = take_turns([timed(work_of(search, views, ITERATIONS))])
            said = f"the same code in plain Python: {short(plain(name, players))}/s" if wanted and players == 2 else "—"
            lines.append(rate_line(f"{name}, {players} players", rates, "iterations/s", wanted, said))
    return lines


def plain(name: str, players: int) -> float:
    """The rate of a search under NUMBA_DISABLE_JIT=1, in a process of its own."""
    done = subprocess.run(
        [sys.executable, __file__, name, str(players)], cwd=Path(__file__).parent,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, check=True, text=True,
    )  # fmt: skip
    return float(json.loads(done.stdout))


def load() -> None:
    """Have everything compiled and in the cache."""
    [view, *_] = decisions(2)
    for search, _ in SEARCHES.values():
        search(view, 1)


if __name__ == "__main__":
    search, _ = SEARCHES[sys.argv[1]]
    views = decisions(int(sys.argv[2]))
    begun = time.perf_counter()
    made = sum(work_of(search, views[:5], 20)() for _ in range(5))
    print(json.dumps(made / (time.perf_counter() - begun)))
