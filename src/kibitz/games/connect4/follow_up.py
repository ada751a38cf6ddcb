"""The follow-up strategy: a player who always answers right above the last stone guarantees a bound of the score.

The player who follows up gets every second place of a column, and the other can only get the rest. Columns with an odd
number of free places are paired: a stone in one is answered at the bottom of the other. If the places left to the
player to move contain no four, the opponent does not lose; and if the opponent gets a place that completes four, it
wins there, at the latest when all other columns are full. Rows are counted from 1: odd rows favour the first player,
even rows the second.
"""

from kibitz.engine.compile import compiled
from kibitz.games.connect4.board import BOARD, BOTTOM, COLUMNS, PLACES, column_places, has_four

NO_BOUND = PLACES
ODD_ROWS = BOTTOM | BOTTOM << 2 | BOTTOM << 4
EVEN_ROWS = ODD_ROWS << 1
SECOND, THIRD, FOURTH = (BOTTOM << row for row in (1, 2, 3))


@compiled
def follow_up_bound(mine: int, taken: int, turn: int, landing: int, threats: int) -> int:
    """An upper bound of the score for the player to move.

    `threats` are the free places that complete four for the opponent, who has no immediate win.
    """
    if turn & 1:
        return bound_of_second(mine, taken, landing, threats)
    # The number of columns with an odd number of stones is even, so each has a partner.
    if has_four(mine | (BOARD ^ taken) & ODD_ROWS | landing & EVEN_ROWS):
        return NO_BOUND
    won = threats & EVEN_ROWS
    if won & SECOND:
        return -3  # up to four places stay empty above it: two stones of each player
    if won & FOURTH:
        return -2
    return -1 if won else 0


@compiled
def bound_of_second(mine: int, taken: int, landing: int, threats: int) -> int:
    """The same for the second player to move: the first needs a winning place in an odd row.

    Its column must have an odd number of stones, so that follow-ups lead there and the other columns have partners.
    """
    free, unpaired, best = BOARD ^ taken, landing & EVEN_ROWS, NO_BOUND
    won = threats & ODD_ROWS
    if won == 0:
        return best
    for n in range(COLUMNS):
        column = column_places(n)
        places = won & column
        if places and unpaired & column:
            lowest = places & -places
            below = free & column & EVEN_ROWS & (lowest - 1)
            if not has_four(mine | free & ODD_ROWS & ~column | unpaired | below):
                if lowest & THIRD:
                    return -2
                best = -1
    return best
