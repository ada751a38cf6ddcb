"""The player's own hand: what its cards can be, which are playable, and which costs least to discard."""

from typing import Any

import numpy as np

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import WIDE, compiled, struct_dtype
from kibitz.games.hanabi.agents.choices import held_elsewhere
from kibitz.games.hanabi.agents.signal.common_knowledge import CommonKnowledge, mask, single
from kibitz.games.hanabi.agents.signal.questions import dispensable_slots
from kibitz.games.hanabi.agents.signal.saving import discard_cost
from kibitz.games.hanabi.agents.signal.weights import DUPLICATE
from kibitz.games.hanabi.cards import ALL, FIVES, MIDDLE, ONES, holds
from kibitz.games.hanabi.knowledge import exhausted, visible, with_copy
from kibitz.games.hanabi.state import HAND, State

OWN_HAND_FIELDS: list[tuple[Any, ...]] = [
    ("kinds", WIDE, HAND),  # what each card can be
    ("one", np.int64), ("two", np.int64), ("three", np.int64),  # kinds with at least 1, 2, 3 unseen copies
    ("elsewhere", np.int64),  # kinds in the other hands
]  # fmt: skip
OWN_HAND = struct_dtype(OWN_HAND_FIELDS)
OwnHand: Any = Any  # a struct of the type OWN_HAND


@compiled
def look(own: OwnHand, c: CommonKnowledge, view: State) -> None:
    """Work out what the seat to move knows of its own hand."""
    me = view.seat
    seen = visible(view, me)
    for slot in range(view.held[me]):
        own.kinds[slot] = mask(c, me, slot)
    counted = seen
    for _ in range(3):
        counted = seen
        for slot in range(view.held[me]):
            if single(own.kinds[slot]):
                counted = with_copy(counted, own.kinds[slot])
        gone = exhausted(counted)
        for slot in range(view.held[me]):
            if not single(own.kinds[slot]) and own.kinds[slot] & ~gone != 0:
                own.kinds[slot] &= ~gone
    one, two, _ = counted
    own.one = ALL & ~exhausted(counted)
    own.two = (ONES & ~two) | (MIDDLE & ~one)
    own.three = ONES & ~one
    own.elsewhere = held_elsewhere(view)


@compiled
def unseen_copies(own: OwnHand, kinds: int) -> int:
    """The number of unseen cards of these kinds."""
    return count_bits(kinds & own.one) + count_bits(kinds & own.two) + count_bits(kinds & own.three)


@compiled
def best_play(own: OwnHand, c: CommonKnowledge, view: State) -> int:
    """The slot of a surely playable card, or −1: low ranks first, and cards that others can continue."""
    best, top = -1, -1
    for slot in range(view.held[view.seat]):
        kinds = int(own.kinds[slot])
        if kinds & ~c.playable != 0:
            continue
        worth = 10 * (4 - lowest_bit(kinds) % 5)
        if kinds & FIVES:
            worth = 5
        elif (kinds << 1) & own.elsewhere:
            worth += 15
        if single(kinds) and kinds & own.elsewhere == 0:
            worth += 3
        if worth > top:
            best, top = slot, worth
    return best


@compiled
def cheapest_discard(own: OwnHand, c: CommonKnowledge, view: State, weights: Numbers) -> tuple[int, float]:
    """The slot that costs least to discard, and its cost: 0 if it is publicly dispensable."""
    dispensable = dispensable_slots(c, view.seat, weights)
    if dispensable:
        return lowest_bit(dispensable), 0.0
    return cheapest(own, c, view, (1 << view.held[view.seat]) - 1, weights)


@compiled
def cheapest_indispensable(own: OwnHand, c: CommonKnowledge, view: State, dispensable: int, weights: Numbers) -> int:
    """The cheapest slot that is not publicly dispensable, or −1."""
    slots = (1 << view.held[view.seat]) - 1 & ~dispensable
    return cheapest(own, c, view, slots, weights)[0] if slots else -1


@compiled
def cheapest(own: OwnHand, c: CommonKnowledge, view: State, slots: int, weights: Numbers) -> tuple[int, float]:
    """Of these slots, the one that costs least to discard, and its cost."""
    best, least = 0, 1e9
    for slot in range(view.held[view.seat]):
        if not holds(slots, slot):
            continue
        kinds = int(own.kinds[slot])
        total, cost = 0.0, 0.0
        rest = kinds
        while rest:
            kind = lowest_bit(rest)
            rest &= rest - 1
            copies = 1.0 if single(kinds) else float(unseen_copies(own, 1 << kind))
            total += copies
            if holds(own.elsewhere, kind) and not holds(c.critical | c.useless, kind):
                cost += copies * weights[DUPLICATE]
            else:
                cost += copies * discard_cost(c, kind, weights)
        cost = cost / total if total > 0 else 0.0
        if cost < least:
            best, least = slot, cost
    return best, least


@compiled
def likeliest_play(own: OwnHand, c: CommonKnowledge, view: State) -> tuple[int, float]:
    """The unidentified card most likely to be playable, and its chance."""
    best, top = 0, 0.0
    for slot in range(view.held[view.seat]):
        kinds = int(own.kinds[slot])
        if not single(kinds):
            total = unseen_copies(own, kinds)
            chance = unseen_copies(own, kinds & c.playable) / total if total > 0 else 0.0
            if chance > top:
                best, top = slot, chance
    return best, top
