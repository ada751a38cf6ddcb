"""What a game brings that is also played over a plain connection, in an agreed form of JSON objects.

There, every state and every move is one bare object, and a player is known by the full name the host gave it. The
hosting side writes states and reads moves; the joining side keeps a mirror of the game, so that a player of ours
decides at anybody's host as it would at home.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.core.table import Table


class ImpersonationError(KibitzError):
    """A move in somebody else's name."""


class OutOfStepError(KibitzError):
    """A host said something that does not follow from what it said before."""


class Mirror(Protocol):
    """The game at somebody else's host, as a seat sees it, kept in step by the states that arrive."""

    seat: int  # our own; known, as everything here, from the first state on
    names: tuple[str, ...]  # the full names, in the order of the seats
    table: "Table"  # the game so far, with something in place of the cards that we cannot see

    @property
    def over(self) -> bool: ...

    def see(self, said: Mapping[str, Any]) -> Any:
        """Take the next state; what our seat sees now, as a struct. An OutOfStepError says where it contradicts."""

    def move(self, move: int) -> bytes:
        """Our decision as the object that the host is sent."""


class StateReader(Protocol):
    """What a client must know of a game's states. It is read from the state alone, without the compiled rules."""

    numbers: tuple[str, ...]  # the fields of every state that are whole numbers

    def is_last(self, state: Mapping[str, Any]) -> bool:
        """Whether the game is over with this state."""

    def score(self, state: Mapping[str, Any]) -> int:
        """What the last state of a game is worth."""


class Wire(Protocol):
    """A game's states and moves as bare JSON objects. `names` are the full names, in the order of the seats."""

    reader: StateReader

    rules: Mapping[str, str]  # those that are played by, in the words of `Game.rules`; the others are the default

    def full_name(self, seat: int, name: str) -> str:
        """What a player in a seat is called."""

    def state(self, view: Any, names: Sequence[str]) -> bytes:
        """The state as the seat of this view may see it."""

    def move(self, said: Any, seat: int, names: Sequence[str], view: Any) -> int:
        """The move that a seat's object means, as its number.

        A KibitzError says why it is none, or not legal in this view; an ImpersonationError, that it is said in
        another's name.
        """

    def mirror(self, own: str, dice: int = 0) -> Mirror:
        """A mirror for who was given this full name; all its player's dice come from one number."""
