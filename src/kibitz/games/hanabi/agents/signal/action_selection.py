"""Play, hint or discard: the rules for the whole game except the end of the deck."""

from typing import NamedTuple

from kibitz.core.weights import Numbers
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.choices import may_discard, slots_of
from kibitz.games.hanabi.agents.signal.common_knowledge import CommonKnowledge, known_playable
from kibitz.games.hanabi.agents.signal.implicit_signals import help_precedes_play
from kibitz.games.hanabi.agents.signal.own_hand import OwnHand, best_play, cheapest_discard, likeliest_play
from kibitz.games.hanabi.agents.signal.questions import foresee
from kibitz.games.hanabi.agents.signal.saving import (
    chop_at_risk,
    locked,
    pace_suffices,
    save_by_discard,
    save_precedes_play,
)
from kibitz.games.hanabi.agents.signal.weights import (
    BELOW_TOKENS,
    IDLE,
    LAST_ROUND,
    LATE_TOKENS,
    MAX_IDLE,
    MIN_CHANCE,
    MIN_CHANCE_ALL_LIVES,
    PARTNER_LOCKED,
    SAVE_TOKENS,
)
from kibitz.games.hanabi.cards import holds
from kibitz.games.hanabi.knowledge import kind_of
from kibitz.games.hanabi.state import LIVES, State

PLAYS, HINTS, DISCARDS = range(3)


class Action(NamedTuple):
    """What to do, and with which slot of the player's own hand."""

    act: int
    slot: int


class Needs(NamedTuple):
    """How many other players need help (an unknown playable card, or a save), and how many know of a playable card."""

    help: int
    busy: int


@compiled
def in_need(c: CommonKnowledge, view: State, seat: int) -> bool:
    """Whether a seat holds a card that is playable at its turn."""
    return slots_of(view, seat, c.playable_at[seat]) != 0


@compiled
def must_save(c: CommonKnowledge, view: State, seat: int, weights: Numbers) -> bool:
    """Whether a seat would discard a critical card next."""
    slot = chop_at_risk(c, seat, weights)
    return slot >= 0 and holds(c.critical, kind_of(view, seat, slot))


@compiled
def needs(c: CommonKnowledge, view: State, in_danger: bool, weights: Numbers) -> Needs:
    foresee(c, view.seat, weights)
    help, busy = 0, 0
    for step in range(1, c.players):
        seat = (view.seat + step) % c.players
        knows = known_playable(c, seat, c.playable_at[seat]) != 0
        busy += int(knows)
        saves = step == 1 and in_danger
        help += int(saves or (not knows and in_need(c, view, seat)))
    return Needs(help, busy)


@compiled
def action(own: OwnHand, c: CommonKnowledge, view: State, weights: Numbers) -> Action:
    """The action that the rules choose."""
    next_seat = (view.seat + 1) % c.players
    in_danger = weights[SAVE_TOKENS] != 0 and must_save(c, view, next_seat, weights)
    due = in_danger and save_precedes_play(c, weights)
    if in_danger and save_by_discard(c, view.seat, weights) >= 0:
        return Action(DISCARDS, 0)
    if help_precedes_play(c, view.seat, weights) and slots_of(view, next_seat, c.playable) != 0:
        return Action(HINTS, 0)
    playable = best_play(own, c, view)
    if playable >= 0:
        return Action(HINTS, 0) if due else Action(PLAYS, playable)
    need = needs(c, view, in_danger, weights)
    if view.lives > 1:
        likely, chance = likeliest_play(own, c, view)
        sure = weights[MIN_CHANCE_ALL_LIVES] if view.lives == LIVES else weights[MIN_CHANCE]
        if (view.countdown > 0 and chance > weights[LAST_ROUND]) or (not due and chance >= sure):
            return Action(PLAYS, likely)
    slot, cost = cheapest_discard(own, c, view, weights)
    if not may_discard(view):
        return Action(HINTS, slot)
    idle = need.help == 0 and need.busy == 0
    if cost == 0.0 and pace_suffices(c, weights) and view.tokens < weights[BELOW_TOKENS + min(need.help, 3)]:
        return Action(DISCARDS, slot)
    if cost == 0.0 and idle and weights[IDLE] != 0:
        return Action(DISCARDS, slot)
    if idle and pace_suffices(c, weights) and cost <= weights[MAX_IDLE]:
        return Action(DISCARDS, slot)
    if idle and not pace_suffices(c, weights) and view.tokens <= weights[LATE_TOKENS]:
        return Action(DISCARDS, slot)
    if idle and weights[PARTNER_LOCKED] != 0 and locked(c, next_seat, weights):
        return Action(DISCARDS, slot)
    return Action(HINTS if view.tokens > 0 else DISCARDS, slot)
