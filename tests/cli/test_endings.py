"""How commands end: full disks, closed pipes, missing folders, and errors before anything compiles."""

import os
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest

from kibitz.cli import terminal
from tests.cli.conftest import Kibitz, helped

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
MATCH = ("match", "hanabi", "cheater", "--players", "2", "--games", "20")


def command(*words: str) -> list[str]:
    return [sys.executable, "-m", "kibitz", *words]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", [MATCH, ("match", "--help")])
def test_a_full_disk_behind_the_output_is_a_sentence(words: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command(*words), stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (1, "kibitz: The output cannot be written: No space left on device.\n")


def test_a_reader_that_has_enough_is_no_error() -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as closed:
        done = subprocess.run(command(*MATCH), stdout=closed, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_folder_that_was_deleted_is_a_sentence(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    script = f"import os, sys; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r}); from kibitz.cli import run; run()"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        1, "kibitz: The current folder no longer exists. Change to another one.\n"
    )  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "match hanabi trustfull piers", "cross hanabi trustfull piers", "watch hanabi trustfull piers",
        "play hanabi --seats human,trustfull", "host hanabi --seats open,trustfull --port 0",
        "join localhost:1 --as trustfull", "tune hanabi trustfull", "evolve hanabi trustfull",
        "evolve hanabi --strangers trustfull", "train hanabi reinforced --partners trustfull",
        "agents hanabi trustfull",
    ],
)  # fmt: skip
def test_a_misspelt_agent_is_refused_before_anything_compiles(
    kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch, words: str
) -> None:
    from numba.core.dispatcher import Dispatcher

    def compiles(self: Dispatcher, signature: object) -> None:
        raise AssertionError(f"{self} is compiled")

    monkeypatch.setattr(Dispatcher, "compile", compiles)
    helped(kibitz, words, "Did you mean trustful")


def test_an_agent_of_another_game_is_no_missing_module(kibitz: Kibitz) -> None:
    helped(kibitz, "match loveletter search:greedy random", "search is an agent of hanabi, not of loveletter")


def test_compiling_is_announced_where_no_terminal_shows_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = iter([0.0, 0.5, 2.0, 9.0])
    monkeypatch.setattr(terminal.CompilingNotice, "given", False)
    monkeypatch.setattr("kibitz.cli.terminal.time.monotonic", lambda: next(seconds))
    notice = terminal.CompilingNotice()
    notice.on_start(None)
    notice.on_start(None)
    assert capsys.readouterr().err == ""
    notice.on_start(None)
    notice.on_start(None)
    assert capsys.readouterr().err == f"{terminal.COMPILING}\n"


@pytest.mark.parametrize(("bot", "where"), [("bot.mjs", "localhost:1"), ("remote_bot.py", "nowhere")])
def test_an_example_bot_without_a_host_says_so(bot: str, where: str) -> None:
    program = which("node") if bot.endswith(".mjs") else sys.executable
    if program is None:
        pytest.skip("Node is not installed")
    done = subprocess.run([program, EXAMPLES / bot, where], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert where in done.stderr
