"""What moves say by the convention: the one reading that giver and receiver share, made from what everybody saw.

Everybody knows of every card the kinds that it can be (`signal.common`). A hint narrows that by its words, by the card
it is about, and by what it says of that card. A play or a discard narrows it by the hint that was not given.
"""

from typing import Any

import numpy as np

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.convention.hands import (
    NONE,
    PLAYS,
    Kinds,
    Look,
    early,
    intent,
    look_at,
    on,
)
from kibitz.games.hanabi.agents.convention.settings import (
    AGAIN,
    CALLS,
    CHOP_FIRST,
    COLOUR_NEWEST,
    DULL,
    DULL_FITS,
    FOCUS_ALL,
    INSTEAD_OF_PLAY,
    NEW_FIRST,
    NEXT,
    RANK_NEWEST,
    SAVE_COLOUR,
    SAVE_RANK,
    SHIFT,
    SILENT_DISCARD,
    USEFUL,
)
from kibitz.games.hanabi.agents.signal.common import Common, begin, known_to_fit, mask, move_on, narrow, single
from kibitz.games.hanabi.agents.signal.reading import check_shown, forget
from kibitz.games.hanabi.cards import ALL, ONES, hinted_kinds, holds
from kibitz.games.hanabi.rules import DISCARD, HINT, event_detail, event_move
from kibitz.games.hanabi.state import COLOUR_MARK, HAND, RANK_MARK, State

# Hints


@compiled
def kinds_to_tell(c: Common, weights: Numbers) -> int:
    """The kinds that a hint tells to play: those that fit; and instead of one that everybody knows to be in a hand, the
    one that follows it."""
    if not on(weights, NEXT):
        return c.fits
    known = 0
    for seat in range(c.players):
        for slot in range(c.held[seat]):
            kinds = mask(c, seat, slot)
            known |= kinds if single(kinds) else 0
    fits, ready = c.fits, c.fits & known
    while ready:
        fits = (fits & ~ready) | ((ready << 1) & ~ONES & ~c.dead & ALL)
        ready = fits & known
    return fits


@compiled
def newest(slots: int) -> int:
    slot = lowest_bit(slots)
    while slots >> (slot + 1):
        slot += 1
    return slot


@compiled
def focus(look: Look, may_fit: int, value: int, held: int, weights: Numbers) -> int:
    """The card that a hint is about, of those it touches that may fit; NONE if there is none."""
    new = may_fit & ~look.touched
    if new and on(weights, NEW_FIRST):
        may_fit = new
    if may_fit == 0 or (new == 0 and not on(weights, AGAIN)):
        return NONE
    if look.chop != NONE and holds(may_fit, look.chop) and weights[CHOP_FIRST] >= (2 if value < 5 else 1):
        return look.chop
    slot = newest(may_fit) if on(weights, COLOUR_NEWEST if value < 5 else RANK_NEWEST) else lowest_bit(may_fit)
    return (slot + int(weights[SHIFT])) % held


@compiled
def read_hint(
    c: Common, seat: int, look: Look, tells: int, value: int, touched: int, kinds: Kinds, weights: Numbers
) -> None:
    """What everybody knows of a hand after a hint, written into `kinds`.

    That is no kind at all where the hint says that a card must be kept, and its words rule that out.
    """
    held, named = c.held[seat], hinted_kinds(value)
    may_fit = 0
    for slot in range(held):
        told = named if holds(touched, slot) else ~named
        kinds[slot] = mask(c, seat, slot) & told
        if kinds[slot] == 0:  # what was read before cannot be so
            kinds[slot] = c.hinted_kinds[seat][slot] & told
        may_fit |= int(kinds[slot] & tells != 0) << slot
    about = focus(look, may_fit & touched & ~look.fits, value, held, weights)
    if about != NONE and holds(may_fit, about):
        saves = about == look.chop and on(weights, SAVE_COLOUR if value < 5 else SAVE_RANK)
        kinds[about] &= tells | c.last if saves else tells
        if weights[FOCUS_ALL] >= (2 if value < 5 else 1):
            for slot in range(held):
                kinds[slot] &= tells if holds(may_fit & touched & ~look.fits, slot) and slot != look.chop else ALL
    if on(weights, USEFUL):
        for slot in range(held):
            if holds(touched & ~look.touched, slot) and kinds[slot] & ~c.dead != 0:
                kinds[slot] &= ~c.dead
    dull = intent(c, kinds, held, look.touched | touched, weights).act != PLAYS
    if dull and on(weights, DULL_FITS) and c.players == 2 and early(c, weights):
        for slot in range(held):
            kinds[slot] &= ~c.fits if kinds[slot] & ~c.fits != 0 else ALL
    if look.in_danger != NONE and says_save(c, dull, weights):
        kinds[look.in_danger] &= c.last


@compiled
def says_save(c: Common, dull: bool, weights: Numbers) -> bool:
    """Whether a hint says that the card in danger must be kept.

    It does if the hinter is known to have a card to play instead, or if it gives the receiver nothing to play.
    """
    if on(weights, INSTEAD_OF_PLAY) and known_to_fit(c, c.to_move, c.fits) != 0:
        return True
    return on(weights, DULL) and dull


# Discards without a token


@compiled
def ready_to_go(c: Common, seat: int) -> int:
    """The slots that a seat chooses from when it has no token: the useless cards, else those that no hint touched."""
    useless, unknown = 0, 0
    for slot in range(c.held[seat]):
        kinds = mask(c, seat, slot)
        useless |= int(kinds & ~c.dead == 0) << slot
        free = c.marks[seat][slot] == 0 and kinds & ~c.last != 0 and kinds & ~c.fits != 0
        unknown |= int(free) << slot
    return useless if useless else unknown


@compiled
def called_by_discard(c: Common, mover: int, slot: int, kinds: Kinds, weights: Numbers) -> int:
    """The slot of the card that a discard tells the partner to play; NONE if it tells of none.

    If the first of the cards that are ready to go goes, nothing is said. If the second goes, the partner plays its
    newest card that may fit; with the third, its second newest; and so on.
    """
    if c.players != 2 or c.tokens > 0 or not early(c, weights):
        return NONE
    ready, partner = ready_to_go(c, mover), 1 - mover
    number = count_bits(ready & ((1 << slot) - 1))
    if not holds(ready, slot) or not 0 < number <= weights[CALLS]:
        return NONE
    if look_at(c, partner, kinds, weights).will.act == PLAYS:
        return NONE
    for other in range(c.held[partner] - 1, -1, -1):
        number -= int(kinds[other] & c.fits != 0)
        if number == 0:
            return other
    return NONE


# Silence


@compiled
def rule_out(c: Common, seat: int, slot: int, kinds: int) -> None:
    """A card is none of these kinds, unless nothing else is left: then somebody did not follow, and it is let be."""
    left = mask(c, seat, slot) & ~kinds
    if left != 0:
        c.masks[c.hands[seat][slot]] = left


@compiled
def says_nothing_fits(c: Common, look: Look, weights: Numbers) -> bool:
    """Whether a discard now says that nothing of the partner's fits: it knows of no card to play, and there is a hint
    for nearly every card that fits."""
    return (
        on(weights, SILENT_DISCARD) and c.players == 2 and c.tokens > 0 and look.will.act != PLAYS and early(c, weights)
    )


@compiled
def read_silence(c: Common, discards: bool, kinds: Kinds, weights: Numbers) -> None:
    """What it says that the player to move plays or discards, and does not hint."""
    seat = (c.to_move + 1) % c.players
    look = look_at(c, seat, kinds, weights)
    if look.in_danger != NONE:
        rule_out(c, seat, look.in_danger, c.last & ~c.fits if discards else c.last)
    if discards and says_nothing_fits(c, look, weights):
        for slot in range(c.held[seat]):
            rule_out(c, seat, slot, c.fits)


# All moves


@compiled
def read(c: Common, happened: int, kinds: Kinds, weights: Numbers) -> None:
    """Take in what a move says beyond itself, and what it says in words."""
    mover, move = c.to_move, event_move(happened)
    if move < HINT:
        called = called_by_discard(c, mover, move - DISCARD, kinds, weights) if move >= DISCARD else NONE
        if called != NONE:
            narrow(c, c.hands[1 - mover][called], c.fits)
        else:
            read_silence(c, move >= DISCARD, kinds, weights)
        return
    seat, value, touched = (move - HINT) // 10, (move - HINT) % 10, event_detail(happened)
    look = look_at(c, seat, kinds, weights)
    read_hint(c, seat, look, kinds_to_tell(c, weights), value, touched, kinds, weights)
    named = hinted_kinds(value)
    for slot in range(c.held[seat]):
        c.hinted_kinds[seat][slot] &= named if holds(touched, slot) else ~named
        c.masks[c.hands[seat][slot]] = kinds[slot] if kinds[slot] != 0 else c.hinted_kinds[seat][slot]
        if holds(touched, slot):
            c.marks[seat][slot] |= COLOUR_MARK if value < 5 else RANK_MARK


@compiled
def start(c: Common, view: State) -> None:
    """Take the table as it lies for the start of everything."""
    begin(c, view)
    for seat in range(view.players):
        for slot in range(view.held[seat]):
            c.marks[seat][slot] = view.marks[seat][slot]


@compiled
def catch_up(c: Common, view: State, weights: Numbers) -> None:
    """Take in all that happened since. If that contradicts itself, only the words of hints are kept."""
    if c.begun == 0:
        start(c, view)
    if c.turn < view.turn:
        kinds = np.empty(HAND, np.int64)
        while c.turn < view.turn:
            happened = view.history[c.turn]
            read(c, happened, kinds, weights)
            check_shown(c, happened)
            move_on(c, happened)
            if c.wrong != 0:
                forget(c)


def watch(view: State, public: Any, weights: Numbers) -> None:
    """Read what happened with the eyes of an onlooker: all that moves say lies open."""
    catch_up(public, view, weights)
