"""Which number a move says.

A hint says one number of M. Which one depends on who gets it, whether it names a colour or a rank, and which of some
agreed *reference* slots it touches: the slot of which least is known, and others that cannot share its colour (or its
rank) with it. A discard of one of several spare cards, and a play of one of several that fit, say which of them it is.
"""

from typing import NamedTuple

from kibitz.core.bits import count_bits, lowest_bit
from kibitz.core.compile import compiled
from kibitz.core.weights import Numbers
from kibitz.hanabi.agents.signal.common import Common, copies_left, mask
from kibitz.hanabi.agents.signal.settings import CAREFUL_LIVES, DOUBT, REFERENCES
from kibitz.hanabi.cards import hinted_kinds, holds
from kibitz.hanabi.state import TOKENS


class Book(NamedTuple):
    """The codes of hints to one seat, in this order."""

    colour: int  # reference slots: a colour that touches one of them
    colour_none: int  # 1 if a colour that touches none of them is a code of its own
    rank: int
    rank_none: int
    none: int  # 1 if colours and ranks that touch none of them are one code together


@compiled
def size(book: Book) -> int:
    return count_bits(book.colour) + book.colour_none + count_bits(book.rank) + book.rank_none + book.none


@compiled
def alike(c: Common, one: int, other: int, first: int) -> float:
    """How likely two cards are to have the same colour (first 0) or rank (first 5)."""
    pairs = copies_left(c, one) * copies_left(c, other)
    same = 0
    for value in range(first, first + 5):
        named = hinted_kinds(value)
        same += copies_left(c, one & named) * copies_left(c, other & named)
    return same / pairs if pairs > 0 else 1.0


@compiled
def may_be_alike(one: int, other: int, first: int) -> bool:
    """Whether two cards can have the same colour (first 0) or rank (first 5)."""
    for value in range(first, first + 5):
        named = hinted_kinds(value)
        if one & named != 0 and other & named != 0:
            return True
    return False


@compiled
def references(c: Common, seat: int, first: int, most: int) -> int:
    """The slots of which least is known, the newest first, as long as no two of them can be alike."""
    slots = 0
    for _ in range(most):
        best, top = -1, -1
        for slot in range(c.held[seat]):
            kinds = mask(c, seat, slot)
            if holds(slots, slot) or count_bits(kinds) < top:
                continue
            free = True
            for other in range(c.held[seat]):
                if holds(slots, other) and may_be_alike(kinds, mask(c, seat, other), first):
                    free = False
            if free:
                best, top = slot, count_bits(kinds)
        if best < 0:
            break
        slots |= 1 << best
    return slots


@compiled
def chance_of_none_else(c: Common, seat: int, slots: int, first: int) -> float:
    """How likely every other card is like one of the reference slots, so that no hint can pass all of these by."""
    chance = 1.0
    for slot in range(c.held[seat]):
        if not holds(slots, slot):
            hit = 0.0
            for other in range(c.held[seat]):
                if holds(slots, other):
                    hit += alike(c, mask(c, seat, slot), mask(c, seat, other), first)
            chance *= min(1.0, hit)
    return chance


@compiled
def book_of(c: Common, seat: int, weights: Numbers) -> Book:
    """The codes of hints to a seat. With all tokens, when a discard is no way out, only such as can always be said."""
    most = int(weights[REFERENCES])
    colour = references(c, seat, 0, most)
    rank = references(c, seat, 5, most) if most > 1 else colour
    if c.tokens == TOKENS and c.lives <= weights[CAREFUL_LIVES]:
        return Book(colour, 0, rank, 0, 1)
    doubt = weights[DOUBT]
    colour_none = doubt >= 1.0 or chance_of_none_else(c, seat, colour, 0) <= doubt
    rank_none = doubt >= 1.0 or chance_of_none_else(c, seat, rank, 5) <= doubt
    return Book(colour, int(colour_none), rank, int(rank_none), 0)


@compiled
def place_in(slots: int, touched: int) -> int:
    """Which of the reference slots, in order, is the first that a hint touches."""
    hit = slots & touched
    return count_bits(slots & ((hit & -hit) - 1))


@compiled
def code_in(book: Book, value: int, touched: int) -> int:
    """Which of a seat's codes a hint is. One that passes all by where that is no code is the first of its sort."""
    sort = book.colour if value < 5 else book.rank
    alone = book.colour_none if value < 5 else book.rank_none
    before = 0 if value < 5 else count_bits(book.colour) + book.colour_none
    if sort & touched != 0:
        return before + place_in(sort, touched)
    if alone != 0:
        return before + count_bits(sort)
    return size(book) - 1 if book.none != 0 else before


@compiled
def count_codes(c: Common, mover: int, weights: Numbers) -> int:
    """How many numbers a hint of a seat can say; the books are written down meanwhile."""
    total = 0
    for seat in range(c.players):
        if seat != mover:
            book = book_of(c, seat, weights)
            c.books[seat, 0], c.books[seat, 1] = book.colour, book.colour_none
            c.books[seat, 2], c.books[seat, 3] = book.rank, book.rank_none
            c.books[seat, 4] = book.none
            total += size(book)
    return total


@compiled
def written_book(c: Common, seat: int) -> Book:
    """The codes of hints to a seat as they were last written down."""
    written = c.books[seat]
    return Book(int(written[0]), int(written[1]), int(written[2]), int(written[3]), int(written[4]))


@compiled
def first_code(c: Common, mover: int, target: int) -> int:
    """The lowest number that a hint to a seat says: seats count from the one after the mover."""
    total = 0
    for step in range(1, c.players):
        seat = (mover + step) % c.players
        if seat == target:
            break
        total += size(written_book(c, seat))
    return total


@compiled
def place_among(slots: int, slot: int) -> int:
    """Which of several slots, from 0, one is: the number that its discard or its play says."""
    return count_bits(slots & ((1 << slot) - 1))


@compiled
def code_for(c: Common, seat: int, book: Book, value: int) -> int:
    """With two players: the code for a value of the only other hand.

    A value that is about a slot is said by a hint that touches it, if there is one left; what cannot always be said
    comes last.
    """
    used, code = 0, 0
    colours = count_bits(book.colour) + book.colour_none
    for each in range(value + 1):
        code = -1
        if each < c.asked[seat]:
            slot = c.slots[seat, each]
            if holds(book.colour, slot):
                code = place_among(book.colour, slot)
            if (code < 0 or holds(used, code)) and holds(book.rank, slot):
                code = colours + place_among(book.rank, slot)
            if code < 0 or holds(used, code):
                code = first_free(book, used)
        if code < 0:
            code = lowest_bit(~used)
        used |= 1 << code
    return code


@compiled
def first_free(book: Book, used: int) -> int:
    """The first code that touches a reference slot and is not used yet, or −1."""
    colours = count_bits(book.colour) + book.colour_none
    touching = ((1 << count_bits(book.colour)) - 1) | ((1 << count_bits(book.rank)) - 1) << colours
    return lowest_bit(touching & ~used) if touching & ~used else -1


@compiled
def value_for(c: Common, seat: int, book: Book, code: int) -> int:
    """The value that a code is for; one more than there are if it is for none."""
    for value in range(c.asked[seat] + 1):
        if code_for(c, seat, book, value) == code:
            return value
    return c.asked[seat] + 1
