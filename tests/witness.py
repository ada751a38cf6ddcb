"""A compiled agent who remembers everything it saw in other hands, and acts by it: what it knows, shows."""

from kibitz.core.loop import Memory, Weights, decision
from kibitz.hanabi.agents import agent
from kibitz.hanabi.state import State


def note_hands(view: State, memory: Memory, weights: Weights) -> None:
    """How often it looked, a sum over all it saw so far, and the last cards it saw."""
    memory.notes[0] += 1
    place = 2
    for seat in range(view.players):
        if seat != view.seat:
            for slot in range(view.held[seat]):
                kind = view.deck[view.hands[seat][slot]]
                memory.notes[1] = (31 * memory.notes[1] + kind) % 1_000_003
                memory.notes[place] = kind
                place += 1


@agent(reasons=("play: {card}, remembering", "discard: {card}, remembering"), origin="a test", observe=note_hands)
def witness(view: State, memory: Memory, weights: Weights) -> int:
    """Discards by what it remembers, and sometimes plays by it."""
    slot = memory.notes[1] % view.held[view.seat]
    discards = memory.notes[1] % 4 > 0
    return decision(5 * discards + slot, int(discards), view.hands[view.seat][slot])
