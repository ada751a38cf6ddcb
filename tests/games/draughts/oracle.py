"""pydraughts beside our rules: the same position there, its legal moves and its verdict."""

from typing import Any

from draughts.core.game import BLACK as THEIR_BLACK
from draughts.core.game import WHITE as THEIR_WHITE
from draughts.core.game import Game as TheirGame

from kibitz.engine.bits import lowest_bit
from kibitz.games.draughts.capturing import origin_of, taken_of, target_of

START = {variant: f"{mover}:W21-32:B1-12" for variant, mover in
         (("brazilian", "W"), ("english", "B"), ("russian", "W"))}  # fmt: skip
SEATS = {THEIR_WHITE: 0, THEIR_BLACK: 1, 0: -1}
Plain = tuple[int, int, frozenset[int]]  # from, to, captured squares, by their numbers


def plain(move: int) -> Plain:
    taken, squares = int(taken_of(move)), set()
    while taken:
        squares.add(lowest_bit(taken) + 1)
        taken &= taken - 1
    return int(origin_of(move)) + 1, int(target_of(move)) + 1, frozenset(squares)


class Oracle:
    def __init__(self, variant: str, fen: str = "") -> None:
        self.game: Any = TheirGame(variant, fen or START[variant])

    def moves(self) -> dict[Plain, Any]:
        """Their legal moves, with the routes by which they are made there; of several routes of a move one."""
        routes, captures = self.game.legal_moves()
        return {
            (route[0][0], route[-1][1], frozenset(square for square in taken if square)): route
            for route, taken in zip(routes, captures, strict=True)
        }

    def make(self, route: Any) -> None:
        self.game.push(route)

    def winner(self) -> int | None:
        """A seat, −1 for a draw, None while the game goes on."""
        won = self.game.get_winner()
        return None if won is None else SEATS[won]

    def repeated(self) -> bool:
        return bool(self.game.is_threefold())
