"""What the page keeps in sight in a real Chromium: the newest move, one's hand, what a card was, what went wrong."""

from collections.abc import Callable
from typing import Any

import pytest

from tests.web.browsers import Visit, installed
from tests.web.test_pages import at_table, my_turn

pytestmark = pytest.mark.skipif(
    installed() is None,
    reason="no Chromium: install chromium or google-chrome, or name a browser of its kind with KIBITZ_BROWSER",
)

Visitor = Callable[..., Visit]
DESK = {"viewport": {"width": 1440, "height": 900}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}

NEWEST_IN_SIGHT = """() => {
    const list = document.querySelector(".history");
    return list.scrollHeight > list.clientHeight
        && list.scrollTop + list.clientHeight >= list.scrollHeight - 2;
}"""


def play_on(page: Any, moves: int) -> None:
    """Discard the oldest card until so many moves are made; the bots move in between."""
    while page.locator(".history button").count() < moves and my_turn(page):
        made = page.locator(".history button").count()
        page.keyboard.press("d")
        page.keyboard.press("1")
        page.wait_for_function("made => document.querySelectorAll('.history button').length > made", arg=made)


@pytest.mark.parametrize("screen", [DESK, PHONE], ids=["desk", "phone"])
def test_the_history_keeps_the_newest_move_in_sight(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = at_table(visitor("Ada", **screen), "me", "simple_distrustful")
    play_on(page, 24)
    page.wait_for_function(NEWEST_IN_SIGHT)
    page.reload()
    page.wait_for_selector(".your-turn")
    page.wait_for_function(NEWEST_IN_SIGHT)
    page.get_by_text("Kibitz", exact=True).click()
    page.get_by_role("button", name="Count the odds").click()
    page.wait_for_selector(".odds-table")
    page.wait_for_function(NEWEST_IN_SIGHT)
    play_on(page, 26)
    page.wait_for_function(NEWEST_IN_SIGHT)


def test_who_scrolls_up_in_the_history_stays_there(visitor: Visitor) -> None:
    page = at_table(visitor("Ada", **DESK), "me", "simple_distrustful")
    play_on(page, 24)
    page.wait_for_function(NEWEST_IN_SIGHT)
    page.evaluate("document.querySelector('.history').scrollTop = 0")
    play_on(page, 26)
    assert page.evaluate("document.querySelector('.history').scrollTop") == 0
