"""The examples in docstrings and the scripts run, and print what they show."""

import doctest
import importlib
import re
import runpy
from pathlib import Path

import pytest

import kibitz

MODULES = (
    "kibitz",
    "kibitz.api.catalogue",
    "kibitz.api.crosses",
    "kibitz.api.duels",
    "kibitz.api.environments",
    "kibitz.api.experiments",
    "kibitz.api.files",
    "kibitz.api.matches",
    "kibitz.api.saved_runs",
    "kibitz.api.tables",
    "kibitz.arena.statistics",
    "kibitz.core.encoding",
    "kibitz.core.record",
    "kibitz.core.view",
    "kibitz.errors",
)
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "api.md"
SCRIPTS = sorted((Path(__file__).parents[2] / "examples" / "scripts").glob("*.py"))


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_show_what_they_print(name: str) -> None:
    results = doctest.testmod(importlib.import_module(name))
    assert results.attempted
    assert results.failed == 0


def test_the_examples_of_the_reference_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    for block in re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL):
        exec(compile(block, PAGE, "exec"), names)
    assert "mean score" in capsys.readouterr().out


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_first_script_has_at_most_eight_lines_and_runs(
    script: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code = [line for line in script.read_text().splitlines()[1:] if line.strip()]
    assert len(code) <= 8
    monkeypatch.chdir(tmp_path)
    kibitz.match("hanabi", ["trustful", "piers"], games=3, jobs=1, save="games.jsonl")
    runpy.run_path(str(script))
    assert capsys.readouterr().out
