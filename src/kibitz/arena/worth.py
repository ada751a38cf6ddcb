"""The worth of finished games to a seat: the common score, or the seat's share of the win."""

from typing import Any

import numpy as np

from kibitz.arena.rotation import by_name
from kibitz.core.game import Game


def worth(game: Game, results: Any, seat: int, players: int, rotations: Any = 0, sides: int = 0) -> Any:
    """One number per game: winners share a win, and all players share a draw.

    Without `rotations`, `seat` is a seat of the table; with them, a named one. With `sides`, partners share a win: only
    the first `sides` seats, one of each side, are counted.
    """
    if not game.competitive:
        return game.scores(results)[0].astype(np.float64)
    winners = by_name(game.winners(results), rotations, players)
    if sides:
        winners = winners & (1 << sides) - 1
    count = np.bitwise_count(winners)
    return np.where(count > 0, (winners >> seat & 1) / np.maximum(count, 1), 1 / (sides or players))
