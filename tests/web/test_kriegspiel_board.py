"""The board of Kriegspiel in a real Chromium: attempts are pressed and typed, the umpire is read, odds are drawn."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browsers import Visit, barriers, installed, on_a_screen, seated

pytestmark = pytest.mark.skipif(installed() is None, reason="no Chromium")


@on_a_screen
def test_an_attempt_is_pressed_and_typed_and_the_umpire_answers(
    visitor: Callable[..., Visit], screen: dict[str, Any]
) -> None:
    page = seated(visitor("Ada", **screen), "me", "heuristic", game="kriegspiel", seed=1)
    movable, figures, umpire = (
        page.locator(each) for each in (".square.movable", ".square .figure", ".umpire li")
    )  # fmt: skip
    expect(movable.first).to_be_visible()
    expect(figures).to_have_count(16)  # one's own
    assert barriers(page) == []
    page.locator("[data-square='e2']").click()
    page.locator("[data-square='e4'].target").click()
    expect(umpire.first).to_contain_text("Black has moved")
    expect(umpire.nth(1)).to_contain_text("White e2e4")
    expect(movable.first).to_be_visible()
    page.keyboard.type("d2d4")
    expect(umpire.filter(has_text="White d2d4")).to_have_count(1)
    expect(movable.first).to_be_visible()
    page.get_by_text("Kibitz", exact=True).click()
    page.get_by_role("button", name="Count the odds").click()
    heat = page.locator(".kriegspiel-heat svg")
    expect(heat).to_be_visible()
    assert "206 positions are possible. Kings may stand on d7, e7, f7, e8." in str(heat.get_attribute("aria-label"))
