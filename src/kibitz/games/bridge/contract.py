"""Contracts: bidding by rules of thumb, and the duplicate score.

There is no auction. A deal without a contract gets one for its stronger side: a major suit with eight cards, a minor
with nine if the hands are too weak or too uneven for no trump, otherwise no trump, at the level that the points allow.
"""

from typing import Any

import numpy as np

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.games.bridge.cards import CLUBS, DIAMONDS, HEARTS, NO_TRUMP, RANKS, SPADES, SUIT_MASKS, SUITS
from kibitz.games.bridge.state import State

MAJOR_FIT, MINOR_FIT = 8, 9
# The points needed for a level, including those for short suits.
GAME, SLAM, GRAND_SLAM = 25, 33, 37
INVITING = 23
MINOR_GAME = 29
SHORT = np.array([5, 3, 1])  # points of a void, a singleton and a doubleton with a fit


@compiled
def high_cards(hand: int) -> int:
    """High-card points (Milton Work): ace 4, king 3, queen 2, jack 1."""
    points = 0
    for suit in range(SUITS):
        for honour in range(1, 5):
            points += honour * (hand >> (RANKS * suit + 8 + honour) & 1)
    return points


@compiled
def bid(s: State) -> None:
    """Write the contract and declarer of the side with more points, the dealer's on ties."""
    points = [high_cards(s.dealt[0] | s.dealt[2]), high_cards(s.dealt[1] | s.dealt[3])]
    strong = s.dealer & 1 if points[0] == points[1] else 0 if points[0] > points[1] else 1
    both = s.dealt[strong] | s.dealt[strong + 2]
    s.strain = trumps(both, s.dealt[strong], s.dealt[strong + 2], points[strong])
    first = s.dealer if s.dealer & 1 == strong else (s.dealer + 1) & 3
    s.declarer = declares(s.dealt[first], s.dealt[(first + 2) & 3], first, s.strain)
    worth = points[strong]
    if s.strain != NO_TRUMP:
        worth += short_suits(s.dealt[(s.declarer + 2) & 3], s.strain)
    s.level = level_for(worth, s.strain)
    s.doubled = 0


@compiled
def trumps(both: int, one: int, other: int, points: int) -> int:
    """The longest fit in a major suit, or in a minor where no trump does not fit."""
    best, longest = NO_TRUMP, 0
    for suit in (SPADES, HEARTS):
        cards = count_bits(both & SUIT_MASKS[suit])
        if cards >= MAJOR_FIT and cards > longest:
            best, longest = suit, cards
    if best != NO_TRUMP or (even(one) and even(other)) or GAME <= points < SLAM:
        return best
    for suit in (DIAMONDS, CLUBS):
        cards = count_bits(both & SUIT_MASKS[suit])
        if cards >= MINOR_FIT and cards > longest:
            best, longest = suit, cards
    return best


@compiled
def even(hand: int) -> bool:
    """Whether a hand has at least two cards of every suit."""
    shortest = RANKS
    for suit in range(SUITS):
        shortest = min(shortest, count_bits(hand & SUIT_MASKS[suit]))
    return shortest >= 2


@compiled
def declares(one: int, other: int, first: int, strain: int) -> int:
    """The seat with more trumps, or in no trump with more points; on ties the first to bid."""
    if strain == NO_TRUMP:
        more = high_cards(other) > high_cards(one)
    else:
        more = count_bits(other & SUIT_MASKS[strain]) > count_bits(one & SUIT_MASKS[strain])
    return (first + 2) & 3 if more else first


@compiled
def short_suits(hand: int, strain: int) -> int:
    """The points of the short suits in the hand with fewer trumps."""
    points = 0
    for suit in range(SUITS):
        cards = count_bits(hand & SUIT_MASKS[suit])
        if suit != strain and cards < 3:
            points += SHORT[cards]
    return points


@compiled
def level_for(worth: int, strain: int) -> int:
    if worth >= SLAM:
        return 7 if worth >= GRAND_SLAM else 6
    if strain == NO_TRUMP:
        return 3 if worth >= GAME else 2 if worth >= INVITING else 1
    if strain >= HEARTS:
        return 4 if worth >= GAME else 3 if worth >= INVITING else 2
    return 5 if worth >= MINOR_GAME else 4 if worth >= GAME else 3 if worth >= INVITING else 2


# Scoring


@compiled
def needed(level: int) -> int:
    return level + 6


@compiled
def score(level: int, strain: int, doubled: int, vulnerable: bool, tricks: int) -> int:
    """The duplicate score of the declarer's side; negative if the contract fails."""
    over = tricks - needed(level)
    if over < 0:
        return -penalty(-over, doubled, vulnerable)
    worth = 20 if strain in (CLUBS, DIAMONDS) else 30
    contract = (level * worth + (10 if strain == NO_TRUMP else 0)) << doubled
    bonus = 50 if contract < 100 else 500 if vulnerable else 300
    if level == 6:
        bonus += 750 if vulnerable else 500
    elif level == 7:
        bonus += 1500 if vulnerable else 1000
    overtrick = worth if doubled == 0 else (100 if vulnerable else 50) * 2 * doubled
    return contract + bonus + 50 * doubled + over * overtrick


@compiled
def penalty(down: int, doubled: int, vulnerable: bool) -> int:
    if doubled == 0:
        return down * (100 if vulnerable else 50)
    first, second, later = (200, 300, 300) if vulnerable else (100, 200, 300)
    total = first + min(down - 1, 2) * second + max(down - 3, 0) * later
    return total * doubled


# International match points: one more from each of these score differences on.
IMP_STEPS = np.array(
    [20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000, 2250, 2500, 3000,
     3500, 4000]
)  # fmt: skip


@compiled
def imps(difference: int) -> int:
    return int(np.searchsorted(IMP_STEPS, abs(difference), side="right"))


@compiled
def final_score(s: State) -> int:
    """The score of the declarer's side in a deal that is over."""
    pair = s.declarer & 1
    return score(s.level, s.strain, s.doubled, s.vulnerable >> pair & 1 != 0, s.tricks[pair])


NORTH_SOUTH, EAST_WEST = 0b0101, 0b1010  # their seats, as masks


@compiled
def winners(s: State) -> int:
    """The declarer's side if the contract was made, otherwise the defenders, as a mask of seats."""
    return NORTH_SOUTH if (final_score(s) > 0) == (s.declarer & 1 == 0) else EAST_WEST


@compiled
def payoff(s: State, seat: int) -> float:
    """The score in match points, scaled to 0 … 1; 0.5 is a score of zero."""
    declared = final_score(s)
    share = imps(declared) / (2.0 * IMP_STEPS.shape[0])
    up = (declared > 0) == ((s.declarer ^ seat) & 1 == 0)
    return 0.5 + share if up else 0.5 - share


@compiled
def result(s: State, row: Any) -> None:
    pair = s.declarer & 1
    declared = final_score(s)
    row[0] = winners(s)
    row[1] = s.declarer
    row[2] = needed(s.level)
    row[3] = s.tricks[pair]
    row[4] = declared if pair == 0 else -declared


COLUMNS = ("winners", "declarer", "needed", "tricks", "score")  # tricks of the declarer; the score of North and South
