"""The board of dice chess in a real Chromium: pieces are pressed, typed and dragged, and the die is shown."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.server.web.browsers import Visit, barriers, installed, on_a_screen, seated

pytestmark = pytest.mark.skipif(installed() is None, reason="no Chromium")


@on_a_screen
def test_a_piece_of_the_rolled_kind_is_pressed_typed_and_dragged(
    visitor: Callable[..., Visit], screen: dict[str, Any]
) -> None:
    page = seated(visitor("Ada", **screen), "me", "random", game="dicechess", seed=1)
    made = page.locator(".history button")
    movable, target = page.locator(".square.movable"), page.locator(".square.target")

    def my_turn(after: int) -> None:
        page.wait_for_function("after => document.querySelectorAll('.history button').length > after &&"
                               " document.querySelector('.square.movable')", arg=after)  # fmt: skip

    my_turn(0)
    assert barriers(page) == []
    movable.first.click()
    expect(target.first).to_be_visible()
    page.keyboard.press("Escape")
    expect(target).to_have_count(0)
    movable.first.click()
    count = made.count()
    target.first.click()
    my_turn(count)
    movable.first.click()
    way = f"{movable.first.get_attribute('data-square')}{target.first.get_attribute('data-square')}"
    page.keyboard.press("Escape")
    count = made.count()
    page.keyboard.type(way)
    my_turn(count)
    movable.first.click()
    there = target.first.get_attribute("data-square")
    page.keyboard.press("Escape")
    count = made.count()
    movable.first.drag_to(page.locator(f"[data-square='{there}']"))
    my_turn(count)
