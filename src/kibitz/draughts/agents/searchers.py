"""Players that look ahead: the same alpha-beta for all, by what they think of a position and how far they look."""

from typing import Any

from kibitz.core.agent import CompiledAgent
from kibitz.draughts.evaluation import MATERIAL, weights_of
from kibitz.draughts.moves import Move
from kibitz.search.players import searcher

DEPTH = 4  # plies, where nothing else is said


def say(move: int) -> str:
    return str(Move(move))


def by_weights(name: str, weights: Any, depth: int = DEPTH, title: str = "", description: str = "") -> CompiledAgent:
    """A player that looks ahead, on until nothing can be captured, and weighs what it finds there."""
    return searcher(
        "draughts", say, name, depth=depth, weights=weights_of(weights), title=title, description=description
    )


material = by_weights(
    "material", MATERIAL, title="Counting Carl",
    description="Looks four plies ahead, on until nothing can be captured, and counts pieces: a king is three men.",
)  # fmt: skip
