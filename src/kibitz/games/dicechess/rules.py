"""The rules of dice chess, compiled.

Before every move a die is rolled: 1 pawn, 2 knight, 3 bishop, 4 rook, 5 queen, 6 king. A piece of that kind has to
move; if none can, the turn passes. There is no check and no mate: a player who takes the king wins. Castling needs a
six, and ignores attacks. The rest is chess.
"""

from typing import Any, Protocol

import numpy as np

from kibitz.engine import generic
from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import WIDE, compiled, struct_dtype
from kibitz.games.chess.board import (
    BOARD_FIELDS,
    HALFMOVE_LIMIT,
    KING,
    NO_SQUARE,
    kind_at,
    without_lowest,
)
from kibitz.games.chess.fen import START, read_fen
from kibitz.games.chess.game_state import START_FIELDS, GameState, most_moves, start_history
from kibitz.games.chess.moves import (
    MOVE_CODES,
    captured_square,
    copy_board,
    from_square,
    is_pseudo_legal,
    list_pseudo_legal,
    make_move,
    pass_turn,
    targets_of,
)

FACES = 6
ROLL = MOVE_CODES  # plus the face of the die
LONGEST = 800  # rolls and moves; then a draw

STATE = struct_dtype(
    [
        ("dice", np.int64),
        ("streams", np.int64, 2),
        ("chance", np.int64),
        ("seat", np.int64),
        ("players", np.int64),
        *BOARD_FIELDS,
        ("rolled", np.int64),  # the face, or 0 before the roll
        ("turn", np.int64),  # rolls and moves so far
        *START_FIELDS,
        ("first_fullmove_number", np.int64),
        ("history", WIDE, LONGEST),
    ]
)


class State(GameState, Protocol):
    chance: int
    rolled: int
    first_fullmove_number: int


START_BOARD = read_fen(START)

# A turn: the roll or move, the kind of piece that moved, the kind it captured, and whether a roll let nobody move.
PASSES = 1 << 22


@compiled
def event_of(move: int, kind: int, taken: int) -> int:
    return move | kind << 16 | (taken + 1) << 19


@compiled
def event_move(event: int) -> int:
    return event & 0xFFFF


@compiled
def event_kind(event: int) -> int:
    return event >> 16 & 7


@compiled
def event_taken(event: int) -> int:
    """The kind of the captured piece, or −1."""
    return (event >> 19 & 7) - 1


@compiled
def deal(s: State, players: int, rules: int, stream: int) -> None:
    copy_board(START_BOARD[0], s)
    s.players, s.seat = players, -1
    begin(s)


@compiled
def begin(s: State) -> None:
    """Begin with the pieces on the board, before the first roll."""
    start_history(s)
    s.first_fullmove_number, s.rolled = s.fullmove_number, 0


@compiled
def king_is_gone(s: State, side: int) -> bool:
    return s.pieces[KING] & s.sides[side] == 0


@compiled
def to_move(s: State) -> int:
    if king_is_gone(s, 0) or king_is_gone(s, 1) or s.halfmove_clock >= HALFMOVE_LIMIT or s.turn >= LONGEST:
        return generic.OVER
    return generic.CHANCE if s.rolled == 0 else s.side


@compiled
def moves(s: State, room: Any) -> int:
    return list_pseudo_legal(s, 1 << (s.rolled - 1), room)


@compiled
def allowed(s: State, move: int) -> bool:
    if s.rolled == 0:
        return ROLL < move <= ROLL + FACES
    return is_pseudo_legal(s, move) and kind_at(s, from_square(move)) == s.rolled - 1


@compiled
def chance_moves(s: State, room: Any, chances: Any) -> int:
    for face in range(FACES):
        room[face] = ROLL + 1 + face
        chances[face] = 1 / FACES
    return FACES


@compiled
def apply(s: State, move: int) -> None:
    if move > ROLL:
        passes = roll(s, move - ROLL)
        s.history[s.turn] = event_of(move, move - ROLL - 1, -1) | (PASSES if passes else 0)
    else:
        taken = captured_square(s, move)
        taken_kind = kind_at(s, taken) if taken != NO_SQUARE else -1
        s.history[s.turn] = event_of(move, s.rolled - 1, taken_kind)
        make_move(s, move)
        s.rolled = 0
    s.turn += 1


@compiled
def roll(s: Any, face: int) -> bool:
    """Record a roll; True if it lets nobody move, so that the turn passes."""
    s.rolled = face
    if kind_can_move(s, face - 1):
        return False
    s.rolled = 0
    s.en_passant = NO_SQUARE
    s.halfmove_clock += 1
    pass_turn(s)
    return True


@compiled
def kind_can_move(s: Any, kind: int) -> bool:
    pieces = s.pieces[kind] & s.sides[s.side]
    while pieces != 0:
        if targets_of(s, kind, lowest_bit(pieces)) != 0:
            return True
        pieces = without_lowest(pieces)
    return False


@compiled
def move_at(s: State, turn: int) -> int:
    return event_move(s.history[turn])


@compiled
def payoff(s: State, seat: int) -> float:
    return 0.0 if king_is_gone(s, seat) else 1.0 if king_is_gone(s, 1 - seat) else 0.5


generic.implement(
    "dicechess",
    STATE,
    deal=deal,
    to_move=to_move,
    moves=moves,
    most_moves=most_moves,
    allowed=allowed,
    apply=apply,
    chance_moves=chance_moves,
    move_at=move_at,
    payoff=payoff,
)
