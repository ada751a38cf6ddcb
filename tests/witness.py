"""A compiled agent who remembers everything it saw in other hands, and acts by it: what it knows, shows."""

from typing import Protocol

import numpy as np

from kibitz.engine.compile import struct_dtype
from kibitz.engine.loop import decision
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.state import State

NOTES = struct_dtype([("looks", np.int64), ("sum", np.int64), ("last", np.int64, 20)])


class Notes(Protocol):
    looks: int  # how often it looked
    sum: int  # over all it saw so far
    last: list[int]  # the cards it saw last


def note_hands(view: State, memory: Notes) -> None:
    memory.looks += 1
    place = 0
    for seat in range(view.players):
        if seat != view.seat:
            for slot in range(view.held[seat]):
                kind = view.deck[view.hands[seat][slot]]
                memory.sum = (31 * memory.sum + kind) % 1_000_003
                memory.last[place] = kind
                place += 1


@agent(
    reasons=("play: {card}, remembering", "discard: {card}, remembering"),
    origin="a test",
    observe=note_hands,
    memory=NOTES,
)
def witness(view: State, memory: Notes) -> int:
    """Discards by what it remembers, and sometimes plays by it."""
    slot = memory.sum % view.held[view.seat]
    discards = memory.sum % 4 > 0
    return decision(5 * discards + slot, int(discards), view.hands[view.seat][slot])
