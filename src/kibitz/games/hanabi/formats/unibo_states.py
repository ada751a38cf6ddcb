"""What a state of Bida & Pandolfi's protocol says by itself: its numbers, whether it is the last, its score.

Nothing compiled is imported, so that a bot which needs no more starts at once.
"""

from collections.abc import Mapping
from typing import Any

WIRE_COLOURS = ("red", "green", "white", "blue", "yellow")  # in this order
SCORED = ("fuse", *WIRE_COLOURS)  # what the score is made from
BEST = 5 * len(WIRE_COLOURS)


def whole(value: Any) -> int | None:
    """A number that may have come as 3 or as 3.0; None if it is no whole number."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def piles(state: Mapping[str, Any]) -> int:
    return sum(state[colour] for colour in WIRE_COLOURS)


class UniboStates:
    """Hanabi's `StateReader`."""

    numbers: tuple[str, ...] = ("round", "final", *SCORED)

    def is_last(self, state: Mapping[str, Any]) -> bool:
        last_turn_made = state["final"] > 0 and state["round"] == state["final"] + 1
        return state["fuse"] == 0 or piles(state) == BEST or last_turn_made

    def score(self, state: Mapping[str, Any]) -> int:
        """The piles; a lost game is worth nothing."""
        return piles(state) if state["fuse"] else 0


UNIBO_STATES = UniboStates()
