"""The view for agents written in Python."""

from typing import Any

import numpy as np

from kibitz.core.view import View as GameView
from kibitz.engine import generic
from kibitz.engine.move_sets import listed
from kibitz.games.draughts import fen
from kibitz.games.draughts.moves import Move, squares_of
from kibitz.games.draughts.rules import side_of, to_move

VARIANTS = ("brazilian", "english", "russian")
LETTERS = ("w", "b")  # men; kings are capitals
NAMES = ("white", "black")


class View(GameView):
    game_name = "draughts"

    def __init__(self, struct: Any) -> None:
        self.struct = struct
        self.seat = int(struct["seat"])
        self.to_move = int(to_move(struct))  # a seat, or −1 if the game is over
        self.side = NAMES[int(struct["side"])]  # the side to move; in a finished game, the side that would be
        self.variant = VARIANTS[int(struct["rules"])]
        self.turn = int(struct["turn"])

    @property
    def pieces(self) -> dict[int, str]:
        """The pieces by the numbers of their squares: w and b are men, W and B kings."""
        kings = int(self.struct["kings"])
        found = {}
        for letter, field in zip(LETTERS, ("white", "black"), strict=True):
            for square in squares_of(int(self.struct[field])):
                found[square + 1] = letter.upper() if kings >> square & 1 else letter
        return dict(sorted(found.items()))

    @property
    def legal(self) -> list[Move]:
        """The legal moves: numbers with parts and a text, which `decide` may return."""
        room = np.empty(int(generic.most_moves(self.struct)), np.int64)
        return [Move(move) for move in listed(generic.legal_moves(self.struct, room))]

    @property
    def fen(self) -> str:
        return fen.dump(self.struct)

    @property
    def own_side(self) -> str | None:
        """The viewer's side; None in an open state."""
        return NAMES[int(side_of(self.struct, self.seat))] if self.seat >= 0 else None
