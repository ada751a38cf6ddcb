"""The rules, compiled: legal moves, what a move does, and how a game ends.

Brazilian: who can capture must, and must take as many pieces as can be taken; men capture backwards, too; kings move
and capture along whole diagonals; a man is crowned where its move ends. Russian: any capture may be chosen, but it must
be carried through, and a man that touches the last row in a capture goes on as a king. English: kings go one square,
men capture only forwards, any capture may be chosen; Black begins.
"""

from typing import Any

import numpy as np

from kibitz.engine import seeds
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
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
VARIANT, USUAL_OPENING = 3, 4  # the bits of `deal`: which variant, and whether the first moves are not drawn by lot
DRAWN_MOVES = 6  # of both together: an even number, so that who begins is as usual
DRAWS = 50  # before the usual start is taken
BLACK_START, WHITE_START = 0xFFF, 0xFFF << 20
TIMES = 3  # a position that occurs so often is a draw
# Moves of both sides, so twice those of the books.
ENGLISH_QUIET = 80  # kings only, nothing captured: English draughts
QUIET = 30  # the same in Draughts-64, which is how the IDF plays Russian and Brazilian
# Draughts-64: nothing captured and nobody crowned while both have kings, by the number of pieces on the board.
STALEMATE_OF_FORCES = (0, 0, 10, 10, 60, 60, 120, 120)
HELD = 10  # three pieces against a lone king that holds the main road


# Setting up


@compiled
def set_position(s: State, variant: int, white: int, black: int, kings: int, side: int) -> None:
    """Write every field that the rules read, in memory that another game may have used."""
    s.players = 2
    s.seat = -1
    s.rules = variant
    s.white, s.black, s.kings = white, black, kings
    s.side = side
    s.first_white, s.first_black, s.first_kings, s.first_side = white, black, kings, side
    s.turn = s.quiet = s.balanced = s.captures = 0
    s.captured[:] = 0
    s.history[:] = 0
    s.ending = PLAYED if has_move(s) else NO_MOVE


@compiled
def deal(s: State, players: int, rules: int, stream: int) -> None:
    variant = rules & VARIANT
    set_position(s, variant, WHITE_START, BLACK_START, 0, begins(variant))
    if not rules & USUAL_OPENING:
        draw_opening(s, stream)


@compiled
def draw_opening(s: State, stream: int) -> None:
    """Make the first moves by lot, such as leave all pieces on the board and none to be taken.

    The game begins with the position they lead to.
    """
    room, number = np.empty(MOST_MOVES, np.int64), 0
    for _ in range(DRAWS):
        for _ in range(DRAWN_MOVES):
            apply(s, room[seeds.below(stream, number, moves(s, room))])
            number += 1
        fair = s.captures == 0 and not must_capture(s)
        white = s.white if fair else WHITE_START
        black = s.black if fair else BLACK_START
        set_position(s, s.rules, white, black, 0, begins(s.rules))
        if fair:
            return


# Moves


@compiled
def own_pieces(s: State) -> int:
    """Of the side to move."""
    return s.white if s.side == WHITE else s.black


@compiled
def their_pieces(s: State) -> int:
    return s.black if s.side == WHITE else s.white


@compiled
def has_move(s: State) -> bool:
    """Whether the side to move has any. A king without a free square beside it can only jump a piece beside it."""
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
    """Write the legal captures, in any order; how many there are."""
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
    """Write the moves that capture nothing; how many there are."""
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
    """By insertion: moves are few and nearly in order."""
    for place in range(1, count):
        move, before = room[place], place - 1
        while before >= 0 and room[before] > move:
            room[before + 1] = room[before]
            before -= 1
        room[before + 1] = move


@compiled
def moves(s: State, room: Any) -> int:
    """Write the legal moves in ascending order: captures if there are any."""
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
    """Whether the side to move has a capture, and so no other move."""
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


# What a move does


@compiled
def noted(move: int, capture: int, crowned: bool) -> int:
    """A move as it stands in the history: its squares, the number of its capture from 1, and whether it crowned."""
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
def turns(s: State) -> int:
    return s.turn


@compiled
def apply(s: State, move: int) -> None:
    side, taken = s.side, taken_of(move)
    origin, target = 1 << origin_of(move), 1 << target_of(move)
    king = s.kings & origin != 0
    crowned = not king and (CROWN_ROWS[side] & target != 0 or move & ON_THE_WAY != 0)
    if side == WHITE:
        s.white ^= origin ^ target  # a capture can end where it began
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
    s.history[s.turn] = noted(move, s.captures if taken else 0, crowned)
    s.turn += 1
    s.quiet = s.quiet + 1 if king and taken == 0 else 0
    s.balanced = 0 if taken or crowned else s.balanced + 1
    s.side = 1 - side
    s.ending = how_it_ended(s)


# Draws


@compiled
def occurrences(s: State) -> int:
    """How often the position has been on the board. Only moves of kings can be gone back on, so it takes them back."""
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
    """After a move: NO_MOVE if the other side has lost, a kind of draw, or PLAYED while the game goes on."""
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
    """Whether a lone king has held the main road against three pieces with a king among them."""
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
    """The seat that has won, −1 if the game is drawn or goes on: who is to move and cannot has lost."""
    return seat_of(s, 1 - s.side) if s.ending == NO_MOVE else -1


@compiled
def payoff(s: State, seat: int) -> float:
    won = winner(s)
    return 0.5 if won < 0 else 1.0 if won == seat else 0.0


@compiled
def result(s: State, row: Any) -> None:
    """Who won, as a mask of seats; the moves made; how it ended; the pieces that White and Black had left."""
    won = winner(s)
    row[0] = 1 << won if won >= 0 else 0
    row[1] = s.turn
    row[2] = s.ending
    row[3] = count_bits(s.white)
    row[4] = count_bits(s.black)
