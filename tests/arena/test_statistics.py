"""What a match says about its agents."""

from math import sqrt

import numpy as np
import pytest

from kibitz.arena.statistics import Estimate, ScoreCounts, bars, wilson


def tally_of(scores: list[int], lost: int = 0) -> ScoreCounts:
    tally = ScoreCounts(25)
    tally.add(np.array(scores), lost)
    return tally


def test_mean_and_deviation_are_those_of_the_scores() -> None:
    scores = [3, 14, 15, 9, 25, 25, 0]
    tally = tally_of(scores)
    assert tally.mean == pytest.approx(np.mean(scores))
    assert tally.std == pytest.approx(np.std(scores, ddof=1))
    assert tally.estimate.stderr == pytest.approx(np.std(scores, ddof=1) / sqrt(len(scores)))


def test_the_interval_is_twice_the_standard_error_wide_on_each_side() -> None:
    tally = tally_of([10, 20] * 50)
    assert tally.estimate.interval is not None
    assert tally.estimate.stderr is not None
    low, high = tally.estimate.interval
    assert (high - low) / 2 == pytest.approx(1.959964 * tally.estimate.stderr, rel=1e-6)


def test_one_game_says_nothing_about_the_error_of_its_mean() -> None:
    assert tally_of([7]).estimate.stderr is None
    assert tally_of([7]).estimate.interval is None


def test_scores_added_in_parts_count_like_scores_added_at_once() -> None:
    parts = tally_of([1, 2, 3], lost=1)
    parts.add(np.array([25, 25]), 0)
    whole = tally_of([1, 2, 3, 25, 25], lost=1)
    assert (parts.counts == whole.counts).all()
    assert (parts.lost, parts.perfect, parts.games) == (1, 2, 5)


def test_a_difference_is_as_uncertain_as_both_its_sides() -> None:
    gap = Estimate(20.0, 0.3) - Estimate(19.0, 0.4)
    assert gap.mean == pytest.approx(1.0)
    assert gap.half_width == pytest.approx(1.959964 * 0.5, rel=1e-6)


def test_an_estimate_is_written_with_its_half_width() -> None:
    assert f"{Estimate(20.0, 0.5):+.1f}" == "+20.0 ± 1.0"
    assert f"{Estimate.share(5, 10):.2f}" == "0.50 ± 0.26"
    assert Estimate.of([7.0]).interval is None


def test_a_loss_is_clear_only_beyond_its_error() -> None:
    assert Estimate(-1.0, 0.4).clearly_negative(2.0)
    assert not Estimate(-1.0, 0.6).clearly_negative(2.0)
    assert not Estimate(-1.0, None).clearly_negative(2.0)


def test_the_interval_of_a_share_is_that_of_scipy() -> None:
    """`binomtest(3, 17).proportion_ci(method="wilson")`, which takes long to import."""
    assert wilson(3, 17) == pytest.approx((0.06191126637621, 0.41029458568834))


def test_every_score_that_occurred_has_a_bar() -> None:
    counts = np.zeros(26, np.int64)
    counts[4], counts[6] = 1, 100_000
    rows = bars(counts, width=10)
    assert [score for score, _, _ in rows] == [4, 5, 6]
    assert [bool(bar) for _, _, bar in rows] == [True, False, True]
    assert rows[2][2] == "█" * 10
