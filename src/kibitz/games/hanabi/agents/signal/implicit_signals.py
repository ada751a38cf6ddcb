"""Implicit signals: what a play or a discard in place of a hint implies, and a hint in place of a play."""

from kibitz.core.weights import Numbers
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents.signal.common_knowledge import CommonKnowledge, known_playable, mask
from kibitz.games.hanabi.agents.signal.questions import dispensable_slots, foresee
from kibitz.games.hanabi.agents.signal.saving import before_endgame, chop_at_risk, chop_to_save, pace, save_by_discard
from kibitz.games.hanabi.agents.signal.weights import (
    BELOW_TOKENS_1,
    BELOW_TOKENS_2,
    BELOW_TOKENS_3,
    HELP_PACE,
    HELP_TOKENS,
    IMPLICIT_DISCARDS,
    SAVE_TOKENS,
)
from kibitz.games.hanabi.cards import holds


@compiled
def rule_out(c: CommonKnowledge, seat: int, slot: int, kinds: int) -> None:
    """A card is none of these kinds, unless no other is left: then the signal is ignored."""
    left = mask(c, seat, slot) & ~kinds
    if left != 0:
        c.masks[c.hands[seat][slot]] = left
        c.asked_for = 0


@compiled
def implies_nothing_playable(c: CommonKnowledge, mover: int, weights: Numbers) -> bool:
    """Whether a discard now implies that nobody else needed a hint."""
    most = max(weights[BELOW_TOKENS_1], weights[BELOW_TOKENS_2], weights[BELOW_TOKENS_3])
    return weights[IMPLICIT_DISCARDS] != 0 and c.tokens > 0 and c.tokens >= most and before_endgame(c, weights)


@compiled
def after_discard(c: CommonKnowledge, mover: int, slot: int, weights: Numbers) -> None:
    """A discard when a hint would have been due implies that nothing is playable, and nothing needs a save.

    Without tokens, a discard instead of a known play implies that the next player's chop is critical.

    With more than two players there is not always a hint for the sum. A player without one discards a card that is not
    publicly dispensable, and this implies nothing.
    """
    saved = save_by_discard(c, mover, weights)
    if saved >= 0:
        rule_out(c, (mover + 1) % c.players, saved, ~c.critical)
    if not implies_nothing_playable(c, mover, weights):
        return
    if c.players > 2 and not holds(dispensable_slots(c, mover, weights), slot):
        return
    foresee(c, mover, weights)
    for step in range(1, c.players):
        seat = (mover + step) % c.players
        playable = c.playable_at[seat] if known_playable(c, seat, c.playable_at[seat]) == 0 else 0
        if weights[SAVE_TOKENS] != 0 and step == 1:
            slot = chop_at_risk(c, seat, weights)
            if slot >= 0:
                rule_out(c, seat, slot, c.critical & ~c.playable)
        for slot in range(c.held[seat]):
            rule_out(c, seat, slot, playable)


@compiled
def help_precedes_play(c: CommonKnowledge, mover: int, weights: Numbers) -> bool:
    """Whether a hint about the next player's playable card precedes a play: late, if that player knows of none."""
    if weights[HELP_PACE] == 0 or pace(c) > weights[HELP_PACE] or c.tokens < weights[HELP_TOKENS]:
        return False
    return before_endgame(c, weights) and known_playable(c, (mover + 1) % c.players, c.playable) == 0


@compiled
def after_play(c: CommonKnowledge, mover: int, weights: Numbers) -> None:
    """A play implies that nothing needs a save and, where help precedes a play, that nothing is playable."""
    if help_precedes_play(c, mover, weights):
        seat = (mover + 1) % c.players
        for slot in range(c.held[seat]):
            rule_out(c, seat, slot, c.playable)
    if weights[SAVE_TOKENS] != 0:
        slot = chop_to_save(c, mover, weights) if c.tokens > 0 else save_by_discard(c, mover, weights)
        if slot >= 0:
            rule_out(c, (mover + 1) % c.players, slot, c.critical)


@compiled
def implies_save(c: CommonKnowledge, mover: int, weights: Numbers) -> bool:
    """Whether a hint now implies that the next chop is critical: the hinter is known to have a playable card."""
    if weights[SAVE_TOKENS] == 0 or known_playable(c, mover, c.playable) == 0 or help_precedes_play(c, mover, weights):
        return False
    return chop_to_save(c, mover, weights) >= 0


@compiled
def before_hint(c: CommonKnowledge, mover: int, weights: Numbers) -> None:
    """What giving a hint implies, whatever it encodes."""
    if implies_save(c, mover, weights):
        rule_out(c, (mover + 1) % c.players, chop_to_save(c, mover, weights), ~c.critical)
