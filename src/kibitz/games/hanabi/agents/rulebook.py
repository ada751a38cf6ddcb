"""The compiled rules of rule lists, and the interpreter that plays a list.

A rule decides on a move, or returns PASS to leave the turn to the next rule. A list is data in the agent's weights:
one compiled function plays every list, so a new list compiles nothing. `compose` writes the lists.

Discard rules pass while no token is missing: a discard gains nothing then, and the papers forbid it.
"""

from typing import NamedTuple

from kibitz.core.weights import Numbers
from kibitz.engine.bits import chosen_bit, count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import below
from kibitz.games.hanabi.agents.choices import discarding, hand, hinting, hinting_value, playing, unmarked_slots
from kibitz.games.hanabi.analytics import chance, unseen_copies
from kibitz.games.hanabi.cards import ALL, HINTS_TOUCHING, OF_COLOUR, OF_RANK, holds
from kibitz.games.hanabi.knowledge import Copies, critical, kind_of, playable, surely, unseen, useless
from kibitz.games.hanabi.rules import HINT, event_detail, event_move
from kibitz.games.hanabi.state import CARDS, COLOUR_MARK, RANK_MARK, TOKENS, State

PASS = -1

PLAY_CERTAIN, PLAY_SAFE, PLAY_PROBABLE = 0, 1, 2
HINT_PLAYABLE, HINT_UNKNOWN, HINT_DISPENSABLE, HINT_MOST, HINT_RANDOM = 3, 4, 5, 6, 7
DISCARD_USELESS, DISCARD_PROBABLY_USELESS, DISCARD_OLDEST, DISCARD_RANDOM = 8, 9, 10, 11
PLAY_HINTED, PLAY_IMPROBABLE, PLAY_RANDOM = 12, 13, 14
HINT_TO_PLAY, HINT_SURE, HINT_CRITICAL = 15, 16, 17
DISCARD_UNHINTED, DISCARD_DISPENSABLE = 18, 19

NEXT, ANYONE = 0, 1  # the possible receivers of a hint
RANK_FIRST, COLOUR_FIRST, EITHER = 0, 1, 2  # which missing property is hinted first, or one at random
SINGLE, OLDEST, NEWEST = 0, 1, 2  # which of the cards that a hint touches
LIVES_LEFT, TOKENS_LEFT, DECK_LEFT, SCORE, PLAYERS, ROLL = 0, 1, 2, 3, 4, 5  # what conditions compare
ROLLS = 1000  # a roll is a number below this, rolled for each rule of a list
FIRST_ROLL = 1000  # the first roll for conditions; rules use the first few


class Sight(NamedTuple):
    """What the player to move sees, counted once for all rules."""

    playable: int
    useless: int
    unseen: Copies


@compiled
def look(view: State) -> Sight:
    return Sight(playable(view), useless(view), unseen_copies(view, view.seat))


@compiled
def can_be(view: State, sight: Sight, slot: int) -> int:
    """The kinds an own card can be."""
    return view.hinted_kinds[view.seat][slot] & sight.unseen[0]


@compiled
def oldest_surely(view: State, sight: Sight, wanted: int) -> int:
    """The oldest own card that must be of a wanted kind; PASS if there is none."""
    for slot in range(view.held[view.seat]):
        if surely(can_be(view, sight, slot), wanted):
            return slot
    return PASS


@compiled
def likeliest(view: State, sight: Sight, wanted: int, at_least: float) -> int:
    """The viewer's card most likely to be of a wanted kind, the oldest on ties; PASS if none is likely enough."""
    best, highest = PASS, at_least
    for slot in range(view.held[view.seat]):
        likely = chance(sight.unseen, view.hinted_kinds[view.seat][slot], wanted)
        if likely > highest or (likely == highest and best == PASS):
            best, highest = slot, likely
    return best


@compiled
def the_one(slots: int, which: int) -> int:
    """The single, oldest or newest of some slots; PASS if there is none, or more than one where one is wanted."""
    if slots == 0 or (which == SINGLE and count_bits(slots) > 1):
        return PASS
    if which == NEWEST:
        while slots & (slots - 1):
            slots &= slots - 1
    return lowest_bit(slots)


@compiled
def latest_hinted_slots(view: State) -> int:
    """The viewer's cards touched by the latest hint since its last turn. Slots have not moved since."""
    for back in range(1, min(view.players - 1, view.turn) + 1):
        happened = view.history[view.turn - back]
        move = event_move(happened)
        if move >= HINT and (move - HINT) // 10 == view.seat:
            return event_detail(happened)
    return 0


# Play


@compiled
def play_certain(view: State, sight: Sight, reason: int) -> int:
    for slot in range(view.held[view.seat]):
        kinds = can_be(view, sight, slot)
        if count_bits(kinds) == 1 and surely(kinds, sight.playable):
            return playing(view, slot, reason)
    return PASS


@compiled
def play_safe(view: State, sight: Sight, reason: int) -> int:
    slot = oldest_surely(view, sight, sight.playable)
    return playing(view, slot, reason) if slot != PASS else PASS


@compiled
def play_probable(view: State, sight: Sight, at_least: float, reason: int) -> int:
    slot = likeliest(view, sight, sight.playable, at_least)
    if slot == PASS or can_be(view, sight, slot) & sight.playable == 0:
        return PASS
    return playing(view, slot, reason)


@compiled
def play_hinted(view: State, sight: Sight, which: int, at_least: float, reason: int) -> int:
    slot = the_one(latest_hinted_slots(view), which)
    if slot == PASS or can_be(view, sight, slot) & sight.playable == 0:
        return PASS
    likely = chance(sight.unseen, view.hinted_kinds[view.seat][slot], sight.playable)
    return playing(view, slot, reason) if likely >= at_least else PASS


@compiled
def play_improbable(view: State, sight: Sight, at_most: float, reason: int) -> int:
    best, lowest = PASS, at_most
    for slot in range(view.held[view.seat]):
        likely = chance(sight.unseen, view.hinted_kinds[view.seat][slot], sight.playable)
        if likely < lowest or (likely == lowest and best == PASS):
            best, lowest = slot, likely
    return playing(view, best, reason) if best != PASS else PASS


@compiled
def play_random(view: State, reason: int) -> int:
    return playing(view, chosen_bit(hand(view, view.seat), view.dice, 0), reason)


# Hints. Players come in turn order, the next to move first, and their cards from the oldest.


@compiled
def reach(view: State, to: int) -> int:
    """How many players a rule may hint to."""
    return 1 if to == NEXT else view.players - 1


@compiled
def hint_property(view: State, wanted: int, to: int, says: int, reason: int) -> int:
    """Hint the missing property, or either one, of a card of the wanted kinds."""
    if view.tokens == 0:
        return PASS
    for step in range(1, reach(view, to) + 1):
        seat = (view.seat + step) % view.players
        for slot in range(view.held[seat]):
            if holds(wanted, kind_of(view, seat, slot)):
                if says == EITHER:
                    return hinting(view, seat, slot, below(view.dice, 0, 2) == 1, reason)
                marks = view.marks[seat][slot]
                if marks & RANK_MARK == 0 and (says == RANK_FIRST or marks & COLOUR_MARK != 0):
                    return hinting(view, seat, slot, True, reason)
                if marks & COLOUR_MARK == 0:
                    return hinting(view, seat, slot, False, reason)
    return PASS


@compiled
def hint_until_sure(view: State, wanted: int, reason: int) -> int:
    """A hint that makes a holder certain that a card is of a wanted kind, the rank before the colour."""
    if view.tokens == 0:
        return PASS
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        open_kinds = unseen(view, seat)
        for slot in range(view.held[seat]):
            kind = kind_of(view, seat, slot)
            kinds = view.hinted_kinds[seat][slot] & open_kinds
            if holds(wanted, kind) and not surely(kinds, wanted):
                if surely(kinds & OF_RANK[kind % 5], wanted):
                    return hinting(view, seat, slot, True, reason)
                if surely(kinds & OF_COLOUR[kind // 5], wanted):
                    return hinting(view, seat, slot, False, reason)
    return PASS


@compiled
def touched_slots(view: State, seat: int, value: int) -> int:
    """The slots of a hand that a hint of this value touches."""
    slots = 0
    for slot in range(view.held[seat]):
        if holds(HINTS_TOUCHING[kind_of(view, seat, slot)], value):
            slots |= 1 << slot
    return slots


@compiled
def hint_to_play(view: State, wanted: int, to: int, which: int, reason: int) -> int:
    """A hint whose single, oldest or newest touched card is playable, unless its holder is certain already."""
    if view.tokens == 0:
        return PASS
    for step in range(1, reach(view, to) + 1):
        seat = (view.seat + step) % view.players
        open_kinds = unseen(view, seat)
        for turned in range(10):
            value = (turned + 5) % 10  # ranks first
            slot = the_one(touched_slots(view, seat, value), which)
            if slot == PASS or not holds(wanted, kind_of(view, seat, slot)):
                continue
            if not surely(view.hinted_kinds[seat][slot] & open_kinds, wanted):
                return hinting_value(view, seat, value, slot, reason)
    return PASS


@compiled
def values_to_hint(view: State, seat: int, slot: int, only_new: bool) -> int:
    """The hints that touch a card, as bits 0–9, or only those that name a property it is not marked with."""
    values = HINTS_TOUCHING[kind_of(view, seat, slot)]
    marks = view.marks[seat][slot]
    if only_new and marks & COLOUR_MARK:
        values &= ~0b11111
    if only_new and marks & RANK_MARK:
        values &= 0b11111
    return values


@compiled
def hint_most(view: State, only_new: bool, reason: int) -> int:
    """The hint that touches most cards, or most not yet marked with its property; ranks before colours on ties."""
    if view.tokens == 0:
        return PASS
    best_seat, best_value, most = PASS, 0, 0
    for step in range(1, view.players):
        seat = (view.seat + step) % view.players
        counts = 0  # of the cards each hint touches, four bits per hint
        for slot in range(view.held[seat]):
            values = values_to_hint(view, seat, slot, only_new)
            while values:
                counts += 1 << 4 * lowest_bit(values)
                values &= values - 1
        for turned in range(10):
            value = (turned + 5) % 10
            if (counts >> 4 * value) & 15 > most:
                best_seat, best_value, most = seat, value, (counts >> 4 * value) & 15
    if most == 0:
        return PASS
    slot = 0
    while not holds(values_to_hint(view, best_seat, slot, only_new), best_value):
        slot += 1
    return hinting(view, best_seat, slot, best_value >= 5, reason)


@compiled
def hint_random(view: State, to: int, reason: int) -> int:
    if view.tokens == 0:
        return PASS
    seat = (view.seat + 1 + below(view.dice, 0, reach(view, to))) % view.players
    if view.held[seat] == 0:
        return PASS
    slot = chosen_bit(hand(view, seat), view.dice, 1)
    return hinting(view, seat, slot, below(view.dice, 2, 2) == 1, reason)


# Discard


@compiled
def discard_slot(view: State, slot: int, reason: int) -> int:
    return discarding(view, slot, reason) if slot != PASS and view.tokens < TOKENS else PASS


@compiled
def discard_useless(view: State, sight: Sight, reason: int) -> int:
    slot = oldest_surely(view, sight, view.played)
    if slot == PASS:
        slot = oldest_surely(view, sight, sight.useless)
    return discard_slot(view, slot, reason)


# The list


@compiled
def try_rule(view: State, sight: Sight, rule: int, first: float, second: float, reason: int) -> int:
    """The decision of a rule with its parameters, or PASS."""
    if rule == PLAY_CERTAIN:
        return play_certain(view, sight, reason)
    if rule == PLAY_SAFE:
        return play_safe(view, sight, reason)
    if rule == PLAY_PROBABLE:
        return play_probable(view, sight, first, reason)
    if rule == HINT_PLAYABLE:
        return hint_property(view, sight.playable, int(first), int(second), reason)
    if rule == HINT_UNKNOWN:
        return hint_property(view, ALL, int(first), int(second), reason)
    if rule == HINT_DISPENSABLE:
        return hint_until_sure(view, sight.useless, reason)
    if rule == HINT_MOST:
        return hint_most(view, first != 0.0, reason)
    if rule == HINT_RANDOM:
        return hint_random(view, int(first), reason)
    if rule == DISCARD_USELESS:
        return discard_useless(view, sight, reason)
    if rule == DISCARD_PROBABLY_USELESS:
        return discard_slot(view, likeliest(view, sight, sight.useless, first), reason)
    if rule == DISCARD_OLDEST:
        return discard_slot(view, 0, reason)
    if rule == DISCARD_RANDOM:
        return discard_slot(view, chosen_bit(hand(view, view.seat), view.dice, 0), reason)
    if rule == PLAY_HINTED:
        return play_hinted(view, sight, int(first), second, reason)
    if rule == PLAY_IMPROBABLE:
        return play_improbable(view, sight, first, reason)
    if rule == PLAY_RANDOM:
        return play_random(view, reason)
    if rule == HINT_TO_PLAY:
        return hint_to_play(view, sight.playable, int(first), int(second), reason)
    if rule == HINT_SURE:
        return hint_until_sure(view, sight.playable, reason)
    if rule == HINT_CRITICAL:
        return hint_property(view, critical(view), int(first), int(second), reason)
    if rule == DISCARD_UNHINTED:
        return discard_slot(view, the_one(unmarked_slots(view, view.seat), int(first)), reason)
    if rule == DISCARD_DISPENSABLE:
        return discard_slot(view, likeliest(view, sight, ALL & ~critical(view), first), reason)
    return PASS


@compiled
def quantity(view: State, which: int, row: int) -> int:
    """The quantity that a condition compares."""
    if which == ROLL:
        return below(view.dice, FIRST_ROLL + row, ROLLS)
    if which == LIVES_LEFT:
        return view.lives
    if which == TOKENS_LEFT:
        return view.tokens
    if which == DECK_LEFT:
        return CARDS - view.drawn
    if which == SCORE:
        return count_bits(view.played)
    return view.players


@compiled
def last_resort(view: State, reason: int) -> int:
    """The move if no rule applies: discard the oldest card, or where that gains nothing, give a hint."""
    neighbour = (view.seat + 1) % view.players
    if view.tokens < TOKENS or view.held[neighbour] == 0:
        return discarding(view, 0, reason)
    return hinting(view, neighbour, 0, True, reason + 1)


def first_that_applies(view: State, weights: Numbers) -> int:
    """Play the list in the weights, as written by `compose.program`.

    The number of rules comes first. A rule is its code, two parameters and the number of its guards; a guard is
    whether its condition must hold and the number of its limits; a limit is a quantity, its least and its most.
    """
    sight = look(view)
    rules = int(weights[0])
    at = 1
    for row in range(rules):
        rule, first, second = int(weights[at]), weights[at + 1], weights[at + 2]
        guards = int(weights[at + 3])
        at += 4
        open_to_try = True
        for _ in range(guards):
            wanted, limits = weights[at] != 0.0, int(weights[at + 1])
            at += 2
            within = True
            for _ in range(limits):
                amount = quantity(view, int(weights[at]), row)
                within = within and weights[at + 1] <= amount <= weights[at + 2]
                at += 3
            open_to_try = open_to_try and within == wanted
        if open_to_try:
            decided = try_rule(view, sight, rule, first, second, row)
            if decided != PASS:
                return decided
    return last_resort(view, rules)
