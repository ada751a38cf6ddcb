"""The 32 dark squares as bits of a mask, and the four diagonal directions.

Square 1 is bit 0: numbers run from left to right and from the top down, Black has the first twelve and
White the last twelve. Rows lie four squares apart, so a step is a shift whose width depends on the row alone.
"""

from typing import Any

import numpy as np

from kibitz.engine.compile import compiled

SQUARES, ROWS, IN_ROW = 32, 8, 4
ALL = (1 << SQUARES) - 1
WHITE, BLACK = SIDES = range(2)
UP_LEFT, UP_RIGHT, DOWN_LEFT, DOWN_RIGHT = DIRECTIONS = range(4)  # White's men move up the board, Black's down
EVEN_ROWS = 0x0F0F0F0F  # the first row from the top is row 0; its squares lie one column to the right of those of row 1
ODD_ROWS = ALL ^ EVEN_ROWS
RIGHT_EDGE = 0x08080808  # squares of the last column, all in even rows
LEFT_EDGE = 0x10101010  # squares of the first column, all in odd rows
CROWN_ROWS = (0xF, 0xF << SQUARES - IN_ROW)  # by side: where its men become kings
MAIN_ROAD = sum(1 << number - 1 for number in (4, 8, 11, 15, 18, 22, 25, 29))  # the long diagonal


@compiled
def step(mask: Any, direction: int) -> Any:
    """All squares of a mask moved by one step; squares that leave the board are dropped."""
    if direction == UP_LEFT:
        return (mask & EVEN_ROWS) >> 4 | (mask & ODD_ROWS & ~LEFT_EDGE) >> 5
    if direction == UP_RIGHT:
        return (mask & EVEN_ROWS & ~RIGHT_EDGE) >> 3 | (mask & ODD_ROWS) >> 4
    if direction == DOWN_LEFT:
        return ((mask & EVEN_ROWS) << 4 | (mask & ODD_ROWS & ~LEFT_EDGE) << 3) & ALL
    return ((mask & EVEN_ROWS & ~RIGHT_EDGE) << 5 | (mask & ODD_ROWS) << 4) & ALL


def neighbours() -> Any:
    """For each direction and square the neighbouring square, −1 beyond the edge."""
    table = np.full((len(DIRECTIONS), SQUARES), -1, np.int64)
    for direction in DIRECTIONS:
        for square in range(SQUARES):
            table[direction, square] = int(step(1 << square, direction)).bit_length() - 1
    return table


NEXT = neighbours()


def row_of(square: int) -> int:
    """The row, from 0 at the top."""
    return square // IN_ROW


def column_of(square: int) -> int:
    """The column, from 0 at the left."""
    return square % IN_ROW * 2 + 1 - row_of(square) % 2


def letters(square: int) -> str:
    """A square in chess notation, as in Russian books: a1 is at the bottom left."""
    return f"{'abcdefgh'[column_of(square)]}{ROWS - row_of(square)}"


BY_LETTERS = {letters(square): square for square in range(SQUARES)}
