"""Hint selection: every hint is read as its receiver will read it, and valued by what the receiver then does."""

from typing import NamedTuple

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.choices import slots_of
from kibitz.games.hanabi.agents.convention.hands import (
    DISCARDS_CHOP,
    NONE,
    PLAYS,
    HandSummary,
    Intent,
    Kinds,
    intent,
    summarize,
)
from kibitz.games.hanabi.agents.convention.reading import read_hint
from kibitz.games.hanabi.agents.convention.weights import (
    VALUE_KNOWN,
    VALUE_MORE_PLAYS,
    VALUE_NARROWING,
    VALUE_PLAY,
    VALUE_SAVE,
    VALUE_USELESS,
)
from kibitz.games.hanabi.agents.signal.common_knowledge import CommonKnowledge, mask, single
from kibitz.games.hanabi.cards import hinted_kinds, holds
from kibitz.games.hanabi.knowledge import kind_of
from kibitz.games.hanabi.state import State


class RatedHint(NamedTuple):
    """A hint and its effects."""

    seat: int
    value: int
    about: int  # the slot of a playable card that becomes known, else of a touched card
    worth: float  # FALSE if it implies something false, MISPLAY if the receiver then misplays
    helps: bool  # a playable card becomes known
    points_lost: int  # by the receiver's next discard


class Hints(NamedTuple):
    """The best hint, which may be harmful, the best that helps and the best that saves; NO_HINT if there is none."""

    best: RatedHint
    helping: RatedHint
    saving: RatedHint


FALSE, MISPLAY, IMPOSSIBLE = -100.0, -200.0, -300.0  # the worth of harmful hints
NO_HINT = RatedHint(NONE, NONE, NONE, IMPOSSIBLE, False, 9)
NO_HINTS = Hints(NO_HINT, NO_HINT, NO_HINT)


@compiled
def points_at_stake(c: CommonKnowledge, view: State, seat: int, will: Intent) -> int:
    """The points lost for good if a player does what it is about to do."""
    if will.act != DISCARDS_CHOP or will.slot == NONE or not holds(c.critical, kind_of(view, seat, will.slot)):
        return 0
    return 5 - kind_of(view, seat, will.slot) % 5


@compiled
def rated(
    c: CommonKnowledge, view: State, seat: int, look: HandSummary, value: int, kinds: Kinds, weights: Numbers
) -> RatedHint:
    """Rate a hint by its effects."""
    touched = slots_of(view, seat, hinted_kinds(value))
    read_hint(c, seat, look, value, touched, kinds, weights)
    worth, plays, done, about, true = 0.0, 0, 0, lowest_bit(touched), True
    for slot in range(view.held[seat]):
        kind, was, now = kind_of(view, seat, slot), mask(c, seat, slot), kinds[slot]
        true = true and (holds(now, kind) or not holds(was, kind))
        if holds(c.playable, kind) and now & ~c.playable == 0 and was & ~c.playable != 0 and not holds(done, kind):
            about = slot if plays == 0 else about
            plays += 1
            done |= 1 << kind
        if holds(touched & ~look.touched, slot):
            if holds(c.useless, kind):
                worth -= weights[VALUE_USELESS]
            elif holds(c.critical, kind):
                worth += weights[VALUE_SAVE]
        if (single(now) and not single(was)) or (now & ~c.useless == 0 and was & ~c.useless != 0):
            worth += weights[VALUE_KNOWN]
        worth += weights[VALUE_NARROWING] * (count_bits(was) - count_bits(now)) / 10
    will = intent(c, kinds, view.held[seat], look.touched | touched, weights)
    if plays > 0:
        worth += weights[VALUE_PLAY] + weights[VALUE_MORE_PLAYS] * (plays - 1)
    if will.act == PLAYS and not holds(c.playable, kind_of(view, seat, will.slot)):
        worth = MISPLAY
    elif not true:
        worth = FALSE
    return RatedHint(seat, value, about, worth, plays > 0, points_at_stake(c, view, seat, will))


@compiled
def best_hints(c: CommonKnowledge, view: State, kinds: Kinds, weights: Numbers) -> Hints:
    """The hint worth most, the helping hint worth most, and the hint after which fewest points are lost."""
    best, helping, saving = NO_HINT, NO_HINT, NO_HINT
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        look = summarize(c, seat, kinds, weights)
        for value in range(10):
            if holds(view.values[seat], value):
                hint = rated(c, view, seat, look, value, kinds, weights)
                if hint.worth > best.worth:
                    best = hint
                if hint.worth < 0.0:
                    continue
                if hint.helps and hint.worth > helping.worth:
                    helping = hint
                if hint.points_lost < saving.points_lost or (
                    hint.points_lost == saving.points_lost and hint.worth > saving.worth
                ):
                    saving = hint
    return Hints(best, helping, saving)
