"""A position as Python agents read it."""

from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.move_sets import listed
from kibitz.games.draughts import fen
from kibitz.games.draughts.moves import Move, squares_of
from kibitz.games.draughts.rules import side_of, to_move

VARIANTS = ("brazilian", "english", "russian")
LETTERS = ("w", "b")  # men; kings are capitals
NAMES = ("white", "black")


class View:
    def __init__(self, struct: Any) -> None:
        self.struct = struct
        self.seat = int(struct["seat"])
        self.to_move = int(to_move(struct))  # a seat, −1 when the game is over
        self.side = NAMES[int(struct["side"])]  # whose turn it is; of a finished game, whose it would be
        self.variant = VARIANTS[int(struct["rules"])]
        self.turn = int(struct["turn"])

    @property
    def pieces(self) -> dict[int, str]:
        """What stands where, by the numbers of the squares: w and b are men, W and B kings."""
        kings = int(self.struct["kings"])
        found = {}
        for letter, field in zip(LETTERS, ("white", "black"), strict=True):
            for square in squares_of(int(self.struct[field])):
                found[square + 1] = letter.upper() if kings >> square & 1 else letter
        return dict(sorted(found.items()))

    @property
    def legal(self) -> list[Move]:
        """The legal moves: numbers with parts, and a text that `decide` may answer with."""
        room = np.empty(int(generic.most_moves(self.struct)), np.int64)
        return [Move(move) for move in listed(generic.legal_moves(self.struct, room))]

    @property
    def fen(self) -> str:
        return fen.dump(self.struct)

    @property
    def own_side(self) -> str | None:
        """Of whose view it is; None in an open one."""
        return NAMES[int(side_of(self.struct, self.seat))] if self.seat >= 0 else None
