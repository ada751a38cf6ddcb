"""Puzzles: positions in which one move is clearly the best for what its seat can know. The format, and where they are.

A file of puzzles is gzipped JSON lines. The first line is its `Origin`: the command, seed and version that made it, and
how many decisions were examined and kept. Every other line is a `Puzzle`:

    id           a short name, a digest of the position
    game, players, rules, seats
                 as in a record; `seats` are the agents that play, whose conventions the solver may assume
    seat         of the solver, from 0
    start, moves the game up to the decision, as in a record, with moves as numbers. What the solver cannot know (its
                 own cards, the deck) is not that of the game: it was sampled from the solver's view
    values       [move, value, standard error] of every legal move, the best first; moves far behind were tried less
    gap          [lead over the second move, standard error], in the unit of `measure`
    confirmed    the same by the second evaluator
    measure      "points", "perfect" (the chance of the best possible result) or "wins"
    exact        whether values are exact
    theme        a key of the game's `themes`
    rating       how hard it is, as a first rating; found_by: the reference agents that find the move
    text         the answer in words

`Puzzle.view` is what the solver sees. `question` and `solution` are what a server sends before and after an attempt.
"""

import gzip
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from kibitz.core import registry
from kibitz.core.agent import Decision
from kibitz.core.game import Game
from kibitz.core.puzzling import KEPT, UNCONFIRMED, PuzzlePart
from kibitz.core.table import Table
from kibitz.core.whole_files import write_whole
from kibitz.errors import KibitzError

FORMAT, VERSION = "kibitz-puzzles", 1
FILE = "puzzles.jsonl.gz"  # in a game's package


class Origin(msgspec.Struct):
    """Where the puzzles of a file come from."""

    game: str
    command: str
    seed: int
    kibitz: str
    games: int
    decisions: int
    promising: int
    stages: dict[str, int]  # of the promising decisions
    exact: int  # decisions that were kept because their values are exact, without a second evaluation
    puzzles: int  # in the file
    format: str = FORMAT
    version: int = VERSION

    @property
    def confirmed(self) -> float:
        """The share of decisions with a second evaluation in which it agreed."""
        agreed = self.stages.get(KEPT, 0) - self.exact
        return agreed / max(agreed + self.stages.get(UNCONFIRMED, 0), 1)


class Puzzle(msgspec.Struct, frozen=True, dict=True, omit_defaults=True):
    """A position with one clearly best move. See the module for its fields."""

    id: str
    game: str
    players: int
    rules: dict[str, str]
    seats: list[str]
    seat: int
    start: Any
    moves: list[int]
    values: list[tuple[int, float, float]]
    gap: tuple[float, float]
    confirmed: tuple[float, float]
    measure: str
    theme: str
    rating: int
    found_by: list[str]
    text: str
    exact: bool = False

    @property
    def best(self) -> int:
        return self.values[0][0]

    @cached_property
    def table(self) -> Table:
        """The table at the decision; cards that the solver does not see are sampled."""
        game = registry.game(self.game)
        table = Table(game, [], game.load_start(self.start, self.players, self.rules), rolls=False)
        for move in self.moves:
            table.make(Decision(move, ""))
        return table

    @cached_property
    def views(self) -> list[Any]:
        """What the solver has seen since the start, the present view last."""
        game = registry.game(self.game)
        table = Table(game, [], game.load_start(self.start, self.players, self.rules), rolls=False)
        views = [table.view(self.seat)]
        for move in self.moves:
            table.make(Decision(move, ""))
            if table.learns(self.seat):
                views.append(table.view(self.seat))
        return views

    @property
    def view(self) -> Any:
        """What the solver sees."""
        return self.views[-1]

    def solves(self, move: int) -> bool:
        return move == self.best

    def loss(self, move: int) -> float:
        """How much less a move is worth than the best."""
        found = {each: value for each, value, _ in self.values}
        if move not in found:
            raise KibitzError(f"{move} is not a legal move of puzzle {self.id}.")
        return found[self.best] - found[move]


@dataclass(frozen=True)
class PuzzleFile:
    origin: Origin
    puzzles: tuple[Puzzle, ...]

    @cached_property
    def by_id(self) -> dict[str, Puzzle]:
        return {puzzle.id: puzzle for puzzle in self.puzzles}


def question(puzzle: Puzzle) -> dict[str, Any]:
    """All that may be sent before a puzzle is solved, besides the page of its view: nothing of the answer.

    The theme would give it away, so it belongs to the answer.
    """
    game, view = registry.game(puzzle.game), puzzle.view
    last = range(max(len(puzzle.moves) - puzzle.players, 0), len(puzzle.moves))
    return {
        "id": puzzle.id, "game": puzzle.game, "players": puzzle.players, "rules": puzzle.rules,
        "seats": puzzle.seats, "seat": puzzle.seat, "turn": len(puzzle.moves) + 1, "rating": puzzle.rating,
        "convention": convention(puzzle), "last": [game.event_text(view, turn) for turn in last],
        "moves": {str(int(move)): game.move_text(move) for move in game.legal(view)},
    }  # fmt: skip


def solution(puzzle: Puzzle, move: int) -> dict[str, Any]:
    """What is sent when a puzzle was answered."""
    game = registry.game(puzzle.game)
    return {
        "id": puzzle.id, "solved": puzzle.solves(move), "best": game.move_text(puzzle.best),
        "move": game.move_text(move), "loss": round(puzzle.loss(move), 3), "measure": puzzle.measure,
        "exact": puzzle.exact, "text": puzzle.text,
        "theme": puzzle.theme, "title": part_of(game).themes[puzzle.theme].title,
        "values": [
            {"move": game.move_text(each), "value": value, "error": error} for each, value, error in puzzle.values
        ],
    }  # fmt: skip


def identity(game: str, players: int, start: Any, moves: Sequence[int], seat: int) -> str:
    text = msgspec.json.encode([game, players, start, list(moves), seat])
    return blake2b(text, digest_size=5).hexdigest()


def write(path: Path, origin: Origin, puzzles: Iterable[Puzzle]) -> None:
    """Write a file of puzzles; the same puzzles give the same bytes."""
    lines = [msgspec.json.encode(origin), *map(msgspec.json.encode, puzzles)]
    write_whole(path, gzip.compress(b"\n".join(lines) + b"\n", 9, mtime=0))


def read(path: Path) -> PuzzleFile:
    try:
        content = path.read_bytes()
    except OSError as error:
        raise KibitzError(f"{path} cannot be read: {error.strerror or error}.") from None
    try:
        return parse(content)
    except (OSError, ValueError, EOFError) as error:  # gzip reports damage as an OSError
        raise KibitzError(f"{path} is not a file of puzzles: {error}.") from None


def parse(content: bytes) -> PuzzleFile:
    first, *rest = gzip.decompress(content).splitlines()
    origin = msgspec.json.decode(first, type=Origin)
    if origin.format != FORMAT or origin.version != VERSION:
        raise ValueError(f"its format is {origin.format} {origin.version}, not {FORMAT} {VERSION}")
    decoder = msgspec.json.Decoder(Puzzle)
    return PuzzleFile(origin, tuple(map(decoder.decode, rest)))


# The puzzles that come with kibitz


def package_of(game: Game) -> str:
    return type(game).__module__.rpartition(".")[0]


@cache
def shipped(name: str) -> PuzzleFile | None:
    """The puzzles that come with a game, if there are any."""
    file = files(package_of(registry.game(name))) / FILE
    return parse(file.read_bytes()) if file.is_file() else None


def games() -> list[Game]:
    """The games that come with puzzles."""
    return [game for game in registry.games() if (files(package_of(game)) / FILE).is_file()]


def of(name: str) -> tuple[Puzzle, ...]:
    found = shipped(registry.game(name).name)
    if found is None:
        known = ", ".join(game.name for game in games())
        raise KibitzError(
            f"There are no puzzles of {registry.game(name).title}. There are some of {known or 'no game'}."
        )
    return found.puzzles


def part_of(game: Game) -> PuzzlePart:
    if game.puzzles is None:
        known = ", ".join(each.name for each in registry.games() if each.puzzles is not None)
        raise KibitzError(f"Puzzles of {game.title} cannot be made. They can for {known}.")
    return game.puzzles


def convention(puzzle: Puzzle) -> str:
    """What the solver may assume about the others."""
    known = part_of(registry.game(puzzle.game)).conventions
    others = dict.fromkeys(name for seat, name in enumerate(puzzle.seats) if seat != puzzle.seat)
    return " ".join(known[name] for name in others if name in known)
