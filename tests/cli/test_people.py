"""`kibitz people`: fit and score."""

import json
from pathlib import Path
from typing import Any

import pytest

from kibitz.learn import people
from tests.cli.conftest import Kibitz, helped
from tests.games.hanabi.test_people import live_game, written

QUICK = people.Settings(habits=1, units=2, epochs=3)


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Twelve games of four people, who move at random, and one with an illegal move."""
    monkeypatch.setattr(people, "Settings", lambda **chosen: QUICK)
    found: list[Any] = []
    for number in range(12):
        seats = {"players": ["outer", "person"], "person": f"p{number % 4}", "experience": "new"}
        found.append(live_game(number, moves=12) | seats)
    found.append(live_game(99, moves=4) | {"actions": [{"type": 0, "target": 49}]})
    return written(tmp_path, *found)


def test_a_model_is_fitted_judged_and_played(kibitz: Kibitz, games: Path) -> None:
    code, out, err = kibitz("people", "fit", str(games), "--output", "mine.npz", "--folds", "2", "--json")
    assert code == 0
    assert "game 13: move 1 is illegal" in err
    found = json.loads(out)
    assert (found["games"], found["people"]["new"], found["decisions"]) == (12, 4, 56)
    assert found["on_people_not_in_the_fit"]["people"] == 4
    assert found["files"] == ["games.jsonl"]
    code, out, _ = kibitz("people", "score", str(games), "--model", "mine.npz", "--json", "--cap", "2")
    assert code == 0
    scored = json.loads(out)
    assert {"accuracy", "log_loss", "people", "decisions", "with_this_game", "with_earlier_games"} <= set(scored)
    assert (scored["people"], scored["decisions"], scored["cap"]) == (4, 56, 2)
    assert scored["log_loss"] > 0
    code, out, err = kibitz("people", "score", str(games), "--model", "mine.npz")
    assert "on these games: 4 people, at most 20 games each" in out
    assert "Fitted by `kibitz people fit` to 12 games of Hanabi by 4 people." in err


def test_wrong_input_is_answered_with_a_sentence(kibitz: Kibitz, games: Path, tmp_path: Path) -> None:
    helped(kibitz, "people score", "Name files or folders with games of people")
    helped(kibitz, "people score missing.json", "missing.json cannot be read: No such file or directory.")
    helped(kibitz, f"people score {games} --model {games}", "A model of people is a file that")
    helped(kibitz, f"people score {games} --game chess", "chess")
    helped(kibitz, f"people fit {games} --experience good", "It is one of new, dabbling")
    few = written(tmp_path, live_game(1), name="few.jsonl")
    helped(kibitz, f"people fit {few}", "There is 1 usable game; a model needs at least 10")
    (tmp_path / "empty").mkdir()
    helped(kibitz, "people score --games empty", "None of these files holds a game that can be used.")
