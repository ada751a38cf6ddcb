"""What a match says about who wins."""

from math import sqrt
from typing import Any

import numpy as np
import pytest

from kibitz.arena import charts, win_charts
from kibitz.arena.match import Match
from kibitz.arena.standings import Standings, last_turn, parts, points_of
from kibitz.arena.statistics import wilson
from tests.core.race import RACE

pytestmark = pytest.mark.usefixtures("nim")

# Of Nim: the winner at the table from 1, the turns, and the stones taken last, less one.
ROWS = np.array(
    [
        [1, 5, 0],
        [2, 6, 1],
        [0, 12, 0],
        [1, 5, 2],
        [2, 8, 0],
        [1, 7, 0],
    ]
)


def standings_of(rows: Any, rotations: list[int], mirror: bool = False, players: int = 2) -> Standings:
    names = ("any_taker", "thinker", "any_taker")[:players]
    standings = Standings(Match("nim", names, 10, seed=0, first="fixed" if mirror else "alternate", mirror=mirror))
    standings.add(np.array(rows), np.array(rotations))
    return standings


def test_wins_go_to_the_named_seats_wherever_they_sat() -> None:
    standings = standings_of(ROWS, [0, 1, 0, 1, 0, 1])
    assert standings.wins == [2, 3]  # the second game is won at the table's second seat, where the first sat
    assert standings.draws == 1
    assert standings.games == 6
    assert standings.won.tolist() == [[1, 1], [1, 2]]
    assert standings.began.tolist() == [3, 3]
    assert standings.drawn.tolist() == [1, 0]


def test_a_seats_share_by_its_place_at_the_table() -> None:
    standings = standings_of(ROWS, [0, 1, 0, 1, 0, 1])
    began = standings.share_when(1, 1)
    assert began is not None
    assert began.mean == pytest.approx(2 / 3)
    assert standings_of(ROWS, [0] * 6).share_when(0, 1) is None


def test_ends_are_counted_by_turn_and_winner() -> None:
    standings = standings_of(ROWS, [0, 1, 0, 1, 0, 1])
    first, second, nobody = standings.by_turn.tolist()
    assert first == [0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0]
    assert second == [0, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 0]
    assert nobody == [0] * 11 + [1]
    assert standings.mean_turn() == pytest.approx((5 + 6 + 12 + 5 + 8 + 7) / 6)
    assert standings.mean_turn(0) == pytest.approx(5.5)
    assert standings.mean_turn(2) == 12


def test_what_else_a_game_counts_belongs_to_the_named_seats_too() -> None:
    """The seat that took the last stones: with an odd number of turns, the first player's."""
    last = standings_of(ROWS, [0, 1, 0, 1, 0, 1]).as_json()["last"]
    assert [turn["turn"] for turn in last] == list(range(1, 13))
    assert last[4]["seats"] == [{"one": 1, "two": 0, "three": 0}, {"one": 0, "two": 0, "three": 1}]
    assert last[5]["seats"] == [{"one": 0, "two": 1, "three": 0}, {"one": 0, "two": 0, "three": 0}]
    assert last[4]["nobody"] == {"one": 0, "two": 0, "three": 0}


def test_independent_games_have_wilsons_interval() -> None:
    share = standings_of(ROWS, [0] * 6).share(0)
    assert share.mean == 0.5
    assert share.interval == wilson(3, 6)
    low, high = wilson(0, 50)
    assert low == 0.0
    assert 0.05 < high < 0.1


def test_the_games_of_a_mirrored_deal_count_as_one() -> None:
    """Per deal the first seat wins both games, one, one: a mean of 2/3, and its error over three deals."""
    rows = [[1, 5, 0], [2, 6, 0], [1, 5, 0], [1, 5, 0], [2, 6, 0], [2, 6, 0]]
    share = standings_of(rows, [0, 1] * 3, mirror=True).share(0)
    half = 1.959964 * np.array([1.0, 0.5, 0.5]).std(ddof=1) / sqrt(3)
    assert share.mean == pytest.approx(2 / 3)
    assert share.interval == pytest.approx((2 / 3 - half, 2 / 3 + half), rel=1e-6)


def test_deals_that_are_all_won_still_leave_room_for_doubt() -> None:
    share = standings_of([[1, 5, 0], [2, 6, 0]] * 20, [0, 1] * 20, mirror=True).share(0)
    assert share.mean == 1.0
    assert share.interval == wilson(20, 20)


def test_a_draw_gives_everybody_the_same_points_and_winners_share_theirs() -> None:
    wins = np.array([[1, 0, 0], [0, 0, 0], [1, 1, 0], [1, 1, 1]])
    assert (points_of(wins) / parts(3)).tolist() == [[1, 0, 0], [1 / 3] * 3, [0.5, 0.5, 0], [1 / 3] * 3]
    points = [standings_of(ROWS, [0, 1, 0, 1, 0, 1]).points(seat).mean for seat in range(2)]
    assert points == [2.5 / 6, 3.5 / 6]


def test_games_added_in_parts_count_like_games_added_at_once() -> None:
    rows, rotations = np.array([[1, 5, 0], [2, 6, 1], [0, 12, 0]] * 30), np.array([0, 1, 2] * 30)
    whole = standings_of(rows, rotations.tolist(), mirror=True, players=3)
    part = standings_of(rows[:9], rotations[:9].tolist(), mirror=True, players=3)
    part.add(rows[9:72], rotations[9:72])
    part.add(rows[72:72], rotations[72:72])
    part.add(rows[72:], rotations[72:])
    assert part.as_json() == whole.as_json()


def test_two_seats_of_the_same_agent_stay_two() -> None:
    standings = Standings(Match("nim", ("any_taker", "any_taker"), 10, seed=0))
    standings.add(ROWS, np.zeros(6, np.int64))
    assert standings.wins == [3, 2]
    assert win_charts.numbered(standings) == ["1 any_taker", "2 any_taker"]


# Pictures


def test_every_count_has_its_picture() -> None:
    standings = standings_of(ROWS, [0, 1, 0, 1, 0, 1])
    pictures = dict(win_charts.pictures(standings))
    assert list(pictures) == ["shares", "by-turn", "last"]
    for picture in pictures.values():
        words = " ".join(text.get_text() for text in picture.texts)
        assert "Nim: " in words
        assert "6 games of seed 0" in words
    [shares] = pictures["shares"].axes
    assert [label.get_text() for label in shares.get_yticklabels()] == ["any_taker", "thinker", "draws"]
    [turns] = pictures["by-turn"].axes
    _, labels = turns.get_legend_handles_labels()
    assert labels == ["any_taker, mean 5.50", "thinker, mean 6.67", "draws, mean 12.00"]
    assert [axes.get_title(loc="left") for axes in pictures["last"].axes] == ["any_taker", "thinker"]


def test_the_same_match_gives_the_same_pictures(tmp_path: Any) -> None:
    standings = standings_of(ROWS, [0, 1, 0, 1, 0, 1])
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        for name, picture in win_charts.pictures(standings):
            charts.save(picture, tmp_path / folder / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()


def test_a_game_without_words_on_results_counts_when_it_ends() -> None:
    rows = np.array([[1, 3], [2, 4], [0, 4], [3, 4]])  # who won, as a mask, and the turns
    seats, nobody = np.split(RACE.count(rows, 2)["ends"][:, :5, 0], [2])
    assert seats.tolist() == [[0, 0, 1, 0, 0], [0, 0, 0, 1, 0]]
    assert nobody.tolist() == [[0, 0, 0, 2, 0]]


def test_nothing_counted_has_no_last_turn() -> None:
    assert last_turn(np.zeros((3, 0), np.int64)) == 0
    assert last_turn(np.zeros((3, 5, 2), np.int64)) == 0


def test_turns_of_long_games_are_drawn_together() -> None:
    counted = np.ones((3, 100, 2), np.int64)
    together, step = win_charts.grouped(counted)
    assert step == 5
    assert together.shape == (3, 20, 2)
    assert together.sum() == counted.sum()
