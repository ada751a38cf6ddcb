"""`kibitz elites`: the map that comes with Hanabi, and maps of one's own."""

import json
import tomllib
from pathlib import Path

from kibitz.core import registry
from tests.cli.conftest import Kibitz, helped

HANABI = registry.game("hanabi")


def test_the_map_is_drawn_in_the_terminal(kibitz: Kibitz) -> None:
    code, out, _ = kibitz("elites")
    assert code == 0
    assert "mean scores with each of the others" in out
    rows = [line for line in out.splitlines() if line[:4].replace(".", "").isdecimal()]
    assert len(rows) == 20
    assert all(len(row.split()) == 21 for row in rows)
    code, out, _ = kibitz("elites", "--json")
    assert len(json.loads(out)) > 250  # an earlier map of ours had 252


def test_an_elite_is_printed_as_the_file_that_a_match_plays(kibitz: Kibitz, tmp_path: Path) -> None:
    code, out, _ = kibitz("elites", "show", "0.5", "0.9")
    assert code == 0
    shown = tomllib.loads(out)
    assert shown["name"] == "elite-0.50-0.90"
    assert 0.5 <= shown["provenance"]["communicativeness"] < 0.55
    assert 0.9 <= shown["provenance"]["risk_aversion"] < 0.95
    kibitz("elites", "show", "0.52", "0.94", "--output", "it.toml")
    assert tomllib.loads((tmp_path / "it.toml").read_text()) == shown
    words = ["--players", "2", "--games", "200", "--json", "--seed", "3"]
    by_file, by_name = (json.loads(kibitz("match", "hanabi", who, *words)[1]) for who in ("it.toml", shown["name"]))
    assert by_file["mean"] == by_name["mean"]
    assert abs(by_name["mean"] - shown["provenance"]["score_with_copies"]) < 1


def test_a_map_of_ones_own_is_made_and_looked_at(kibitz: Kibitz, tmp_path: Path) -> None:
    few = "--evaluations 60 --games 6 --confirming 6 --holdout-deals 6 --pool 2 --jobs 1"
    code, _, err = kibitz(*f"elites make --output mine.json {few}".split())
    assert code == 0
    assert "elites to mine.json" in err
    assert json.loads((tmp_path / "mine.json").read_text())["provenance"]["command"].startswith("kibitz elites make")
    code, out, _ = kibitz("elites", "--map", "mine.json", "--own")
    assert (code, "with its own copies" in out) == (0, True)
    code, _, err = kibitz("elites", "draw", "mine", "--map", "mine.json")
    assert code == 0
    assert {path.name for path in tmp_path.glob("mine.*")} == {"mine.json", "mine.svg", "mine.png"}


def test_what_is_wrong_is_said_in_a_sentence(kibitz: Kibitz, tmp_path: Path) -> None:
    helped(kibitz, "elites show 0.0 0.99", "The nearest are elite-")
    helped(kibitz, "elites show 1.5 0.5", "Communicativeness must be from 0 to 1, not 1.5")
    helped(kibitz, "elites --game loveletter", "Love Letter has no map of elites. Games with a map: hanabi")
    helped(kibitz, "elites --map nowhere.json", "cannot be read: No such file")
    helped(kibitz, "elites make --game loveletter", "Love Letter has no agents to breed")
    (tmp_path / "mine.json").write_text("{")
    helped(kibitz, "elites --map mine.json", "is not a map of elites or is damaged")
    helped(kibitz, "match hanabi elite-0.00-0.95 --players 2", "There is no Hanabi agent called 'elite-0.00-0.95'")
