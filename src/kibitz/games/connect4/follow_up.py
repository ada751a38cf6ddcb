"""What a player is sure of who answers every stone with one right above it: a bound of the score without any search.

Who answers above gets every second place of a column, and who is answered can never have more than the others. Columns
in which no answer is left over are taken in pairs: a stone in one of them is answered at the bottom of another. If no
four can come of all the places that who is to move may ever get this way, the other one does not lose; and if the
other one has a place that completes four among those it is sure to get, it wins there, at the latest when all other
columns are full. Rows are counted from 1: the first player profits from odd ones, the second from even ones.
"""

from kibitz.engine.compile import compiled
from kibitz.games.connect4.board import BOARD, BOTTOM, COLUMNS, PLACES, column_places, has_four

NO_BOUND = PLACES
ODD_ROWS = BOTTOM | BOTTOM << 2 | BOTTOM << 4
EVEN_ROWS = ODD_ROWS << 1
SECOND, THIRD, FOURTH = (BOTTOM << row for row in (1, 2, 3))


@compiled
def follow_up_bound(mine: int, taken: int, turn: int, landing: int, threats: int) -> int:
    """More than this the position is not worth to who is to move.

    Threats are the free places that complete four of the other one, who does not threaten to win at once.
    """
    if turn & 1:
        return bound_of_second(mine, taken, landing, threats)
    # The columns with an odd number of stones are even in number, so that each has a partner.
    if has_four(mine | (BOARD ^ taken) & ODD_ROWS | landing & EVEN_ROWS):
        return NO_BOUND
    won = threats & EVEN_ROWS
    if won & SECOND:
        return -3  # four places may stay empty above it: two stones of each
    if won & FOURTH:
        return -2
    return -1 if won else 0


@compiled
def bound_of_second(mine: int, taken: int, landing: int, threats: int) -> int:
    """The same where the second player is to move: the first has to have a place in an odd row, to which it is let.

    In that column the stones so far are odd in number, so that answers lead there, and the rest have partners.
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
