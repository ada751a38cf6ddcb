"""The clock of a table: a program from elsewhere has so many seconds for a move, a person as many as they like."""

import asyncio
from collections.abc import Callable

from kibitz.live.table_state import TableState


class MoveClock:
    def __init__(self, state: TableState, time_is_up: Callable[[int, int], None]) -> None:
        """`time_is_up` is told the seat that was to move, and the turn."""
        self.state, self.time_is_up = state, time_is_up
        self.deadline: float = state.stored.options.get("deadline", 0)  # seconds; 0: no limit
        self.timer: asyncio.TimerHandle | None = None
        self.due: tuple[int, int] | None = None  # the seat and the turn the clock runs for

    def set(self) -> None:
        """Let the clock run for a program that is to move, and for nobody else."""
        state, seat = self.state, self.state.to_move
        ticks = seat is not None and self.deadline and state.seats[seat].kind == "person" and state.seats[seat].program
        due = (state.mover, state.turn) if ticks else None
        if due == self.due:
            return
        self.stop()
        if due:
            self.due = due
            self.timer = asyncio.get_running_loop().call_later(self.deadline, self._ring, *due)

    def stop(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self.due = self.timer = None

    def seconds_left(self) -> float | None:
        """How long who is to move may think; None if as long as they like."""
        if self.timer is None:
            return None
        return round(max(self.timer.when() - asyncio.get_running_loop().time(), 0.0), 3)

    def _ring(self, seat: int, turn: int) -> None:
        if (seat, turn) == (self.state.mover, self.state.turn):
            self.time_is_up(seat, turn)
