"""Private parts of Numba are in one module, and on versions that were not tested with them kibitz does without."""

import json
import logging
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numba
import pytest

from kibitz.engine import cache, fast_path

ROOT = Path(__file__).parents[2]
PRIVATE = re.compile(
    r"(?:from|import)\s+numba\.(?!extending\b)\w+|numba\.(core|np|cpython)\b|\._(rebuild|reduce|defn|cache\s*=|overload_func)\b"
)


def test_private_parts_of_numba_are_in_one_module() -> None:
    found = [path for path in (ROOT / "src").rglob("*.py") if PRIVATE.search(path.read_text("utf-8"))]
    assert [path.name for path in found] == ["numba_internals.py"]


@pytest.mark.parametrize(
    ("version", "says"),
    [("0.61.2", "tested with numba 0.62 to 0.68"), ("0.69.0", "numba 0.69.0 is installed"), ("1.0.0rc1", "1.0.0rc1")],
)
def test_versions_that_were_not_tested_are_compiled_plainly(version: str, says: str) -> None:
    assert says in fast_path.why_plain(version)


@pytest.mark.parametrize("version", ["0.62.0", "0.68.1"])
def test_versions_that_were_tested_are_compiled_fast(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(fast_path.SWITCH, raising=False)
    assert fast_path.why_plain(version) == ""


def test_a_tested_version_that_lacks_something_is_compiled_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "kibitz.engine.numba_internals", None)
    monkeypatch.delattr("kibitz.engine.numba_internals")
    assert "lacks internals that kibitz uses" in fast_path.why_plain("0.68.0")


def test_the_oldest_version_that_was_tested_is_the_oldest_that_is_allowed() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    oldest = ".".join(map(str, fast_path.OLDEST))
    assert f"numba>={oldest}" in project["dependencies"]
    assert fast_path.OLDEST <= fast_path.version_of(numba.__version__) <= fast_path.NEWEST


@pytest.mark.slow
@pytest.mark.machine_code
def test_the_plain_path_plays_the_same_games_and_says_once_that_it_is_slower(tmp_path: Path) -> None:
    words = ["match", "coins", "greedy", "random", "--games", "30", "--json"]

    def played(**settings: str) -> tuple[Any, str]:
        environment = os.environ | settings
        command = [sys.executable, "-m", "kibitz", *words]
        done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        summary = json.loads(done.stdout)
        return {name: value for name, value in summary.items() if "second" not in name}, done.stderr

    plain = {fast_path.SWITCH: "1", "KIBITZ_CACHE": str(tmp_path)}
    fast, silent = played()
    slow, said = played(**plain)
    assert fast == slow
    assert "Compiling takes longer" not in silent
    assert said.count("Compiling takes longer than usual: KIBITZ_PLAIN_NUMBA is set.") == 1
    assert list(tmp_path.glob("kibitz/plain-*/*/*.nbc")), "it is kept for the next process"


def test_of_files_that_cannot_be_loaded_the_first_is_logged_with_the_reason(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "NOTED", [])
    cache.note("a.nbc cannot be loaded and is compiled again: EOFError")
    cache.note("b.nbc cannot be loaded and is compiled again: EOFError")
    assert [record.message for record in caplog.records if record.levelno >= logging.WARNING] == [
        "a.nbc cannot be loaded and is compiled again: EOFError"
    ]
