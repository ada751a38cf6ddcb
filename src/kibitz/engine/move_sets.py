"""Sets of moves: a bit mask in games with at most 62 moves, otherwise a list of numbers.

Searches are written once with these functions and compiled for either form. A list is an array of moves in ascending
order. It lies in a buffer of the caller (see `generic.legal_moves`), and `without` changes it in place.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from kibitz.engine.bits import chosen_bit, count_bits, lowest_bit
from kibitz.engine.copying import copy_into
from kibitz.engine.seeds import below

MASK_BITS = 62  # the moves that fit into a mask

Moves = Any  # a mask or a list


def is_list(moves: Moves) -> bool:
    """Whether it is a list; also works on its type in machine code."""
    return isinstance(moves, np.ndarray | types.Array)


def listed(moves: Moves) -> list[int]:
    """The moves as Python ints."""
    return moves.tolist() if is_list(moves) else [move for move in range(int(moves).bit_length()) if moves >> move & 1]


def count(moves: Moves) -> int:
    """The number of moves."""
    return len(moves) if is_list(moves) else count_bits(moves)


def first(moves: Moves) -> int:
    """The lowest move; the set must not be empty."""
    return int(moves[0]) if is_list(moves) else lowest_bit(moves)


def rest(moves: Moves) -> Moves:
    """All moves but the lowest."""
    return moves[1:] if is_list(moves) else moves & (moves - 1)


def contains(moves: Moves, move: int) -> bool:
    return move in moves if is_list(moves) else bool(moves >> move & 1)


def without(moves: Moves, move: int) -> Moves:
    """All moves but one, which must be among them."""
    if not is_list(moves):
        return moves ^ 1 << move
    kept = np.sort(moves[moves != move])
    copy_into(moves, kept)
    return moves[: len(kept)]


def any_of(moves: Moves, stream: int, n: int) -> int:
    """A random move, drawn uniformly by the n-th number of a stream; the set must not be empty."""
    return int(moves[below(stream, n, len(moves))]) if is_list(moves) else chosen_bit(moves, stream, n)


def place(moves: Moves, move: int) -> int:
    """The index of a move in an array with one entry per move: its place in a list, or the move itself with a mask."""
    return int(np.searchsorted(moves, move)) if is_list(moves) else move


def entries(moves: Moves, most: int) -> int:
    """The length of the array: that of a list, or the maximum number of moves with a mask."""
    return len(moves) if is_list(moves) else most


def move_at_place(moves: Moves, place: int) -> int:
    """The inverse of `place`."""
    return int(moves[place]) if is_list(moves) else place


# The same in machine code, selected by type.


@overload(count)
def compiled_count(moves):  # type: ignore[no-untyped-def]
    return (lambda moves: moves.shape[0]) if is_list(moves) else (lambda moves: count_bits(moves))


@overload(first)
def compiled_first(moves):  # type: ignore[no-untyped-def]
    return (lambda moves: moves[0]) if is_list(moves) else (lambda moves: lowest_bit(moves))


@overload(rest)
def compiled_rest(moves):  # type: ignore[no-untyped-def]
    return (lambda moves: moves[1:]) if is_list(moves) else (lambda moves: moves & (moves - 1))


@overload(contains)
def compiled_contains(moves, move):  # type: ignore[no-untyped-def]
    def in_list(moves, move):  # type: ignore[no-untyped-def]
        place = np.searchsorted(moves, move)
        return place < moves.shape[0] and moves[place] == move

    return in_list if is_list(moves) else (lambda moves, move: (moves >> move) & 1 != 0)


@overload(without)
def compiled_without(moves, move):  # type: ignore[no-untyped-def]
    def from_list(moves, move):  # type: ignore[no-untyped-def]
        last = moves.shape[0] - 1
        for place in range(np.searchsorted(moves, move), last):
            moves[place] = moves[place + 1]
        return moves[:last]

    return from_list if is_list(moves) else (lambda moves, move: moves ^ (1 << move))


@overload(any_of)
def compiled_any_of(moves, stream, n):  # type: ignore[no-untyped-def]
    def of_list(moves, stream, n):  # type: ignore[no-untyped-def]
        return moves[below(stream, n, moves.shape[0])]

    return of_list if is_list(moves) else (lambda moves, stream, n: chosen_bit(moves, stream, n))


@overload(place)
def compiled_place(moves, move):  # type: ignore[no-untyped-def]
    return (lambda moves, move: np.searchsorted(moves, move)) if is_list(moves) else (lambda moves, move: move)


@overload(entries)
def compiled_entries(moves, most):  # type: ignore[no-untyped-def]
    return (lambda moves, most: moves.shape[0]) if is_list(moves) else (lambda moves, most: most)


@overload(move_at_place)
def compiled_move_at_place(moves, place):  # type: ignore[no-untyped-def]
    return (lambda moves, place: moves[place]) if is_list(moves) else (lambda moves, place: place)
