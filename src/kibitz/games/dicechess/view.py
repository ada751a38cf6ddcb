"""The view of dice chess for Python agents."""

from kibitz.games.chess.fen import KIND_NAMES
from kibitz.games.chess.view import BoardView


class View(BoardView):
    """A position: everything is visible but future rolls."""

    game_name = "dicechess"

    @property
    def turn(self) -> int:
        """The number of the next turn, from 1; rolls are turns, too."""
        return int(self.struct["turn"]) + 1

    @property
    def rolled(self) -> str:
        """The kind of piece that has to move, or nothing before the roll."""
        return KIND_NAMES[int(self.struct["rolled"]) - 1] if self.struct["rolled"] else ""
