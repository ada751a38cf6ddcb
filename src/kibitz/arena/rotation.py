"""Who sits where: the seats in the order a person named them, and the seats of the table, of which the first begins.

With rotation r the r-th of the named seats, from 0, sits at the table's first seat, the one named after it
at the second, and so on around. A rotation therefore also says who begins.
"""

from collections.abc import Sequence
from typing import Any, Literal, TypeVar, get_args

Seat = TypeVar("Seat")

# Who begins: always the seat that was named first, or each in turn.
First = Literal["fixed", "alternate"]
FIRSTS: tuple[First, ...] = get_args(First)


def rotated(named: Sequence[Seat], rotation: int) -> tuple[Seat, ...]:
    """The named seats as they sit at the table."""
    return (*named[rotation:], *named[:rotation])


def by_name(masks: Any, rotations: Any, players: int) -> Any:
    """Masks of the table's seats as masks of the named ones."""
    around = masks << rotations
    return (around | around >> players) & ((1 << players) - 1)
