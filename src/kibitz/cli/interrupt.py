"""How commands end: Ctrl-C and SIGTERM within two seconds, a closed pipe quietly, a full disk with a sentence.

A signal handler in Python runs only when the main thread returns to the interpreter, which compiled code may delay.
Therefore the system notifies a thread of every signal (through the wakeup file descriptor), and the thread ends the
program if the command does not.
"""

import contextlib
import functools
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, ParamSpec

import typer

from kibitz.cli.terminal import complain, err

if TYPE_CHECKING:
    from kibitz.arena.runs import Run

Arguments = ParamSpec("Arguments")

SIGNALS = (signal.SIGINT, signal.SIGTERM)
PATIENCE = 1.2  # seconds for a command to clean up after a signal


class StoppedError(KeyboardInterrupt):
    """The command was asked to end."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.code = 128 + number


class Received:
    """The first signal this program received, and what a command keeps if it is stopped."""

    number = 0
    keeps = ""


def exit_code(stopped: BaseException) -> int:
    """The exit code of a stopped program: 130 after Ctrl-C, 143 after SIGTERM."""
    return getattr(stopped, "code", 128 + signal.SIGINT)


def keeps(sentence: str) -> None:
    """Say what is not lost if the command is stopped from here on."""
    Received.keeps = f" {sentence}"


def resumable(run: "Run", before: str = "") -> None:
    """Say where a command keeps what it has done, and what an earlier command has left there."""
    if not run.is_kept:
        keeps("")
        complain(run.problem)
        return
    again = f" or type: {run.resuming}" if run.command else ""
    keeps(f"The run {run.name} keeps what was played; to resume, run the same command{again}")
    if before:
        complain(f"The run {run.name} has {before}; resuming.")


def stopped_after(done: str, by: BaseException) -> typer.Exit:
    """Say how far a stopped command came. Returns the exit to raise."""
    complain(f"Stopped after {done}.{Received.keeps}")
    return typer.Exit(exit_code(by))


def ended_in_order(by: KeyboardInterrupt) -> typer.Exit:
    """The exit of a stopped command that handles signals itself: it waits for no thread that runs machine code."""
    code = exit_code(by)
    Received.number = code - 128
    return typer.Exit(code)


def stoppable(command: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """The command, ending when a signal asks it to."""

    @functools.wraps(command)
    def listening(*arguments: Arguments.args, **options: Arguments.kwargs) -> None:
        Received.keeps = ""
        with signals_heard():
            try:
                command(*arguments, **options)
            except KeyboardInterrupt as stopped:
                complain(f"Stopped.{Received.keeps}")
                raise typer.Exit(exit_code(stopped)) from None
            except BrokenPipeError:  # the reader, such as `head`, has all it wants
                drop_output()
                raise typer.Exit(0) from None

    return listening


def drop_output() -> None:
    """Discard what is left to print, which would fail again when the interpreter ends."""
    with contextlib.suppress(OSError, ValueError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)


def on_signal(number: int, frame: Any) -> None:
    if not Received.number:  # once: a second one would interrupt the clean-up
        Received.number = number
        raise StoppedError(number)


def on_swallowed(unraisable: Any) -> None:
    """The signal arrived where an exception is lost, as in a function that the compiler calls back."""
    if isinstance(unraisable.exc_value, StoppedError):
        end_now(unraisable.exc_value.code)
    sys.__unraisablehook__(unraisable)


@contextlib.contextmanager
def signals_heard() -> Iterator[None]:
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    ended = threading.Event()
    before = {number: signal.signal(number, on_signal) for number in SIGNALS}
    hook, sys.unraisablehook = sys.unraisablehook, on_swallowed
    wakeup = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=end_by_force, args=(ours, ended), daemon=True).start()
    try:
        yield
    finally:
        if not Received.number:  # after a signal, cleaning up has a time limit as well
            ended.set()
        signal.set_wakeup_fd(wakeup)
        sys.unraisablehook = hook
        for number, handler in before.items():
            if not Received.number:
                signal.signal(number, handler)
        theirs.close()


def end_by_force(signalled: socket.socket, ended: threading.Event) -> None:
    """Wait for a signal. If the command has not ended soon after it, end the program."""
    with signalled:
        number = next((byte for byte in iter(lambda: signalled.recv(1), b"") if byte[0] in SIGNALS), b"")
    if number and not ended.wait(PATIENCE):
        end_now(128 + number[0])


def end_now(code: int) -> None:
    complain(f"Stopped.{Received.keeps}")
    leave(code)


def leave(code: int) -> None:
    """End the program and its workers at once, without waiting for other threads."""
    processes = sys.modules.get("kibitz.bots.pool")
    if processes is not None:
        processes.PROCESSES.kill()
    with contextlib.suppress(Exception):
        err.show_cursor(True)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)
