"""What every command prints with: output, errors, spinners and progress bars."""

import io
import json
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from kibitz.text import counted as counted

if TYPE_CHECKING:
    from kibitz.core.agent import Decision, Player


class Output(Console):
    """A console that leaves a closed pipe to the command."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


out = Output(highlight=False)
err = Console(stderr=True, highlight=False)  # progress and errors, so that output stays readable by programs


def complain(message: str) -> None:
    err.print(f"[bold red]kibitz:[/] {plain(message)}", soft_wrap=True)


def note(text: str) -> None:
    """A sentence beside the output, such as where a file is."""
    err.print(plain(text), soft_wrap=True)


def saved(what: str, *paths: Path | str) -> None:
    note(f"Saved {what} to {', '.join(map(str, paths))}.")


@contextmanager
def writing(what: str, where: Path | str, otherwise: str = "") -> Iterator[None]:
    """Report a file that cannot be written, and what is not lost."""
    from kibitz.errors import KibitzError

    try:
        yield
    except OSError as error:
        raise KibitzError(f"Cannot write {what} to {where}: {error.strerror or error}.{otherwise}") from None


def typed_command() -> str:
    """The command that was typed, to repeat it later; without the name of its run."""
    return shlex.join(["kibitz", *command_words()])


def command_words() -> list[str]:
    """The command that was typed, as words without the program, without the name of its run."""
    words, kept = sys.argv[1:], list[str]()
    for place, word in enumerate(words):
        named = word == "--run" or (place and words[place - 1] == "--run") or word.startswith("--run=")
        if not named and word != "--restart":
            kept.append(word)
    return kept


def note_missing_charts() -> None:
    """Name the extra that draws charts, for commands that do the rest of their work without it."""
    from kibitz.extras import has, missing

    if not has("charts"):
        complain(f"Nothing was drawn. {missing('charts')}")


def print_terms(*terms: str) -> None:
    """A dim line below a title: how many games of which seed, under which rules. A game may have no rules."""
    out.print(f"[dim]{'; '.join(plain(term) for term in terms if term)}[/]", soft_wrap=True)


def plain(text: str) -> str:
    """Text from elsewhere, without markup and escape sequences."""
    from rich.markup import escape

    return escape("".join(letter if letter.isprintable() or letter in "\n\t" else "\ufffd" for letter in text))


def speed_text(games_per_second: float) -> str:
    """`250,000 games per second`, `0.12 games per second`; nothing if no game was played."""
    if games_per_second <= 0:
        return ""
    return f"{games_per_second:{',.0f' if games_per_second >= 10 else '.2g'}} games per second"


def print_json(value: Any) -> None:
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    print(json.dumps(value, indent=2, ensure_ascii=not unicode))


def write_any_text() -> None:
    """Print a question mark for characters that the terminal or pipe cannot encode."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


class Words(ProgressColumn):
    """A column whose text is computed at every refresh."""

    def __init__(self, words: Callable[[], str]) -> None:
        super().__init__()
        self.words = words

    def render(self, task: Any) -> Text:
        return Text(self.words())


@contextmanager
def patience(words: str, so_far: Callable[[], str] = str) -> Iterator[None]:
    """Show a spinner with the elapsed time and the progress if the body takes long."""
    status = Progress(
        SpinnerColumn(), TextColumn("{task.description}"), Words(so_far), TimeElapsedColumn(),
        console=err, transient=True, disable=not err.is_terminal,
    )  # fmt: skip
    status.add_task(words, total=None)
    timer = Timer(0.7, status.start)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        status.stop()


COMPILING = "Loading and compiling (slow only the first time)…"
LONG = 1.0  # seconds of compiling that are worth a line in a log


@contextmanager
def compiling() -> Iterator[None]:
    """Show that agents and rules are loaded and compiled: a spinner, or a line where no terminal can show one."""
    if err.is_terminal:
        with patience(COMPILING):
            yield
        return
    from kibitz.engine.compile import Listener, listen, stop_listening

    notice = CompilingNotice()
    listener = type("Notice", (Listener,), {"on_start": notice.on_start, "on_end": notice.on_start})()
    listen("numba:compile", listener)
    try:
        yield
    finally:
        stop_listening("numba:compile", listener)


class CompilingNotice:
    """One line as soon as compiling takes long; machine code that is loaded from the cache does not count."""

    began: float | None = None
    given = False

    def on_start(self, _: Any) -> None:
        now = time.monotonic()
        self.began = now if self.began is None else self.began
        if now - self.began > LONG and not CompilingNotice.given:
            CompilingNotice.given = True
            note(COMPILING)


class Thinker:
    """A player that shows a spinner while it thinks."""

    def __init__(self, player: "Player", name: str) -> None:
        self.player, self.name = player, name
        self.agent, self.remembers = player.agent, player.remembers

    def observe(self, view: Any) -> None:
        self.player.observe(view)

    def decide(self, view: Any) -> "Decision":
        with patience(f"{self.name} is thinking…", self.so_far):
            return self.player.decide(view)

    def so_far(self) -> str:
        done, of = getattr(self.player, "progress", (0, 0))
        return f"{done} of {of}" if of else ""

    def copy(self) -> "Thinker":
        return Thinker(self.player.copy(), self.name)


class Rate(ProgressColumn):
    """Steps per second."""

    def render(self, task: Any) -> Text:
        speed = task.finished_speed or task.speed
        return Text(f"{speed:,.0f}/s" if speed and speed >= 10 else f"{speed:.2g}/s" if speed else "")


def progress_bar(workers: Any = None) -> Progress:
    """A progress bar with the rate and the time left, and what an executor waits for."""
    return Progress(
        TextColumn("{task.description}"), BarColumn(20), MofNCompleteColumn(), Rate(), TimeRemainingColumn(),
        Words(lambda: str(getattr(workers, "waits_for", ""))),
        console=err, transient=True, disable=not sys.stderr.isatty(),
    )  # fmt: skip
