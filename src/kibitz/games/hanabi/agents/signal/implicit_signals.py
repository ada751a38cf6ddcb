"""What it says that somebody does not hint: that nobody needed a hint."""

from kibitz.core.weights import Numbers
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.signal.common_knowledge import Common, known_to_fit, mask
from kibitz.games.hanabi.agents.signal.questions import foresee, spare_slots
from kibitz.games.hanabi.agents.signal.saving import early, endangered, rescue, room, save_first
from kibitz.games.hanabi.agents.signal.weights import (
    HELP_1,
    HELP_2,
    HELP_3,
    HELPING,
    HELPING_TOKENS,
    SAVING,
    SILENT_DISCARDS,
)
from kibitz.games.hanabi.cards import holds


@compiled
def rule_out(c: Common, seat: int, slot: int, kinds: int) -> None:
    """A card is none of these kinds, unless nothing else is left: then somebody did not follow, and it is let be."""
    left = mask(c, seat, slot) & ~kinds
    if left != 0:
        c.masks[c.hands[seat][slot]] = left
        c.asked_for = 0


@compiled
def says_nothing_fits(c: Common, mover: int, weights: Numbers) -> bool:
    """Whether a discard of a seat now says that nobody else needed a hint."""
    most = max(weights[HELP_1], weights[HELP_2], weights[HELP_3])
    return weights[SILENT_DISCARDS] != 0 and c.tokens > 0 and c.tokens >= most and early(c, weights)


@compiled
def after_discard(c: Common, mover: int, slot: int, weights: Numbers) -> None:
    """Who throws a card away when a hint would have been due sees nothing that fits, and nothing to save.

    Who does so without tokens instead of playing sees something to save.

    With more than two players there is not always a hint for a sum. Who has none throws away a card that it may not be
    able to spare, and that says nothing.
    """
    saved = rescue(c, mover, weights)
    if saved >= 0:
        rule_out(c, (mover + 1) % c.players, saved, ~c.last)
    if not says_nothing_fits(c, mover, weights):
        return
    if c.players > 2 and not holds(spare_slots(c, mover, weights), slot):
        return
    foresee(c, mover, weights)
    for step in range(1, c.players):
        seat = (mover + step) % c.players
        fits = c.fits_at[seat] if known_to_fit(c, seat, c.fits_at[seat]) == 0 else 0
        if weights[SAVING] != 0 and step == 1:
            slot = endangered(c, seat, weights)
            if slot >= 0:
                rule_out(c, seat, slot, c.last & ~c.fits)
        for slot in range(c.held[seat]):
            rule_out(c, seat, slot, fits)


@compiled
def helping_comes_first(c: Common, mover: int, weights: Numbers) -> bool:
    """Whether a hint about a card of the next player that fits comes before a play: late, if that one knows of none."""
    if weights[HELPING] == 0 or room(c) > weights[HELPING] or c.tokens < weights[HELPING_TOKENS]:
        return False
    return early(c, weights) and known_to_fit(c, (mover + 1) % c.players, c.fits) == 0


@compiled
def after_play(c: Common, mover: int, weights: Numbers) -> None:
    """Who plays a card has nothing to save; and, where a hint comes first, sees nothing that fits."""
    if helping_comes_first(c, mover, weights):
        seat = (mover + 1) % c.players
        for slot in range(c.held[seat]):
            rule_out(c, seat, slot, c.fits)
    if weights[SAVING] != 0:
        slot = save_first(c, mover, weights) if c.tokens > 0 else rescue(c, mover, weights)
        if slot >= 0:
            rule_out(c, (mover + 1) % c.players, slot, c.last)


@compiled
def says_save(c: Common, mover: int, weights: Numbers) -> bool:
    """Whether a hint of a seat now says that the next card to go is critical: it is known to have a card to play."""
    if weights[SAVING] == 0 or known_to_fit(c, mover, c.fits) == 0 or helping_comes_first(c, mover, weights):
        return False
    return save_first(c, mover, weights) >= 0


@compiled
def before_hint(c: Common, mover: int, weights: Numbers) -> None:
    """What it says that somebody hints, whatever the hint says."""
    if says_save(c, mover, weights):
        rule_out(c, (mover + 1) % c.players, save_first(c, mover, weights), ~c.last)
