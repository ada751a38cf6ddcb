"""Views and moves as numbers for networks, in games that define them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import numpy as np

from kibitz.errors import ArgumentError

Array = np.ndarray[Any, np.dtype[Any]]


class Actions:
    """The moves of a view, numbered for a network. A number means the same move at every turn and in every seat.

    >>> import kibitz
    >>> actions = kibitz.table("hanabi", players=2).view(0).actions
    >>> len(actions), actions.names[7]
    (20, 'play 3')
    >>> str(actions.move(7)), actions.index("play 3")
    ('play 3', 7)
    """

    def __init__(self, encoding: "Encoding", view: Any) -> None:
        self._encoding, self._view = encoding, view
        self.names: Sequence[str] = encoding.names(int(view["players"]))
        self.mask: Array = encoding.mask(view)  # whether each action is legal; all false for a seat not to move

    def __len__(self) -> int:
        return len(self.names)

    def __repr__(self) -> str:
        return f"<{len(self)} actions, {int(self.mask.sum())} of them legal>"

    @property
    def legal(self) -> Array:
        """The numbers of the legal actions, in ascending order."""
        return np.flatnonzero(self.mask)

    def move(self, action: Any) -> Any:
        """The move with this number, in the form that an agent returns."""
        number = int(action)
        if not 0 <= number < len(self):
            raise ArgumentError(f"There is no action {number}; actions are the numbers 0 to {len(self) - 1}.")
        return self._encoding.move(number, self._view)

    def index(self, move: Any) -> int:
        """The number of a move or of its text."""
        return self._encoding.action(move, self._view)


class Encoding(ABC):
    """How a game turns views and moves into numbers. Views are structs."""

    @abstractmethod
    def observation(self, view: Any) -> Array:
        """A view as a vector."""

    @abstractmethod
    def names(self, players: int) -> Sequence[str]:
        """Every action as text."""

    @abstractmethod
    def mask(self, view: Any) -> Array:
        """Which actions are legal, as booleans; none for a viewer not to move."""

    @abstractmethod
    def move(self, action: int, view: Any) -> Any:
        """The move of an action."""

    @abstractmethod
    def action(self, move: Any, view: Any) -> int:
        """The action of a move or of its text."""

    @abstractmethod
    def environment(self, **options: Any) -> Any:
        """One table as a PettingZoo environment."""

    @abstractmethod
    def batch(self, **options: Any) -> Any:
        """Many tables as one environment with arrays of actions and observations."""
