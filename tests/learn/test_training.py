"""A training ends the same wherever it was broken off, and whatever happens its last good state is there."""

import errno
import os
from pathlib import Path

import numpy as np
import pytest

from kibitz.arena.runs import Run
from kibitz.core import registry
from kibitz.core.trainer import TrainingPlan, check_settings
from kibitz.errors import KibitzError
from kibitz.games.hanabi.game import HANABI
from kibitz.learn.curve import in_letters
from kibitz.learn.partners import parse_partners
from kibitz.learn.training import TrainingRun, begin_training

REINFORCED = registry.trainer(HANABI, "reinforced")


OPEN: dict[Path, Run] = {}


def run(path: Path, *partners: str, seed: int = 3, players: tuple[int, ...] = (2, 3)) -> TrainingRun:
    others = parse_partners(HANABI, partners, "")
    settings = check_settings(REINFORCED, {})
    plan = TrainingPlan(HANABI, players, others.partners, others.learners, seed, HANABI.check_rules({}), settings)
    text = {
        "game": "hanabi", "trainer": "reinforced", "players": list(players), "partners": list(partners), "seed": seed,
    }  # fmt: skip
    folder = path.with_suffix(".run")
    if folder in OPEN:
        OPEN.pop(folder).release()
    OPEN[folder] = begin_training(text, name=str(folder))
    return TrainingRun(
        REINFORCED, plan, text, path, OPEN[folder], stretch=1000, judged_deals=40, final_deals=100
    )  # fmt: skip


def trained(path: Path, games: int, *partners: str, finish: bool = True) -> TrainingRun:
    running = run(path, *partners)
    for _ in running.train(games):
        pass
    if finish:
        running.close(running.finish("a test"))
    return running


class KilledError(BaseException):
    """Stands for the end of the process."""


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("unbroken") / "tables.npz"
    trained(path, 3000)
    return path


def test_a_training_that_was_broken_off_ends_with_the_same_bytes(tmp_path: Path, unbroken: Path) -> None:
    path = tmp_path / "tables.npz"
    trained(path, 1000, finish=False)
    trained(path, 2000, finish=False)
    trained(path, 3000)
    assert path.read_bytes() == unbroken.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["tables.json", "tables.npz", "tables.run"]


def test_one_that_is_killed_while_it_writes_goes_on_from_the_last_good_state(
    tmp_path: Path, unbroken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tables.npz"
    trained(path, 1000, finish=False)

    def die(file: int) -> None:
        os.ftruncate(file, 1000)
        raise KilledError

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", die)
        with pytest.raises(KilledError):
            trained(path, 2000, finish=False)
    assert run(path).games == 1000
    trained(path, 3000)
    assert path.read_bytes() == unbroken.read_bytes()


def test_a_full_disk_is_reported_and_the_last_good_state_is_kept(
    tmp_path: Path, unbroken: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "tables.npz"
    trained(path, 1000, finish=False)

    def full(file: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(KibitzError, match=r"No space left on device\. .* up to game 1,000, and the same command"):
            trained(path, 2000, finish=False)
        with pytest.raises(KibitzError, match="Nothing is lost"):
            trained(path, 1000)
    trained(path, 3000)
    assert path.read_bytes() == unbroken.read_bytes()


def test_a_damaged_checkpoint_and_one_of_another_training_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "tables.npz"
    kept = trained(path, 1000, finish=False).checkpoint
    assert kept is not None
    with pytest.raises(KibitzError, match="holds another run: seed is 3 there and 4 here"):
        run(path, seed=4)
    kept.write_bytes(kept.read_bytes()[:-500])
    with pytest.raises(KibitzError, match=r"is damaged: .* Delete it"):
        run(path)
    (tmp_path / "folder.npz").mkdir()
    with pytest.raises(KibitzError, match="is a folder"):
        run(tmp_path / "folder.npz")


def test_learning_with_fixed_partners_and_with_another_learner(tmp_path: Path) -> None:
    guest = trained(tmp_path / "guest.npz", 1000, "simple_distrustful")
    assert len(guest.outputs) == 1
    pair = trained(tmp_path / "pair.npz", 1000, "learner")
    first, second = (np.load(path)["weights"] for path in pair.outputs)
    assert len(first) == len(second)
    assert (first != second).any()


def test_partners_are_named_as_in_a_match_or_learn_too() -> None:
    found = parse_partners(HANABI, ("learner", "trustful", "self", "learner", "learner:reinforced4"), "reinforced2")
    assert [each if isinstance(each, int) else each.name for each in found.partners] == [1, "trustful", 0, 1, 2]
    assert {number: agent.name for number, agent in found.starts.items()} == {0: "reinforced2", 2: "reinforced4"}
    with pytest.raises(KibitzError, match="no Hanabi agent called 'trustfull'"):
        parse_partners(HANABI, ("trustfull",), "")


def test_a_curve_in_letters_has_room_for_any_number_of_points() -> None:
    assert in_letters([1.0, 2.0, 3.0]) == "▁▅█"
    assert in_letters([5.0]) == "▁"
    assert len(in_letters([float(n) for n in range(1000)], 30)) == 30


@pytest.mark.parametrize("score", [-2, 26])
def test_scores_that_no_game_has_are_not_gone_on_with(score: int) -> None:
    """Compiled code counts them in an array."""
    trainer = registry.trainer(HANABI, "reinforced")
    training = trainer.begin(TrainingPlan(HANABI, (2,), settings=check_settings(trainer, {})))
    state = {name: array.copy() for name, array in training.state().items()}
    training.restore(state)
    state["recent"][2][:] = score
    with pytest.raises(ValueError, match="its last games have scores from"):
        training.restore(state)
