"""Wait for a condition that announces itself nowhere, such as a file or the end of a process.

Tests wait here and nowhere else: `test_clocks.py` forbids sleeps and looks at the clock in all other tests.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

PATIENCE = 240.0  # seconds, for a busy machine that may be compiling: a test that waits longer has failed


def until(happened: Callable[[], Any], what: str = "") -> None:
    end = time.monotonic() + PATIENCE
    while not happened():
        assert time.monotonic() < end, f"it never happened: {what}"
        time.sleep(0.005)


async def idle() -> None:
    """Let the event loop do everything that is due, and what follows from it."""
    for _ in range(100):
        await asyncio.sleep(0)
