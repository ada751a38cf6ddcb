"""The page of a review shows what the seat could see, and the rest on a click."""

import re

import kibitz
from kibitz.coach.page import page, section
from kibitz.coach.review import Review
from tests.coach.test_review import game_of, in_another_world, reviewed

HIDDEN = re.compile(r"<details>.*?</details>", re.DOTALL)


def test_a_reviewed_turn_shows_only_what_the_seat_could_see() -> None:
    record = game_of("hanabi", ["trustful", "piers", "trustful"], seed=5)
    one = record.up_to(31)
    other = in_another_world(record, 0, 31, stream=2)
    here, there = (
        [section(review, turn) for turn in review.turns] for review in (reviewed(each, 0) for each in (one, other))
    )
    assert one.start != other.start
    assert here == there


def test_hidden_cards_take_a_click_and_a_finished_game() -> None:
    record = game_of("hanabi", ["random_legal", "piers"], seed=2)
    finished, running = reviewed(record), reviewed(record.up_to(12))
    assert finished.worst
    turn = finished.worst[0]
    shown = section(finished, turn)
    assert finished.hidden_picture(turn) in "".join(HIDDEN.findall(shown))
    assert finished.hidden_picture(turn) not in HIDDEN.sub("", shown)
    assert "<details>" not in page(running)


def test_the_page_stands_alone_and_a_notebook_draws_it() -> None:
    review: Review = kibitz.review(game_of("tictactoe", ["random", "random"], seed=3), seat=1)
    assert review.html.startswith("<!doctype html>")
    assert not re.search(r"(?:src|href)=\"(?!#)", review.html)
    assert "All decisions" in review._repr_html_()
    assert repr(review).startswith("<review of random (seat 1): accuracy")
    assert review.frame.columns[:4] == ["turn", "seat", "move", "best"]
