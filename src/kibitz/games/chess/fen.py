"""FEN (Forsyth–Edwards notation), and moves as text."""

from typing import Any

import numpy as np

from kibitz.errors import KibitzError
from kibitz.games.chess.board import BLACK, BOARD, KING, NO_SQUARE, PAWN, WHITE, as_mask, checkers
from kibitz.games.chess.moves import encode_move, from_square, promotion_of, to_square
from kibitz.text import fit

LETTERS = "pnbrqk"
KIND_NAMES = ("pawn", "knight", "bishop", "rook", "queen", "king")
START_COUNTS = (8, 2, 2, 2, 1, 1)  # pieces of each kind per side at the start
SIDE_NAMES = ("White", "Black")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
FILES = "abcdefgh"
RIGHTS = "KQkq"
MAX_NUMBER = 9999  # for both numbers in a FEN
MAX_QUOTED = 100  # characters of a text in a message; a FEN has fewer
BACK_RANKS = 0xFF000000000000FF  # the first and the last rank


def square_name(square: int) -> str:
    return f"{FILES[square % 8]}{square // 8 + 1}"


def parse_square(name: str) -> int:
    if len(name) != 2 or name[0] not in FILES or name[1] not in "12345678":
        raise KibitzError(f"{name[:20]!r} is not a square. Squares are a1 to h8.")
    return FILES.index(name[0]) + 8 * (int(name[1]) - 1)


def move_text(move: int) -> str:
    """As e2e4, or e7e8q for a promotion to a queen."""
    promotion = promotion_of(move)
    return f"{square_name(from_square(move))}{square_name(to_square(move))}{LETTERS[promotion] if promotion else ''}"


def parse_move(text: str) -> int:
    plain = text.strip().lower().replace("-", "").replace("=", "").replace("x", "")
    if len(plain) not in (4, 5) or (len(plain) == 5 and plain[4] not in "nbrq"):
        raise KibitzError(
            f"{text[:40]!r} is not a move. Write the squares it goes from and to: e2e4, or e7e8q to promote to a queen."
        )
    promotion = LETTERS.index(plain[4]) if len(plain) == 5 else 0
    return int(encode_move(parse_square(plain[:2]), parse_square(plain[2:4]), promotion))


def invalid(text: str, why: str) -> KibitzError:
    return KibitzError(f"The position {fit(text, MAX_QUOTED)!r} cannot be read: {why} Example: {START}")


def read_rank(row: str, rank: int, text: str) -> dict[int, str]:
    found, file = {}, 0
    for letter in row:
        if letter in "12345678":
            file += int(letter)
        elif letter.lower() in LETTERS:
            found[8 * rank + file] = letter
            file += 1
        else:
            raise invalid(
                text, f"{letter!r} is not a piece. Pieces are {', '.join(LETTERS.upper())}, in lower case for Black."
            )
    if file != 8:
        raise invalid(text, f"Rank {rank + 1} has {file} squares instead of 8.")
    return found


def read_squares(field: str, text: str) -> dict[int, str]:
    rows = field.split("/")
    if len(rows) != 8:
        raise invalid(text, f"It has {len(rows)} ranks instead of 8, separated by /.")
    return {square: letter for n, row in enumerate(rows) for square, letter in read_rank(row, 7 - n, text).items()}


def read_number(field: str, least: int, what: str, text: str) -> int:
    if not (field.isascii() and field.isdigit() and len(field) <= 4 and least <= int(field)):
        raise invalid(text, f"{what} is a number from {least} to {MAX_NUMBER}, not {field[:40]!r}.")
    return int(field)


def read_castling(field: str, squares: dict[int, str], text: str) -> int:
    if field != "-" and (not field or set(field) - set(RIGHTS) or len(set(field)) != len(field)):
        raise invalid(text, f"Castling rights are - or some of {RIGHTS}, not {field[:40]!r}.")
    homes = {"K": (4, 7), "Q": (4, 0), "k": (60, 63), "q": (60, 56)}
    rights = 0
    for letter in field.replace("-", ""):
        king, rook = homes[letter]
        pieces = ("K", "R") if letter.isupper() else ("k", "r")
        if (squares.get(king), squares.get(rook)) != pieces:
            raise invalid(text, f"{letter} needs a king and a rook on their home squares.")
        rights |= 1 << RIGHTS.index(letter)
    return rights


def read_en_passant(field: str, side: int, squares: dict[int, str], text: str) -> int:
    if field == "-":
        return NO_SQUARE
    try:
        square = parse_square(field)
    except KibitzError:
        raise invalid(text, f"The en passant square is - or a square, not {field[:40]!r}.") from None
    rank, ahead, pawn = (5, -8, "p") if side == WHITE else (2, 8, "P")
    if square // 8 != rank or squares.get(square + ahead) != pawn or square in squares or square - ahead in squares:
        raise invalid(text, f"No pawn has just passed over {field}.")
    return square


def read_fen(text: str, kings: bool = True) -> Any:
    """The board of a FEN, an array of one; by default each side must have exactly one king."""
    fields = text.split()
    if not 1 <= len(fields) <= 6:
        raise invalid(
            text, f"It has {len(fields)} fields instead of 6: pieces, side, castling, en passant, two numbers."
        )
    fields += ["w", "-", "-", "0", "1"][len(fields) - 1 :]
    squares = read_squares(fields[0], text)
    if fields[1] not in ("w", "b"):
        raise invalid(text, f"The side to move is w or b, not {fields[1][:40]!r}.")
    side = WHITE if fields[1] == "w" else BLACK
    board = np.zeros(1, BOARD)
    masks, sides = [0] * len(LETTERS), [0, 0]
    for square, letter in squares.items():
        masks[LETTERS.index(letter.lower())] |= 1 << square
        sides[WHITE if letter.isupper() else BLACK] |= 1 << square
    if masks[PAWN] & BACK_RANKS:
        raise invalid(text, "A pawn is on the first or the last rank.")
    for each in (WHITE, BLACK):
        count = (masks[KING] & sides[each]).bit_count()
        if count > 1 or (kings and count == 0):
            raise invalid(text, f"{SIDE_NAMES[each]} has {count} kings.")
        counts = [(mask & sides[each]).bit_count() for mask in masks]
        if sum(counts) > 16:
            raise invalid(text, f"{SIDE_NAMES[each]} has {sum(counts)} pieces; the maximum is 16.")
        if (
            counts[PAWN] + sum(max(0, count - first) for count, first in zip(counts, START_COUNTS, strict=True))
            > START_COUNTS[PAWN]
        ):
            raise invalid(text, f"{SIDE_NAMES[each]} has {counts[PAWN]} pawns and promoted pieces: "
                            f"more than the 8 pawns of the start.")  # fmt: skip
    board["pieces"], board["sides"] = [[as_mask(mask) for mask in masks]], [[as_mask(mask) for mask in sides]]
    board["side"] = side
    board["castling"] = read_castling(fields[2], squares, text)
    board["en_passant"] = read_en_passant(fields[3], side, squares, text)
    board["halfmove_clock"] = read_number(fields[4], 0, "The halfmove clock", text)
    board["fullmove_number"] = read_number(fields[5], 1, "The fullmove number", text)
    return board


def refuse_capturable_king(board: Any, text: str) -> None:
    """Refuse a position in which the side that has just moved is in check."""
    if checkers(board, 1 - int(board["side"])):
        raise KibitzError(
            f"The position {fit(text, MAX_QUOTED)!r} is impossible: the side that has just moved is in check."
        )


def piece_letters(board: Any) -> dict[int, str]:
    """A letter for each square with a piece, upper case for White."""
    masks = [int(mask) & (1 << 64) - 1 for mask in board["pieces"]]
    white = int(board["sides"][WHITE])
    return {
        square: letter.upper() if white >> square & 1 else letter
        for letter, mask in zip(LETTERS, masks, strict=True)
        for square in range(64)
        if mask >> square & 1
    }


def fen(board: Any) -> str:
    squares = piece_letters(board)
    rows = []
    for rank in reversed(range(8)):
        row, free = "", 0
        for square in range(8 * rank, 8 * rank + 8):
            if square in squares:
                row += (str(free) if free else "") + squares[square]
                free = 0
            else:
                free += 1
        rows.append(row + (str(free) if free else ""))
    rights = "".join(letter for n, letter in enumerate(RIGHTS) if int(board["castling"]) >> n & 1)
    passed = int(board["en_passant"])
    side = "wb"[int(board["side"])]
    return " ".join(
        ("/".join(rows), side, rights or "-", "-" if passed == NO_SQUARE else square_name(passed),
         str(int(board["halfmove_clock"])), str(int(board["fullmove_number"])))
    )  # fmt: skip
