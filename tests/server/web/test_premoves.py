"""Moves made before one's turn, in open games of two, in a real Chromium."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.fuzzing import at_length
from tests.server.web.browsers import Visit, barriers, installed, seated

pytestmark = pytest.mark.skipif(installed() is None, reason="no Chromium")

Visitor = Callable[..., Visit]


def test_a_premove_is_made_as_soon_as_it_is_ones_turn(visitor: Visitor) -> None:
    page = seated(visitor("Ada"), "me", "random", game="connect4", seed=1, bot_delay=2000)
    page.keyboard.press("4")
    page.locator("[data-key='column-2']:not([disabled])").click()
    expect(page.locator(".prompt p")).to_have_text("Premove: column 2.")
    assert barriers(page) == []
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator(".prompt")).not_to_contain_text("Premove")
    page.keyboard.press("2")
    page.wait_for_function("() => document.querySelectorAll('.history button').length >= 3")
    expect(page.locator(".history .what").nth(2)).to_contain_text("Ada plays 2.")


@at_length
def test_a_premove_that_is_not_legal_any_more_is_not_made(visitor: Visitor) -> None:
    page = seated(visitor("Ada"), "me", "random", game="tictactoe", seed=1, bot_delay=2000)
    page.locator("[data-key='b2']").click()
    page.wait_for_selector(".waits")
    taken = page.locator(".place.circle")
    page.keyboard.press("1")
    expect(page.locator(".prompt p")).to_have_text("Premove: a1.")
    page.keyboard.press("Escape")
    expect(page.locator(".waits")).to_be_visible()
    expect(taken).to_have_count(1)
    page.wait_for_selector(".your-turn")


@at_length
def test_draughts_have_premoves_of_two_presses(visitor: Visitor) -> None:
    page = seated(visitor("Ada"), "me", "random", game="draughts", seed=1, bot_delay=2000)
    page.locator("[data-square='22']").click()
    page.locator("[data-square='18']").click()
    page.wait_for_selector(".waits")
    page.locator("[data-square='24']").click()
    page.locator("[data-square='20']").click()
    expect(page.locator(".prompt p")).to_have_text("Premove: 24 to 20.")
    page.wait_for_function("() => document.querySelectorAll('.history button').length >= 2")
