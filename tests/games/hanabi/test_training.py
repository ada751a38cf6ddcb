"""The example that trains a network: it learns, the same from the same seed, resumes, and ends as an agent."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kibitz.core import registry
from kibitz.errors import KibitzError
from kibitz.games.hanabi.game import HANABI
from tests.fuzzing import at_length
from tests.plainly import ROOT
from tests.tables import dealt, table_of

EXAMPLE = ROOT / "examples" / "train_player.py"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module, with small lessons."""
    module = registry.load_file(EXAMPLE)
    for name, value in (("TABLES", 48), ("MEMORY", 12), ("BATCH", 128), ("STEPS", 4), ("OWN_BATCH", 64)):
        monkeypatch.setattr(module, name, value)
    return module


def plan(**changes: Any) -> dict[str, Any]:
    usual = {"inputs": "hanabi-facts-1", "players": 2, "teacher": "trustful", "hidden": [8], "lessons": 4}
    return {**usual, "own_lessons": 2, "seed": 1, **changes}


def trained(example: Any, **changes: Any) -> Any:
    training = example.Training(plan(**changes))
    while training.done < training.all_lessons:
        training.lesson()
    return training


def numbers(training: Any) -> list[Any]:
    return [part.tolist() for part in training.network.parameters]


@at_length
def test_it_learns_what_its_teacher_does(example: Any) -> None:
    training = trained(example, hidden=[32], lessons=150, own_lessons=0)
    assert training.agreed > 0.3  # one in nine by chance
    assert len(training.scores) > 0


def test_what_turned_out_well_becomes_likelier_and_what_did_not_less_so(example: Any) -> None:
    training = trained(example, players=3)
    shown, legal = training.tables.packed, training.tables.rows.legal.copy()
    rows, plays = np.arange(48), legal.argmax(axis=1)
    hints = legal.shape[1] - 1 - legal[:, ::-1].argmax(axis=1)
    before = example.chances(example.answers(training.network, shown)[0], legal)
    twice = [np.concatenate([each, each]) for each in (shown, legal)]
    actions, likely = np.concatenate([plays, hints]), np.concatenate([before[rows, plays], before[rows, hints]])
    gains = np.repeat(np.array([1, -1], np.float32), 48)
    training.optimizer.reset()
    for _ in range(40):
        training.improve(*twice, actions, likely, gains, wanted=np.full(96, 0.5), number=0)
    likes, values = example.answers(training.network, shown)
    after = example.chances(likes, legal)
    assert (after[rows, plays] > before[rows, plays]).mean() > 0.9
    assert (after[rows, hints] < before[rows, hints]).mean() > 0.9
    assert (after[~legal] == 0).all()
    assert values.shape == (48,)


def test_an_advantage_is_what_a_move_changed_and_ends_with_its_game(example: Any) -> None:
    values, ends = [np.array([0.5, 0.5]), np.array([0.6, 0.2])], [np.array([-1, 20]), np.array([-1, -1])]
    first, second = example.advantages(values, np.array([0.7, 0.4]), ends)
    assert np.allclose(second, [0.1, 0.2])
    assert np.allclose(first, [0.1 + 0.95 * 0.1, 20 / 25 - 0.5])


def test_the_same_seed_trains_the_same_network(example: Any) -> None:
    one, again, other = (numbers(trained(example, seed=seed)) for seed in (1, 1, 2))
    assert one == again != other


def test_a_run_that_was_stopped_ends_with_the_same_network(
    example: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    whole = numbers(trained(example))
    for stopped_after in (2, 5):  # among the teacher's lessons, and among its own
        path = tmp_path / f"player{stopped_after}.npz"
        training = example.begun(plan(), path, restart=False)
        for _ in range(stopped_after):
            training.lesson()
        example.save(training, path)
        training = example.begun(plan(), path, restart=False)
        assert f"{stopped_after} of 6 lessons" in capsys.readouterr().err
        for _ in example.lessons(training, path, every=1000):
            pass
        assert numbers(training) == whole
        with pytest.raises(KibitzError, match=r"keeps another run: .*--restart"):
            example.begun(plan(seed=3), path, restart=False)
        assert example.begun(plan(seed=3), path, restart=True).done == 0
        example.partial(path).write_bytes(b"nothing of the kind")
        with pytest.raises(KibitzError, match=r"\.npz\.partial is damaged"):
            example.begun(plan(), path, restart=False)


def test_what_was_trained_sits_at_a_table(
    example: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(example.measured, "__defaults__", (10,))
    path = tmp_path / "player.npz"
    example.run(plan(), path, restart=False)
    assert f"kibitz match hanabi network@{path} --players 2" in capsys.readouterr().out
    assert not example.partial(path).exists()
    agent: Any = registry.agent(HANABI, f"network@{path}")
    assert "--lessons 4 --own-lessons 2 --seed 1" in agent.weights.about
    for players in (2, 5):
        table_of([agent] * players, dealt(players)).run()


def test_the_example_says_what_can_be_asked_of_it(
    example: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["train_player.py", "--help"])
    with pytest.raises(SystemExit):
        example.main()
    assert "--own-lessons" in capsys.readouterr().out


def test_a_mistake_is_reported_in_a_sentence(example: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    for words, why in (
        ("--players 7", "Hanabi is for 2 to 5 players, not 7"),
        ("--teacher nobody", "no Hanabi agent called"),
        (f"--save {tmp_path}/file/x.npz --lessons 0 --own-lessons 0", "cannot be written: "),
    ):
        monkeypatch.setattr(sys, "argv", ["train_player.py", "--save", str(tmp_path / "x.npz"), *words.split()])
        with pytest.raises(SystemExit, match=f"train_player: .*{why}"):
            example.main()
