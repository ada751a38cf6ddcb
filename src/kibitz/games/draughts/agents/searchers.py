"""Agents that search: the same alpha-beta search with different weights and depths."""

from pathlib import Path
from typing import Any

from kibitz.core.agent import CompiledAgent
from kibitz.core.weights import Numbers, Weights
from kibitz.engine.seat import Budget
from kibitz.games.draughts.evaluation import MATERIAL, weights_of
from kibitz.games.draughts.moves import Move
from kibitz.search import alphabeta
from kibitz.search.alphabeta import USUAL
from kibitz.search.book import no_book
from kibitz.search.players import TABLE_BITS, Looked, look_ahead, note, plies_limit, reach_of, searcher, tree_searcher

PLAYOUTS = 5_000
DEPTH = 4  # plies, by default
WEIGHTS_FOLDER = Path(__file__).parent / "samuel"  # weights, each with a note on how it was learned
STOPS = USUAL._replace(quiets=False)
SAMUEL = "Samuel 1959, and the lecture of Rychlikowski 2021"


def say(move: int) -> str:
    return str(Move(move))


def by_weights(name: str, weights: Any, depth: int = DEPTH, decide: Any = look_ahead, **parts: Any) -> CompiledAgent:
    """An agent that searches with these weights of the evaluation."""
    weighed = weights if isinstance(weights, Weights) else weights_of(weights)
    return searcher("draughts", say, name, decide, depth=depth, weights=weighed, **parts)


def learned(name: str) -> Weights:
    return weights_of(MATERIAL).from_file(WEIGHTS_FOLDER / f"{name}.npz")


def stop_anywhere(view: Any, memory: Looked, weights: Numbers, budget: Budget) -> int:
    """Searches four plies and stops there, even in the middle of an exchange."""
    workspace = alphabeta.workspace_for(view, view.seat, STOPS, weights, TABLE_BITS, no_book())
    found = alphabeta.search(workspace, plies_limit(budget), reach_of(budget, DEPTH), True)
    return note(memory, found, workspace.run[0].nodes)


material = by_weights(
    "material", MATERIAL, title="Counting Carl",
    description="Searches four plies, then all captures, and counts pieces: a king is three men.",
)  # fmt: skip
shortsighted = by_weights("shortsighted", MATERIAL, decide=stop_anywhere, title="Shortsighted Shay")
samuel = by_weights(
    "samuel", learned("samuel"), title="Studious Sam", origin=SAMUEL,
    description="Searches four plies, with weights fitted to the values of deeper searches.",
)  # fmt: skip
samuel_pieces = by_weights(
    "samuel_pieces", learned("samuel_pieces"), title="Counted Cody", origin=SAMUEL,
    description="Searches four plies, with weights fitted to the values of deeper searches that only count pieces.",
)  # fmt: skip
samuel_games = by_weights(
    "samuel_games", learned("samuel_games"), title="Seasoned Sol", origin=SAMUEL,
    description="Searches four plies, with weights learned from games against its older selves.",
)  # fmt: skip
alphabeta2 = by_weights(
    "alphabeta2", learned("samuel"), 2, title="Hasty Hugo", origin=SAMUEL,
    description="Searches two plies, then all captures, with the weights of samuel.",
)  # fmt: skip
alphabeta6 = by_weights(
    "alphabeta6", learned("samuel"), 6, title="Patient Paula", origin=SAMUEL,
    description="Searches six plies, then all captures, with the weights of samuel.",
)  # fmt: skip
alphabeta10 = by_weights(
    "alphabeta10", learned("samuel"), 10, title="Farsighted Farah", origin=SAMUEL,
    description="Searches ten plies, then all captures, with the weights of samuel.",
)  # fmt: skip
mcts = tree_searcher(
    "draughts", "mcts", PLAYOUTS, title="Wandering Wim",
    description="Monte Carlo tree search with five thousand random playouts per move. It knows only the rules.",
)  # fmt: skip
