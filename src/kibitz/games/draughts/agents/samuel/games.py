"""Games to learn from: who is to move searches, and every calm position is written down with what came of it."""

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
from kibitz.search.alphabeta import Options
from kibitz.search.book import no_book
from kibitz.search.clock import ENDLESS, Limit

WIDTH = len(FEATURES)
VALUE, OUTCOME = WIDTH, WIDTH + 1  # columns behind the features, all of them to who is to move
COLUMNS = WIDTH + 2
MOST_POINTS = 1000.0  # a search that sees the end counts as ten men
SHARES = 1 << 30


@compiled
def play_games(
    rules: int, weights: Any, learner: int, depth: int, random_share: float, deals: Any, dice: Any, rows: Any,
    scores: Any,
) -> int:  # fmt: skip
    """Play a game for every stream; how many rows were written. The learner sits in a seat, by the first weights.

    The other seat plays by the second weights. The rows must have room for the longest games.
    """
    state, count = np.zeros(1, STATE), 0
    for game in range(deals.shape[0]):
        deal(state[0], 2, rules, deals[game])
        first = count
        count = play_game(state, weights, learner, depth, random_share, dice[game], rows, first)
        won = winner(state[0])
        for row in range(first, count):  # until now it says who was to move
            mover = rows[row, OUTCOME]
            rows[row, OUTCOME] = 0.5 if won < 0 else 1.0 if won == mover else 0.0
        scores[game] = generic.payoff(state[0], learner)
    return count


@compiled
def play_game(
    state: Any, weights: Any, learner: int, depth: int, random_share: float, stream: int, rows: Any, count: int
) -> int:  # fmt: skip
    s = state[0]
    # Alpha-beta in the order of promise, until nothing can be captured; a table does not pay at such depths.
    options = Options(True, 2, True, True, False, False, True, 0.0, False)
    while generic.to_move(s) >= 0:
        seat = generic.to_move(s)
        workspace = alphabeta.workspace_for(s, seat, options, weights[0 if seat == learner else 1], 1, no_book())
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
