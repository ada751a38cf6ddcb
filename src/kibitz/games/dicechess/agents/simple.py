"""Players without look-ahead."""

import numpy as np

from kibitz.engine.loop import decision
from kibitz.engine.seeds import below
from kibitz.games.chess.board import KINDS, KING, NO_SQUARE, kind_at
from kibitz.games.chess.moves import MAX_MOVES, captured_square, promotion_of
from kibitz.games.dicechess.agents import agent
from kibitz.games.dicechess.rules import State, moves

VALUES = np.array([1, 3, 3, 5, 9, 100])  # by kind of piece, in pawns
KING_TAKEN, CAPTURES, PROMOTES, ANY = range(4)


@agent(title="Random Ray", name="random", reasons=("I pick any legal move",), origin="kibitz", random=True)
def random_player(view: State) -> int:
    """Makes any legal move, uniformly at random."""
    room = np.empty(MAX_MOVES, np.int64)
    return decision(room[below(view.dice, 0, moves(view, room))], 0)


@agent(
    title="Grabbing Gwen",
    name="greedy",
    reasons=("I take the king", "I capture the most valuable piece", "I promote a pawn", "I have nothing to capture"),
    origin="kibitz",
    random=True,
)
def greedy(view: State) -> int:
    """Captures the most valuable piece, promotes to a queen where it can, and otherwise moves at random."""
    room = np.empty(MAX_MOVES, np.int64)
    best, highest, equal, reason = 0, -1, 0, ANY
    for n in range(moves(view, room)):
        taken = captured_square(view, room[n])
        kind = kind_at(view, taken) if taken != NO_SQUARE else KINDS
        promotion = promotion_of(room[n])
        gain = (VALUES[kind] if kind < KINDS else 0) + (VALUES[promotion] - 1 if promotion else 0)
        if gain > highest:
            best, highest, equal = room[n], gain, 0
            reason = KING_TAKEN if kind == KING else CAPTURES if kind < KINDS else PROMOTES if promotion else ANY
        if gain == highest:
            equal += 1
            if below(view.dice, n, equal) == 0:  # uniformly among equals
                best = room[n]
    return decision(best, reason)
