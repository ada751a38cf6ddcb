"""Agents for Connect 4: alpha-beta search with pattern weights, Monte Carlo tree search, and the perfect solver."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from kibitz.core.agent_decorator import agent_of_function
from kibitz.core.weights import Numbers, Weights, load_weights
from kibitz.engine.compile import struct_dtype
from kibitz.engine.expectation import ESTIMATED, Bound, Estimated, move_estimates
from kibitz.engine.loop import decision
from kibitz.engine.seat import Budget
from kibitz.games.connect4.board import COLUMNS, MIDDLE_OUT
from kibitz.games.connect4.convolution import ConvolutionTrainer
from kibitz.games.connect4.evaluation import BY_DIRECTION, LARGER, NETWORK
from kibitz.games.connect4.notation import move_text
from kibitz.games.connect4.openings import load_book
from kibitz.games.connect4.rules import State
from kibitz.games.connect4.solver import estimate_columns, workspace_for
from kibitz.games.connect4.words import score_sentence
from kibitz.search.choice import NO_MOVE, UNKNOWN, note_estimates
from kibitz.search.outcomes import OutcomeTrainer
from kibitz.search.players import random_player, searcher, tree_searcher

HERE = Path(__file__).parent
PATTERNS = load_weights(HERE / "patterns.toml", ("ones", "twos", "threes"))
PLAYOUTS = 50_000
TABLE = 1 << 22  # words of the solver's table
POSITIONS_PER_MILLISECOND = 5_000
SOLVED = struct_dtype([("turn", np.int64), *ESTIMATED])

alphabeta = partial(searcher, "connect4", move_text, weights=PATTERNS)

random = random_player("connect4", "Dropping Dora")
greedy = alphabeta(
    "greedy", depth=1, title="Eager Ed", description="Makes the move with the best patterns right after it."
)
alphabeta2 = alphabeta("alphabeta2", depth=2, title="Second-glance Sal")
alphabeta4 = alphabeta("alphabeta4", depth=4, title="Thoughtful Theo")
evolved4 = alphabeta(
    "evolved4", depth=4, weights=PATTERNS.from_file(HERE / "evolved.toml"), title="Well-bred Will",
    description="Looks four plies ahead, with pattern weights evolved in tournaments against a group.",
)  # fmt: skip
learned4 = alphabeta(
    "learned4", depth=4, weights=PATTERNS.from_file(HERE / "learned.npz"), title="Taught Tilda",
    description="Looks four plies ahead, with pattern weights learned from the outcomes of games.",
)  # fmt: skip
OUTCOMES = OutcomeTrainer(alphabeta4)
# Lines by direction, and larger patterns; the hand-made weights to start from are the same in every direction.
DIRECTIONS = Weights(3 * tuple(PATTERNS.values), BY_DIRECTION, 3 * PATTERNS.ranges)
LARGER_PATTERNS = Weights(
    (*DIRECTIONS.values, *(0.0,) * len(LARGER)),
    (*BY_DIRECTION, *LARGER),
    (*DIRECTIONS.ranges, *((0.0, 300.0),) * len(LARGER)),
)
directions4 = alphabeta(
    "directions4", depth=4, weights=DIRECTIONS.from_file(HERE / "directions.npz"), title="Upright Una",
    description="Looks four plies ahead, with learned weights of lines by direction.",
)  # fmt: skip
larger4 = alphabeta(
    "larger4", depth=4, weights=LARGER_PATTERNS.from_file(HERE / "larger.npz"), title="Broad-minded Bo",
    description="Looks four plies ahead, with learned weights of lines by direction and of larger patterns.",
)  # fmt: skip
DIRECTION_TRAINER, LARGER_TRAINER = (
    OutcomeTrainer(agent.with_weights(by_hand), name, "alphabeta4")
    for agent, by_hand, name in ((directions4, DIRECTIONS, "directions"), (larger4, LARGER_PATTERNS, "larger"))
)
convolution4 = alphabeta(
    "convolution4", depth=4, weights=Weights(np.zeros(NETWORK)).from_file(HERE / "convolution.npz"),
    title="Convoluted Cora",
    description="Looks four plies ahead, with a small convolutional network as its evaluation.",
)  # fmt: skip
CONVOLUTION = ConvolutionTrainer(convolution4)
alphabeta8 = alphabeta("alphabeta8", depth=8, title="Far-sighted Fay")
mcts = tree_searcher("connect4", "mcts", PLAYOUTS, title="Dicing Dag")
mcts_informed = tree_searcher(
    "connect4", "mcts_informed", PLAYOUTS // 5, informed=True, title="Well-read Wes",
    description="Monte Carlo tree search; its playouts make winning moves and stop those of the opponent.",
)  # fmt: skip


class Solved(Estimated, Protocol):
    """A struct of the type SOLVED."""

    turn: int


def reason_variables(view: Any, reader: Any, about: int, public: Any, memory: Any) -> Mapping[str, str]:
    """The best score in words, and the scores of all columns."""
    solved = [each for each in move_estimates(memory) if each.bound != Bound.UNKNOWN]
    if not solved:
        return {"found": "No column is solved"}
    columns = ", ".join(f"{move_text(each.move)}: {each.value:+.0f}" for each in sorted(solved))
    return {"found": f"{score_sentence(int(solved[0].value), int(memory['turn']))} (scores {columns})"}


@agent_of_function(
    "connect4",
    reasons=("{found}", "I ran out of time. {found}"),
    origin="kibitz",
    memory=SOLVED,
    weights=Weights(load_book()),
    searches=True,
    budget=Budget(30_000_000),
    reason_variables=reason_variables,
    title="Perfect Petra",
)
def solver(view: State, memory: Solved, weights: Numbers, budget: Budget) -> int:
    """Solves the position: wins as fast as possible, and never gives away a win or a draw.

    Its budget is positions. Early positions that the opening book does not contain may need more. Then it makes a move
    that is proved to win, or one that is not yet solved, central columns first.
    """
    workspace = workspace_for(np.zeros(TABLE, np.int64), weights)
    positions = budget.iterations if budget.iterations > 0 else max(budget.milliseconds, 1) * POSITIONS_PER_MILLISECOND
    found = estimate_columns(workspace, view.mine, view.taken, view.turn, positions // COLUMNS)
    note_estimates(memory, found)
    memory.turn = view.turn
    move, best, unsolved = NO_MOVE, 0.0, False
    for column in MIDDLE_OUT:
        if found.moves[column] != NO_MOVE:
            # An unsolved move has the value 0: it may draw, which is better than a proved loss.
            unsolved |= found.bounds[column] == UNKNOWN
            if move == NO_MOVE or found.values[column] > best:
                best, move = found.values[column], column
    return decision(move, 1 if unsolved and best <= 0.0 else 0)
