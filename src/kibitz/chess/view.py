"""What games on a board of chess have in common besides moves: a view for agents in Python, choices for a page, and
when the pieces of a view cannot be."""

from functools import reduce
from operator import or_
from typing import Any

from kibitz.chess.board import BLACK, QUIET, WHITE
from kibitz.chess.fen import fen, move_text, piece_letters, square_name, square_named
from kibitz.chess.moves import end_of, start_of
from kibitz.core import generic
from kibitz.core.errors import RecordError
from kibitz.core.words import Words

ALL = (1 << 64) - 1
BOUNDS = {
    "side": (WHITE, BLACK),
    "castling": (0, 15),
    "en_passant": (-1, 63),
    "quiet": (0, QUIET),
    "number": (1, 20_000),
}


class BoardView:
    """A position, as far as its viewer sees it."""

    def __init__(self, struct: Any) -> None:
        self.struct = struct

    @property
    def fen(self) -> str:
        """The pieces that are seen."""
        return fen(self.struct)

    @property
    def seat(self) -> int:
        return int(self.struct["seat"])

    @property
    def side(self) -> str:
        """Who is to move: white or black."""
        return "white" if self.struct["side"] == WHITE else "black"

    @property
    def pieces(self) -> dict[str, str]:
        """What is seen to stand on squares: letters, capital for White."""
        return named_pieces(self.struct)

    def piece(self, square: str) -> str:
        """What is seen to stand on a square: a letter, capital for White, or nothing."""
        return piece_letters(self.struct).get(square_named(square), "")

    @property
    def legal(self) -> list[str]:
        """What may be moved, or attempted."""
        return [move_text(move) for move in Words().legal(self.struct)] if generic.to_move(self.struct) >= 0 else []


def named_pieces(struct: Any) -> dict[str, str]:
    return {square_name(square): letter for square, letter in piece_letters(struct).items()}


def choices(moves: list[int]) -> list[dict[str, Any]]:
    """Moves, as a page needs them."""
    return [
        {"move": move_text(move), "from": square_name(start_of(move)), "to": square_name(end_of(move))}
        for move in moves
    ]


def check_pieces(view: Any, title: str, pieces: str = "pieces", sides: str = "sides") -> None:
    """Refuse a view of a game in which a square has two pieces or sides, or one without the other."""
    kinds, colours = ([int(mask) & ALL for mask in view[name]] for name in (pieces, sides))
    squares = reduce(or_, kinds)
    once = all(sum(mask.bit_count() for mask in masks) == squares.bit_count() for masks in (kinds, colours))
    if reduce(or_, colours) != squares or not once:
        raise RecordError(f"In this view of {title} pieces stand on each other, or belong to nobody.")
