"""Ratings, streaks and the choice of puzzles: pure functions of progress, puzzle and date."""

from datetime import date, timedelta

import pytest

from kibitz.coach import puzzles, solving
from kibitz.coach.solving import DAILY, Progress, daily_ten, lesson, lessons, upcoming, update

DAY = date(2026, 11, 19)
FOUND = puzzles.of("loveletter")


def test_solving_raises_the_rating_of_the_solver_and_lowers_that_of_the_puzzle() -> None:
    progress, puzzle = update(Progress(), FOUND[0], True, DAY)
    assert progress.rating.rating > Progress().rating.rating
    assert puzzle.rating < FOUND[0].rating
    assert (progress.tried, progress.solved, progress.streak) == (1, 1, 1)


def test_a_puzzle_counts_only_once() -> None:
    once, rating = update(Progress(), FOUND[0], False, DAY)
    twice, again = update(once, FOUND[0], True, DAY, rating)
    assert twice.rating == once.rating
    assert again == rating
    assert twice.tried == 2


def test_a_streak_ends_with_a_mistake_and_its_best_is_kept() -> None:
    progress = Progress()
    for puzzle, solved in zip(FOUND, (True, True, True, False, True), strict=False):
        progress, _ = update(progress, puzzle, solved, DAY)
    assert (progress.streak, progress.best_streak) == (1, 3)


@pytest.mark.parametrize(("later", "days"), [(0, 1), (1, 2), (2, 1)])
def test_days_in_a_row_count_every_day_once(later: int, days: int) -> None:
    progress, _ = update(Progress(), FOUND[0], True, DAY)
    progress, _ = update(progress, FOUND[1], True, DAY + timedelta(days=later))
    assert progress.days == days


def test_progress_is_the_same_after_it_was_stored() -> None:
    progress = Progress()
    for puzzle in FOUND[:5]:
        progress, _ = update(progress, puzzle, True, DAY)
    assert Progress.from_json(progress.as_json()) == progress


def test_ten_puzzles_a_day_depend_on_day_and_solver_only() -> None:
    ten = daily_ten(FOUND, DAY, "ann")
    assert ten == daily_ten(tuple(reversed(FOUND)), DAY, "ann")
    assert len({puzzle.id for puzzle in ten}) == DAILY
    assert [puzzle.rating for puzzle in ten] == sorted(puzzle.rating for puzzle in ten)
    assert ten != daily_ten(FOUND, DAY, "bob")
    assert ten != daily_ten(FOUND, DAY + timedelta(days=1), "ann")


def test_the_next_puzzles_are_near_the_rating_and_not_tried_yet() -> None:
    first = upcoming(FOUND, 1200, 5, "ann")
    assert all(abs(puzzle.rating - 1200) < 300 for puzzle in first)
    after = upcoming(FOUND, 1200, 5, "ann", seen=[puzzle.id for puzzle in first])
    assert not {puzzle.id for puzzle in first} & {puzzle.id for puzzle in after}


@pytest.mark.parametrize("game", ["hanabi", "loveletter", "connect4"])
def test_every_lesson_has_puzzles_from_easy_to_hard(game: str) -> None:
    for each in lessons(game):
        _, chosen = lesson(game, each.name)
        assert len(chosen) == each.puzzles
        assert [puzzle.rating for puzzle in chosen] == sorted(puzzle.rating for puzzle in chosen)
        assert {puzzle.theme for puzzle in chosen} == {each.theme}


def test_a_solver_has_a_rating_within_an_interval() -> None:
    low, high = solving.NEWCOMER.interval
    assert low < 1500 < high
