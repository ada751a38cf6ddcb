"""`kibitz explain`."""

import json
from pathlib import Path
from xml.etree import ElementTree

from tests.cli.conftest import Kibitz, helped

STEPS = ["minimax", "alpha-beta", "+ ordering", "+ table", "+ deepening", "+ quiescence", "+ beam", "+ singular"]


def test_every_step_has_the_same_value_and_its_counts(kibitz: Kibitz) -> None:
    code, out, _ = kibitz("explain", "connect4", "--after", "4453", "--depth", "5", "--json")
    steps = json.loads(out)
    assert code == 0
    assert [step["name"] for step in steps] == STEPS
    assert len({step["value"] for step in steps[:5]}) == 1
    assert steps[0]["nodes"] > 2 * steps[1]["nodes"] > 2 * steps[2]["nodes"] > 2 * steps[3]["nodes"]
    assert [step["cutoffs"] > 0 for step in steps] == [False] + [True] * 7
    assert [step["answers"] > 0 for step in steps[:4]] == [False, False, False, True]
    quiescence, beam, singular = steps[-3:]
    assert quiescence["deepest"] > 5
    assert beam["nodes"] < quiescence["nodes"] < singular["nodes"]
    assert singular["deepest"] > quiescence["deepest"]


def test_a_table_a_chart_and_a_tree_are_drawn(kibitz: Kibitz, tmp_path: Path) -> None:
    words = "explain tictactoe --after b2,a1 --depth 4 --chart steps.svg --tree tree.svg --tree-depth 2"
    code, out, _ = kibitz(*words.split())
    assert code == 0
    assert all(name in out for name in STEPS)
    drawn = (tmp_path / "tree.svg").read_text()
    ElementTree.fromstring(drawn)
    assert "✂" in drawn
    assert drawn.count("<polygon") < 1 + 7 + 42  # some were cut off
    assert (tmp_path / "steps.svg").stat().st_size > 1000


def test_dice_have_steps_and_nodes_of_their_own(kibitz: Kibitz, tmp_path: Path) -> None:
    words = "explain three_sets --depth 2 --rule picks=coin --tree sets.svg --tree-depth 3 --json"
    code, out, _ = kibitz(*words.split())
    assert code == 0
    steps = json.loads(out)
    assert [step["name"] for step in steps] == ["expectiminimax", "+ Star1", "+ Star2"]
    assert {round(step["value"]) for step in steps} == {1000}
    assert (tmp_path / "sets.svg").read_text().count("<circle") == 3


def test_a_tree_with_dice_has_the_value_that_the_search_finds(kibitz: Kibitz, tmp_path: Path) -> None:
    """Two plies of dice chess: three levels, and rolls that let nobody move are rolls again."""
    start, position = "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", "roll 6"
    words = ["--start", start, "--after", position, "--depth", "2", "--tree-depth", "3", "--tree", "tree.svg", "--json"]
    code, out, _ = kibitz("explain", "dicechess", *words)
    assert code == 0
    steps = json.loads(out)
    assert len({round(step["value"], 6) for step in steps}) == 1
    drawn = ElementTree.parse(tmp_path / "tree.svg").getroot()
    values = [text.text for text in drawn.iter("{http://www.w3.org/2000/svg}text")]
    assert f"{steps[0]['value']:.0f}" in values
    assert sum(part.text == "1/6" for part in drawn.iter("{http://www.w3.org/2000/svg}tspan")) > 6 * 5


def test_what_does_not_fit_is_reported(kibitz: Kibitz) -> None:
    helped(kibitz, "explain loveletter", "has hidden information")
    helped(kibitz, "explain connect4 --after 48", "Move 2 of '48'")
    helped(kibitz, "explain connect4 --after 12121212", "over after 7 moves")
    helped(kibitz, "explain connect4 --after 1212121", "The game is over")
    helped(kibitz, "explain connect4 --tree tree.png", "end its name in .svg")
    helped(kibitz, "explain dicechess", "Add a roll at its end: roll 1, roll 2")
    helped(kibitz, "explain dicechess --start 4k3/8", "2 ranks instead of 8")
    helped(kibitz, "explain connect4 --start 44", "no text form for positions")
