"""What players with modules share: how they know a hand, what that lets them do, and what a hint would change.

All of it is small values made anew, never changed, so that "what if I hinted this" is a function call.
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
FAILED = -1  # what a module decides that has nothing to do
NO_CARD = 1 << KINDS  # what lies in the slots that a hand does not fill

Five = tuple[int, int, int, int, int]


class Outlook(NamedTuple):
    """The kinds that are playable, useless and critical."""

    playable: int
    useless: int
    critical: int


class Hand(NamedTuple):
    """A hand as its holder knows it: what every card can be, the slots that are filled, and those marked."""

    kinds: Five
    slots: int
    marked: int


class Tip(NamedTuple):
    """A hint, what it is worth, and the card it is about."""

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
    """To be beaten by a hint that is worth more than the bar."""
    return Tip(bar, NONE, NONE)


@compiled
def tip_to(view: State, seat: int, value: int, slot: int, worth: float) -> Tip:
    card = view.hands[seat][slot] | 0  # int64, so that Numba unifies its type with that of the NONE of `no_tip`
    return Tip(worth, HINT + 10 * seat + value, card)


@compiled
def given(tip: Tip, reason: int) -> int:
    """The decision to give a hint, or FAILED if none was found."""
    return decision(tip.move, reason, tip.card) if tip.move != NONE else FAILED


# A hand as its holder knows it.


@compiled
def known(view: State, seat: int, slot: int, unseen: int) -> int:
    return view.hinted_kinds[seat][slot] & unseen if slot < view.held[seat] else NO_CARD


@compiled
def known_hand(view: State, seat: int, unseen: int) -> Hand:
    """What a seat knows of its hand, if these are the kinds of which it does not see every copy."""
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
def obvious_play(hand: Hand, slots: int, now: int) -> int:
    """Of these slots that of a card that surely fits, the lowest rank first, the oldest among equals; or NONE."""
    sure = sure_slots(hand, now) & slots
    best, lowest = NONE, 5
    while sure:
        slot = lowest_bit(sure)
        sure &= sure - 1
        if lowest_rank(hand.kinds[slot]) < lowest:
            best, lowest = slot, lowest_rank(hand.kinds[slot])
    return best


@compiled
def obvious_discard(hand: Hand, dead: int) -> int:
    """The slot of the oldest card that is surely useless, or NONE."""
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


# What a hint would do.


@compiled
def touches(view: State, seat: int) -> int:
    """The slots of a visible hand that each hint touches, five bits a hint: `touched_by` reads them."""
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
    """The slots whose colour was not told, and those whose rank was not."""
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
    """The hand as its holder knows it after a hint that touches these slots."""
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
    """For exponents from 0 to 7, without a branch: what cards are worth is asked more often than anything else."""
    square = base * base
    result = base if exponent & 1 else 1.0
    result *= square if exponent & 2 else 1.0
    return result * (square * square if exponent & 4 else 1.0)
