"""Samples the unseen cards uniformly: every deal consistent with what is known is equally likely.

For each hidden hand, the number of cards, the limits of each suit (none after showing out) and of the points are known.
The ways to deal are counted suit by suit, from the last to the first. Then suits are dealt from the first to the last,
each division with the probability that the counts give. So no deal is rejected, however few there are.

Counting with points takes longer, because it matters who holds which honour. So deals are first drawn without points
and accepted if the points are right, which is as exact and, with the usual ranges, soon succeeds.
"""

from typing import Any, NamedTuple

import numpy as np

from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import below, number
from kibitz.games.bridge.cards import JACK, RANKS, SUITS
from kibitz.games.bridge.contract import high_cards

HIDDEN = 3  # hands that can be hidden from a seat
ATTEMPTS = 200  # draws without points before counting with points
DIVISIONS = 105  # of 13 cards among three hands: 15 · 14 / 2
DIVISIONS_BY_HONOURS = 81 * 55  # of four honours one by one, and of nine other cards among three hands
POINTS_UP_TO = 41  # in a deal, and none
MANY = 1 << 20  # keeps random streams apart

# Which constraints a deal satisfies: not all, if a view from outside contradicts itself.
COUNTS_ONLY, LENGTHS, POINTS_TOO = range(3)


class Known(NamedTuple):
    """What is known of the hidden hands."""

    cards: Any  # to be dealt, as masks by suit
    holds: Any  # the number of cards per hand
    least: Any  # the minimum length by hand and suit; below, the maximum
    most: Any
    least_points: Any  # among the cards to be dealt, by hand
    most_points: Any


class Ways(NamedTuple):
    """The ways to divide each suit, and the number of deals for each."""

    counts: Any  # of the divisions, by suit
    divisions: (
        Any  # by suit and number: who gets the honours, in base 3; of other cards how many to the first two hands
    )
    left: Any  # by suit, cards that the first two hands still take, and their points so far: ways to go on


@compiled
def divide(known: Known, suit: int, by_honours: bool, divisions: Any) -> int:
    """Write every way to divide a suit among the hands within its limits, and return the number."""
    honours, others = split(known.cards[suit], suit, by_honours)
    honours, others = count_bits(honours), count_bits(others)
    total = 0
    codes = 1
    for _ in range(honours):
        codes *= HIDDEN
    got = np.zeros(HIDDEN, np.int64)
    for code in range(codes):
        got[:] = 0
        rest = code
        for _ in range(honours):
            got[rest % HIDDEN] += 1
            rest //= HIDDEN
        for first in range(others + 1):
            for second in range(others - first + 1):
                if (
                    fits(known, 0, suit, got[0] + first)
                    and fits(known, 1, suit, got[1] + second)
                    and fits(known, 2, suit, got[2] + others - first - second)
                ):
                    divisions[total, 0], divisions[total, 1], divisions[total, 2] = code, first, second
                    total += 1
    return total


@compiled
def split(cards: int, suit: int, by_honours: bool) -> tuple[int, int]:
    """The honours of a suit and its other cards, as masks."""
    honours = cards >> (RANKS * suit + JACK) << (RANKS * suit + JACK) if by_honours else 0
    return honours, cards & ~honours


@compiled
def fits(known: Known, hand: int, suit: int, cards: int) -> bool:
    return known.least[hand, suit] <= cards <= min(known.most[hand, suit], known.holds[hand])


@compiled
def choose(n: int, k: int) -> float:
    """The number of ways to choose k of n."""
    ways = 1.0
    for step in range(k):
        ways = ways * (n - step) / (step + 1)
    return ways


@compiled
def taken(known: Known, suit: int, division: Any, by_honours: bool) -> tuple[int, int, int, int, float]:
    """What a division gives the first two hands: cards and points of each; and the number of ways to make it."""
    honours, others = split(known.cards[suit], suit, by_honours)
    cards_0, cards_1, points_0, points_1 = division[1], division[2], 0, 0
    code = division[0]
    while honours:
        worth = lowest_bit(honours) - RANKS * suit - JACK + 1
        honours &= honours - 1
        holder = code % HIDDEN
        code //= HIDDEN
        if holder == 0:
            cards_0 += 1
            points_0 += worth
        elif holder == 1:
            cards_1 += 1
            points_1 += worth
    spots = count_bits(others)
    ways = choose(spots, division[1]) * choose(spots - division[1], division[2])
    return cards_0, cards_1, points_0, points_1, ways


@compiled
def right_points(known: Known, points_0: int, points_1: int, total: int) -> bool:
    points_2 = total - points_0 - points_1
    return (
        known.least_points[0] <= points_0 <= known.most_points[0]
        and known.least_points[1] <= points_1 <= known.most_points[1]
        and known.least_points[2] <= points_2 <= known.most_points[2]
    )


@compiled
def honour_points(known: Known) -> int:
    """The points among the cards to be dealt."""
    return high_cards(known.cards[0] | known.cards[1] | known.cards[2] | known.cards[3])


@compiled
def count_ways(known: Known, by_honours: bool) -> Ways:
    """Count the deals of each division of each suit."""
    room = DIVISIONS_BY_HONOURS if by_honours else DIVISIONS
    points = POINTS_UP_TO if by_honours else 1
    total = honour_points(known) if by_honours else 0
    counts, divisions = np.zeros(SUITS, np.int64), np.zeros((SUITS, room, HIDDEN), np.int64)
    left = np.zeros((SUITS, RANKS + 1, RANKS + 1, points, points))
    reached = np.zeros((SUITS, RANKS + 1, RANKS + 1, points, points), np.bool_)
    parts = np.zeros((SUITS, room, 4), np.int64)
    weights = np.zeros((SUITS, room))
    for suit in range(SUITS):
        counts[suit] = divide(known, suit, by_honours, divisions[suit])
        for way in range(counts[suit]):
            cards_0, cards_1, points_0, points_1, ways = taken(known, suit, divisions[suit, way], by_honours)
            parts[suit, way, 0], parts[suit, way, 1] = cards_0, cards_1
            parts[suit, way, 2], parts[suit, way, 3] = points_0, points_1
            weights[suit, way] = ways
    # Reachable states; the last suit takes the rest.
    reached[0, known.holds[0], known.holds[1], 0, 0] = True
    for suit in range(SUITS - 2):
        for a, b, p, q in np.argwhere(reached[suit]):
            for way in range(counts[suit]):
                part = parts[suit, way]
                if part[0] <= a and part[1] <= b:
                    reached[suit + 1, a - part[0], b - part[1], p + part[2], q + part[3]] = True
    last = SUITS - 1
    for way in range(counts[last]):
        part = parts[last, way]
        for p in range(points - part[2]):
            for q in range(points - part[3]):
                if not by_honours or right_points(known, p + part[2], q + part[3], total):
                    left[last, part[0], part[1], p, q] += weights[last, way]
    for suit in range(SUITS - 2, -1, -1):
        for a, b, p, q in np.argwhere(reached[suit]):
            ways = 0.0
            for way in range(counts[suit]):
                part = parts[suit, way]
                if part[0] <= a and part[1] <= b:
                    ways += weights[suit, way] * left[suit + 1, a - part[0], b - part[1], p + part[2], q + part[3]]
            left[suit, a, b, p, q] = ways
    return Ways(counts, divisions, left)


@compiled
def number_of_deals(known: Known, ways: Ways) -> float:
    return ways.left[0, known.holds[0], known.holds[1], 0, 0]


@compiled
def draw(known: Known, ways: Ways, by_honours: bool, stream: int, hands: Any) -> None:
    """Deal the cards to the hands, as masks; there must be a way."""
    hands[:] = 0
    a, b, p, q = known.holds[0], known.holds[1], 0, 0
    for suit in range(SUITS):
        share = number(stream, suit) * 2.0**-63 * ways.left[suit, a, b, p, q]
        chosen = -1
        for way in range(ways.counts[suit]):
            cards_0, cards_1, points_0, points_1, times = taken(known, suit, ways.divisions[suit, way], by_honours)
            if cards_0 > a or cards_1 > b:
                continue
            if suit == SUITS - 1:  # its divisions are summed by cards
                leads_to = 1.0 if cards_0 == a and cards_1 == b else 0.0
                if by_honours and not right_points(known, p + points_0, q + points_1, honour_points(known)):
                    leads_to = 0.0
            else:
                leads_to = ways.left[suit + 1, a - cards_0, b - cards_1, p + points_0, q + points_1]
            if times * leads_to > 0.0:
                chosen = way
                share -= times * leads_to
                if share < 0.0:
                    break
        cards_0, cards_1, points_0, points_1, _ = taken(known, suit, ways.divisions[suit, chosen], by_honours)
        hand_out(known.cards[suit], suit, ways.divisions[suit, chosen], by_honours, number(stream, SUITS + suit), hands)
        a, b, p, q = a - cards_0, b - cards_1, p + points_0, q + points_1


@compiled
def hand_out(cards: int, suit: int, division: Any, by_honours: bool, stream: int, hands: Any) -> None:
    """Deal a suit by a division: honours as it says, other cards at random."""
    honours, others = split(cards, suit, by_honours)
    code = division[0]
    while honours:
        hands[code % HIDDEN] |= honours & -honours
        honours &= honours - 1
        code //= HIDDEN
    spots = np.empty(RANKS, np.int64)
    count = 0
    while others:
        spots[count] = others & -others
        others &= others - 1
        count += 1
    for place in range(count - 1, 0, -1):
        other = below(stream, place, place + 1)
        spots[place], spots[other] = spots[other], spots[place]
    for place in range(count):
        hand = 0 if place < division[1] else 1 if place < division[1] + division[2] else 2
        hands[hand] |= spots[place]


@compiled
def points_matter(known: Known) -> bool:
    """Whether some deal of the cards could have the wrong points."""
    total = honour_points(known)
    for hand in range(HIDDEN):
        if known.holds[hand] > 0 and (known.least_points[hand] > 0 or known.most_points[hand] < total):
            return True
    return False


@compiled
def deal_unseen(known: Known, stream: int, hands: Any) -> int:
    """Deal the hidden hands; returns which constraints they satisfy: all, unless that is impossible."""
    ways = count_ways(known, False)
    if number_of_deals(known, ways) <= 0.0:
        return COUNTS_ONLY
    if not points_matter(known):
        draw(known, ways, False, stream, hands)
        return POINTS_TOO
    total = honour_points(known)
    for attempt in range(ATTEMPTS):
        draw(known, ways, False, number(stream, MANY + attempt), hands)
        if right_points(known, high_cards(hands[0]), high_cards(hands[1]), total):
            return POINTS_TOO
    counted = count_ways(known, True)
    if number_of_deals(known, counted) <= 0.0:
        return LENGTHS
    draw(known, counted, True, stream, hands)
    return POINTS_TOO
