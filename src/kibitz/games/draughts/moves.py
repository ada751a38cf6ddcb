"""Moves as small values, their text, which can be written and read, and the routes of captures.

A step is written `22-18`, a capture of one piece `22x15`, a capture of several with the squares it empties:
`22x8(11,18)`. A man that is crowned in the middle of a Russian capture and ends it elsewhere has a K behind it. People
may write the squares a capture passes instead, `22x15x8`, leave out what is clear, or use letters, `c3-d4`.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from kibitz.errors import KibitzError
from kibitz.games.draughts.capturing import (
    ON_THE_WAY,
    first_direction,
    flies,
    last_direction,
    origin_of,
    taken_of,
    target_of,
    victim_square,
)
from kibitz.games.draughts.squares import BY_LETTERS, CROWN_ROWS, NEXT, SQUARES, WHITE, letters
from kibitz.games.draughts.state import BRAZILIAN, RUSSIAN


def squares_of(mask: int) -> list[int]:
    return [square for square in range(SQUARES) if mask >> square & 1]


class Move(int):
    """A move as its number (see `capturing`), with its parts and text. Squares are counted from 0."""

    @property
    def origin(self) -> int:
        return int(origin_of(self))

    @property
    def target(self) -> int:
        return int(target_of(self))

    @property
    def captured(self) -> list[int]:
        return squares_of(int(taken_of(self)))

    @property
    def crowned_on_the_way(self) -> bool:
        return bool(self & ON_THE_WAY)

    def __str__(self) -> str:
        taken = [str(square + 1) for square in self.captured]
        several = f"({','.join(taken)})" if len(taken) > 1 else ""
        way = "K" if self.crowned_on_the_way else ""
        return f"{self.origin + 1}{'x' if taken else '-'}{self.target + 1}{several}{way}"

    def __repr__(self) -> str:
        return f"<{self}>"


# Routes


class Mover(NamedTuple):
    """A piece before its move, and the occupied squares."""

    side: int
    king: bool
    variant: int
    occupied: int  # including its own square


def mover_before(state: Any, move: Move) -> Mover:
    """The piece that makes a move, in the state before it."""
    occupied = int(state["white"] | state["black"])
    return Mover(int(state["side"]), bool(state["kings"] >> move.origin & 1), int(state["rules"]), occupied)


def routes(move: Move, mover: Mover) -> Iterator[list[int]]:
    """Every sequence of squares by which a capture can be made; for a step, its two squares."""
    if not move.captured:
        yield [move.origin, move.target]
        return
    occupied = mover.occupied & ~(1 << move.origin)
    yield from jumps(move, mover._replace(occupied=occupied), [move.origin], int(taken_of(move)))


def jumps(move: Move, mover: Mover, path: list[int], left: int) -> Iterator[list[int]]:
    if not left:
        if path[-1] == move.target:
            yield path
        return
    side, king, variant, occupied = mover
    far = bool(king and flies(variant))
    for direction in range(first_direction(side, king, variant), last_direction(side, king, variant) + 1):
        victim = int(victim_square(path[-1], direction, far, left, occupied))
        landing = int(NEXT[direction, victim]) if victim >= 0 else -1
        while landing >= 0 and not occupied >> landing & 1:
            crowned = king or (variant == RUSSIAN and bool(CROWN_ROWS[side] >> landing & 1))
            yield from jumps(move, mover._replace(king=crowned), [*path, landing], left & ~(1 << victim))
            landing = int(NEXT[direction, landing]) if far else -1


# Reading

SQUARE = re.compile(r"[a-h][1-8]|[0-9]+", re.IGNORECASE)
SHAPE = re.compile(
    r"(?P<path>(?:[a-h][1-8]|[0-9]{1,2})(?: ?[-x:*×– ] ?(?:[a-h][1-8]|[0-9]{1,2}))+) ?"
    r"(?:\((?P<taken>[0-9, ]+)\))? ?(?P<crowned>k?)",
    re.IGNORECASE,
)
LONGEST_TEXT = 200  # characters of a move: a capture visits at most thirteen squares
WRITTEN = "Write a move as 22-18, a capture as 22x15, or with every square it passes, 22x15x8; letters will do: c3-d4."


def square_named(word: str) -> int:
    """A square by its number or its letters, counted from 0."""
    if word.lower() in BY_LETTERS:
        return BY_LETTERS[word.lower()]
    if word.isdecimal() and len(word) <= 3 and 1 <= int(word) <= SQUARES:
        return int(word) - 1
    raise KibitzError(
        f"{word[:20]!r} is not a playable square. Squares are 1 to {SQUARES}, or the dark ones from a1 to h8."
    )


def move_named(text: str, state: Any, legal: list[Move]) -> Move:
    """The legal move for a text; a KibitzError says why there is none, or which moves it could mean."""
    text = " ".join(text.split())
    found = SHAPE.fullmatch(text) if len(text) <= LONGEST_TEXT else None
    if not found:
        raise KibitzError(f"{text[:80]!r} is not a move. {WRITTEN}")
    path = [square_named(word) for word in SQUARE.findall(found["path"])]
    meant = [move for move in legal if move.origin == path[0] and move.target == path[-1]]
    if found["taken"]:
        taken = sorted(square_named(word) for word in SQUARE.findall(found["taken"]))
        crowned = bool(found["crowned"])
        meant = [move for move in meant if move.captured == taken and move.crowned_on_the_way == crowned]
    elif len(path) > 2:
        meant = [move for move in meant if passes(move, state, path)]
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise KibitzError(f"{text} could be {' or '.join(map(str, meant))}. Write one of these.")
    raise KibitzError(f"{text} is not legal now: {why_not(path, state, legal)}")


def passes(move: Move, state: Any, path: list[int]) -> bool:
    """Whether a route of the move visits these squares in this order."""
    for route in routes(move, mover_before(state, move)):
        squares = iter(route)
        if all(square in squares for square in path):
            return True
    return False


def why_not(path: list[int], state: Any, legal: list[Move]) -> str:
    if not legal:
        return "the game is over."
    mine = int(state["white"] if state["side"] == WHITE else state["black"])
    listed = ", ".join(str(move) for move in legal[:8]) + (" …" if len(legal) > 8 else "")
    if not mine >> path[0] & 1:
        return f"there is no piece of the player to move on {path[0] + 1}. Legal are {listed}."
    if legal[0].captured:
        most = max(len(move.captured) for move in legal)
        pieces = "a piece" if most == 1 else f"{most} pieces"
        if int(state["rules"]) == BRAZILIAN:
            return f"who can capture must, and as many as can be taken: {pieces}. Legal are {listed}."
        return f"who can capture must, to the end of the jumps. Legal are {listed}."
    return f"legal are {listed}."


def with_letters(route: list[int], captures: bool) -> str:
    return ("x" if captures else "-").join(letters(square) for square in route)


def with_numbers(route: list[int], captures: bool) -> str:
    return ("x" if captures else "-").join(str(square + 1) for square in route)
