"""The recommendation strategy: one hint recommends an action to every other player.

The value of a hand is what its holder should do, numbered: play slot 0, 1, …, discard slot 0, 1, …. A hint says the
sum of the values (see `hat_sums`). The literal content of a hint is not used.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled, struct_dtype
from kibitz.engine.loop import decision
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import discarding, hand, lowest_ranks, may_discard, playing, slots_of
from kibitz.games.hanabi.agents.hat_sums import (
    ORIGIN,
    codes,
    hinted_last,
    hints_saying,
    last_mover,
    legal_or_any,
    number_said,
    receiver,
    risk_by_hints_alone,
    sum_in_words,
)
from kibitz.games.hanabi.cards import FIVES, holds
from kibitz.games.hanabi.knowledge import critical, kind_of, playable, useless
from kibitz.games.hanabi.reason_words import seat_name
from kibitz.games.hanabi.rules import DISCARD, HINT, event_misplayed, event_move, hand_size
from kibitz.games.hanabi.state import State

# Public: the last hint, and the number of cards that reached their pile since.
ANNOUNCED = struct_dtype([("turn", np.int64), ("number", np.int64), ("giver", np.int64), ("played", np.int64)])
# Of a seat: its value plus 1, or 0 without a recommendation; and whether a hint ever misled it.
RECOMMENDED = struct_dtype([("value", np.int64), ("misled", np.int64)])

PLAY, PLAY_SECOND, HINT_SUM, DISCARD_RECOMMENDED, OLDEST, ANYTHING = range(6)
REASONS = (
    "I play {card}: {said}",
    "I play {card}: {said}; a card was played since, but we can spare a life",
    "I {move}, which says {sum}",
    "I discard {card}: {said}{alone}",
    "I discard {card}, my oldest: I have no recommendation and no hint to give{alone}",
    "I make any legal move, because I see no good one",
)


@compiled
def plays(players: int) -> int:
    """The number of slots with a code for playing them; the other codes are for discards, from the oldest slot on."""
    return min(hand_size(players), codes(players) - 1)


@compiled
def recommendation(view: State, seat: int) -> int:
    """The value of a hand, which must be visible: a playable five, else the playable card of the lowest rank; else to
    discard a useless card, a card that has another copy, of the highest rank, or the oldest."""
    first_discard = plays(view.players)
    fit = slots_of(view, seat, playable(view)) & ((1 << first_discard) - 1)
    if fit:
        fives = fit & slots_of(view, seat, FIVES)
        return lowest_bit(fives if fives else lowest_ranks(view, seat, fit))
    room = (1 << (codes(view.players) - first_discard)) - 1
    dead = slots_of(view, seat, useless(view)) & room
    if dead:
        return first_discard + lowest_bit(dead)
    best, highest = 0, -1
    for slot in range(view.held[seat]):
        kind = kind_of(view, seat, slot)
        if holds(room, slot) and not holds(critical(view), kind) and kind % 5 > highest:
            best, highest = slot, kind % 5
    return first_discard + best


@compiled
def sum_without(view: State, one: int, other: int) -> int:
    """The sum of the values of all hands but two."""
    total = 0
    for seat in range(view.players):
        if seat != one and seat != other:
            total += recommendation(view, seat)
    return total


def watch(view: State, public: Any) -> None:
    """Note the number that a hint encodes, and count the cards played after it."""
    if hinted_last(view):
        public.turn, public.giver, public.number = view.turn, last_mover(view), number_said(view)
        public.played = 0
    elif view.turn > 0:
        happened = view.history[view.turn - 1]
        public.played += int(event_move(happened) < DISCARD and not event_misplayed(happened))


def observe(view: State, public: Any, memory: Any) -> None:
    """Subtract the visible values from the sum. The result holds until a card leaves the hand.

    If the first play after a hint fails, the hinter follows other conventions, and later hints are not trusted.
    """
    if hinted_last(view):
        mine = (public.number - sum_without(view, view.seat, public.giver)) % codes(view.players)
        memory.value = 0 if public.giver == view.seat or memory.misled else 1 + mine
    elif view.turn > 0 and last_mover(view) == view.seat:
        happened = view.history[view.turn - 1]
        if event_misplayed(happened) and event_move(happened) == memory.value - 1 and public.played == 0:
            memory.misled = 1
        memory.value = 0


def words(view: Any, reader: Any, about: int, public: Any, memory: Any) -> Mapping[str, str]:
    """The words {sum}, {said} and {alone} of a reason."""
    players = int(view["players"])

    def meaning(seat: int, value: int) -> str:
        first_discard = int(plays(players))
        whose = "your card" if seat == reader["seat"] else "card"
        if value < first_discard:
            return f"{whose} {value + 1} should be played"
        return f"{whose} {value - first_discard + 1} should be discarded"

    giver, numbers = seat_name(int(public["giver"])), int(codes(players))
    number, left = int(public["number"]), int(memory["value"]) - 1
    return {
        "sum": sum_in_words(view, reader, lambda seat: int(recommendation(view, seat)), meaning),
        "said": f"{giver} said S = {number} of {numbers}, which leaves {left} for me",
        "alone": risk_by_hints_alone(view, reader, about),
    }


@compiled
def decide(view: State, public: Any, value: int) -> int:
    """The rules of the paper, in its order."""
    first_discard = plays(view.players)
    slot = value if value < first_discard else value - first_discard
    recommended = value >= 0 and holds(hand(view, view.seat), slot)
    if recommended and value < first_discard:
        if public.played == 0:
            return playing(view, slot, PLAY)
        if public.played == 1 and view.lives > 1:
            return playing(view, slot, PLAY_SECOND)
    number = sum_without(view, view.seat, view.seat) % codes(view.players)
    hints = hints_saying(view, number)
    if hints:
        return decision(HINT + 10 * receiver(view, number) + lowest_bit(hints), HINT_SUM)
    if recommended and value >= first_discard and may_discard(view):
        return discarding(view, slot, DISCARD_RECOMMENDED)
    return discarding(view, 0, OLDEST)


@agent(
    title="Advising Avery",
    reasons=REASONS,
    reason_variables=words,
    origin=f"{ORIGIN}, the recommendation strategy",
    watch=watch,
    public=ANNOUNCED,
    observe=observe,
    memory=RECOMMENDED,
)
def hat_recommend(view: State, public: Any, memory: Any) -> int:
    """Recommends an action to every other player with one hint. The hint encodes the sum of the recommendations; each
    player subtracts those it sees and is left with its own.

    Follows the last recommendation unless other cards were played since. Meant for five players who all follow it;
    after one misleading hint it trusts no more of them.
    """
    return legal_or_any(view, decide(view, public, memory.value - 1), ANYTHING)
