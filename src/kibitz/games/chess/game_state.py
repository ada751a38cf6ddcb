"""What the states of games on a chess board share: the starting position, and a history of turns."""

from typing import Any, Protocol

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.games.chess.board import KINDS, Board
from kibitz.games.chess.moves import MAX_MOVES

# The start is part of the state, because a view from elsewhere is checked by replaying the game.
START_FIELDS: list[tuple[Any, ...]] = [
    ("first_pieces", np.int64, KINDS),
    ("first_sides", np.int64, 2),
    ("first_side", np.int64),
    ("first_castling", np.int64),
    ("first_en_passant", np.int64),
    ("first_halfmove_clock", np.int64),
]


class GameState(Board, Protocol):
    dice: int
    streams: Any
    seat: int
    players: int
    first_pieces: Any
    first_sides: Any
    first_side: int
    first_castling: int
    first_en_passant: int
    first_halfmove_clock: int
    turn: int
    history: Any


@compiled
def start_history(s: GameState) -> None:
    """Begin with the pieces on the board: keep them as the start, and clear the history."""
    for kind in range(KINDS):
        s.first_pieces[kind] = s.pieces[kind]
    s.first_sides[0], s.first_sides[1] = s.sides[0], s.sides[1]
    s.first_side, s.first_castling, s.first_en_passant = s.side, s.castling, s.en_passant
    s.first_halfmove_clock = s.halfmove_clock
    s.turn = 0
    for turn in range(len(s.history)):
        s.history[turn] = 0


@compiled
def most_moves(s: GameState) -> int:
    return MAX_MOVES
