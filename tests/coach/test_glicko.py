"""Glicko-2 gives the figures of its author's worked example, and behaves as a rating must."""

import pytest

from kibitz.coach.glicko import DEVIATION, Rating, expected, rated


def test_the_worked_example_of_the_paper() -> None:
    games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    after = rated(Rating(1500, 200, 0.06), games)
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_a_period_without_games_makes_a_rating_less_certain() -> None:
    after = rated(Rating(1500, 200), [])
    assert after.rating == 1500
    assert after.deviation > 200


def test_winning_raises_and_losing_lowers_and_both_make_it_more_certain() -> None:
    up, down = (rated(Rating(), [(Rating(1500, 50), score)]) for score in (1.0, 0.0))
    assert down.rating < 1500 < up.rating
    assert up.deviation < DEVIATION
    assert up.rating - 1500 == pytest.approx(1500 - down.rating)


def test_an_upset_counts_for_more_than_a_result_that_was_expected() -> None:
    upset = rated(Rating(1500, 80), [(Rating(1900, 50), 1.0)]).rating
    routine = rated(Rating(1500, 80), [(Rating(1100, 50), 1.0)]).rating
    assert upset - 1500 > 5 * (routine - 1500) > 0
    assert expected(Rating(1500, 80), Rating(1900, 50)) < 0.15
