"""A replay stays where it is on the screen while one steps through it."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fuzzing import at_length
from tests.server.web.browsers import Visit, installed, on_a_screen
from tests.server.web.test_pages import at_table

pytestmark = pytest.mark.skipif(installed() is None, reason="no Chromium")


@at_length
@on_a_screen
def test_stepping_through_a_replay_does_not_scroll_the_page(
    visitor: Callable[..., Visit], screen: dict[str, Any]
) -> None:
    page = at_table(visitor("Ada", **screen), *["simple_distrustful"] * 3)
    page.set_default_timeout(20_000)
    page.wait_for_selector(".over")
    page.get_by_role("button", name="Replay the game").click()
    page.get_by_text("Replay: turn 0").wait_for()
    forward = page.get_by_role("button", name="Next turn")
    forward.scroll_into_view_if_needed()
    scrolled = page.evaluate("scrollY")
    for turn in range(1, 9):
        forward.click()
        page.get_by_text(f"Replay: turn {turn} ").wait_for()
        assert page.evaluate("scrollY") == scrolled
    expect(page.locator(".history .here")).to_contain_text("8")
    page.evaluate("scrollTo(0, 0)")
    page.keyboard.press("]")
    page.get_by_text("Replay: turn 9 ").wait_for()
    assert page.evaluate("scrollY") == 0
