"""Bot2, which plays safe cards and makes more cards safe, and Bot2 with two conventions that its authors propose.

*Right*: new cards enter at the right, and cards to keep are hinted from the right. So the leftmost card that no hint
ever touched is free to discard, and partners know which card of a hand is next.

*Single*: a hint that touches one card asks its holder to play it. Every seat remembers all promises at the table, and
nobody promises a card that another player is about to play.
"""

from dataclasses import replace
from typing import Protocol

import numpy as np

from kibitz.core.weights import Numbers
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.bot1 import NONE, ORIGIN, most_useless, seat_after, sure_slots
from kibitz.games.hanabi.agents.choices import discarding, hinting_value, playing, slots_of, unmarked_slots
from kibitz.games.hanabi.analytics import cards_among, chance, dispensable, hand_uncertainty, unseen_copies
from kibitz.games.hanabi.cards import ONES, hinted_kinds, holds
from kibitz.games.hanabi.knowledge import (
    Copies,
    critical,
    kind_of,
    kinds_after_hint,
    playable,
    possible,
    surely,
    useless,
)
from kibitz.games.hanabi.rules import HINT, event_detail, event_move, held_values
from kibitz.games.hanabi.state import FACE_DOWN, State

RIGHT, SINGLE = range(2)  # weights that switch the conventions on; Bot2 itself has neither
PROMISED = struct_dtype([("cards", np.int64)])


class Promised(Protocol):
    """What a seat remembers."""

    cards: int  # the promised cards, as places in the deck


@compiled
def follows(weights: Numbers, convention: int) -> bool:
    return weights[convention] != 0


# The cards that a play opens.


@compiled
def known_kind(view: State, seat: int, slot: int) -> int:
    """The kind of a card that the viewer sees or that hints determine, else FACE_DOWN."""
    kinds = int(view.hinted_kinds[seat][slot])
    return lowest_bit(kinds) if kinds & (kinds - 1) == 0 else kind_of(view, seat, slot)


@compiled
def openings(view: State, unseen: Copies, kinds: int) -> float:
    """The expected number of held cards that become playable when a card of these possible kinds is played."""
    cards = 0
    for seat in range(view.players):
        for slot in range(view.held[seat]):
            kind = known_kind(view, seat, slot)
            if kind != FACE_DOWN and not holds(ONES, kind):
                cards += cards_among(unseen, kinds & (1 << (kind - 1)))
    return cards / cards_among(unseen, kinds)


@compiled
def safe_play(view: State) -> int:
    """The slot of the safe card that makes most held cards playable, or NONE."""
    unseen = unseen_copies(view, view.seat)
    safe = sure_slots(view, view.seat, unseen, playable(view))
    best, most = NONE, -1.0
    for slot in range(view.held[view.seat]):
        if holds(safe, slot):
            opened = openings(view, unseen, int(view.hinted_kinds[view.seat][slot]))
            if opened > most:
                best, most = slot, opened
    return best


# Single: the promises of hints.


def note_promises(view: State, memory: Promised, weights: Numbers) -> None:
    """Remember a promise: a hint that touched one card, which can be playable by its holder's knowledge."""
    if view.turn == 0 or not follows(weights, SINGLE):
        return
    happened = view.history[view.turn - 1]
    move, touched = event_move(happened), event_detail(happened)
    if move >= HINT and count_bits(touched) == 1:
        seat, slot = (move - HINT) // 10, lowest_bit(touched)
        if possible(view, seat, slot) & playable(view):
            memory.cards |= 1 << int(view.hands[seat][slot])


@compiled
def promised_slots(view: State, memory: Promised, seat: int) -> int:
    slots = 0
    for slot in range(view.held[seat]):
        if holds(memory.cards, int(view.hands[seat][slot])):
            slots |= 1 << slot
    return slots


@compiled
def promised_play(view: State, memory: Promised) -> int:
    """The oldest promised card in the viewer's hand that can still be playable, or NONE."""
    unseen = unseen_copies(view, view.seat)
    promised = promised_slots(view, memory, view.seat)
    for slot in range(view.held[view.seat]):
        if holds(promised, slot) and view.hinted_kinds[view.seat][slot] & unseen[0] & playable(view):
            return slot
    return NONE


@compiled
def about_to_be_played(view: State, memory: Promised) -> int:
    """The kinds that other players know to be playable or were promised: a second copy must not be promised."""
    kinds = 0
    for turns in range(1, view.players):
        seat = seat_after(view, turns)
        sure = sure_slots(view, seat, unseen_copies(view, seat), playable(view))
        for slot in range(view.held[seat]):
            if holds(sure | promised_slots(view, memory, seat), slot):
                kinds |= 1 << kind_of(view, seat, slot)
    return kinds


@compiled
def only_touched(view: State, seat: int, value: int) -> int:
    """The slot of the only card that a hint touches; NONE if it touches several."""
    touched = slots_of(view, seat, hinted_kinds(value))
    return lowest_bit(touched) if count_bits(touched) == 1 else NONE


@compiled
def lies(view: State, weights: Numbers, seat: int, value: int, unseen: Copies) -> bool:
    """Whether a hint would be read as a promise of a card that is not playable."""
    slot = only_touched(view, seat, value)
    if slot == NONE or not follows(weights, SINGLE) or holds(playable(view), kind_of(view, seat, slot)):
        return False
    return kinds_after_hint(view, seat, slot, value) & unseen[0] & playable(view) != 0


# Right: which card is discarded next, and which is protected.


@compiled
def next_discard(view: State, seat: int) -> tuple[int, bool]:
    """The card that a player discards by the convention, and whether it is free to go.

    That is a useless card, else the leftmost that no hint touched, else, if there is no choice, the one most likely to
    be useless, from the left.
    """
    unseen = unseen_copies(view, seat)
    never = sure_slots(view, seat, unseen, useless(view))
    free = never if never else unmarked_slots(view, seat)
    if free:
        return lowest_bit(free), True
    best, most = 0, -1.0
    for slot in range(view.held[seat]):
        uselessness = chance(unseen, int(view.hinted_kinds[seat][slot]), dispensable(view))
        if uselessness > most:
            best, most = slot, uselessness
    return best, most == 1.0


@compiled
def protection(view: State, memory: Promised, weights: Numbers) -> tuple[int, int, int]:
    """The seat and slot of a critical card that would be discarded next, and the most informative hint on it.

    The nearest player comes first. A player with a card to play needs no protection yet.
    """
    for turns in range(1, view.players):
        seat = seat_after(view, turns)
        unseen = unseen_copies(view, seat)
        busy = sure_slots(view, seat, unseen, playable(view)) | promised_slots(view, memory, seat)
        if view.held[seat] > 0 and not busy:
            slot, _ = next_discard(view, seat)
            kind = kind_of(view, seat, slot)
            best, most = NONE, 0.0
            if holds(critical(view), kind):
                before = hand_uncertainty(view, seat, unseen)
                for value in (5 + kind % 5, kind // 5):
                    gained = before - hand_uncertainty(view, seat, unseen, value)
                    if gained > most and not lies(view, weights, seat, value, unseen):
                        best, most = value, gained
            if best != NONE:
                return seat, slot, best
    return NONE, NONE, NONE


# Hints.


@compiled
def play_tip(view: State, memory: Promised, weights: Numbers, only_sure: bool) -> tuple[int, int, int]:
    """The seat and slot of a playable card whose holder is not certain of it, and a hint that touches it.

    It is the card that makes most held cards playable, and the most informative hint. With `only_sure`, the hint must
    make the holder certain. By the conventions a promise counts as certainty, and among cards that open equally many
    the rightmost comes first.
    """
    best_seat, best_slot, best_value = NONE, NONE, NONE
    most_opened, rightmost, most_gained = -1.0, -1, 0.0
    fitting = playable(view)
    wanted = fitting & ~about_to_be_played(view, memory) if follows(weights, SINGLE) else fitting
    for turns in range(1, view.players):
        seat = seat_after(view, turns)
        unseen = unseen_copies(view, seat)
        before = hand_uncertainty(view, seat, unseen)
        waiting = slots_of(view, seat, wanted) & ~sure_slots(view, seat, unseen, fitting)
        if follows(weights, SINGLE):
            waiting &= ~promised_slots(view, memory, seat)
        for slot in range(view.held[seat]):
            if holds(waiting, slot):
                kind = kind_of(view, seat, slot)
                opened = openings(view, unseen, 1 << kind)
                place = slot if follows(weights, RIGHT) else 0
                for value in (kind // 5, 5 + kind % 5):
                    promise = follows(weights, SINGLE) and only_touched(view, seat, value) == slot
                    sure = promise or surely(kinds_after_hint(view, seat, slot, value) & unseen[0], fitting)
                    if only_sure and not sure:
                        continue
                    gained = before - hand_uncertainty(view, seat, unseen, value)
                    if (opened, place, gained) > (most_opened, rightmost, most_gained):
                        best_seat, best_slot, best_value = seat, slot, value
                        most_opened, rightmost, most_gained = opened, place, gained
    return best_seat, best_slot, best_value


@compiled
def most_informative_hint(view: State, weights: Numbers) -> tuple[int, int]:
    """The seat and the value of the hint that reduces the entropy of a hand most, or NONE.

    By the convention, hints that would be misread as a promise are left out.
    """
    best_seat, best_value, most = NONE, NONE, -1.0
    for turns in range(1, view.players):
        seat = seat_after(view, turns)
        unseen = unseen_copies(view, seat)
        before = hand_uncertainty(view, seat, unseen)
        for value in range(10):
            if holds(held_values(view, seat), value) and not lies(view, weights, seat, value, unseen):
                gained = before - hand_uncertainty(view, seat, unseen, value)
                if gained > most:
                    best_seat, best_value, most = seat, value, gained
    return best_seat, best_value


# Bot2 itself.

BOT2_SAFE, BOT2_SURE_TIP, BOT2_SAFE_DISCARD, BOT2_TIP, BOT2_INFORMATION, BOT2_DISCARD = range(6)


@agent(
    title="Steady Sage",
    reasons=(
        "I play {card}{fits}",
        "I {move}, who now knows that {card} can be played",
        "We are short of tokens, so I discard {card}, which is safe{risk}",
        "I {move}, who now knows more about {card}, which can be played",
        "I {move}; it touches {card}, and no other hint says more",
        "I discard {card}: of my cards it is the safest to discard{risk}",
    ),
    origin=ORIGIN,
    memory=PROMISED,
    weights=(0.0, 0.0),
)
def bot2(view: State, memory: Promised, weights: Numbers) -> int:
    """Plays safe cards at once, and gives hints that make more cards safe to play.

    If there is none, it discards a surely useless card if there are fewer tokens than players, and otherwise gives
    the most informative hint.
    """
    slot = safe_play(view)
    if slot != NONE:
        return playing(view, slot, BOT2_SAFE)
    if view.tokens > 0:
        seat, slot, value = play_tip(view, memory, weights, True)
        if seat != NONE:
            return hinting_value(view, seat, value, slot, BOT2_SURE_TIP)
    doomed, uselessness = most_useless(view)
    if view.tokens < view.players and uselessness == 1.0:
        return discarding(view, doomed, BOT2_SAFE_DISCARD)
    if view.tokens > 0:
        seat, slot, value = play_tip(view, memory, weights, False)
        if seat != NONE:
            return hinting_value(view, seat, value, slot, BOT2_TIP)
        seat, value = most_informative_hint(view, weights)
        if seat != NONE:
            slot = lowest_bit(slots_of(view, seat, hinted_kinds(value)))
            return hinting_value(view, seat, value, slot, BOT2_INFORMATION)
    return discarding(view, doomed, BOT2_DISCARD)


# Bot2 with its conventions.

SAFE, PROMISE, SINGLE_TIP, SURE_TIP, PROTECT, FREE, TIP, INFORMATION, DISCARD = range(9)


@agent(
    title="Clever Casey",
    reasons=(
        "I play {card}{fits}",
        "I play {card}: a hint touched only this card, which means: play it{odds}",
        "I {move} to ask for {card}: it can be played, and the hint touches only this card",
        "I {move}, who now knows that {card} can be played",
        "I {move} to save {card}: it is the last of its kind and would be discarded next",
        "We are short of tokens, so I discard {card}, my next by our convention{risk}",
        "I {move}, who now knows more about {card}, which can be played",
        "I {move}; it touches {card}, and no other hint says more",
        "I have no useful hint, so I discard {card}{risk}",
    ),
    origin="Bida & Pandolfi 2020, sections 3 and 4",
    observe=note_promises,
    memory=PROMISED,
    weights=(1.0, 1.0),
)
def bot2_conventions(view: State, memory: Promised, weights: Numbers) -> int:
    """Plays by two conventions: a hint that touches one card asks to play it, and the leftmost card that no hint
    touched is discarded next.

    Otherwise it plays like Steady Sage. It hints at a last copy before it is discarded, and never promises a card that
    is not playable.
    """
    slot = safe_play(view)
    if slot != NONE:
        return playing(view, slot, SAFE)
    slot = promised_play(view, memory)
    if slot != NONE:
        return playing(view, slot, PROMISE)
    if view.tokens > 0:
        seat, slot, value = play_tip(view, memory, weights, True)
        if seat != NONE:
            single = follows(weights, SINGLE) and only_touched(view, seat, value) == slot
            return hinting_value(view, seat, value, slot, SINGLE_TIP if single else SURE_TIP)
        if follows(weights, RIGHT):
            seat, slot, value = protection(view, memory, weights)
            if seat != NONE:
                return hinting_value(view, seat, value, slot, PROTECT)
    if follows(weights, RIGHT):
        doomed, free = next_discard(view, view.seat)
    else:
        doomed, uselessness = most_useless(view)
        free = uselessness == 1.0
    if view.tokens < view.players and free:
        return discarding(view, doomed, FREE)
    if view.tokens > 0:
        seat, slot, value = play_tip(view, memory, weights, False)
        if seat != NONE:
            return hinting_value(view, seat, value, slot, TIP)
        seat, value = most_informative_hint(view, weights)
        if seat != NONE:
            return hinting_value(view, seat, value, lowest_bit(slots_of(view, seat, hinted_kinds(value))), INFORMATION)
    return discarding(view, doomed, DISCARD)


# One convention at a time, to measure each.
bot2_right = replace(bot2_conventions.with_weights((1.0, 0.0)), name="bot2_right")
bot2_single = replace(bot2_conventions.with_weights((0.0, 1.0)), name="bot2_single")
