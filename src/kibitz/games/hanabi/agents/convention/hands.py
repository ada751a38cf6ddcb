"""A hand by common knowledge: its possible kinds, its chop, and what its holder is about to do."""

from typing import Any, NamedTuple

from kibitz.core.weights import Numbers
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.convention.weights import ENDGAME_DECK, MIN_CHANCE, SAVE_TOKENS
from kibitz.games.hanabi.agents.signal.common_knowledge import CommonKnowledge, copies_left, mask
from kibitz.games.hanabi.cards import holds
from kibitz.games.hanabi.state import CARDS

NONE = -1
MAX_CONTRADICTIONS = 2  # after this many, a player clearly follows other conventions
PLAYS, DISCARDS_USELESS, DISCARDS_CHOP = range(3)
Kinds = Any  # an array: the kinds that each card of a hand can be


class Intent(NamedTuple):
    """What a player does next, by common knowledge, if it gives no hint; its slot may be NONE."""

    act: int
    slot: int


class HandSummary(NamedTuple):
    """A hand before another player's move."""

    touched: int  # slots touched by hints
    playable: int  # slots of publicly playable cards
    chop: int  # the slot discarded next, or NONE
    will: Intent
    in_danger: int  # the chop, if it is about to be discarded and may be critical, so that a save is due; else NONE


@compiled
def on(weights: Numbers, choice: int) -> bool:
    """Whether a choice that is 1 or 0 is on. Tuning may try numbers in between."""
    return weights[choice] >= 0.5


@compiled
def before_endgame(c: CommonKnowledge, weights: Numbers) -> bool:
    """Whether the absence of a hint carries information: before the endgame search, and while there were few
    contradictions."""
    return c.countdown < 0 and CARDS - c.drawn > weights[ENDGAME_DECK] and c.contradictions < MAX_CONTRADICTIONS


@compiled
def touched_slots(c: CommonKnowledge, seat: int) -> int:
    slots = 0
    for slot in range(c.held[seat]):
        slots |= int(c.marks[seat][slot] != 0) << slot
    return slots


@compiled
def likelihood(c: CommonKnowledge, kinds: int, wanted: int) -> float:
    """The chance that a card is one of the wanted kinds, by common knowledge."""
    total = copies_left(c, kinds)
    return copies_left(c, kinds & wanted) / total if total > 0 else 0.0


@compiled
def chop_of(c: CommonKnowledge, kinds: Kinds, held: int, touched: int) -> int:
    """The oldest untouched card that is neither surely critical nor surely playable; NONE if there is none."""
    for slot in range(held):
        if not holds(touched, slot) and kinds[slot] & ~c.critical != 0 and kinds[slot] & ~c.playable != 0:
            return slot
    return NONE


@compiled
def intent(c: CommonKnowledge, kinds: Kinds, held: int, touched: int, weights: Numbers) -> Intent:
    """What the holder of a hand does next if it gives no hint."""
    best, most, useless = NONE, weights[MIN_CHANCE], NONE
    for slot in range(held):
        if kinds[slot] & ~c.playable == 0:
            return Intent(PLAYS, slot)
        if kinds[slot] & ~c.useless == 0:
            useless = slot if useless == NONE else useless
        elif c.lives > 1 and kinds[slot] & c.playable != 0:
            likely = likelihood(c, kinds[slot], c.playable)
            if likely >= most:
                best, most = slot, likely
    if best != NONE:
        return Intent(PLAYS, best)
    if useless != NONE:
        return Intent(DISCARDS_USELESS, useless)
    return Intent(DISCARDS_CHOP, chop_of(c, kinds, held, touched))


@compiled
def saving_due(c: CommonKnowledge, weights: Numbers) -> bool:
    """Whether a save comes before everything else."""
    return 0 < c.tokens <= weights[SAVE_TOKENS] and before_endgame(c, weights)


@compiled
def summarize(c: CommonKnowledge, seat: int, kinds: Kinds, weights: Numbers) -> HandSummary:
    """Summarize a hand before the next move; its possible kinds are written into `kinds`."""
    playable, held, touched = 0, c.held[seat], touched_slots(c, seat)
    for slot in range(held):
        kinds[slot] = mask(c, seat, slot)
        playable |= int(kinds[slot] & ~c.playable == 0) << slot
    will = intent(c, kinds, held, touched, weights)
    chop, in_danger = chop_of(c, kinds, held, touched), NONE
    next_to_move = seat == (c.to_move + 1) % c.players
    if will.act == DISCARDS_CHOP and chop != NONE and next_to_move and saving_due(c, weights):
        in_danger = chop if kinds[chop] & c.critical != 0 else NONE
    return HandSummary(touched, playable, chop, will, in_danger)
