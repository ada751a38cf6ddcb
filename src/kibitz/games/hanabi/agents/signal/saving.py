"""Saves: which card a player would discard next, by common knowledge, and whether it may be critical."""

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.signal.common_knowledge import (
    CommonKnowledge,
    copies_left,
    known_playable,
    mask,
    single,
)
from kibitz.games.hanabi.agents.signal.weights import (
    CRITICAL,
    CRITICAL_RANK,
    ENDGAME_DECK,
    KNOWN_IDENTITY,
    MIN_PACE,
    NEEDED,
    NEEDED_PLAYABLE,
    NEEDED_RANK,
    SAVE_BY_DISCARD,
    SAVE_TOKENS,
    SIMILAR_COST,
    SIMILAR_COST_NO_TOKENS,
)
from kibitz.games.hanabi.cards import KINDS, OF_RANK, RANKS, holds
from kibitz.games.hanabi.state import CARDS


@compiled
def discard_cost(c: CommonKnowledge, kind: int, weights: Numbers) -> float:
    """What it costs to discard a kind."""
    if holds(c.useless, kind):
        return 0.0
    above = 4 - kind % 5
    if holds(c.critical, kind):
        return weights[CRITICAL] + weights[CRITICAL_RANK] * above
    return weights[NEEDED] + weights[NEEDED_RANK] * above + weights[NEEDED_PLAYABLE] * int(holds(c.playable, kind))


@compiled
def expected_discard_cost(c: CommonKnowledge, kinds: int, weights: Numbers) -> float:
    """What it costs to discard a card, by common knowledge: the mean of `discard_cost`, summed rank by rank."""
    if weights[KNOWN_IDENTITY] != 0 and single(kinds):
        return discard_cost(c, lowest_bit(kinds), weights)
    total = copies_left(c, kinds)
    if total == 0:
        return 0.0
    cost = 0.0
    critical, needed = kinds & c.critical, kinds & ~c.critical & ~c.useless
    for rank in range(RANKS):
        above = 4 - rank
        cost += copies_left(c, critical & OF_RANK[rank]) * (weights[CRITICAL] + weights[CRITICAL_RANK] * above)
        cost += copies_left(c, needed & OF_RANK[rank]) * (weights[NEEDED] + weights[NEEDED_RANK] * above)
    cost += copies_left(c, needed & c.playable) * weights[NEEDED_PLAYABLE]
    return cost / total


@compiled
def chop_of(c: CommonKnowledge, seat: int, weights: Numbers) -> int:
    """The slot that a seat discards next by common knowledge; −1 if it has a known playable or useless card."""
    for slot in range(c.held[seat]):
        if mask(c, seat, slot) & ~c.playable == 0 or mask(c, seat, slot) & ~c.useless == 0:
            return -1
    best, least = -1, 1e9
    for slot in range(c.held[seat]):
        cost = expected_discard_cost(c, mask(c, seat, slot), weights)
        if cost < least:
            best, least = slot, cost
    return best


@compiled
def similar_cost_slots(c: CommonKnowledge, seat: int, slot: int, weights: Numbers) -> int:
    """The slots that cost about as little as the cheapest, if this is one of them; else this one alone."""
    least = 1e9
    for other in range(c.held[seat]):
        least = min(least, expected_discard_cost(c, mask(c, seat, other), weights))
    most = least + weights[SIMILAR_COST] + (weights[SIMILAR_COST_NO_TOKENS] if c.tokens == 0 else 0.0)
    slots = 0
    for other in range(c.held[seat]):
        slots |= int(expected_discard_cost(c, mask(c, seat, other), weights) <= most) << other
    return slots if holds(slots, slot) else 1 << slot


@compiled
def chop_at_risk(c: CommonKnowledge, seat: int, weights: Numbers) -> int:
    """The chop, if common knowledge leaves open whether it is critical; else −1."""
    slot = chop_of(c, seat, weights)
    if slot >= 0 and (mask(c, seat, slot) & c.critical == 0 or mask(c, seat, slot) & ~c.critical == 0):
        return -1
    return slot


@compiled
def before_endgame(c: CommonKnowledge, weights: Numbers) -> bool:
    """Whether moves follow the rules that others infer from: before the endgame search begins."""
    return c.countdown < 0 and CARDS - c.drawn > weights[ENDGAME_DECK]


@compiled
def save_precedes_play(c: CommonKnowledge, weights: Numbers) -> bool:
    """Whether a save comes before a play."""
    return 0 < c.tokens <= weights[SAVE_TOKENS] and before_endgame(c, weights)


@compiled
def chop_to_save(c: CommonKnowledge, mover: int, weights: Numbers) -> int:
    """The next player's chop, if it must be saved before a play in case it is critical; else −1."""
    return chop_at_risk(c, (mover + 1) % c.players, weights) if save_precedes_play(c, weights) else -1


@compiled
def has_expendable(c: CommonKnowledge, seat: int, most: float, weights: Numbers) -> bool:
    """Whether a seat has a card, other than known playable ones, that costs at most `most` to discard."""
    for slot in range(c.held[seat]):
        kinds = mask(c, seat, slot)
        if kinds & ~c.playable != 0 and expected_discard_cost(c, kinds, weights) <= most:
            return True
    return False


@compiled
def save_by_discard(c: CommonKnowledge, mover: int, weights: Numbers) -> int:
    """Without tokens: the next player's chop, if a discard saves it in case it is critical; else −1.

    The mover is known to have a playable card, so a discard of another card can only be a save.
    """
    if (
        weights[SAVE_BY_DISCARD] <= 0
        or c.tokens > 0
        or not before_endgame(c, weights)
        or known_playable(c, mover, c.playable) == 0
    ):
        return -1
    return (
        chop_at_risk(c, (mover + 1) % c.players, weights)
        if has_expendable(c, mover, weights[SAVE_BY_DISCARD], weights)
        else -1
    )


@compiled
def locked(c: CommonKnowledge, seat: int, weights: Numbers) -> bool:
    """Whether a seat is locked: known to hold nothing playable, and only critical cards to discard."""
    slot = chop_of(c, seat, weights)
    return slot >= 0 and mask(c, seat, slot) & ~c.critical == 0


@compiled
def pace(c: CommonKnowledge) -> int:
    """The pace: the number of cards still to be drawn minus the number still to be played."""
    return CARDS - c.drawn - (KINDS - count_bits(c.useless))


@compiled
def pace_suffices(c: CommonKnowledge, weights: Numbers) -> bool:
    """Whether there is time to discard."""
    return pace(c) > weights[MIN_PACE]
