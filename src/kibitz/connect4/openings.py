"""The solver's opening book: positions are solved, and what the table then has on few stones is kept.

`python -m kibitz.connect4.openings --minutes 15` solves the empty board, then every position after one move, after
two and so on, for as long as it may, and writes the book beside this file. A book that is there is gone on from.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from kibitz.connect4.board import COLUMNS, column_places, has_four, landing_places
from kibitz.connect4.solver import AGE_BITS, KEY_BITS, SCORE_BITS, Memory, key_of, memory_of, solve
from kibitz.core.errors import KibitzError

PATH = Path(__file__).parent / "openings.npz"
PLIES = 6  # positions after fewer moves than this are solved, if there is time
TABLE_BITS = 24
GAME = "connect4"
Stones = tuple[int, int]  # of who is to move, and all


def book_of(table: Any) -> Any:
    """What a table has on positions with few stones, as the solver takes it: a key, then its age and its bounds."""
    few = np.sort(table[(table != 0) & (table >> 2 * SCORE_BITS & (1 << AGE_BITS) - 1 == 0)])
    numbers = np.empty(2 * len(few))
    numbers[0::2], numbers[1::2] = few >> KEY_BITS, few & (1 << KEY_BITS) - 1
    return numbers


def save_book(path: Path, book: Any, origin: str) -> None:
    with path.open("wb") as file:
        np.savez_compressed(file, weights=book, origin=np.array([GAME, origin]))


def load_book(path: Path = PATH) -> Any:
    """A book of a file, as the solver takes it; nothing, if the one that comes with the game was not built."""
    if path == PATH and not path.exists():
        return np.zeros(0)
    try:
        with np.load(path, allow_pickle=False) as file:
            game, book = str(file["origin"][0]), np.asarray(file["weights"], np.float64)
    except OSError as error:
        raise KibitzError(f"The opening book {path} cannot be read: {error.strerror or error}.") from None
    except (ValueError, KeyError, EOFError) as error:
        raise KibitzError(f"{path} is not an opening book: {error}.") from None
    if game != GAME:
        raise KibitzError(f"{path} is a book of {game}, not of Connect 4.")
    return book


def openings(plies: int) -> Iterator[tuple[int, Stones]]:
    """The positions after fewer moves than this that are not over, mirror images once, with the number of moves."""
    level: dict[int, Stones] = {0: (0, 0)}
    for turn in range(plies):
        yield from ((turn, stones) for stones in level.values())
        below: dict[int, Stones] = {}
        for mine, taken in level.values():
            for column in range(COLUMNS):
                stone = int(landing_places(taken) & column_places(column))
                if stone and not has_four(mine | stone):
                    after = (mine ^ taken, taken | stone)
                    below.setdefault(int(key_of(*after, turn + 1)), after)
        level = below


def build(memory: Memory, plies: int, seconds: float, said: Callable[[str], None]) -> str:
    """Solve openings for so long; what was done, in words."""
    began, solved = time.process_time(), -1
    for solved, (turn, (mine, taken)) in enumerate(openings(plies)):
        left = seconds - (time.process_time() - began)
        if left <= 0:
            break
        score = int(solve(memory, mine, taken, turn))
        said(f"{solved + 1} solved, the last after {turn} moves: {score:+d}; {time.process_time() - began:.0f} s")
    else:
        solved += 1
    return f"{solved} positions solved, {int(memory.desk[0]['nodes']):,} looked at"


def main() -> None:
    words = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    words.add_argument("--minutes", type=float, default=15.0, help="of processor time; what was begun is finished")
    words.add_argument("--plies", type=int, default=PLIES, help="positions after fewer moves than this")
    words.add_argument("--output", type=Path, default=PATH)
    chosen = words.parse_args()
    earlier = load_book(chosen.output) if chosen.output.exists() else np.zeros(0)
    table = np.zeros(1 << TABLE_BITS, np.int64)
    memory = memory_of(table, earlier)

    def said(text: str) -> None:
        print(text, file=sys.stderr, flush=True)
        save_book(chosen.output, book_of(table), origin)

    origin = f"python -m kibitz.connect4.openings --minutes {chosen.minutes:g} --plies {chosen.plies}"
    done = build(memory, chosen.plies, 60 * chosen.minutes, said)
    print(f"{done}; {len(book_of(table)) // 2} positions are in {chosen.output}.")


if __name__ == "__main__":
    main()
