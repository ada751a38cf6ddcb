"""Bots that sit in for people, as the page shows it in a real Chromium: who is chosen, and who made which move."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fuzzing import at_length
from tests.server.web.browsers import PATIENCE, Visit, installed, opened
from tests.server.web.test_pages import at_table, my_turn

pytestmark = pytest.mark.skipif(
    installed() is None,
    reason="no Chromium: install chromium or google-chrome, or name a browser of its kind with KIBITZ_BROWSER",
)

Visitor = Callable[..., Visit]


def seat(page: Any, number: int) -> Any:
    return page.locator(".seats .seat-name").nth(number - 1)


def let_a_bot_play(page: Any) -> None:
    opened(page, "around")
    page.get_by_role("button", name="Let a bot play for me").click()
    page.get_by_role("button", name="Take my seat back").wait_for(timeout=PATIENCE)


@pytest.mark.parametrize(
    ("game", "bot", "title"),
    [("Hanabi", "common_sense", "Sensible Sidney"), ("Love Letter", "counting", "Counting Corey")],
)
def test_a_bot_of_the_tables_level_plays_for_me(visitor: Visitor, game: str, bot: str, title: str) -> None:
    page = at_table(visitor("Ada"), "me", bot, game=game, bot_delay=60_000)
    opened(page, "around")
    expect(page.get_by_label("Substitute bot")).to_have_value(bot)
    expect(page.locator("#stand-in-about")).to_have_text(
        "already plays at this table · level: " + {"common_sense": "hard", "counting": "medium"}[bot]
    )
    let_a_bot_play(page)
    expect(seat(page, 1)).to_have_text(f"{title} for Ada")


@at_length
def test_the_bot_that_plays_for_me_is_the_one_i_choose(visitor: Visitor) -> None:
    page = at_table(visitor("Ada"), "me", "simple_distrustful", bot_delay=60_000)
    opened(page, "around")
    chosen = page.get_by_label("Substitute bot")
    assert "Peeking Pip" not in chosen.inner_text()
    chosen.select_option("common_sense")
    expect(page.locator("#stand-in-about")).to_have_text("level: hard")
    let_a_bot_play(page)
    expect(seat(page, 1)).to_have_text("Sensible Sidney for Ada")
    expect(chosen).to_be_hidden()


@at_length
def test_the_bot_in_a_seat_that_nobody_took_is_of_the_middle_level_or_the_one_i_choose(visitor: Visitor) -> None:
    page = at_table(visitor("Ada"), "me", "open", "open")
    chosen = page.get_by_label("Substitute bot")
    expect(chosen).to_have_value("hint_and_play")
    expect(page.locator("#stand-in-about")).to_have_text("default where only people play · level: medium")
    page.get_by_role("button", name="Let a bot play", exact=True).first.click()
    expect(seat(page, 2)).to_have_text("Hopeful Hazel")
    chosen.select_option("hajdu_v2")
    page.get_by_role("button", name="Let a bot play", exact=True).click()
    expect(seat(page, 3)).to_have_text("Clear Charlie")
    assert my_turn(page)
    expect(chosen).to_have_value("hajdu_v2")


def test_who_moved_is_who_moved_whoever_sits_there_now(visitor: Visitor) -> None:
    page = at_table(visitor("Ada"), "me", "simple_distrustful", bot_delay=0)
    assert my_turn(page)
    opened(page, "around")
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Resume").wait_for()
    page.keyboard.press("d")
    page.keyboard.press("1")
    moves = page.locator(".history .what")
    expect(moves).to_have_count(1)
    expect(moves.first).to_contain_text("Ada discards")
    page.get_by_role("button", name="Step", exact=True).click()
    expect(moves).to_have_count(2)
    let_a_bot_play(page)
    expect(page.locator(".toast").last).to_contain_text("Simple Sam now plays for Ada.")
    page.get_by_role("button", name="Step", exact=True).click()
    expect(moves).to_have_count(3)
    page.get_by_role("button", name="Take my seat back").click()
    expect(page.locator(".toast").last).to_contain_text("Ada is back at seat 1.")
    for _ in range(2):  # as it happens, and for a latecomer
        expect(moves.nth(0)).to_contain_text(re.compile("^Ada discards"))
        expect(moves.nth(1)).to_contain_text(re.compile("^Simple Sam [a-z]"))
        expect(moves.nth(2)).to_contain_text(re.compile("^Simple Sam for Ada [a-z]"))
        expect(page.locator(".last-text")).to_contain_text("Simple Sam for Ada")
        expect(seat(page, 1)).to_have_text("Ada")
        moves.first.click()
        page.get_by_text("Replay: turn 1").wait_for()
        expect(page.locator(".last-text")).to_contain_text("Ada discards")
        page.keyboard.press("End")
        page.reload()
