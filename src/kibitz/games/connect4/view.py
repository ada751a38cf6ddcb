"""The board for agents written in Python."""

from typing import Any

from kibitz.core.view import View as GameView
from kibitz.games.connect4.board import COLUMNS, HEIGHT, ROWS, completing_places, has_four, landing_places
from kibitz.games.connect4.notation import moves_text


class View(GameView):
    """A position: `grid[row][column]` is 0, or the number of the player whose stone is there; row 0 is the lowest."""

    game_name = "connect4"

    def __init__(self, struct: Any) -> None:
        self.struct = struct
        self.turn = int(struct["turn"])
        self.taken = int(struct["taken"])
        self.mine = int(struct["mine"])  # the stones of the player to move
        self.theirs = self.mine ^ self.taken

    @property
    def to_move(self) -> int:
        """1 or 2."""
        return self.turn % 2 + 1

    @property
    def me(self) -> int:
        """The viewer's number: 1 or 2."""
        return int(self.struct["seat"]) + 1

    @property
    def moves(self) -> str:
        """The columns of all moves so far, as in 4453."""
        return moves_text(self.struct)

    @property
    def grid(self) -> list[list[int]]:
        first = self.mine if self.turn % 2 == 0 else self.theirs
        return [
            [
                0 if not self.taken >> (bit := HEIGHT * column + row) & 1 else 1 if first >> bit & 1 else 2
                for column in range(COLUMNS)
            ]
            for row in range(ROWS)
        ]

    @property
    def open_columns(self) -> list[int]:
        """The columns, from 1, that are not full."""
        return [column + 1 for column in range(COLUMNS) if landing_places(self.taken) >> HEIGHT * column & 63]

    def wins_with(self, column: int) -> bool:
        """Whether a stone in this column makes four for the player to move."""
        places = landing_places(self.taken) & completing_places(self.mine, self.taken)
        return bool(places >> HEIGHT * (column - 1) & 63)

    @property
    def four(self) -> list[tuple[int, int]]:
        """The row and column of every stone of a line of four, if there is one."""
        places = set()
        for step in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
            pairs = self.theirs & self.theirs >> step
            starts = pairs & pairs >> 2 * step
            for bit in range(starts.bit_length()):
                if starts >> bit & 1:
                    places |= {bit + step * n for n in range(4)}
        return sorted((bit % HEIGHT, bit // HEIGHT) for bit in places)

    @property
    def over(self) -> bool:
        return bool(has_four(self.theirs)) or self.turn == COLUMNS * ROWS
