"""The example that trains a player: it gets better, the same from the same seed, and plays as an agent."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.core.errors import AgentError
from kibitz.hanabi.game import HANABI
from tests.plainly import ROOT
from tests.tables import dealt, seated

EXAMPLE = ROOT / "examples" / "train_player.py"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Any:
    """The module, with small lessons and its weights elsewhere."""
    module = registry.load_file(EXAMPLE)
    monkeypatch.setattr(module, "TABLES", 64)
    monkeypatch.setattr(module, "WEIGHTS", tmp_path / "weights.npz")
    return module


def test_a_lesson_makes_a_good_action_likelier_and_a_bad_one_less_so(example: Any) -> None:
    network = example.Network(np.random.default_rng(1))
    env = example.BatchedHanabi(64, 2, rules=example.RULES, dtype=np.float32)
    batch = env.batch
    plays = batch.legal.argmax(axis=1)  # the first legal action is the same at all tables: to play the oldest card
    hints = batch.legal.shape[1] - 1 - batch.legal[:, ::-1].argmax(axis=1)
    seen, legal = np.repeat(batch.observations, 2, axis=0), np.repeat(batch.legal, 2, axis=0)
    actions = np.stack([plays, hints], axis=1).ravel()
    returns = np.tile(np.array([1, 0], np.float32), 64)
    rows = np.arange(64)
    before, _ = network.judge(batch.observations, batch.legal)
    for _ in range(30):
        network.learn(seen, legal, actions, returns)
    after, values = network.judge(batch.observations, batch.legal)
    assert (after[rows, plays] > before[rows, plays]).all()
    assert (after[rows, hints] < before[rows, hints]).all()
    assert np.abs(values.mean()) > 0
    assert (after[~batch.legal] == 0).all()


def test_the_same_seed_trains_the_same_network(example: Any) -> None:
    one, again, other = (example.trained(0, seed, lessons=3) for seed in (1, 1, 2))
    for name, weights in one.weights.items():
        assert weights.tolist() == again.weights[name].tolist()
    assert one.weights["into"].tolist() != other.weights["into"].tolist()


def test_what_was_trained_sits_at_a_table(example: Any) -> None:
    with pytest.raises(AgentError, match=r"There is no weights.npz yet; python train_player.py trains one"):
        registry.as_agent(HANABI, "trained", example.Trained).take_seat(HANABI)
    network = example.trained(0, lessons=2)
    np.savez(example.WEIGHTS, **network.weights)
    agent = registry.as_agent(HANABI, "trained", example.Trained)
    table = seated([agent] * 2, dealt(2))
    turns = list(table.steps())
    assert all("points expected" in turn.decision.reason for turn in turns)
    with pytest.raises(AgentError, match="trained at tables of 2, and this is one of 3"):
        seated([agent] * 3, dealt(3)).run()


def test_the_agent_plays_as_the_network_does_at_many_tables(example: Any) -> None:
    network = example.trained(0, lessons=2)
    np.savez(example.WEIGHTS, **network.weights)
    env = example.BatchedHanabi(8, 2, rules=example.RULES, dtype=np.float32, seed=5)
    scores = env.play(lambda batch: network.judge(batch.observations, batch.legal)[0].argmax(axis=1))
    agent = registry.as_agent(HANABI, "trained", example.Trained)
    rules = HANABI.check_rules({**env.rules})
    tables = [seated([agent] * 2, dealt(2, rules=rules, seed=5, number=number)) for number in range(8)]
    assert [table.run()["score"] for table in tables] == scores.tolist()


def test_the_example_says_what_can_be_asked_of_it() -> None:
    said = subprocess.run([sys.executable, EXAMPLE, "--help"], capture_output=True, text=True, check=True).stdout
    assert "--seconds" in said
