"""Players that look ahead: the same alpha-beta for all, by what they think of a position and how far they look."""

from pathlib import Path
from typing import Any

from kibitz.core.agent import CompiledAgent
from kibitz.core.weights import Numbers, Weights
from kibitz.engine.seat import Budget
from kibitz.games.draughts.evaluation import MATERIAL, weights_of
from kibitz.games.draughts.moves import Move
from kibitz.search import alphabeta
from kibitz.search.alphabeta import Options
from kibitz.search.book import no_book
from kibitz.search.players import TABLE_BITS, Looked, look_ahead, note, plies_limit, reach_of, searcher, tree_searcher

PLAYOUTS = 5_000
DEPTH = 4  # plies, where nothing else is said
SHIPPED = Path(__file__).parent / "samuel"  # weights, and beside each how it was learned
SAMUEL = "Samuel 1959, and the lecture of Rychlikowski 2021"


def say(move: int) -> str:
    return str(Move(move))


def by_weights(name: str, weights: Any, depth: int = DEPTH, decide: Any = look_ahead, **parts: Any) -> CompiledAgent:
    """A player that looks ahead and weighs what it finds there."""
    weighed = weights if isinstance(weights, Weights) else weights_of(weights)
    return searcher("draughts", say, name, decide, depth=depth, weights=weighed, **parts)


def learned(name: str) -> Weights:
    return weights_of(MATERIAL).from_file(SHIPPED / f"{name}.npz")


def stop_anywhere(view: Any, memory: Looked, weights: Numbers, budget: Budget) -> int:
    """Looks four plies ahead and stops there, also in the middle of an exchange: what comes next it does not see."""
    options = Options(True, 2, True, True, True, True, False, 0.0, False)
    workspace = alphabeta.workspace_for(view, view.seat, options, weights, TABLE_BITS, no_book())
    found = alphabeta.search(workspace, plies_limit(budget), reach_of(budget, DEPTH), True)
    return note(memory, found, workspace.run[0].nodes)


material = by_weights(
    "material", MATERIAL, title="Counting Carl",
    description="Looks four plies ahead, on until nothing can be captured, and counts pieces: a king is three men.",
)  # fmt: skip
shortsighted = by_weights("shortsighted", MATERIAL, decide=stop_anywhere, title="Shortsighted Shay")
samuel = by_weights(
    "samuel", learned("samuel"), title="Studious Sam", origin=SAMUEL,
    description="Looks four plies ahead, by weights that make its static value like that of a deeper search.",
)  # fmt: skip
samuel_games = by_weights(
    "samuel_games", learned("samuel_games"), title="Seasoned Sol", origin=SAMUEL,
    description="Looks four plies ahead, by weights learned from whole games against its older selves.",
)  # fmt: skip
alphabeta2 = by_weights(
    "alphabeta2", learned("samuel"), 2, title="Hasty Hugo", origin=SAMUEL,
    description="Looks two plies ahead, and on until nothing can be captured, by the weights of samuel.",
)  # fmt: skip
alphabeta6 = by_weights(
    "alphabeta6", learned("samuel"), 6, title="Patient Paula", origin=SAMUEL,
    description="Looks six plies ahead, and on until nothing can be captured, by the weights of samuel.",
)  # fmt: skip
alphabeta10 = by_weights(
    "alphabeta10", learned("samuel"), 10, title="Farsighted Farah", origin=SAMUEL,
    description="Looks ten plies ahead, and on until nothing can be captured, by the weights of samuel.",
)  # fmt: skip
mcts = tree_searcher(
    "draughts", "mcts", PLAYOUTS, title="Wandering Wim",
    description="Plays on at random five thousand times before each move, more so along the lines that go well: Monte "
    "Carlo tree search. It knows nothing of the game but its rules.",
)  # fmt: skip
