"""Without trust: when somebody plainly does not follow, hints are taken, and given, at their word."""

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.loop import decision
from kibitz.games.hanabi.agents.choices import hinting_value, may_discard, playing
from kibitz.games.hanabi.agents.signal.common import Common, known_to_fit, mask
from kibitz.games.hanabi.agents.signal.hand import Own, best_play, least_missed, likeliest_play
from kibitz.games.hanabi.agents.signal.reasons import PLAIN_DISCARD, PLAIN_HINT, PLAIN_PLAY
from kibitz.games.hanabi.cards import hinted_kinds, holds
from kibitz.games.hanabi.knowledge import kind_of
from kibitz.games.hanabi.rules import DISCARD, legal
from kibitz.games.hanabi.state import State

NOTHING = -1


@compiled
def plain_move(own: Own, c: Common, view: State, weights: Numbers) -> int:
    """Play what must fit, else tell others of what fits, else throw away what is missed least."""
    slot = best_play(own, c, view)
    if slot >= 0:
        return playing(view, slot, PLAIN_PLAY)
    if view.countdown > 0 and view.lives > 1:
        slot, chance = likeliest_play(own, c, view)
        if chance > 0.0:
            return playing(view, slot, PLAIN_PLAY)
    if view.tokens > 0:
        told = telling_of(c, view)
        if told != NOTHING:
            return told
    if may_discard(view) and view.held[view.seat] > 0:
        slot, _ = least_missed(own, c, view, weights)
        return decision(DISCARD + slot, PLAIN_DISCARD, view.hands[view.seat][slot])
    return decision(lowest_bit(legal(view) >> 10) + 10 if legal(view) >> 10 else 0, PLAIN_HINT)


@compiled
def telling_of(c: Common, view: State) -> int:
    """The hint by which the next player who can learns what fits, or is pointed to it; NOTHING if all know."""
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        if known_to_fit(c, seat, c.fits) != 0:
            continue
        best, top, about = NOTHING, 0, 0
        for slot in range(view.held[seat]):
            kind = kind_of(view, seat, slot)
            if not holds(c.fits, kind):
                continue
            for value in (kind // 5, 5 + kind % 5):
                kinds = mask(c, seat, slot) & hinted_kinds(value)
                worth = 100 if kinds & ~c.fits == 0 else 26 - count_bits(kinds & ~c.fits)
                if worth > top and kinds != mask(c, seat, slot):
                    best, top, about = value, worth, slot
        if best != NOTHING:
            return hinting_value(view, seat, best, about, PLAIN_HINT)
    return NOTHING
