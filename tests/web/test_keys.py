"""Keys in a real Chromium: a question before a card is gone, arrows through the past."""

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
TWO_GUARDS = 2  # a seed that deals them to the first of two players of Love Letter


def asking(visit: Visit) -> Visit:
    """With the question that the tests of other things switch off."""
    visit.context.add_init_script("localStorage.removeItem('kibitz.choice.setting.confirm')")
    return visit


@every_screen
def test_keys_ask_before_they_act_and_arrows_step_through_the_past(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = at_table(asking(visitor("Ada", **screen)), "me", "simple_distrustful", "simple_distrustful")
    assert my_turn(page)
    page.keyboard.press("p")
    page.keyboard.press("3")
    expect(page.locator(".deed p")).to_have_text("Play card 3? Enter to play, Esc to keep it.")
    expect(page.locator(".own [aria-pressed=true] .slot")).to_have_text("3")
    assert barriers(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(".own [aria-pressed=true]")).to_have_count(0)
    page.keyboard.press("d")
    page.keyboard.press("2")
    expect(page.locator(".deed p")).to_have_text("Discard card 2? Enter to discard, Esc to keep it.")
    assert page.locator(".history button").count() == 0
    page.keyboard.press("Enter")
    shows_moves(page, 3)
    expect(page.locator(".history .what").first).to_contain_text("Ada discards 2")
    assert my_turn(page)
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Looking back: after move 2 of 3").wait_for()
    page.get_by_label("Move to look at").focus()
    page.keyboard.press("ArrowLeft")  # the slider's own
    page.get_by_text("Looking back: after move 1 of 3").wait_for()
    page.locator("#main").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_text("Looking back: after move 2 of 3").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("Your turn").first.wait_for()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("← and →, or [ and ]")


def test_the_question_can_be_switched_off(visitor: Visitor) -> None:
    page = at_table(asking(visitor("Ada")), "me", "simple_distrustful")
    assert my_turn(page)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Ask before keys play or discard").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    page.keyboard.press("1")
    shows_moves(page, 2)


def test_a_guard_and_a_plain_board_ask_too(visitor: Visitor) -> None:
    visit = asking(visitor("Ada"))
    page = at_table(visit, "me", "greedy", game="Love Letter", seed=TWO_GUARDS)
    assert my_turn(page)
    for key in ("1", "2", "8"):
        page.keyboard.press(key)
    play = page.get_by_role("button", name="Play Guard on greedy, naming Princess")
    expect(play).to_be_focused()
    assert page.locator(".history button").count() == 0
    page.keyboard.press("Enter")
    expect(page.locator(".history .what").first).to_contain_text("Ada plays Guard on greedy, naming Princess")
    page.evaluate("""async () => {
        const { mount } = await import("/static/plain.js");
        const board = mount(document.getElementById("main"), { move: (text) => { window.made = text; } });
        board.render({ text: "7 matches" }, { choices: [{ move: "take 1" }, { move: "take 2" }], say: (text) => text });
        board.key({ key: "2" });
    }""")
    expect(page.get_by_role("button", name="take 2")).to_be_focused()
    assert page.evaluate("window.made") is None
    page.keyboard.press("Enter")
    assert page.evaluate("window.made") == "take 2"
