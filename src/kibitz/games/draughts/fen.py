"""Positions as text, as in PDN: `W:W21,22,K30:B1,K7`.

First the side to move, then the squares of each side, with a K before kings. Squares may be letters, and a range such
as 21-32 stands for all its squares.
"""

import re
from typing import Any, NamedTuple

import numpy as np

from kibitz.errors import KibitzError, RecordError
from kibitz.games.draughts.moves import square_named, squares_of
from kibitz.games.draughts.rules import set_position
from kibitz.games.draughts.squares import BLACK, CROWN_ROWS, WHITE
from kibitz.games.draughts.state import PLAYED, STATE

MOST_PIECES = 12  # of a side
SIDES = {"W": WHITE, "B": BLACK}
NAMES = ("White", "Black")
EXAMPLE = "W:W21,22,K30:B1,K7"
SHAPE = re.compile(r"([WB]):([WB])([^:]*):([WB])([^:]*?)\.?", re.IGNORECASE)
PIECES = re.compile(r"(K?)([a-h][1-8]|\d{1,3})(?:-(K?)([a-h][1-8]|\d{1,3}))?", re.IGNORECASE)


class Setting(NamedTuple):
    """The pieces as masks, and the side to move."""

    white: int
    black: int
    kings: int
    side: int


def parsed(text: str) -> Setting:
    """The position of a text; a RecordError says what is wrong with it."""
    found = SHAPE.fullmatch("".join(text.split()))
    if not found or found[2].upper() == found[4].upper():
        raise RecordError(
            f"{text[:80]!r} is not a position. Write the side to move and the squares of both sides, with a K before "
            f"kings: {EXAMPLE}."
        )
    sides, kings = [0, 0], 0
    for colour, listed in ((found[2], found[3]), (found[4], found[5])):
        side = SIDES[colour.upper()]
        sides[side], crowned = pieces(listed, NAMES[side])
        kings |= crowned
    return Setting(sides[WHITE], sides[BLACK], kings, SIDES[found[1].upper()])


def pieces(listed: str, side: str) -> tuple[int, int]:
    """The pieces of a side and the kings among them."""
    every = kings = 0
    for word in filter(None, listed.split(",")):
        found = PIECES.fullmatch(word)
        if not found:
            raise RecordError(
                f"{word[:20]!r} is not a piece of {side}. Write a square, with a K before a king: 22, K30."
            )
        try:
            first = square_named(found[2])
            last = square_named(found[4]) if found[4] else first
        except KibitzError as error:
            raise RecordError(str(error)) from None
        for square in range(first, last + 1):
            if every >> square & 1:
                raise RecordError(f"{side} has two pieces on {square + 1}. A square has room for one.")
            every |= 1 << square
            kings |= (1 << square) if found[1] else 0
    return every, kings


def check(setting: Setting) -> None:
    """Refuse impossible positions."""
    if setting.kings & ~(setting.white | setting.black):
        raise RecordError("There is a king on a square without a piece.")
    if both := squares_of(setting.white & setting.black):
        raise RecordError(f"Both sides have a piece on {both[0] + 1}. A square has room for one.")
    for side, mine in ((WHITE, setting.white), (BLACK, setting.black)):
        if mine.bit_count() > MOST_PIECES:
            raise RecordError(f"{NAMES[side]} has {mine.bit_count()} pieces; {MOST_PIECES} are the most.")
        if wrong := squares_of(mine & ~setting.kings & CROWN_ROWS[side]):
            raise RecordError(
                f"{NAMES[side]} has a man on {wrong[0] + 1}, on the last row, where men become kings: write "
                f"K{wrong[0] + 1}."
            )
    if not (setting.white if setting.side == WHITE else setting.black):
        raise RecordError(f"{NAMES[setting.side]} is to move and has no piece: that game is over.")


def load(text: str, variant: int) -> Any:
    """The position of a text as an array of one state."""
    return begun(parsed(text), variant)


def begun(setting: Setting, variant: int) -> Any:
    """A game that begins with this position, as an array of one state."""
    check(setting)
    start = np.zeros(1, STATE)
    set_position(start[0], variant, *setting)
    if start[0]["ending"] != PLAYED:
        raise RecordError(f"{NAMES[setting.side]} is to move but cannot, so the game is over.")
    return start


def dump(state: Any) -> str:
    """The position of a state; of a finished game, with the side that would be to move."""
    sides = (listed(int(state[name]), int(state["kings"])) for name in ("white", "black"))
    return f"{'WB'[int(state['side'])]}:" + ":".join(
        f"{colour}{side}" for colour, side in zip("WB", sides, strict=True)
    )


def listed(mine: int, kings: int) -> str:
    return ",".join(f"{'K' if kings >> square & 1 else ''}{square + 1}" for square in squares_of(mine))
