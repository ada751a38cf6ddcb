"""What moves say by the convention, to everybody: the one reading that giver and receiver share.

Everybody knows of every card the kinds that it can be (`signal.common`). A hint narrows that by its words, by which
card it is about, and by what it promises of that card; a play or a discard by the hint that was not given.
"""

from typing import Any, NamedTuple

from kibitz.core.bits import count_bits, lowest_bit
from kibitz.core.compile import compiled
from kibitz.core.weights import Numbers
from kibitz.hanabi.agents.convention.settings import (
    AGAIN,
    CHOP_FIRST,
    CALL_TOKENS,
    CALLS,
    CHAIN,
    COLOUR_NEWEST,
    COPIES,
    DULL_FITS,
    DULL_HINT,
    END_DECK,
    GOOD_TOUCH,
    NEW_FIRST,
    NO_CALL,
    RANK_NEWEST,
    SAVE_COLOUR,
    SAVE_RANK,
    SAVING_HINT,
    SILENT_DISCARD,
    SILENT_PLAY,
    TRUST_LAST_LIFE,
    TRUST_PUBLIC,
)
from kibitz.hanabi.agents.signal.common import Common, begin, copies_left, known_to_fit, mask, move_on, narrow, single
from kibitz.hanabi.agents.signal.reading import check_shown, forget
from kibitz.hanabi.cards import ALL, ONES, hinted_kinds, holds
from kibitz.hanabi.rules import DISCARD, HINT, event_detail, event_move
from kibitz.hanabi.state import CARDS, COLOUR_TOLD, RANK_TOLD, State

NONE = -1
PLAYS, THROWS_TRASH, THROWS_CHOP = range(3)
Kinds = Any  # an array: the kinds that each card of a hand can be


class Intent(NamedTuple):
    """What a player is about to do if it gives no hint, by what everybody knows."""

    act: int
    slot: int


@compiled
def newest(slots: int) -> int:
    slot = lowest_bit(slots)
    while slots >> (slot + 1):
        slot += 1
    return slot


@compiled
def clued(c: Common, seat: int) -> int:
    """The slots that a hint ever touched."""
    slots = 0
    for slot in range(c.held[seat]):
        slots |= int(c.marks[seat][slot] != 0) << slot
    return slots


@compiled
def kinds_of(c: Common, seat: int, kinds: Kinds) -> None:
    """Note what everybody knows of a hand."""
    for slot in range(c.held[seat]):
        kinds[slot] = mask(c, seat, slot)


@compiled
def likelihood(c: Common, kinds: int, wanted: int) -> float:
    """How likely a card is to be one of the wanted kinds, by what everybody knows."""
    if kinds & ~wanted == 0:
        return 1.0
    if kinds & wanted == 0:
        return 0.0
    total = copies_left(c, kinds)
    return copies_left(c, kinds & wanted) / total if total > 0 else 0.0


@compiled
def chop_of(c: Common, kinds: Kinds, held: int, touched: int) -> int:
    """The oldest card that no hint touched, unless it must be kept or played; NONE if there is none."""
    for slot in range(held):
        if not holds(touched, slot) and kinds[slot] & ~c.last != 0 and kinds[slot] & ~c.fits != 0:
            return slot
    return NONE


@compiled
def trust(c: Common, weights: Numbers) -> float:
    """From which chance on a card is played."""
    return weights[TRUST_PUBLIC] if c.lives > 1 else weights[TRUST_LAST_LIFE]


@compiled
def known_in(c: Common, seat: int) -> int:
    """The kinds that everybody knows to be in a hand."""
    kinds = 0
    for slot in range(c.held[seat]):
        if single(mask(c, seat, slot)):
            kinds |= mask(c, seat, slot)
    return kinds


@compiled
def useless_slots(c: Common, seat: int, weights: Numbers) -> int:
    """The slots of cards of which everybody knows that they are not needed: a copy may be known in another hand."""
    spare = c.dead
    if weights[COPIES] != 0:
        for other in range(c.players):
            if other != seat:
                spare |= known_in(c, other)
    slots = 0
    for slot in range(c.held[seat]):
        slots |= int(mask(c, seat, slot) & ~spare == 0) << slot
    return slots


@compiled
def ready_to_go(c: Common, seat: int, weights: Numbers) -> int:
    """The slots that a seat chooses from when it throws a card away and that says which card the other should play.

    They are those of cards that are not needed; without a token left, else those that no hint touched.
    """
    useless = useless_slots(c, seat, weights)
    if useless or c.tokens > weights[CALL_TOKENS]:
        return useless
    slots = 0
    for slot in range(c.held[seat]):
        kinds = mask(c, seat, slot)
        if c.marks[seat][slot] == 0 and kinds & ~c.last != 0 and kinds & ~c.fits != 0:
            slots |= 1 << slot
    return slots


@compiled
def nth_newest_that_may_fit(c: Common, held: int, kinds: Kinds, number: int) -> int:
    """The newest card that may fit, or the second newest, and so on; NONE if there are not as many."""
    for slot in range(held - 1, -1, -1):
        if kinds[slot] & c.fits != 0:
            number -= 1
            if number == 0:
                return slot
    return NONE


@compiled
def called_by_discard(c: Common, mover: int, slot: int, kinds: Kinds, weights: Numbers) -> int:
    """The card of the other player that a discard tells to play; NONE if it tells of none.

    If the oldest of the cards that are ready to go goes, nothing is said. If the next goes, the other plays its newest
    card that may fit; with the one after that, its second newest.
    """
    if c.players != 2 or not early(c, weights):
        return NONE
    ready = ready_to_go(c, mover, weights)
    number = count_bits(ready & ((1 << slot) - 1))
    if not holds(ready, slot) or not 0 < number <= weights[CALLS] or not help_wanted(c, 1 - mover, kinds, weights):
        return NONE
    return nth_newest_that_may_fit(c, c.held[1 - mover], kinds, number)


@compiled
def note_no_call(c: Common, mover: int, slot: int, kinds: Kinds, weights: Numbers) -> None:
    """Without a token, who throws the oldest card away that is ready to go says that no other discard was called for."""
    if c.players != 2 or not early(c, weights) or c.tokens > weights[CALL_TOKENS] or not help_wanted(c, 1 - mover, kinds, weights):
        return
    ready = ready_to_go(c, mover, weights)
    if not holds(ready, slot) or ready & ((1 << slot) - 1) != 0:
        return
    for number in range(1, min(count_bits(ready) - 1, int(weights[CALLS])) + 1):
        other = nth_newest_that_may_fit(c, c.held[1 - mover], kinds, number)
        if other != NONE:
            rule_out(c, 1 - mover, other, c.fits)


@compiled
def help_wanted(c: Common, seat: int, kinds: Kinds, weights: Numbers) -> bool:
    """Whether a seat knows of no card to play."""
    kinds_of(c, seat, kinds)
    return intent(c, kinds, c.held[seat], clued(c, seat), weights).act != PLAYS


@compiled
def intent(c: Common, kinds: Kinds, held: int, touched: int, weights: Numbers) -> Intent:
    """What the holder of such a hand does next if it gives no hint."""
    best, most = NONE, trust(c, weights)
    for slot in range(held):
        likely = likelihood(c, kinds[slot], c.fits)
        if likely >= 1.0:
            return Intent(PLAYS, slot)
        if likely >= most:
            best, most = slot, likely
    if best != NONE:
        return Intent(PLAYS, best)
    for slot in range(held):
        if kinds[slot] & ~c.dead == 0:
            return Intent(THROWS_TRASH, slot)
    return Intent(THROWS_CHOP, chop_of(c, kinds, held, touched))


# Hints


@compiled
def due_kinds(c: Common, weights: Numbers) -> int:
    """The kinds that a hint can tell to play: those that fit, and those that follow cards of which everybody knows
    that they are about to be played; a second copy of such a card is not told."""
    if weights[CHAIN] == 0:
        return c.fits
    known = 0
    for seat in range(c.players):
        for slot in range(c.held[seat]):
            if single(mask(c, seat, slot)):
                known |= mask(c, seat, slot)
    fits, ready = c.fits, c.fits & known
    while ready:
        fits = (fits & ~ready) | (ready << 1) & ~ONES & ~c.dead & ALL
        ready = fits & known
    return fits


@compiled
def focus(c: Common, kinds: Kinds, fits: int, value: int, touched: int, before: int, chop: int, weights: Numbers) -> int:
    """The card that a hint is about: one that it touches and that may fit; NONE if there is none.

    `kinds` are what the cards can be by the words of the hint, `before` the slots that were touched earlier.
    """
    may_fit = 0
    rest = touched
    while rest:
        slot = lowest_bit(rest)
        rest &= rest - 1
        if kinds[slot] & fits != 0:
            may_fit |= 1 << slot
    if may_fit & ~before and weights[NEW_FIRST] != 0:
        may_fit &= ~before
    if may_fit & ~before == 0 and weights[AGAIN] == 0:
        return NONE
    if may_fit == 0:
        return NONE
    if chop != NONE and holds(may_fit, chop) and weights[CHOP_FIRST] >= (2 if value < 5 else 1):
        return chop
    if weights[COLOUR_NEWEST if value < 5 else RANK_NEWEST] != 0:
        return newest(may_fit)
    return lowest_bit(may_fit)


@compiled
def says_save(c: Common, dull: bool, weights: Numbers) -> bool:
    """Whether a hint says that the card in danger must be kept.

    It does if the hinter is known to have a card to play instead, or if it gives the receiver nothing to play.
    """
    if weights[SAVING_HINT] != 0 and known_to_fit(c, c.to_move, c.fits) != 0:
        return True
    return weights[DULL_HINT] != 0 and dull


@compiled
def read_hint(c: Common, seat: int, value: int, touched: int, weights: Numbers, kinds: Kinds) -> int:
    """What everybody knows of a hand after a hint, written into `kinds`; the card that it was about, or NONE."""
    next_seat = (c.to_move + 1) % c.players
    in_danger = endangered(c, seat, kinds, weights) if seat == next_seat and saving_due(c, weights) else NONE
    kinds_of(c, seat, kinds)
    held, before, named = c.held[seat], clued(c, seat), hinted_kinds(value)
    chop = chop_of(c, kinds, held, before)
    fit = 0
    for slot in range(held):
        fit |= int(kinds[slot] & ~c.fits == 0) << slot
        told = named if holds(touched, slot) else ~named
        kinds[slot] &= told
        if kinds[slot] == 0:  # what was read before cannot be so
            kinds[slot] = c.told[seat][slot] & told
    fits = due_kinds(c, weights)
    about = focus(c, kinds, fits, value, touched & ~fit, before, chop, weights)
    if about != NONE:
        saves = weights[SAVE_COLOUR if value < 5 else SAVE_RANK] != 0
        kinds[about] &= fits | c.last if about == chop and saves else fits
    if weights[GOOD_TOUCH] != 0:
        for slot in range(held):
            if holds(touched & ~before, slot) and kinds[slot] & ~c.dead != 0:
                kinds[slot] &= ~c.dead
    dull = intent(c, kinds, held, before | touched, weights).act != PLAYS
    if dull and weights[DULL_FITS] != 0 and c.players == 2 and early(c, weights):
        for slot in range(held):
            if kinds[slot] & ~c.fits != 0:
                kinds[slot] &= ~c.fits
    if in_danger != NONE and says_save(c, dull, weights):
        kinds[in_danger] &= c.last
    return about


# Silence


@compiled
def early(c: Common, weights: Numbers) -> bool:
    """Whether the game is played by rules that others can infer from: before the end of the deck is thought through."""
    return c.countdown < 0 and CARDS - c.drawn > weights[END_DECK]


@compiled
def endangered(c: Common, seat: int, kinds: Kinds, weights: Numbers) -> int:
    """The card a seat throws away next, if that may or may not be one that must be kept; else NONE."""
    kinds_of(c, seat, kinds)
    act, slot = intent(c, kinds, c.held[seat], clued(c, seat), weights)
    if act != THROWS_CHOP or slot == NONE or kinds[slot] & c.last == 0:
        return NONE
    return slot


@compiled
def saving_due(c: Common, weights: Numbers) -> bool:
    """Whether a hint that saves comes before all else."""
    return 0 < c.tokens <= weights[SILENT_PLAY] and early(c, weights)


@compiled
def help_due(c: Common, seat: int, kinds: Kinds, weights: Numbers) -> bool:
    """Whether a seat with a card that fits would be told before anything is thrown away: it knows of none."""
    kinds_of(c, seat, kinds)
    act, _ = intent(c, kinds, c.held[seat], clued(c, seat), weights)
    return weights[SILENT_DISCARD] != 0 and c.tokens > 0 and early(c, weights) and act != PLAYS


@compiled
def rule_out(c: Common, seat: int, slot: int, kinds: int) -> None:
    """A card is none of these kinds, unless nothing else is left."""
    left = mask(c, seat, slot) & ~kinds
    if left != 0:
        c.masks[c.hands[seat][slot]] = left


@compiled
def note_silence(c: Common, mover: int, discards: bool, kinds: Kinds, weights: Numbers) -> None:
    """What it says that somebody plays or discards, and does not hint."""
    seat = (mover + 1) % c.players
    helps = discards and c.players == 2 and help_due(c, seat, kinds, weights)
    slot = endangered(c, seat, kinds, weights) if saving_due(c, weights) else NONE
    if slot != NONE:
        rule_out(c, seat, slot, c.last & ~c.fits if discards else c.last)
    if helps:
        for slot in range(c.held[seat]):
            rule_out(c, seat, slot, c.fits)


# All moves


@compiled
def read(c: Common, happened: int, kinds: Kinds, weights: Numbers) -> None:
    """Take in what a move says beyond itself, and what it says in words."""
    mover, move = c.to_move, event_move(happened)
    if move < HINT:
        called = called_by_discard(c, mover, move - DISCARD, kinds, weights) if move >= DISCARD else NONE
        if called == NONE:
            note_silence(c, mover, move >= DISCARD, kinds, weights)
            if move >= DISCARD and weights[NO_CALL] != 0:
                note_no_call(c, mover, move - DISCARD, kinds, weights)
        else:
            narrow(c, c.hands[1 - mover][called], c.fits)
        return
    seat, value, touched = (move - HINT) // 10, (move - HINT) % 10, event_detail(happened)
    read_hint(c, seat, value, touched, weights, kinds)
    named = hinted_kinds(value)
    for slot in range(c.held[seat]):
        told = named if holds(touched, slot) else ~named
        c.told[seat][slot] &= told
        c.masks[c.hands[seat][slot]] = kinds[slot]
        if holds(touched, slot):
            c.marks[seat][slot] |= COLOUR_TOLD if value < 5 else RANK_TOLD


@compiled
def take_in(c: Common, view: State, kinds: Kinds, weights: Numbers) -> None:
    """Bring what everybody knows up to date."""
    if c.begun == 0:
        begin(c, view)
        for seat in range(view.players):
            for slot in range(view.held[seat]):
                c.marks[seat][slot] = view.marks[seat][slot]
    while c.turn < view.turn:
        happened = view.history[c.turn]
        read(c, happened, kinds, weights)
        check_shown(c, happened)
        move_on(c, happened)
        if c.wrong != 0:
            forget(c)
