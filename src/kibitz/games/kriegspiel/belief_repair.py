"""Where no position of a set agrees with what was told any more: others are made of those that agreed before.

Pieces nobody saw are moved in positions of the turn before, until one agrees (`repair`). If none does, the own pieces
and what was taken are all that is right (`force`).
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
    is_castling,
    list_pseudo_legal,
    make_move,
    to_square,
)
from kibitz.games.kriegspiel.consistency import FORCED, REPAIRED, Room, agrees, goes_as_told, unsafe
from kibitz.games.kriegspiel.packed_positions import load, store
from kibitz.games.kriegspiel.state import A_PAWN, NOTHING, event_move, event_square, event_taken, is_illegal

PAWN_SQUARES = 0x00FFFFFFFFFFFF00  # all but the first and the last rank
# Positions that are tried, and how many that agree will do. Plain Python takes a thousand times as long for each.
REPAIRS, ENOUGH = (2, 1) if INTERPRETED else (1500, 48)
HOMES = ((4, 7, 1), (4, 0, 2), (60, 63, 4), (60, 56, 8))  # of king and rook, and the right to castle


@compiled
def mend(
    rows: Any, before: int, event: int, me: int, side: int, salt: int, room: Room, quality: int
) -> tuple[int, int]:
    """Positions that agree with the last event, made of those in the spare rows, which agreed with all before it."""
    count = repair(rows, before, event, me, side, salt, room)
    if count > 0:
        return count, max(quality, REPAIRED)
    return force(rows, before, event, me, side, salt, room), FORCED


@compiled
def send_away(b: Board, side: int, start: int, stream: int) -> bool:
    """Put a piece on some free square; whether there was one for it."""
    kind = kind_at(b, start)
    free = ~occupied_squares(b)
    if kind == PAWN:
        free &= PAWN_SQUARES
    if free == 0:
        return False
    way = bit(start) | bit(nth_of(free, stream))
    b.pieces[kind] ^= way
    b.sides[side] ^= way
    return True


@compiled
def nth_of(squares: int, stream: int) -> int:
    """Any one of the squares."""
    n = below(stream, 0, count_bits(squares))
    for _ in range(n):
        squares = without_lowest(squares)
    return lowest_bit(squares)


@compiled
def settle_rights(b: Board) -> None:
    """Nobody castles with a king or a rook that is not at home, and nothing was passed that is not there."""
    for king, rook, right in HOMES:
        side = WHITE if king < 8 else BLACK
        if not (holds(b.pieces[KING] & b.sides[side], king) and holds(b.pieces[ROOK] & b.sides[side], rook)):
            b.castling &= ~right
    b.en_passant = NO_SQUARE


@compiled
def repair(rows: Any, before: int, event: int, me: int, side: int, salt: int, room: Room) -> int:
    """Move one to three pieces of the other side where nobody saw it, until the position agrees with an event."""
    kept, b, moved = 0, room.boards[0], np.empty(MAX_MOVES, np.int64)
    for n in range(REPAIRS):
        stream = number(salt, n)
        load(room.spare[below(stream, 0, before)], b, side)
        own_passed = b.en_passant if side != me else NO_SQUARE
        for again in range(1 + below(stream, 1, 3)):
            send_away(b, 1 - me, nth_of(b.sides[1 - me], number(stream, 2 + again)), number(stream, 7 + again))
        settle_rights(b)
        b.en_passant = own_passed
        if checkers(b, 1 - side) != 0 or kings_gone(b):
            continue
        done = goes_as_told(b, event, room) if side == me else moves_as_told(b, event, room, moved, stream)
        if done:
            store(b, rows[kept])
            kept += 1
            if kept == min(ENOUGH, rows.shape[0]):
                break
    return kept


@compiled
def kings_gone(b: Board) -> bool:
    return king_square(b, WHITE) == NO_SQUARE or king_square(b, BLACK) == NO_SQUARE


@compiled
def moves_as_told(b: Board, event: int, room: Room, moves: Any, stream: int) -> bool:
    """Make some move of the other side of which the umpire says what was said; whether there is one."""
    count, after = list_pseudo_legal(b, ALL_KINDS, moves), room.boards[1]
    first = below(stream, 20, count) if count else 0
    for n in range(count):
        move = moves[(first + n) % count]
        taken = captured_square(b, move)
        if (taken != NO_SQUARE) != (event_taken(event) != NOTHING) or (
            taken != NO_SQUARE and taken != event_square(event)
        ):
            continue
        copy_board(b, after)
        make_move(after, move)
        if not unsafe(after, b, move, is_castling(b, move)) and agrees(after, event, room):
            copy_board(after, b)
            return True
    return False


@compiled
def force(rows: Any, before: int, event: int, me: int, side: int, salt: int, room: Room) -> int:
    """Positions in which the own pieces stand as they do and what was taken is gone; nothing else is sure."""
    b, kept = room.boards[0], min(ENOUGH, before)
    for n in range(kept):
        load(room.spare[n], b, side)
        stream = number(salt, n)
        if side == me and not is_illegal(event):
            make_way(b, event, me, stream)
            make_move(b, event_move(event))
        elif side != me:
            come_and_take(b, event, me, stream)
        hide_king(b, me, stream)
        store(b, rows[n])
    return kept


@compiled
def make_way(b: Board, event: int, me: int, stream: int) -> None:
    """Let an own move be possible: something stands where it took, and nothing where it took nothing."""
    end, theirs = to_square(event_move(event)), 1 - me
    taken = event_square(event) if event_taken(event) != NOTHING else NO_SQUARE
    if taken != end and holds(b.sides[theirs], end):
        send_away(b, theirs, end, stream)
    if holds(b.pieces[KING], taken):
        send_away(b, theirs, taken, stream)
    if taken == NO_SQUARE or holds(b.sides[theirs], taken):
        return
    pawns = b.sides[theirs] & b.pieces[PAWN]
    others = b.sides[theirs] & ~b.pieces[PAWN] & ~b.pieces[KING]
    wanted = pawns if (event_taken(event) == A_PAWN and pawns) or others == 0 else others
    if wanted == 0:
        return
    start = nth_of(wanted, stream)
    way, kind = bit(start) | bit(taken), kind_at(b, start)
    b.pieces[kind] ^= way
    b.sides[theirs] ^= way


@compiled
def come_and_take(b: Board, event: int, me: int, stream: int) -> None:
    """Let the other side have moved: if it took something, one of its pieces stands there now."""
    theirs = 1 - me
    if event_taken(event) != NOTHING:
        square = event_square(event)
        kind = kind_at(b, square)
        if kind >= 0 and holds(b.sides[me], square):
            b.pieces[kind] &= ~bit(square)
            b.sides[me] &= ~bit(square)
        others = b.sides[theirs] & ~b.pieces[KING] & ~(b.pieces[PAWN] if square < 8 or square >= 56 else 0)
        if others and not holds(occupied_squares(b), square):
            start = nth_of(others, stream)
            way, kind = bit(start) | bit(square), kind_at(b, start)
            b.pieces[kind] ^= way
            b.sides[theirs] ^= way
    settle_rights(b)
    b.side = me


@compiled
def hide_king(b: Board, me: int, stream: int) -> None:
    """Let the other king stand where nothing attacks him, if there is such a square."""
    for n in range(64):
        if checkers(b, 1 - me) == 0:
            return
        send_away(b, 1 - me, king_square(b, 1 - me), number(stream, 30 + n))
