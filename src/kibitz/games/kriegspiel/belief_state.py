"""The belief state: the set of positions consistent with all announcements a seat has heard. It is never empty.

It starts with the position the game began with. A seat's own attempt keeps the positions in which the umpire would have
announced the same. A move of the other side replaces each position by all that one of its moves leads to and that match
the announcement. If there are more than fit, those with the lowest hash keys stay: every position is equally likely to
stay, and none is there twice.

If no position matches, others are made from those of the turn before (`belief_repair`).
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import number
from kibitz.games.chess.board import (
    BLACK,
    KINDS,
    KING,
    NO_SQUARE,
    WHITE,
    Board,
    bit,
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
)
from kibitz.games.kriegspiel.belief_repair import (
    clear_impossible_rights,
    end_impossible_check,
    random_square,
    repair_belief,
)
from kibitz.games.kriegspiel.consistency import (
    EXACT,
    FORCED,
    SAMPLED,
    Scratch,
    attempt_matches,
    captures_as_announced,
    left_in_check,
    matches_announcement,
    scratch_for,
)
from kibitz.games.kriegspiel.packed_positions import (
    BLACKS,
    REST,
    WHITES,
    copy_row,
    copy_rows,
    pack,
    position_key,
    unpack,
)
from kibitz.games.kriegspiel.state import (
    State,
    event_move,
    keeps_turn,
)

UNKNOWN = 0  # no move has this number; it replaces a seat's own moves in another seat's sampled world
MAX_KEY = (1 << 63) - 1
SALT = 0x5EED


class BeliefStatus(NamedTuple):
    """The number of positions, how reliable they are, and the last turn they were repaired in."""

    kept: int
    quality: int
    repaired: int  # the turn, or −1


@compiled
def initial_positions(view: State, rows: Any) -> int:
    """Write the positions that the game can have begun with, and return their number."""
    for kind in range(KINDS):
        rows[0, kind] = view.first_pieces[kind]
    rows[0, WHITES], rows[0, BLACKS] = view.first_sides[WHITE], view.first_sides[BLACK]
    rows[0, REST] = view.first_castling | (view.first_en_passant - NO_SQUARE) << 4
    if view.first_pieces[KING] & view.first_sides[BLACK]:
        return 1
    count, squares = 0, view.king_candidates
    while squares != 0 and count < rows.shape[0]:
        copy_row(rows, 0, count)
        rows[count, KING] = view.first_pieces[KING] | bit(lowest_bit(squares))
        rows[count, BLACKS] = view.first_sides[BLACK] | bit(lowest_bit(squares))
        squares = without_lowest(squares)
        count += 1
    return count


@compiled
def side_at(view: State, turn: int) -> int:
    """The side to move in a turn."""
    side = view.first_side
    for past in range(turn):
        side ^= 0 if keeps_turn(view.history[past]) else 1
    return side


@compiled
def update_belief(view: State, rows: Any, so_far: BeliefStatus, turn: int, until: int) -> BeliefStatus:
    """Update a belief state from one turn to a later one, in the turns that the seat learned of."""
    me, side = view.seat, side_at(view, turn)
    room = scratch_for(rows.shape[0], view.rules)
    count, quality, repaired = so_far
    for past in range(turn, until):
        event, before = view.history[past], count
        if side != me and keeps_turn(event):
            continue
        salt = number(SALT, past)
        if side == me and event_move(event) == UNKNOWN:
            quality = FORCED
            side ^= 0 if keeps_turn(event) else 1
            continue
        if side == me:
            copy_rows(rows, before, room.spare)
            count = keep_matching(rows, count, event, me, room)
        else:
            share, count = expand_opponent_moves(rows, count, event, me, salt, room)
            quality = max(quality, EXACT if share == MAX_KEY else SAMPLED)
            swap(rows, count, room.spare, before)
        if count == 0:
            count, quality = repair_belief(rows, before, event, me, side, salt, room, quality)
            repaired = past
        side ^= 0 if keeps_turn(event) else 1
    if quality == FORCED:
        put_own_pieces(view, rows, count, room.boards[0])
    return BeliefStatus(count, quality, repaired)


@compiled
def put_own_pieces(view: State, rows: Any, count: int, b: Board) -> None:
    """Place the seat's own pieces as the view has them, in positions that may be wrong about those, too."""
    me, own = view.seat, view.sides[view.seat]
    for n in range(count):
        unpack(rows[n], b, view.side)
        king = b.pieces[KING] & b.sides[1 - me] & ~own
        theirs = b.sides[1 - me] & ~own & ~b.pieces[KING]
        king = bit(lowest_bit(king)) if king else bit(random_square(~(own | theirs), number(SALT, n)))
        for kind in range(KINDS):
            b.pieces[kind] = view.pieces[kind] & own | b.pieces[kind] & theirs
        b.pieces[KING] |= king
        b.sides[me], b.sides[1 - me] = own, theirs | king
        b.castling = view.castling
        clear_impossible_rights(b)
        b.en_passant = view.en_passant
        end_impossible_check(b, me, number(SALT, n))
        pack(b, rows[n])


@compiled
def swap(rows: Any, count: int, spare: Any, before: int) -> None:
    """Take the collected positions; if there are none, keep those from before in the spare rows."""
    if count > 0:
        copy_rows(spare, count, rows)
    else:
        copy_rows(rows, before, spare)


@compiled
def keep_matching(rows: Any, count: int, event: int, me: int, room: Scratch) -> int:
    """Keep the positions in which an attempt of the seat's own has this result, and return their number."""
    kept, b = 0, room.boards[0]
    for n in range(count):
        unpack(rows[n], b, me)
        if attempt_matches(b, event, room):
            pack(b, rows[kept])
            kept += 1
    return kept


@compiled
def expand_opponent_moves(rows: Any, count: int, event: int, me: int, salt: int, room: Scratch) -> tuple[int, int]:
    """Collect in the spare rows where the other side can have moved: the highest key kept, and the number of rows."""
    limit, kept, capacity = MAX_KEY, 0, rows.shape[0]
    room.table[:] = -1
    b, after = room.boards[0], room.boards[1]
    moves = np.empty(MAX_MOVES, np.int64)
    for n in range(count):
        unpack(rows[n], b, 1 - me)
        for m in range(list_pseudo_legal(b, ALL_KINDS, moves)):
            move = moves[m]
            taken = captured_square(b, move)
            if not captures_as_announced(taken, event):
                continue
            copy_board(b, after)
            make_move(after, move)
            key = position_key(after, salt)
            if key > limit or not is_new(room, key):
                continue
            if left_in_check(after, b, move, is_castling(b, move)) or not matches_announcement(after, event, room):
                continue
            note(room, key, kept)
            pack(after, room.spare[kept])
            kept += 1
            while kept == 2 * capacity:
                limit -= limit >> 2
                kept = thin_out(room, kept, limit)
    while kept > capacity:
        limit -= limit >> 3
        kept = thin_out(room, kept, limit)
    return limit, kept


@compiled
def place_of(room: Scratch, key: int) -> int:
    """The slot of a key in the hash table, or the free one where it belongs."""
    mask = room.table.shape[0] - 1
    place = key & mask
    while room.table[place] >= 0 and room.keys[room.table[place]] != key:
        place = (place + 1) & mask
    return place


@compiled
def is_new(room: Scratch, key: int) -> bool:
    return room.table[place_of(room, key)] < 0


@compiled
def note(room: Scratch, key: int, n: int) -> None:
    room.keys[n] = key
    room.table[place_of(room, key)] = n


@compiled
def thin_out(room: Scratch, count: int, limit: int) -> int:
    """Keep the rows with keys up to the limit."""
    kept = 0
    room.table[:] = -1
    for n in range(count):
        if room.keys[n] <= limit:
            copy_row(room.spare, n, kept)
            note(room, room.keys[n], kept)
            kept += 1
    return kept
