"""A careful player: it plays only what must be playable, and weighs its hints.

`distrustful` counts the copies it sees; `distrustful_2020` follows the text and the figures of the thesis.
"""

from pathlib import Path
from typing import NamedTuple

from kibitz.core.weights import Numbers, load_weights
from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.hanabi.agents import agent
from kibitz.games.hanabi.agents.choices import avalanches, discarding, hinting, may_discard, playing, slots_of
from kibitz.games.hanabi.agents.tips import (
    FAILED,
    NONE,
    Hand,
    Outlook,
    given,
    guess_discard,
    hand_after,
    known_hand,
    next_seat,
    no_tip,
    obvious_discard,
    obvious_play,
    outlook,
    power,
    sure_slots,
    tip_to,
    touched_by,
    touches,
    unhinted,
)
from kibitz.games.hanabi.cards import ALL, holds
from kibitz.games.hanabi.knowledge import kind_of, marked, plays_missing, unseen, with_copy
from kibitz.games.hanabi.state import RANK_MARK, State

# The modules, in the order of the paper, and one more reason.
NECESSARY_TIP, OBVIOUS_PLAY, GOOD_PLAY_TIP, DISCARD_TIP, OBVIOUS_DISCARD, MEDIOCRE_PLAY_TIP, GUESS_DISCARD = range(7)
FORCED_TIP = 7

# The order of the modules by tokens left, padded with the module that never fails.
UNDER_3 = (
    NECESSARY_TIP, OBVIOUS_PLAY, OBVIOUS_DISCARD, GOOD_PLAY_TIP, DISCARD_TIP, GUESS_DISCARD, GUESS_DISCARD,
)  # fmt: skip
FROM_3_TO_7 = (
    NECESSARY_TIP, OBVIOUS_PLAY, GOOD_PLAY_TIP, DISCARD_TIP, OBVIOUS_DISCARD, MEDIOCRE_PLAY_TIP, GUESS_DISCARD,
)  # fmt: skip
ALL_8 = (
    NECESSARY_TIP, OBVIOUS_PLAY, GOOD_PLAY_TIP, DISCARD_TIP, MEDIOCRE_PLAY_TIP, OBVIOUS_DISCARD, GUESS_DISCARD,
)  # fmt: skip

WEIGHT_NAMES = (
    "tip.missing", "tip.distance", "tip.low_rank",
    "good_tip.bar", "good_tip.second_mark",
    "mediocre_tip.bar", "mediocre_tip.second_mark",
    "discard_tip.bar",
)  # fmt: skip
MISSING, DISTANCE, LOW_RANK = range(3)
GOOD, MEDIOCRE = 3, 5  # where the two of each begin, in this order:
BAR, SECOND_MARK = range(2)
DISCARD_BAR = 7


class Reading(NamedTuple):
    """How to read what the paper leaves open."""

    copies: bool  # a player counts the copies it sees; otherwise it knows its cards by hints alone
    marked_copies: bool  # a card counts nothing in a tip if a copy of it is already marked
    avalanche: float  # for a card whose play lets another player continue the pile


OURS = Reading(True, True, 1.0)
READING_NAMES = ("copies", "marked_copies", "avalanche")


@compiled
def hand_of(view: State, seat: int, reading: Reading) -> Hand:
    """What a seat knows of its hand."""
    return known_hand(view, seat, unseen(view, seat) if reading.copies else ALL)


@compiled
def necessary_tip(view: State, look: Outlook, reading: Reading) -> int:
    """Keep the next player from discarding a playable last copy: hint its rank, else its colour."""
    endangered = look.critical & look.playable
    if view.tokens == 0 or endangered == 0:
        return FAILED
    seat = next_seat(view)
    hand = hand_of(view, seat, reading)
    if sure_slots(hand, look.playable) | sure_slots(hand, look.useless):
        return FAILED
    slot = guess_discard(hand, look.critical)
    if not holds(endangered, kind_of(view, seat, slot)):
        return FAILED
    return hinting(view, seat, slot, not view.marks[seat][slot] & RANK_MARK, NECESSARY_TIP)


@compiled
def marked_kinds(view: State) -> tuple[int, int]:
    """The kinds of which at least one, and at least two, visible cards are marked."""
    copies = (0, 0, 0)
    for seat in range(view.players):
        if seat != view.seat:
            for slot in range(view.held[seat]):
                copies = with_copy(copies, marked(view, seat, slot) << kind_of(view, seat, slot))
    return copies[0], copies[1]


@compiled
def card_worth(
    view: State, seat: int, slot: int, second_mark: float, marks: tuple[int, int], dead: int, avalanche: int,
    weights: Numbers, reading: Reading,
) -> float:  # fmt: skip
    """The worth of new information about a card: 0 if it is useless or a copy of it is already marked."""
    if slot >= view.held[seat]:
        return 0.0
    kind = kind_of(view, seat, slot)
    once, twice = marks
    again = marked(view, seat, slot)
    missing = plays_missing(view, kind)
    worth = power(weights[MISSING], missing) * power(weights[LOW_RANK], 4 - kind % 5)
    worth *= second_mark if again and missing == 0 else 1.0
    worth *= reading.avalanche if holds(avalanche, kind) else 1.0
    copies = (twice if again else once) if reading.marked_copies else 0
    return 0.0 if holds(dead | copies, kind) else worth


@compiled
def play_tip(view: State, look: Outlook, weights: Numbers, tip: int, bar: float, reason: int, reading: Reading) -> int:
    """The worthiest hint above the bar; hints that make a card surely playable come first."""
    if view.tokens < 2:
        return FAILED
    second_mark = weights[tip + SECOND_MARK]
    marks = marked_kinds(view)
    avalanche = avalanches(view)
    best, best_enables = no_tip(bar), False
    nearness = 1.0
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        nearness *= weights[DISTANCE]
        worths = (
            nearness * card_worth(view, seat, 0, second_mark, marks, look.useless, avalanche, weights, reading),
            nearness * card_worth(view, seat, 1, second_mark, marks, look.useless, avalanche, weights, reading),
            nearness * card_worth(view, seat, 2, second_mark, marks, look.useless, avalanche, weights, reading),
            nearness * card_worth(view, seat, 3, second_mark, marks, look.useless, avalanche, weights, reading),
            nearness * card_worth(view, seat, 4, second_mark, marks, look.useless, avalanche, weights, reading),
        )
        if worths[0] + worths[1] + worths[2] + worths[3] + worths[4] <= bar:
            continue  # no hint is worth more than all cards together
        hints = touches(view, seat)
        colour_unhinted, rank_unhinted = unhinted(view, seat)
        for value in range(9, -1, -1):
            touched = touched_by(hints, value)
            if touched == 0:
                continue
            new = touched & (colour_unhinted if value < 5 else rank_unhinted)
            worth = 0.0
            for slot in range(5):
                worth += worths[slot] if holds(new, slot) else 0.0
            if worth > bar and (worth > best.worth or not best_enables):
                hand = hand_of(view, seat, reading)
                enables = (
                    sure_slots(hand_after(hand, value, touched), look.playable) & ~sure_slots(hand, look.playable) != 0
                )
                if (enables and not best_enables) or (enables == best_enables and worth > best.worth):
                    slot = lowest_bit(new if new else touched)
                    best, best_enables = tip_to(view, seat, value, slot, worth), enables
    return given(best, reason)


@compiled
def discard_tip(view: State, look: Outlook, weights: Numbers, reading: Reading) -> int:
    """The hint that makes most cards surely useless, if it is worth more than the bar."""
    if view.tokens < 2:
        return FAILED
    best = no_tip(weights[DISCARD_BAR])
    nearness = 1.0
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        nearness *= weights[DISTANCE]
        if count_bits(slots_of(view, seat, look.useless)) * nearness <= best.worth:
            continue  # no hint frees more cards than are useless
        hand = hand_of(view, seat, reading)
        before = sure_slots(hand, look.useless)
        hints = touches(view, seat)
        for value in range(9, -1, -1):
            touched = touched_by(hints, value)
            if touched:
                freed = sure_slots(hand_after(hand, value, touched), look.useless) & ~before
                worth = count_bits(freed) * nearness
                if worth > best.worth:
                    best = tip_to(view, seat, value, lowest_bit(freed), worth)
    return given(best, DISCARD_TIP)


@compiled
def try_module(module: int, view: State, hand: Hand, look: Outlook, weights: Numbers, reading: Reading) -> int:
    """The decision of a module, or FAILED."""
    if module == NECESSARY_TIP:
        return necessary_tip(view, look, reading)
    if module == OBVIOUS_PLAY:
        slot = obvious_play(hand, hand.slots, look.playable)
        return playing(view, slot, OBVIOUS_PLAY) if slot != NONE else FAILED
    if module == GOOD_PLAY_TIP:
        return play_tip(view, look, weights, GOOD, weights[GOOD + BAR], GOOD_PLAY_TIP, reading)
    if module == DISCARD_TIP:
        return discard_tip(view, look, weights, reading)
    if module == MEDIOCRE_PLAY_TIP:
        return play_tip(view, look, weights, MEDIOCRE, weights[MEDIOCRE + BAR], MEDIOCRE_PLAY_TIP, reading)
    if not may_discard(view):  # then any hint, even a worthless one
        return play_tip(view, look, weights, MEDIOCRE, -1.0, FORCED_TIP, reading)
    if module == OBVIOUS_DISCARD:
        slot = obvious_discard(hand, look.useless)
        return discarding(view, slot, OBVIOUS_DISCARD) if slot != NONE else FAILED
    return discarding(view, guess_discard(hand, look.critical), GUESS_DISCARD)


@compiled
def first_move(view: State, weights: Numbers, reading: Reading) -> int:
    """The decision of the first module that finds a move."""
    hand = hand_of(view, view.seat, reading)
    look = outlook(view)
    for module in UNDER_3 if view.tokens < 3 else FROM_3_TO_7 if view.tokens < 8 else ALL_8:
        decided = try_module(module, view, hand, look, weights, reading)
        if decided != FAILED:
            return decided
    return discarding(view, 0, GUESS_DISCARD)  # no other player holds a card


REASONS = (
    "I {move} to save {card}: it can be played, is the last of its kind, and would be discarded next",
    "I play {card}{fits}",
    "I {move}; it touches {card}, and no other hint brings us closer to a play",
    "I {move}, who now knows that {card} can never be played{useless}",
    "I discard {card}: it can never be played{useless}",
    "I have nothing better to do, so I {move}; it touches {card}, and no other hint brings us closer to a play",
    "I have nothing better to do, so I discard {card}, my next{risk}",
    "I may not discard now, so I {move}; it touches {card}",
)


@agent(
    title="Wary Wren",
    reasons=REASONS,
    origin="Jarząbek & Leja 2020, section 4.6; improved: it also counts the copies it sees",
    weights=load_weights(Path(__file__).with_name("distrustful.toml"), WEIGHT_NAMES),
)
def distrustful(view: State, weights: Numbers) -> int:
    """Plays only what must be playable, reads no meaning into hints, and gives the hint that it values most.

    It also counts the copies it sees, and therefore scores more than the paper reports.
    """
    return first_move(view, weights, OURS)


@agent(
    title="Guarded Greer",
    reasons=REASONS,
    origin="Jarząbek & Leja 2020, section 4.6, to the letter",
    weights=load_weights(
        Path(__file__).with_name("distrustful_2020.toml"),
        (*WEIGHT_NAMES, *(f"reading.{name}" for name in READING_NAMES)),
    ),
)
def distrustful_2020(view: State, weights: Numbers) -> int:
    """Plays only what must be playable by its hints alone, reads no meaning into hints, and gives the hint that it
    values most, avalanche plays first.

    It is Wary Wren as its authors describe it.
    """
    return first_move(view, weights, Reading(weights[-3] > 0, weights[-2] > 0, weights[-1]))
