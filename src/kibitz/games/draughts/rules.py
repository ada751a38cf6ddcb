"""The rules, compiled: legal moves, their effects, and the end of a game.

Captures are compulsory and must be completed. Brazilian: a capture must take as many pieces as possible; men also
capture backwards; kings move and capture along whole diagonals; a man is crowned only where its move ends. Russian: any
capture may be chosen, and a man that reaches the last row while capturing continues as a king. English: any capture may
be chosen, kings move one square, men capture only forwards, and Black begins.
"""

from typing import Any

import numpy as np

from kibitz.engine import seeds
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.zobrist import zobrist_numbers
from kibitz.games.draughts.capturing import (
    MOST_MOVES,
    ON_THE_WAY,
    TAKEN,
    all_captures,
    can_jump,
    first_direction,
    flies,
    jumps_back,
    last_direction,
    move_number,
    origin_of,
    taken_of,
    target_of,
)
from kibitz.games.draughts.squares import ALL, BLACK, CROWN_ROWS, MAIN_ROAD, NEXT, WHITE, step
from kibitz.games.draughts.state import (
    BRAZILIAN,
    ENGLISH,
    FEW_PIECES,
    KINGS_ONLY,
    LONGEST,
    MAIN_ROAD_HELD,
    NO_MOVE,
    PLAYED,
    REPEATED,
    TOO_LONG,
    State,
)

GAME_OVER = -1
VARIANT, USUAL_OPENING = 3, 4  # the bits of `deal`: the variant, and whether there are no random first moves
DRAWN_MOVES = 6  # of both sides: an even number, so that the usual side begins
ATTEMPTS = 50  # at a random opening, before the usual start is used
BLACK_START, WHITE_START = 0xFFF, 0xFFF << 20
TIMES = 3  # occurrences of a position that make a draw
# Moves of both sides: twice the numbers of the rule books.
ENGLISH_QUIET = 80  # king moves without a capture: English draughts
QUIET = 30  # the same in Draughts-64, the IDF rules for Russian and Brazilian
# Draughts-64: moves without a capture or a new king while both sides have kings, by number of pieces.
STALEMATE_OF_FORCES = (0, 0, 10, 10, 60, 60, 120, 120)
KEYS = zobrist_numbers(4 + 1, 32)
PIECE_KEYS, BLACK_MOVES, VARIANT_KEYS = KEYS[:4], int(KEYS[4, 0]), KEYS[4, 1:4]  # pieces by side and kind, and square
HELD = 10  # three pieces against a lone king that holds the main road


# Setting up


@compiled
def set_position(s: State, variant: int, white: int, black: int, kings: int, side: int) -> None:
    """Write every field that the rules read; the memory may hold an earlier game."""
    s.players = 2
    s.seat = -1
    s.rules = variant
    s.white, s.black, s.kings = white, black, kings
    s.side = side
    s.first_white, s.first_black, s.first_kings, s.first_side = white, black, kings, side
    s.turn = s.quiet = s.balanced = s.captures = 0
    s.captured[:] = 0
    s.history[:] = 0
    s.zobrist = zobrist_of(s)
    s.ending = PLAYED if has_move(s) else NO_MOVE


@compiled
def deal(s: State, players: int, rules: int, stream: int) -> None:
    variant = rules & VARIANT
    set_position(s, variant, WHITE_START, BLACK_START, 0, begins(variant))
    if not rules & USUAL_OPENING:
        draw_opening(s, stream)


@compiled
def draw_opening(s: State, stream: int) -> None:
    """Begin with a position after random moves, in which all pieces are left and none can be captured."""
    room, number = np.empty(MOST_MOVES, np.int64), 0
    for _ in range(ATTEMPTS):
        for _ in range(DRAWN_MOVES):
            apply(s, room[seeds.below(stream, number, moves(s, room))])
            number += 1
        fair = s.captures == 0 and not must_capture(s)
        white = s.white if fair else WHITE_START
        black = s.black if fair else BLACK_START
        set_position(s, s.rules, white, black, 0, begins(s.rules))
        if fair:
            return


@compiled
def zobrist_of(s: State) -> int:
    """The key of a position, made from scratch: of its pieces, the side to move and the variant."""
    key, pieces = VARIANT_KEYS[s.rules], s.white | s.black
    while pieces:
        square = lowest_bit(pieces)
        pieces &= pieces - 1
        key ^= piece_key(WHITE if s.white >> square & 1 else BLACK, s.kings >> square & 1 != 0, square)
    return key ^ (BLACK_MOVES if s.side == BLACK else 0)


@compiled
def piece_key(side: int, king: bool, square: int) -> int:
    return PIECE_KEYS[2 * side + (1 if king else 0), square]


# Moves


@compiled
def own_pieces(s: State) -> int:
    """The pieces of the side to move."""
    return s.white if s.side == WHITE else s.black


@compiled
def their_pieces(s: State) -> int:
    return s.black if s.side == WHITE else s.white


@compiled
def has_move(s: State) -> bool:
    """Whether the side to move has a move. A king that cannot step can only jump a neighbouring piece."""
    mine, theirs = own_pieces(s), their_pieces(s)
    free = ALL & ~(mine | theirs)
    men, kings = mine & ~s.kings, mine & s.kings
    for direction in range(4):
        forward = direction >> 1 == s.side
        walkers = kings | men if forward else kings
        if step(walkers, direction) & free:
            return True
        hitters = kings | men if forward or jumps_back(s.rules) else kings
        if step(step(hitters, direction) & theirs, direction) & free:
            return True
    return False


@compiled
def capturing_moves(s: State, room: Any) -> int:
    """Write the legal captures in any order, and return their number."""
    count = all_captures(room, own_pieces(s), s.kings, s.side, s.rules, their_pieces(s))
    if s.rules != BRAZILIAN or count < 2:
        return count
    most, kept = 0, 0
    for place in range(count):
        most = max(most, count_bits(taken_of(room[place])))
    for place in range(count):
        if count_bits(taken_of(room[place])) == most:
            room[kept] = room[place]
            kept += 1
    return kept


@compiled
def walking_moves(s: State, room: Any) -> int:
    """Write the moves that are no captures, and return their number."""
    mine, count = own_pieces(s), 0
    occupied = s.white | s.black
    pieces = mine
    while pieces:
        square = lowest_bit(pieces)
        pieces &= pieces - 1
        king = s.kings >> square & 1 != 0
        for direction in range(0 if king else 2 * s.side, 4 if king else 2 * s.side + 2):
            target = NEXT[direction, square]
            while target >= 0 and not occupied >> target & 1:
                if count < MOST_MOVES:
                    room[count] = move_number(square, target, 0)
                    count += 1
                if not (king and flies(s.rules)):
                    break
                target = NEXT[direction, target]
    return count


@compiled
def sort(room: Any, count: int) -> None:
    """Insertion sort: moves are few and nearly in order."""
    for place in range(1, count):
        move, before = room[place], place - 1
        while before >= 0 and room[before] > move:
            room[before + 1] = room[before]
            before -= 1
        room[before + 1] = move


@compiled
def moves(s: State, room: Any) -> int:
    """Write the legal moves in ascending order: only captures, if there are any."""
    if s.ending != PLAYED:
        return 0
    count = capturing_moves(s, room)
    if count == 0:
        count = walking_moves(s, room)
    sort(room, count)
    return count


@compiled
def most_moves(s: State) -> int:
    return MOST_MOVES


@compiled
def must_capture(s: State) -> bool:
    """Whether the side to move must capture."""
    if s.ending != PLAYED:
        return False
    mine, theirs = own_pieces(s), their_pieces(s)
    occupied = mine | theirs
    men = mine & ~s.kings
    for direction in range(first_direction(s.side, False, s.rules), last_direction(s.side, False, s.rules) + 1):
        if step(step(men, direction) & theirs, direction) & ~occupied:
            return True
    kings = mine & s.kings
    while kings:
        square = lowest_bit(kings)
        kings &= kings - 1
        if can_jump(square, s.side, True, s.rules, theirs, occupied):
            return True
    return False


# Making a move


@compiled
def history_entry(move: int, capture: int, crowned: bool) -> int:
    """An entry of the history: the squares of a move, the number of its capture from 1, and whether it crowned."""
    return move & 1023 | capture << 10 | (1 << 15 if crowned else 0)


@compiled
def crowned_in(s: State, turn: int) -> bool:
    return s.history[turn] >> 15 & 1 != 0


@compiled
def move_at(s: State, turn: int) -> int:
    note = s.history[turn]
    capture = note >> 10 & 31
    if capture == 0:
        return note & 1023
    taken = s.captured[capture - 1]
    way = ON_THE_WAY if taken > TAKEN else 0
    return move_number(note >> 5 & 31, note & 31, taken & TAKEN) | way


@compiled
def apply(s: State, move: int) -> None:
    side, taken = s.side, taken_of(move)
    origin, target = 1 << origin_of(move), 1 << target_of(move)
    king = s.kings & origin != 0
    crowned = not king and (CROWN_ROWS[side] & target != 0 or move & ON_THE_WAY != 0)
    s.zobrist ^= (
        BLACK_MOVES ^ piece_key(side, king, origin_of(move)) ^ piece_key(side, king or crowned, target_of(move))
    )
    gone = taken
    while gone:
        square = lowest_bit(gone)
        gone &= gone - 1
        s.zobrist ^= piece_key(1 - side, s.kings >> square & 1 != 0, square)
    if side == WHITE:
        s.white ^= origin ^ target  # a capture may end on its first square
        s.black &= ~taken
    else:
        s.black ^= origin ^ target
        s.white &= ~taken
    s.kings &= ~(taken | origin)
    if king or crowned:
        s.kings |= target
    if taken:
        s.captured[s.captures] = taken | (TAKEN + 1 if move & ON_THE_WAY else 0)
        s.captures += 1
    s.history[s.turn] = history_entry(move, s.captures if taken else 0, crowned)
    s.turn += 1
    s.quiet = s.quiet + 1 if king and taken == 0 else 0
    s.balanced = 0 if taken or crowned else s.balanced + 1
    s.side = 1 - side
    s.ending = how_it_ended(s)


# Draws


@compiled
def occurrences(s: State) -> int:
    """The number of times this position has occurred. Only king moves can be reversed, so it takes those back."""
    white, black, kings, count = s.white, s.black, s.kings, 1
    for back in range(1, s.quiet + 1):
        note = s.history[s.turn - back]
        change = 1 << (note & 31) ^ 1 << (note >> 5 & 31)
        if white >> (note & 31) & 1:
            white ^= change
        else:
            black ^= change
        kings ^= change
        if back & 1 == 0 and white == s.white and black == s.black and kings == s.kings:
            count += 1
    return count


@compiled
def how_it_ended(s: State) -> int:
    """After a move: NO_MOVE if the next side has lost, a kind of draw, or PLAYED if the game continues."""
    if not has_move(s):
        return NO_MOVE
    if s.quiet >= 4 * (TIMES - 1) and occurrences(s) >= TIMES:
        return REPEATED
    if s.quiet >= (ENGLISH_QUIET if s.rules == ENGLISH else QUIET):
        return KINGS_ONLY
    if s.rules != ENGLISH and s.balanced >= HELD:
        if forces_are_stale(s):
            return FEW_PIECES
        if road_is_held(s.white, s.black, s.kings, s.balanced) or road_is_held(s.black, s.white, s.kings, s.balanced):
            return MAIN_ROAD_HELD
    return TOO_LONG if s.turn == LONGEST else PLAYED


@compiled
def forces_are_stale(s: State) -> bool:
    pieces = count_bits(s.white | s.black)
    both = s.white & s.kings != 0 and s.black & s.kings != 0
    return both and pieces < len(STALEMATE_OF_FORCES) and s.balanced >= STALEMATE_OF_FORCES[pieces]


@compiled
def road_is_held(alone: int, others: int, kings: int, balanced: int) -> bool:
    """Whether a lone king holds the main road against three pieces, at least one of them a king."""
    lone_king = count_bits(alone) == 1 and alone & kings & MAIN_ROAD != 0
    return (
        lone_king and count_bits(others) == 3 and others & kings != 0 and others & MAIN_ROAD == 0 and balanced >= HELD
    )


# Seats, and the end


@compiled
def begins(variant: int) -> int:
    """The side that makes the first move of a usual game."""
    return BLACK if variant == ENGLISH else WHITE


@compiled
def seat_of(s: State, side: int) -> int:
    """The first seat has the side that begins a usual game."""
    return side ^ begins(s.rules)


@compiled
def side_of(s: State, seat: int) -> int:
    return seat ^ begins(s.rules)


@compiled
def to_move(s: State) -> int:
    return seat_of(s, s.side) if s.ending == PLAYED else GAME_OVER


@compiled
def winner(s: State) -> int:
    """The seat that has won, or −1 in a draw or an unfinished game. A side that cannot move has lost."""
    return seat_of(s, 1 - s.side) if s.ending == NO_MOVE else -1


@compiled
def payoff(s: State, seat: int) -> float:
    won = winner(s)
    return 0.5 if won < 0 else 1.0 if won == seat else 0.0


@compiled
def result(s: State, row: Any) -> None:
    """The winner as a mask of seats; the number of moves; the ending; the remaining pieces of White and Black."""
    won = winner(s)
    row[0] = 1 << won if won >= 0 else 0
    row[1] = s.turn
    row[2] = s.ending
    row[3] = count_bits(s.white)
    row[4] = count_bits(s.black)
