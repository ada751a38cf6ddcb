"""Every table in windows of every shape: nothing overflows, and what one plays with is always in sight."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fuzzing import at_length, parametrized
from tests.server.web.browsers import PHONE, Hand, Visit, barriers, installed, seated
from tests.server.web.test_pages import my_turn

pytestmark = pytest.mark.skipif(installed() is None, reason="no Chromium")

Visitor = Callable[..., Visit]
WINDOWS = [(390, 844), (844, 390), (768, 1024), (1024, 768), (1440, 720), (1440, 900), (1920, 1080)]
# What is wrong with a table in this window: parts that are cut off or covered, and pages that scroll.
WRONG = """() => {
  const found = [];
  const page = document.documentElement;
  if (page.scrollWidth > innerWidth || page.scrollHeight > innerHeight) found.push("the page scrolls");
  const points = [[.5, .5], [.04, .1], [.96, .1], [.04, .9], [.96, .9]];
  for (const name of ["#whose", ".playfield", ".own", ".near", ".prompt", ".last-move"]) {
    for (const part of document.querySelectorAll(name)) {
      const box = part.getBoundingClientRect();
      if (getComputedStyle(part).display === "contents") continue;
      if (box.left < -1 || box.top < -1 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1 || !box.height)
        found.push(`${name} is cut off`);
      else for (const [across, down] of points) {
        const on = document.elementFromPoint(box.left + across * box.width, box.top + down * box.height);
        if (on && !part.contains(on) && !on.contains(part)) found.push(`${on.className} covers ${name}`);
      }
    }
  }
  for (const each of document.querySelectorAll(".board button, .board .card, .tabs button")) {
    const box = each.getBoundingClientRect();
    if (box.height && (box.left < -1 || box.right > innerWidth + 1 || box.top < -1 || box.bottom > innerHeight + 1))
      found.push(`${each.outerHTML.slice(0, 80)} is cut off`);
  }
  for (const each of document.querySelectorAll(".board *")) {
    const scrolls = getComputedStyle(each).overflowY === "auto" && each.scrollHeight > each.clientHeight + 2;
    if (scrolls && !each.matches(".umpire")) found.push(`${each.className} scrolls`);
  }
  return [...new Set(found)];
}"""
TABLES = [
    ("hanabi", "simple_distrustful", 5),
    ("loveletter", "greedy", 4),
    ("connect4", "random", 2),
    ("kriegspiel", "random", 2),
    ("bridge", "random", 4),
    ("coins", "random", 2),
]
# Fewer cards, or the same kind of board with less around it.
ALIKE = [
    ("hanabi", "simple_distrustful", 2),
    ("draughts", "random", 2),
    ("dicechess", "random", 2),
    ("three_sets", "random", 2),
    ("tictactoe", "random", 2),
]


def in_every_window(page: Any) -> dict[str, list[str]]:
    wrong = {}
    for width, height in WINDOWS:
        page.set_viewport_size({"width": width, "height": height})
        if found := page.evaluate(WRONG):
            wrong[f"{width} × {height}"] = found
    return wrong


@parametrized(("game", "bot", "players"), TABLES, ALIKE)
def test_a_table_fits_every_window(visitor: Visitor, game: str, bot: str, players: int) -> None:
    page = seated(visitor("Ada", color_scheme="dark"), "me", *[bot] * (players - 1), game=game)
    assert my_turn(page)
    assert in_every_window(page) == {}
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Kibitz", exact=True).click()
    assert page.evaluate(WRONG) == []
    assert barriers(page) == []
    page.emulate_media(color_scheme="light")
    contrasts = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
    assert barriers(page, **contrasts) == []


def test_the_end_of_a_game_fits_every_window(visitor: Visitor) -> None:
    page = seated(visitor("Ada"), "random", "random", game="tictactoe")
    page.wait_for_selector(".ended")
    assert in_every_window(page) == {}


def test_a_window_resized_during_a_drag_loses_no_card(visitor: Visitor) -> None:
    page = seated(visitor("Ada"), "me", "simple_distrustful")
    assert my_turn(page)
    hand = Hand(page, False)
    hand.take(".own .card:nth-child(5)")
    hand.carry(".others")
    page.set_viewport_size({"width": 768, "height": 1024})
    expect(page.locator(".dragged")).to_have_count(0)
    hand.let_go()
    assert page.locator(".history button").count() == 0
    hand.take(".own .card:nth-child(5)")
    hand.carry(".discards")
    hand.let_go()
    page.wait_for_function("() => document.querySelectorAll('.history button').length === 2")


@at_length
def test_a_phone_turned_in_the_middle_of_a_move_keeps_the_choice(visitor: Visitor) -> None:
    page = seated(visitor("Ada", **PHONE), "me", "simple_distrustful")
    assert my_turn(page)
    page.locator(".others .card").first.tap()
    page.locator(".value").first.tap()
    page.set_viewport_size({"width": 844, "height": 390})
    assert page.evaluate(WRONG) == []
    page.get_by_role("button", name="Hint ").tap()
    page.wait_for_function("() => document.querySelectorAll('.history button').length === 2")


SMALL = """() => [...document.querySelectorAll("button, select, summary")]
  .filter((each) => each.checkVisibility() && !each.closest(".skip"))
  .filter((each) => {
    const box = each.getBoundingClientRect();
    return box.width < 43.5 || box.height < 43.5;
  }).map((each) => each.outerHTML.slice(0, 90))"""


def test_on_a_phone_advice_and_cards_are_in_sight_together(visitor: Visitor) -> None:
    page = seated(visitor("Ada", **PHONE), "me", *["simple_distrustful"] * 4)
    assert my_turn(page)
    assert page.evaluate(SMALL) == []
    page.get_by_role("button", name="Kibitz", exact=True).tap()
    page.get_by_role("button", name="What would you do?").tap()
    page.get_by_role("button", name="Play this").wait_for()
    assert page.evaluate(WRONG) == []
    assert [each for each in page.evaluate(SMALL) if 'class="card' not in each] == []
