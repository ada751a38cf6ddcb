"""A killed experiment is resumed by the same command, to the same figures and never with stale games."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from kibitz.arena import experiment, kept_matches
from kibitz.arena import match as arena
from kibitz.arena.code_version import code_version, module_files, package_parts
from kibitz.arena.match import Match
from kibitz.arena.runs import begin, kept
from kibitz.core import registry
from kibitz.core.agent_spec import AgentSpec
from kibitz.errors import KibitzError

pytestmark = pytest.mark.usefixtures("runs")

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
# The commands of people, in processes that kill themselves after a number of batches of games.
SCRIPT = """
import os, signal, sys
from kibitz import cli
from kibitz.arena import match, kept_matches

match.ChunkSize.most = 10
before = kept_matches.KeptMatch.add
batches, last = 0, int(sys.argv[1])

def add(self, results):
    global batches
    before(self, results)
    batches += 1
    if batches == last:
        os.kill(os.getpid(), signal.SIGKILL)

kept_matches.KeptMatch.add = add
sys.argv = ["kibitz", *sys.argv[2:]]
cli.run()
"""


def run_of(text: str, folder: Path, games: int = 40, **more: Any) -> experiment.Run:
    path = folder / "paper.toml"
    path.write_text(text, encoding="utf-8")
    return experiment.Run(experiment.read(str(path)), games, 7, 1, **more)


def keeping(run: experiment.Run, restart: bool = False) -> experiment.Run:
    return run.keeping(begin("reproduce", run.plan(), "paper", restart=restart))


def let_go(run: experiment.Run) -> None:
    assert run.matches is not None
    run.matches.run.release()


def earlier_games(run: experiment.Run) -> int:
    assert run.matches is not None
    return run.matches.earlier_games


def figures(run: experiment.Run) -> list[Any]:
    return [row.as_json() for row in run.played()]


def interrupted(run: experiment.Run, batches: int) -> None:
    """Play a number of batches, then stop."""
    before, made = kept_matches.KeptMatch.add, iter(range(batches))

    def add(self: Any, results: Any) -> None:
        before(self, results)
        if next(made, None) is None:
            raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kept_matches.KeptMatch, "add", add)
        with pytest.raises(KeyboardInterrupt):
            list(run.played())
    let_go(run)


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
    [run] = kept()
    assert run.state == "finished"
    assert run.summary["rows"] == json.loads(whole.stdout)["rows"]


@pytest.mark.usefixtures("small_batches")
@pytest.mark.parametrize("text", [PAPER, WON])
def test_what_was_played_is_not_played_again(tmp_path: Path, text: str) -> None:
    interrupted(keeping(run_of(text, tmp_path)), 2)
    played: list[int] = []
    again = keeping(run_of(text, tmp_path, count=played.append))
    assert figures(again) == figures(run_of(text, tmp_path))
    assert earlier_games(again) == 30
    assert played[0] == 30
    assert sum(played) == again.games
    assert again.matches is not None
    again.matches.finish()
    assert not list(again.matches.run.place.glob("*.tail"))


@pytest.mark.usefixtures("small_batches")
def test_begun_afresh_after_an_edit_and_with_another_plan_nothing_is_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(keeping(run_of(PAPER, tmp_path)), 2)

    def earlier(**plan: Any) -> int:
        run = keeping(run_of(PAPER, tmp_path, **plan))
        next(run.played())
        let_go(run)
        return earlier_games(run)

    assert earlier(games=60) == 0
    with monkeypatch.context() as patch:
        patch.setattr(kept_matches, "code_version", lambda match: "another")
        assert earlier() == 0
    assert earlier() == 30
    fresh = keeping(run_of(PAPER, tmp_path), restart=True)
    next(fresh.played())
    assert earlier_games(fresh) == 0


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
def test_damaged_games_are_refused_with_what_to_do(tmp_path: Path, runs: Path) -> None:
    interrupted(keeping(run_of(PAPER, tmp_path)), 2)
    [file] = runs.glob("*/*.tail")
    kept = file.read_bytes()
    file.write_bytes(kept[:-80] + b"\xff" * 80)
    with pytest.raises(KibitzError, match=r"is damaged: .*delete it to play its games again"):
        figures(keeping(run_of(PAPER, tmp_path)))


def test_a_second_run_of_the_same_has_a_folder_of_its_own(tmp_path: Path) -> None:
    first, second = (keeping(run_of(PAPER, tmp_path)) for _ in range(2))
    assert figures(second) == figures(first)
    assert earlier_games(second) == 0
