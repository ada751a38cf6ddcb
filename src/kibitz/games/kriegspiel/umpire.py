"""The umpires: what a side may attempt or ask by what it knows, and what is announced.

The umpire of the clubs announces everything to both sides, and when a pawn can capture. The umpire of the lecture
answers an illegal attempt, and the question "have I any capture?", to the player alone; a capture is announced without
what was taken, a check from a diagonal without which of the two.

What may be attempted depends only on the seat's own pieces and on what it was announced, so it reveals nothing. The
same move cannot be attempted twice in a turn, nor the question asked twice.
"""

from typing import Any

from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.chess.board import (
    BISHOP,
    HALFMOVE_LIMIT,
    KING,
    KING_ATTACKS,
    KNIGHT,
    NO_SQUARE,
    PAWN,
    PAWN_ATTACKS,
    QUEEN,
    ROOK,
    Board,
    bit,
    checkers,
    holds,
    kind_at,
    king_square,
    without_lowest,
)
from kibitz.games.chess.moves import (
    ALL_KINDS,
    captured_square,
    destinations,
    encode_move,
    from_square,
    is_legal,
    is_well_formed,
    leaves_check,
    list_moves,
    list_pseudo_legal,
    promotes,
    targets_of,
    to_square,
)
from kibitz.games.kriegspiel.state import (
    A_CAPTURE,
    A_PAWN,
    A_PIECE,
    ASK,
    DIAGONAL,
    FIFTY_MOVES,
    FILE,
    INSUFFICIENT_MATERIAL,
    KNIGHT_CHECK,
    LONG_DIAGONAL,
    MATE,
    NO_CAPTURE,
    ONGOING,
    RANK,
    SHORT_DIAGONAL,
    STALEMATE,
    State,
    event_move,
    event_pawn_tries,
    is_lecture,
    keeps_turn,
)

# Attempts


# A side knows its own pieces, which block the way. Its pawns may try any capture once a pawn try is announced; with the
# umpire of the lecture, unless the answer was that there is no capture. Its king cannot castle out of an announced
# check.


@compiled
def attempt_captures(s: State) -> int:
    if is_lecture(s.rules):
        asked = event_in_turn(s, ASK)
        return -1 if asked < 0 or event_pawn_tries(asked) else 0
    return -1 if s.pawn_tries else 0


@compiled
def event_in_turn(s: State, move: int) -> int:
    """The event of a move that was attempted in this turn already, or of the question; −1 if there is none."""
    turn = s.turn - 1
    while turn >= 0 and keeps_turn(s.history[turn]):
        if event_move(s.history[turn]) == move:
            return s.history[turn]
        turn -= 1
    return -1


@compiled
def already_attempted(s: State, move: int) -> bool:
    """Whether a move was attempted in this turn already, and so is known to be illegal."""
    return event_in_turn(s, move) >= 0


@compiled
def may_ask(s: State) -> bool:
    return is_lecture(s.rules) and not already_attempted(s, ASK)


@compiled
def list_attempts(s: State, room: Any) -> int:
    """List what the side to move may attempt, in ascending order, and return the number; the question is the lowest."""
    first = 0
    if may_ask(s):
        room[0] = ASK
        first = 1
    count = first + list_moves(s, ALL_KINDS, s.sides[s.side], attempt_captures(s), s.check_mask == 0, room[first:])
    if s.turn == 0 or not keeps_turn(s.history[s.turn - 1]):
        return count
    kept = first
    for n in range(first, count):
        if not already_attempted(s, room[n]):
            room[kept] = room[n]
            kept += 1
    return kept


@compiled
def may_attempt(s: State, move: int) -> bool:
    if move == ASK:
        return may_ask(s)
    if not is_well_formed(s, move):
        return False
    start, own = from_square(move), s.sides[s.side]
    targets = destinations(s, kind_at(s, start), start, own, attempt_captures(s), s.check_mask == 0)
    return holds(targets, to_square(move)) and not already_attempted(s, move)


# Announcements


@compiled
def check_directions(b: Board, side: int) -> int:
    """The directions from which a side's king is attacked."""
    king, found = king_square(b, side), 0
    pieces = checkers(b, side)
    while pieces != 0:
        square = lowest_bit(pieces)
        pieces = without_lowest(pieces)
        found |= direction(king, square, holds(b.pieces[KNIGHT], square))
    return found


@compiled
def announced_directions(found: int, rules: int) -> int:
    """The directions of check as announced: by the umpire of the lecture both diagonals or none."""
    return found | DIAGONAL if is_lecture(rules) and found & DIAGONAL else found


@compiled
def direction(king: int, square: int, leaps: bool) -> int:
    """The direction from a king to his attacker."""
    if leaps:
        return KNIGHT_CHECK
    if king >> 3 == square >> 3:
        return RANK
    if king & 7 == square & 7:
        return FILE
    rising = abs((king & 7) - (king >> 3)) < abs(7 - (king & 7) - (king >> 3))  # the diagonal from below left is longer
    same = ((king & 7) - (square & 7)) == ((king >> 3) - (square >> 3))
    return LONG_DIAGONAL if rising == same else SHORT_DIAGONAL


@compiled
def has_pawn_tries(b: Board, after: Any) -> bool:
    """Whether the side to move has a legal capture with a pawn. `after` is room for one board."""
    side = b.side
    takes = b.sides[1 - side] & ~b.pieces[KING]
    if b.en_passant != NO_SQUARE:
        takes |= bit(b.en_passant)
    pawns = b.pieces[PAWN] & b.sides[side]
    while pawns != 0:
        start = lowest_bit(pawns)
        pawns = without_lowest(pawns)
        targets = PAWN_ATTACKS[side, start] & takes
        while targets != 0:
            end = lowest_bit(targets)
            targets = without_lowest(targets)
            promotion = 4 if promotes(PAWN, end) else 0
            if not leaves_check(b, encode_move(start, end, promotion), after):
                return True
    return False


@compiled
def announced_pawn_tries(b: Board, rules: int, after: Any) -> bool:
    """Whether it is announced that the side to move can capture with a pawn. `after` is room for one board."""
    return not is_lecture(rules) and has_pawn_tries(b, after)


@compiled
def has_capture(b: Board, room: Any, after: Any) -> bool:
    """Whether the side to move has a legal capture: the answer to the question. `after` is room for one board."""
    for n in range(list_pseudo_legal(b, ALL_KINDS, room)):
        if captured_square(b, room[n]) != NO_SQUARE and not leaves_check(b, room[n], after):
            return True
    return False


@compiled
def has_legal_move(b: Board, room: Any, after: Any) -> bool:
    """Whether the side to move has a legal move. `after` is room for one board."""
    count, n = list_pseudo_legal(b, ALL_KINDS, room), 0
    while n < count and not is_legal(b, room[n], after):
        n += 1
    return n < count


@compiled
def insufficient_material(b: Board) -> bool:
    """Whether there is nothing but the kings and at most one knight or bishop."""
    if b.pieces[PAWN] | b.pieces[ROOK] | b.pieces[QUEEN]:
        return False
    return count_bits(b.pieces[KNIGHT] | b.pieces[BISHOP]) <= 1


@compiled
def outcome_of(b: Board, checked: int, room: Any, after: Any) -> int:
    """The outcome after the last move, or ONGOING. `after` is room for one board."""
    if not has_quick_legal_move(b, after) and not has_legal_move(b, room, after):
        return MATE if checked else STALEMATE
    if insufficient_material(b):
        return INSUFFICIENT_MATERIAL
    return FIFTY_MOVES if b.halfmove_clock >= HALFMOVE_LIMIT else ONGOING


@compiled
def has_quick_legal_move(b: Board, after: Any) -> bool:
    """Whether some king or pawn has a legal move: nearly always so, and faster than listing all moves."""
    side = b.side
    king = king_square(b, side)
    targets = KING_ATTACKS[king] & ~b.sides[side]
    while targets != 0:
        end = lowest_bit(targets)
        targets = without_lowest(targets)
        if not leaves_check(b, encode_move(king, end, 0), after):
            return True
    pawns = b.pieces[PAWN] & b.sides[side]
    while pawns != 0:
        start = lowest_bit(pawns)
        pawns = without_lowest(pawns)
        targets = targets_of(b, PAWN, start)
        if targets != 0:
            end = lowest_bit(targets)
            if not leaves_check(b, encode_move(start, end, 1 if promotes(PAWN, end) else 0), after):
                return True
    return False


@compiled
def captured_kind(b: Board, square: int, rules: int) -> int:
    """The capture on a square as announced: a pawn or a piece, or by the umpire of the lecture just a capture."""
    if square == NO_SQUARE:
        return NO_CAPTURE
    if is_lecture(rules):
        return A_CAPTURE
    return A_PAWN if holds(b.pieces[PAWN], square) else A_PIECE
