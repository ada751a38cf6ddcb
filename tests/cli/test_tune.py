"""`kibitz tune`: from a command to a file of weights that plays, and sentences for what cannot be."""

import json
import os
import signal
import tomllib
from pathlib import Path

import pytest

from kibitz.core import registry
from kibitz.learn.weights_file import weights_text
from tests.cli.conftest import Kibitz, helped
from tests.cli.test_interrupt import Command

SMALL = ("--players", "2", "--deals", "50", "--holdout-deals", "100", "--jobs", "1")


def test_a_file_with_its_origin_is_written_and_plays(kibitz: Kibitz) -> None:
    code, out, _ = kibitz(
        "tune", "hanabi", "distrustful", *SMALL, "--trials", "25", "--output", "out/tuned.toml", "--charts", "charts"
    )
    assert code == 0
    assert "Saved the weights to out/tuned.toml. Play them as `distrustful@out/tuned.toml`." in out
    written = tomllib.loads(Path("out/tuned.toml").read_text())
    tuned = written["tuned"]
    command = (
        "kibitz tune hanabi distrustful --players 2 --trials 25 --deals 50 --holdout-deals 100 --sampler cmaes --seed 0"
    )
    assert tuned["command"] == command
    assert tuned["rules"] == "lost_game=piles, empty_hint=forbidden, full_discard=allowed"
    assert tuned["gain_interval"][0] < tuned["gain"] < tuned["gain_interval"][1]
    assert {path.name for path in Path("charts").iterdir()} == {
        f"{name}{ending}" for name in ("convergence", "importance") for ending in (".svg", ".png")
    }
    seed = str(tuned["holdout_seed"])
    code, out, _ = kibitz(
        "match", "hanabi", "distrustful@out/tuned.toml", "--players", "2", "--games", "100", "--seed", seed, "--json"
    )
    assert code == 0
    assert json.loads(out)["mean"] == pytest.approx(tuned["score"])


def test_the_same_command_again_plays_nothing_and_says_the_same(kibitz: Kibitz) -> None:
    words = ("tune", "hanabi", "distrustful", *SMALL, "--trials", "3", "--json")
    _, first, _ = kibitz(*words)
    code, again, err = kibitz(*words)
    assert (code, json.loads(again)) == (0, json.loads(first))
    assert "The run tune-hanabi-distrustful-2 has 3 trials; resuming." in err
    code, more, _ = kibitz(*(word if word != "3" else "4" for word in words))
    assert json.loads(more)["trials"] == 4


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("tune hanabi cheater", "cheater declares no weights"),
        ("tune hanabi trustfull", "Did you mean trustful"),
        ("tune hanabi trustful --players 7", "Hanabi is for 2 to 5"),
        ("tune hanabi trustful --weights bar", "There is no weight called 'bar'"),
        ("tune hanabi trustful@play_tip.bar=9", "The weight play_tip.bar is 9; it goes from 0 to 5."),
        ("tune hanabi trustful@none.toml", "none.toml cannot be read"),
        ("tune hanabi trustful --against cheater", "has no opponents"),
        ("tune loveletter counting", "is competitive: name opponents with --against"),
        ("tune loveletter counting --against greedi", "Did you mean greedy"),
        ("tune hanabi trustful --output .", "is a folder"),
    ],
)
def test_what_cannot_be_tuned_is_reported_in_a_sentence(kibitz: Kibitz, words: str, sentence: str) -> None:
    helped(kibitz, words, sentence)


def test_a_study_of_another_agent_is_refused(kibitz: Kibitz) -> None:
    kibitz("tune", "hanabi", "distrustful", *SMALL, "--trials", "1", "--run", "mine")
    helped(kibitz, "tune hanabi distrustful --players 3 --run mine --deals 50", "players is 2 there and 3 here")


def test_what_stands_in_a_file_of_weights_can_be_any_text() -> None:
    about = {"holdout_deals": 1, "holdout_seed": 2, "agent": 'a "b"\\\n\x07é'}
    text = weights_text("x", about, {"alone": 1.5, "table.name": -2.0})
    read = tomllib.loads(text)
    assert read["tuned"]["agent"] == 'a "b"\\\n\x07é'
    assert (read["alone"], read["table"]["name"]) == (1.5, -2.0)


@pytest.mark.skipif(not os.path.exists("/proc/self"), reason="looks at processes in /proc")  # noqa: PTH110
def test_a_run_that_is_stopped_keeps_its_trials(tmp_path: Path, runs: Path) -> None:
    study = runs / "tune-hanabi-distrustful-2" / "trials-00000.tail"
    command = Command(tmp_path, "tune", "hanabi", "distrustful", *SMALL, "--trials", "100000")
    command.until(lambda: study.exists() and study.read_bytes().count(b"\n") > 5)
    code, _, err = command.stop(signal.SIGINT)
    assert code == 130
    assert "The run tune-hanabi-distrustful-2 keeps what was played; to resume" in err
    assert study.read_bytes().endswith(b"\n")


def test_a_python_class_takes_weights_behind_its_name(kibitz: Kibitz) -> None:
    Path("bot.py").write_text(
        "class Bot:\n    weights = {'dare': 0.0}\n    ranges = {'dare': (0.0, 90.0)}\n"
        "    def decide(self, view):\n        from kibitz.games.hanabi import discard, play\n"
        "        return play(0) if view.turn < self.weights['dare'] else discard(0)\n"
    )
    Path("w.toml").write_text("dare = 90\n")
    words = ("match", "hanabi", "--players", "2", "--games", "2", "--json")
    lost = [json.loads(kibitz(*words, f"bot.py:Bot{more}")[1])["lost"] for more in ("", "@dare=90", "@w.toml")]
    assert lost == [0, 2, 2]
    helped(kibitz, "match hanabi bot.py:Bot@dare=91 --players 2", "The weight dare is 91; it goes from 0 to 90.")
    helped(kibitz, "match hanabi bot.py:Bot@dar=1 --players 2", "Did you mean dare")
    helped(kibitz, "match hanabi bot.py:Bot@50ms --players 2", "Only compiled agents take budgets and models")


def test_every_tuned_agent_that_is_shipped_says_where_its_weights_come_from() -> None:
    game = registry.game("hanabi")
    for name in ("bayesian_trustful2", "bayesian_trustful3", "bayesian_trustful4", "bayesian_trustful5"):
        agent = registry.agent(game, name)
        assert agent.origin.startswith("Jarząbek & Leja 2020")
        assert "Gaussian process" in agent.origin
