"""A transposition table: search results by position key.

A key maps to two adjacent entries. The first keeps the deepest result and the second the latest, so that long searches
survive and new positions always find room.
"""

from typing import Any, Protocol

import numpy as np

from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.seat import struct_at

EMPTY, EXACT, AT_LEAST, AT_MOST = range(4)  # what the value of an entry is: exact, or a bound
ENTRY = struct_dtype(
    [("key", np.int64), ("value", np.float64), ("move", np.int64), ("depth", np.int32), ("bound", np.int32)]
)
ENTRY_BYTES = ENTRY.itemsize
entry_at = struct_at(ENTRY)


class Entry(Protocol):
    """A struct of the type ENTRY."""

    key: int
    value: float  # for the player to move; plies to a decided end are counted from here
    move: int  # the best move found, or −1
    depth: int
    bound: int


@compiled
def empty_table(bits: int) -> Any:
    """Room for 2**bits positions."""
    return np.zeros(1 << bits, ENTRY)


@compiled
def place_of(table: int, bits: int, key: int) -> int:
    """The address of the first of a key's two entries, in a table at an address."""
    mixed = key ^ key >> 32
    mixed ^= mixed >> 15
    return table + ENTRY_BYTES * ((mixed & ((1 << bits) - 1)) & -2)


@compiled
def find(table: int, bits: int, key: int) -> Any:
    """The entry of a key; if there is none, an entry with another key or EMPTY."""
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
