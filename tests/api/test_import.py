"""`import kibitz` is cheap, and shows all of its names before it loads any."""

import json
import subprocess
import sys

import pytest

import kibitz
import kibitz.games.toys.coins

HEAVY = ("numba", "numpy", "polars", "matplotlib", "msgspec", "rich", "starlette")


def in_a_new_process(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_importing_loads_nothing_heavy() -> None:
    loaded = json.loads(in_a_new_process("import json, sys, kibitz; dir(kibitz); print(json.dumps(list(sys.modules)))"))
    assert [name for name in loaded if name.partition(".")[0] in HEAVY] == []
    assert [name for name in loaded if name.startswith("kibitz")] == ["kibitz"]


def test_the_game_packages_and_the_list_of_games_share_a_name() -> None:
    assert kibitz.games.toys.coins.__name__ == "kibitz.games.toys.coins"  # type: ignore[attr-defined]
    assert "coins" in [game.name for game in kibitz.games()]


@pytest.mark.parametrize("name", kibitz.__all__)
def test_tab_completion_knows_every_name_and_every_name_loads(name: str) -> None:
    assert name in dir(kibitz)
    assert getattr(kibitz, name) is not None


@pytest.mark.parametrize("name", [name for name in kibitz.__all__ if name != "__version__"])
def test_every_name_has_a_docstring(name: str) -> None:
    assert getattr(kibitz, name).__doc__


def test_a_name_that_does_not_exist_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'macth'"):
        kibitz.macth  # type: ignore[attr-defined]  # noqa: B018
