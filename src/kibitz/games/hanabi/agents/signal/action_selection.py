"""Play, hint or discard: the rules of thumb of the whole game but its end."""

from typing import NamedTuple

from kibitz.core.weights import Numbers
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.choices import may_discard, slots_of
from kibitz.games.hanabi.agents.signal.common_knowledge import Common, known_to_fit
from kibitz.games.hanabi.agents.signal.implicit_signals import helping_comes_first
from kibitz.games.hanabi.agents.signal.own_hand import Own, best_play, least_missed, likeliest_play
from kibitz.games.hanabi.agents.signal.questions import foresee
from kibitz.games.hanabi.agents.signal.saving import endangered, in_time, locked, rescue, saving_comes_first
from kibitz.games.hanabi.agents.signal.weights import (
    BAR,
    HELP,
    IDLE,
    LAST_ROUND,
    LATE,
    LOCKED,
    SAVING,
    SURE,
    SURE_FULL,
)
from kibitz.games.hanabi.cards import holds
from kibitz.games.hanabi.knowledge import kind_of
from kibitz.games.hanabi.state import LIVES, State

PLAYS, HINTS, DISCARDS = range(3)


class Plan(NamedTuple):
    """What to do, and with which slot of the own hand."""

    act: int
    slot: int


class Needs(NamedTuple):
    """How many others have a card that fits and know of none, or one to save; and how many know of one that fits."""

    help: int
    busy: int


@compiled
def in_need(c: Common, view: State, seat: int) -> bool:
    """Whether a seat holds a card that fits at its turn."""
    return slots_of(view, seat, c.fits_at[seat]) != 0


@compiled
def must_save(c: Common, view: State, seat: int, weights: Numbers) -> bool:
    """Whether a seat would throw away a critical card next."""
    slot = endangered(c, seat, weights)
    return slot >= 0 and holds(c.last, kind_of(view, seat, slot))


@compiled
def needs(c: Common, view: State, in_danger: bool, weights: Numbers) -> Needs:
    foresee(c, view.seat, weights)
    help, busy = 0, 0
    for step in range(1, c.players):
        seat = (view.seat + step) % c.players
        knows = known_to_fit(c, seat, c.fits_at[seat]) != 0
        busy += int(knows)
        saves = step == 1 and in_danger
        help += int(saves or (not knows and in_need(c, view, seat)))
    return Needs(help, busy)


@compiled
def plan(own: Own, c: Common, view: State, weights: Numbers) -> Plan:
    """What the rules of thumb say."""
    next_seat = (view.seat + 1) % c.players
    in_danger = weights[SAVING] != 0 and must_save(c, view, next_seat, weights)
    due = in_danger and saving_comes_first(c, weights)
    if in_danger and rescue(c, view.seat, weights) >= 0:
        return Plan(DISCARDS, 0)
    if helping_comes_first(c, view.seat, weights) and slots_of(view, next_seat, c.fits) != 0:
        return Plan(HINTS, 0)
    fits = best_play(own, c, view)
    if fits >= 0:
        return Plan(HINTS, 0) if due else Plan(PLAYS, fits)
    need = needs(c, view, in_danger, weights)
    if view.lives > 1:
        likely, chance = likeliest_play(own, c, view)
        sure = weights[SURE_FULL] if view.lives == LIVES else weights[SURE]
        if (view.countdown > 0 and chance > weights[LAST_ROUND]) or (not due and chance >= sure):
            return Plan(PLAYS, likely)
    slot, cost = least_missed(own, c, view, weights)
    if not may_discard(view):
        return Plan(HINTS, slot)
    idle = need.help == 0 and need.busy == 0
    if cost == 0.0 and in_time(c, weights) and view.tokens < weights[HELP + min(need.help, 3)]:
        return Plan(DISCARDS, slot)
    if cost == 0.0 and idle and weights[IDLE] != 0:
        return Plan(DISCARDS, slot)
    if idle and in_time(c, weights) and cost <= weights[BAR]:
        return Plan(DISCARDS, slot)
    if idle and not in_time(c, weights) and view.tokens <= weights[LATE]:
        return Plan(DISCARDS, slot)
    if idle and weights[LOCKED] != 0 and locked(c, next_seat, weights):
        return Plan(DISCARDS, slot)
    return Plan(HINTS if view.tokens > 0 else DISCARDS, slot)
