"""The player `convention2`."""

from typing import Any, NamedTuple

import numpy as np

from kibitz.core.bits import count_bits, lowest_bit
from kibitz.core.compile import compiled, struct_dtype
from kibitz.core.loop import decision, move_of
from kibitz.core.weights import Numbers
from kibitz.hanabi.agents import agent
from kibitz.hanabi.agents.choices import discarding, may_discard, playing, slots_of, telling
from kibitz.hanabi.agents.convention.reading import (
    NONE,
    PLAYS,
    THROWS_CHOP,
    Intent,
    Kinds,
    called_by_discard,
    chop_of,
    clued,
    due_kinds,
    early,
    endangered,
    help_due,
    intent,
    kinds_of,
    likelihood,
    read_hint,
    saving_due,
    take_in,
    useless_slots,
)
from kibitz.hanabi.agents.convention.settings import *
from kibitz.hanabi.agents.signal.common import COMMON, Common, known_to_fit, mask, single
from kibitz.hanabi.agents.signal.endgame import END_WORLD, Effort, think
from kibitz.hanabi.agents.signal.hand import OWN, Own, best_play, likeliest_play, look, unseen_copies
from kibitz.hanabi.agents.signal.pace import DISCARDS, HINTS, Plan
from kibitz.hanabi.agents.signal.pace import PLAYS as PLAN_PLAYS
from kibitz.hanabi.cards import ALL, KINDS, hinted_kinds, holds
from kibitz.hanabi.knowledge import kind_of
from kibitz.hanabi.rules import allowed, legal, legal_hints
from kibitz.hanabi.state import CARDS, HAND, TOKENS, State

MEMORY = struct_dtype([("own", OWN), ("world", END_WORLD)])


class Told(NamedTuple):
    """A hint, and what it would do: how much it is worth, whether its receiver then plays a card that fits and did not
    before, and whether it is about to throw away a card that must be kept."""

    seat: int
    value: int
    about: int
    worth: float
    helps: bool
    loss: int  # points that the receiver then throws away for good


def watch(view: State, public: Any, weights: Numbers) -> None:
    take_in(public, view, np.empty(HAND, np.int64), weights)


@compiled
def known_kinds(c: Common, seat: int) -> int:
    """Kinds that everybody knows to be in a hand."""
    kinds = 0
    for slot in range(c.held[seat]):
        if single(mask(c, seat, slot)):
            kinds |= mask(c, seat, slot)
    return kinds


@compiled
def points_lost(c: Common, view: State, seat: int, act: int, slot: int) -> int:
    """The points that are lost for good if a seat does so."""
    if act != THROWS_CHOP or slot == NONE or not holds(c.last, kind_of(view, seat, slot)):
        return 0
    return 5 - kind_of(view, seat, slot) % 5


@compiled
def judged(c: Common, view: State, seat: int, value: int, kinds: Kinds, weights: Numbers) -> Told:
    """What a hint would do."""
    touched = slots_of(view, seat, hinted_kinds(value))
    before, held = clued(c, seat), view.held[seat]
    about = read_hint(c, seat, value, touched, weights, kinds)
    nothing = Told(seat, value, about, -1.0, False, 9)
    worth, new_plays, done = 0.0, 0, 0
    due = due_kinds(c, weights) | c.fits
    for slot in range(held):
        kind = kind_of(view, seat, slot)
        was = mask(c, seat, slot)
        if holds(was, kind) and not holds(kinds[slot], kind):
            return nothing
        if holds(due, kind) and kinds[slot] & ~due == 0 and was & ~due != 0 and not holds(done, kind):
            new_plays += 1
            done |= 1 << kind
        if holds(touched & ~before, slot):
            if holds(c.dead, kind):
                worth -= weights[BAD_TOUCH]
            elif holds(c.last, kind):
                worth += weights[WORTH_SAVE]
        if single(kinds[slot]) and not single(was):
            worth += weights[WORTH_KNOWN]
        if kinds[slot] & ~c.dead == 0 and was & ~c.dead != 0:
            worth += weights[WORTH_KNOWN]
        worth += weights[WORTH_BITS] * (count_bits(was) - count_bits(kinds[slot])) / 10
    act, slot = intent(c, kinds, held, before | touched, weights)
    plays = act == PLAYS
    if plays and not holds(c.fits, kind_of(view, seat, slot)):
        return nothing
    loss = points_lost(c, view, seat, act, slot)
    if new_plays > 0:
        worth += weights[WORTH_PLAY] + weights[WORTH_MORE] * (new_plays - 1)
    return Told(seat, value, about if about != NONE else lowest_bit(touched), worth, new_plays > 0, loss)


@compiled
def best_hint(c: Common, view: State, kinds: Kinds, only_help: bool, saves: bool, weights: Numbers) -> Told:
    """The hint that is worth most; its worth is negative if there is none that tells nothing false."""
    best = Told(NONE, NONE, NONE, -1.0, False, 9)
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        for value in range(10):
            if holds(view.values[seat], value):
                told = judged(c, view, seat, value, kinds, weights)
                if told.worth < 0.0 or (only_help and not told.helps):
                    continue
                fewer = int(saves) * (best.loss - told.loss)
                if fewer > 0 or (fewer == 0 and told.worth > best.worth):
                    best = told
    return best


@compiled
def loss(c: Common, kind: int, weights: Numbers) -> float:
    if holds(c.dead, kind):
        return 0.0
    above = 4 - kind % 5
    if holds(c.last, kind):
        return weights[CRITICAL] + weights[CRITICAL_RANK] * above
    return weights[NEEDED] + weights[NEEDED_RANK] * above


@compiled
def cost_of(own: Own, c: Common, slot: int, weights: Numbers) -> float:
    """What it costs, on average, to throw an own card away."""
    kinds = int(own.kinds[slot])
    total, cost = 0.0, 0.0
    rest = kinds
    while rest:
        kind = lowest_bit(rest)
        rest &= rest - 1
        copies = 1.0 if single(kinds) else float(unseen_copies(own, 1 << kind))
        total += copies
        if holds(own.elsewhere, kind) and not holds(c.last | c.dead, kind):
            cost += copies * weights[ELSEWHERE]
        else:
            cost += copies * loss(c, kind, weights)
    return cost / total if total > 0 else 0.0


@compiled
def to_throw(own: Own, c: Common, view: State, weights: Numbers) -> tuple[int, float]:
    """The own card to throw away, and what that costs: one that is of no use, else the chop."""
    me = view.seat
    useless = useless_slots(c, me, weights)
    if useless:
        return lowest_bit(useless), 0.0
    best, least = 0, 1e9
    for slot in range(view.held[me]):
        cost = cost_of(own, c, slot, weights)
        if cost < least:
            best, least = slot, cost
    if least == 0.0 or weights[CHOP] == 0:
        return best, least
    for slot in range(view.held[me]):
        if view.marks[me][slot] == 0 and own.kinds[slot] & ~c.last != 0 and own.kinds[slot] & ~c.fits != 0:
            return slot, cost_of(own, c, slot, weights)
    return best, least


@compiled
def in_time(c: Common, weights: Numbers) -> bool:
    return CARDS - c.drawn - (KINDS - count_bits(c.dead)) > weights[SLACK]


@compiled
def calling_discard(own: Own, c: Common, view: State, kinds: Kinds, weights: Numbers) -> int:
    """An own useless card whose discard tells the other to play one that fits; NONE if there is none."""
    for slot in range(view.held[view.seat]):
        called = called_by_discard(c, view.seat, slot, kinds, weights)
        if called != NONE and holds(c.fits, kind_of(view, 1 - view.seat, called)):
            if cost_of(own, c, slot, weights) <= weights[CALL_BAR]:
                return slot
    return NONE


PLAY, GAMBLE, PLAY_HINT, SAVE_HINT, STALL_HINT, DISCARD_TRASH, DISCARD_CHOP, DISCARD_CALL, ANYTHING = range(9)


@compiled
def hint(view: State, told: Told, reason: int) -> int:
    return telling(view, told.seat, told.value, told.about, reason)


@compiled
def effort(weights: Numbers) -> Effort:
    worlds, trial, told = int(weights[END_WORLDS]), int(weights[END_TRIAL]), int(weights[END_TOLD])
    return Effort(worlds, trial, weights[END_LOYALTY], weights[SLACK], told)


@compiled
def planned(own: Own, c: Common, view: State, kinds: Kinds, weights: Numbers) -> tuple[Plan, Told, int]:
    partner = (view.seat + 1) % view.players
    none = Told(NONE, NONE, NONE, -1.0, False, 9)
    in_danger = endangered(c, partner, kinds, weights)
    danger = in_danger != NONE and holds(c.last, kind_of(view, partner, in_danger))
    kinds_of(c, partner, kinds)
    will = intent(c, kinds, c.held[partner], clued(c, partner), weights)
    at_stake = points_lost(c, view, partner, will.act, will.slot)
    misplays = will.act == PLAYS and not holds(c.fits, kind_of(view, partner, will.slot))
    throw, cost = to_throw(own, c, view, weights)
    fits = best_play(own, c, view)
    if (danger and saving_due(c, weights)) or (misplays and view.tokens > 0):
        told = best_hint(c, view, kinds, False, True, weights)
        if told.worth >= 0 and (misplays or told.loss < at_stake):
            return Plan(HINTS, 0), told, SAVE_HINT
    if fits >= 0:
        return Plan(PLAN_PLAYS, fits), none, PLAY
    likely, chance = likeliest_play(own, c, view)
    if view.lives > 1 and view.countdown > 0 and chance > weights[TRUST_LAST_ROUND]:
        return Plan(PLAN_PLAYS, likely), none, GAMBLE
    if chance >= (weights[TRUST_OWN] if view.lives > 1 else weights[TRUST_LAST_LIFE]):
        return Plan(PLAN_PLAYS, likely), none, GAMBLE
    busy = will.act == PLAYS
    if not busy and may_discard(view) and in_time(c, weights):
        slot = calling_discard(own, c, view, kinds, weights)
        if slot != NONE:
            return Plan(DISCARDS, slot), none, DISCARD_CALL
    if view.tokens > 0:
        if not busy or view.tokens >= weights[BUSY]:
            told = best_hint(c, view, kinds, True, False, weights)
            if told.worth >= 0:
                return Plan(HINTS, 0), told, PLAY_HINT
        if danger:
            told = best_hint(c, view, kinds, False, True, weights)
            if told.worth >= 0:
                return Plan(HINTS, 0), told, SAVE_HINT
        if view.tokens >= weights[HONEST]:
            if help_due(c, partner, kinds, weights) and slots_of(view, partner, c.fits) != 0:
                told = best_hint(c, view, kinds, False, False, weights)
                if told.worth >= 0:
                    return Plan(HINTS, 0), told, STALL_HINT
    if may_discard(view):
        if cost == 0.0 and in_time(c, weights) and view.tokens < weights[TRASH]:
            return Plan(DISCARDS, throw), none, DISCARD_TRASH
        if view.tokens == 0 or (view.tokens < weights[STALL] and cost <= weights[BAR] and in_time(c, weights)):
            return Plan(DISCARDS, throw), none, DISCARD_CHOP
    if view.tokens > 0:
        told = best_hint(c, view, kinds, False, False, weights)
        if told.worth >= 0:
            return Plan(HINTS, 0), told, STALL_HINT
    return Plan(DISCARDS, throw), none, DISCARD_TRASH if cost == 0.0 else DISCARD_CHOP


@agent(
    title="Learned Lane",
    reasons=("play", "gamble", "play hint", "save hint", "stall hint", "discard trash", "discard chop", "discard call", "any"),
    origin="kibitz",
    watch=watch,
    public=COMMON,
    memory=MEMORY,
    weights=WEIGHTS,
)
def convention2(view: State, public: Any, memory: Any, weights: Numbers) -> int:
    """Plays by conventions."""
    own, c = memory.own, public
    kinds = np.empty(HAND, np.int64)
    take_in(c, view, kinds, weights)
    look(own, c, view)
    chosen, told, reason = planned(own, c, view, kinds, weights)
    if CARDS - view.drawn <= weights[END_DECK] and c.dead != ALL:
        throw, _ = to_throw(own, c, view, weights)
        other = think(memory.world, own, c, view, chosen, throw, effort(weights))
        if other.act != chosen.act or other.slot != chosen.slot:
            chosen = other
            reason = PLAY if other.act == PLAN_PLAYS else STALL_HINT if other.act == HINTS else DISCARD_CHOP
            if other.act == HINTS:
                told = best_hint(c, view, kinds, False, False, weights)
                if told.worth < 0:
                    chosen = Plan(DISCARDS, throw)
    if chosen.act == PLAN_PLAYS:
        made = playing(view, chosen.slot, reason)
    elif chosen.act == HINTS:
        made = hint(view, told, reason)
    else:
        made = discarding(view, chosen.slot, reason)
    return made if allowed(view, move_of(made)) else decision(lowest_bit(legal(view)), ANYTHING)
