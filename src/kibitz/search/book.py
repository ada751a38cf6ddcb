"""An opening book: what positions at the start of a game are worth, found by long searches, kept in a file.

A search looks positions up in it as in a transposition table that never forgets. Its pages are in the order of their
keys, so that a position is found by halving.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.array_files import arrays_in, write_arrays
from kibitz.core.game import Game
from kibitz.engine import generic
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.move_sets import listed
from kibitz.engine.seat import struct_at
from kibitz.errors import KibitzError

PAGE = struct_dtype([("key", np.int64), ("value", np.float64), ("move", np.int64), ("depth", np.int64)])
PAGE_BYTES = PAGE.itemsize
FIELDS = PAGE.names or ()
page_at = struct_at(PAGE)


@compiled
def no_book() -> Any:
    return np.zeros(0, PAGE)


@compiled
def find(pages: int, length: int, key: int) -> int:
    """The number of the page of a key, in pages at an address, or −1."""
    low, high = 0, length
    while low < high:
        middle = (low + high) >> 1
        if page_at(pages + PAGE_BYTES * middle).key < key:
            low = middle + 1
        else:
            high = middle
    return low if low < length and page_at(pages + PAGE_BYTES * low).key == key else -1


@compiled
def value_at(pages: int, page: int) -> float:
    """What the position of a page is worth to who is to move, in points."""
    return page_at(pages + PAGE_BYTES * page).value


@compiled
def depth_at(pages: int, page: int) -> int:
    """How deep it was searched."""
    return page_at(pages + PAGE_BYTES * page).depth


MOST_BYTES = 256 << 20  # unpacked


class Answer(NamedTuple):
    """What a long search says of a position."""

    move: int
    value: float  # in points, to who is to move
    depth: int


class Book(NamedTuple):
    game: str
    rules: int  # as bits: the values of another variant would be wrong
    plies: int  # positions after fewer moves than this are in it
    origin: str  # the command that built it
    pages: Any

    def save(self, path: Path) -> None:
        head = np.array([self.game, str(self.rules), str(self.plies), self.origin])
        write_arrays(path, small=True, head=head, **{field: self.pages[field] for field in FIELDS})

    def page(self, key: int) -> Answer | None:
        place = int(np.searchsorted(self.pages["key"], key))
        if place == len(self.pages) or self.pages["key"][place] != key:
            return None
        page = self.pages[place]
        return Answer(int(page["move"]), float(page["value"]), int(page["depth"]))


def read_book(path: Path) -> Book:
    """The book in a file, of whatever game."""
    try:
        file = arrays_in(path, MOST_BYTES)
        (name, bits, plies, origin), columns = file["head"].tolist(), [file[field] for field in FIELDS]
    except OSError as error:
        raise KibitzError(f"The book {path} cannot be read: {error.strerror or error}.") from None
    except KibitzError as error:
        raise KibitzError(f"{path}: {error}") from None
    except Exception:  # zipfile and zlib have errors of their own
        raise KibitzError(f"{path} is not an opening book. `kibitz book GAME --output FILE` builds one.") from None
    pages = np.zeros(len(columns[0]), PAGE)
    for field, column in zip(FIELDS, columns, strict=True):
        pages[field] = column
    return Book(name, int(bits), int(plies), origin, pages)


def load_book(path: Path, game: Game, rules: int) -> Book:
    """The book in a file, if it is one of this game by these rules."""
    book = read_book(path)
    if (book.game, book.rules) != (game.name, rules):
        what = book.game if book.game != game.name else f"{game.title} by other rules"
        raise KibitzError(f"{path} is a book of {what}. Build one for {game.title} as it is played here.")
    return book


def opening_states(game: Game, start: Any, plies: int) -> Iterator[Any]:
    """Every position after fewer moves than this that is not over, once, as an array of one state."""
    level = {int(generic.key(generic.positions(start[0], 1)[0])): start.copy()}
    for _ in range(plies):
        yield from level.values()
        below: dict[int, Any] = {}
        for state in level.values():
            room = np.empty(int(generic.most_moves(state[0])), np.int64)
            for move in listed(generic.legal_moves(state[0], room)):
                after = state.copy()
                generic.apply(after[0], move)
                if generic.to_move(after[0]) >= 0:
                    below.setdefault(int(generic.key(generic.positions(after[0], 1)[0])), after)
        level = below


def build(
    game: Game, start: Any, rules: int, plies: int, solve: Callable[[Any], Answer], origin: str,
    progress: Callable[[int], None] = lambda done: None, jobs: int = 1,
) -> Book:  # fmt: skip
    """A book of all positions after fewer moves than this, each as a search answers for it; on several threads."""
    rows, states = [], list(opening_states(game, start, plies))
    with ThreadPoolExecutor(jobs) as threads:
        for state, answer in zip(states, threads.map(solve, states), strict=True):
            key = int(generic.key(generic.positions(state[0], 1)[0]))
            rows.append((key, answer.value, answer.move, answer.depth))
            progress(len(rows))
    pages = np.array(sorted(rows), PAGE)
    return Book(game.name, rules, plies, origin, pages)
