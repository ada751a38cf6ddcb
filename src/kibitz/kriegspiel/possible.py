"""The set of positions that agree with everything a seat was told: how it follows the game, and that it is never empty.

It begins with the position the game began with. An own attempt leaves the positions in which it would have gone as it
went; a move of the other side leaves all positions that any move of theirs leads to, if the umpire would have said of
it what was said. All are kept while there is room for them. If not, those are kept whose keys, which are as good as
random, are lowest: each position is as likely to stay as any other, and none is there twice.

If none of those that were kept agrees any more, pieces nobody saw are moved in positions of a turn before until it
does (`repair`); if that fails, too, the own pieces and what was taken are all that is right (`force`).
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.chess.board import (
    BLACK,
    BOARD,
    KINDS,
    KING,
    NOWHERE,
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
from kibitz.chess.moves import (
    ALL_KINDS,
    MOST_MOVES,
    castles_through_check,
    copy_board,
    end_of,
    is_castling,
    is_legal,
    list_moves,
    make_move,
    taken_square,
)
from kibitz.core.bits import count_bits, lowest_bit
from kibitz.core.compile import INTERPRETED, compiled
from kibitz.core.seeds import below, number
from kibitz.kriegspiel.rows import BLACKS, REST, WHITES, WORDS, copy_row, key_of, load, store
from kibitz.kriegspiel.state import (
    A_PAWN,
    NOTHING,
    State,
    event_checked,
    event_move,
    event_square,
    event_taken,
    event_tries,
    is_illegal,
)
from kibitz.kriegspiel.umpire import can_go_on, can_move_quickly, check_directions, has_tries, taken_kind

EXACT, SAMPLED, REPAIRED, FORCED = range(4)  # what a set is; each stays what it was, or becomes worse
UNKNOWN = 0  # the number of no move: one's own stands for it in a world that somebody else imagined
ALL_KEYS = (1 << 63) - 1
SALT = 0x5EED
PAWN_SQUARES = 0x00FFFFFFFFFFFF00  # all but the first and the last rank
# Positions that are tried, and how many that agree will do. Plain Python takes a thousand times as long for each.
REPAIRS, ENOUGH = (2, 1) if INTERPRETED else (1500, 48)
HOMES = ((4, 7, 1), (4, 0, 2), (60, 63, 4), (60, 56, 8))  # of king and rook, and the right to castle


class Followed(NamedTuple):
    """How far a set has followed the game: how many positions it has, what it is, and when it was last repaired."""

    kept: int
    quality: int
    repaired: int  # the turn, or −1


class Room(NamedTuple):
    """Room to work in, made once."""

    boards: Any
    moves: Any
    spare: Any  # rows
    keys: Any  # of the rows that are being collected
    table: Any  # where they are found by their keys


@compiled
def room_for(capacity: int) -> Room:
    size = 4
    while size < 4 * capacity:
        size *= 2
    return Room(
        np.empty(4, BOARD), np.empty(MOST_MOVES, np.int64), np.empty((2 * capacity, WORDS), np.int64),
        np.empty(2 * capacity, np.int64), np.empty(2 * size, np.int64),
    )  # fmt: skip


@compiled
def first_rows(view: State, rows: Any) -> int:
    """The positions that the game can have begun with."""
    for kind in range(KINDS):
        rows[0, kind] = view.first_pieces[kind]
    rows[0, WHITES], rows[0, BLACKS] = view.first_sides[WHITE], view.first_sides[BLACK]
    rows[0, REST] = view.first_castling | (view.first_en_passant - NOWHERE) << 4
    if view.first_pieces[KING] & view.first_sides[BLACK]:
        return 1
    count, squares = 0, view.among
    while squares != 0 and count < rows.shape[0]:
        copy_row(rows, 0, count)
        rows[count, KING] = view.first_pieces[KING] | bit(lowest_bit(squares))
        rows[count, BLACKS] = view.first_sides[BLACK] | bit(lowest_bit(squares))
        squares = without_lowest(squares)
        count += 1
    return count


@compiled
def side_at(view: State, turn: int) -> int:
    """Who was to move in a turn."""
    side = view.first_side
    for past in range(turn):
        side ^= 0 if is_illegal(view.history[past]) else 1
    return side


@compiled
def follow(view: State, rows: Any, so_far: Followed, turn: int, until: int) -> Followed:
    """Let a set that has followed the game up to a turn follow it on."""
    me, side = view.seat, side_at(view, turn)
    room = room_for(rows.shape[0])
    count, quality, repaired = so_far
    for past in range(turn, until):
        event, before = view.history[past], count
        if side != me and is_illegal(event):
            continue
        salt = number(SALT, past)
        if side == me and event_move(event) == UNKNOWN:
            quality = FORCED
            side ^= 0 if is_illegal(event) else 1
            continue
        if side == me:
            keep_rows(rows, before, room.spare)
            count = judge_own(rows, count, event, me, room)
        else:
            share, count = expand(rows, count, event, me, salt, room)
            quality = max(quality, EXACT if share == ALL_KEYS else SAMPLED)
            swap(rows, count, room.spare, before)
        if count == 0:
            count, quality = mend(rows, before, event, me, side, salt, room, quality)
            repaired = past
        side ^= 0 if is_illegal(event) else 1
    if quality == FORCED:
        put_own_pieces(view, rows, count, room.boards[0])
    return Followed(count, quality, repaired)


@compiled
def put_own_pieces(view: State, rows: Any, count: int, b: Board) -> None:
    """Let the own pieces stand as the view has them, in positions that may be wrong about that, too."""
    me, own = view.seat, view.sides[view.seat]
    for n in range(count):
        load(rows[n], b, view.side)
        king = b.pieces[KING] & b.sides[1 - me] & ~own
        theirs = b.sides[1 - me] & ~own & ~b.pieces[KING]
        if king == 0:
            king = bit(nth_of(~(own | theirs), number(SALT, n)))
        for kind in range(KINDS):
            b.pieces[kind] = view.pieces[kind] & own | b.pieces[kind] & theirs
        b.pieces[KING] |= king
        b.sides[me], b.sides[1 - me] = own, theirs | king
        b.castling = view.castling
        settle_rights(b)
        b.en_passant = view.en_passant
        store(b, rows[n])


@compiled
def keep_rows(rows: Any, count: int, spare: Any) -> None:
    spare[:count] = rows[:count]


@compiled
def swap(rows: Any, count: int, spare: Any, before: int) -> None:
    """Take what was collected; what was there before stays in the spare rows if nothing was."""
    if count > 0:
        rows[:count] = spare[:count]
    else:
        spare[:before] = rows[:before]


# What leaves a position possible


@compiled
def agrees(b: Board, event: int, room: Room) -> bool:
    """Whether the umpire says of this position, after a move, what was said."""
    if check_directions(b, b.side) != event_checked(event):
        return False
    after = room.boards[3:4]
    if has_tries(b, after) != (event_tries(event) == 1):
        return False
    return can_move_quickly(b, after) or can_go_on(b, room.moves, after)


@compiled
def goes_as_told(b: Board, event: int, room: Room) -> bool:
    """Whether an own attempt goes in this position as it went; a legal one is made."""
    move, legal = event_move(event), is_legal(b, event_move(event), room.boards[3:4])
    if is_illegal(event) or not legal:
        return is_illegal(event) and not legal
    taken = taken_square(b, move)
    if taken_kind(b, taken) != event_taken(event) or (taken != NOWHERE and taken != event_square(event)):
        return False
    make_move(b, move)
    return agrees(b, event, room)


@compiled
def judge_own(rows: Any, count: int, event: int, me: int, room: Room) -> int:
    """Keep the positions in which an own attempt goes as it went; how many they are."""
    kept, b = 0, room.boards[0]
    for n in range(count):
        load(rows[n], b, me)
        if goes_as_told(b, event, room):
            store(b, rows[kept])
            kept += 1
    return kept


@compiled
def unsafe(b: Board, before: Board, move: int, castles: bool) -> bool:
    """Whether a move that was made left the king of who made it in check."""
    return checkers(b, before.side) != 0 or (castles and castles_through_check(before, move))


@compiled
def expand(rows: Any, count: int, event: int, me: int, salt: int, room: Room) -> tuple[int, int]:
    """Collect in the spare rows where a move of the other side can have led: the share of keys kept, and how many."""
    limit, kept, capacity = ALL_KEYS, 0, rows.shape[0]
    room.table[:] = -1
    b, after = room.boards[0], room.boards[1]
    moves = np.empty(MOST_MOVES, np.int64)
    for n in range(count):
        load(rows[n], b, 1 - me)
        for m in range(list_moves(b, ALL_KINDS, moves)):
            move = moves[m]
            taken = taken_square(b, move)
            if (taken != NOWHERE) != (event_taken(event) != NOTHING) or (
                taken != NOWHERE and taken != event_square(event)
            ):
                continue
            copy_board(b, after)
            make_move(after, move)
            key = key_of(after, salt)
            if key > limit or not is_new(room, key):
                continue
            if unsafe(after, b, move, is_castling(b, move)) or not agrees(after, event, room):
                continue
            note(room, key, kept)
            store(after, room.spare[kept])
            kept += 1
            while kept == 2 * capacity:
                limit -= limit >> 2
                kept = thin_out(room, kept, limit)
    while kept > capacity:
        limit -= limit >> 3
        kept = thin_out(room, kept, limit)
    return limit, kept


@compiled
def place_of(room: Room, key: int) -> int:
    """Where a key is found in the table, or where it belongs."""
    mask = room.table.shape[0] - 1
    place = key & mask
    while room.table[place] >= 0 and room.keys[room.table[place]] != key:
        place = (place + 1) & mask
    return place


@compiled
def is_new(room: Room, key: int) -> bool:
    return room.table[place_of(room, key)] < 0


@compiled
def note(room: Room, key: int, n: int) -> None:
    room.keys[n] = key
    room.table[place_of(room, key)] = n


@compiled
def thin_out(room: Room, count: int, limit: int) -> int:
    """Keep what has a key up to the limit."""
    kept = 0
    room.table[:] = -1
    for n in range(count):
        if room.keys[n] <= limit:
            copy_row(room.spare, n, kept)
            note(room, room.keys[n], kept)
            kept += 1
    return kept


# Where nothing is left


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
    b.en_passant = NOWHERE


@compiled
def repair(rows: Any, before: int, event: int, me: int, side: int, salt: int, room: Room) -> int:
    """Move one to three pieces of the other side where nobody saw it, until the position agrees with an event."""
    kept, b, moved = 0, room.boards[0], np.empty(MOST_MOVES, np.int64)
    for n in range(REPAIRS):
        stream = number(salt, n)
        load(room.spare[below(stream, 0, before)], b, side)
        own_passed = b.en_passant if side != me else NOWHERE
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
    return king_square(b, WHITE) == NOWHERE or king_square(b, BLACK) == NOWHERE


@compiled
def moves_as_told(b: Board, event: int, room: Room, moves: Any, stream: int) -> bool:
    """Make some move of the other side of which the umpire says what was said; whether there is one."""
    count, after = list_moves(b, ALL_KINDS, moves), room.boards[1]
    first = below(stream, 20, count) if count else 0
    for n in range(count):
        move = moves[(first + n) % count]
        taken = taken_square(b, move)
        if (taken != NOWHERE) != (event_taken(event) != NOTHING) or (taken != NOWHERE and taken != event_square(event)):
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
    end, theirs = end_of(event_move(event)), 1 - me
    taken = event_square(event) if event_taken(event) != NOTHING else NOWHERE
    if taken != end and holds(b.sides[theirs], end):
        send_away(b, theirs, end, stream)
    if holds(b.pieces[KING], taken):
        send_away(b, theirs, taken, stream)
    if taken == NOWHERE or holds(b.sides[theirs], taken):
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
