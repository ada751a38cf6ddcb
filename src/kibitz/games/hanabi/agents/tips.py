"""Shared by the agents with modules: what a holder knows of a hand, what that allows, and what a hint would change.

A *tip* is the papers' word for a hint that a module chooses. All values are immutable, so that "what if I hinted this"
is a function call.
"""

from typing import NamedTuple

from kibitz.engine.bits import lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.loop import decision
from kibitz.games.hanabi.cards import KINDS, hinted_kinds, holds, lowest_rank
from kibitz.games.hanabi.knowledge import critical, kind_of, playable, surely, useless
from kibitz.games.hanabi.rules import HINT
from kibitz.games.hanabi.state import COLOUR_MARK, RANK_MARK, State

NONE = -1
FAILED = -1  # the result of a module that finds no move
NO_CARD = 1 << KINDS  # the content of empty slots

Five = tuple[int, int, int, int, int]


class Outlook(NamedTuple):
    """The kinds that are playable, useless and critical."""

    playable: int
    useless: int
    critical: int


class Hand(NamedTuple):
    """A hand as its holder knows it: the possible kinds of every card, the filled slots, and the marked ones."""

    kinds: Five
    slots: int
    marked: int


class Tip(NamedTuple):
    """A hint, its worth, and the card it is about."""

    worth: float
    move: int
    card: int


@compiled
def outlook(view: State) -> Outlook:
    return Outlook(playable(view), useless(view), critical(view))


@compiled
def next_seat(view: State) -> int:
    return (view.seat + 1) % view.players


@compiled
def no_tip(bar: float) -> Tip:
    """The start of a search for a hint worth more than the bar."""
    return Tip(bar, NONE, NONE)


@compiled
def tip_to(view: State, seat: int, value: int, slot: int, worth: float) -> Tip:
    card = view.hands[seat][slot] | 0  # int64, so that Numba unifies its type with that of the NONE of `no_tip`
    return Tip(worth, HINT + 10 * seat + value, card)


@compiled
def given(tip: Tip, reason: int) -> int:
    """The decision to give the hint, or FAILED if none was found."""
    return decision(tip.move, reason, tip.card) if tip.move != NONE else FAILED


# A hand as its holder knows it.


@compiled
def known(view: State, seat: int, slot: int, unseen: int) -> int:
    return view.hinted_kinds[seat][slot] & unseen if slot < view.held[seat] else NO_CARD


@compiled
def known_hand(view: State, seat: int, unseen: int) -> Hand:
    """What a seat knows of its hand, given the kinds of which it does not see every copy."""
    kinds = (
        known(view, seat, 0, unseen),
        known(view, seat, 1, unseen),
        known(view, seat, 2, unseen),
        known(view, seat, 3, unseen),
        known(view, seat, 4, unseen),
    )
    colour, rank = unhinted(view, seat)
    slots = (1 << view.held[seat]) - 1
    return Hand(kinds, slots, slots & ~(colour & rank))


@compiled
def sure_slots(hand: Hand, wanted: int) -> int:
    """The slots whose card is surely one of the wanted kinds."""
    kinds = hand.kinds
    return (
        surely(kinds[0], wanted)
        | surely(kinds[1], wanted) << 1
        | surely(kinds[2], wanted) << 2
        | surely(kinds[3], wanted) << 3
        | surely(kinds[4], wanted) << 4
    )


@compiled
def obvious_play(hand: Hand, slots: int, fitting: int) -> int:
    """The slot of a surely playable card among these, the lowest rank first, then the oldest; or NONE."""
    sure = sure_slots(hand, fitting) & slots
    best, lowest = NONE, 5
    while sure:
        slot = lowest_bit(sure)
        sure &= sure - 1
        if lowest_rank(hand.kinds[slot]) < lowest:
            best, lowest = slot, lowest_rank(hand.kinds[slot])
    return best


@compiled
def obvious_discard(hand: Hand, dead: int) -> int:
    """The slot of the oldest surely useless card, or NONE."""
    sure = sure_slots(hand, dead)
    return lowest_bit(sure) if sure else NONE


@compiled
def guess_discard(hand: Hand, last: int) -> int:
    """The slot of the oldest unmarked card, else of the oldest not surely critical, else of the oldest."""
    unmarked = hand.slots & ~hand.marked
    if unmarked:
        return lowest_bit(unmarked)
    spare = hand.slots & ~sure_slots(hand, last)
    return lowest_bit(spare) if spare else 0


# The effect of a hint.


@compiled
def touches(view: State, seat: int) -> int:
    """The slots of a visible hand that each hint touches, five bits per hint, for `touched_by`."""
    slots = 0
    for slot in range(view.held[seat]):
        kind = kind_of(view, seat, slot)
        slots |= (1 << 5 * (kind // 5) | 1 << (25 + 5 * (kind % 5))) << slot
    return slots


@compiled
def touched_by(touches: int, value: int) -> int:
    return (touches >> 5 * value) & 0b11111


@compiled
def unhinted(view: State, seat: int) -> tuple[int, int]:
    """The slots whose colour is not hinted, and those whose rank is not."""
    colour = rank = 0
    for slot in range(view.held[seat]):
        marks = view.marks[seat][slot]
        colour |= (marks & COLOUR_MARK == 0) << slot
        rank |= (marks & RANK_MARK == 0) << slot
    return colour, rank


@compiled
def narrowed(kinds: int, named: int, touched: bool) -> int:
    return kinds & named if touched else kinds & ~named


@compiled
def hand_after(hand: Hand, value: int, touched: int) -> Hand:
    """What the holder knows of the hand after a hint that touches these slots."""
    named = hinted_kinds(value)
    kinds = (
        narrowed(hand.kinds[0], named, holds(touched, 0)),
        narrowed(hand.kinds[1], named, holds(touched, 1)),
        narrowed(hand.kinds[2], named, holds(touched, 2)),
        narrowed(hand.kinds[3], named, holds(touched, 3)),
        narrowed(hand.kinds[4], named, holds(touched, 4)),
    )
    return Hand(kinds, hand.slots, hand.marked | touched)


@compiled
def power(base: float, exponent: int) -> float:
    """A power with an exponent from 0 to 7, without branches: this is the hottest function."""
    square = base * base
    result = base if exponent & 1 else 1.0
    result *= square if exponent & 2 else 1.0
    return result * (square * square if exponent & 4 else 1.0)
