"""A run of an experiment that is killed goes on with the same command to the same figures, never with stale games."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena import experiment, run_checkpoints
from kibitz.arena import match as arena
from kibitz.arena.code_version import code_version, module_files, package_parts
from kibitz.arena.match import Match
from kibitz.arena.run_checkpoints import ABANDONED, RunCheckpoints
from kibitz.core import registry
from kibitz.core.agent_spec import AgentSpec

PAPER = """
title = "A small paper"
source = "nowhere"
game = "hanabi"
their_games = 1000

[self_play.cheater]
2 = { mean = 20.5, std = 2.6 }
3 = { mean = 22.3, std = 2.0 }

[self_play.erratic]
2 = { mean = 1.45, std = 1.5 }
"""
WON = """
title = "Another"
source = "nowhere"
game = "loveletter"
their_games = 1000

[[pairings]]
seats = ["greedy", "random"]
first = "alternate"
"""
# The commands of people, in processes that are killed from within after so many batches of games.
SCRIPT = """
import os, signal, sys
from pathlib import Path
from kibitz import cli
from kibitz.arena import match, run_checkpoints

match.ChunkSize.most = 10
run_checkpoints.private_folder = lambda name: Path("cache", name)
before = run_checkpoints.KeptMatch.add
batches, last = 0, int(sys.argv[1])

def add(self, results):
    global batches
    before(self, results)
    batches += 1
    if batches == last:
        os.kill(os.getpid(), signal.SIGKILL)

run_checkpoints.KeptMatch.add = add
sys.argv = ["kibitz", *sys.argv[2:]]
cli.run()
"""


@pytest.fixture(autouse=True)
def runs(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Where runs are kept: nowhere that another test looks."""
    folder = tmp_path / "runs"
    monkeypatch.setattr(run_checkpoints, "private_folder", lambda name: folder / name)
    return folder / "reproduce"


def run_of(text: str, folder: Path, games: int = 40, **more: Any) -> experiment.Run:
    path = folder / "paper.toml"
    path.write_text(text, encoding="utf-8")
    return experiment.Run(experiment.read(str(path)), games, 7, 1, **more)


def figures(run: experiment.Run) -> list[Any]:
    return [row.as_json() for row in run.played()]


def interrupted(run: experiment.Run, batches: int) -> None:
    """Play so many batches and go away."""
    assert run.checkpoints is not None
    before, made = run_checkpoints.KeptMatch.add, iter(range(batches))

    def add(self: Any, results: Any) -> None:
        before(self, results)
        if next(made, None) is None:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run_checkpoints.KeptMatch, "add", add)
        with pytest.raises(KeyboardInterrupt):
            list(run.played())
    run.checkpoints.release()


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arena.ChunkSize, "most", 10)


def test_a_reproduction_killed_outright_goes_on_and_shows_the_same(tmp_path: Path) -> None:
    (tmp_path / "paper.toml").write_text(PAPER, encoding="utf-8")

    def typed(batches: int) -> subprocess.CompletedProcess[str]:
        words = ["reproduce", "paper.toml", "--games", "40", "--seed", "7", "--jobs", "1", "--json"]
        script = [sys.executable, "-c", SCRIPT, str(batches), *words]
        return subprocess.run(script, capture_output=True, text=True, check=False, cwd=tmp_path)

    killed, whole = typed(6), typed(0)
    assert killed.returncode == -9
    assert "resuming" in whole.stderr
    assert whole.returncode == 0, whole.stderr
    assert json.loads(whole.stdout)["rows"] == figures(run_of(PAPER, tmp_path))
    assert list((tmp_path / "cache" / "reproduce").iterdir()) == []


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("text", [PAPER, WON])
def test_what_was_played_is_not_played_again(tmp_path: Path, runs: Path, text: str) -> None:
    interrupted(run_of(text, tmp_path).keeping(), 2)
    played: list[int] = []
    again = run_of(text, tmp_path, count=played.append).keeping()
    assert figures(again) == figures(run_of(text, tmp_path))
    assert again.checkpoints is not None
    assert again.checkpoints.earlier_games == 30
    assert played[0] == 30
    assert sum(played) == again.games
    again.checkpoints.finish()
    assert list(runs.iterdir()) == []


@pytest.mark.usefixtures("small_batches")
def test_begun_afresh_after_an_edit_and_with_another_plan_nothing_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(run_of(PAPER, tmp_path).keeping(), 2)

    def earlier(**plan: Any) -> int:
        run = run_of(PAPER, tmp_path, **plan).keeping()
        next(run.played())
        assert run.checkpoints is not None
        run.checkpoints.release()
        return run.checkpoints.earlier_games

    assert earlier(games=60) == 0
    with monkeypatch.context() as patch:
        patch.setattr(run_checkpoints, "code_version", lambda match: "another")
        assert earlier() == 0
    assert earlier() == 30
    fresh = run_of(PAPER, tmp_path).keeping(restart=True)
    next(fresh.played())
    assert fresh.checkpoints is not None
    assert fresh.checkpoints.earlier_games == 0


def test_the_version_of_a_match_is_that_of_code_and_weights() -> None:
    def version(*seats: str) -> str:
        return code_version(Match("hanabi", seats, 2, 0).prepared())

    assert version("trustful", "cheater") == version("trustful", "cheater")
    versions = {version("trustful", "cheater"), version("trustful@play_tip.bar=0.7", "cheater")}
    assert len(versions | {version("cheater", "trustful"), version("cheater", "cheater")}) == 4


def test_the_version_of_somebodys_python_is_that_of_its_files(tmp_path: Path) -> None:
    bot, game = tmp_path / "bot.py", registry.game("hanabi")

    def version(text: str) -> list[str]:
        bot.write_text(text)
        return list(package_parts(game, AgentSpec(f"{bot}:Bot")))

    assert version("class Bot: pass") == version("class Bot: pass") != version("class Bot: number = 1")
    assert len(module_files("kibitz")) > 100
    assert module_files("nothing_of_that_name") == []


@pytest.mark.usefixtures("small_batches")
def test_damaged_games_are_played_anew(tmp_path: Path, runs: Path) -> None:
    interrupted(run_of(PAPER, tmp_path).keeping(), 2)
    [file] = runs.glob("*/*.partial")
    kept = file.read_bytes()
    file.write_bytes(kept[:-80] + b"\xff" * 80)
    assert figures(run_of(PAPER, tmp_path).keeping()) == figures(run_of(PAPER, tmp_path))


def test_a_second_run_of_the_same_is_played_but_not_kept(tmp_path: Path) -> None:
    first, second = (run_of(PAPER, tmp_path).keeping() for _ in range(2))
    assert first.checkpoints is not None
    assert second.checkpoints is not None
    assert not first.checkpoints.problem
    assert "Another process plays the same run" in second.checkpoints.problem
    assert figures(second) == figures(first)


def test_runs_that_nobody_went_on_with_are_removed(runs: Path) -> None:
    for name, age in (("old", ABANDONED + 60.0), ("recent", 60.0)):
        (runs / name).mkdir(parents=True)
        file = runs / name / "row.partial"
        file.write_text("")
        os.utime(file, (time.time() - age,) * 2)
    RunCheckpoints({"any": "plan"})
    assert {folder.name for folder in runs.iterdir()} & {"old", "recent"} == {"recent"}
