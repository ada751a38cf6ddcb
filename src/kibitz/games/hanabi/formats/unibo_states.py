"""Read a state of Bida & Pandolfi's protocol on its own: its numbers, whether it is the last, its score.

This module imports nothing compiled, so that a bot that needs no more starts at once.
"""

from collections.abc import Mapping
from typing import Any

WIRE_COLOURS = ("red", "green", "white", "blue", "yellow")  # in this order
SCORED = ("fuse", *WIRE_COLOURS)  # the parts of the score
BEST = 5 * len(WIRE_COLOURS)


def whole(value: Any) -> int | None:
    """A whole number, written as 3 or as 3.0; else None."""
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
        """The sum of the piles; 0 for a lost game."""
        return piles(state) if state["fuse"] else 0

    def shift(self, state: Mapping[str, Any]) -> int | None:
        """0 for a host that counts turns, 1 for one that counts states, by the first state after the last draw."""
        players = sum(isinstance(value, list) and key != "discarded" for key, value in state.items())
        after_the_last_draw = state["final"] > 0 and not self.is_last(state)
        return int(state["final"] == state["round"] + players) if after_the_last_draw else None

    def unshifted(self, state: dict[str, Any], shift: int) -> dict[str, Any]:
        return {**state, "final": state["final"] - shift}


UNIBO_STATES = UniboStates()
