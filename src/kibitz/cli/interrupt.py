"""Ctrl-C and SIGTERM end a command within two seconds: in order if it can be, with what it has, and by force else.

A handler in Python runs only when the main thread comes back to the interpreter, which compiled code may not do for
long. So a thread is told of a signal by the system itself (the wakeup file descriptor) and waits for the end.
"""

import contextlib
import functools
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, ParamSpec

import typer

from kibitz.cli.terminal import complain, err

Arguments = ParamSpec("Arguments")

SIGNALS = (signal.SIGINT, signal.SIGTERM)
PATIENCE = 1.2  # seconds for a command to end in order after a signal


class StoppedError(KeyboardInterrupt):
    """Somebody wants the command to end."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.code = 128 + number


class Received:
    """The first signal of this program, and what a command keeps if it is stopped."""

    number = 0
    keeps = ""


def exit_code(stopped: BaseException) -> int:
    """What a program that was stopped exits with: 130 after Ctrl-C, 143 after SIGTERM."""
    return getattr(stopped, "code", 128 + signal.SIGINT)


def keeps(sentence: str) -> None:
    """Say what is not lost if the command is stopped from here on."""
    Received.keeps = f" {sentence}"


def stoppable(command: Callable[Arguments, None]) -> Callable[Arguments, None]:
    """The command, ending when it is told to."""

    @functools.wraps(command)
    def listening(*arguments: Arguments.args, **options: Arguments.kwargs) -> None:
        Received.keeps = ""
        with signals_heard():
            try:
                command(*arguments, **options)
            except KeyboardInterrupt as stopped:
                complain(f"Stopped.{Received.keeps}")
                raise typer.Exit(exit_code(stopped)) from None

    return listening


def on_signal(number: int, frame: Any) -> None:
    if not Received.number:  # once: a second one would interrupt the clean-up
        Received.number = number
        raise StoppedError(number)


def on_swallowed(unraisable: Any) -> None:
    """The signal came where an exception goes no further, as in a function that the compiler calls back."""
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
        if not Received.number:  # else the end may take too long, too
            ended.set()
        signal.set_wakeup_fd(wakeup)
        sys.unraisablehook = hook
        for number, handler in before.items():
            if not Received.number:
                signal.signal(number, handler)
        theirs.close()


def end_by_force(signalled: socket.socket, ended: threading.Event) -> None:
    """Wait for a signal; if the command has not ended a while after it, end the program."""
    with signalled:
        number = next((byte for byte in iter(lambda: signalled.recv(1), b"") if byte[0] in SIGNALS), b"")
    if number and not ended.wait(PATIENCE):
        end_now(128 + number[0])


def end_now(code: int) -> None:
    complain(f"Stopped.{Received.keeps}")
    leave(code)


def leave(code: int) -> None:
    """End the program at once, with its workers, whatever other threads do."""
    processes = sys.modules.get("kibitz.bots.pool")
    if processes is not None:
        processes.PROCESSES.kill()
    with contextlib.suppress(Exception):
        err.show_cursor(True)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            stream.flush()
    os._exit(code)
