"""Captures: all sequences of jumps, each listed once as a move.

A move is one number: where it ends, where it starts, and which pieces it takes. Two routes that take the same pieces
and end on the same square are one move, as everybody counts them. A jumped piece leaves the board when the move is
over: until then it is in the way, and it cannot be jumped twice.
"""

from typing import Any

from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.draughts.squares import CROWN_ROWS, NEXT, step
from kibitz.games.draughts.state import ENGLISH, RUSSIAN

MOST_MOVES = 128  # of a position: real games have far fewer; in composed positions with more, the rest is dropped
SQUARE_BITS = 5
TAKEN_AT = 2 * SQUARE_BITS  # where the mask of captured squares begins
TAKEN = (1 << 32) - 1
ON_THE_WAY = 1 << TAKEN_AT + 32  # a man was crowned during a capture that ends elsewhere


@compiled
def move_number(origin: int, target: int, taken: int) -> int:
    return taken << TAKEN_AT | origin << SQUARE_BITS | target


@compiled
def target_of(move: Any) -> Any:
    return move & 31


@compiled
def origin_of(move: Any) -> Any:
    return move >> SQUARE_BITS & 31


@compiled
def taken_of(move: Any) -> Any:
    """The squares of the captured pieces, as a mask."""
    return move >> TAKEN_AT & TAKEN


@compiled
def jumps_back(variant: int) -> bool:
    """Whether men also capture backwards."""
    return variant != ENGLISH


@compiled
def flies(variant: int) -> bool:
    """Whether kings move any distance."""
    return variant != ENGLISH


@compiled
def first_direction(side: int, king: bool, variant: int) -> int:
    """The first direction in which a piece captures; see `last_direction`."""
    return 2 if side == 1 and not king and not jumps_back(variant) else 0


@compiled
def last_direction(side: int, king: bool, variant: int) -> int:
    return 1 if side == 0 and not king and not jumps_back(variant) else 3


@compiled
def victim_square(square: int, direction: int, far: bool, theirs: int, occupied: int) -> int:
    """The piece that can be jumped from a square in a direction, or −1."""
    at = NEXT[direction, square]
    while far and at >= 0 and not occupied >> at & 1:
        at = NEXT[direction, at]
    if at < 0 or not theirs >> at & 1:
        return -1
    behind = NEXT[direction, at]
    return at if behind >= 0 and not occupied >> behind & 1 else -1


@compiled
def can_jump(square: int, side: int, king: bool, variant: int, theirs: int, occupied: int) -> bool:
    far = king and flies(variant)
    for direction in range(first_direction(side, king, variant), last_direction(side, king, variant) + 1):
        if victim_square(square, direction, far, theirs, occupied) >= 0:
            return True
    return False


@compiled
def add(room: Any, count: int, move: int) -> int:
    """Add a move unless it is already listed."""
    for place in range(count):
        if room[place] == move:
            return count
    if count < MOST_MOVES:
        room[count] = move
        return count + 1
    return count


@compiled
def jump_on(
    room: Any, count: int, origin: int, square: int, side: int, king: bool, was_king: bool, variant: int,
    theirs: int, occupied: int, taken: int,
) -> int:  # fmt: skip
    """List all continuations of a capture from a square, and return the number of moves listed so far.

    Pieces that were jumped stay in `occupied` and are gone from `theirs`. Of the squares behind a piece a king has to
    choose one from which it can go on, if there is one.
    """
    far = king and flies(variant)
    for direction in range(first_direction(side, king, variant), last_direction(side, king, variant) + 1):
        victim = victim_square(square, direction, far, theirs, occupied)
        if victim < 0:
            continue
        left, now = theirs & ~(1 << victim), taken | 1 << victim
        onward = False
        landing = NEXT[direction, victim]
        while landing >= 0 and not occupied >> landing & 1:
            crowned = king or (variant == RUSSIAN and CROWN_ROWS[side] >> landing & 1 != 0)
            onward = onward or can_jump(landing, side, crowned, variant, left, occupied)
            if not far:
                break
            landing = NEXT[direction, landing]
        landing = NEXT[direction, victim]
        while landing >= 0 and not occupied >> landing & 1:
            crowned = king or (variant == RUSSIAN and CROWN_ROWS[side] >> landing & 1 != 0)
            if not onward:
                passed = crowned and not was_king and not CROWN_ROWS[side] >> landing & 1
                count = add(room, count, move_number(origin, landing, now) | (ON_THE_WAY if passed else 0))
            elif can_jump(landing, side, crowned, variant, left, occupied):
                count = jump_on(
                    room, count, origin, landing, side, crowned, was_king, variant, left, occupied, now
                )  # fmt: skip
            if not far:
                break
            landing = NEXT[direction, landing]
    return count


@compiled
def jumpers(men: int, kings: int, side: int, variant: int, theirs: int, occupied: int) -> int:
    """The pieces that can capture."""
    found = 0
    for direction in range(first_direction(side, False, variant), last_direction(side, False, variant) + 1):
        jumped = step(step(men, direction) & theirs, direction) & ~occupied
        found |= step(step(jumped, 3 - direction), 3 - direction)
    while kings:
        square = lowest_bit(kings)
        kings &= kings - 1
        if can_jump(square, side, True, variant, theirs, occupied):
            found |= 1 << square
    return found


@compiled
def all_captures(room: Any, pieces: int, kings: int, side: int, variant: int, theirs: int) -> int:
    """List all complete captures of a side in any order, and return their number."""
    occupied = pieces | theirs
    able, count = jumpers(pieces & ~kings, pieces & kings, side, variant, theirs, occupied), 0
    while able:
        square = lowest_bit(able)
        able &= able - 1
        king = kings >> square & 1 != 0
        others = occupied & ~(1 << square)  # its own square is free while it moves
        count = jump_on(room, count, square, square, side, king, king, variant, theirs, others, 0)
    return count
