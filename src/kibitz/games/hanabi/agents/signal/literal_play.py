"""Without trust: once a player clearly follows other conventions, hints are given and taken literally."""

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.loop import decision
from kibitz.games.hanabi.agents.choices import hinting_value, may_discard, playing
from kibitz.games.hanabi.agents.signal.common_knowledge import CommonKnowledge, known_playable, mask
from kibitz.games.hanabi.agents.signal.own_hand import OwnHand, best_play, cheapest_discard, likeliest_play
from kibitz.games.hanabi.agents.signal.reasons import LITERAL_DISCARD, LITERAL_HINT, LITERAL_PLAY
from kibitz.games.hanabi.cards import hinted_kinds, holds
from kibitz.games.hanabi.knowledge import kind_of
from kibitz.games.hanabi.rules import DISCARD, legal
from kibitz.games.hanabi.state import State

NOTHING = -1


@compiled
def literal_move(own: OwnHand, c: CommonKnowledge, view: State, weights: Numbers) -> int:
    """Play a surely playable card, else hint at a playable card, else discard the cheapest card."""
    slot = best_play(own, c, view)
    if slot >= 0:
        return playing(view, slot, LITERAL_PLAY)
    if view.countdown > 0 and view.lives > 1:
        slot, chance = likeliest_play(own, c, view)
        if chance > 0.0:
            return playing(view, slot, LITERAL_PLAY)
    if view.tokens > 0:
        hint = literal_hint(c, view)
        if hint != NOTHING:
            return hint
    if may_discard(view) and view.held[view.seat] > 0:
        slot, _ = cheapest_discard(own, c, view, weights)
        return decision(DISCARD + slot, LITERAL_DISCARD, view.hands[view.seat][slot])
    return decision(lowest_bit(legal(view) >> 10) + 10 if legal(view) >> 10 else 0, LITERAL_HINT)


@compiled
def literal_hint(c: CommonKnowledge, view: State) -> int:
    """The hint that best reveals a playable card to the first player who knows of none; NOTHING if there is none."""
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        if known_playable(c, seat, c.playable) != 0:
            continue
        best, top, about = NOTHING, 0, 0
        for slot in range(view.held[seat]):
            kind = kind_of(view, seat, slot)
            if not holds(c.playable, kind):
                continue
            for value in (kind // 5, 5 + kind % 5):
                kinds = mask(c, seat, slot) & hinted_kinds(value)
                worth = 100 if kinds & ~c.playable == 0 else 26 - count_bits(kinds & ~c.playable)
                if worth > top and kinds != mask(c, seat, slot):
                    best, top, about = value, worth, slot
        if best != NOTHING:
            return hinting_value(view, seat, best, about, LITERAL_HINT)
    return NOTHING
