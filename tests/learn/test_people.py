"""Models of people: habits are found, and figures are honest."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from kibitz.core.people import EXPERIENCE, UNKNOWN, Choices, Choosing, Shape
from kibitz.errors import KibitzError
from kibitz.learn import people
from kibitz.learn.choice_network import TrainingData, posterior

SHAPE = Shape(1, (2, 1))  # two kinds of moves, the first with two inputs
QUICK = people.Settings(habits=2, units=4, epochs=12, batch=64, dropout=0.0, habit_decay=1e-4)


def made_up(persons: int = 12, games: int = 3, turns: int = 20, seed: int = 1) -> Choices:
    """People who choose among four moves: half like the first input of a move, half dislike it."""
    dice = np.random.default_rng(seed)
    count = persons * games * turns
    rows = dice.random((4 * count, 2)).astype(np.float32)
    who = np.repeat(np.arange(persons), games * turns)
    taste = np.where(who % 2 == 0, 4.0, -4.0)
    scores = taste[:, None] * rows[:, 0].reshape(count, 4) + dice.gumbel(size=(count, 4))
    return Choices(
        np.ones((count, 1), np.float32), 4 * np.arange(count + 1), rows, np.zeros(4 * count, np.int8),
        np.zeros(4 * count, np.int8), 4 * np.arange(count) + scores.argmax(axis=1),
        np.repeat(np.arange(persons * games), turns), who, tuple(f"p{n}" for n in range(persons)),
        tuple(0 if n % 2 == 0 else UNKNOWN for n in range(persons)),
    )  # fmt: skip


def known(figures: Any) -> Any:
    return figures["with_earlier_games"]


def last(steps: Any) -> Any:
    *_, found = steps
    return found


def test_moves_of_a_person_tell_how_the_person_chooses() -> None:
    """For a stranger the taste averages out; earlier moves reveal it."""
    judged = last(people.cross_fit(made_up(), SHAPE, QUICK, 3))
    figures = judged.figures(20)
    assert figures["people"] == 12
    assert figures["decisions"] == 720
    assert figures["log_loss"] > 1.0
    stranger, game, person = (part["log_loss"] for part in (figures, figures["with_this_game"], known(figures)))
    assert person < game < stranger - 0.1
    low, high = figures["log_loss_interval"]
    assert low < figures["log_loss"] < high


def test_the_same_seed_gives_the_same_model() -> None:
    choices = made_up(6)
    first, again, other = (
        last(people.fit(choices, SHAPE, replace(QUICK, epochs=4, seed=seed))) for seed in (1, 1, 2)
    )  # fmt: skip
    assert (first.linear[0] == again.linear[0]).all()
    assert (first.linear[0] != other.linear[0]).any()


def test_people_of_one_experience_have_habits_of_their_own() -> None:
    model = last(people.fit(made_up(), SHAPE, QUICK))
    assert isinstance(model, Choosing)
    new, everybody = model.means[0], model.means[UNKNOWN]
    assert np.linalg.norm(new - everybody) > 0.3
    assert model.shares[[0, UNKNOWN]].tolist() == [0.5, 0.5]
    assert model.shares[EXPERIENCE.index("expert")] == 0


def test_nobody_is_in_the_fit_and_in_the_judgement() -> None:
    choices = made_up(7)
    fold = people.fold_of_people(choices, 3, QUICK)
    assert sorted(np.bincount(fold).tolist()) == [2, 2, 3]


def test_a_person_counts_for_no_more_than_the_cap() -> None:
    choices = made_up(2, games=4)
    assert choices.weights(20).tolist() == [1.0] * 160
    assert choices.weights(1).tolist() == [0.25] * 160


def test_the_posterior_of_habits_is_the_maximum_of_likelihood_and_prior() -> None:
    choices = made_up(1, games=1)
    batch = TrainingData(choices, SHAPE).batch(np.arange(20))
    outputs = np.concatenate([np.zeros((80, 1)), choices.rows], axis=1)
    mean, covariance = posterior(outputs, batch, np.zeros(2), np.eye(2), steps=12)

    def log_likelihood(habits: Any) -> float:
        scores = (choices.rows @ habits).reshape(20, 4)
        chosen = (choices.chosen - 4 * np.arange(20))[:, None]
        best = np.take_along_axis(scores, chosen, 1)[:, 0]
        return float((best - np.log(np.exp(scores).sum(axis=1))).sum() - habits @ habits / 2)

    top = log_likelihood(mean)
    for step in (np.array([0.1, 0.0]), np.array([-0.1, 0.0]), np.array([0.0, 0.1]), np.array([0.0, -0.1])):
        assert log_likelihood(mean + step) < top
        curve = -0.5 * step @ np.linalg.inv(covariance) @ step
        assert log_likelihood(mean + step) - top == pytest.approx(curve, rel=0.3)


def test_too_few_games_are_refused_and_one_person_is_named() -> None:
    with pytest.raises(KibitzError, match="There are 4 usable games; a model needs at least 10"):
        people.check_games(made_up(2, games=2))
    [sentence] = people.check_games(made_up(1, games=12))
    assert "All games are of one person" in sentence
    assert people.check_games(made_up(12)) == []
    assert list(people.cross_fit(made_up(1, games=12), SHAPE, QUICK)) == []
