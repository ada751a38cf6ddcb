"""What agents in Python read of a game of dice chess."""

from kibitz.games.chess.fen import KIND_NAMES
from kibitz.games.chess.view import BoardView


class View(BoardView):
    """A position: everybody sees all of it but what will be rolled."""

    @property
    def rolled(self) -> str:
        """The kind of piece that has to move, or nothing before the die is rolled."""
        return KIND_NAMES[int(self.struct["rolled"]) - 1] if self.struct["rolled"] else ""
