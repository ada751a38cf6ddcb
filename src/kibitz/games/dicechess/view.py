"""The view of dice chess for Python agents."""

from kibitz.games.chess.fen import KIND_NAMES
from kibitz.games.chess.view import BoardView


class View(BoardView):
    """A position: everything is visible but future rolls."""

    @property
    def rolled(self) -> str:
        """The kind of piece that has to move, or nothing before the roll."""
        return KIND_NAMES[int(self.struct["rolled"]) - 1] if self.struct["rolled"] else ""
