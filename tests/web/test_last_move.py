"""What the page tells of the last move in a real Chromium: a sentence, arrows of a hint, a misplay, tones."""

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import TimeoutError, expect

from tests.web.browsers import Visit, barriers, every_screen, installed
from tests.web.test_pages import at_table, my_turn, shows_moves

pytestmark = pytest.mark.skipif(
    installed() is None,
    reason="no Chromium: install chromium or google-chrome, or name a browser of its kind with KIBITZ_BROWSER",
)

Visitor = Callable[..., Visit]

# Of each arrow how far its tip is from the middle of a card of the other hand, and whether it catches what is clicked.
ARROWS = """() => [...document.querySelectorAll(".arrow .head")].map(head => {
    const tip = head.getBoundingClientRect();
    const [x, y] = [(tip.left + tip.right) / 2, (tip.top + tip.bottom) / 2];
    const cards = [...document.querySelectorAll(".others .card.lit")].map(card => card.getBoundingClientRect());
    const away = cards.map(box => Math.abs((box.left + box.right) / 2 - x));
    return [Math.round(Math.min(...away)), Boolean(document.elementFromPoint(x, y)?.closest(".arrows"))];
})"""
# Remember the tones instead of making them.
TONES = """
  window.tones = [];
  const node = (more) => ({ connect: (to) => to, ...more });
  window.AudioContext = class {
    state = "running"; currentTime = 0; destination = node();
    constructor() { this.gestured = navigator.userActivation.isActive; window.audio = this; }
    createOscillator = () => node({ frequency: {}, start() { tones.push(this.frequency.value); }, stop() {} });
    createGain = () => node({ gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} } });
  };
"""


@every_screen
def test_the_last_move_is_a_sentence_with_arrows_for_a_hint_and_a_struck_life_for_a_misplay(
    visitor: Visitor, screen: dict[str, Any]
) -> None:
    page = at_table(visitor("Ada", **screen), "me", "simple_distrustful", "simple_distrustful")
    assert my_turn(page)
    said = page.locator(".last-text")
    expect(said).to_have_text("Nobody has moved yet.")
    for made, keys in ((0, ("h", "2", "r", "Enter")), (3, ("p", "5"))):
        shows_moves(page, made)
        assert my_turn(page)
        for key in keys:
            page.keyboard.press(key)
    shows_moves(page, 6)
    expect(said).to_contain_text(page.locator(".history .what").last.inner_text())
    assert page.evaluate("document.querySelector('.last-move').getBoundingClientRect().bottom <= innerHeight")
    table = page.url
    page.goto(f"{table}/turn/1")
    expect(said).to_have_text("Ada hints red to simple_distrustful 2: card 1, 5")
    page.wait_for_function(f"() => JSON.stringify(({ARROWS})()) === '[[0,false],[0,false]]'")
    page.goto(f"{table}/turn/4")
    expect(page.locator(".last-move.mistake")).to_have_text("✗Ada misplays 5: white 3. A life is lost: 2 of 3 left.")
    expect(page.get_by_role("img", name="2 of 3 lives, one just lost")).to_be_visible()
    assert [page.locator(each).count() for each in (".life.gone", ".life.lost", ".arrow")] == [1, 1, 0]
    assert barriers(page) == []


def test_love_letter_and_games_without_a_board_tell_the_last_move_too(visitor: Visitor) -> None:
    visit = visitor("Ada")
    page = at_table(visit, "me", "greedy", game="Love Letter", seed=3)
    assert my_turn(page)
    page.locator(".own button.letter:not([disabled])").first.click()
    while page.locator(".history button").count() == 0:
        with contextlib.suppress(TimeoutError):  # the move has just been made: there is nothing to choose any more
            page.locator(".deed [data-first]").first.click(timeout=1000)
    page.wait_for_function("() => document.querySelectorAll('.history button').length > 1")
    assert my_turn(page)
    said = page.locator(".history .what").last.evaluate("each => each.firstChild.textContent")
    expect(page.locator(".own-area .last-text")).to_have_text(said)
    # a game that brings no board has the plain one
    plain = "export { mount } from '/static/plain.js'"
    page.route("**/board.js", lambda each: each.fulfill(body=plain, content_type="text/javascript"))
    page.reload()
    expect(page.locator(".board + .last-move .last-text")).to_have_text(said)


def test_tones_are_off_until_they_are_switched_on(visitor: Visitor) -> None:
    visit = visitor("Ada")
    visit.context.add_init_script(TONES)
    page = at_table(visit, "me", "simple_distrustful", "simple_distrustful")
    assert my_turn(page)
    page.keyboard.press("d")
    page.keyboard.press("1")
    shows_moves(page, 3)
    assert page.evaluate("[window.audio, tones.length]") == [None, 0]
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Sound").check()
    page.keyboard.press("Escape")
    assert my_turn(page)
    assert page.evaluate("audio.gestured")
    page.keyboard.press("p")
    page.keyboard.press("4")
    shows_moves(page, 6)
    assert my_turn(page)
    tones = page.evaluate("tones")
    assert tones[:2] == [208, 156]  # a misplay
    assert tones[-2:] == [659, 880]  # one's own turn
