"""The solver's opening book: the entries of its table with few stones, kept after solving openings.

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

from kibitz.core.array_files import arrays_in, write_arrays
from kibitz.errors import KibitzError
from kibitz.games.connect4.board import COLUMNS, HEIGHT, column_places, has_four, landing_places
from kibitz.games.connect4.solver import AGE_BITS, AGES, KEY_BITS, SCORE_BITS, Memory, age_of, key_of, memory_of, solve

PATH = Path(__file__).parent / "openings.npz"
PLIES = 6  # positions after fewer moves than this are solved, if there is time
STONES = 12  # positions with fewer are kept: bounds of what was looked at on the way make searches nearby shorter
TABLE_BITS = 26
GAME = "connect4"
BOUNDS = (1 << 2 * SCORE_BITS) - 1
Stones = tuple[int, int]  # of who is to move, and all


def stones_of(keys: Any) -> Any:
    """How many stones there are in positions with these keys: the highest bit of a column stands above its stones."""
    counts = np.zeros(len(keys), np.int64)
    for column in range(COLUMNS):
        counts += np.frexp((keys >> HEIGHT * column & (1 << HEIGHT) - 1).astype(np.float64))[1] - 1
    return counts


def book_of(table: Any, stones: int = STONES) -> Any:
    """What a table has on positions with fewer stones than this, as the solver takes it."""
    ages = table >> 2 * SCORE_BITS & (1 << AGE_BITS) - 1
    few = table[(table != 0) & (ages <= age_of(stones - 1))]
    few = np.sort(few[stones_of(few >> KEY_BITS) < stones])
    return as_book(few >> KEY_BITS, few & BOUNDS)


def as_book(keys: Any, bounds: Any) -> Any:
    """A key, then its age and its bounds, and so on; those with fewer stones later, which stay in a full table."""
    stones = stones_of(keys)
    order = np.argsort(-stones, kind="stable")
    ages = sum((stones >= each).astype(np.int64) for each in AGES)
    book = np.empty(2 * len(keys))
    book[0::2], book[1::2] = keys[order], (ages << 2 * SCORE_BITS | bounds)[order]
    return book


MOST_BYTES = 256 << 20  # unpacked


def save_book(path: Path, book: Any, origin: str) -> None:
    """In the order of their keys, whose differences are small then and take little room."""
    order = np.argsort(book[0::2])
    steps = np.diff(book[0::2][order].astype(np.int64), prepend=0)
    bounds = book[1::2][order].astype(np.int64) & BOUNDS
    write_arrays(path, small=True, steps=steps, bounds=bounds.astype(np.uint16), origin=np.array([GAME, origin]))


def load_book(path: Path = PATH) -> Any:
    """A book of a file, as the solver takes it."""
    try:
        file = arrays_in(path, MOST_BYTES)
        game, steps, bounds = str(file["origin"][0]), file["steps"], file["bounds"]
        if game != GAME:
            raise KibitzError(f"it is a book of {game}, not of Connect 4.")
        return as_book(np.cumsum(steps), bounds.astype(np.int64) & BOUNDS)
    except KibitzError as error:
        raise KibitzError(f"{path}: {error}") from None
    except OSError as error:
        raise KibitzError(f"The opening book {path} cannot be read: {error.strerror or error}.") from None
    except Exception as error:  # zipfile and zlib have errors of their own
        raise KibitzError(f"{path} is not an opening book: {error}.") from None


def origin_of(path: Path = PATH) -> str:
    """The command that made a book, and when."""
    return str(arrays_in(path, MOST_BYTES)["origin"][1])


def about(path: Path) -> str:
    """What is in a book: by stones, how many positions there are and of how many the exact score is known."""
    book = load_book(path)
    stones, bounds = stones_of(book[0::2].astype(np.int64)), book[1::2].astype(np.int64)
    exact = (bounds >> SCORE_BITS & (1 << SCORE_BITS) - 1) == (bounds & (1 << SCORE_BITS) - 1)
    rows = [f"{n:6} {(stones == n).sum():9,} {(exact & (stones == n)).sum():7,}" for n in range(stones.max() + 1)]
    return "\n".join([origin_of(path), "stones positions   exact", *rows])


def openings(plies: int) -> Iterator[tuple[int, Stones]]:
    """The positions after fewer moves than this that are not over, mirror images once, with the number of moves.

    Of as many moves, those come first whose moves are nearer to the middle.
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


def build(memory: Memory, plies: int, seconds: float, said: Callable[[str], None]) -> str:
    """Solve openings for so long; what was done, in words."""
    began, solved = time.process_time(), -1
    for solved, (turn, (mine, taken)) in enumerate(openings(plies)):
        if time.process_time() - began >= seconds:
            break
        score = int(solve(memory, mine, taken, turn))
        said(f"{solved + 1} solved, the last after {turn} moves: {score:+d}; {time.process_time() - began:.0f} s")
    else:
        solved += 1
    return f"{solved} positions solved, {int(memory.desk[0]['nodes']):,} looked at"


def main() -> None:
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--minutes", type=float, default=60.0, help="of processor time; what was begun is finished")
    words.add_argument("--plies", type=int, default=PLIES, help="positions after fewer moves than this are solved")
    words.add_argument("--stones", type=int, default=STONES, help="positions with fewer are kept")
    words.add_argument("--output", type=Path, default=PATH)
    words.add_argument("--about", action="store_true", help="build nothing, and say what is in the book")
    chosen = words.parse_args()
    if chosen.about:
        print(about(chosen.output))
        return
    earlier = load_book(chosen.output) if chosen.output.exists() else np.zeros(0)
    before = f"; began with the book of {origin_of(chosen.output)}" if len(earlier) else ""
    table = np.zeros(1 << TABLE_BITS, np.int64)
    memory = memory_of(table, earlier)
    made = f"--minutes {chosen.minutes:g} --plies {chosen.plies} --stones {chosen.stones}"
    origin = f"python -m kibitz.games.connect4.openings {made}, {datetime.date.today().isoformat()}{before}"

    def said(text: str) -> None:
        print(text, file=sys.stderr, flush=True)
        save_book(chosen.output, book_of(table, chosen.stones), origin)

    done = build(memory, chosen.plies, 60 * chosen.minutes, said)
    print(f"{done}; {len(book_of(table, chosen.stones)) // 2} positions are in {chosen.output}.")


if __name__ == "__main__":
    main()
