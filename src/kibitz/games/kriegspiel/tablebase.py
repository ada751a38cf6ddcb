"""The tablebase: king and rook, or queen, against a king on an unknown one of a set of squares.

The file lists sets of squares by the placement of the attacker's pieces, each with the number of own moves in which
mate is forced wherever in the set the king is and whatever he does (`tablebase_generator` computes it). What holds for
a set holds for its subsets, so a set is looked up as the first entry that contains it. The best attempt is the one
whose worst announcement leaves the set with the fewest moves.

Checks from both diagonals count as one announcement, as with the umpire of the lecture. The umpire of the clubs says
which diagonal, which leaves a subset, so the moves to mate hold for that one, too.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from kibitz.core.array_files import arrays_in, file_named, write_arrays
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.errors import KibitzError
from kibitz.games.chess.board import KING_ATTACKS, QUEEN, ROOK, attacks, bit, holds, without_lowest
from kibitz.games.chess.moves import encode_move, from_square, to_square
from kibitz.games.kriegspiel.state import DIAGONAL, State
from kibitz.games.kriegspiel.umpire import direction
from kibitz.search.choice import VALUE, Estimates

PATH = Path(__file__).parent / "tablebase.npz"
GAME = "kriegspiel"
UNKNOWN = 99  # moves: no forced mate is known
MATE_POINTS = 1000.0
MATED, DRAWN = 16, 17  # besides directions of check: the game is over
ANNOUNCEMENTS = 18


def symmetries() -> Iterator[list[int]]:
    """The board's eight symmetries: for each, the square that every square is mapped to."""
    for turn in range(8):
        files, ranks = np.arange(64) & 7, np.arange(64) >> 3
        files, ranks = (7 - files if turn & 1 else files), (7 - ranks if turn & 2 else ranks)
        yield (8 * files + ranks if turn & 4 else 8 * ranks + files).tolist()


SYMMETRIES = np.array(list(symmetries()))
# By the squares of king and piece: the symmetry that normalises them, and the place of the result in the file.
PLACEMENTS = SYMMETRIES[:, :, None] * 64 + SYMMETRIES[:, None, :]
SYMMETRY_OF = PLACEMENTS.argmin(axis=0)
CODES, PLACEMENT_OF = np.unique(PLACEMENTS.min(axis=0), return_inverse=True)
PLACEMENT_OF = PLACEMENT_OF.reshape(64, 64)
PLACEMENT_COUNT = len(CODES)  # of the rook; the queen's follow


class Tablebase(NamedTuple):
    """Sets of squares: placement n has those from `first[n]` to `first[n + 1]`, the fewest moves to mate first."""

    first: Any
    sets: Any
    moves: Any


class ForcedMate(NamedTuple):
    """An attempt, and the number of own moves in which it mates at the latest."""

    move: int
    moves: int


@compiled
def transform(squares: int, turn: int) -> int:
    found = 0
    while squares != 0:
        found |= bit(SYMMETRIES[turn, lowest_bit(squares)])
        squares = without_lowest(squares)
    return found


@compiled
def place_of(king: int, piece: int, kind: int) -> int:
    return PLACEMENT_OF[king, piece] + (PLACEMENT_COUNT if kind == QUEEN else 0)


@compiled
def find_entry(endings: Tablebase, king: int, piece: int, kind: int, squares: int) -> int:
    """The entry with the fewest moves that contains these squares, or −1."""
    place, squares = place_of(king, piece, kind), transform(squares, SYMMETRY_OF[king, piece])
    for n in range(endings.first[place], endings.first[place + 1]):
        if squares & ~endings.sets[n] == 0:
            return n
    return -1


@compiled
def moves_to_mate(endings: Tablebase, king: int, piece: int, kind: int, squares: int) -> int:
    entry = find_entry(endings, king, piece, kind, squares)
    return endings.moves[entry] if entry >= 0 else UNKNOWN


@compiled
def free_squares(king: int, piece: int, kind: int) -> int:
    """Where the other king can be before an attack move."""
    own = bit(king) | bit(piece)
    return ~(attacks(kind, 0, piece, own) | KING_ATTACKS[king] | own)


@compiled
def targets_of(king: int, piece: int, kind: int, moves_king: bool) -> int:
    own = bit(king) | bit(piece)
    return (KING_ATTACKS[king] if moves_king else attacks(kind, 0, piece, own)) & ~own


@compiled
def refused_squares(king: int, move: int) -> int:
    """The squares of the other king for which a move is refused: the neighbours of the king's target."""
    return KING_ATTACKS[to_square(move)] if from_square(move) == king else 0


@compiled
def announcement_for(king: int, piece: int, kind: int, other: int) -> tuple[int, int]:
    """The announcement after an own move if the other king is on a square, and where he can go."""
    own = bit(king) | bit(piece)
    attacked = attacks(kind, 0, piece, own)
    goes = KING_ATTACKS[other] & ~attacked & ~KING_ATTACKS[king]
    checked = holds(attacked, other)
    if goes == 0:
        return (MATED if checked else DRAWN), 0
    if goes & own:
        return DRAWN, 0
    found = direction(other, piece, False) if checked else 0
    return (DIAGONAL if found & DIAGONAL else found), goes


@compiled
def divide(king: int, piece: int, kind: int, squares: int, goes: Any, counts: Any) -> None:
    """Partition the other king's squares by announcement: where he can go, and the number of squares."""
    for said in range(ANNOUNCEMENTS):
        goes[said] = counts[said] = 0
    while squares != 0:
        said, where = announcement_for(king, piece, kind, lowest_bit(squares))
        squares = without_lowest(squares)
        goes[said] |= where
        counts[said] += 1


@compiled
def moves_after(
    endings: Tablebase, king: int, piece: int, kind: int, squares: int, move: int, goes: Any, counts: Any
) -> tuple[int, int]:
    """The number of own moves until an attempt mates: in the worst case, and summed over the squares.

    `goes` and `counts` are overwritten.
    """
    refused = squares & refused_squares(king, move)
    if squares == refused:
        return UNKNOWN, 0
    end = to_square(move)
    new_king, new_piece = (end, piece) if from_square(move) == king else (king, end)
    divide(new_king, new_piece, kind, squares & ~refused, goes, counts)
    worst, total = UNKNOWN if counts[DRAWN] else 1, counts[MATED]
    for said in range(MATED):
        if counts[said] and worst < UNKNOWN:
            later = 1 + moves_to_mate(endings, new_king, new_piece, kind, goes[said])
            worst, total = max(worst, later), total + later * counts[said]
    if refused and worst < UNKNOWN:
        instead = moves_to_mate(endings, king, piece, kind, refused)
        worst, total = max(worst, instead), total + instead * count_bits(refused)
    return worst, total


@compiled
def probe(endings: Tablebase, king: int, piece: int, kind: int, squares: int) -> ForcedMate:
    """The attempt that mates in the fewest moves in the worst case, then on average; no move if none is known."""
    best, lowest, moves = -1, 1 << 40, UNKNOWN
    goes, counts = np.empty(ANNOUNCEMENTS, np.int64), np.empty(ANNOUNCEMENTS, np.int64)
    for moves_king in (True, False):
        targets = targets_of(king, piece, kind, moves_king)
        while targets != 0:
            move = encode_move(king if moves_king else piece, lowest_bit(targets), 0)
            targets = without_lowest(targets)
            worst, total = moves_after(endings, king, piece, kind, squares, move, goes, counts)
            if worst < UNKNOWN and worst << 20 | total < lowest:
                best, lowest, moves = move, worst << 20 | total, worst
    return ForcedMate(best, moves)


MOST_BYTES = 256 << 20  # unpacked


def save_tablebase(path: Path, endings: Tablebase, origin: str) -> None:
    sizes = np.diff(endings.first).astype(np.int16)
    moves = endings.moves.astype(np.int8)
    write_arrays(path, small=True, sizes=sizes, sets=endings.sets, moves=moves, origin=np.array([GAME, origin]))


def load_tablebase(path: Path = PATH) -> Tablebase:
    with file_named(path, "not a tablebase"):
        file = arrays_in(path, MOST_BYTES)
        first = np.concatenate([[0], np.cumsum(file["sizes"], dtype=np.int64)])
        endings = Tablebase(first, file["sets"], file["moves"].astype(np.int64))
        if str(file["origin"][0]) != GAME or len(first) != 2 * PLACEMENT_COUNT + 1 or first[-1] != len(endings.sets):
            raise KibitzError("it is not a tablebase of Kriegspiel.")
        return endings


FIRST, SETS, MOVES = load_tablebase()


@compiled
def forced_mate(view: State, squares: int, found: Estimates) -> ForcedMate:
    """The attempt that mates a lone king on one of these squares soonest, with estimates of all that force mate.

    No move if the seat has other pieces than a rook or a queen beside its king, or if no forced mate is known.
    """
    own = view.sides[view.seat]
    pieces = own & (view.pieces[ROOK] | view.pieces[QUEEN])
    if count_bits(own) != 2 or pieces == 0:
        return ForcedMate(-1, UNKNOWN)
    king, piece = lowest_bit(own ^ pieces), lowest_bit(pieces)
    endings, kind = Tablebase(FIRST, SETS, MOVES), QUEEN if pieces & view.pieces[QUEEN] else ROOK
    sure = probe(endings, king, piece, kind, squares)
    goes, counts = np.empty(ANNOUNCEMENTS, np.int64), np.empty(ANNOUNCEMENTS, np.int64)
    for n in range(found.moves.shape[0] if sure.move >= 0 else 0):
        worst, total = moves_after(endings, king, piece, kind, squares, found.moves[n], goes, counts)
        if worst < UNKNOWN:  # the mean decides between equal worst cases
            write_estimate(found, n, MATE_POINTS - worst - total / count_bits(squares) / UNKNOWN, squares)
    return sure


@compiled
def write_estimate(found: Estimates, place: int, points: float, squares: int) -> None:
    """An exact value over all squares of the lone king."""
    found.values[place], found.errors[place], found.bounds[place] = points, 0.0, VALUE
    found.visits[place] = count_bits(squares)
