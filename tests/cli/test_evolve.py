"""`kibitz evolve` from a person's side: what it writes plays, what it was stopped at goes on, what is wrong is said."""

import json
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

from tests.cli.conftest import Kibitz, helped
from tests.waiting import until

FEW = "--population 6 --generations 2 --games 4 --rivals 2 --holdout-deals 10 --jobs 1"


def test_the_winner_is_a_rule_list_with_its_provenance_that_plays(kibitz: Kibitz, tmp_path: Path) -> None:
    command = f"evolve hanabi --by group --group piers,iggi --strangers outer {FEW} --seed 5 --output mine.toml"
    code, out, err = kibitz(*command.split())
    assert code == 0
    assert "with its own copies" in out
    assert "with strangers" in out
    assert "kibitz match hanabi mine.toml" in err
    written = tomllib.loads((tmp_path / "mine.toml").read_text())
    assert written["provenance"]["command"] == f"kibitz {command}"
    assert written["provenance"]["seed"] == 5
    assert {"date", "generations", "score_copies", "score_group", "score_strangers_error"} <= set(written["provenance"])
    code, out, _ = kibitz("match", "hanabi", "mine.toml", "piers", "--games", "20", "--json")
    assert json.loads(out)["games"] == 20


def test_evolution_as_json(kibitz: Kibitz) -> None:
    code, out, _ = kibitz(*f"evolve hanabi --by tournament {FEW} --json".split())
    printed = json.loads(out)
    assert (code, printed["by"], len(printed["generations"]), printed["file"]) == (0, "tournament", 2, "bred.toml")
    assert list(printed["scores"]) == ["copies"]


def test_weights_of_an_agent_are_bred_within_their_ranges(kibitz: Kibitz, tmp_path: Path) -> None:
    code, _, err = kibitz(*f"evolve hanabi trustful --by tournament {FEW} --output weights.toml".split())
    assert code == 0
    assert "kibitz match hanabi trustful@weights.toml" in err
    code, out, _ = kibitz("match", "hanabi", "trustful@weights.toml", "--players", "2", "--games", "10", "--json")
    assert (code, json.loads(out)["games"]) == (0, 10)
    assert "# seed: 0" in (tmp_path / "weights.toml").read_text()


def test_what_is_wrong_is_said_in_a_sentence(kibitz: Kibitz) -> None:
    helped(kibitz, f"evolve hanabi {FEW} --group my_bot.py:MyBot", "There is no file my_bot.py")
    helped(kibitz, f"evolve hanabi {FEW} --output bred.txt", "name a file like bred.toml")
    helped(kibitz, f"evolve loveletter {FEW}", "kibitz evolve loveletter AGENT")


def test_a_killed_command_goes_on_to_the_same_file(kibitz: Kibitz, runs: Path, tmp_path: Path) -> None:
    """kill -9 as soon as a generation is kept."""
    words = (
        "evolve hanabi --by both --group piers --population 10 --generations 6 --games 20 --holdout-deals 20 --seed 1"
    )
    killed = subprocess.Popen(
        [sys.executable, "-m", "kibitz", *words.split(), "--output", "killed.toml"], cwd=tmp_path,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    kept = runs / "evolve-hanabi-agents-2" / "generations-00000.tail"
    until(lambda: kept.exists() and kept.read_bytes().count(b"\n") > 1, "a generation on the disk")
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert not (tmp_path / "killed.toml").exists()
    assert "resuming" in kibitz(*words.split(), "--output", "killed.toml")[2]
    kibitz(*words.split(), "--output", "whole.toml")
    whole, again = ((tmp_path / name).read_text() for name in ("whole.toml", "killed.toml"))
    assert again.replace("killed", "whole") == whole
