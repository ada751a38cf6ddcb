"""Seat rotations: the mapping from the seats in the order they were named to the seats of the table.

With rotation r, the r-th named seat, from 0, takes the table's first seat, the next one the second, and so on,
cyclically. The first seat begins, so the rotation also determines which named seat begins.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeVar, get_args

Seat = TypeVar("Seat")

# Which seat begins: always the first named one, or each in turn.
First = Literal["fixed", "alternate"]
FIRSTS: tuple[First, ...] = get_args(First)


def rotated(named: Sequence[Seat], rotation: int) -> tuple[Seat, ...]:
    """The named seats in table order."""
    return (*named[rotation:], *named[:rotation])


def by_name(masks: Any, rotations: Any, players: int) -> Any:
    """Masks of table seats, converted to masks of named seats."""
    around = masks << rotations
    return (around | around >> players) & ((1 << players) - 1)
