"""`kibitz train` as it is typed."""

import json
from pathlib import Path

import numpy as np
import pytest

from kibitz.core.trainer import Usual
from tests.cli.conftest import Kibitz, helped

TRAIN = ("train", "hanabi", "reinforced", "--players", "2", "--games", "2000", "--output", "mine.npz")


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.learn.training.usual_of", lambda trainer: Usual(stretch=1000, judged=40, final=100))


@pytest.mark.usefixtures("short")
def test_training_writes_tables_that_play_their_origin_and_the_curve(kibitz: Kibitz) -> None:
    code, out, err = kibitz(*TRAIN, "--seed", "5")
    assert code == 0, err
    assert "on holdout deals" in out
    assert "2,000 games:" in err
    assert {path.name for path in Path().iterdir()} == {"mine.npz", "mine.json", "mine.svg", "mine.png"}
    about = json.loads(Path("mine.json").read_text())
    assert about["command"].startswith("kibitz train hanabi reinforced --players 2")
    assert (about["seed"], about["games"], len(about["curve"])) == (5, 2000, 2)
    code, out, err = kibitz(*["match", "hanabi", "reinforced2@mine.npz", "--players", "2", "--games", "20", "--json"])
    assert code == 0, err
    Path("mine.npz").write_bytes(Path("mine.npz").read_bytes()[:3000])
    helped(kibitz, "match hanabi reinforced2@mine.npz --players 2 --games 20", "mine.npz is damaged")
    np.savez("mine.npz", weights=np.zeros(5))
    helped(kibitz, "match hanabi reinforced2@mine.npz --players 2 --games 20", "has 5 weights, and the agent")


@pytest.mark.usefixtures("short")
def test_a_stopped_training_says_what_is_kept(kibitz: Kibitz, monkeypatch: pytest.MonkeyPatch) -> None:
    from kibitz.learn.training import TrainingRun

    keep, kept = TrainingRun._keep, []

    def keep_and_press_ctrl_c(self: TrainingRun) -> None:
        keep(self)
        kept.append(self.games)
        if len(kept) == 1:
            raise KeyboardInterrupt

    monkeypatch.setattr(TrainingRun, "_keep", keep_and_press_ctrl_c)
    code, _, err = kibitz(*TRAIN)
    assert code == 130
    assert "Stopped after 1,000 of 2,000 games. The run train-hanabi-reinforced-2 keeps what was played" in err
    code, _, err = kibitz(*TRAIN)
    assert code == 0
    assert "has 1,000 games" in err
    assert json.loads(kibitz("runs", "--json")[1])[0]["state"] == "finished"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("train hanabi reinforce --players 2", "no Hanabi trainer called 'reinforce'. Did you mean reinforced?"),
        ("train loveletter reinforced", "Love Letter has none"),
        ("train hanabi reinforced --players 6", "Hanabi is for 2 to 5 players, not 6"),
        ("train hanabi reinforced --partners examples/none.py:Bot", "no file examples/none.py"),
        ("train hanabi reinforced --set exploration=99", "exploration must be from 0 to 10"),
    ],
)
def test_wrong_input_is_answered_with_a_sentence(kibitz: Kibitz, words: str, sentence: str) -> None:
    helped(kibitz, words, sentence)


@pytest.mark.parametrize("option", ["--players two", "--output tables.csv", "--partners erratic,erratic --players 2"])
def test_what_cannot_be_read_on_the_command_line_is_refused(kibitz: Kibitz, option: str) -> None:
    code, _, err = kibitz(*f"train hanabi reinforced {option}".split())
    assert code == 2
    assert "Traceback" not in err
