"""Ratings say what the shares of a cross table say, in one number an agent."""

from math import inf

import pytest

from kibitz.arena.cross import Cell, Cross, CrossPlan
from kibitz.arena.ratings import rating_text, ratings

pytestmark = pytest.mark.usefixtures("nim")

AGENTS = ("any_taker", "thinker", "expert")


def table(shares: dict[tuple[str, str], float], players: int = 2, deals: int = 10_000, slices: int = 50) -> Cross:
    """A table whose cells have these shares, in each slice of the deals a little more or less."""
    agents = tuple(dict.fromkeys(name for pair in shares for name in pair))
    cross = Cross(CrossPlan("nim", agents, players, deals, 0))
    for (row, column), share in shares.items():
        wobble = 0.02 if slices > 1 and 0 < share < 1 else 0.0
        parts = tuple(share + wobble * (-1) ** number for number in range(slices))
        cross.add(Cell(row, column, deals, share, 0.01, 0, slices=parts))
    return cross


def test_four_hundred_points_are_odds_of_ten_to_one() -> None:
    better, worse = ratings(table({("any_taker", "thinker"): 10 / 11}))
    assert better.points - worse.points == pytest.approx(400, abs=0.5)
    assert better.points + worse.points == pytest.approx(0)
    assert rating_text(worse).startswith("−200 ± ")


def test_agents_are_rated_by_all_they_played_the_best_first() -> None:
    rated = ratings(table({AGENTS[:2]: 0.4, AGENTS[1:]: 0.2, AGENTS[::2]: 0.15}))
    assert [rating.agent for rating in rated] == ["expert", "thinker", "any_taker"]
    assert sum(rating.points for rating in rated) == pytest.approx(0)


def test_agents_of_the_same_strength_have_the_same_rating_however_many_play() -> None:
    fair = table({(row, column): 1 / 3 for row in AGENTS for column in AGENTS if row != column}, players=3)
    assert [rating.points for rating in ratings(fair)] == pytest.approx([0, 0, 0], abs=1e-6)


def test_among_more_players_a_share_of_half_is_better_than_fair() -> None:
    better, worse = ratings(table({("any_taker", "thinker"): 0.5, ("thinker", "any_taker"): 0.2}, players=3))
    assert better.agent == "any_taker"
    assert better.points - worse.points == pytest.approx(120.4, abs=0.5)  # two to one, by either cell


def test_who_never_loses_is_strong_but_not_without_limit() -> None:
    best = ratings(table({AGENTS[:2]: 0.0, AGENTS[1:]: 0.5, AGENTS[::2]: 0.0}))[0]
    assert 200 < best.points < inf


def test_the_interval_says_how_far_slices_of_the_deals_disagree() -> None:
    """A share of 1/2 that is 0.02 off in every slice, either way: by Elo's curve its error over 50 is 1.97 points."""
    better, worse = ratings(table({("any_taker", "thinker"): 0.5}))
    assert better.estimate.interval is not None
    assert (
        better.estimate.half_width
        == worse.estimate.half_width
        == pytest.approx(1.96 * 0.02 / 7 * 4 * 400 / 2.302585 / 2, rel=0.01)
    )


def test_a_single_deal_says_nothing_of_the_error() -> None:
    assert ratings(table({("any_taker", "thinker"): 1.0}, deals=1, slices=1))[0].estimate.interval is None
