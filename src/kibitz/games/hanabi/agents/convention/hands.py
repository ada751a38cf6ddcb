"""A hand as everybody sees it: what its cards can be, which of them goes next, and what its holder is about to do."""

from typing import Any, NamedTuple

from kibitz.core.weights import Numbers
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.convention.weights import ENDGAME_DECK, MIN_CHANCE, SAVE_TOKENS
from kibitz.games.hanabi.agents.signal.common_knowledge import CommonKnowledge, copies_left, mask
from kibitz.games.hanabi.cards import holds
from kibitz.games.hanabi.state import CARDS

NONE = -1
MAX_CONTRADICTIONS = 2  # so many contradictions, and it is plain that somebody plays by other conventions
PLAYS, DISCARDS_USELESS, DISCARDS_CHOP = range(3)
Kinds = Any  # an array: the kinds that each card of a hand can be


class Intent(NamedTuple):
    """What a player does next if it gives no hint, by what everybody knows; its chop may be NONE."""

    act: int
    slot: int


class HandSummary(NamedTuple):
    """A hand before somebody else moves."""

    touched: int  # the slots that hints touched
    playable: int  # the slots of cards of which everybody knows that they fit
    chop: int  # the slot that goes next, or NONE
    will: Intent
    in_danger: int  # the chop, if it is about to go and may have to be kept, so that a hint is due; else NONE


@compiled
def on(weights: Numbers, choice: int) -> bool:
    """Whether a choice that is 1 or 0 is on; a search may try numbers between."""
    return weights[choice] >= 0.5


@compiled
def before_endgame(c: CommonKnowledge, weights: Numbers) -> bool:
    """Whether everybody can infer from what is not said: before the end of the deck is thought through, and while
    moves do not contradict what was inferred."""
    return c.countdown < 0 and CARDS - c.drawn > weights[ENDGAME_DECK] and c.contradictions < MAX_CONTRADICTIONS


@compiled
def touched_slots(c: CommonKnowledge, seat: int) -> int:
    slots = 0
    for slot in range(c.held[seat]):
        slots |= int(c.marks[seat][slot] != 0) << slot
    return slots


@compiled
def likelihood(c: CommonKnowledge, kinds: int, wanted: int) -> float:
    """How likely a card is to be one of the wanted kinds, by what everybody knows."""
    total = copies_left(c, kinds)
    return copies_left(c, kinds & wanted) / total if total > 0 else 0.0


@compiled
def chop_of(c: CommonKnowledge, kinds: Kinds, held: int, touched: int) -> int:
    """The oldest card that no hint touched and that need not be kept or played; NONE if there is none."""
    for slot in range(held):
        if not holds(touched, slot) and kinds[slot] & ~c.critical != 0 and kinds[slot] & ~c.playable != 0:
            return slot
    return NONE


@compiled
def intent(c: CommonKnowledge, kinds: Kinds, held: int, touched: int, weights: Numbers) -> Intent:
    """What the holder of such a hand does next if it gives no hint."""
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
    """Whether a hint that saves comes before all else."""
    return 0 < c.tokens <= weights[SAVE_TOKENS] and before_endgame(c, weights)


@compiled
def summarize(c: CommonKnowledge, seat: int, kinds: Kinds, weights: Numbers) -> HandSummary:
    """A hand before the player to move moves; what its cards can be is written into `kinds`."""
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
