"""When a bot's move is made: at times that reveal as little as possible about how long the bot thought.

Thinking time can depend on cards that others do not see. So where people play, a move waits for the next beat. The
first beat is the table's bot delay after the last move, or `grid` seconds after the bot began if that is later; every
further beat is twice as late. A bot that is ready before the first beat therefore reveals nothing, and a slower one
only which beat it needed. No player waits more than twice as long as without beats.
"""

import asyncio
import contextlib
import time
from collections.abc import Callable


def beat(first: float, thought: float) -> float:
    """The first of `first`, 2 `first`, 4 `first`, … that is not before `thought` seconds."""
    moment = first
    while moment < thought:
        moment *= 2
    return moment


class BotTempo:
    def __init__(self, grid: float, now: Callable[[], float] = time.monotonic) -> None:
        """With a grid of 0, a move waits only for the bot delay."""
        self.grid, self.now = grid, now
        self.moved = self.begun = now()
        self.thought = 0.0

    def note_move(self) -> None:
        self.moved = self.now()

    def begin(self) -> None:
        """A bot begins to think, at a time that depends only on public events."""
        self.begun = self.now()

    def end(self) -> None:
        self.thought = self.now() - self.begun

    def rest(self, delay: float) -> float:
        """Seconds until the move may be made; `delay` is the least time between two moves, in seconds."""
        after = max(self.moved + delay - self.begun, self.grid)
        return self.begun + (beat(after, self.thought) if self.grid else after) - self.now()

    async def wait(self, seconds: float, nudged: asyncio.Event) -> None:
        """Wait this long, or until something changes at the table."""
        nudged.clear()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await nudged.wait()
