"""The map of elites in the laboratory: for the eyes, the keyboard and screen readers; a click seats an elite."""

import re
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from tests.server.web.browsers import Visit, barriers, installed, on_a_screen

pytestmark = pytest.mark.skipif(installed() is None, reason="There is no Chromium here.")

Visitor = Callable[..., Visit]


@on_a_screen
def test_the_map_tells_of_every_cell_and_a_click_seats_its_elite(visitor: Visitor, screen: dict[str, Any]) -> None:
    visit = visitor("Ada", **screen)
    page = visit.open("#/lab", ".elite-map button")
    panel = page.locator(".elite-details")
    cells = page.locator(".elite-map button")
    assert cells.count() > 200
    assert page.locator(".elite-map button[tabindex='0']").count() == 1
    page.get_by_role("button", name="Map of playing styles in Hanabi").click()
    expect(page.locator(".elite-map button[tabindex='0']")).to_be_focused()
    before = panel.get_by_role("heading").inner_text()
    page.keyboard.press("ArrowLeft")
    expect(panel.get_by_role("heading")).not_to_have_text(before)
    expect(panel).to_contain_text("with copies of itself")
    expect(panel.locator("li").first).to_contain_text(re.compile("plays|tells|throws|gives"))
    page.get_by_role("button", name="with copies of itself").click()
    chosen = page.locator(".elite-map button[tabindex='0']")
    expect(chosen).to_have_accessible_name(
        re.compile(r"Communicativeness 0\.\d\d, risk aversion 0\.\d\d: .* with copies")
    )
    assert barriers(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= screen["viewport"]["width"]
    title = panel.get_by_role("heading").inner_text()
    if screen.get("has_touch"):  # the first touch tells, the second seats
        other = page.locator(".elite-map button[tabindex='-1']").first
        which = other.get_attribute("data-cell")
        other.tap()
        expect(page.locator(f".elite-map button[data-cell='{which}']")).to_have_attribute("tabindex", "0")
        assert page.url.endswith("#/lab")
        title = panel.get_by_role("heading").inner_text()
        page.locator(f".elite-map button[data-cell='{which}']").tap()
    else:
        chosen.click()
    page.wait_for_selector("#whose")
    expect(page.locator(".seats")).to_contain_text(title)
    assert not [said for said in visit.said if said.startswith("error")]
