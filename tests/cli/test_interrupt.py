"""Ctrl-C and SIGTERM end any command at once, with what it has, in a sentence, and with nothing left running."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.fuzzing import first_of
from tests.soak.serving import READY
from tests.waiting import until

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
        until(lambda: ready() or self.process.poll() is not None)
        assert self.process.poll() is None, self.process.communicate()

    def computes(self) -> None:
        """Wait until it has spent some more CPU time."""
        begun = cpu_ticks(self.process.pid)
        self.until(lambda: cpu_ticks(self.process.pid) > begun + 20)

    def stop(self, number: int) -> tuple[int, str, str]:
        workers = children(self.process.pid)
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        assert "Traceback" not in err
        until(lambda: not any(map(running, workers)), "the end of its workers")
        return self.process.returncode, out, err


def children(pid: int) -> list[int]:
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return [int(child) for child in found]


def running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def cpu_ticks(pid: int) -> int:
    """The CPU time of a process in all its threads, in hundredths of a second on Linux."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return int(fields[11]) + int(fields[12])


pytestmark = pytest.mark.skipif(not os.path.exists("/proc/self"), reason="looks at processes in /proc")  # noqa: PTH110


@first_of(
    2,
    ("words", "number", "code", "says"),
    [
        ("match hanabi bot.py:Hangs cheater --games 9 --jobs 1", signal.SIGINT, 130, "Stopped after 0 of 9 games."),
        (
            "cross hanabi bot.py:Hangs cheater --jobs 2",
            signal.SIGTERM,
            143,
            "cross-hanabi-2-agents-2 keeps",
        ),
        ("watch hanabi bot.py:Hangs cheater", signal.SIGINT, 130, "Stopped."),
        ("play hanabi --seats bot.py:Hangs,human --output game.json", signal.SIGTERM, 143, "--resume game.json"),
    ],
)
@pytest.mark.usefixtures("runs")
def test_a_command_with_a_bot_that_hangs_can_be_stopped(
    tmp_path: Path, words: str, number: int, code: int, says: str
) -> None:
    (tmp_path / "bot.py").write_text(BOT)
    command = Command(tmp_path, *words.split(), "--bot-seconds", "0")
    command.until((tmp_path / "thinking").exists)
    ended, out, err = command.stop(number)
    assert ended == code
    assert says in out + err


def test_a_stopped_match_says_what_it_has_and_goes_on_later(tmp_path: Path, runs: Path) -> None:
    words = ("match", "hanabi", "cheater", "--players", "2", "--games", "10000000", "--output", "games.csv")
    folder = runs / "match-hanabi-cheater-2"
    held = 1000
    for command_words in (words, ("run", "resume", folder.name)):
        command = Command(tmp_path, *command_words)
        command.until(lambda least=held: stored(folder) > least)  # type: ignore[misc]
        code, out, err = command.stop(signal.SIGINT)
        assert code == 130
        assert "mean score" in out
        assert "of 10,000,000 games. The run match-hanabi-cheater-2 keeps what was played" in err
        held = stored(folder) + 100_000
    assert "; resuming." in err


def stored(folder: Path) -> int:
    """The bytes that a run has kept."""
    try:
        return sum(file.stat().st_size for file in folder.iterdir() if file.suffix in (".tail", ".parquet"))
    except OSError:
        return 0


def test_a_command_that_is_still_loading_can_be_stopped(tmp_path: Path) -> None:
    finds_nothing = "type('', (), {'find_spec': lambda *_: os.kill(os.getpid(), signal.SIGINT)})"
    script = f"import os, signal, sys, kibitz.cli; sys.meta_path.insert(0, {finds_nothing}); "
    done = subprocess.run([sys.executable, "-c", f"{script}kibitz.cli.run()"], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (130, b"kibitz: Stopped.\n")


def test_machine_code_does_not_hold_up_the_end(tmp_path: Path, runs: Path) -> None:
    words = "match loveletter flat_mc random --games 4 --iterations 10000000 --jobs 1 --output games.csv"
    command = Command(tmp_path, *words.split())
    command.until((runs / "match-loveletter-flat_mc-random-2" / "plan.json").exists)
    command.computes()
    code, _, err = command.stop(signal.SIGTERM)
    assert code == 143
    assert "Stopped after 0 of 4 games" in err


def test_a_server_does_not_wait_for_games_of_its_laboratory(tmp_path: Path) -> None:
    run = {
        "run": "long", "what": "match", "game": "loveletter", "agents": ["flat_mc@10000000", "random"], "players": 2,
        "games": 4, "seed": 1, "rules": {"unit": "game", "ties": "all"}, "created": 1.0, "state": "queued", "total": 4,
    }  # fmt: skip
    saved = tmp_path / "data" / "runs" / "long" / "run.json"
    saved.parent.mkdir(parents=True)
    saved.write_text(json.dumps(run))
    command = Command(tmp_path, "serve", "--no-open", "--port", "0", "--programs", "0", "--data", "data")
    command.until(lambda: '"running"' in saved.read_text() and (saved.parent / "games-00000.tail").exists())
    command.computes()
    code, out, _ = command.stop(signal.SIGTERM)
    assert code == 143
    assert "All tables are saved." in out
    assert re.search(READY, out), "the soak would wait for another text"


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
