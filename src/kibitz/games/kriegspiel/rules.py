"""The rules of Kriegspiel, compiled: the umpire judges attempts, and legal ones are made. The rest is chess."""

from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.bits import count_bits, nth_bit
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import below
from kibitz.games.chess.board import (
    BLACK,
    BOARD,
    KINDS,
    KING,
    KING_ATTACKS,
    NO_SQUARE,
    QUEEN,
    ROOK,
    WHITE,
    as_mask,
    bit,
    holds,
)
from kibitz.games.chess.fen import START, read_fen
from kibitz.games.chess.game_state import most_moves, start_history
from kibitz.games.chess.moves import MAX_MOVES, captured_square, copy_board, is_legal, make_move
from kibitz.games.kriegspiel.state import (
    ASK,
    KEEPS_TURN,
    LONGEST,
    MATE,
    NO_CAPTURE,
    ONGOING,
    STATE,
    TOO_LONG,
    State,
    asked,
    event_move,
    event_of,
    is_lecture,
    keeps_turn,
    start_of,
)
from kibitz.games.kriegspiel.umpire import (
    announced_directions,
    announced_pawn_tries,
    captured_kind,
    check_directions,
    has_capture,
    list_attempts,
    may_attempt,
    outcome_of,
)

START_BOARD = read_fen(START)

# Rule options: the starting position.
CHESS, ROOK_ENDING, QUEEN_ENDING = range(3)
KING_CANDIDATES = 3  # possible squares of the lone king of an ending


@compiled
def deal(s: State, players: int, rules: int, stream: int) -> None:
    s.players, s.seat, s.rules = players, -1, rules
    if start_of(rules) == CHESS:
        copy_board(START_BOARD[0], s)
        s.king_candidates = 0
    else:
        deal_ending(s, ROOK if start_of(rules) == ROOK_ENDING else QUEEN, stream)
    start_game(s)


@compiled
def deal_ending(s: State, kind: int, stream: int) -> None:
    """King and a piece, White to move, against a king on one of a few neighbouring squares."""
    roll, found = 0, 0
    while count_bits(found) < KING_CANDIDATES:
        king, piece, near = below(stream, roll, 64), below(stream, roll + 1, 64), below(stream, roll + 2, 64)
        roll += 3
        clear(s)
        place(s, KING, WHITE, king)
        if piece == king:
            continue
        place(s, kind, WHITE, piece)
        found = black_king_squares(s) & (KING_ATTACKS[near] | bit(near))
    while count_bits(found) > KING_CANDIDATES:
        found &= ~bit(nth_bit(found, below(stream, roll, count_bits(found))))
        roll += 1
    s.king_candidates = found
    place(s, KING, BLACK, nth_bit(found, below(stream, roll, KING_CANDIDATES)))


@compiled
def black_king_squares(s: State) -> int:
    """The possible squares of a lone black king with White to move: unattacked, and not stalemated or mated."""
    free = 0
    for square in range(64):
        if holds(s.sides[WHITE], square):
            continue
        place(s, KING, BLACK, square)
        if check_directions(s, BLACK) == 0 and check_directions(s, WHITE) == 0:
            free |= bit(square)
        s.pieces[KING] &= ~bit(square)
        s.sides[BLACK] = 0
    return free


@compiled
def clear(s: State) -> None:
    for kind in range(KINDS):
        s.pieces[kind] = 0
    s.sides[WHITE] = s.sides[BLACK] = 0
    s.side, s.castling, s.en_passant, s.halfmove_clock, s.fullmove_number = WHITE, 0, NO_SQUARE, 0, 1


@compiled
def place(s: State, kind: int, side: int, square: int) -> None:
    s.pieces[kind] |= bit(square)
    s.sides[side] |= bit(square)


@compiled
def start_game(s: State) -> None:
    """Begin with the pieces on the board."""
    start_history(s)
    after = np.empty(1, BOARD)
    announce_to_mover(s, after)
    s.outcome = outcome_of(s, s.check_mask, np.empty(MAX_MOVES, np.int64), after)


@compiled
def announce_to_mover(s: State, after: Any) -> None:
    """What is announced about the position to both. `after` is room for one board."""
    s.check_mask = announced_directions(check_directions(s, s.side), s.rules)
    s.pawn_tries = 1 if announced_pawn_tries(s, s.rules, after) else 0


def new_game(board: Any, king_candidates: int, rules: int) -> Any:
    """A game that begins with this position, as an array of one state; Black's king may be on the squares of a mask."""
    start = np.zeros(1, STATE)
    start["players"], start["seat"], start["rules"], start["king_candidates"] = 2, -1, rules, as_mask(king_candidates)
    copy_board(board, start[0])
    start_game(start[0])
    return start


@compiled
def to_move(s: State) -> int:
    return s.side if s.outcome == ONGOING else generic.OVER


@compiled
def moves(s: State, room: Any) -> int:
    return list_attempts(s, room)


@compiled
def allowed(s: State, move: int) -> bool:
    return s.outcome == ONGOING and may_attempt(s, move)


@compiled
def apply(s: State, move: int) -> None:
    after = np.empty(1, BOARD)
    if move == ASK:
        s.history[s.turn] = asked(has_capture(s, np.empty(MAX_MOVES, np.int64), after))
    elif is_legal(s, move, after):
        taken = captured_square(s, move)
        what = captured_kind(s, taken, s.rules)
        make_move(s, move)
        announce_to_mover(s, after)
        s.history[s.turn] = event_of(move, what, taken, s.check_mask, s.pawn_tries)
        s.outcome = outcome_of(s, s.check_mask, np.empty(MAX_MOVES, np.int64), after)
    else:
        s.history[s.turn] = event_of(move, NO_CAPTURE, 0, 0, 0) | KEEPS_TURN
    s.turn += 1
    if s.turn == LONGEST and s.outcome == ONGOING:
        s.outcome = TOO_LONG


@compiled
def move_at(s: State, turn: int) -> int:
    return event_move(s.history[turn])


@compiled
def is_private(s: State, turn: int) -> bool:
    """By the umpire of the lecture, only the player learns of an illegal attempt or a question."""
    return is_lecture(s.rules) and keeps_turn(s.history[turn])


@compiled
def payoff(s: State, seat: int) -> float:
    if s.outcome != MATE:
        return 0.5
    return 0.0 if s.side == seat else 1.0


generic.implement(
    "kriegspiel",
    STATE,
    deal=deal,
    to_move=to_move,
    moves=moves,
    most_moves=most_moves,
    allowed=allowed,
    apply=apply,
    move_at=move_at,
    is_private=is_private,
    payoff=payoff,
)
