"""The static evaluation: a weighted sum of features, which Samuel called the terms of a polynomial.

Every feature counts as the difference between the sides. A man is worth 100 points by definition. If all weights except
those of men and kings are 0, the evaluation only counts pieces.
"""

from typing import Any

from kibitz.core.weights import Weights
from kibitz.engine.bits import count_bits
from kibitz.engine.compile import compiled
from kibitz.engine.generic import FORCED, QUIET
from kibitz.games.draughts.capturing import origin_of, taken_of, target_of
from kibitz.games.draughts.rules import must_capture, side_of
from kibitz.games.draughts.squares import ALL, BLACK, CROWN_ROWS, LEFT_EDGE, MAIN_ROAD, RIGHT_EDGE, WHITE, step
from kibitz.games.draughts.state import State

MAN_POINTS = 100.0  # the unit of all other points
FEATURES = (
    "man", "king", "guard", "centre", "advance", "runner", "edge", "support", "freedom", "king_freedom", "main_road",
    "tempo",
)  # fmt: skip
MAN, TEMPO = 0, len(FEATURES) - 1
MATERIAL = (MAN_POINTS, 300.0, *(0.0,) * (len(FEATURES) - 2))
RANGES = ((MAN_POINTS, MAN_POINTS), (100.0, 500.0), *((-50.0, 50.0),) * (len(FEATURES) - 2))
MOST_POINTS = 8000.0  # less than a won game
CENTRE_SQUARES = sum(1 << number - 1 for number in (10, 11, 14, 15, 18, 19, 22, 23))
EDGES = LEFT_EDGE | RIGHT_EDGE
HOME_ROWS = (CROWN_ROWS[BLACK], CROWN_ROWS[WHITE])  # by side: the rows where the other side is crowned


def weights_of(values: Any) -> Weights:
    return Weights(values, FEATURES, RANGES)


@compiled
def counted(s: State, side: int) -> tuple[int, ...]:
    """The features of one side, in order, without the tempo."""
    mine = s.white if side == WHITE else s.black
    theirs = s.black if side == WHITE else s.white
    free = ALL & ~(mine | theirs)
    men, kings = mine & ~s.kings, mine & s.kings
    left, right = 2 * side, 2 * side + 1  # forward directions; 3 minus these are the backward ones
    flights = 0
    if kings:
        for direction in range(4):
            flights += count_bits(step(kings, direction) & free)
    return (
        count_bits(men),
        count_bits(kings),
        count_bits(men & HOME_ROWS[side]),
        count_bits(mine & CENTRE_SQUARES),
        rows_walked(men, side),
        runners(men, side, free),
        count_bits(men & EDGES),
        count_bits(men & (step(mine, left) | step(mine, right))),
        count_bits(step(men, left) & free) + count_bits(step(men, right) & free),
        flights,
        1 if kings & MAIN_ROAD else 0,
    )


@compiled
def rows_walked(men: int, side: int) -> int:
    """The total number of rows that all men have advanced from their first row."""
    rows = 0
    for row in range(1, 8):
        here = men >> 4 * (7 - row if side == WHITE else row) & 15
        rows += row * count_bits(here)
    return rows


@compiled
def runners(men: int, side: int, free: int) -> int:
    """The number of men that can be crowned in one or two steps over free squares."""
    left, right = 2 * side, 2 * side + 1
    crown = CROWN_ROWS[side] & free
    one = step(crown, 3 - left) | step(crown, 3 - right)
    two = step(one & free, 3 - left) | step(one & free, 3 - right)
    return count_bits(men & (one | two))


@compiled
def features_of(s: State, side: int, features: Any) -> None:
    """Write the difference of each feature between a side and the other."""
    mine, theirs = counted(s, side), counted(s, 1 - side)
    for n in range(TEMPO):
        features[n] = mine[n] - theirs[n]
    features[TEMPO] = 1.0 if s.side == side else -1.0


@compiled
def weighed(s: State, side: int, weights: Any) -> float:
    """The weighted sum of the features."""
    mine, theirs = counted(s, side), counted(s, 1 - side)
    points = weights[TEMPO] if s.side == side else -weights[TEMPO]
    for n in range(TEMPO):
        points += weights[n] * (mine[n] - theirs[n])
    return min(max(points, -MOST_POINTS), MOST_POINTS)


# For searches


@compiled
def evaluate(s: State, seat: int, weights: Any) -> float:
    return weighed(s, side_of(s, seat), weights)


@compiled
def key(s: State) -> int:
    """The Zobrist key, which `rules.apply` updates."""
    return s.zobrist


@compiled
def quiescence(s: State) -> int:
    """Captures are compulsory, so a position is not quiet before they are made."""
    return FORCED if must_capture(s) else QUIET


@compiled
def move_order_score(s: State, move: int) -> float:
    """Captures by the pieces they take, then new kings, then men that move to an edge."""
    taken = taken_of(move)
    points = 100.0 * count_bits(taken) + 100.0 * count_bits(taken & s.kings)
    target = 1 << target_of(move)
    if not s.kings >> origin_of(move) & 1:
        points += 80.0 if CROWN_ROWS[s.side] & target else 0.0
        points += 5.0 if target & EDGES else 0.0
    return points
