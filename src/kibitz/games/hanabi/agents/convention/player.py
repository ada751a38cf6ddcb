"""The player `convention2`: play, hint or discard by conventions that people can learn.

`hands` summarizes a hand as everybody sees it, `reading` infers from moves, `hint_selection` chooses hints. The endgame
search is that of `signal`.
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
from kibitz.games.hanabi.agents.convention.hands import NONE, PLAYS, Kinds, on, summarize
from kibitz.games.hanabi.agents.convention.hint_selection import (
    NO_HINT,
    NO_HINTS,
    RatedHint,
    best_hints,
    points_at_stake,
)
from kibitz.games.hanabi.agents.convention.reading import called_by_discard, catch_up, watch
from kibitz.games.hanabi.agents.convention.weights import (
    BELOW_TOKENS,
    BUSY_TOKENS,
    CRITICAL,
    CRITICAL_RANK,
    DISCARD_CHOP,
    DUPLICATE,
    ENDGAME_CARDS_PER_HINT,
    ENDGAME_DECK,
    ENDGAME_MIN_GAIN,
    ENDGAME_TRIAL_WORLDS,
    ENDGAME_WORLDS,
    LAST_ROUND,
    MAX_COST,
    MIN_CHANCE,
    MIN_PACE,
    NEEDED,
    NEEDED_RANK,
    WEIGHTS,
)
from kibitz.games.hanabi.agents.signal.action_selection import DISCARDS, HINTS, Action
from kibitz.games.hanabi.agents.signal.action_selection import PLAYS as PLAYING
from kibitz.games.hanabi.agents.signal.common_knowledge import COMMON_KNOWLEDGE, CommonKnowledge, single
from kibitz.games.hanabi.agents.signal.endgame import ENDGAME_WORLD, EndgameBudget, search_endgame
from kibitz.games.hanabi.agents.signal.own_hand import OWN_HAND, OwnHand, best_play, likeliest_play, look, unseen_copies
from kibitz.games.hanabi.cards import ALL, KINDS, holds
from kibitz.games.hanabi.knowledge import kind_of
from kibitz.games.hanabi.rules import HINT, allowed, legal
from kibitz.games.hanabi.state import CARDS, HAND, State

MEMORY = struct_dtype([("message", reasons.MESSAGE), ("own", OWN_HAND), ("world", ENDGAME_WORLD)])


class Choice(NamedTuple):
    """An action with a card or a hint, and its reason."""

    action: Action
    hint: RatedHint
    reason: int


# Discards


@compiled
def discard_cost(c: CommonKnowledge, kind: int, weights: Numbers) -> float:
    """What it costs to discard a kind."""
    if holds(c.useless, kind):
        return 0.0
    above = 4 - kind % 5
    if holds(c.critical, kind):
        return weights[CRITICAL] + weights[CRITICAL_RANK] * above
    return weights[NEEDED] + weights[NEEDED_RANK] * above


@compiled
def expected_discard_cost(own: OwnHand, c: CommonKnowledge, slot: int, weights: Numbers) -> float:
    """What it costs, on average, to discard one of the player's own cards."""
    kinds = int(own.kinds[slot])
    total, cost = 0.0, 0.0
    rest = kinds
    while rest:
        kind = lowest_bit(rest)
        rest &= rest - 1
        copies = 1.0 if single(kinds) else float(unseen_copies(own, 1 << kind))
        total += copies
        if holds(own.elsewhere, kind) and not holds(c.critical | c.useless, kind):
            cost += copies * weights[DUPLICATE]
        else:
            cost += copies * discard_cost(c, kind, weights)
    return cost / total if total > 0 else 0.0


@compiled
def cheapest_discard(own: OwnHand, c: CommonKnowledge, view: State, weights: Numbers) -> tuple[int, float]:
    """The card to discard and its cost: a useless one, else the chop, else the cheapest one."""
    best, least = 0, 1e9
    for slot in range(view.held[view.seat]):
        if own.kinds[slot] & ~c.useless == 0:
            return slot, 0.0
    for slot in range(view.held[view.seat]):
        cost = expected_discard_cost(own, c, slot, weights)
        free = (
            view.marks[view.seat][slot] == 0
            and own.kinds[slot] & ~c.critical != 0
            and own.kinds[slot] & ~c.playable != 0
        )
        if free and on(weights, DISCARD_CHOP):
            return slot, cost
        if cost < least:
            best, least = slot, cost
    return best, least


@compiled
def calling_discard(c: CommonKnowledge, view: State, kinds: Kinds, weights: Numbers) -> int:
    """A card whose discard calls for a play of a playable card; NONE if there is none."""
    for slot in range(view.held[view.seat]):
        called = called_by_discard(c, view.seat, slot, kinds, weights)
        if called != NONE and holds(c.playable, kind_of(view, 1 - view.seat, called)):
            return slot
    return NONE


@compiled
def pace_suffices(c: CommonKnowledge, weights: Numbers) -> bool:
    """Whether there is time to discard."""
    return CARDS - c.drawn - (KINDS - count_bits(c.useless)) > weights[MIN_PACE]


# Play, hint or discard


@compiled
def choose(own: OwnHand, c: CommonKnowledge, view: State, kinds: Kinds, weights: Numbers) -> Choice:
    """The choice of the conventions."""
    partner = (view.seat + 1) % view.players
    seen = summarize(c, partner, kinds, weights)
    will = seen.will
    misplays = will.act == PLAYS and not holds(c.playable, kind_of(view, partner, will.slot))
    at_stake = points_at_stake(c, view, partner, will)
    due = at_stake > 0 and seen.in_danger != NONE
    cheapest, cost = cheapest_discard(own, c, view, weights)
    playable = best_play(own, c, view)
    hints = NO_HINTS
    if view.tokens > 0 and (due or misplays or playable < 0):
        hints = best_hints(c, view, kinds, weights)
    if hints.saving.worth >= 0.0 and (misplays or (due and hints.saving.points_lost < at_stake)):
        return Choice(Action(HINTS, 0), hints.saving, reasons.FIX if misplays else reasons.SAVE)
    if playable >= 0:
        return Choice(Action(PLAYING, playable), NO_HINT, reasons.PLAY)
    likely, chance = likeliest_play(own, c, view)
    enough = min(weights[MIN_CHANCE], weights[LAST_ROUND]) if view.countdown > 0 else weights[MIN_CHANCE]
    if view.lives > 1 and chance >= enough:
        return Choice(Action(PLAYING, likely), NO_HINT, reasons.GAMBLE)
    if view.tokens == 0 and pace_suffices(c, weights):
        slot = calling_discard(c, view, kinds, weights)
        if slot != NONE:
            return Choice(Action(DISCARDS, slot), NO_HINT, reasons.CALL)
    if hints.helping.worth >= 0.0 and (will.act != PLAYS or view.tokens >= weights[BUSY_TOKENS]):
        return Choice(Action(HINTS, 0), hints.helping, reasons.HELP)
    if hints.saving.worth >= 0.0 and at_stake > 0:
        return Choice(Action(HINTS, 0), hints.saving, reasons.SAVE)
    cheap = cost == 0.0 or (view.tokens < weights[BELOW_TOKENS] and cost <= weights[MAX_COST])
    if may_discard(view) and (view.tokens == 0 or (cheap and pace_suffices(c, weights))):
        return Choice(Action(DISCARDS, cheapest), NO_HINT, discard_reason(own, c, view, cheapest))
    if hints.best.worth >= 0.0 or (view.tokens > 0 and not may_discard(view)):
        return Choice(Action(HINTS, 0), hints.best, reasons.WAIT)
    return Choice(Action(DISCARDS, cheapest), NO_HINT, discard_reason(own, c, view, cheapest))


@compiled
def discard_reason(own: OwnHand, c: CommonKnowledge, view: State, slot: int) -> int:
    if own.kinds[slot] & ~c.useless == 0:
        return reasons.USELESS
    return reasons.CHOP if view.marks[view.seat][slot] == 0 else reasons.DISCARD


@compiled
def decide_endgame(
    own: OwnHand, c: CommonKnowledge, view: State, world: Any, chosen: Choice, kinds: Kinds, weights: Numbers
) -> Choice:
    """With few cards left, the best of the conventions' choice and its alternatives over sampled worlds."""
    worlds, trial_worlds = int(weights[ENDGAME_WORLDS]), int(weights[ENDGAME_TRIAL_WORLDS])
    cards_per_hint = int(weights[ENDGAME_CARDS_PER_HINT])
    cheapest, _ = cheapest_discard(own, c, view, weights)
    budget = EndgameBudget(worlds, trial_worlds, weights[ENDGAME_MIN_GAIN], weights[MIN_PACE], cards_per_hint)
    action = search_endgame(world, own, c, view, chosen.action, cheapest, budget)
    if action.act == chosen.action.act and action.slot == chosen.action.slot:
        return chosen
    if action.act == HINTS:
        hint = best_hints(c, view, kinds, weights).best
        return Choice(action, hint, reasons.END_HINT) if hint.worth >= 0.0 else chosen
    return Choice(action, NO_HINT, reasons.END_PLAY if action.act == PLAYING else reasons.END_DISCARD)


@agent(
    title="Learned Lane",
    reasons=reasons.REASONS,
    reason_variables=reasons.words,
    origin="kibitz; the choices of its convention were searched by machine",
    watch=watch,
    public=COMMON_KNOWLEDGE,
    memory=MEMORY,
    weights=WEIGHTS,
)
def convention2(view: State, public: Any, memory: Any, weights: Numbers) -> int:
    """Plays by a page of conventions that two people can learn: which card a hint is about, which card is the chop, and
    what the absence of a hint implies.

    Made for two players. At larger tables it plays by the same rules and infers less from the absence of hints.
    """
    own, c, kinds = memory.own, public, np.empty(HAND, np.int64)
    catch_up(c, view, weights)
    look(own, c, view)
    chosen = choose(own, c, view, kinds, weights)
    if CARDS - view.drawn <= weights[ENDGAME_DECK] and c.useless != ALL:
        chosen = decide_endgame(own, c, view, memory.world, chosen, kinds, weights)
    return as_decision(view, c, memory, chosen, kinds, weights)


@compiled
def as_decision(view: State, c: CommonKnowledge, memory: Any, chosen: Choice, kinds: Kinds, weights: Numbers) -> int:
    """The choice as a decision. Its message is stored for the reason."""
    action, hint = chosen.action, chosen.hint
    memory.message.value, memory.message.called = hint.value, NONE
    if action.act == PLAYING:
        packed = playing(view, action.slot, chosen.reason)
    elif action.act == HINTS:
        memory.message.seat, memory.message.about, memory.message.helps = hint.seat, hint.about, int(hint.helps)
        place = view.hands[hint.seat][hint.about]
        if chosen.reason == reasons.SAVE or chosen.reason == reasons.FIX:
            partner = (view.seat + 1) % view.players
            place = view.hands[partner][summarize(c, partner, kinds, weights).will.slot]
        packed = decision(HINT + 10 * hint.seat + hint.value, chosen.reason, place)
    else:
        if chosen.reason == reasons.CALL:
            memory.message.called = called_by_discard(c, view.seat, action.slot, kinds, weights)
        packed = discarding(view, action.slot, chosen.reason)
    return packed if allowed(view, move_of(packed)) else decision(lowest_bit(legal(view)), reasons.ANYTHING)
