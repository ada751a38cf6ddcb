"""The clients connected to a table, and since when the holder of each seat has been away."""

import time
from enum import Enum
from typing import Protocol

from kibitz.server.live.changes import Changes
from kibitz.server.live.table_state import Role


class ViewFormat(Enum):
    """The form in which a client receives views."""

    PAGE = "page"  # as the game's page draws it
    STRUCT = "struct"  # as kibitz agents read it
    WIRE = "wire"  # in the game's own wire protocol, which has no other messages


class Subscriber(Protocol):
    """A client that receives the messages of a table."""

    format: ViewFormat

    def send(self, *messages: bytes) -> None: ...


class Audience:
    def __init__(self, seats: int) -> None:
        self.subscribers: dict[Subscriber, Role] = {}
        self.away_since = dict.fromkeys(range(seats), time.monotonic())  # by seat
        self.changes = Changes()  # notified when a client leaves

    def connected(self, seat: int) -> bool:
        return seat in self.seats_present()

    def seats_present(self) -> set[int | None]:
        """The seats whose holders are connected; None stands for spectators."""
        return {role.seat for role in self.subscribers.values()}

    def any_player_present(self) -> bool:
        return any(role.seat is not None for role in self.subscribers.values())

    def seconds_away(self, seat: int) -> float:
        return time.monotonic() - self.away_since[seat]

    def readers(self) -> list[tuple[Subscriber, Role]]:
        """The clients that understand all messages, not only those of the game's own wire protocol."""
        return [each for each in self.subscribers.items() if each[0].format is not ViewFormat.WIRE]

    def remove(self, subscriber: Subscriber) -> Role | None:
        """Remove a client: its role, if its seat is now empty, else None."""
        role = self.subscribers.pop(subscriber, None)
        self.changes.notify()
        if role is None or role.seat is None or self.connected(role.seat):
            return None
        self.away_since[role.seat] = time.monotonic()
        return role
