"""Guided first games in a real Chromium: played to their end by pressing what is marked, refused, left and resumed."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fuzzing import at_length
from tests.server.web.browsers import Server, Visit, barriers, installed, on_a_screen

pytestmark = pytest.mark.skipif(installed() is None, reason="no Chromium")

Visitor = Callable[..., Visit]
# Wait for a step to read on from or a move to make, and until it is drawn; answer what the page then shows.
STEP = """async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const find = (selector) => document.querySelector(selector);
  const ready = () => find(".guide:not([hidden]) [data-key=guide-next]") ?? find(".your-turn .guide-mark");
  do await frame(); while (!ready() || !find(".guide-mark"));
  await frame();
  const [box, mark] = [".guide", ".guide-mark"].map((each) => find(each).getBoundingClientRect());
  const apart = box.right <= mark.left || mark.right <= box.left || box.bottom <= mark.top || mark.bottom <= box.top;
  const inside = box.left >= 0 && box.top >= 0 && box.right <= innerWidth && box.bottom <= innerHeight;
  return {
    text: find("#guide-text").textContent,
    next: find("[data-key=guide-next]")?.textContent,
    skippable: find("[data-key=guide-skip]").checkVisibility(),
    inSight: apart && inside && document.documentElement.scrollWidth <= innerWidth,
  };
}"""
NEXT = "[data-key=guide-next]"


def guided(visit: Visit, game: str) -> Any:
    """Begin a guided game from what ? opens."""
    page = visit.open()
    page.keyboard.press("?")
    page.get_by_role("dialog").get_by_role("button", name=f"Guided game of {game}").click()
    page.evaluate(STEP)
    return page


@on_a_screen
@pytest.mark.parametrize("game", ["Hanabi", "Love Letter"])
def test_a_guide_is_played_to_its_end_by_pressing_what_it_marks(
    visitor: Visitor, screen: dict[str, Any], game: str
) -> None:
    page = guided(visitor("Ada", **screen), game)
    steps = []
    assert barriers(page) == []
    while (step := page.evaluate(STEP)).get("next") != "Finish":
        assert (step["text"], step["inSight"], step["skippable"]) == (step["text"], True, True)
        steps.append(step["text"])
        page.locator(NEXT if step.get("next") else ".guide-mark").click()
    assert len(set(steps)) == 11
    page.locator(NEXT).click()
    expect(page.locator(".guide")).to_be_hidden()
    expect(page.locator(".guide-mark")).to_have_count(0)
    page.keyboard.press("?")
    assert page.get_by_text("done, play again").is_visible()


def test_a_guide_says_why_another_move_must_wait(visitor: Visitor) -> None:
    page = guided(visitor("Ada"), "Hanabi")
    page.keyboard.press("d")
    page.keyboard.press("1")
    expect(page.locator(".guide .refusal")).to_contain_text("only you can hint Trusting Taylor 2")
    expect(page.locator("#said")).to_contain_text("only you can hint Trusting Taylor 2")
    assert page.locator(".history button").count() == 0
    page.keyboard.press("h")
    page.keyboard.press("2")
    page.keyboard.press("1")
    page.keyboard.press("Enter")
    expect(page.locator(".history button")).to_have_count(3)
    expect(page.locator(".guide .refusal")).to_have_count(0)
    page.evaluate(STEP)
    page.keyboard.press("Enter")
    expect(page.locator("#guide-text")).to_contain_text("tokens")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator("#guide-text")).to_contain_text("understood")


@at_length
def test_a_guide_goes_on_where_it_was_left(visitor: Visitor, server: Server) -> None:
    visit = visitor("Ada")
    page = guided(visit, "Love Letter")
    while "guessed" not in (step := page.evaluate(STEP))["text"]:
        page.locator(NEXT if step.get("next") else ".guide-mark").click()
    server.kill()
    page.get_by_text("Connection lost, reconnecting").wait_for()
    server.start()
    page.wait_for_selector(".your-turn")
    assert page.evaluate(STEP) == step
    page.reload()
    assert page.evaluate(STEP) == step
    page.get_by_role("button", name="Skip the guide").click()
    expect(page.locator(".guide")).to_be_hidden()
    page.goto(server.address + "#/")
    page.wait_for_selector(".game-card")
    page.keyboard.press("?")
    page.get_by_text("resume at step 5").wait_for()
    page.get_by_role("dialog").get_by_role("button", name="Guided game of Love Letter").click()
    assert page.evaluate(STEP) == step
    visit.said.clear()  # connections to a server that is gone fail


@at_length
def test_a_guide_whose_path_is_left_says_so_and_can_begin_again(visitor: Visitor) -> None:
    page = guided(visitor("Ada"), "Hanabi")
    page.get_by_role("button", name="Skip the guide").click()
    page.keyboard.press("d")
    page.keyboard.press("1")
    expect(page.locator(".history button")).to_have_count(3)
    table = page.url
    for words in ("has left the path of the guide", "This is your hand"):
        page.keyboard.press("?")
        page.get_by_role("button", name="Guided game of Hanabi").click()
        page.get_by_text(words).first.wait_for()
    assert page.url != table


@at_length
@on_a_screen
def test_the_lobby_offers_guides_until_somebody_plays_or_declines(visitor: Visitor, screen: dict[str, Any]) -> None:
    visit = visitor("Ada", **screen)
    page = visit.open()
    offer = page.get_by_role("region", name="Guided games")
    assert offer.get_by_role("button", name="Guided game of Love Letter").is_visible()
    assert barriers(page) == []
    offer.get_by_role("button", name="Hide this offer").click()
    assert offer.count() == 0
    page.reload()
    page.wait_for_selector(".game-card")
    assert offer.count() == 0
    page.evaluate("localStorage.removeItem('kibitz.choice.guide.dismissed')")
    page.reload()
    offer.get_by_role("button", name="Guided game of Hanabi").click()
    page.evaluate(STEP)
    visit.open()
    assert offer.count() == 0


def test_a_guided_game_hides_ones_own_cards_like_any_other(visitor: Visitor) -> None:
    visit = visitor("Ada")
    frames: list[str] = []
    visit.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: frames.append(str(frame))))
    page = guided(visit, "Hanabi")
    assert page.locator(".own .card .face").count() == 0
    views = [each["view"] for each in map(json.loads, frames) if each["type"] == "view"]
    assert {card["kind"] for view in views for card in view["hands"][view["seat"]]} == {None}
    assert not any("seed" in each.get("options", {}) for each in map(json.loads, frames))
