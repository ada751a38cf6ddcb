"""Progress is reported after two seconds, and disappears at the end."""

import sys
from types import SimpleNamespace
from typing import Any

import pytest

from kibitz.api.progress import COMPILING, PACE, PATIENCE, Progress, place, terminal_line


class Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Bell:
    """A timer that rings when a test says so."""

    def __init__(self, seconds: float, call: Any) -> None:
        self.seconds, self.ring, self.cancelled = seconds, call, False

    def start(self) -> None:
        """It waits for the test."""

    def cancel(self) -> None:
        self.cancelled = True


def reporting() -> tuple[Progress, Clock, list[str]]:
    shown: list[str] = []
    clock = Clock()
    return Progress("greedy", 1000, show=shown.append, clock=clock, timer=Bell), clock, shown


def test_a_quick_match_shows_nothing() -> None:
    progress, clock, shown = reporting()
    with progress:
        progress.add(999)
        clock.now = PATIENCE - 0.01
        progress.add(1)
    assert shown == []


def test_a_long_match_shows_its_games_and_cleans_up() -> None:
    progress, clock, shown = reporting()
    with progress:
        for clock.now in (PATIENCE, PATIENCE + 0.01, PATIENCE + PACE):
            progress.add(100)
    assert shown == ["greedy: 100 of 1,000 games", "greedy: 300 of 1,000 games", ""]


def test_compiling_is_shown_while_no_game_is_over() -> None:
    progress, _, shown = reporting()

    def interrupted() -> None:
        with progress:
            progress._waiting.ring()
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    progress._waiting.ring()
    assert shown == [f"greedy: {COMPILING}", ""]
    assert progress._waiting.cancelled


def test_without_a_terminal_or_a_notebook_nothing_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    assert place(None) is None
    assert place(False) is None
    assert place(True) is terminal_line
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    assert place(None) is terminal_line


def test_a_notebook_has_one_line_that_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    lines: list[str] = []
    handle = SimpleNamespace(update=lines.append)

    def display(line: str, display_id: bool) -> Any:
        assert display_id
        lines.append(line)
        return handle

    shell = SimpleNamespace(get_ipython=lambda: object())
    monkeypatch.setitem(sys.modules, "ipykernel", SimpleNamespace())
    monkeypatch.setitem(sys.modules, "IPython", shell)
    monkeypatch.setitem(sys.modules, "IPython.display", SimpleNamespace(display=display, Pretty=str))
    show = place(None)
    assert show is not None
    show("one")
    show("two")
    assert lines == ["one", "two"]
