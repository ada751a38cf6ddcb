"""Strengths are those that another library finds, from any start and however one-sided the games are."""

import numpy as np
import pytest

from kibitz.arena.bradley_terry import fit


@pytest.mark.parametrize("seed", range(5))
def test_strengths_are_those_of_choix(seed: int) -> None:
    import choix  # loads all of SciPy's statistics, so not with every worker that reads this file

    random = np.random.default_rng(seed)
    won = random.uniform(0.5, 1000, (6, 6)) * random.choice([0.001, 1.0], (6, 6)) + 0.5
    np.fill_diagonal(won, 0)
    theirs = choix.ilsr_pairwise_dense(won, max_iter=10_000)
    assert fit(won) == pytest.approx(theirs - theirs.mean(), abs=1e-5)
    assert fit(won, random.normal(0, 3, 6)) == pytest.approx(fit(won), abs=1e-8)


def test_a_player_that_nearly_always_wins_has_a_finite_strength() -> None:
    strong, weak = fit(np.array([[0, 100_000.5], [0.5, 0]]))
    assert strong - weak == pytest.approx(np.log(200_001))
    assert strong + weak == pytest.approx(0)
