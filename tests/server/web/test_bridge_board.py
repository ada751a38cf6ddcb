"""Bridge on the page: cards are played by hand and by keys, dummy's too, and looking back tells what they take."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from kibitz.games.bridge import double_dummy
from tests.server.web.browsers import PHONE, SCREENS, Visit, barriers, installed, seated

pytestmark = pytest.mark.skipif(installed() is None, reason="needs a Chromium")

Visitor = Callable[..., Visit]


LEGAL = "button.card.legal"


def at_table(visitor: Visitor, **chosen: object) -> Page:
    screen = chosen.pop("screen", {})
    return seated(visitor("Ada", **screen), "me", *["heuristic"] * 3, game="bridge", seed=3, rules=chosen)  # type: ignore[arg-type]


def test_the_declarer_plays_both_hands(visitor: Visitor) -> None:
    page = at_table(visitor, declarer="north", screen=SCREENS["phone-dark"])
    expect(page.locator(".contract")).to_contain_text("1NT")
    expect(page.locator(".far.due .badge", has_text="Ada plays")).to_be_visible()  # a card of dummy is due
    assert page.locator(f".near {LEGAL}").count() == 0
    dummy = page.locator(f".far {LEGAL}")
    expect(dummy).to_have_count(3)  # players must follow hearts
    assert barriers(page) == []
    dummy.last.click()
    expect(page.locator(f".near {LEGAL}").first).to_be_visible()
    page.locator(f".near {LEGAL}").first.click()
    expect(page.locator(".last")).to_contain_text("last trick")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_defender_leads_by_keys_and_then_sees_dummy(visitor: Visitor) -> None:
    page = at_table(visitor, declarer="west")
    expect(page.locator(f".near {LEGAL}")).to_have_count(13)
    expect(page.locator(".backs")).to_have_count(3)
    page.keyboard.press("h")
    expect(page.locator(".prompt")).to_contain_text("Hearts: which card?")
    page.keyboard.press("4")
    expect(page.get_by_role("button", name="Play the four of hearts")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("h")
    page.keyboard.press("a")
    page.keyboard.press("Enter")
    expect(page.locator("[data-laid=HA]")).to_be_visible()
    expect(page.locator(".backs")).to_have_count(2)
    expect(page.locator(".left-hand .card").first).to_be_visible()


@pytest.mark.skipif(not double_dummy.installed(), reason=double_dummy.MISSING)
def test_looking_back_tells_how_many_tricks_each_card_takes(visitor: Visitor) -> None:
    page = seated(visitor("Ada", **PHONE), *["heuristic"] * 4, game="bridge", seed=3, rules={})
    expect(page.get_by_text("All cards are played.")).to_be_visible()
    page.goto(f"{page.url}/turn/0")
    expect(page.locator(".worth")).to_have_count(13)
    assert page.locator(".worth.best").count() >= 1
    expect(page.locator(".prompt")).to_contain_text("with all hands open")
