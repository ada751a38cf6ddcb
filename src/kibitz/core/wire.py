"""The interface of a game with an established wire protocol of JSON objects.

Each state and each move is one object, and players are known by the full names that the host assigns. The host writes
states and reads moves. The client keeps a mirror of the game, so that kibitz's agents can play at any host.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from kibitz.errors import KibitzError

if TYPE_CHECKING:
    from kibitz.core.table import Table


class ImpersonationError(KibitzError):
    """A move in another player's name."""


class OutOfStepError(KibitzError):
    """A host's message contradicts its earlier ones."""


class Mirror(Protocol):
    """A game at another host as a seat sees it, updated by the states that arrive."""

    seat: int  # our own; this and the other attributes are known from the first state on
    names: tuple[str, ...]  # full names in the order of the seats
    table: "Table"  # the game so far, with placeholders for hidden cards

    @property
    def over(self) -> bool: ...

    def see(self, said: Mapping[str, Any]) -> Any:
        """Process the next state and return our seat's view as a struct. An OutOfStepError explains a contradiction."""

    def move(self, move: int) -> bytes:
        """Our decision as the object for the host."""


class StateReader(Protocol):
    """What a client must know about a game's states, without the compiled rules."""

    numbers: tuple[str, ...]  # the integer fields of every state

    def is_last(self, state: Mapping[str, Any]) -> bool:
        """Whether the game is over in this state."""

    def score(self, state: Mapping[str, Any]) -> int:
        """The score of the last state."""

    def shift(self, state: Mapping[str, Any]) -> int | None:
        """How much later than in the default dialect this host counts the end; None as long as that is not known."""

    def unshifted(self, state: dict[str, Any], shift: int) -> dict[str, Any]:
        """A later state in the default dialect."""


class Wire(Protocol):
    """A game's states and moves as JSON objects. `names` are full names in the order of the seats."""

    reader: StateReader

    dialects: Mapping[str, str]  # in which hosts write states, each with the difference; the first is the default

    rules: Mapping[
        str, str
    ]  # the rules that the protocol plays by, with names of `Game.rules`; others have their defaults

    def full_name(self, seat: int, name: str) -> str:
        """The full name of the player in a seat."""

    def state(self, view: Any, names: Sequence[str]) -> bytes:
        """The state as the seat of this view sees it."""

    def move(self, said: Any, seat: int, names: Sequence[str], view: Any) -> int:
        """The number of the move in a seat's object.

        A KibitzError explains an invalid or illegal move, an ImpersonationError a move in another player's name.
        """

    def in_dialect(self, name: str) -> "Wire":
        """The protocol as a host writes it in one of its dialects."""

    def mirror(self, own: str, dice: int = 0) -> Mirror:
        """A mirror for the player with this full name, whose dice all come from one number."""
