"""A book of positions: their values and best moves, found by searches and kept in a file.

A search uses it like a transposition table that never forgets, and a player makes its moves without a search. Pages are
sorted by key, for binary search. `openings` fills books.
"""

from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from kibitz.core.array_files import arrays_in, file_named, write_arrays
from kibitz.core.game import Game
from kibitz.core.weights import Weights
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.seat import struct_at
from kibitz.errors import KibitzError

PAGE = struct_dtype([("key", np.int64), ("value", np.float64), ("move", np.int64), ("depth", np.int64)])
PAGE_BYTES = PAGE.itemsize
PAGE_WORDS = PAGE_BYTES // 8
FIELDS = PAGE.names or ()
MOST_POINTS = 10_000.0  # of a value: a won game
MOST_DEPTH = 64
page_at = struct_at(PAGE)


@compiled
def no_book() -> Any:
    return np.zeros(0)


@compiled
def find(pages: int, length: int, key: int) -> int:
    """The index of a key's page in the pages at an address, or −1."""
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
    """The value of a page's position in points, for the player to move."""
    return page_at(pages + PAGE_BYTES * page).value


@compiled
def move_in(pages: int, page: int) -> int:
    """The best move of a page's position."""
    return page_at(pages + PAGE_BYTES * page).move


@compiled
def depth_at(pages: int, page: int) -> int:
    """The depth to which a page's position was searched."""
    return page_at(pages + PAGE_BYTES * page).depth


MOST_BYTES = 256 << 20  # unpacked


class Answer(NamedTuple):
    """The result of a long search."""

    move: int
    value: float  # in points, for the player to move
    depth: int


class Evaluation(NamedTuple):
    """What the values of a book rest on: the weights of an agent."""

    agent: str
    digest: str

    @classmethod
    def of(cls, agent: "Evaluator") -> "Evaluation":
        return cls(agent.name, agent.weights.digest())


class Evaluator(Protocol):
    """An agent that evaluates positions."""

    @property
    def name(self) -> str: ...

    @property
    def game(self) -> str: ...

    @property
    def weights(self) -> Weights: ...


class Book(NamedTuple):
    game: str
    rules: int  # as bits: values hold for one variant only
    plies: int  # it contains positions after fewer moves than this
    origin: str  # the command that built it
    evaluation: Evaluation
    pages: Any

    def save(self, path: Path) -> None:
        head = np.array([self.game, str(self.rules), str(self.plies), self.origin, *self.evaluation])
        write_arrays(path, small=True, head=head, **{field: self.pages[field] for field in FIELDS})

    def page(self, key: int) -> Answer | None:
        place = int(np.searchsorted(self.pages["key"], key))
        if place == len(self.pages) or self.pages["key"][place] != key:
            return None
        page = self.pages[place]
        return Answer(int(page["move"]), float(page["value"]), int(page["depth"]))

    @property
    def words(self) -> Any:
        """The pages as a search takes them: four words each."""
        return self.pages.view(np.float64)

    def check_evaluation(self, path: Path, agent: Evaluator) -> None:
        """Raise a KibitzError if the values are those of another evaluation than the agent's."""
        if self.evaluation.digest != agent.weights.digest():
            raise KibitzError(
                f"{path} was built with another evaluation, that of {self.evaluation.agent}, so its values do not fit "
                f"{agent.name}. Build a book with `kibitz book {self.game} --agent {agent.name} --output FILE.npz`."
            )


def pages_of(answers: dict[int, Answer]) -> Any:
    """The pages of these answers by key, sorted."""
    return np.array([(key, each.value, each.move, each.depth) for key, each in sorted(answers.items())], PAGE)


def read_book(path: Path) -> Book:
    """The book in a file, of any game."""
    with file_named(path, "not an opening book", "`kibitz book GAME --output FILE` builds one."):
        file = arrays_in(path, MOST_BYTES)
        (name, bits, plies, origin, *evaluation), columns = file["head"].tolist(), [file[field] for field in FIELDS]
        pages = np.zeros(len(columns[0]), PAGE)
        for field, column in zip(FIELDS, columns, strict=True):
            pages[field] = column
        book = Book(name, int(bits), int(plies), origin, Evaluation(*evaluation), pages)
    if not (
        (pages["key"][1:] > pages["key"][:-1]).all()
        and (np.abs(pages["value"]) <= MOST_POINTS).all()
        and ((pages["depth"] >= 0) & (pages["depth"] <= MOST_DEPTH)).all()
    ):
        raise KibitzError(f"{path} is a damaged book: its pages are out of order or out of range. Build it again.")
    return book


def load_book(path: Path, game: Game, rules: int) -> Book:
    """The book in a file; a KibitzError if it is for another game or other rules."""
    book = read_book(path)
    if (book.game, book.rules) != (game.name, rules):
        what = book.game if book.game != game.name else f"{game.title} with other rules"
        raise KibitzError(f"{path} is a book for {what}. Build one for {game.title} with these rules.")
    return book


def read_book_for(agent: Evaluator, path: Path) -> Weights:
    """The book in a file for an agent; a KibitzError if it is for another game or another evaluation.

    Of other rules it has no positions, because the key of a position includes the rules that its value depends on.
    """
    book = read_book(path)
    if book.game != agent.game:
        raise KibitzError(f"{path} is a book for {book.game}, and {agent.name} plays {agent.game}.")
    book.check_evaluation(path, agent)
    return Weights(book.words)
