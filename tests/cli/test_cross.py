"""`kibitz cross` as a person or a program types it."""

import json
import subprocess
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from kibitz.arena import cross
from kibitz.arena.measured_cross import MeasuredCross
from kibitz.cli.cross import blocks
from tests.cli.conftest import Kibitz, helped

WORDS = ("cross", "hanabi", "iggi", "piers", "--players", "3", "--games", "20", "--jobs", "1")


def test_help_says_who_sits_where(kibitz: Kibitz) -> None:
    code, out, _ = kibitz("cross", "--help")
    assert code == 0
    assert "one seat among copies" in " ".join(out.split())


def test_no_picture_is_drawn_before_one_is_wanted() -> None:
    script = "import sys, kibitz.cli.app, kibitz.arena.charts; print('matplotlib' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=True).stdout == b"False\n"


def test_the_matrix_is_printed_with_its_intervals(kibitz: Kibitz) -> None:
    code, out, _ = kibitz(*WORDS)
    assert code == 0
    for words in ("3 players", "1 iggi", "2 piers", " ± ", "95 % intervals", "20 deals of seed 0"):
        assert words in out
    assert list(Path().iterdir()) == []


def test_a_matrix_too_wide_for_the_screen_comes_in_blocks_of_means() -> None:
    agents = ("iggi", "piers", "internal", "outer", "flawed")
    table = cross.Cross(cross.CrossPlan("hanabi", agents, 3, 20, 0))
    for row in agents:
        for column in agents:
            table.add(cross.Cell(row, column, 20, 12.3, 0.1, 0))

    def drawn(width: int) -> list[str]:
        console = Console(width=width, file=StringIO(), record=True)
        for block in blocks(table, width):
            console.print(block)
        return console.export_text().splitlines()

    wide, narrow = drawn(120), drawn(40)
    assert len(wide) == 6
    assert wide[1].count("12.30 ± 0.20") == 5
    assert [number for number, line in enumerate(narrow) if "↓" in line] == [0, 6]
    assert all("12.3" in line and "±" not in line for line in narrow if "↓" not in line)


def test_json_carries_every_cell(kibitz: Kibitz) -> None:
    table = json.loads(kibitz(*WORDS, "--json", "--rule", "lost_game=zero")[1])
    assert table["agents"] == ["iggi", "piers"]
    assert (table["players"], table["deals"], table["seed"]) == (3, 20, 0)
    assert table["rules"]["lost_game"] == "zero"
    assert [(cell["row"], cell["column"]) for cell in table["cells"]] == [
        ("iggi", "iggi"), ("iggi", "piers"), ("piers", "iggi"), ("piers", "piers"),
    ]  # fmt: skip
    assert [cell["games"] for cell in table["cells"]] == [20, 60, 60, 20]
    assert all(cell["interval"][0] < cell["mean"] < cell["interval"][1] for cell in table["cells"])


@pytest.mark.parametrize(
    ("place", "begins"),
    [(".", "cross-hanabi-3"), ("new/", "new/cross-hanabi-3"), ("mine", "mine"), ("some/mine.png", "some/mine")],
)
def test_the_table_and_its_pictures_are_saved_in_a_folder_or_by_name(kibitz: Kibitz, place: str, begins: str) -> None:
    code, _, err = kibitz(*WORDS, "--output", place)
    assert code == 0
    files = {str(path) for path in Path().rglob("*") if path.is_file()}
    assert files == {f"{begins}{ending}" for ending in (".csv", ".svg", ".png")}
    assert all(file in err for file in files)


def test_a_stopped_run_goes_on_where_it_stopped(kibitz: Kibitz, runs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cross.PieceSize, "at_first", 10)
    monkeypatch.setattr(cross.PieceSize, "most", 10)
    kibitz(*WORDS, "--output", "whole", "--run", "elsewhere/whole")  # a table beside it would share its cells
    keep, kept = MeasuredCross._keep, list[int]()

    def interrupted(self: MeasuredCross, *piece: Any) -> None:
        keep(self, *piece)
        kept.append(1)
        if len(kept) == 5:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(MeasuredCross, "_keep", interrupted)
        code, out, err = kibitz(*WORDS, "--output", "stopped")
    assert code == 130
    assert "mean scores" in out
    name = "cross-hanabi-2-agents-3"
    assert f"Stopped after 2 of 4 cells. The run {name} keeps what was played" in " ".join(err.split())
    [stopped] = json.loads(kibitz("runs", "--json")[1])
    assert (stopped["name"], stopped["state"]) == (name, "stopped")
    assert stopped["progress"] == {"done": 110, "total": 160, "unit": "games"}
    code, out, err = kibitz("run", "resume", name)
    assert code == 0
    assert "has 2 cells" in err
    assert Path("stopped.csv").read_bytes() == Path("whole.csv").read_bytes()
    assert Path("stopped.png").read_bytes() == Path("whole.png").read_bytes()
    assert not list(runs.rglob("*.tail"))


@pytest.mark.parametrize(
    ("words", "helps"),
    [
        ("cross hanabi iggi --players 3", "two different agents"),
        ("cross hanabi iggi pirs --players 3", "Did you mean piers"),
        ("cross hanabi iggi piers --players 9", "2 to 5 players"),
        ("cross hanabi iggi nowhere.toml --players 3", "nowhere.toml cannot be read"),
        ("cross chess iggi piers --players 3", "There is no game called 'chess'"),
    ],
)
def test_bad_input_gets_a_sentence_that_helps(kibitz: Kibitz, words: str, helps: str) -> None:
    helped(kibitz, words, helps)
