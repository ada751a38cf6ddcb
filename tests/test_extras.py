"""A lean installation plays, serves and joins; every feature behind an extra names it and the command to install it."""

import importlib
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from kibitz.errors import MissingExtraError
from kibitz.extras import EXTRAS, has, need
from tests.cli.conftest import Kibitz, helped, kibitz

__all__ = ["kibitz"]

ROOT = Path(__file__).parents[1]
NOT_CORE = sorted({module for extra in EXTRAS.values() for module in extra.modules})

LEAN = """
import sys
for module in {blocked}:
    sys.modules[module] = None
import kibitz.server.host.host, kibitz.server.web.server, kibitz.client.join
import kibitz.cli.play, kibitz.cli.host, kibitz.cli.join, kibitz.cli.train, kibitz.cli.evolve
from kibitz import cli
sys.argv = {arguments}
cli.run()
"""


def without(monkeypatch: pytest.MonkeyPatch, extra: str) -> None:
    for module in EXTRAS[extra].modules:
        monkeypatch.setitem(sys.modules, module, None)


def test_extras_are_those_of_the_package() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert sorted(project["optional-dependencies"]) == sorted([*EXTRAS, "all"])


def test_a_lean_installation_plays_serves_hosts_and_joins(tmp_path: Path) -> None:
    command = ["kibitz", "cross", "connect4", "random", "greedy", "--games", "5", "--jobs", "1", "--output", "table"]
    code = LEAN.format(blocked=NOT_CORE, arguments=command)
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "Elo points" in done.stdout
    assert "Nothing was drawn. Charts need matplotlib: pip install 'kibitz[charts]'" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["table.csv"]


@pytest.mark.parametrize(
    ("extra", "command", "sentence"),
    [
        ("charts", "match connect4 random --charts here", "Charts need matplotlib: pip install 'kibitz[charts]'"),
        ("charts", "tune hanabi trustful --charts here", "Charts need matplotlib: pip install 'kibitz[charts]'"),
        ("charts", "explain connect4 --chart a.svg", "Charts need matplotlib: pip install 'kibitz[charts]'"),
        ("charts", "elites draw map", "Charts need matplotlib: pip install 'kibitz[charts]'"),
        (
            "charts",
            "reproduce jarzabek-leja-2020 --output a.md",
            "Charts need matplotlib: pip install 'kibitz[charts]'",
        ),
        (
            "frames",
            "match connect4 random random --output a.parquet",
            "Parquet files need polars: pip install 'kibitz[frames]'",
        ),
        (
            "learn",
            "tune hanabi trustful",
            "Tuning needs optuna, cmaes, scipy and threadpoolctl: pip install 'kibitz[learn]'",
        ),
    ],
)
def test_a_command_names_the_missing_extra(
    kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch, extra: str, command: str, sentence: str
) -> None:
    without(monkeypatch, extra)
    helped(kibitz, command, sentence)
    assert not list(Path.cwd().iterdir())


@pytest.mark.parametrize(
    ("extra", "module"),
    [("learn", "kibitz.learn.samplers"), ("learn", "kibitz.learn.study"), ("env", "kibitz.games.hanabi.env.aec")],
)
def test_an_import_names_the_missing_extra(monkeypatch: pytest.MonkeyPatch, extra: str, module: str) -> None:
    without(monkeypatch, extra)
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(MissingExtraError, match=rf"pip install 'kibitz\[{extra}\]'"):
        importlib.import_module(module)


@pytest.mark.parametrize("extra", EXTRAS)
def test_what_is_missing_is_named(monkeypatch: pytest.MonkeyPatch, extra: str) -> None:
    without(monkeypatch, extra)
    assert not has(extra)
    with pytest.raises(MissingExtraError) as raised:
        need(extra)
    assert all(module in str(raised.value) for module in EXTRAS[extra].modules)
    assert str(raised.value).endswith(f": pip install 'kibitz[{extra}]'")
    assert isinstance(raised.value, ImportError)
