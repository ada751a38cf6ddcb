"""Views for Python agents and notebooks: what all games' views have in common.

A view is made from a struct whose hidden information is already removed, so its text and its picture show only what its
seat may see.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from kibitz.core.deferred import load
from kibitz.core.encoding import Actions, Array, Encoding
from kibitz.engine import generic
from kibitz.errors import UnsupportedError

if TYPE_CHECKING:
    from kibitz.core.words import Words


class View:
    """What a seat sees. An open state is a view of seat −1, with nothing hidden.

    >>> import kibitz
    >>> view = kibitz.table("hanabi", players=2).view(0)
    >>> view
    <view of G1 in Hanabi, turn 1>
    >>> view.observation.shape
    (658,)
    """

    struct: Any
    game_name: ClassVar[str] = ""  # in the registry

    @property
    def _game(self) -> Any:
        return load("kibitz.core.registry:game")(self.game_name)

    def __repr__(self) -> str:
        seat = int(self.struct["seat"])
        who = f"view of {self._game.seat_name(seat)}" if seat >= 0 else "open view"
        return f"<{who} in {self._game.title}, turn {int(generic.turns(self.struct)) + 1}>"

    def __str__(self) -> str:
        """The board as the seat sees it."""
        return str(load("kibitz.core.plain_board:trimmed")(self._game.board(self.struct)))

    def _repr_svg_(self) -> str:
        """The board as the seat sees it, for notebooks."""
        return str(self._game.svg(self.struct))

    @property
    def legal(self) -> Sequence[Any]:
        """The legal moves of the seat to move; an agent may answer with one of them. By default they are texts."""
        moves = self._game.legal(self.struct) if int(generic.to_move(self.struct)) >= 0 else []
        return [self._game.move_text(move) for move in moves]

    @cached_property
    def observation(self) -> Array:
        """The view as a vector for networks, in games that define one."""
        return self._encoding("observation").observation(self.struct)

    @cached_property
    def actions(self) -> Actions:
        """The moves as numbers for networks, with a mask of the legal ones, in games that define them."""
        return Actions(self._encoding("actions"), self.struct)

    def _encoding(self, what: str) -> Encoding:
        encoding = self._game.encoding
        if not isinstance(encoding, Encoding):
            raise UnsupportedError(
                f"{self._game.title} does not define `{what}` for networks. Make your own array from the view; "
                f"`view.legal` lists the legal moves."
            )
        return encoding


class PlainView(View):
    """A view of a game without a class for its views. Fields of the state are items: `view["turn"]`."""

    def __init__(self, game: "Words", struct: Any) -> None:
        self.game, self.struct = game, struct

    @property
    def _game(self) -> Any:
        return self.game

    @property
    def seat(self) -> int:
        return int(self.struct["seat"])

    @property
    def players(self) -> int:
        return int(self.struct["players"])

    @property
    def turn(self) -> int:
        """The number of the next turn, from 1."""
        return int(generic.turns(self.struct)) + 1

    @property
    def to_move(self) -> int:
        """The seat to move, or a negative number if nobody is."""
        return int(generic.to_move(self.struct))

    def __getitem__(self, name: str) -> Any:
        return self.struct[name]
