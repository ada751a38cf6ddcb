"""A wrong argument is refused with a sentence, before anything is compiled for it."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kibitz


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda: kibitz.match("hanabbi", "piers"), "Did you mean hanabi?"),
        (lambda: kibitz.match("hanabi", "pierss"), "Did you mean piers"),
        (lambda: kibitz.match("hanabi", ""), "name of an agent is empty"),
        (lambda: kibitz.match("hanabi", []), "`agents` is empty"),
        (lambda: kibitz.match(3, "piers"), "`game` is 3, but must be a name"),  # type: ignore[arg-type]
        (lambda: kibitz.match("hanabi", 3), "3 is not an agent"),  # type: ignore[arg-type]
        (lambda: kibitz.match("hanabi", "piers", players=9), "`players` is 9, but must be a whole number from 2 to 5"),
        (lambda: kibitz.match("hanabi", ["piers"] * 7), "names 7 agents, but Hanabi is for 2 to 5 players"),
        (lambda: kibitz.match("hanabi", ["piers"] * 3, players=2), "names 3 agents for 2 players"),
        (lambda: kibitz.match("hanabi", "piers", games=0), "`games` is 0, but must be a whole number from 1"),
        (lambda: kibitz.match("hanabi", "piers", games=True), "`games` is True"),
        (lambda: kibitz.match("hanabi", "piers", seed=1.5), "`seed` is 1.5"),  # type: ignore[arg-type]
        (lambda: kibitz.match("hanabi", "piers", seed=1 << 64), "`seed` is 18446744073709551616"),
        (lambda: kibitz.match("hanabi", "piers", jobs=0), "`jobs` is 0"),
        (lambda: kibitz.match("hanabi", "piers", bot_seconds=-1), "`bot_seconds` is -1"),
        (lambda: kibitz.match("hanabi", "piers", rules={"lost": "zero"}), "Did you mean lost_game?"),
        (lambda: kibitz.match("hanabi", "piers", rules={"lost_game": "nought"}), "piles or zero, not 'nought'"),
        (lambda: kibitz.match("hanabi", "piers", rules=["zero"]), "must map names to choices"),  # type: ignore[arg-type]
        (lambda: kibitz.match("hanabi", "piers", first="last"), "`first` is 'last'"),  # type: ignore[arg-type]
        (lambda: kibitz.match("hanabi", "piers", depth=3, think_ms=3), "exclude each other"),
        (lambda: kibitz.match("hanabi", "piers", depth=3), "none of piers does"),
        (lambda: kibitz.match("hanabi", "piers", mirror=True), "Hanabi is cooperative"),
        (lambda: kibitz.match("dicechess", "greedy", start="nonsense"), "`start` cannot be used"),
        (lambda: kibitz.match("hanabi", "piers", save="games.doc"), "which selects the format"),
        (lambda: kibitz.cross("hanabi", ["piers"]), "needs two agents or more"),
        (lambda: kibitz.table("hanabi", number=-1), "`number` is -1"),
        (lambda: kibitz.table("hanabi").view(5), "`seat` is 5, but must be a whole number from 0 to 3"),
        (lambda: kibitz.table("hanabi").step(), "This seat has no agent"),
        (lambda: kibitz.table("hanabi").play("fold"), "'fold' is not a move"),
        (lambda: kibitz.table("connect4").play("9"), "'9' is not a legal move now"),
        (lambda: kibitz.table("loveletter").view(0).observation, "Love Letter does not define `observation`"),
        (lambda: kibitz.table("hanabi").view(0).actions.move(99), "There is no action 99"),
        (lambda: kibitz.env("loveletter"), "Love Letter has no environment"),
        (lambda: kibitz.env("hanabi", tables=0), "`tables` is 0"),
        (lambda: kibitz.env("hanabi", tables=2, colour="red"), "does not take these options"),
        (lambda: kibitz.agents("hanabbi"), "Did you mean hanabi?"),
        (lambda: kibitz.agent("tictactoe", kibitz.agent("hanabi", "piers")), "piers plays hanabi, not tictactoe"),
        (lambda: kibitz.records(""), "`path` is ''"),
        (lambda: kibitz.records("nowhere.json"), "nowhere.json cannot be read"),
        (lambda: kibitz.records("games.csv"), "is a table of results"),
        (lambda: kibitz.load("games.parquet"), "is a table of results"),
        (lambda: kibitz.load("games.json", -1), "`number` is -1"),
        (lambda: kibitz.save([], "games.json"), "There is no record to save"),
    ],
)  # fmt: skip
def test_it_says_what_is_wrong(
    call: Callable[[], Any], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(kibitz.KibitzError) as refused:
        call()
    assert sentence in str(refused.value)


def test_wrong_values_are_value_errors_and_unknown_names_are_wrong_values() -> None:
    with pytest.raises(ValueError, match="games"):
        kibitz.match("hanabi", "piers", games=0)
    with pytest.raises(kibitz.ArgumentError):
        kibitz.match("hanabbi", "piers")


@pytest.mark.parametrize("agent", ["nowhere.py:Bot", "perfect@nowhere.toml", "search:perfect"])
def test_an_agent_that_cannot_be_loaded_is_a_wrong_argument(agent: str) -> None:
    with pytest.raises(kibitz.ArgumentError):
        kibitz.match("tictactoe", agent, games=1)


def test_an_error_in_a_function_shows_its_own_line() -> None:
    def fails(view: object) -> str:
        raise RuntimeError("no idea")

    with pytest.raises(kibitz.AgentError, match=r'test_arguments\.py, line \d+: raise RuntimeError\("no idea"\)'):
        kibitz.match("tictactoe", fails, games=1)


def test_a_missing_extra_names_itself_and_its_command(monkeypatch: pytest.MonkeyPatch) -> None:
    result = kibitz.match("tictactoe", "perfect", games=2)
    cross = kibitz.cross("tictactoe", ["perfect", "random"], games=2)
    for module in ("polars", "matplotlib"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    for call, extra in (
        (lambda: result.frame, "frames"),
        (lambda: cross.frame, "frames"),
        (lambda: cross.save("cross.svg"), "charts"),
    ):
        with pytest.raises(kibitz.MissingExtraError, match=rf"pip install 'kibitz\[{extra}\]'"):
            call()
    assert cross._repr_svg_() is None
    assert "<table>" in cross._repr_html_()
