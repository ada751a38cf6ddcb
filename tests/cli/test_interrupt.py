"""Ctrl-C and SIGTERM end any command at once, with what it has, in a sentence, and with nothing left running."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fuzzing import first_of

SLOW = 4.0  # seconds on a busy machine for what is promised in two

BOT = """
import pathlib, time

class Hangs:
    def decide(self, view):
        pathlib.Path("thinking").touch()
        while True:
            pass
"""


class Command:
    """A command that runs in a process of its own until it is stopped."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "kibitz", *words],
            cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip

    def until(self, ready: Callable[[], bool]) -> None:
        end = time.monotonic() + 120
        while not ready():
            assert self.process.poll() is None, self.process.communicate()
            assert time.monotonic() < end
            time.sleep(0.02)

    def stop(self, number: int) -> tuple[int, str, str]:
        workers = children(self.process.pid)
        started = time.monotonic()
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        assert time.monotonic() - started < SLOW
        assert "Traceback" not in err
        until = time.monotonic() + SLOW
        while any(map(running, workers)) and time.monotonic() < until:
            time.sleep(0.02)
        assert not list(filter(running, workers))
        return self.process.returncode, out, err


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self"), reason="looks at processes in /proc")  # noqa: PTH110


@first_of(
    2,
    ("words", "number", "code", "says"),
    [
        ("match hanabi bot.py:Hangs cheater --games 9 --jobs 1", signal.SIGINT, 130, "Stopped after 0 of 9 games."),
        ("cross hanabi bot.py:Hangs cheater --jobs 2 --save table", signal.SIGTERM, 143, "table.csv.partial keeps"),
        ("watch hanabi bot.py:Hangs cheater", signal.SIGINT, 130, "Stopped."),
        ("play hanabi --seats bot.py:Hangs,human --save game.json", signal.SIGTERM, 143, "--resume game.json"),
    ],
)
def test_a_command_with_a_bot_that_hangs_can_be_stopped(
    tmp_path: Path, words: str, number: int, code: int, says: str
) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    command = Command(tmp_path, *words.split(), "--bot-seconds", "0")
    command.until((tmp_path / "thinking").exists)
    ended, out, err = command.stop(number)
    assert ended == code
    assert says in out + err


def test_a_stopped_match_says_what_it_has_and_goes_on_later(tmp_path: Path) -> None:
    words = ("match", "hanabi", "cheater", "--players", "2", "--games", "10000000", "--save", "games.csv")
    partial = tmp_path / "games.csv.partial"
    held = 1000
    for _ in range(2):
        command = Command(tmp_path, *words)
        command.until(lambda least=held: partial.exists() and partial.stat().st_size > least)  # type: ignore[misc]
        code, out, err = command.stop(signal.SIGINT)
        assert code == 130
        assert "mean score" in out
        assert "of 10,000,000 games. games.csv.partial keeps the games" in err
        held = partial.stat().st_size
    assert "; resuming." in err


def test_a_command_that_is_still_loading_can_be_stopped(tmp_path: Path) -> None:
    finds_nothing = "type('', (), {'find_spec': lambda *_: os.kill(os.getpid(), signal.SIGINT)})"
    script = f"import os, signal, sys, kibitz.cli; sys.meta_path.insert(0, {finds_nothing}); "
    done = subprocess.run([sys.executable, "-c", f"{script}kibitz.cli.run()"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (130, b"kibitz: Stopped.\n")


def test_machine_code_does_not_hold_up_the_end(tmp_path: Path) -> None:
    words = "match loveletter flat_mc random --games 4 --iterations 10000000 --jobs 1 --save games.csv"
    command = Command(tmp_path, *words.split())
    command.until((tmp_path / "games.csv.partial").exists)
    time.sleep(0.3)
    code, _, err = command.stop(signal.SIGTERM)
    assert code == 143
    assert "Stopped after 0 of 4 games" in err


def test_a_signal_where_no_exception_can_go_on_is_heard(tmp_path: Path) -> None:
    """Code that is called back from C, as the compiler does, only loses the exception of a signal handler."""
    script = """
import ctypes, os, signal, sys, typer
from kibitz.cli import app, interrupt
def command() -> None:
    ctypes.CFUNCTYPE(None)(lambda: os.kill(os.getpid(), signal.SIGTERM))()
    print("still here")
app.app.command("odd")(interrupt.stoppable(command))
sys.argv = ["kibitz", "odd"]
app.main()
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (143, "", "kibitz: Stopped.\n")
