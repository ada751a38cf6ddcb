"""The number that a move encodes.

A hint encodes one of M numbers, by its receiver, by naming a colour or a rank, and by touching an agreed *reference*
slot or not: the one about which least is known. A discard of one of several dispensable cards, or a play of one of
several playable ones, encodes its index among them.
"""

from typing import NamedTuple

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.signal.common_knowledge import CommonKnowledge, copies_left, mask
from kibitz.games.hanabi.agents.signal.weights import ALWAYS_AVAILABLE_LIVES, MAX_UNAVAILABLE
from kibitz.games.hanabi.cards import hinted_kinds, holds
from kibitz.games.hanabi.state import TOKENS


class Codebook(NamedTuple):
    """The codes of hints to one seat: a colour that touches the reference slot, one that misses it, a rank that touches
    it, one that misses it. Those that miss it may share one code, the last, or have none."""

    reference: int
    colour_miss: int  # 1 if a colour that misses it is a code of its own
    rank_miss: int
    shared_miss: int  # 1 if colours and ranks that miss it share a code


@compiled
def size(codebook: Codebook) -> int:
    return 2 + codebook.colour_miss + codebook.rank_miss + codebook.shared_miss


@compiled
def alike(c: CommonKnowledge, one: int, other: int, first: int) -> float:
    """The chance that two cards have the same colour (first 0) or rank (first 5)."""
    pairs = copies_left(c, one) * copies_left(c, other)
    same = 0
    for value in range(first, first + 5):
        named = hinted_kinds(value)
        same += copies_left(c, one & named) * copies_left(c, other & named)
    return same / pairs if pairs > 0 else 1.0


@compiled
def reference_slot(c: CommonKnowledge, seat: int) -> int:
    """The slot about which least is known, the newest of several."""
    best, top = 0, 0
    for slot in range(c.held[seat]):
        open_kinds = count_bits(mask(c, seat, slot))
        if open_kinds >= top:
            best, top = slot, open_kinds
    return best


@compiled
def chance_no_miss(c: CommonKnowledge, seat: int, reference: int, first: int) -> float:
    """The chance that every card has the colour (or rank) of the reference, so that no hint misses it."""
    chance = 1.0
    for slot in range(c.held[seat]):
        if slot != reference:
            chance *= min(1.0, alike(c, mask(c, seat, slot), mask(c, seat, reference), first))
    return chance


@compiled
def codebook_of(c: CommonKnowledge, seat: int, weights: Numbers) -> Codebook:
    """The codes of hints to a seat. With all tokens, when discards are not allowed, all are always available."""
    reference = reference_slot(c, seat)
    if c.tokens == TOKENS and c.lives <= weights[ALWAYS_AVAILABLE_LIVES]:
        return Codebook(reference, 0, 0, 1)
    doubt = weights[MAX_UNAVAILABLE]
    colour_miss = doubt >= 1.0 or chance_no_miss(c, seat, reference, 0) <= doubt
    rank_miss = doubt >= 1.0 or chance_no_miss(c, seat, reference, 5) <= doubt
    return Codebook(reference, int(colour_miss), int(rank_miss), 0)


@compiled
def touching_rank(codebook: Codebook) -> int:
    """The code of a rank that touches the reference slot; a colour that does has code 0."""
    return 1 + codebook.colour_miss


@compiled
def code_in(codebook: Codebook, value: int, touched: int) -> int:
    """The code of a hint to a seat. A miss without a code of its own counts as a touch."""
    touching, alone = (0, codebook.colour_miss) if value < 5 else (touching_rank(codebook), codebook.rank_miss)
    if holds(touched, codebook.reference):
        return touching
    if alone != 0:
        return touching + 1
    return size(codebook) - 1 if codebook.shared_miss != 0 else touching


@compiled
def count_codes(c: CommonKnowledge, mover: int, weights: Numbers) -> int:
    """The modulus M for hints of a seat; this also stores the codebooks."""
    total = 0
    for seat in range(c.players):
        if seat != mover:
            codebook = codebook_of(c, seat, weights)
            c.codebooks[seat, 0], c.codebooks[seat, 1] = codebook.reference, codebook.colour_miss
            c.codebooks[seat, 2], c.codebooks[seat, 3] = codebook.rank_miss, codebook.shared_miss
            total += size(codebook)
    return total


@compiled
def stored_codebook(c: CommonKnowledge, seat: int) -> Codebook:
    """The codes of hints to a seat, as last stored."""
    stored = c.codebooks[seat]
    return Codebook(int(stored[0]), int(stored[1]), int(stored[2]), int(stored[3]))


@compiled
def first_code(c: CommonKnowledge, mover: int, target: int) -> int:
    """The lowest number that a hint to a seat encodes: seats count from the one after the mover."""
    total = 0
    for step in range(1, c.players):
        seat = (mover + step) % c.players
        if seat == target:
            break
        total += size(stored_codebook(c, seat))
    return total


@compiled
def index_among(slots: int, slot: int) -> int:
    """The index of a slot among several: the number that its discard or play encodes."""
    return count_bits(slots & ((1 << slot) - 1))


@compiled
def code_for(c: CommonKnowledge, seat: int, codebook: Codebook, value: int) -> int:
    """With two players: the code for a value of the other hand.

    The first values have the hints that touch the reference slot, which are always available; the last value, no to all
    questions, has the lowest code left.
    """
    rank = touching_rank(codebook)
    if value == 0:
        return 0
    if value == 1:
        return rank if c.asked[seat] > 1 else 1
    return value - 1 if value - 1 < rank else value


@compiled
def value_for(c: CommonKnowledge, seat: int, codebook: Codebook, code: int) -> int:
    """The value of a code; one more than the largest value if it has none."""
    for value in range(c.asked[seat] + 1):
        if code_for(c, seat, codebook, value) == code:
            return value
    return c.asked[seat] + 1
