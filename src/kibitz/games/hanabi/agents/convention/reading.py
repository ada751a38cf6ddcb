"""Reading moves by the convention: one interpretation shared by giver and receiver, from public information.

The possible kinds of every card are common knowledge (`signal.common_knowledge`). A hint narrows them literally, by its
focus, and by what it says about the focus. A play or a discard narrows them by the hint that was not given.
"""

from typing import Any

import numpy as np

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.convention.hands import (
    NONE,
    PLAYS,
    HandSummary,
    Kinds,
    before_endgame,
    intent,
    on,
    summarize,
)
from kibitz.games.hanabi.agents.convention.weights import (
    COLOUR_NEWEST,
    HINT_OVER_PLAY,
    IMPLICIT_DISCARD,
    MAX_CALLS,
    NO_PLAY_DENIES,
    NO_PLAY_SAVES,
    RANK_NEWEST,
    TOUCHED_AGAIN,
)
from kibitz.games.hanabi.agents.signal.common_knowledge import (
    CommonKnowledge,
    advance,
    begin,
    known_playable,
    mask,
    narrow,
)
from kibitz.games.hanabi.agents.signal.reading import check_revealed, reset_to_hints
from kibitz.games.hanabi.cards import ALL, hinted_kinds, holds
from kibitz.games.hanabi.rules import DISCARD, HINT, event_detail, event_move
from kibitz.games.hanabi.state import COLOUR_MARK, HAND, RANK_MARK, State

# Hints


@compiled
def newest(slots: int) -> int:
    slot = lowest_bit(slots)
    while slots >> (slot + 1):
        slot += 1
    return slot


@compiled
def focus(look: HandSummary, may_play: int, value: int, weights: Numbers) -> int:
    """The focus of a hint, among the touched cards that may be playable; NONE if there is none."""
    if may_play == 0 or (may_play & ~look.touched == 0 and not on(weights, TOUCHED_AGAIN)):
        return NONE
    return newest(may_play) if on(weights, COLOUR_NEWEST if value < 5 else RANK_NEWEST) else lowest_bit(may_play)


@compiled
def read_hint(
    c: CommonKnowledge, seat: int, look: HandSummary, value: int, touched: int, kinds: Kinds, weights: Numbers
) -> None:
    """Write the common knowledge about a hand after a hint into `kinds`.

    A card is left without any kind where the hint implies that it is critical and literally rules this out.
    """
    held, named = c.held[seat], hinted_kinds(value)
    may_play = 0
    for slot in range(held):
        hinted = named if holds(touched, slot) else ~named
        kinds[slot] = mask(c, seat, slot) & hinted
        if kinds[slot] == 0:  # an earlier inference was wrong
            kinds[slot] = c.hinted_kinds[seat][slot] & hinted
        may_play |= int(kinds[slot] & c.playable != 0) << slot
    about = focus(look, may_play & touched & ~look.playable, value, weights)
    if about != NONE:
        kinds[about] &= c.playable
    no_play = intent(c, kinds, held, look.touched | touched, weights).act != PLAYS
    if no_play and on(weights, NO_PLAY_DENIES) and c.players == 2 and before_endgame(c, weights):
        for slot in range(held):
            kinds[slot] &= ~c.playable if kinds[slot] & ~c.playable != 0 else ALL
    if look.in_danger != NONE and implies_save(c, no_play, weights):
        kinds[look.in_danger] &= c.critical


@compiled
def implies_save(c: CommonKnowledge, no_play: bool, weights: Numbers) -> bool:
    """Whether a hint implies that the chop is critical.

    It does if the hinter is known to have a playable card, or if it gives the receiver nothing to play.
    """
    if on(weights, HINT_OVER_PLAY) and known_playable(c, c.to_move, c.playable) != 0:
        return True
    return on(weights, NO_PLAY_SAVES) and no_play


# Discards without a token


@compiled
def discard_candidates(c: CommonKnowledge, seat: int) -> int:
    """The slots a seat chooses from without a token: the useless cards, else the untouched ones."""
    useless, unknown = 0, 0
    for slot in range(c.held[seat]):
        kinds = mask(c, seat, slot)
        useless |= int(kinds & ~c.useless == 0) << slot
        free = c.marks[seat][slot] == 0 and kinds & ~c.critical != 0 and kinds & ~c.playable != 0
        unknown |= int(free) << slot
    return useless if useless else unknown


@compiled
def called_by_discard(c: CommonKnowledge, mover: int, slot: int, kinds: Kinds, weights: Numbers) -> int:
    """The slot that a discard calls the partner to play; NONE if it calls for no play.

    A discard of the first candidate has no message. With the second, the partner plays its newest card that may be
    playable; with the third, its second newest; and so on.
    """
    if c.players != 2 or c.tokens > 0 or not before_endgame(c, weights):
        return NONE
    ready, partner = discard_candidates(c, mover), 1 - mover
    number = count_bits(ready & ((1 << slot) - 1))
    if not holds(ready, slot) or not 0 < number <= weights[MAX_CALLS]:
        return NONE
    if summarize(c, partner, kinds, weights).will.act == PLAYS:
        return NONE
    for other in range(c.held[partner] - 1, -1, -1):
        number -= int(kinds[other] & c.playable != 0)
        if number == 0:
            return other
    return NONE


# The absence of a hint


@compiled
def rule_out(c: CommonKnowledge, seat: int, slot: int, kinds: int) -> None:
    """A card is none of these kinds, unless no other is left: then the signal is ignored."""
    left = mask(c, seat, slot) & ~kinds
    if left != 0:
        c.masks[c.hands[seat][slot]] = left


@compiled
def implies_nothing_playable(c: CommonKnowledge, look: HandSummary, weights: Numbers) -> bool:
    """Whether a discard now implies that none of the partner's cards is playable: it knows of no card to play, and
    there is a hint for nearly every playable card."""
    return (
        on(weights, IMPLICIT_DISCARD)
        and c.players == 2
        and c.tokens > 0
        and look.will.act != PLAYS
        and before_endgame(c, weights)
    )


@compiled
def read_silence(c: CommonKnowledge, discards: bool, kinds: Kinds, weights: Numbers) -> None:
    """Infer from a play or a discard in place of a hint."""
    seat = (c.to_move + 1) % c.players
    look = summarize(c, seat, kinds, weights)
    if look.in_danger != NONE:
        rule_out(c, seat, look.in_danger, c.critical & ~c.playable if discards else c.critical)
    if discards and implies_nothing_playable(c, look, weights):
        for slot in range(c.held[seat]):
            rule_out(c, seat, slot, c.playable)


# All moves


@compiled
def read(c: CommonKnowledge, happened: int, kinds: Kinds, weights: Numbers) -> None:
    """Read the signals of a move, and the literal content of a hint."""
    mover, move = c.to_move, event_move(happened)
    if move < HINT:
        called = called_by_discard(c, mover, move - DISCARD, kinds, weights) if move >= DISCARD else NONE
        if called != NONE:
            narrow(c, c.hands[1 - mover][called], c.playable)
        else:
            read_silence(c, move >= DISCARD, kinds, weights)
        return
    seat, value, touched = (move - HINT) // 10, (move - HINT) % 10, event_detail(happened)
    look = summarize(c, seat, kinds, weights)
    read_hint(c, seat, look, value, touched, kinds, weights)
    named = hinted_kinds(value)
    for slot in range(c.held[seat]):
        c.hinted_kinds[seat][slot] &= named if holds(touched, slot) else ~named
        c.masks[c.hands[seat][slot]] = kinds[slot] if kinds[slot] != 0 else c.hinted_kinds[seat][slot]
        if holds(touched, slot):
            c.marks[seat][slot] |= COLOUR_MARK if value < 5 else RANK_MARK


@compiled
def start(c: CommonKnowledge, view: State) -> None:
    """Start from the table as it is."""
    begin(c, view)
    for seat in range(view.players):
        for slot in range(view.held[seat]):
            c.marks[seat][slot] = view.marks[seat][slot]


@compiled
def catch_up(c: CommonKnowledge, view: State, weights: Numbers) -> None:
    """Read all moves since the last call. After a contradiction only the literal content of hints is kept."""
    if c.begun == 0:
        start(c, view)
    if c.turn < view.turn:
        kinds = np.empty(HAND, np.int64)
        while c.turn < view.turn:
            happened = view.history[c.turn]
            read(c, happened, kinds, weights)
            check_revealed(c, happened)
            advance(c, happened)
            if c.contradicted != 0:
                reset_to_hints(c)


def watch(view: State, public: Any, weights: Numbers) -> None:
    """Read moves as a spectator: all their signals are public."""
    catch_up(public, view, weights)
