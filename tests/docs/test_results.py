"""The scripts behind the published tables work, and the README shows the figures of the results."""

import importlib
import re
import sys

import pytest

from tests.docs.pages import ROOT, blocks, python_blocks

RESULTS = ROOT / "docs" / "results"


@pytest.mark.parametrize("script", ["make", "speed", "strangers", "strangers_connect4"])
def test_a_script_of_the_results_finds_what_it_imports(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(RESULTS)
    monkeypatch.delitem(sys.modules, script, raising=False)
    assert callable(importlib.import_module(script).main)


def test_the_readme_shows_the_figures_of_the_results(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(RESULTS)
    make = importlib.import_module("make")
    shown = re.search(r"<!-- strength: .*?-->\n(.*?)\n<!-- end", make.README.read_text(), re.DOTALL)
    assert shown is not None
    assert shown[1] == make.strength_table(make.INDEX.read_text())


def test_the_readme_shows_the_example_bot_as_it_is() -> None:
    shown = next(block for block in python_blocks("README.md") if "class MyBot" in block)
    assert shown in (ROOT / "examples" / "my_bot.py").read_text()


def test_the_page_on_new_games_shows_the_examples_as_they_are() -> None:
    packages = [file.parent for file in (ROOT / "examples").glob("*/pyproject.toml")]
    files = [path.read_text() for each in packages for path in each.rglob("*.*") if path.suffix in (".py", ".toml")]
    shown = [block for block in blocks(ROOT / "docs/how-to/new-game.md") if block.language in ("python", "toml")]
    [test] = [block.text for block in shown if not any(block.text in file for file in files)]
    assert "check_game(NIM)" in test
