"""`kibitz puzzles`, `kibitz deals` and `kibitz daily` at the terminal."""

import io
import json
from pathlib import Path

import pytest

from kibitz.coach import puzzles
from kibitz.core import registry
from tests.cli.conftest import Kibitz, helped

PUZZLE = puzzles.of("connect4")[0]
BEST = registry.game("connect4").move_text(PUZZLE.best)
WORSE = registry.game("connect4").move_text(PUZZLE.values[-1][0])


def type_in(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))


@pytest.mark.parametrize(("answer", "says", "change"), [(BEST, "Right.", "(+"), (WORSE, "No:", "(-")])
def test_an_answer_is_explained_and_changes_the_rating(
    kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, answer: str, says: str, change: str
) -> None:
    type_in(monkeypatch, answer)
    kept = tmp_path / "kept.json"
    _, shown, _ = kibitz("puzzles", "solve", "connect4", "--puzzle", PUZZLE.id, "--progress", str(kept))
    assert says in shown
    assert PUZZLE.text in shown
    assert change in shown
    assert json.loads(kept.read_text())["connect4"]["tried"] == 1


def test_an_empty_line_skips_a_puzzle_and_an_illegal_move_is_asked_again(
    kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    type_in(monkeypatch, "nonsense", "")
    _, _, err = kibitz("puzzles", "solve", "connect4", "--puzzle", PUZZLE.id, "--progress", str(tmp_path / "kept.json"))
    assert "is not a legal move" in err
    assert not (tmp_path / "kept.json").exists()


def test_puzzles_are_listed_by_game_and_by_theme(kibitz: Kibitz) -> None:
    assert "hanabi" in kibitz("puzzles", "list")[1]
    assert "save" in kibitz("puzzles", "list", "hanabi")[1]
    assert json.loads(kibitz("puzzles", "list", "--json")[1])["connect4"] == len(puzzles.of("connect4"))


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ("--theme nosuch", "The themes of Connect 4 are"),
        ("--lesson nosuch", "The lessons of Connect 4 are"),
        ("--puzzle nosuch", "There is no puzzle"),
        ("--ten --lesson threats", "Choose one of"),
    ],
)
def test_unknown_puzzles_are_refused_with_the_known_ones(kibitz: Kibitz, options: str, says: str) -> None:
    helped(kibitz, f"puzzles solve connect4 {options} --progress kept.json", says)


def test_the_daily_deal_shows_no_bot_before_it_was_played(kibitz: Kibitz) -> None:
    told = json.loads(kibitz("daily", "--date", "2999-01-01", "--players", "2", "--json")[1])
    assert told["seed"] == 299901012
    assert "bots" not in told


def test_a_date_that_is_none_is_refused(kibitz: Kibitz) -> None:
    helped(kibitz, "daily --date tomorrow", "is not a date")
