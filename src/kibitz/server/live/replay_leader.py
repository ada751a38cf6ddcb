"""The leader of a replay at a table, and their position, held in memory only."""

import time
from dataclasses import dataclass, field
from typing import Any, Protocol

from kibitz.server.live.tokens import new_token

GRACE = 20.0  # seconds for which the lead is kept after a lost connection


class Follower(Protocol):
    """A client, by its connection."""

    def send(self, *messages: bytes) -> None: ...


@dataclass
class ReplayLeader:
    leader: Follower | None  # None: their connection broke
    name: str
    turn: int
    viewer: int | str  # a seat, "spectator" or "open"
    event: int | None = None  # the move the leader points at
    line: str | None = None  # the analysis board opened from this replay
    key: str = field(default_factory=new_token)
    away_since: float = 0.0
    asking: dict[int, tuple[Follower, str]] = field(default_factory=dict)  # clients that requested the lead
    asked: int = 0

    @property
    def reserved(self) -> bool:
        """Whether there is a leader, connected or expected back."""
        return self.leader is not None or time.monotonic() - self.away_since < GRACE

    def leave(self, follower: Follower) -> bool:
        """Remove a client; returns whether it was the leader."""
        self.asking = {number: each for number, each in self.asking.items() if each[0] is not follower}
        if self.leader is not follower:
            return False
        self.leader, self.away_since = None, time.monotonic()
        return True

    def shown_to(self, follower: Follower) -> dict[str, Any]:
        """The leader and the position, as sent to one client."""
        shown: dict[str, Any] = {
            "leader": self.name, "turn": self.turn, "as": self.viewer, "event": self.event, "analysis_board": self.line,
            "away": True if self.leader is None else None,
        }  # fmt: skip
        if self.leader is follower:
            asking = [{"number": number, "name": name} for number, (_, name) in self.asking.items()]
            shown |= {"leading": True, "key": self.key, "requests": asking or None}
        return shown
