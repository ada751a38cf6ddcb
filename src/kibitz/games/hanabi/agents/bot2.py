"""Bot2 plays what is safe and makes more cards safe; and Bot2 with the two conventions its authors propose and did not
build, together or one at a time.

*Right*: new cards enter at the right, and what must not be thrown away is hinted from the right. So the
leftmost card that no hint ever touched is free to go, and partners see which card of a hand is next.

*Single*: a hint that touches one card asks its holder to play it. Every seat keeps the promises of the
whole table in mind, and nobody promises a card that another player is about to play.
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

RIGHT, SINGLE = range(2)  # weights that switch a convention on; Bot2 itself has neither
PROMISED = struct_dtype([("cards", np.int64)])


class Promised(Protocol):
    """What a seat remembers."""

    cards: int  # that were promised, as places in the deck


@compiled
def follows(weights: Numbers, convention: int) -> bool:
    return weights[convention] != 0


# What a safe card opens.


@compiled
def known_kind(view: State, seat: int, slot: int) -> int:
    """The kind of a card the viewer sees, or of one of its own that hints told in full, else FACE_DOWN."""
    told = int(view.hinted_kinds[seat][slot])
    return lowest_bit(told) if told & (told - 1) == 0 else kind_of(view, seat, slot)


@compiled
def openings(view: State, unseen: Copies, kinds: int) -> float:
    """How many held cards the play of a card that can be of these kinds would make playable, on average."""
    cards = 0
    for seat in range(view.players):
        for slot in range(view.held[seat]):
            kind = known_kind(view, seat, slot)
            if kind != FACE_DOWN and not holds(ONES, kind):
                cards += cards_among(unseen, kinds & (1 << (kind - 1)))
    return cards / cards_among(unseen, kinds)


@compiled
def safe_play(view: State) -> int:
    """The slot of a safe card, the one that makes most held cards playable; NONE if there is none."""
    unseen = unseen_copies(view, view.seat)
    safe = sure_slots(view, view.seat, unseen, playable(view))
    best, most = NONE, -1.0
    for slot in range(view.held[view.seat]):
        if holds(safe, slot):
            opened = openings(view, unseen, int(view.hinted_kinds[view.seat][slot]))
            if opened > most:
                best, most = slot, opened
    return best


# Single: what a hint promises.


def note_promises(view: State, memory: Promised, weights: Numbers) -> None:
    """A hint that touched one card, which could fit for all its holder knows, is a promise."""
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
    """The oldest promised card in the own hand that can still fit; NONE if there is none."""
    unseen = unseen_copies(view, view.seat)
    promised = promised_slots(view, memory, view.seat)
    for slot in range(view.held[view.seat]):
        if holds(promised, slot) and view.hinted_kinds[view.seat][slot] & unseen[0] & playable(view):
            return slot
    return NONE


@compiled
def about_to_be_played(view: State, memory: Promised) -> int:
    """The kinds that other players know to fit or were promised: a second copy must not be promised."""
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
    """The slot of the one card that a hint touches; NONE if it touches more."""
    touched = slots_of(view, seat, hinted_kinds(value))
    return lowest_bit(touched) if count_bits(touched) == 1 else NONE


@compiled
def lies(view: State, weights: Numbers, seat: int, value: int, unseen: Copies) -> bool:
    """Whether a hint would be taken for a promise of a card that does not fit."""
    slot = only_touched(view, seat, value)
    if slot == NONE or not follows(weights, SINGLE) or holds(playable(view), kind_of(view, seat, slot)):
        return False
    return kinds_after_hint(view, seat, slot, value) & unseen[0] & playable(view) != 0


# Right: which card goes, and which is protected.


@compiled
def next_to_go(view: State, seat: int) -> tuple[int, bool]:
    """The card a player throws away by the convention, and whether it is free to go.

    That is a card that can never be played again, else the leftmost that no hint touched, else, and only if it must be,
    the one that is the likeliest to be useless, from the left.
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
    """The seat and slot of the last copy of a kind that goes next, and the hint on it that tells most.

    The nearest player comes first. Who has a card to play needs no protection yet.
    """
    for turns in range(1, view.players):
        seat = seat_after(view, turns)
        unseen = unseen_copies(view, seat)
        busy = sure_slots(view, seat, unseen, playable(view)) | promised_slots(view, memory, seat)
        if view.held[seat] > 0 and not busy:
            slot, _ = next_to_go(view, seat)
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
    """The seat and slot of a playable card whose holder is not sure of it, and a hint that touches it.

    It is the card that makes most held cards playable, and the hint that tells most. `only_sure` leaves hints out that
    do not make the holder sure. By the conventions a promise is as good as certainty, and of cards that open as much
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
    """The seat and the value of the hint that lowers the entropy of a hand most; NONE if nobody holds a card.

    By the convention none that would be taken for a promise and is none.
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

BOT2_SAFE, BOT2_SURE_TIP, BOT2_SAFE_THROW, BOT2_TIP, BOT2_INFORMATION, BOT2_THROW = range(6)


@agent(
    title="Steady Sage",
    reasons=(
        "play: {card} opens the way for most, and is sure to fit{fits}",
        "sure tip: {card} fits, and its holder is now sure of it{fits}",
        "discard: tokens are short, and {card} is safe to throw away{risk}",
        "tip: {card} fits, and its holder now knows more of it{fits}",
        "information: no other hint tells so much; it touches {card}",
        "discard: of all I hold {card} is the safest to throw away{risk}",
    ),
    origin=ORIGIN,
    memory=PROMISED,
    weights=(0.0, 0.0),
)
def bot2(view: State, memory: Promised, weights: Numbers) -> int:
    """Plays safe cards at once, and hints so that more cards become safe to play.

    Without such a hint it discards what is surely useless if there are fewer tokens than players, and
    else spends tokens on whatever tells most.
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
        return discarding(view, doomed, BOT2_SAFE_THROW)
    if view.tokens > 0:
        seat, slot, value = play_tip(view, memory, weights, False)
        if seat != NONE:
            return hinting_value(view, seat, value, slot, BOT2_TIP)
        seat, value = most_informative_hint(view, weights)
        if seat != NONE:
            slot = lowest_bit(slots_of(view, seat, hinted_kinds(value)))
            return hinting_value(view, seat, value, slot, BOT2_INFORMATION)
    return discarding(view, doomed, BOT2_THROW)


# Bot2 with its conventions.

SAFE, PROMISE, SINGLE_TIP, SURE_TIP, PROTECT, FREE, TIP, INFORMATION, THROW = range(9)


@agent(
    title="Clever Casey",
    reasons=(
        "play: {card} opens the way for most, and is sure to fit{fits}",
        "promise: a hint touched only {card}, which asks to play it{odds}",
        "single tip: the hint touches only {card}, which fits, and asks its holder to play it",
        "sure tip: {card} fits, and its holder is now sure of it{fits}",
        "protect: {card} is the last of its kind and still needed, and would be thrown away next",
        "discard: tokens are short, and {card} is next to go by the convention{risk}",
        "tip: {card} fits, and its holder now knows more of it{fits}",
        "information: no other hint tells so much; it touches {card}",
        "discard: there is no hint to give, so {card} goes{risk}",
    ),
    origin="Bida & Pandolfi 2020, sections 3 and 4",
    observe=note_promises,
    memory=PROMISED,
    weights=(1.0, 1.0),
)
def bot2_conventions(view: State, memory: Promised, weights: Numbers) -> int:
    """Plays by two agreements: a hint that touches one card asks to play it, and the leftmost card that no hint
    touched is free to go.

    It plays as Steady Sage does, and by these. So it protects the last copy of a card before that is next to go, and
    never promises what does not fit.
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
        doomed, free = next_to_go(view, view.seat)
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
    return discarding(view, doomed, THROW)


# One convention at a time, to see what each is worth.
bot2_right = replace(bot2_conventions.with_weights((1.0, 0.0)), name="bot2_right")
bot2_single = replace(bot2_conventions.with_weights((0.0, 1.0)), name="bot2_single")
