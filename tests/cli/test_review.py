"""`kibitz review`."""

import json
from pathlib import Path

from tests.cli.conftest import Kibitz, helped

TURN = {"turn", "move", "best", "loss", "error", "verdict", "kind", "text"}


def played(kibitz: Kibitz, game: str, *agents: str) -> None:
    assert kibitz("watch", game, *agents, "--seed", "5", "--output", "game.json")[0] == 0


def test_a_review_is_printed_for_people_and_for_programs(kibitz: Kibitz, tmp_path: Path) -> None:
    played(kibitz, "loveletter", "greedy", "counting")
    code, out, _ = kibitz("review", "game.json", "--seat", "2", "--json", "--playouts", "50")
    found = json.loads(out)
    assert code == 0
    assert found["seat"] == 2
    assert {"accuracy", "lost", "luck", "turns"} <= found.keys()
    assert found["turns"]
    assert all(turn.keys() >= TURN for turn in found["turns"])
    again = kibitz("review", "game.json", "--seat", "2", "--json", "--playouts", "50", "--jobs", "1")
    assert again[1] == out
    code, out, _ = kibitz("review", "game.json", "--seat", "2", "--playouts", "50", "--html", "review.html")
    assert (code, out) == (0, "")
    assert (tmp_path / "review.html").read_text().startswith("<!doctype html>")
    code, out, _ = kibitz("review", "game.json", "--playouts", "50", "--partners", "greedy")
    assert code == 0
    assert "Accuracy" in out


def test_as_much_as_is_sound_is_reviewed(kibitz: Kibitz, tmp_path: Path) -> None:
    played(kibitz, "tictactoe", "random", "random")
    record = json.loads((tmp_path / "game.json").read_text())
    record["moves"] = [*record["moves"][:3], {"move": "z9"}]
    (tmp_path / "game.json").write_text(json.dumps(record))
    code, out, err = kibitz("review", "game.json", "--json")
    assert code == 0
    assert [turn["turn"] for turn in json.loads(out)["turns"]] == [1, 3]
    assert "Move 4 of the record, 'z9', cannot be made" in err
    helped(kibitz, "review game.json --seat 3", "There is no seat 3: the game has seats 1 to 2.")
    helped(kibitz, "review game.json --partners nobody", "nobody")
