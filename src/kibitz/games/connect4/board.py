"""The bit board: seven bits per column, of which the highest stays empty, so that no line wraps around an edge.

The stone in row r of column c, both from 0 and from the bottom left, is bit 7 c + r. A set of places is one number.
"""

from typing import Any

from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled

COLUMNS, ROWS = 7, 6
PLACES = COLUMNS * ROWS
HEIGHT = ROWS + 1  # bits of a column
UP, DOWNWARD, ACROSS, UPWARD = 1, HEIGHT - 1, HEIGHT, HEIGHT + 1  # from a place to the next of a line
DIRECTIONS = (UP, DOWNWARD, ACROSS, UPWARD)
BOTTOM = sum(1 << HEIGHT * column for column in range(COLUMNS))
TOP = BOTTOM << ROWS - 1
BOARD = BOTTOM * ((1 << ROWS) - 1)
COLUMN = (1 << ROWS) - 1  # the places of the first column
MIDDLE_OUT = (3, 2, 4, 1, 5, 0, 6)  # columns, central ones first, because more lines cross them


def first_places(step: int) -> int:
    """The places where a line of four with this step begins."""
    return sum(
        1 << place for place in range(BOARD.bit_length()) if all(BOARD >> place + step * n & 1 for n in range(4))
    )


LINES = tuple(first_places(step) for step in DIRECTIONS)
# How many lines of four cross each place, by bits.
CROSSINGS = tuple(
    sum(
        lines >> place - step * n & 1
        for step, lines in zip(DIRECTIONS, LINES, strict=True)
        for n in range(4)
        if place >= step * n
    )
    for place in range(HEIGHT * COLUMNS)
)


@compiled
def has_four(stones: int) -> bool:
    """Whether there are four in a line among these stones."""
    pairs = stones & stones >> ACROSS
    four = pairs & pairs >> 2 * ACROSS
    pairs = stones & stones >> DOWNWARD
    four |= pairs & pairs >> 2 * DOWNWARD
    pairs = stones & stones >> UPWARD
    four |= pairs & pairs >> 2 * UPWARD
    pairs = stones & stones >> UP
    four |= pairs & pairs >> 2 * UP
    return four != 0


@compiled
def landing_places(taken: int) -> int:
    """Where the next stone of each column lands."""
    return (taken + BOTTOM) & BOARD


@compiled
def completing_places(stones: int, taken: int) -> int:
    """The free places that complete four of these stones, whether a stone can land there yet or not."""
    places = (stones << 1) & (stones << 2) & (stones << 3)
    places |= completing_along(stones, ACROSS)
    places |= completing_along(stones, DOWNWARD)
    places |= completing_along(stones, UPWARD)
    return places & (BOARD ^ taken)


@compiled
def completing_along(stones: int, step: int) -> int:
    """The places that complete four of these stones in one direction."""
    after = (stones << step) & (stones << 2 * step)  # two stones before the place
    before = (stones >> step) & (stones >> 2 * step)
    places = after & (stones << 3 * step) | after & (stones >> step)
    return places | before & (stones << step) | before & (stones >> 3 * step)


@compiled
def columns_of(places: int) -> int:
    """The columns of these places, as a mask."""
    columns = 0
    for column in range(COLUMNS):
        if places >> HEIGHT * column & COLUMN:
            columns |= 1 << column
    return columns


@compiled
def column_places(column: int) -> int:
    return COLUMN << HEIGHT * column


@compiled
def open_lines(stones: int, others: int, lines: int, step: int) -> Any:
    """The number of lines of a direction with one, two and three of these stones and none of the others."""
    blocked = others | others >> step
    free = lines & ~(blocked | blocked >> 2 * step)
    next_stone = stones >> step
    odd, pair = stones ^ next_stone, stones & next_stone
    far_odd, far_pair = odd >> 2 * step, pair >> 2 * step
    ones = odd ^ far_odd
    twos = pair | far_pair | odd & far_odd
    return count_bits(free & ones & ~twos), count_bits(free & twos & ~ones), count_bits(free & ones & twos)
