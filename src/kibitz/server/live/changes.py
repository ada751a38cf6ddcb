"""Wait for a condition without polling: code that may have changed it notifies the waiting tasks."""

import asyncio
from collections.abc import Callable


class Changes:
    def __init__(self) -> None:
        self._next = asyncio.Event()

    def notify(self) -> None:
        """Let all waiting tasks check their conditions again."""
        self._next.set()
        self._next = asyncio.Event()

    async def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await self._next.wait()
