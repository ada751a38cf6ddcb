"""A careful player without a belief state: it recaptures, tries pawn captures, and stays protected."""

import numpy as np

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.engine.loop import decision
from kibitz.engine.seeds import below
from kibitz.games.chess.board import KING, KNIGHT, PAWN, QUEEN, WHITE, attackers, bit, kind_at
from kibitz.games.chess.moves import MAX_MOVES, from_square, promotion_of, to_square
from kibitz.games.kriegspiel.agents import agent
from kibitz.games.kriegspiel.state import (
    ASK,
    NO_CAPTURE,
    State,
    event_capture_square,
    event_captured,
    is_lecture,
    keeps_turn,
)
from kibitz.games.kriegspiel.umpire import list_attempts

RECAPTURES, PAWN_TRIES, PROMOTES, CASTLES, DEVELOPS, PROTECTED, ANY, ASKS, MAY_CAPTURE = range(9)
VALUES = np.array([100, 320, 330, 500, 900, 300])  # by kind; the king is risked like a piece
NOISE = 30  # in points, to vary attempts


@compiled
def last_loss_square(view: State) -> int:
    """Where the other side captured with its last move, or −1."""
    turn = view.turn - 1
    while turn >= 0 and keeps_turn(view.history[turn]):
        turn -= 1
    if turn < 0 or event_captured(view.history[turn]) == NO_CAPTURE:
        return -1
    return event_capture_square(view.history[turn])


@compiled
def rank_of(square: int, side: int) -> int:
    """The rank as seen from a side, from 0 to 7."""
    return square >> 3 if side == WHITE else 7 - (square >> 3)


@compiled
def rate_attempt(view: State, move: int, lost: int) -> tuple[int, int]:
    """The rating of an attempt, in points, and the reason."""
    if move == ASK:  # before a pawn tries to capture: the answer may be that there is none
        return 500, ASKS
    side, start, end = view.side, from_square(move), to_square(move)
    kind, own = kind_at(view, start), view.sides[view.side]
    if end == lost:
        return 600 - VALUES[kind] // 4, RECAPTURES
    if promotion_of(move):
        return VALUES[promotion_of(move)], PROMOTES
    if kind == PAWN and (end - start) & 7:
        return 400, MAY_CAPTURE if is_lecture(view.rules) else PAWN_TRIES
    if kind == KING and abs(end - start) == 2:
        return 120, CASTLES
    up, points = rank_of(end, side) - rank_of(start, side), 0
    protected = attackers(view, end, side, own ^ bit(start)) & ~bit(start) != 0
    if not protected and rank_of(end, side) > 3:
        points -= VALUES[kind] * (rank_of(end, side) - 3) // 8
    few = count_bits(own & ~view.pieces[PAWN]) <= 3
    if kind == PAWN:
        return points + (12 + 6 * rank_of(end, side) if few else 8 * up), PROTECTED if protected else ANY
    if kind == KING:
        return points + (10 * up if few else -60), ANY
    if kind < QUEEN and rank_of(start, side) == 0 and rank_of(end, side) > 0:
        return points + (50 if kind <= KNIGHT + 1 else 5), DEVELOPS
    return points + 4 * up + (10 if protected else 0), PROTECTED if protected else ANY


@agent(
    title="Careful Cara",
    reasons=(
        "I recapture on {square}",
        "The umpire announced a pawn try",
        "I promote the pawn",
        "I castle",
        "I develop a piece",
        "It is protected on {square}",
        "I see nothing better",
        "I ask the umpire whether I have a capture",
        "I have a capture, and it may be with a pawn",
    ),
    origin="kibitz",
    random=True,
)
def heuristic(view: State) -> int:
    """Recaptures, captures with pawns when the umpire says that there may be a capture, and stays protected."""
    room = np.empty(MAX_MOVES, np.int64)
    lost, best, highest, reason = last_loss_square(view), 0, -(1 << 40), ANY
    for n in range(list_attempts(view, room)):
        points, why = rate_attempt(view, room[n], lost)
        points += below(view.dice, n, NOISE)
        if points > highest:
            best, highest, reason = room[n], points, why
    return decision(best, reason, to_square(best) if reason in (RECAPTURES, PROTECTED) else -1)
