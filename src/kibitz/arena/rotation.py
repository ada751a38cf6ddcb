"""Who sits where: the seats in the order a person named them, and the seats of the table, of which the first begins.

With rotation r the r-th of the named seats, from 0, sits at the table's first seat, the one named after it
at the second, and so on around. A rotation therefore also says who begins.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeVar, get_args

import numpy as np

from kibitz.core.bits import count_bits, lowest_bit

Seat = TypeVar("Seat")

# Who begins: always the seat that was named first, each in turn, or the winner of the game before.
First = Literal["fixed", "alternate", "winner"]
FIRSTS: tuple[First, ...] = get_args(First)


def rotated(named: Sequence[Seat], rotation: int) -> tuple[Seat, ...]:
    """The named seats as they sit at the table."""
    return (*named[rotation:], *named[:rotation])


def by_name(masks: Any, rotations: Any, players: int) -> Any:
    """Masks of the table's seats as masks of the named ones."""
    around = masks << rotations
    return (around | around >> players) & ((1 << players) - 1)


def next_to_begin(winners: Any, rotations: Any, players: int) -> list[int]:
    """Who begins the game after each: its only winner, or else whoever began it."""
    named = by_name(winners, rotations, players).tolist()
    began = np.broadcast_to(rotations, len(named)).tolist()
    return [lowest_bit(mask) if count_bits(mask) == 1 else same for mask, same in zip(named, began, strict=True)]
