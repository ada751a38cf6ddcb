"""The 25 kinds of card as the bits 0 to 24, and sets of kinds as masks of those bits.

Bit `5 * colour + rank` is a kind; colours and ranks count from 0. A pile with three red cards is
the three lowest bits, so most Hanabi terms are one line of bit arithmetic.
"""

import numpy as np

from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled

COLOURS = ("red", "yellow", "green", "blue", "white")
RANKS = 5
KINDS = 25
COPIES = (3, 2, 2, 2, 1)  # by rank
DECK = tuple(kind for kind in range(KINDS) for _ in range(COPIES[kind % RANKS]))
SORTED = np.array(DECK, np.int64)  # for compiled code

ALL = (1 << KINDS) - 1
ONES = 0b00001_00001_00001_00001_00001
FIVES = ONES << 4
MIDDLE = ALL & ~ONES & ~FIVES  # twos, threes and fours: two copies each

OF_COLOUR = np.array([0b11111 << (5 * colour) for colour in range(5)], np.int64)
OF_RANK = np.array([ONES << rank for rank in range(RANKS)], np.int64)
# Bit c for colour c and bit 5 + r for rank r: the hints that touch a card of this kind.
HINTS_TOUCHING = np.array([1 << (kind // 5) | 32 << (kind % 5) for kind in range(KINDS)], np.int64)


@compiled
def holds(kinds: int, kind: int) -> bool:
    return (kinds >> kind) & 1 != 0


@compiled
def ranks_of(kinds: int) -> int:
    """The ranks among these kinds, as bits 0–4."""
    return (kinds | kinds >> 5 | kinds >> 10 | kinds >> 15 | kinds >> 20) & 0b11111


@compiled
def lowest_rank(kinds: int) -> int:
    """The lowest rank among these kinds, from 0; there must be one."""
    return lowest_bit(ranks_of(kinds))


@compiled
def pile_height(played: int, colour: int) -> int:
    """The number of cards on the pile of a colour."""
    return count_bits(played & OF_COLOUR[colour])


def pile_heights(played: int) -> dict[str, int]:
    """The height of every pile, by colour."""
    return {colour: int(pile_height(played, index)) for index, colour in enumerate(COLOURS)}


@compiled
def hinted_kinds(value: int) -> int:
    """The kinds a hint names: value 0–4 is a colour, 5–9 a rank."""
    return OF_COLOUR[value] if value < 5 else OF_RANK[value - 5]
