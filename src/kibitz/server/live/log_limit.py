"""A rate limit for the log: repeated lines of one kind are written a few times, then counted."""

import logging
import time
from collections.abc import Iterable

LOGGERS = ("asyncio", "kibitz.server.live", "kibitz.server.web", "kibitz.server.host", "uvicorn.error")
MOST, PERIOD = 10, 60.0  # lines of one kind, and the period in seconds
KINDS = 1000  # kinds that are counted


class LogLimit(logging.Filter):
    """Limits the lines of one kind per period; the first line after it reports how many were dropped.

    The kind of a line is its format string.
    """

    def __init__(self) -> None:
        super().__init__()
        self.seen: dict[tuple[str, str], list[float]] = {}  # since when, and the number of lines

    def filter(self, record: logging.LogRecord) -> bool:
        now, kind = time.monotonic(), (record.name, str(record.msg))
        since, count = self.seen.get(kind, (now, 0))
        if now - since > PERIOD:
            if count > MOST:
                record.msg = f"{record.msg} (and {int(count) - MOST} more like it since the last)"
            since, count = now, 0
        if len(self.seen) > KINDS:
            self.seen.clear()
        self.seen[kind] = [since, count + 1]
        return count < MOST


def limit_logs(names: Iterable[str] = LOGGERS) -> None:
    for name in names:
        logger = logging.getLogger(name)
        if not any(isinstance(each, LogLimit) for each in logger.filters):
            logger.addFilter(LogLimit())
