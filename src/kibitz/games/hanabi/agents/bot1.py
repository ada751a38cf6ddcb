"""Bot1, which helps its partners first, and what it shares with Bot2, which plays first.

Both judge cards by entropy, playability and uselessness, and read no meaning into hints. Where the report leaves a
choice open, ours reproduces its figures: among equally useless cards, the newest is discarded.
"""

from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import discarding, hinting_value, playing, slots_of
from kibitz.games.hanabi.analytics import chance, dispensable, hand_uncertainty, unseen_copies
from kibitz.games.hanabi.cards import hinted_kinds, holds
from kibitz.games.hanabi.knowledge import NO_HINT, Copies, kinds_after_hint, playable, surely
from kibitz.games.hanabi.rules import held_values
from kibitz.games.hanabi.state import State

ORIGIN = "Bida & Pandolfi 2020, section 3"
NONE = -1  # no such slot, seat or hint


# Shared with Bot2.


@compiled
def seat_after(view: State, turns: int) -> int:
    """The seat that moves this many turns after the viewer."""
    return (view.seat + turns) % view.players


@compiled
def sure_slots(view: State, seat: int, unseen: Copies, wanted: int, value: int = NO_HINT) -> int:
    """The slots whose holder knows them to be of a wanted kind, now or after a hint."""
    slots = 0
    for slot in range(view.held[seat]):
        if surely(kinds_after_hint(view, seat, slot, value) & unseen[0], wanted):
            slots |= 1 << slot
    return slots


@compiled
def most_useless(view: State) -> tuple[int, float]:
    """The viewer's card most likely to be useless, the newest of several, and its probability."""
    unseen = unseen_copies(view, view.seat)
    best, most = 0, 0.0
    for slot in range(view.held[view.seat]):
        uselessness = chance(unseen, int(view.hinted_kinds[view.seat][slot]), dispensable(view))
        if uselessness >= most:
            best, most = slot, uselessness
    return best, most


# Bot1: every partner is in a phase; the worse the phase, the more it needs a hint.

SAFE_PLAY, SAFE_DISCARD, CAN_HINT, CRITICAL = 1, 2, 3, 4
FIRST_AID, PLAY, GIFT, DISCARD = 0, 3, 4, 7  # the first reason of each step; hints add the phase they lead to


@compiled
def phase(view: State, seat: int, unseen: Copies, tokens: int, turns: int, value: int = NO_HINT) -> int:
    """The phase of a partner that moves after this many turns with this many tokens, now or after a hint."""
    if sure_slots(view, seat, unseen, playable(view), value):
        return SAFE_PLAY
    if sure_slots(view, seat, unseen, dispensable(view), value):
        return SAFE_DISCARD
    return CAN_HINT if tokens > turns else CRITICAL


@compiled
def kindest_hint(view: State, seat: int, turns: int) -> tuple[int, int]:
    """The hint that leads a partner to the best phase, on ties the most informative one; and that phase."""
    unseen = unseen_copies(view, seat)
    best, best_phase, least = NONE, CRITICAL + 1, 0.0
    for value in range(10):
        if holds(held_values(view, seat), value):
            reached = phase(view, seat, unseen, view.tokens - 1, turns, value)
            left = hand_uncertainty(view, seat, unseen, value)
            if reached < best_phase or (reached == best_phase and left < least):
                best, best_phase, least = value, reached, left
    return best, best_phase


@compiled
def helping(view: State, turns: int, reason: int) -> int:
    """Give a partner the kindest hint; the reason says what it achieves."""
    seat = seat_after(view, turns)
    value, reached = kindest_hint(view, seat, turns)
    wanted = playable(view) if reached == SAFE_PLAY else dispensable(view)
    slots = sure_slots(view, seat, unseen_copies(view, seat), wanted, value)
    about = lowest_bit(slots if reached <= SAFE_DISCARD else slots_of(view, seat, hinted_kinds(value)))
    return hinting_value(view, seat, value, about, reason + min(reached, CAN_HINT) - 1)


@agent(
    title="Helpful Harper",
    reasons=(
        "I {move}, who had no safe move and now knows that {card} can be played",
        "I {move}, who had no safe move and can now discard {card} without a lasting loss{free}",
        "I {move}, who has no safe move after any hint; this one says most",
        "I play {card}{fits}",
        "I have tokens to spare, so I {move}, who needs a hint most and now knows that {card} can be played",
        "I have tokens to spare, so I {move}, who needs a hint most and can now discard {card} without a lasting "
        "loss{free}",
        "I have tokens to spare, so I {move}, who needs a hint most; this one says most",
        "I discard {card}: of my cards it is the safest to discard{risk}",
    ),
    origin=ORIGIN,
)
def bot1(view: State) -> int:
    """Helps its partners first: a partner without a safe move gets a hint before anything else.

    Then it plays a safe card, spends tokens beyond one for each player on the partner in the worst phase, or discards
    the card that is most likely to be useless.
    """
    worst, worst_phase = NONE, 0
    for turns in range(1, view.players):
        seat = seat_after(view, turns)
        if view.tokens > 0 and view.held[seat] > 0:
            now = phase(view, seat, unseen_copies(view, seat), view.tokens, turns)
            if now == CRITICAL:
                return helping(view, turns, FIRST_AID)
            if now > worst_phase:
                worst, worst_phase = turns, now
    safe = sure_slots(view, view.seat, unseen_copies(view, view.seat), playable(view))
    if safe:
        return playing(view, lowest_bit(safe), PLAY)
    if view.tokens > view.players and worst != NONE:
        return helping(view, worst, GIFT)
    slot, _ = most_useless(view)
    return discarding(view, slot, DISCARD)
