"""A possible position packed into a row of integers, so that thousands of them fit one array that is copied quickly."""

from typing import Any

from kibitz.engine.compile import compiled
from kibitz.engine.seeds import number
from kibitz.games.chess.board import KINDS, NO_SQUARE, Board

WHITES, BLACKS, REST = KINDS, KINDS + 1, KINDS + 2  # after the kinds of pieces: the sides; castling and en passant
ROW_LENGTH = KINDS + 3


@compiled
def unpack(row: Any, b: Board, side: int) -> None:
    """Set up the board of a row, with this side to move."""
    for kind in range(KINDS):
        b.pieces[kind] = row[kind]
    b.sides[0], b.sides[1] = row[WHITES], row[BLACKS]
    b.castling = row[REST] & 15
    b.en_passant = (row[REST] >> 4) + NO_SQUARE
    b.side, b.halfmove_clock, b.fullmove_number = side, 0, 1


@compiled
def pack(b: Board, row: Any) -> None:
    for kind in range(KINDS):
        row[kind] = b.pieces[kind]
    row[WHITES], row[BLACKS] = b.sides[0], b.sides[1]
    row[REST] = b.castling | (b.en_passant - NO_SQUARE) << 4


@compiled
def position_key(b: Board, salt: int) -> int:
    """A hash of a position; every salt gives another one."""
    key = salt
    for kind in range(KINDS):
        key = number(key ^ b.pieces[kind], kind)
    key = number(key ^ b.sides[0], WHITES)
    return number(key ^ (b.castling | (b.en_passant - NO_SQUARE) << 4), REST)


@compiled
def copy_row(rows: Any, source: int, target: int) -> None:
    for word in range(ROW_LENGTH):
        rows[target, word] = rows[source, word]


@compiled
def copy_rows(source: Any, count: int, target: Any) -> None:
    """Copy the first rows. Word by word: assigning slices would compile seconds of code for a shape error."""
    for n in range(count):
        for word in range(ROW_LENGTH):
            target[n, word] = source[n, word]
