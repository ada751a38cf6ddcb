"""Replays a seat's own side of a game from the announcements, which may be false, so every event is checked.

Of the other side, only the number of pieces it had and has lost is known.
"""

from typing import Any

import numpy as np

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.games.chess.board import HALFMOVE_LIMIT, KING, NO_SQUARE, PAWN, WHITE, bit, holds, kind_at
from kibitz.games.chess.moves import MAX_MOVES, RIGHTS_LOST, from_square, is_castling, make_move, pass_turn, to_square
from kibitz.games.kriegspiel.belief_repair import PAWN_SQUARES
from kibitz.games.kriegspiel.state import (
    A_CAPTURE,
    A_PAWN,
    A_PIECE,
    ASK,
    ATTEMPT,
    DIAGONAL,
    KEEPS_TURN,
    LONGEST,
    NO_CAPTURE,
    State,
    asked,
    event_capture_square,
    event_captured,
    event_checks,
    event_move,
    event_pawn_tries,
    is_lecture,
    keeps_turn,
)
from kibitz.games.kriegspiel.umpire import insufficient_material, list_attempts, may_attempt

# What can be wrong with a sequence of events.
(
    CONSISTENT, NO_ATTEMPT, WRONG_CAPTURE, TOO_MANY_CAPTURED, ATTEMPT_SEEN, NOT_THERE, IS_OVER, STUCK, NOT_ANNOUNCED,
) = range(9)  # fmt: skip
WHY = (
    "",
    "one of its moves cannot be attempted",
    "one of its moves makes an impossible capture",
    "more pieces are captured than there were",
    "it shows an attempt of the other side",
    "the other side captures a piece that is not there",
    "it continues after the game is over by the rules",
    "its side is to move and has nothing left to attempt",
    "its umpire makes no announcement like that",
)


@compiled
def replay_events(view: State, events: Any, theirs: int, their_pawns: int) -> int:
    """Turn a view of the start into the view after these events; returns what is wrong with them, or CONSISTENT.

    `theirs` and `their_pawns` count the other side's pieces without its king at the start, and the pawns among them.
    """
    me, quiet, pawns, others = view.seat, view.first_halfmove_clock, their_pawns, theirs - their_pawns
    for turn in range(events.shape[0]):
        event = events[turn]
        taken = event_captured(event)
        if not can_be_announced(event, view.rules):
            return NOT_ANNOUNCED
        if view.side == me:
            if not may_attempt(view, event_move(event)):
                return NO_ATTEMPT
            if not keeps_turn(event):
                if not can_capture(view, event):
                    return WRONG_CAPTURE
                pawns -= 1 if taken == A_PAWN else 0
                others -= 1 if taken in (A_PIECE, A_CAPTURE) else 0
                if pawns < 0 or pawns + others < 0:  # a pawn may have been promoted
                    return TOO_MANY_CAPTURED
                own_pawn = kind_at(view, from_square(event_move(event))) == PAWN
                quiet = 0 if own_pawn or taken != NO_CAPTURE else quiet + 1
                make_move(view, event_move(event))
                view.halfmove_clock = 0  # it is not announced
        elif event & ATTEMPT or (keeps_turn(event) and is_lecture(view.rules)):
            return ATTEMPT_SEEN
        elif not keeps_turn(event):
            if not can_lose(view, event):
                return NOT_THERE
            apply_loss(view, event)
            quiet = 0 if taken != NO_CAPTURE else quiet + 1
        if not keeps_turn(event):
            view.check_mask, view.pawn_tries = event_checks(event), event_pawn_tries(event)
        view.history[turn] = event
        view.turn = turn + 1
    bare = pawns + others == 0 and insufficient_material(view)
    if bare or view.turn >= LONGEST or (quiet >= HALFMOVE_LIMIT and their_pawns == 0):
        return IS_OVER
    if view.side == me and list_attempts(view, np.empty(MAX_MOVES, np.int64)) == 0:
        return STUCK
    return CONSISTENT


@compiled
def can_be_announced(event: int, rules: int) -> bool:
    """Whether the umpire of these rules makes an announcement like this."""
    lecture, checks, taken = is_lecture(rules), event_checks(event), event_captured(event)
    if event_move(event) == ASK:
        return lecture and (event == asked(False) or event == asked(True))
    if keeps_turn(event):
        return event & ~(ATTEMPT | KEEPS_TURN) == 0
    if lecture:
        diagonals = checks & DIAGONAL
        return taken in (NO_CAPTURE, A_CAPTURE) and diagonals in (0, DIAGONAL) and event_pawn_tries(event) == 0
    return taken != A_CAPTURE


@compiled
def can_capture(view: State, event: int) -> bool:
    """Whether an own move can make the announced capture: a pawn only diagonally, castling none."""
    move, taken, square = event_move(event), event_captured(event), event_capture_square(event)
    start, end = from_square(move), to_square(move)
    pawn = kind_at(view, start) == PAWN
    diagonal = pawn and (end - start) & 7 != 0
    if taken == NO_CAPTURE:
        return square == 0 and not diagonal
    if (pawn and not diagonal) or is_castling(view, move):
        return False
    if taken == A_PAWN and not holds(PAWN_SQUARES, square):
        return False
    passed = end - 8 if view.side == WHITE else end + 8  # of a pawn captured en passant
    en_passant = (
        diagonal and taken in (A_PAWN, A_CAPTURE) and square == passed and end >> 3 == (5 if view.side == WHITE else 2)
    )
    return square == end or (en_passant and not holds(view.sides[view.side], square))


@compiled
def can_lose(view: State, event: int) -> bool:
    """Whether the other side can have made the announced capture."""
    taken, square = event_captured(event), event_capture_square(event)
    if taken == NO_CAPTURE:
        return square == 0
    kind = kind_at(view, square)
    return kind >= 0 and kind != KING and taken in (A_PAWN if kind == PAWN else A_PIECE, A_CAPTURE)


@compiled
def apply_loss(view: State, event: int) -> None:
    """Make an unseen move of the other side, with the announced capture."""
    if event_captured(event) != NO_CAPTURE:
        square = event_capture_square(event)
        view.pieces[kind_at(view, square)] &= ~bit(square)
        view.sides[view.seat] &= ~bit(square)
        view.castling &= ~RIGHTS_LOST[square]
    view.en_passant = NO_SQUARE
    pass_turn(view)


def replay_error(view: Any, events: Any, start: Any) -> str:
    """Turn a seat's view of a start into the view after these events; returns what is wrong with them, or nothing."""
    theirs = start["sides"][1 - int(view["seat"])]
    pieces, pawns = count_bits(theirs) - 1, count_bits(theirs & start["pieces"][PAWN])
    return WHY[replay_events(view, np.array(events, np.int64), pieces, pawns)]
