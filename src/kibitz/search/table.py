"""A transposition table: what is known of positions that a search has met, by their keys.

A key finds two places side by side. The first keeps whatever was searched deepest, the second whatever came last, so
that neither is a long search lost nor a new position without room.
"""

from typing import Any, Protocol

import numpy as np

from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.seat import struct_at

EMPTY, EXACT, AT_LEAST, AT_MOST = range(4)  # how the value of an entry is meant
ENTRY = struct_dtype(
    [("key", np.int64), ("value", np.float64), ("move", np.int64), ("depth", np.int32), ("bound", np.int32)]
)
ENTRY_BYTES = ENTRY.itemsize
entry_at = struct_at(ENTRY)


class Entry(Protocol):
    """A struct of the type ENTRY."""

    key: int
    value: float  # to who is to move; a decided game counts its plies from here
    move: int  # the best one found, −1 if none was
    depth: int
    bound: int


@compiled
def empty_table(bits: int) -> Any:
    """Room for 2**bits positions."""
    return np.zeros(1 << bits, ENTRY)


@compiled
def place_of(table: int, bits: int, key: int) -> int:
    """The address of the first of the two places for a key, in a table at an address."""
    mixed = key ^ key >> 32
    mixed ^= mixed >> 15
    return table + ENTRY_BYTES * ((mixed & ((1 << bits) - 1)) & -2)


@compiled
def find(table: int, bits: int, key: int) -> Any:
    """The entry of a key; where there is none, one that has another key or is EMPTY."""
    place = place_of(table, bits, key)
    entry = entry_at(place)
    if entry.key == key and entry.bound != EMPTY:
        return entry
    return entry_at(place + ENTRY_BYTES)


@compiled
def keep(table: int, bits: int, key: int, value: float, move: int, depth: int, bound: int) -> None:
    place = place_of(table, bits, key)
    entry = entry_at(place)
    if entry.bound != EMPTY and entry.key != key and entry.depth > depth:
        entry = entry_at(place + ENTRY_BYTES)
    entry.key = key
    entry.value = value
    entry.move = move
    entry.depth = depth
    entry.bound = bound
