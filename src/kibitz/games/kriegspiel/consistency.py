"""Whether a position is consistent with the umpire's announcement of a move."""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.compile import compiled
from kibitz.games.chess.board import BOARD, NO_SQUARE, Board, checkers
from kibitz.games.chess.moves import MAX_MOVES, captured_square, castles_through_check, is_legal, make_move
from kibitz.games.kriegspiel.packed_positions import ROW_LENGTH
from kibitz.games.kriegspiel.state import (
    ASK,
    NO_CAPTURE,
    event_capture_square,
    event_captured,
    event_checks,
    event_move,
    event_pawn_tries,
    keeps_turn,
)
from kibitz.games.kriegspiel.umpire import (
    announced_directions,
    announced_pawn_tries,
    captured_kind,
    check_directions,
    has_capture,
    has_legal_move,
    has_quick_legal_move,
)

EXACT, SAMPLED, REPAIRED, FORCED = range(4)  # how reliable a set of positions is; it only gets worse


class Scratch(NamedTuple):
    """Working memory, allocated once."""

    boards: Any
    moves: Any
    spare: Any  # rows
    keys: Any  # of the rows that are being collected
    table: Any  # where they are found by their keys
    rules: int  # of the game: what the umpire announces


@compiled
def scratch_for(capacity: int, rules: int) -> Scratch:
    size = 4
    while size < 4 * capacity:
        size *= 2
    return Scratch(
        np.empty(4, BOARD), np.empty(MAX_MOVES, np.int64), np.empty((2 * capacity, ROW_LENGTH), np.int64),
        np.empty(2 * capacity, np.int64), np.empty(2 * size, np.int64), rules,
    )  # fmt: skip


@compiled
def matches_announcement(b: Board, event: int, room: Scratch) -> bool:
    """Whether the umpire would announce this of the position after a move."""
    if announced_directions(check_directions(b, b.side), room.rules) != event_checks(event):
        return False
    after = room.boards[3:4]
    if announced_pawn_tries(b, room.rules, after) != (event_pawn_tries(event) == 1):
        return False
    return has_quick_legal_move(b, after) or has_legal_move(b, room.moves, after)


@compiled
def captures_as_announced(captured: int, event: int) -> bool:
    """Whether a move that captures on this square, or NO_SQUARE, captures where the umpire announced it."""
    if event_captured(event) == NO_CAPTURE:
        return captured == NO_SQUARE
    return captured == event_capture_square(event)


@compiled
def attempt_matches(b: Board, event: int, room: Scratch) -> bool:
    """Whether an own attempt would have this result in the position, or a question; a legal attempt is made."""
    if event_move(event) == ASK:
        return has_capture(b, room.moves, room.boards[3:4]) == (event_pawn_tries(event) == 1)
    move, legal = event_move(event), is_legal(b, event_move(event), room.boards[3:4])
    if keeps_turn(event) or not legal:
        return keeps_turn(event) and not legal
    taken = captured_square(b, move)
    if captured_kind(b, taken, room.rules) != event_captured(event) or (
        taken != NO_SQUARE and taken != event_capture_square(event)
    ):
        return False
    make_move(b, move)
    return matches_announcement(b, event, room)


@compiled
def left_in_check(b: Board, before: Board, move: int, castles: bool) -> bool:
    """Whether a move left the mover's king in check."""
    return checkers(b, before.side) != 0 or (castles and castles_through_check(before, move))
