"""Choose the move that encodes a number: which hint, or which of several cards."""

from typing import Any

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits, nth_bit
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.signal.codes import code_for, code_in, count_codes, size, stored_codebook
from kibitz.games.hanabi.agents.signal.common_knowledge import DRAFT, NOW, CommonKnowledge, mask, single
from kibitz.games.hanabi.agents.signal.implicit_signals import before_hint, implies_save
from kibitz.games.hanabi.agents.signal.questions import ask_everybody, learn, value_of
from kibitz.games.hanabi.cards import hinted_kinds, holds
from kibitz.games.hanabi.knowledge import kind_of
from kibitz.games.hanabi.rules import HINT, legal_hints
from kibitz.games.hanabi.state import State

NO_MOVE = -1


@compiled
def sum_of_values(c: CommonKnowledge, view: State, modulus: int, weights: Numbers) -> int:
    """The sum of the values of all other hands."""
    ask_everybody(c, view.seat, modulus, weights)
    total = 0
    for seat in range(c.players):
        if seat != view.seat:
            total += value_of(c, view, seat)
    return total % modulus


@compiled
def touched_by(view: State, seat: int, value: int) -> int:
    """The slots that a hint would touch."""
    named, touched = hinted_kinds(value), 0
    for slot in range(view.held[seat]):
        touched |= int(holds(named, kind_of(view, seat, slot))) << slot
    return touched


@compiled
def literal_worth(c: CommonKnowledge, seat: int, value: int, touched: int) -> int:
    """How much a hint reveals literally: kinds ruled out, more where a card becomes known playable or dispensable."""
    named, worth = hinted_kinds(value), 0
    playable = c.playable_at[seat]
    dispensable = c.dispensable[seat] & ~playable
    for slot in range(c.held[seat]):
        kinds = mask(c, seat, slot) & (named if holds(touched, slot) else ~named)
        worth += 50 if kinds & ~playable == 0 else 20 if kinds & ~dispensable == 0 else 0
        worth += 10 if single(kinds) else 0
        worth -= count_bits(kinds & ~dispensable)
    return worth


@compiled
def hint_encoding(tables: Any, view: State, weights: Numbers) -> int:
    """The hint that encodes the sum, of several the one that literally reveals most; NO_MOVE if there is none."""
    me = view.seat
    inferred = implies_save(tables[NOW], me, weights)
    if inferred:
        tables[DRAFT] = tables[NOW]
        before_hint(tables[DRAFT], me, weights)
    c = tables[DRAFT if inferred else NOW]
    total = sum_of_values(c, view, count_codes(c, me, weights), weights)
    if c.players == 2:
        total = code_for(c, 1 - me, stored_codebook(c, 1 - me), total)
    if not inferred:
        tables[DRAFT] = tables[NOW]
    after = tables[DRAFT]
    best, top = NO_MOVE, -1000
    first = 0
    for step in range(1, c.players):
        seat = (me + step) % c.players
        codebook = stored_codebook(c, seat)
        if first <= total < first + size(codebook):
            learn(after, seat, value_of(after, view, seat))
            for value in range(10):
                if holds(legal_hints(view, seat), value):
                    touched = touched_by(view, seat, value)
                    if first + code_in(codebook, value, touched) == total:
                        worth = literal_worth(after, seat, value, touched)
                        if worth > top:
                            best, top = HINT + 10 * seat + value, worth
        first += size(codebook)
    return best


@compiled
def slot_encoding(c: CommonKnowledge, view: State, slots: int, weights: Numbers) -> int:
    """The slot whose play or discard encodes the sum."""
    return nth_bit(slots, sum_of_values(c, view, count_bits(slots), weights))
