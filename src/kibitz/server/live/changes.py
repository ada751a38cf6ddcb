"""Waiting for a condition without polling: code that may have changed it notifies."""

import asyncio
from collections.abc import Callable


class Changes:
    def __init__(self) -> None:
        self._next = asyncio.Event()

    def notify(self) -> None:
        """Let everybody who waits check their condition again."""
        self._next.set()
        self._next = asyncio.Event()

    async def until(self, condition: Callable[[], bool]) -> None:
        while not condition():
            await self._next.wait()
