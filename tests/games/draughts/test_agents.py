"""What the players of draughts do, by positions in which one sees it."""

import runpy
import sys
from pathlib import Path
from typing import Any

import pytest

from kibitz.core import registry
from kibitz.games.draughts.game import DRAUGHTS
from kibitz.games.draughts.moves import Move
from tests.fuzzing import at_length
from tests.games.draughts.tables import table_at

ROOT = Path(__file__).parents[3]


def decided(agent: str, position: str, variant: str = "brazilian", depth: int = 0) -> tuple[str, str]:
    table = table_at(position, variant)
    player = registry.agent(DRAUGHTS, f"{agent}@{depth}ply" if depth else agent).take_seat(DRAUGHTS)
    decision = player.decide(table.view(table.to_move))
    return str(Move(decision.move)), decision.reason


def test_greedy_does_not_step_where_it_is_taken() -> None:
    assert decided("greedy", "W:W23,32:B16,15", "english")[0] in {"32-27", "32-28"}


def test_greedy_takes_a_king_rather_than_a_man_where_it_may_choose() -> None:
    assert decided("greedy", "W:W22,30:B17,K18,1,2", "russian")[0] == "22x15"


@pytest.mark.parametrize("variant", ["brazilian", "english", "russian"])
def test_greedy_says_when_it_has_no_choice_and_when_it_wins(variant: str) -> None:
    assert decided("greedy", "W:W22,32:B18,1", variant) == ("22x15", "It is my only move")
    move, reason = decided("greedy", "W:W22,23:B18", variant)
    assert reason == "This move wins the game"
    assert move in {"22x15", "23x14"}


def test_the_player_of_the_reference_plays() -> None:
    page = (ROOT / "docs" / "reference" / "draughts.md").read_text()
    names: dict[str, Any] = {}
    exec(page.partition("```python\n")[2].partition("```")[0], names)
    view = table_at().view(0)
    assert DRAUGHTS.move(names["Crowner"]().decide(DRAUGHTS.view(view)), view) in DRAUGHTS.legal(view)


@at_length
def test_the_page_on_the_horizon_shows_what_its_command_prints(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["horizon.py"])
    runpy.run_path(str(ROOT / "examples" / "horizon.py"), run_name="__main__")
    assert capsys.readouterr().out in (ROOT / "docs" / "explanation" / "horizon.md").read_text()


def test_only_the_search_that_goes_on_sees_behind_the_horizon() -> None:
    lost, saved = "16-11", "16-12"
    position = "W:W16,17,24,25,30:B5,8,9,10,15"
    assert decided("shortsighted", position, depth=3)[0] == lost
    assert decided("material", position, depth=3)[0] == saved


def test_tree_search_takes_what_wins_and_says_how_often_it_won() -> None:
    move, reason = decided("mcts@200", "W:W22,23,32:B18", "english")
    assert move in {"22x15", "23x14"}
    assert reason == "won 100 of a hundred games it played on to the end"
