"""Cards in danger: what a player would throw away next, by what everybody knows, and whether it must not be lost."""

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.signal.common_knowledge import Common, copies_left, known_to_fit, mask, single
from kibitz.games.hanabi.agents.signal.weights import (
    ALIKE,
    ALIKE_EMPTY,
    CRITICAL,
    CRITICAL_RANK,
    END_DECK,
    KNOWN,
    NEEDED,
    NEEDED_NOW,
    NEEDED_RANK,
    RESCUE,
    SAVING,
    SLACK,
)
from kibitz.games.hanabi.cards import KINDS, OF_RANK, RANKS, holds
from kibitz.games.hanabi.state import CARDS


@compiled
def loss(c: Common, kind: int, weights: Numbers) -> float:
    """What it costs to throw a kind away."""
    if holds(c.dead, kind):
        return 0.0
    above = 4 - kind % 5
    if holds(c.last, kind):
        return weights[CRITICAL] + weights[CRITICAL_RANK] * above
    return weights[NEEDED] + weights[NEEDED_RANK] * above + weights[NEEDED_NOW] * int(holds(c.fits, kind))


@compiled
def expected_loss(c: Common, kinds: int, weights: Numbers) -> float:
    """What it costs to throw a card away, by what everybody knows of it; as `loss`, rank by rank."""
    if weights[KNOWN] != 0 and single(kinds):
        return loss(c, lowest_bit(kinds), weights)
    total = copies_left(c, kinds)
    if total == 0:
        return 0.0
    cost = 0.0
    last, needed = kinds & c.last, kinds & ~c.last & ~c.dead
    for rank in range(RANKS):
        above = 4 - rank
        cost += copies_left(c, last & OF_RANK[rank]) * (weights[CRITICAL] + weights[CRITICAL_RANK] * above)
        cost += copies_left(c, needed & OF_RANK[rank]) * (weights[NEEDED] + weights[NEEDED_RANK] * above)
    cost += copies_left(c, needed & c.fits) * weights[NEEDED_NOW]
    return cost / total


@compiled
def next_to_go(c: Common, seat: int, weights: Numbers) -> int:
    """The slot that a seat is likeliest to throw away by what everybody knows; −1 if it knows of something better."""
    for slot in range(c.held[seat]):
        if mask(c, seat, slot) & ~c.fits == 0 or mask(c, seat, slot) & ~c.dead == 0:
            return -1
    best, least = -1, 1e9
    for slot in range(c.held[seat]):
        cost = expected_loss(c, mask(c, seat, slot), weights)
        if cost < least:
            best, least = slot, cost
    return best


@compiled
def equals(c: Common, seat: int, slot: int, weights: Numbers) -> int:
    """The slots that cost least to throw away, or about as little, if this is one of them; else this one alone."""
    least = 1e9
    for other in range(c.held[seat]):
        least = min(least, expected_loss(c, mask(c, seat, other), weights))
    most = least + weights[ALIKE] + (weights[ALIKE_EMPTY] if c.tokens == 0 else 0.0)
    slots = 0
    for other in range(c.held[seat]):
        slots |= int(expected_loss(c, mask(c, seat, other), weights) <= most) << other
    return slots if holds(slots, slot) else 1 << slot


@compiled
def endangered(c: Common, seat: int, weights: Numbers) -> int:
    """The slot that goes next, if nobody knows whether it may be lost; else −1."""
    slot = next_to_go(c, seat, weights)
    if slot >= 0 and (mask(c, seat, slot) & c.last == 0 or mask(c, seat, slot) & ~c.last == 0):
        return -1
    return slot


@compiled
def early(c: Common, weights: Numbers) -> bool:
    """Whether the game is played by rules that others can infer from: before the end of the deck is thought through."""
    return c.countdown < 0 and CARDS - c.drawn > weights[END_DECK]


@compiled
def saving_comes_first(c: Common, weights: Numbers) -> bool:
    """Whether a hint that saves comes before a play."""
    return 0 < c.tokens <= weights[SAVING] and early(c, weights)


@compiled
def save_first(c: Common, mover: int, weights: Numbers) -> int:
    """The slot of the next player that is to be saved before anything is played, if it is critical; else −1."""
    return endangered(c, (mover + 1) % c.players, weights) if saving_comes_first(c, weights) else -1


@compiled
def can_give_up(c: Common, seat: int, most: float, weights: Numbers) -> bool:
    """Whether everybody knows of a card of a seat, besides those that fit, that costs at most so much to throw away."""
    for slot in range(c.held[seat]):
        kinds = mask(c, seat, slot)
        if kinds & ~c.fits != 0 and expected_loss(c, kinds, weights) <= most:
            return True
    return False


@compiled
def rescue(c: Common, mover: int, weights: Numbers) -> int:
    """Without tokens: the slot of the next player that a discard saves, if it is critical; else −1.

    Everybody knows that the mover has a card to play. So if it throws another away, that can only be to save.
    """
    if weights[RESCUE] <= 0 or c.tokens > 0 or not early(c, weights) or known_to_fit(c, mover, c.fits) == 0:
        return -1
    return endangered(c, (mover + 1) % c.players, weights) if can_give_up(c, mover, weights[RESCUE], weights) else -1


@compiled
def locked(c: Common, seat: int, weights: Numbers) -> bool:
    """Whether everybody knows that a seat has nothing to play, and nothing to throw away that is not critical."""
    slot = next_to_go(c, seat, weights)
    return slot >= 0 and mask(c, seat, slot) & ~c.last == 0


@compiled
def room(c: Common) -> int:
    """How many more cards can still be drawn than are to be played."""
    return CARDS - c.drawn - (KINDS - count_bits(c.dead))


@compiled
def in_time(c: Common, weights: Numbers) -> bool:
    """Whether enough cards can still be drawn for all that are to be played, and some more."""
    return room(c) > weights[SLACK]
