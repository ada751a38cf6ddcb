"""`kibitz runs` and `kibitz run` as a person or a program types them."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Kibitz, helped

MATCH = ("match", "hanabi", "piers", "--players", "3", "--games", "20", "--jobs", "1")
NAME = "match-hanabi-piers-3"


def test_a_match_is_listed_shown_reported_and_deleted(kibitz: Kibitz, runs: Path) -> None:
    assert "There are no runs" in kibitz("runs")[1]
    _, out, _ = kibitz(*MATCH, "--json")
    [run] = json.loads(kibitz("runs", "--json")[1])
    assert (run["name"], run["command"], run["state"], run["seed"]) == (NAME, "match", "finished", 0)
    assert run["words"] == [*MATCH, "--json"]
    assert NAME in kibitz("runs")[1]
    shown = json.loads(kibitz("run", "show", NAME, "--json")[1])
    printed = json.loads(out)
    assert printed.pop("games_per_second") > 0
    assert shown["results"] == printed
    assert shown["plan"]["seats"] == ["piers"] * 3
    assert "mean" in kibitz("run", "show", str(runs / NAME))[1]
    assert {file.name for file in (runs / NAME).iterdir()} == {
        "plan.json", "statistics.parquet", "summary.json", "lock",
    }  # fmt: skip
    _, _, err = kibitz("run", "report", NAME)
    page = (runs / NAME / "report.html").read_text()
    assert "report.html" in err
    assert "kibitz match hanabi piers" in page
    assert "<svg" in page
    assert "http" not in page
    kibitz("run", "delete", NAME)
    assert json.loads(kibitz("runs", "--json")[1]) == []


def test_the_same_match_again_is_another_run_and_a_named_one_is_not_played_twice(kibitz: Kibitz) -> None:
    for _ in range(2):
        assert kibitz(*MATCH)[0] == 0
    assert {run["name"] for run in json.loads(kibitz("runs", "--json")[1])} == {NAME, f"{NAME}-2"}
    assert kibitz(*MATCH, "--run", "mine")[0] == 0
    helped(kibitz, " ".join([*MATCH, "--run", "mine"]), "The run mine is finished: `kibitz run show mine` shows it.")
    helped(kibitz, " ".join([*MATCH, "--seed", "4", "--run", "mine"]), "seed is 0 there and 4 here")
    assert kibitz(*MATCH, "--run", "mine", "--restart")[0] == 0


def test_an_agent_that_fails_leaves_the_games_before_it(kibitz: Kibitz) -> None:
    Path("bot.py").write_text(
        "import pathlib\nclass Bot:\n    def decide(self, view):\n"
        "        if pathlib.Path('broken').exists(): raise ValueError('no idea')\n        return view.legal[0]\n"
    )
    Path("broken").touch()
    code, _, err = kibitz("match", "hanabi", "bot.py:Bot", "piers", "--games", "4", "--jobs", "1")
    assert code == 1
    assert "no idea" in err
    assert "The run match-hanabi-bot.py-Bot-piers-2 keeps what was played; to resume" in err
    Path("broken").unlink()
    code, _, err = kibitz("run", "resume", "match-hanabi-bot.py-Bot-piers-2", "--jobs", "2")
    assert code == 0
    assert [run["state"] for run in json.loads(kibitz("runs", "--json")[1])] == ["finished"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("run show nothing", "There is no run called 'nothing'"),
        ("run resume match-hanabi-pires-3", "Did you mean match-hanabi-piers-3?"),
        ("run resume match-hanabi-piers-3", "is finished"),
        ("run delete match-hanabi-piers-3 other", "There is no run called 'other'"),
        ("run show ..", "is no name of a run"),
        ("match hanabi piers --players 2 --run ?", "is no name of a run"),
    ],
)
def test_bad_input_gets_a_sentence_that_helps(kibitz: Kibitz, words: str, sentence: str) -> None:
    kibitz(*MATCH)
    helped(kibitz, words, sentence)
    assert len(json.loads(kibitz("runs", "--json")[1])) == 1


def test_a_run_that_was_begun_in_a_folder_that_is_gone_says_what_to_type(
    kibitz: Kibitz, runs: Path, tmp_path: Path
) -> None:
    kibitz(*MATCH)
    (runs / NAME / "summary.json").unlink()
    plan = json.loads((runs / NAME / "plan.json").read_text())
    (runs / NAME / "plan.json").write_text(json.dumps({**plan, "directory": str(tmp_path / "gone")}))
    helped(kibitz, f"run resume {NAME}", "Type its command in another folder that has its files: kibitz match hanabi")
    (runs / NAME / "plan.json").write_text(json.dumps({**plan, "command": []}))
    helped(kibitz, f"run resume {NAME}", "was not begun by a command")
    assert os.getcwd() == str(tmp_path)  # noqa: PTH109
