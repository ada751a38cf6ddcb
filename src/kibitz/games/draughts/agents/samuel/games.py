"""Training games: both sides search, and every quiet position is stored with its value and the game's result."""

from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import below, number
from kibitz.games.draughts.capturing import MOST_MOVES
from kibitz.games.draughts.evaluation import FEATURES, features_of
from kibitz.games.draughts.rules import deal, must_capture, side_of, winner
from kibitz.games.draughts.state import LONGEST, STATE
from kibitz.search import alphabeta
from kibitz.search.book import no_book
from kibitz.search.clock import ENDLESS, Limit
from kibitz.search.outcomes import SHALLOW

WIDTH = len(FEATURES)
VALUE, OUTCOME = WIDTH, WIDTH + 1  # columns after the features, for the player to move
COLUMNS = WIDTH + 2
MOST_POINTS = 1000.0  # the limit of a value: ten men
SHARES = 1 << 30


@compiled
def play_games(
    rules: int, weights: Any, learner: int, depth: int, random_share: float, deals: Any, dice: Any, rows: Any,
    scores: Any,
) -> int:  # fmt: skip
    """Play a game for every stream, and return the number of rows written. The learner's seat uses the first weights.

    The other seat uses the second weights. The rows must have room for the longest games.
    """
    state, count = np.zeros(1, STATE), 0
    for game in range(deals.shape[0]):
        deal(state[0], 2, rules, deals[game])
        first = count
        count = play_game(state, weights, learner, depth, random_share, dice[game], rows, first)
        won = winner(state[0])
        for row in range(first, count):  # so far it holds the seat to move
            mover = rows[row, OUTCOME]
            rows[row, OUTCOME] = 0.5 if won < 0 else 1.0 if won == mover else 0.0
        scores[game] = generic.payoff(state[0], learner)
    return count


@compiled
def play_game(
    state: Any, weights: Any, learner: int, depth: int, random_share: float, stream: int, rows: Any, count: int
) -> int:  # fmt: skip
    s = state[0]
    while generic.to_move(s) >= 0:
        seat = generic.to_move(s)
        workspace = alphabeta.workspace_for(s, seat, SHALLOW, weights[0 if seat == learner else 1], 1, no_book())
        found = alphabeta.search(workspace, Limit(ENDLESS, np.inf, 0.0), depth, False)
        if not must_capture(s):
            features_of(s, side_of(s, seat), rows[count])
            rows[count, VALUE] = min(max(found.value, -MOST_POINTS), MOST_POINTS)
            rows[count, OUTCOME] = seat
            count += 1
        move = found.move
        if (number(stream, 2 * s.turn) & (SHARES - 1)) < random_share * SHARES:
            room = np.empty(MOST_MOVES, np.int64)
            move = room[below(stream, 2 * s.turn + 1, generic.moves(s, room))]
        generic.apply(s, move)
    return count


def rows_for(games: int) -> Any:
    return np.zeros((games * LONGEST, COLUMNS))
