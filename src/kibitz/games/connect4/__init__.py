"""Connect 4: rules on bit boards, agents from random to perfect, and a solver. Agents in Python need only `View`."""

from kibitz.games.connect4.view import View

__all__ = ["View"]
