"""Belief repair: new positions for a belief state that has become empty, made from those of the turn before.

Unseen pieces are moved elsewhere until a position matches the announcement (`relocate_pieces`). If none does, the
player's own pieces and the captures are right and everything else is a guess (`force_positions`).
"""

from typing import Any

import numpy as np

from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import INTERPRETED, compiled
from kibitz.engine.seeds import below, number
from kibitz.games.chess.board import (
    BLACK,
    KING,
    NO_SQUARE,
    PAWN,
    ROOK,
    WHITE,
    Board,
    bit,
    checkers,
    holds,
    kind_at,
    king_square,
    occupied_squares,
    without_lowest,
)
from kibitz.games.chess.moves import (
    ALL_KINDS,
    MAX_MOVES,
    captured_square,
    copy_board,
    from_square,
    is_castling,
    list_pseudo_legal,
    make_move,
    to_square,
)
from kibitz.games.kriegspiel.consistency import (
    FORCED,
    REPAIRED,
    Scratch,
    attempt_matches,
    captures_as_announced,
    left_in_check,
    matches_announcement,
)
from kibitz.games.kriegspiel.packed_positions import pack, unpack
from kibitz.games.kriegspiel.state import (
    A_PAWN,
    NO_CAPTURE,
    event_capture_square,
    event_captured,
    event_move,
    keeps_turn,
)

PAWN_SQUARES = 0x00FFFFFFFFFFFF00  # all but the first and last rank
# The positions tried, and the matching ones that suffice. Interpreted code is a thousand times slower.
MAX_TRIES, MAX_REPAIRED = (2, 1) if INTERPRETED else (1500, 48)
CASTLING_HOMES = ((4, 7, 1), (4, 0, 2), (60, 63, 4), (60, 56, 8))  # king, rook, castling right


@compiled
def repair_belief(
    rows: Any, before: int, event: int, me: int, side: int, salt: int, room: Scratch, quality: int
) -> tuple[int, int]:
    """Make positions that match the last event from those in the spare rows, which match all events before it."""
    count = relocate_pieces(rows, before, event, me, side, salt, room)
    if count > 0:
        return count, max(quality, REPAIRED)
    return force_positions(rows, before, event, me, side, salt, room), FORCED


@compiled
def relocate(b: Board, side: int, start: int, stream: int) -> bool:
    """Move a piece to a random free square; False if there is none."""
    kind = kind_at(b, start)
    free = ~occupied_squares(b)
    if kind == PAWN:
        free &= PAWN_SQUARES
    if free == 0:
        return False
    way = bit(start) | bit(random_square(free, stream))
    b.pieces[kind] ^= way
    b.sides[side] ^= way
    return True


@compiled
def random_square(squares: int, stream: int) -> int:
    """A random one of the squares."""
    n = below(stream, 0, count_bits(squares))
    for _ in range(n):
        squares = without_lowest(squares)
    return lowest_bit(squares)


@compiled
def clear_impossible_rights(b: Board) -> None:
    """Drop castling rights without king and rook at home, and the en passant square."""
    for king, rook, right in CASTLING_HOMES:
        side = WHITE if king < 8 else BLACK
        if not (holds(b.pieces[KING] & b.sides[side], king) and holds(b.pieces[ROOK] & b.sides[side], rook)):
            b.castling &= ~right
    b.en_passant = NO_SQUARE


@compiled
def relocate_pieces(rows: Any, before: int, event: int, me: int, side: int, salt: int, room: Scratch) -> int:
    """Move one to three unseen pieces of the other side elsewhere until the position matches an event."""
    kept, b, moved = 0, room.boards[0], np.empty(MAX_MOVES, np.int64)
    for n in range(MAX_TRIES):
        stream = number(salt, n)
        unpack(room.spare[below(stream, 0, before)], b, side)
        own_passed = b.en_passant if side != me else NO_SQUARE
        for again in range(1 + below(stream, 1, 3)):
            relocate(b, 1 - me, random_square(b.sides[1 - me], number(stream, 2 + again)), number(stream, 7 + again))
        clear_impossible_rights(b)
        b.en_passant = own_passed
        if checkers(b, 1 - side) != 0 or king_missing(b):
            continue
        done = attempt_matches(b, event, room) if side == me else make_matching_move(b, event, room, moved, stream)
        if done:
            pack(b, rows[kept])
            kept += 1
            if kept == min(MAX_REPAIRED, rows.shape[0]):
                break
    return kept


@compiled
def king_missing(b: Board) -> bool:
    return king_square(b, WHITE) == NO_SQUARE or king_square(b, BLACK) == NO_SQUARE


@compiled
def make_matching_move(b: Board, event: int, room: Scratch, moves: Any, stream: int) -> bool:
    """Make a move of the other side that matches the announcement; False if there is none."""
    count, after = list_pseudo_legal(b, ALL_KINDS, moves), room.boards[1]
    first = below(stream, 20, count) if count else 0
    for n in range(count):
        move = moves[(first + n) % count]
        taken = captured_square(b, move)
        if not captures_as_announced(taken, event):
            continue
        copy_board(b, after)
        make_move(after, move)
        if not left_in_check(after, b, move, is_castling(b, move)) and matches_announcement(after, event, room):
            copy_board(after, b)
            return True
    return False


@compiled
def force_positions(rows: Any, before: int, event: int, me: int, side: int, salt: int, room: Scratch) -> int:
    """Positions in which only the seat's own pieces and the captures are right."""
    b, kept = room.boards[0], min(MAX_REPAIRED, before)
    for n in range(kept):
        unpack(room.spare[n], b, side)
        stream = number(salt, n)
        if side == me and not keeps_turn(event):
            fit_own_move(b, event, me, stream)
            if holds(b.sides[me], from_square(event_move(event))):
                make_move(b, event_move(event))
            else:  # the position is wrong about the seat's own pieces, which are put right at the end
                b.side = 1 - me
        elif side != me:
            fit_opponent_capture(b, event, me, stream)
        hide_king(b, me, stream)
        pack(b, rows[n])
    return kept


@compiled
def fit_own_move(b: Board, event: int, me: int, stream: int) -> None:
    """Make the seat's own move possible: something is on the square of a capture, nothing on any other target."""
    end, theirs = to_square(event_move(event)), 1 - me
    taken = event_capture_square(event) if event_captured(event) != NO_CAPTURE else NO_SQUARE
    if taken != end and holds(b.sides[theirs], end):
        relocate(b, theirs, end, stream)
    if holds(b.pieces[KING], taken):
        relocate(b, theirs, taken, stream)
    if taken == NO_SQUARE or holds(b.sides[theirs], taken):
        return
    pawns = b.sides[theirs] & b.pieces[PAWN]
    others = b.sides[theirs] & ~b.pieces[PAWN] & ~b.pieces[KING]
    wanted = pawns if (event_captured(event) == A_PAWN and pawns) or others == 0 else others
    if wanted == 0:
        return
    start = random_square(wanted, stream)
    way, kind = bit(start) | bit(taken), kind_at(b, start)
    b.pieces[kind] ^= way
    b.sides[theirs] ^= way


@compiled
def fit_opponent_capture(b: Board, event: int, me: int, stream: int) -> None:
    """Let the other side have moved: after a capture, one of its pieces is on that square."""
    theirs = 1 - me
    if event_captured(event) != NO_CAPTURE:
        square = event_capture_square(event)
        kind = kind_at(b, square)
        if kind >= 0 and holds(b.sides[me], square):
            b.pieces[kind] &= ~bit(square)
            b.sides[me] &= ~bit(square)
        others = b.sides[theirs] & ~b.pieces[KING] & ~(b.pieces[PAWN] if square < 8 or square >= 56 else 0)
        if others and not holds(occupied_squares(b), square):
            start = random_square(others, stream)
            way, kind = bit(start) | bit(square), kind_at(b, start)
            b.pieces[kind] ^= way
            b.sides[theirs] ^= way
    clear_impossible_rights(b)
    b.side = me


@compiled
def end_impossible_check(b: Board, me: int, stream: int) -> None:
    """Let nothing attack the king of the side that has just moved: move that king, or what attacks the seat's own."""
    if b.side == me:
        hide_king(b, me, stream)
        return
    for n in range(64):
        attacking = checkers(b, me)
        if attacking == 0:
            return
        relocate(b, 1 - me, lowest_bit(attacking), number(stream, 30 + n))


@compiled
def hide_king(b: Board, me: int, stream: int) -> None:
    """Move the other king to a square that nothing attacks, if there is one."""
    for n in range(64):
        if checkers(b, 1 - me) == 0:
            return
        relocate(b, 1 - me, king_square(b, 1 - me), number(stream, 30 + n))
