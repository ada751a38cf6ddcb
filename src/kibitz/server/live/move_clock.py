"""The clock of a table: the time limit of the player to move.

A program has a time limit per move, whether it is connected or not. A person has one only at tables created with a
limit; then the clock runs while any player is connected and stops while none is, so that no game is lost overnight.
After a restart of the server the full time is available again. A private turn, such as an illegal attempt that others
do not learn of, gives no new time.
"""

import asyncio
from collections.abc import Callable

from kibitz.server.live.audience import Audience
from kibitz.server.live.table_state import TableState


class MoveClock:
    def __init__(self, state: TableState, audience: Audience, time_is_up: Callable[[int, int], None]) -> None:
        """`time_is_up` is called with the seat that was to move, and the turn."""
        self.state, self.audience, self.time_is_up = state, audience, time_is_up
        self.deadline: float = state.stored.options.get("deadline", 0)  # seconds for programs; 0: no limit
        self.timer: asyncio.TimerHandle | None = None
        self.due: tuple[int, int] | None = None  # the seat and the turn the clock runs for
        self.rest: tuple[tuple[int, int], float] | None = None  # the time left for a turn while the clock is stopped

    def limit(self, seat: int) -> float:
        """The time limit per move of a seat in seconds; 0 is no limit."""
        held = self.state.seats[seat]
        if held.kind != "person":
            return 0
        return self.deadline if held.program else self.state.move_seconds

    def set(self, coming: bool = False) -> bool:
        """Run the clock for the player to move, if their time is limited. Returns whether it was started.

        `coming` means that a player is about to connect.
        """
        state, seat = self.state, self.state.to_move
        ticks = (
            seat is not None
            and self.limit(seat)
            and (state.seats[seat].program or coming or self.audience.any_player_present())
        )
        due = (state.mover, state.public_turn) if ticks else None
        if due == self.due:
            return False
        left = self.seconds_left()
        if self.due is not None and left is not None and self.due == (state.mover, state.public_turn):
            self.rest = self.due, left
        self.stop()
        if due:
            seconds = self.rest[1] if self.rest is not None and self.rest[0] == due else self.limit(due[0])
            self.due = due
            self.timer = asyncio.get_running_loop().call_later(seconds, self._ring, *due)
        return True

    def stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self.due = self.timer = None

    def seconds_left(self) -> float | None:
        """The time left for the player to move; None without a limit, or while the clock is stopped."""
        if self.timer is None:
            return None
        return round(max(self.timer.when() - asyncio.get_running_loop().time(), 0.0), 3)

    def shown(self) -> float | None:
        """The time left, for all clients to see: that of a person. A program's is known only to itself."""
        return None if self.due is None or self.state.seats[self.due[0]].program else self.seconds_left()

    def _ring(self, seat: int, turn: int) -> None:
        if (seat, turn) == (self.state.mover, self.state.public_turn):
            self.time_is_up(seat, turn)
