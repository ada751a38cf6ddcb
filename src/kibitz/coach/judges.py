"""The coach of a game: its own part, or the estimates of a searching agent that it names."""

from kibitz.core.coaching import Coach
from kibitz.core.game import Game
from kibitz.errors import KibitzError


def coach_of(game: Game) -> Coach:
    if game.coach is not None:
        return game.coach
    raise KibitzError(f"{game.title} cannot be reviewed.")
