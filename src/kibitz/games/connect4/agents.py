"""Players of Connect 4: by the patterns of the board some plies ahead, by Monte Carlo tree search, and perfect."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from kibitz.core.agent_decorator import agent_of_function
from kibitz.core.weights import Numbers, Weights, load_weights
from kibitz.engine.compile import struct_dtype
from kibitz.engine.loop import decision
from kibitz.engine.seat import Budget
from kibitz.games.connect4.board import COLUMNS, MIDDLE_OUT, PLACES, column_places, landing_places
from kibitz.games.connect4.notation import move_text
from kibitz.games.connect4.openings import load_book
from kibitz.games.connect4.rules import State
from kibitz.games.connect4.solver import UNKNOWN, column_scores, memory_of
from kibitz.games.connect4.words import score_text
from kibitz.search.outcomes import OutcomeTrainer
from kibitz.search.players import random_player, searcher, tree_searcher

HERE = Path(__file__).parent
PATTERNS = load_weights(HERE / "patterns.toml", ("ones", "twos", "threes"))
PLAYOUTS = 50_000
TABLE = 1 << 22  # words of the solver
A_MILLISECOND = 5_000  # positions
SOLVED = struct_dtype([("scores", np.int64, COLUMNS), ("turn", np.int64)])

looks = partial(searcher, "connect4", move_text, weights=PATTERNS)

random = random_player("connect4", "Dropping Dora")
greedy = looks(
    "greedy", depth=1, title="Eager Ed", description="Takes what the patterns of the board say right after its move."
)
alphabeta2 = looks("alphabeta2", depth=2, title="Second-glance Sal")
alphabeta4 = looks("alphabeta4", depth=4, title="Thoughtful Theo")
evolved4 = looks(
    "evolved4", depth=4, weights=PATTERNS.from_file(HERE / "evolved.toml"), title="Well-bred Will",
    description="Looks four plies ahead, by weights of the patterns that were bred in tournaments and with a group.",
)  # fmt: skip
learned4 = looks(
    "learned4", depth=4, weights=PATTERNS.from_file(HERE / "learned.npz"), title="Taught Tilda",
    description="Looks four plies ahead, by weights of the patterns that were learned from how games end.",
)  # fmt: skip
OUTCOMES = OutcomeTrainer(alphabeta4)
alphabeta8 = looks("alphabeta8", depth=8, title="Far-sighted Fay")
mcts = tree_searcher("connect4", "mcts", PLAYOUTS, title="Dicing Dag")
mcts_informed = tree_searcher(
    "connect4", "mcts_informed", PLAYOUTS // 5, informed=True, title="Well-read Wes",
    description="Monte Carlo tree search whose playouts win where they can and keep the other from winning.",
)  # fmt: skip


class Solved(Protocol):
    """A struct of the type SOLVED."""

    scores: Any
    turn: int


def tell(view: Any, reader: Any, about: int, public: Any, memory: Any) -> Mapping[str, str]:
    """The best score in words, and the scores of all columns."""
    scores = [int(score) for score in memory["scores"]]
    known = [score for score in scores if score != UNKNOWN]
    columns = ", ".join(f"{column + 1}: {score:+d}" for column, score in enumerate(scores) if score != UNKNOWN)
    best = score_text(max(known), int(memory["turn"])) if known else "nothing"
    return {"found": f"{best} (scores {columns})" if known else best}


@agent_of_function(
    "connect4",
    reasons=("{found}", "not solved in the time it has; it knows: {found}"),
    origin="kibitz",
    memory=SOLVED,
    weights=Weights(load_book()),
    searches=True,
    budget=Budget(30_000_000),
    reason_variables=tell,
    title="Perfect Petra",
)
def solver(view: State, memory: Solved, weights: Numbers, budget: Budget) -> int:
    """Solves the position: never loses what can be held, and wins as fast as can be.

    Its budget is positions. Where they are not enough, which is early in a game that the opening book does not know, it
    takes a proven win, or a column of which nothing is proven, the middle ones first.
    """
    desk = memory_of(np.zeros(TABLE, np.int64), weights)
    positions = budget.iterations if budget.iterations > 0 else max(budget.milliseconds, 1) * A_MILLISECOND
    scores = column_scores(desk, view.mine, view.taken, view.turn, positions // COLUMNS)
    move, best, unsolved = -1, -PLACES, False
    landing = landing_places(view.taken)
    memory.turn = view.turn
    for column in MIDDLE_OUT:
        memory.scores[column] = scores[column]
        if landing & column_places(column):
            unknown = scores[column] == UNKNOWN
            unsolved |= unknown
            # What is not known may be a draw, and is better than what is known to be none.
            score = 0 if unknown else scores[column]
            if score > best or move < 0:
                best, move = score, column
    return decision(move, 1 if unsolved and best <= 0 else 0)
