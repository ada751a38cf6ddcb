"""`kibitz.reproduce` replays papers; `kibitz.runs` and `kibitz.run` read what commands kept."""

import sys
from pathlib import Path

import pytest

import kibitz
from kibitz import cli

FILE = """
title = "A paper"
source = "Somebody"
game = "hanabi"
their_games = 100
[self_play.piers]
3 = { mean = 16.0, std = 2.0 }
[[mixed]]
seats = ["piers", "outer"]
mean = 14.0
[[claims]]
text = "piers loses no points to outer"
checks = [{ kind = "mean_difference", of = "piers × 3", minus = "piers, outer", at_least = 0 }]
"""


@pytest.fixture
def paper(tmp_path: Path) -> str:
    (tmp_path / "paper.toml").write_text(FILE)
    return str(tmp_path / "paper.toml")


def test_a_paper_is_compared_with_our_games(paper: str) -> None:
    result = kibitz.reproduce(paper, games=30, seed=5, jobs=1)
    assert result.tables == ("piers × 3", "piers, outer")
    assert (result.games, result.seed) == (30, 5)
    scores = kibitz.match("hanabi", "piers", 3, games=30, seed=5, jobs=1, rules={"lost_game": "piles"}).scores
    assert result.scores("piers × 3").tolist() == scores.tolist()
    assert result.frame["ours"][0] == pytest.approx(scores.mean())
    assert result.frame["theirs"].to_list() == [16.0, 14.0]
    assert result.frame["their std"].to_list() == [2.0, None]
    assert [claim["text"] for claim in result.claims] == ["piers loses no points to outer"]
    assert "piers × 3" in str(result)
    assert "piers loses no points to outer" in result._repr_html_()


def test_a_paper_about_wins_has_pairings() -> None:
    result = kibitz.reproduce("malarczyk-2016", games=2, jobs=1)
    assert "greedy, random" in result.frame["table"].to_list()
    with pytest.raises(kibitz.UnsupportedError, match="about wins"):
        result.scores("greedy, random")


def test_wrong_arguments_are_errors_with_a_sentence(paper: str) -> None:
    with pytest.raises(kibitz.UnknownNameError, match="cox-2015"):
        kibitz.reproduce("cox-2051")
    with pytest.raises(kibitz.ArgumentError, match="`games` is 1"):
        kibitz.reproduce(paper, games=1)
    result = kibitz.reproduce(paper, games=2, jobs=1)
    with pytest.raises(kibitz.UnknownNameError, match="piers × 3"):
        result.scores("piers × 4")
    with pytest.raises(kibitz.ArgumentError, match="write 'agent × 4'"):
        result.scores("piers")


def test_runs_of_commands_load_from_their_folders(runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kibitz.runs() == []
    words = "kibitz match hanabi piers --players 2 --games 20 --output games.parquet --run mine --jobs 1"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", words.split())
    with pytest.raises(SystemExit, match="0"):
        cli.run()
    [run] = kibitz.runs()
    assert (run.name, run.what, run.state) == ("mine", "match", "finished")
    assert run.results["games"] == 20
    assert run.plan["seats"] == ["piers"] * 2
    assert run.frames["games"].height == 20
    assert run.results["mean"] == pytest.approx(kibitz.run("mine").frames["games"]["score"].mean())
    assert "mine" in run._repr_html_()
    (runs / "mine" / "summary.json").unlink()
    with pytest.raises(kibitz.UnsupportedError, match="kibitz run resume mine"):
        _ = kibitz.run("mine").results
    with pytest.raises(kibitz.UnknownNameError, match="Did you mean mine"):
        kibitz.run("mien")
