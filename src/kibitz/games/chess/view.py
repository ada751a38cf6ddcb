"""What games on a chess board share besides moves: views for Python agents, choices for the page, and checks."""

from functools import reduce
from operator import or_
from typing import Any

import numpy as np

from kibitz.core.view import View as GameView
from kibitz.core.words import Words
from kibitz.engine import generic
from kibitz.errors import KibitzError, RecordError
from kibitz.games.chess.board import BLACK, BOARD, WHITE
from kibitz.games.chess.fen import MAX_NUMBER, fen, move_text, parse_square, piece_letters, read_fen, square_name
from kibitz.games.chess.moves import from_square, to_square

ALL = (1 << 64) - 1
BOUNDS = {
    "side": (WHITE, BLACK),
    "castling": (0, 15),
    "en_passant": (-1, 63),
    "halfmove_clock": (0, 2 * MAX_NUMBER),
    "fullmove_number": (1, 2 * MAX_NUMBER),
}


class BoardView(GameView):
    """A position, as far as its viewer sees it."""

    def __init__(self, struct: Any) -> None:
        self.struct = struct

    @property
    def fen(self) -> str:
        """The visible pieces as FEN."""
        return fen(self.struct)

    @property
    def seat(self) -> int:
        return int(self.struct["seat"])

    @property
    def side(self) -> str:
        """The side to move: white or black."""
        return "white" if self.struct["side"] == WHITE else "black"

    @property
    def pieces(self) -> dict[str, str]:
        """The visible pieces by square, upper case for White."""
        return named_pieces(self.struct)

    def piece(self, square: str) -> str:
        """The visible piece on a square, upper case for White, or nothing."""
        return piece_letters(self.struct).get(parse_square(square), "")

    @property
    def legal(self) -> list[str]:
        """The moves that can be made or attempted."""
        return [move_text(move) for move in Words().legal(self.struct)] if generic.to_move(self.struct) >= 0 else []


def named_pieces(struct: Any) -> dict[str, str]:
    return {square_name(square): letter for square, letter in piece_letters(struct).items()}


def choices(moves: list[int]) -> list[dict[str, Any]]:
    """Moves as the page needs them."""
    return [
        {"move": move_text(move), "from": square_name(from_square(move)), "to": square_name(to_square(move))}
        for move in moves
    ]


def start_board(view: Any, title: str, kings: bool = True) -> Any:
    """The position that a view's game began with, an array of one; it must have a FEN."""
    check_pieces(view, title, "first_pieces", "first_sides")
    board = np.zeros(1, BOARD)
    for name in BOARD.names or ():
        first = f"first_{name}"
        board[name] = view[first] if first in view.dtype.names else 1
    try:
        return read_fen(fen(board[0]), kings)
    except KibitzError as error:
        raise RecordError(f"This view of {title} has an impossible start: {error}") from None


def check_pieces(view: Any, title: str, pieces: str = "pieces", sides: str = "sides") -> None:
    """Refuse a view in which a square has two pieces or sides, or one without the other."""
    kinds, colours = ([int(mask) & ALL for mask in view[name]] for name in (pieces, sides))
    squares = reduce(or_, kinds)
    once = all(sum(mask.bit_count() for mask in masks) == squares.bit_count() for masks in (kinds, colours))
    if reduce(or_, colours) != squares or not once:
        raise RecordError(f"In this view of {title} two pieces share a square, or a piece has no side.")
