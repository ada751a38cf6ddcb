"""Hands in a real Chromium: cards that are dragged, the side of the newest, the next discard, notes on every card."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.web.browsers import Visit, barriers, every_screen, installed
from tests.web.test_pages import at_table, my_turn, shows_moves

pytestmark = pytest.mark.skipif(
    installed() is None,
    reason="no Chromium: install chromium or google-chrome, or name a browser of its kind with KIBITZ_BROWSER",
)

Visitor = Callable[..., Visit]


class Hand:
    """A mouse or a finger that takes something and carries it."""

    def __init__(self, page: Any, touch: bool) -> None:
        self.page, self.touch = page, page.context.new_cdp_session(page) if touch else None

    def act(self, what: str, *points: dict[str, float]) -> None:
        assert self.touch is not None
        self.touch.send("Input.dispatchTouchEvent", {"type": f"touch{what}", "touchPoints": list(points)})

    def middle(self, selector: str) -> dict[str, float]:
        box = self.page.locator(selector).first.bounding_box()
        return {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}

    def take(self, selector: str) -> None:
        place = self.middle(selector)
        if self.touch:
            self.act("Start", place)
            self.page.wait_for_selector(".dragging")
            return
        self.page.mouse.move(**place)
        self.page.mouse.down()

    def carry(self, selector: str) -> None:
        place = self.middle(selector)
        if self.touch:
            self.act("Move", place)
        else:
            self.page.mouse.move(**place, steps=2)

    def let_go(self) -> None:
        if self.touch:
            self.act("End")
        else:
            self.page.mouse.up()


def set_to(page: Any, **settings: Any) -> None:
    page.evaluate(
        """async settings => {
            const { setSetting } = await import("/static/settings.js");
            for (const [name, value] of Object.entries(settings)) setSetting(name, value);
        }""",
        settings,
    )


@every_screen
def test_a_card_is_played_by_dragging_it_to_the_fireworks(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = at_table(visitor("Ada", **screen), "me", "simple_distrustful", "simple_distrustful")
    assert my_turn(page)
    hand = Hand(page, screen.get("has_touch", False))
    card = ".own .card:nth-child(5)"
    hand.take(card)
    hand.carry(".discards h2")
    assert [page.locator(each).count() for each in (".drop", ".drop.over")] == [2, 1]
    hand.carry(".others h2")  # nobody takes it there
    assert page.locator(".drop.over").count() == 0
    hand.let_go()
    hand.take(card)
    hand.carry(".piles")
    page.keyboard.press("Escape")
    assert [page.locator(each).count() for each in (".drop", ".dragged", ".own [aria-pressed=true]")] == [0, 0, 0]
    hand.let_go()
    assert page.locator(".history button").count() == 0
    hand.take(card)
    hand.carry(".piles")
    expect(page.locator(".piles.over")).to_have_attribute("data-drop", "Play card 5")
    hand.let_go()
    shows_moves(page, 3)
    expect(page.locator(".history .what").first).to_have_text("Ada misplays 5: white 3")


def test_a_finger_that_swipes_over_a_card_scrolls_the_page(visitor: Visitor) -> None:
    screen = {"viewport": {"width": 390, "height": 600}, "has_touch": True, "is_mobile": True}
    page = at_table(visitor("Ada", **screen), "me", "simple_distrustful", "simple_distrustful")
    assert my_turn(page)
    hand = Hand(page, True)
    start = hand.middle(".own .card")
    hand.act("Start", start)
    for step in range(1, 9):
        hand.act("Move", {**start, "y": start["y"] - 30 * step})
    page.wait_for_function("() => scrollY > 0")
    assert page.locator(".drop, .dragged").count() == 0
    hand.act("End")
    assert page.locator(".history button").count() == 0


def test_in_love_letter_a_card_is_dragged_onto_whom_it_is_played_on(visitor: Visitor) -> None:
    page = at_table(visitor("Ada"), "me", "greedy", "greedy", game="Love Letter")
    assert my_turn(page)
    assert page.get_by_role("button", name="Your card 1: Prince").is_visible()
    assert page.get_by_role("button", name="Your card 2: Handmaid").is_visible()
    hand = Hand(page, False)
    hand.take("[data-slot='1']")
    hand.carry(".others")
    expect(page.locator(".others.over")).to_have_attribute("data-drop", "Play Handmaid")
    page.keyboard.press("Escape")
    hand.let_go()
    hand.take("[data-slot='0']")
    hand.carry("[data-seat='2']")
    hand.let_go()
    expect(page.locator(".history .what").first).to_contain_text("Ada plays Prince on greedy 3")


@every_screen
def test_notes_on_every_card_in_shorthand_stay_with_it(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = at_table(visitor("Ada", **screen), "me", "simple_distrustful", "simple_distrustful")
    assert my_turn(page)
    page.locator(".others .card").nth(1).click()
    page.get_by_role("button", name="Note", exact=True).click()
    page.keyboard.type("k r3, !p")
    expect(page.locator(".deed .note")).to_have_text("✓3▲")
    page.keyboard.press("Enter")
    theirs = page.locator(".others .card").nth(1)
    expect(theirs.locator(".note-part")).to_have_count(3)
    assert "note: known, red 3, not playable" in (theirs.get_attribute("aria-label") or "")
    page.keyboard.press("d")
    page.keyboard.press("1")
    shows_moves(page, 3)
    assert my_turn(page)
    for key in ("n", "4"):  # nothing is told of it, and it has the focus no more
        page.locator("#main").focus()
        page.keyboard.press(key)
    page.keyboard.type("rb3 or a five")
    page.keyboard.press("Enter")
    set_to(page, newest="left", chop=True)
    own = page.locator(".own .card")
    assert own.locator(".slot").all_inner_texts() == ["5", "4", "3", "2", "1"]
    expect(own.nth(1).locator(".note")).to_have_text("rb3 or a five")
    expect(own.locator(".chop")).to_have_count(1)
    assert "would be discarded next" in (own.nth(4).get_attribute("aria-label") or "")
    assert barriers(page) == []
    page.reload()
    page.wait_for_selector(".your-turn")
    assert page.locator(".others .note-part, .own .note").count() == 4
    page.keyboard.press("[")
    page.get_by_text("Looking back: after move 2").wait_for()
    expect(page.locator(".others .note-part")).to_have_count(3)
    expect(page.locator(".own .note")).to_have_count(0)


def test_the_card_discarded_next_is_the_oldest_that_no_hint_has_touched(visitor: Visitor) -> None:
    page = at_table(visitor("Ada"), "me", "simple_distrustful", "simple_distrustful")
    assert my_turn(page)
    assert page.locator(".chop").count() == 0
    set_to(page, chop=True)
    theirs = page.locator("[data-hand='1'] .card:has(.chop) .slot")
    assert theirs.all_inner_texts() == ["1"]
    for key in ("h", "2", "r", "Enter"):  # touches their cards 1 and 5
        page.keyboard.press(key)
    shows_moves(page, 3)
    assert theirs.all_inner_texts() == ["2"]
