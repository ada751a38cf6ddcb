"""Report progress of anything that takes longer than two seconds: on a terminal's standard error, or in a notebook."""

import sys
import time
from collections.abc import Callable
from threading import Lock, Timer
from types import TracebackType
from typing import Any, Self

PATIENCE = 2.0  # seconds before the first report
PACE = 0.5  # seconds between reports
COMPILING = "loading and compiling (slow only the first time)"

Show = Callable[[str], None]  # shows a line in place of the last one; an empty one removes it


class Progress:
    """The progress of a number of games. Nothing is shown if it ends within `PATIENCE` seconds."""

    def __init__(
        self, label: str, total: int, wanted: bool | None = None, *, show: Show | None = None,
        clock: Callable[[], float] = time.monotonic, timer: Callable[..., Any] = Timer,
    ) -> None:  # fmt: skip
        self.label, self.total, self.done = label, total, 0
        self._show = show if show is not None else place(wanted)
        self._clock, self._timer = clock, timer
        self._lock, self._shown, self._closed = Lock(), False, False

    def __enter__(self) -> Self:
        self._began = self._last = self._clock()
        self._waiting = self._timer(PATIENCE, self._still_compiling)
        self._waiting.daemon = True
        if self._show is not None:
            self._waiting.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._waiting.cancel()
        with self._lock:
            self._closed = True
            if self._shown and self._show is not None:
                self._show("")

    def _still_compiling(self) -> None:
        """Called after `PATIENCE` seconds, in case not one game is over by then."""
        if self.done == 0:
            self._report(COMPILING)

    def _report(self, text: str) -> None:
        with self._lock:
            if self._show is not None and not self._closed:
                self._shown, self._last = True, self._clock()
                self._show(f"{self.label}: {text}")

    def add(self, games: int) -> None:
        self.done += games
        now = self._clock()
        if now - self._began >= PATIENCE and (not self._shown or now - self._last >= PACE):
            self._report(f"{self.done:,} of {self.total:,} games")


def place(wanted: bool | None) -> Show | None:
    """Where to report; None if nobody would see it, or if it is not wanted."""
    if wanted is False:
        return None
    if shell := notebook():
        return notebook_line(shell)
    return terminal_line if wanted or sys.stderr.isatty() else None


def terminal_line(text: str) -> None:
    sys.stderr.write(f"\r\x1b[2K{text}" if sys.stderr.isatty() else f"{text}\n" if text else "")
    sys.stderr.flush()


def notebook() -> Any:
    """IPython's display module in a notebook."""
    shell = sys.modules.get("IPython")
    if shell is None or "ipykernel" not in sys.modules or shell.get_ipython() is None:
        return None
    from importlib import import_module

    return import_module("IPython.display")


def notebook_line(display: Any) -> Show:
    """One line below the cell, which changes."""
    handle: list[Any] = []

    def show(text: str) -> None:
        line = display.Pretty(text)
        if handle:
            handle[0].update(line)
        else:
            handle.append(display.display(line, display_id=True))

    return show
