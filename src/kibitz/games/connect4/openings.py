"""The solver's opening book: its table entries with few stones, stored after solving openings.

`python -m kibitz.games.connect4.openings --minutes 60` solves the empty board, then every position after one move,
after two and so on, central columns first, until the time is up, and writes the book beside this file. An existing book
is extended. It needs half a gigabyte of memory.
"""

import argparse
import datetime
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.core.array_files import arrays_in, file_named, write_arrays
from kibitz.errors import KibitzError
from kibitz.games.connect4.board import COLUMNS, HEIGHT, column_places, has_four, landing_places
from kibitz.games.connect4.solver import (
    AGE_BITS,
    AGES,
    KEY_BITS,
    SCORE_BITS,
    Workspace,
    age_of,
    key_of,
    solve,
    workspace_for,
)

PATH = Path(__file__).parent / "openings.npz"
PLIES = 6  # positions after fewer moves are solved, if there is time
STONES = 12  # positions with fewer are stored: bounds of positions met on the way shorten searches nearby
TABLE_BITS = 26
GAME = "connect4"
BOUNDS = (1 << 2 * SCORE_BITS) - 1
Stones = tuple[int, int]  # those of the player to move, and all


def stones_of(keys: Any) -> Any:
    """The number of stones in positions with these keys: the highest bit of a column is above its stones."""
    counts = np.zeros(len(keys), np.int64)
    for column in range(COLUMNS):
        counts += np.frexp((keys >> HEIGHT * column & (1 << HEIGHT) - 1).astype(np.float64))[1] - 1
    return counts


def book_of(table: Any, stones: int = STONES) -> Any:
    """The entries of a table with fewer stones than this, as a book for the solver."""
    ages = table >> 2 * SCORE_BITS & (1 << AGE_BITS) - 1
    few = table[(table != 0) & (ages <= age_of(stones - 1))]
    few = np.sort(few[stones_of(few >> KEY_BITS) < stones])
    return as_book(few >> KEY_BITS, few & BOUNDS)


def as_book(keys: Any, bounds: Any) -> Any:
    """Keys, each followed by its age and bounds. Entries with fewer stones come later, so they stay in a full table."""
    stones = stones_of(keys)
    order = np.argsort(-stones, kind="stable")
    ages = sum((stones >= each).astype(np.int64) for each in AGES)
    book = np.empty(2 * len(keys))
    book[0::2], book[1::2] = keys[order], (ages << 2 * SCORE_BITS | bounds)[order]
    return book


MOST_BYTES = 256 << 20  # unpacked


def save_book(path: Path, book: Any, origin: str) -> None:
    """Write a book in the order of its keys, because small differences compress well."""
    order = np.argsort(book[0::2])
    steps = np.diff(book[0::2][order].astype(np.int64), prepend=0)
    bounds = book[1::2][order].astype(np.int64) & BOUNDS
    write_arrays(path, small=True, steps=steps, bounds=bounds.astype(np.uint16), origin=np.array([GAME, origin]))


def load_book(path: Path = PATH) -> Any:
    """Read a book for the solver."""
    with file_named(path, "not an opening book"):
        file = arrays_in(path, MOST_BYTES)
        game, steps, bounds = str(file["origin"][0]), file["steps"], file["bounds"]
        if game != GAME:
            raise KibitzError(f"it is a book of {game}, not of Connect 4.")
        return as_book(np.cumsum(steps), bounds.astype(np.int64) & BOUNDS)


def origin_of(path: Path = PATH) -> str:
    """The command that made a book, and when."""
    return str(arrays_in(path, MOST_BYTES)["origin"][1])


def about(path: Path) -> str:
    """The contents of a book: by number of stones, the positions and how many have an exact score."""
    book = load_book(path)
    stones, bounds = stones_of(book[0::2].astype(np.int64)), book[1::2].astype(np.int64)
    exact = (bounds >> SCORE_BITS & (1 << SCORE_BITS) - 1) == (bounds & (1 << SCORE_BITS) - 1)
    rows = [f"{n:6} {(stones == n).sum():9,} {(exact & (stones == n)).sum():7,}" for n in range(stones.max() + 1)]
    return "\n".join([origin_of(path), "stones positions   exact", *rows])


def openings(plies: int) -> Iterator[tuple[int, Stones]]:
    """The positions after fewer moves than this that are not over, without mirror images, with the number of moves.

    Among positions after the same number of moves, central ones come first.
    """
    level: dict[int, tuple[int, Stones]] = {0: (0, (0, 0))}
    for turn in range(plies):
        found = sorted(level.values())
        yield from ((turn, stones) for _, stones in found)
        below: dict[int, tuple[int, Stones]] = {}
        for away, (mine, taken) in found:
            for column in range(COLUMNS):
                stone = int(landing_places(taken) & column_places(column))
                if stone and not has_four(mine | stone):
                    after = (mine ^ taken, taken | stone)
                    further = away + abs(column - COLUMNS // 2)
                    key = int(key_of(*after, turn + 1))
                    below[key] = min(below.get(key, (further, after)), (further, after))
        level = below


def build(workspace: Workspace, plies: int, seconds: float, report: Callable[[str], None]) -> str:
    """Solve openings for some CPU seconds; returns a summary."""
    began, solved = time.process_time(), -1
    for solved, (turn, (mine, taken)) in enumerate(openings(plies)):
        if time.process_time() - began >= seconds:
            break
        score = int(solve(workspace, mine, taken, turn))
        report(f"{solved + 1} solved, the last after {turn} moves: {score:+d}; {time.process_time() - began:.0f} s")
    else:
        solved += 1
    return f"{solved} positions solved, {int(workspace.run[0]['nodes']):,} searched"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="CPU minutes; the last position is finished")
    parser.add_argument("--plies", type=int, default=PLIES, help="solve positions after fewer moves than this")
    parser.add_argument("--stones", type=int, default=STONES, help="store positions with fewer stones than this")
    parser.add_argument("--output", type=Path, default=PATH)
    parser.add_argument("--about", action="store_true", help="only print the contents of the book")
    chosen = parser.parse_args()
    if chosen.about:
        print(about(chosen.output))
        return
    earlier = load_book(chosen.output) if chosen.output.exists() else np.zeros(0)
    before = f"; began with the book of {origin_of(chosen.output)}" if len(earlier) else ""
    table = np.zeros(1 << TABLE_BITS, np.int64)
    workspace = workspace_for(table, earlier)
    made = f"--minutes {chosen.minutes:g} --plies {chosen.plies} --stones {chosen.stones}"
    origin = f"python -m kibitz.games.connect4.openings {made}, {datetime.date.today().isoformat()}{before}"

    def report(text: str) -> None:
        print(text, file=sys.stderr, flush=True)
        save_book(chosen.output, book_of(table, chosen.stones), origin)

    done = build(workspace, chosen.plies, 60 * chosen.minutes, report)
    print(f"{done}; {len(book_of(table, chosen.stones)) // 2} positions are now in {chosen.output}.")


if __name__ == "__main__":
    main()
