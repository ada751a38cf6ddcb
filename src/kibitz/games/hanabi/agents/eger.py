"""The three programs that people played with in the study of Eger, Martens and Alfaro Córdoba (IEEE CIG 2017).

They reason from hints alone: what a card can be is what the hints about it leave open, without the cards that are
visible. The study was for two players; here a hint may go to any other player, the next one first.
"""

from typing import Protocol

import numpy as np

from kibitz.engine.bits import chosen_bit, highest_bit, lowest_bit
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.loop import about_of, decision, move_of
from kibitz.engine.seeds import below
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import discarding, hand, hinting_value, playing
from kibitz.games.hanabi.analytics import cards_among
from kibitz.games.hanabi.cards import FIVES, KINDS, MIDDLE, ONES, RANKS, hinted_kinds, holds, pile_height
from kibitz.games.hanabi.knowledge import (
    Copies,
    discards,
    kind_of,
    kinds_after_hint,
    playable,
    surely,
    with_copy,
)
from kibitz.games.hanabi.people.inputs import freshly_touched
from kibitz.games.hanabi.rules import HINT, event_move
from kibitz.games.hanabi.state import CARDS, TOKENS, State

ORIGIN = "Eger, Martens & Alfaro Córdoba 2017"
NOTHING = -1
HINT_ORDER = np.array([2, 1, 4, 3, 0, 5, 6, 7, 8, 9], np.int64)  # of equally good hints: their order of colours
COLOUR, RANK = 1, 2  # the hints about a card, as a mask


@compiled
def certain(view: State, kinds: int) -> int:
    """The viewer's slots whose card is one of these kinds, by hints alone."""
    slots = 0
    for slot in range(view.held[view.seat]):
        if surely(view.hinted_kinds[view.seat][slot], kinds):
            slots |= 1 << slot
    return slots


# The outer state of Osawa 2015

OUTER_MEMORY = struct_dtype([("given", np.int64, CARDS), ("planned", np.int64)])


class OuterMemory(Protocol):
    given: list[int]  # by place in the deck: the hints it gave about that card
    planned: int  # its decision for this turn, which says what card a hint is about


@compiled
def new_hint_about(view: State, memory: OuterMemory, seat: int, slot: int, roll: int, reason: int) -> int:
    """A hint about a card that it did not give before, or NOTHING."""
    new = (COLOUR | RANK) & ~memory.given[view.hands[seat][slot]]
    if new == 0:
        return NOTHING
    kind = kind_of(view, seat, slot)
    rank = new == RANK or (new == COLOUR | RANK and below(view.dice, roll, 2) == 1)
    return hinting_value(view, seat, 5 + kind % 5 if rank else kind // 5, slot, reason)


@compiled
def hint_for_play(view: State, memory: OuterMemory) -> int:
    """A new hint about a playable card of another player, the highest rank first."""
    now = playable(view)
    for rank in range(RANKS - 1, -1, -1):
        for step in range(1, view.players):
            seat = (view.seat + step) % view.players
            for slot in range(view.held[seat]):
                kind = kind_of(view, seat, slot)
                if kind % 5 == rank and holds(now, kind):
                    decided = new_hint_about(view, memory, seat, slot, 1, 2)
                    if decided != NOTHING:
                        return decided
    return NOTHING


@compiled
def hint_at_random(view: State, memory: OuterMemory) -> int:
    """A new hint about a random card of each other player in turn."""
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        if view.held[seat] > 0:
            slot = below(view.dice, 2 + 2 * step, view.held[seat])
            decided = new_hint_about(view, memory, seat, slot, 3 + 2 * step, 3)
            if decided != NOTHING:
                return decided
    return NOTHING


@compiled
def outer_decision(view: State, memory: OuterMemory) -> int:
    now = certain(view, playable(view))
    if now:
        return playing(view, lowest_bit(now), 0)
    gone = certain(view, view.played)
    if gone:
        return discarding(view, chosen_bit(gone, view.dice, 0), 1)
    if view.tokens > 0:
        decided = hint_for_play(view, memory)
        if decided == NOTHING:
            decided = hint_at_random(view, memory)
        if decided != NOTHING:
            return decided
    return discarding(view, chosen_bit(hand(view, view.seat), view.dice, 3), 4)


def remember_hints(view: State, memory: OuterMemory) -> None:
    """Remember what its own hint was about, once it is made."""
    if view.turn > 0 and (view.to_move - 1) % view.players == view.seat:
        move = event_move(view.history[view.turn - 1])
        if memory.planned and move >= HINT and move == move_of(memory.planned):
            memory.given[about_of(memory.planned)] |= COLOUR if (move - HINT) % 10 < 5 else RANK
        memory.planned = 0
    if view.to_move == view.seat:
        memory.planned = outer_decision(view, memory)


@agent(
    title="Outer Ollie",
    reasons=(
        "I play {card}{fits}",
        "I discard {card}: it can never be played{useless}",
        "I {move}: {card} can be played",
        "I {move} about {card}, as I did not do so before",
        "I discard {card}: nothing better is left{risk}",
    ),
    origin=f"Osawa 2015, as described by {ORIGIN}",
    random=True,
    memory=OUTER_MEMORY,
    observe=remember_hints,
)
def eger_outer(view: State, memory: OuterMemory) -> int:
    """Plays certain cards, hints each playable card by colour and rank once, and does the rest at random.

    One of the three programs that people played with in a study; `outer` is the same idea as a rule list.
    """
    return outer_decision(view, memory)


# Intentions

KEEP, MAY_DISCARD, TO_DISCARD, TO_PLAY = 0, 1, 2, 3  # the score of a hint that leads to it; KEEP must not be led to


@compiled
def intention(view: State, kind: int) -> int:
    """What another player should do with a card."""
    if holds(playable(view), kind):
        return TO_PLAY
    if holds(view.played, kind):
        return TO_DISCARD
    return KEEP if holds(FIVES, kind) or holds(view.discarded[0], kind) else MAY_DISCARD


@compiled
def score_of_hint(view: State, seat: int, value: int) -> int:
    """What a hint leads to, if its receiver plays touched cards that may fit and discards those that may be useless.

    It is 0 if the hint leads to something that is not intended, to nothing, or says nothing new.
    """
    named, now = hinted_kinds(value), playable(view)
    score, new = 0, False
    for slot in range(view.held[seat]):
        kind = kind_of(view, seat, slot)
        if not holds(named, kind):
            continue
        kinds = kinds_after_hint(view, seat, slot, value)
        new = new or kinds != view.hinted_kinds[seat][slot]
        wanted = intention(view, kind)
        if kinds & now:
            if wanted != TO_PLAY:
                return 0
            score += TO_PLAY
        elif kinds & view.played:
            if wanted not in (TO_DISCARD, MAY_DISCARD):
                return 0
            score += wanted
    return score if new else 0


@compiled
def best_hint(view: State, reason: int) -> int:
    """The hint with the best score, or NOTHING."""
    best, move = 0, NOTHING
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        for value in HINT_ORDER:
            score = score_of_hint(view, seat, value)
            if score > best:
                best, move = score, HINT + 10 * seat + value
    return decision(move, reason) if best else NOTHING


@compiled
def remaining(view: State) -> Copies:
    """The copies that are neither discarded nor on the piles."""
    one, two, three = with_copy(discards(view), int(view.played))
    return (ONES & ~three) | (MIDDLE & ~two) | (FIVES & ~one), (ONES & ~two) | (MIDDLE & ~one), ONES & ~one


@compiled
def value_of_discard(view: State, slot: int, left: Copies) -> float:
    """The expected value of a discard: a token for a useless card, and what a useful card may cost.

    If another copy is left, the cost is weighted by the probability of the kind twice: with that, the cards these
    programs discarded in the games with people are the ones chosen here.
    """
    kinds = int(view.hinted_kinds[view.seat][slot])
    cards, value = cards_among(left, kinds), 0.0
    for kind in range(KINDS):
        copies = cards_among(left, kinds & 1 << kind)
        rank, likely = kind % 5 + 1, copies / max(cards, 1)
        if holds(view.played, kind):
            value += 0.5 * likely
        elif copies > 1:
            distance = rank - pile_height(int(view.played), kind // 5)
            value -= likely**2 * (6 - rank) / distance**2
        else:
            value -= likely * (6 - rank + (0.5 if rank == RANKS else 0.0))
    return value


@compiled
def cheapest_discard(view: State) -> int:
    """The slot whose discard has the best expected value."""
    left = remaining(view)
    best, most = 0, -np.inf
    for slot in range(view.held[view.seat]):
        value = value_of_discard(view, slot, left)
        if value > most:
            best, most = slot, value
    return best


@compiled
def with_intentions(view: State, newest: bool) -> int:
    now = certain(view, playable(view))
    if now:
        return playing(view, highest_bit(now) if newest else lowest_bit(now), 0)
    gone = certain(view, view.played)
    if gone and view.tokens < TOKENS:
        return discarding(view, chosen_bit(gone, view.dice, 0), 1)
    if view.tokens > 0:
        decided = best_hint(view, 2)
        if decided != NOTHING:
            return decided
    return discarding(view, cheapest_discard(view), 3)


INTENTIONS = (
    "I play {card}{fits}",
    "I discard {card}: it can never be played{useless}",
    "I {move}: it leads to what I want you to do with these cards",
    "I discard {card}: by what I know it costs least{risk}",
)


@agent(title="Intent Iris", reasons=INTENTIONS, origin=ORIGIN, random=True)
def intentional(view: State) -> int:
    """Gives the hint that makes its receiver play and discard what it wants, as it predicts them, and nothing else.

    It predicts that touched cards are played if they may be playable, and discarded if they may be useless. One of the
    three programs that people played with in a study.
    """
    return with_intentions(view, True)


@compiled
def act_on_hint(view: State) -> int:
    """Play the oldest card that was just touched and may fit, else discard the oldest that may be useless."""
    fresh, now = freshly_touched(view, view.turn, view.seat), playable(view)
    for slot in range(view.held[view.seat]):
        if holds(fresh, slot) and view.hinted_kinds[view.seat][slot] & now:
            return playing(view, slot, 4)
    for slot in range(view.held[view.seat]):
        if holds(fresh, slot) and view.hinted_kinds[view.seat][slot] & view.played:
            return discarding(view, slot, 5)
    return NOTHING


@agent(
    title="Full Frankie",
    reasons=(
        *INTENTIONS,
        "I was just hinted {card}, and it may be playable, so I play it{odds}",
        "I was just hinted {card}, and it may be useless, so I discard it{risk}",
    ),
    origin=ORIGIN,
    random=True,
)
def full(view: State) -> int:
    """Plays as `intentional`, and reads a hint as it expects others to: touched cards should be played or discarded.

    Of several certain cards it plays the oldest, as it did in the games with people. One of the three programs that
    people played with in a study.
    """
    decided = act_on_hint(view)
    return decided if decided != NOTHING else with_intentions(view, False)
