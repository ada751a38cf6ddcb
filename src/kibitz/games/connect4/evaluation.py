"""The static evaluation of a position, one of four, by the number of weights.

Three weights count lines of four in which only one player has stones, by the number of stones; nine count them by
direction, too; thirteen add larger patterns. More weights are those of a small convolutional network, whose patterns,
windows of four by four places, are learned.
"""

from typing import Any, Protocol

import numpy as np

from kibitz.engine.bits import count_bits, lowest_bit
from kibitz.engine.compile import compiled
from kibitz.games.connect4.board import (
    ACROSS,
    BOTTOM,
    COLUMNS,
    DOWNWARD,
    HEIGHT,
    LINES,
    ROWS,
    UP,
    UPWARD,
    completing_places,
    landing_places,
    open_lines,
)

NUMBERS = ("ones", "twos", "threes")
BY_DIRECTION = tuple(f"{direction}.{number}" for direction in ("up", "across", "diagonal") for number in NUMBERS)
# Free places that complete four: in the rows that this player gets if all places are filled in turn, in the others, one
# directly above another, and right above the next stone of a column.
LARGER = ("own_row", "other_row", "stacked", "next")
DIRECTIONAL, WIDER = len(BY_DIRECTION), len(BY_DIRECTION) + len(LARGER)
ODD_ROWS = BOTTOM | BOTTOM << 2 | BOTTOM << 4  # counted from 1: the first player's
MOST_POINTS = 8000.0  # less than a won game

# The network: each filter looks at the windows of four by four places, and the outputs of all filters in all windows,
# after ReLU, have one weight each.
WINDOW, FILTERS = 4, 16
WINDOWS = tuple((column, row) for column in range(COLUMNS - WINDOW + 1) for row in range(ROWS - WINDOW + 1))
INPUTS = 2 * WINDOW * WINDOW + 2  # own stones, the other's, whether the player to move began, and a constant
OUTPUT = INPUTS * FILTERS  # where the weights of the outputs begin
NETWORK = OUTPUT + len(WINDOWS) * FILTERS + 1
POINTS = 200.0  # of a logit: the odds of winning are e to 1


class Stones(Protocol):
    """A position or a state."""

    mine: int
    taken: int
    turn: int


@compiled
def evaluate(s: Stones, seat: int, weights: Any) -> float:
    """The value of a position for a seat: that of the player to move, or its negative."""
    mine, theirs = s.mine, s.mine ^ s.taken
    if weights.shape[0] == NETWORK:
        points = network_value(mine, theirs, s.turn & 1, weights)
    elif weights.shape[0] >= DIRECTIONAL:
        mover = s.turn & 1
        points = by_direction(mine, theirs, mover, weights) - by_direction(theirs, mine, 1 - mover, weights)
    elif weights.shape[0] == len(NUMBERS):
        points = side_value(mine, theirs, weights) - side_value(theirs, mine, weights)
    else:
        return 0.0
    return points if seat == s.turn & 1 else -points


@compiled
def side_value(stones: int, others: int, weights: Any) -> float:
    up = open_lines(stones, others, LINES[0], UP)
    down = open_lines(stones, others, LINES[1], DOWNWARD)
    across = open_lines(stones, others, LINES[2], ACROSS)
    upward = open_lines(stones, others, LINES[3], UPWARD)
    return (
        weights[0] * (up[0] + down[0] + across[0] + upward[0])
        + weights[1] * (up[1] + down[1] + across[1] + upward[1])
        + weights[2] * (up[2] + down[2] + across[2] + upward[2])
    )


@compiled
def by_direction(stones: int, others: int, player: int, weights: Any) -> float:
    up = open_lines(stones, others, LINES[0], UP)
    down = open_lines(stones, others, LINES[1], DOWNWARD)
    across = open_lines(stones, others, LINES[2], ACROSS)
    upward = open_lines(stones, others, LINES[3], UPWARD)
    points = 0.0
    for n in range(len(NUMBERS)):
        points += weights[n] * up[n] + weights[3 + n] * across[n] + weights[6 + n] * (down[n] + upward[n])
    return points if weights.shape[0] < WIDER else points + larger_patterns(stones, others, player, weights)


@compiled
def larger_patterns(stones: int, others: int, player: int, weights: Any) -> float:
    taken = stones | others
    winning = completing_places(stones, taken)
    own = winning & (ODD_ROWS if player == 0 else ~ODD_ROWS)
    return (
        weights[DIRECTIONAL] * count_bits(own)
        + weights[DIRECTIONAL + 1] * count_bits(winning & ~own)
        + weights[DIRECTIONAL + 2] * count_bits(winning & winning << 1)
        + weights[DIRECTIONAL + 3] * count_bits(winning & landing_places(taken) << 1)
    )


@compiled
def patch(stones: int, column: int, row: int) -> int:
    """The stones in a window, four bits per column."""
    bits = 0
    for n in range(WINDOW):
        bits |= (stones >> HEIGHT * (column + n) + row & 15) << WINDOW * n
    return bits


@compiled
def network_value(mine: int, theirs: int, second: int, weights: Any) -> float:
    """The network's value for the player to move, in points. Only the rows of stones that are there are added."""
    sums, logit = np.empty(FILTERS), weights[NETWORK - 1]
    for window in range(len(WINDOWS)):
        column, row = WINDOWS[window]
        bits = patch(mine, column, row) | patch(theirs, column, row) << WINDOW * WINDOW
        for n in range(FILTERS):
            sums[n] = weights[(INPUTS - 1) * FILTERS + n] + (0.0 if second else weights[(INPUTS - 2) * FILTERS + n])
        while bits:
            at = FILTERS * lowest_bit(bits)
            bits &= bits - 1
            for n in range(FILTERS):
                sums[n] += weights[at + n]
        for n in range(FILTERS):
            logit += max(sums[n], 0.0) * weights[OUTPUT + FILTERS * window + n]
    return min(max(POINTS * logit, -MOST_POINTS), MOST_POINTS)
