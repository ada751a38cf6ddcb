"""The boards in a real Chromium: the last move, hands, notes, cards that are dragged, keys."""

import contextlib
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import TimeoutError, expect

from tests.fuzzing import at_length, first_of
from tests.server.web.browsers import DESKTOP, PHONE, Hand, Visit, barriers, installed, on_a_screen, seated
from tests.server.web.test_pages import my_turn, shows_moves

pytestmark = pytest.mark.skipif(
    installed() is None,
    reason="no Chromium: install chromium or google-chrome, or name a browser of its kind with KIBITZ_BROWSER",
)

Visitor = Callable[..., Visit]
both_sizes = first_of(1, "screen", [DESKTOP, PHONE], ids=["desktop", "phone"])  # where themes do not matter

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


@on_a_screen
def test_the_last_move_is_a_sentence_with_arrows_for_a_hint_and_a_struck_life_for_a_misplay(
    visitor: Visitor, screen: dict[str, Any]
) -> None:
    page = seated(visitor("Ada", **screen), "me", "simple_distrustful", "simple_distrustful")
    assert my_turn(page)
    said = page.locator(".last-text")
    expect(said).to_have_text("No moves yet.")
    for made, keys in ((0, ("h", "2", "r", "Enter")), (3, ("p", "5"))):
        shows_moves(page, made)
        assert my_turn(page)
        for key in keys:
            page.keyboard.press(key)
    shows_moves(page, 6)
    expect(said).to_contain_text(page.locator(".history .what").last.inner_text().splitlines()[0])  # without its reason
    assert page.evaluate("document.querySelector('.last-move').getBoundingClientRect().bottom <= innerHeight")
    table = page.url
    page.goto(f"{table}/turn/1")
    expect(said).to_have_text("Ada hints red to Simple Sam 2: cards 1, 5")
    page.wait_for_function(f"() => JSON.stringify(({ARROWS})()) === '[[0,false],[0,false]]'")
    page.goto(f"{table}/turn/4")
    expect(page.locator(".last-move.mistake")).to_have_text("✗Ada misplays white 3 (card 5). 2 of 3 lives left.")
    expect(page.get_by_role("img", name="2 of 3 lives, one just lost")).to_be_visible()
    assert [page.locator(each).count() for each in (".life.gone", ".life.lost", ".arrow")] == [1, 1, 0]
    assert barriers(page) == []


def test_love_letter_and_games_without_a_board_tell_the_last_move_too(visitor: Visitor) -> None:
    visit = visitor("Ada")
    page = seated(visit, "me", "greedy", game="loveletter", seed=3)
    assert my_turn(page)
    page.locator(".own button.letter:not([disabled])").first.click()
    while page.locator(".history button").count() == 0:
        with contextlib.suppress(TimeoutError):  # the move has just been made: there is nothing to choose any more
            page.locator(".prompt [data-first]").first.click(timeout=1000)
    page.wait_for_function("() => document.querySelectorAll('.history button').length > 1")
    assert my_turn(page)
    said = page.locator(".history .what").last.evaluate("each => each.firstChild.textContent")
    expect(page.locator(".own-area .last-text")).to_have_text(said)
    # a game that brings no board has the plain one
    plain = "export { mount } from '/static/plain_board.js'"
    page.route("**/board.js", lambda each: each.fulfill(body=plain, content_type="text/javascript"))
    page.reload()
    expect(page.locator(".board + .last-move .last-text")).to_have_text(said)


@at_length
def test_tones_are_for_ones_turn_while_one_looks_elsewhere_until_all_are_switched_on(visitor: Visitor) -> None:
    visit = visitor("Ada")
    visit.context.add_init_script(TONES)
    page = seated(visit, "me", "simple_distrustful", "simple_distrustful")
    assert my_turn(page)
    page.keyboard.press("d")
    page.keyboard.press("1")
    shows_moves(page, 3)
    assert page.evaluate("[document.hasFocus(), tones.length]") == [True, 0]
    page.evaluate("document.hasFocus = () => false")
    assert my_turn(page)
    page.keyboard.press("d")
    page.keyboard.press("1")
    shows_moves(page, 6)
    page.wait_for_function("() => JSON.stringify(tones) === '[659,880]'")
    page.evaluate("tones.length = 0")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Sound").select_option("all")
    page.keyboard.press("Escape")
    assert my_turn(page)
    assert page.evaluate("audio.gestured")
    page.keyboard.press("p")
    page.keyboard.press("3")
    shows_moves(page, 9)
    assert my_turn(page)
    tones = page.evaluate("tones")
    assert tones[:2] == [208, 156]  # a misplay
    assert tones[-2:] == [659, 880]  # one's own turn


def set_to(page: Any, **settings: Any) -> None:
    page.evaluate(
        """async settings => {
            const { setSetting } = await import("/static/settings.js");
            for (const [name, value] of Object.entries(settings)) setSetting(name, value);
        }""",
        settings,
    )


@both_sizes
def test_a_card_is_played_by_dragging_it_to_the_fireworks(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = seated(visitor("Ada", **screen), "me", "simple_distrustful", "simple_distrustful")
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
    expect(page.locator(".history .what").first).to_have_text("Ada misplays white 3 (card 5)")


@at_length
def test_a_finger_that_swipes_over_a_card_scrolls_the_page(visitor: Visitor) -> None:
    page = seated(
        visitor("Ada", **{**PHONE, "viewport": {"width": 390, "height": 600}}),
        "me",
        "simple_distrustful",
        "simple_distrustful",
    )
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
    page = seated(visitor("Ada"), "me", "greedy", "greedy", game="loveletter")
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
    expect(page.locator(".history .what").first).to_contain_text("Ada plays Prince on Eager Eden 3")


@on_a_screen
def test_notes_on_every_card_in_shorthand_stay_with_it(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = seated(visitor("Ada", **screen), "me", "simple_distrustful", "simple_distrustful")
    assert my_turn(page)
    page.locator(".others .card").nth(1).click()
    page.get_by_role("button", name="Add note", exact=True).click()
    page.keyboard.type("k r3, !p")
    expect(page.locator(".prompt .note")).to_have_text("✓3▲")
    page.keyboard.press("Enter")
    theirs = page.locator(".others .card").nth(1)
    expect(theirs.locator(".note-part")).to_have_count(3)
    assert "note: known, red 3, not playable" in (theirs.get_attribute("aria-label") or "")
    page.keyboard.press("d")
    page.keyboard.press("1")
    shows_moves(page, 3)
    assert my_turn(page)
    for key in ("n", "4"):  # it has no clues, and no longer the focus
        page.locator("#main").focus()
        page.keyboard.press(key)
    page.keyboard.type("rb3 or a five")
    page.keyboard.press("Enter")
    set_to(page, newest="left", chop=True)
    own = page.locator(".own .card")
    assert own.locator(".slot").all_inner_texts() == ["5", "4", "3", "2", "1"]
    expect(own.nth(1).locator(".note")).to_have_text("rb3 or a five")
    expect(own.locator(".chop")).to_have_count(1)
    assert "next discard" in (own.nth(4).get_attribute("aria-label") or "")
    assert barriers(page) == []
    page.reload()
    page.wait_for_selector(".your-turn")
    assert page.locator(".others .note-part, .own .note").count() == 4
    page.keyboard.press("[")
    page.get_by_text("Replay: turn 2").wait_for()
    expect(page.locator(".others .note-part")).to_have_count(3)
    expect(page.locator(".own .note")).to_have_count(0)


@at_length
def test_a_note_that_is_being_written_outlasts_a_move(visitor: Visitor) -> None:
    page = seated(visitor("Ada"), "me", "simple_distrustful")
    assert my_turn(page)
    page.keyboard.press("n")
    page.keyboard.press("5")
    page.keyboard.type("r3 or")
    window = visitor("Ada")  # the same person moves in another window
    seats = page.evaluate("localStorage.getItem('kibitz.seats')")
    window.context.add_init_script(f"localStorage.setItem('kibitz.seats', {seats!r})")
    again = window.open(page.url.removeprefix(window.server.address), ".your-turn")
    again.keyboard.press("d")
    again.keyboard.press("1")
    shows_moves(page, 2)
    page.keyboard.type(" b3")
    page.keyboard.press("Enter")
    expect(page.locator(".own .card").nth(3).locator(".note")).to_have_text("r3 or b3")
    expect(again.locator(".own .note")).to_have_count(0)  # it is there with the next view
    again.reload()
    expect(again.locator(".own .note")).to_have_text("r3 or b3")


def test_the_card_discarded_next_is_the_oldest_that_no_hint_has_touched(visitor: Visitor) -> None:
    page = seated(visitor("Ada"), "me", "simple_distrustful", "simple_distrustful")
    assert my_turn(page)
    assert page.locator(".chop").count() == 0
    set_to(page, chop=True)
    theirs = page.locator("[data-hand='1'] .card:has(.chop) .slot")
    assert theirs.all_inner_texts() == ["1"]
    for key in ("h", "2", "r", "Enter"):  # touches their cards 1 and 5
        page.keyboard.press(key)
    shows_moves(page, 3)
    assert theirs.all_inner_texts() == ["2"]


def asking(visit: Visit) -> Visit:
    """With the question that the tests of other things switch off."""
    confirm = "localStorage.removeItem('kibitz.choice.setting.confirm')"
    visit.context.add_init_script(f"if (location.protocol !== 'about:') {confirm}")
    return visit


@both_sizes
def test_keys_ask_before_they_act_and_arrows_step_through_the_past(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = seated(asking(visitor("Ada", **screen)), "me", "simple_distrustful", "simple_distrustful")
    assert my_turn(page)
    page.keyboard.press("p")
    page.keyboard.press("3")
    expect(page.locator(".prompt p")).to_have_text("Play card 3? Enter confirms, Esc cancels.")
    expect(page.locator(".own [aria-pressed=true] .slot")).to_have_text("3")
    assert barriers(page) == []
    page.keyboard.press("Escape")
    expect(page.locator(".own [aria-pressed=true]")).to_have_count(0)
    page.keyboard.press("d")
    page.keyboard.press("2")
    expect(page.locator(".prompt p")).to_have_text("Discard card 2? Enter confirms, Esc cancels.")
    assert page.locator(".history button").count() == 0
    page.keyboard.press("Enter")
    shows_moves(page, 3)
    expect(page.locator(".history .what").first).to_contain_text("Ada discards blue 3 (card 2)")
    assert my_turn(page)
    page.keyboard.press("ArrowLeft")
    page.get_by_text("Replay: turn 2 of 3").wait_for()
    page.get_by_label("Turn to show").focus()
    page.keyboard.press("ArrowLeft")  # the slider's own
    page.get_by_text("Replay: turn 1 of 3").wait_for()
    page.locator("#main").focus()
    page.keyboard.press("ArrowRight")
    page.get_by_text("Replay: turn 2 of 3").wait_for()
    page.keyboard.press("ArrowRight")
    page.get_by_text("Your turn").first.wait_for()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("← and →, or [ and ]")


@at_length
def test_the_question_can_be_switched_off(visitor: Visitor) -> None:
    page = seated(asking(visitor("Ada")), "me", "simple_distrustful")
    assert my_turn(page)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Confirm moves made with keys").uncheck()
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    page.keyboard.press("1")
    shows_moves(page, 2)


def test_a_guard_and_a_plain_board_ask_too(visitor: Visitor) -> None:
    visit = asking(visitor("Ada"))
    page = seated(visit, "me", "greedy", game="loveletter", seed=2)
    assert my_turn(page)
    for key in ("1", "2", "8"):
        page.keyboard.press(key)
    play = page.get_by_role("button", name="Play Guard on Eager Eden, naming Princess")
    expect(play).to_be_focused()
    assert page.locator(".history button").count() == 0
    page.keyboard.press("Enter")
    expect(page.locator(".history .what").first).to_contain_text("Ada plays Guard on Eager Eden, naming Princess")
    page.evaluate("""async () => {
        const { mount } = await import("/static/plain_board.js");
        const board = mount(document.getElementById("main"), { move: (text) => { window.made = text; } });
        board.render({ text: "7 matches" }, { choices: [{ move: "take 1" }, { move: "take 2" }], say: (text) => text });
        board.key({ key: "2" });
    }""")
    expect(page.get_by_role("button", name="take 2")).to_be_focused()
    assert page.evaluate("window.made") is None
    page.keyboard.press("Enter")
    assert page.evaluate("window.made") == "take 2"
