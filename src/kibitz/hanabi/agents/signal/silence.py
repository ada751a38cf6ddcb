"""What it says that somebody does not hint: that nobody needed a hint."""

from kibitz.core.compile import compiled
from kibitz.core.weights import Numbers
from kibitz.hanabi.agents.signal.common import Common, known_to_fit, mask
from kibitz.hanabi.agents.signal.questions import foresee
from kibitz.hanabi.agents.signal.saving import early, endangered, save_first
from kibitz.hanabi.agents.signal.settings import HELP_1, HELP_2, HELP_3, SAVING, SILENT_DISCARDS


@compiled
def rule_out(c: Common, seat: int, slot: int, kinds: int) -> None:
    """A card is none of these kinds, unless nothing else is left: then somebody did not follow, and it is let be."""
    left = mask(c, seat, slot) & ~kinds
    if left != 0:
        c.masks[c.hands[seat][slot]] = left
        c.asked_for = 0


@compiled
def after_discard(c: Common, mover: int, weights: Numbers) -> None:
    """Who throws a card away when a hint would have been due sees nothing that fits, and nothing to save."""
    most = max(weights[HELP_1], weights[HELP_2], weights[HELP_3])
    if weights[SILENT_DISCARDS] == 0 or c.tokens == 0 or c.tokens < most or not early(c, weights):
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
def after_play(c: Common, mover: int, weights: Numbers) -> None:
    """Who plays a card has nothing to save."""
    if weights[SAVING] != 0:
        slot = save_first(c, mover, weights)
        if slot >= 0:
            rule_out(c, (mover + 1) % c.players, slot, c.last)
