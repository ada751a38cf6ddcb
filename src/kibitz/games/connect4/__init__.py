"""Connect 4: rules on bits, players from careless to perfect, and a solver. What a writer of players needs is here."""

from kibitz.games.connect4.view import View

__all__ = ["View"]
