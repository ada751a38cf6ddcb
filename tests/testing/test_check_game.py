"""Every game passes the check, and every fault is reported in a sentence."""

import os
import subprocess
import sys
from functools import cache
from typing import Any

import msgspec
import pytest
from nim.game import NIM, Nim

from kibitz.core import registry
from kibitz.core.game import Game
from kibitz.testing import CheckError, check_game
from tests.plainly import EXAMPLES, ROOT
from tests.testing.broken import BROKEN


@pytest.mark.parametrize("game", [*registry.games(), NIM], ids=lambda game: game.name)
def test_a_game_keeps_every_promise(game: Game) -> None:
    report = check_game(game)
    assert report.games >= len(game.players)
    assert 0 < report.longest <= game.longest


@cache
def sentences() -> dict[str, str]:
    """The error for every broken game, in plain Python."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.testing.broken"], cwd=ROOT, capture_output=True, text=True, check=False,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": EXAMPLES},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return msgspec.json.decode(done.stdout, type=dict[str, str])


@pytest.mark.xdist_group("broken games")
@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_game_is_refused_with_a_sentence_that_names_the_fault(name: str) -> None:
    assert BROKEN[name].sentence in sentences()[name]


@pytest.mark.parametrize(
    ("declared", "sentence"),
    [
        ({"width": 2}, "writes more than the 2 numbers that the game declares"),
        ({"longest": 5}, "the game continues, but `longest` is 5"),
    ],
)
def test_what_is_declared_too_small_is_reported_by_machine_code_too(declared: dict[str, Any], sentence: str) -> None:
    with pytest.raises(CheckError, match=sentence):
        check_game(type("Small", (Nim,), declared)())


def test_a_fault_is_reported_with_where_it_was_found() -> None:
    assert sentences()["longest"].startswith(
        "Nim with 2 players, last_stone=wins, long_game=won, game 0, after 3 moves:"
    )
