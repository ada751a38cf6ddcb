"""The player `convention2`: play, hint or discard by conventions that a person can learn.

`hands` says how everybody sees a hand, `reading` what moves say, `hints` which hint to give. The end of the deck is
thought through as `signal` does it.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.loop import decision, move_of
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import discarding, may_discard, playing
from kibitz.games.hanabi.agents.convention import reasons
from kibitz.games.hanabi.agents.convention.hands import NONE, PLAYS, Kinds, look_at, on
from kibitz.games.hanabi.agents.convention.hints import NO_HINT, NO_HINTS, Told, best_hints, points_lost
from kibitz.games.hanabi.agents.convention.reading import called_by_discard, catch_up, watch
from kibitz.games.hanabi.agents.convention.settings import (
    BAR,
    BUSY,
    CRITICAL,
    CRITICAL_RANK,
    ELSEWHERE,
    END_DECK,
    END_LOYALTY,
    END_TOLD,
    END_TRIAL,
    END_WORLDS,
    LAST_ROUND,
    MOST_TOKENS,
    NEEDED,
    NEEDED_RANK,
    OLDEST,
    SLACK,
    TRUST,
    WEIGHTS,
)
from kibitz.games.hanabi.agents.signal.common import COMMON, Common, single
from kibitz.games.hanabi.agents.signal.endgame import END_WORLD, Effort, think
from kibitz.games.hanabi.agents.signal.hand import OWN, Own, best_play, likeliest_play, look, unseen_copies
from kibitz.games.hanabi.agents.signal.pace import DISCARDS, HINTS, Plan
from kibitz.games.hanabi.agents.signal.pace import PLAYS as PLAYING
from kibitz.games.hanabi.cards import ALL, KINDS, holds
from kibitz.games.hanabi.knowledge import kind_of
from kibitz.games.hanabi.rules import HINT, allowed, legal
from kibitz.games.hanabi.state import CARDS, HAND, State

MEMORY = struct_dtype([("said", reasons.SAID), ("own", OWN), ("world", END_WORLD)])


class Choice(NamedTuple):
    """What to do and why: with a card of one's own, or a hint."""

    plan: Plan
    told: Told
    reason: int


# Discards


@compiled
def loss(c: Common, kind: int, weights: Numbers) -> float:
    """What it costs to throw a kind away."""
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
    """The own card to throw away and what that costs: a useless one, else the oldest that no hint touched, else the one
    that is missed least."""
    best, least = 0, 1e9
    for slot in range(view.held[view.seat]):
        if own.kinds[slot] & ~c.dead == 0:
            return slot, 0.0
    for slot in range(view.held[view.seat]):
        cost = cost_of(own, c, slot, weights)
        free = view.marks[view.seat][slot] == 0 and own.kinds[slot] & ~c.last != 0 and own.kinds[slot] & ~c.fits != 0
        if free and on(weights, OLDEST):
            return slot, cost
        if cost < least:
            best, least = slot, cost
    return best, least


@compiled
def calling_discard(c: Common, view: State, kinds: Kinds, weights: Numbers) -> int:
    """An own card whose discard tells the partner to play one that fits; NONE if there is none."""
    for slot in range(view.held[view.seat]):
        called = called_by_discard(c, view.seat, slot, kinds, weights)
        if called != NONE and holds(c.fits, kind_of(view, 1 - view.seat, called)):
            return slot
    return NONE


@compiled
def in_time(c: Common, weights: Numbers) -> bool:
    """Whether enough cards can still be drawn for all that are to be played."""
    return CARDS - c.drawn - (KINDS - count_bits(c.dead)) > weights[SLACK]


# Play, hint or discard


@compiled
def choose(own: Own, c: Common, view: State, kinds: Kinds, weights: Numbers) -> Choice:
    """What the conventions say."""
    partner = (view.seat + 1) % view.players
    seen = look_at(c, partner, kinds, weights)
    will = seen.will
    misplays = will.act == PLAYS and not holds(c.fits, kind_of(view, partner, will.slot))
    at_stake = points_lost(c, view, partner, will)
    due = at_stake > 0 and seen.in_danger != NONE
    throw, cost = to_throw(own, c, view, weights)
    fits = best_play(own, c, view)
    hints = NO_HINTS
    if view.tokens > 0 and (due or misplays or fits < 0):
        hints = best_hints(c, view, kinds, weights)
    if hints.saving.worth >= 0.0 and (misplays or (due and hints.saving.loss < at_stake)):
        return Choice(Plan(HINTS, 0), hints.saving, reasons.FIX if misplays else reasons.SAVE)
    if fits >= 0:
        return Choice(Plan(PLAYING, fits), NO_HINT, reasons.PLAY)
    likely, chance = likeliest_play(own, c, view)
    enough = min(weights[TRUST], weights[LAST_ROUND]) if view.countdown > 0 else weights[TRUST]
    if view.lives > 1 and chance >= enough:
        return Choice(Plan(PLAYING, likely), NO_HINT, reasons.GAMBLE)
    if view.tokens == 0 and in_time(c, weights):
        slot = calling_discard(c, view, kinds, weights)
        if slot != NONE:
            return Choice(Plan(DISCARDS, slot), NO_HINT, reasons.CALL)
    if hints.helping.worth >= 0.0 and (will.act != PLAYS or view.tokens >= weights[BUSY]):
        return Choice(Plan(HINTS, 0), hints.helping, reasons.HELP)
    if hints.saving.worth >= 0.0 and at_stake > 0:
        return Choice(Plan(HINTS, 0), hints.saving, reasons.SAVE)
    cheap = cost == 0.0 or (view.tokens < weights[MOST_TOKENS] and cost <= weights[BAR])
    if may_discard(view) and (view.tokens == 0 or (cheap and in_time(c, weights))):
        return Choice(Plan(DISCARDS, throw), NO_HINT, discard_reason(own, c, view, throw))
    if hints.best.worth >= 0.0 or (view.tokens > 0 and not may_discard(view)):
        return Choice(Plan(HINTS, 0), hints.best, reasons.WAIT)
    return Choice(Plan(DISCARDS, throw), NO_HINT, discard_reason(own, c, view, throw))


@compiled
def discard_reason(own: Own, c: Common, view: State, slot: int) -> int:
    if own.kinds[slot] & ~c.dead == 0:
        return reasons.USELESS
    return reasons.CHOP if view.marks[view.seat][slot] == 0 else reasons.DISCARD


@compiled
def think_to_the_end(
    own: Own, c: Common, view: State, world: Any, chosen: Choice, kinds: Kinds, weights: Numbers
) -> Choice:
    """With few cards left: the best of what the conventions say and its alternatives, over sampled worlds."""
    worlds, trial, told = int(weights[END_WORLDS]), int(weights[END_TRIAL]), int(weights[END_TOLD])
    throw, _ = to_throw(own, c, view, weights)
    effort = Effort(worlds, trial, weights[END_LOYALTY], weights[SLACK], told)
    plan = think(world, own, c, view, chosen.plan, throw, effort)
    if plan.act == chosen.plan.act and plan.slot == chosen.plan.slot:
        return chosen
    if plan.act == HINTS:
        hint = best_hints(c, view, kinds, weights).best
        return Choice(plan, hint, reasons.END_HINT) if hint.worth >= 0.0 else chosen
    return Choice(plan, NO_HINT, reasons.END_PLAY if plan.act == PLAYING else reasons.END_DISCARD)


@agent(
    title="Learned Lane",
    reasons=reasons.REASONS,
    reason_variables=reasons.words,
    origin="kibitz; the choices of its convention were searched by machine",
    watch=watch,
    public=COMMON,
    memory=MEMORY,
    weights=WEIGHTS,
)
def convention2(view: State, public: Any, memory: Any, weights: Numbers) -> int:
    """Plays by a page of conventions that two people can learn: which card a hint is about, which card goes next, and
    what it says that a hint was not given.

    It was made for two players. At larger tables it plays by the same rules, and reads less into silence.
    """
    own, c, kinds = memory.own, public, np.empty(HAND, np.int64)
    catch_up(c, view, weights)
    look(own, c, view)
    chosen = choose(own, c, view, kinds, weights)
    if CARDS - view.drawn <= weights[END_DECK] and c.dead != ALL:
        chosen = think_to_the_end(own, c, view, memory.world, chosen, kinds, weights)
    return made(view, c, memory, chosen, kinds, weights)


@compiled
def made(view: State, c: Common, memory: Any, chosen: Choice, kinds: Kinds, weights: Numbers) -> int:
    """The choice as a decision; what it says is noted, to be told in words."""
    plan, told = chosen.plan, chosen.told
    memory.said.value, memory.said.called = told.value, NONE
    if plan.act == PLAYING:
        packed = playing(view, plan.slot, chosen.reason)
    elif plan.act == HINTS:
        memory.said.seat, memory.said.about, memory.said.helps = told.seat, told.about, int(told.helps)
        place = view.hands[told.seat][told.about]
        if chosen.reason == reasons.SAVE or chosen.reason == reasons.FIX:
            partner = (view.seat + 1) % view.players
            place = view.hands[partner][look_at(c, partner, kinds, weights).will.slot]
        packed = decision(HINT + 10 * told.seat + told.value, chosen.reason, place)
    else:
        if chosen.reason == reasons.CALL:
            memory.said.called = called_by_discard(c, view.seat, plan.slot, kinds, weights)
        packed = discarding(view, plan.slot, chosen.reason)
    return packed if allowed(view, move_of(packed)) else decision(lowest_bit(legal(view)), reasons.ANYTHING)
