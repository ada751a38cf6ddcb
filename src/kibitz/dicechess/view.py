"""What agents in Python read of a game of dice chess."""

from typing import Any

from kibitz.chess.board import WHITE
from kibitz.chess.fen import KIND_NAMES, fen, move_text, piece_letters, square_named
from kibitz.core import generic
from kibitz.core.words import Words


class View:
    """A position: everybody sees all of it but what will be rolled."""

    def __init__(self, struct: Any) -> None:
        self.struct = struct

    @property
    def fen(self) -> str:
        return fen(self.struct)

    @property
    def seat(self) -> int:
        return int(self.struct["seat"])

    @property
    def side(self) -> str:
        """Who is to move: white or black."""
        return "white" if self.struct["side"] == WHITE else "black"

    @property
    def rolled(self) -> str:
        """The kind of piece that has to move, or nothing before the die is rolled."""
        return KIND_NAMES[int(self.struct["rolled"]) - 1] if self.struct["rolled"] else ""

    def piece(self, square: str) -> str:
        """What stands on a square: a letter, capital for White, or nothing."""
        return piece_letters(self.struct).get(square_named(square), "")

    @property
    def legal(self) -> list[str]:
        return [move_text(move) for move in Words().legal(self.struct)] if generic.to_move(self.struct) >= 0 else []
