"""The kibitz panel in a real Chromium: everybody's advice, drawn on the cards, and why bots moved."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.server.web.browsers import Visit, barriers, installed, on_a_screen
from tests.server.web.test_pages import at_table, my_turn

pytestmark = pytest.mark.skipif(installed() is None, reason="no Chromium")

Visitor = Callable[..., Visit]


def panel_at(visit: Visit, *seats: str, **options: Any) -> Any:
    """A table with the kibitz panel open, at the visitor's turn."""
    page = at_table(visit, *seats, **options)
    assert my_turn(page)
    page.get_by_text("Kibitz", exact=True).click()
    return page


def who_asks(visit: Visit, game: str, *agents: str) -> Visit:
    """A visitor who has chosen advisers."""
    kept = json.dumps(json.dumps(agents))
    script = f"localStorage.setItem('kibitz.choice.advisers.{game}', {kept})"
    visit.context.add_init_script(f"if (location.protocol !== 'about:' && !localStorage.getItem('asks')) {script}")
    visit.context.add_init_script("if (location.protocol !== 'about:') localStorage.setItem('asks', '1')")
    return visit


@on_a_screen
def test_everybody_is_asked_and_the_most_recommended_move_is_drawn(visitor: Visitor, screen: dict[str, Any]) -> None:
    visit = who_asks(visitor(**screen), "hanabi", "trustful", "distrustful", "simple_distrustful", "hajdu_v1")
    page = panel_at(visit, "me", "simple_distrustful", seed=3)
    page.get_by_text("Choose advisers").click()
    page.locator(".whom [data-key=ask-hajdu_v1]").uncheck()
    page.get_by_role("button", name="Ask all advisers").click()
    expect(page.locator(".everybody [role=status]")).to_be_empty()
    asked = page.locator(".opinion ul li").all_inner_texts()
    assert sorted(asked) == ["Simple Sam", "Trusting Taylor", "Wary Wren"]
    first = page.locator(".opinion").first
    agree = first.locator("ul li").count()
    assert f"{agree} of 3 · {round(100 * agree / 3)}%" in first.locator(".what").inner_text()
    assert page.locator("[data-advised]").count() == 0
    page.get_by_role("button", name="Show on the cards").click()
    marked = page.locator(".board [data-advised]")
    assert marked.count() > 0
    move = first.get_attribute("data-move") or ""
    assert (marked.first.get_attribute("data-advised") or "nothing") in move
    first.get_by_text("Why", exact=True).focus()
    assert page.locator(".card.lit").count() == marked.count()
    first.get_by_text("Why", exact=True).click()
    first.locator(".why").first.wait_for()
    assert [each for each in barriers(page) if "brand" not in each[1]] == []
    first.get_by_role("button", name="Play this").click()
    expect(page.locator(".opinion")).to_have_count(0)
    assert marked.count() == 0


def test_who_searches_says_what_it_expects_of_its_move(visitor: Visitor) -> None:
    page = panel_at(who_asks(visitor(), "loveletter", "greedy", "ismcts"), "me", "greedy", game="Love Letter", seed=3)
    page.get_by_role("button", name="Ask all advisers").click()
    searched = page.locator(".opinion ul li", has_text="Pondering Perry")
    expect(searched).to_contain_text(re.compile(r"expects to win \d+ of 100 rounds"))
    page.get_by_role("button", name="Show on the cards").click()
    expect(page.locator('.own [data-advised="play"]')).to_have_count(1)
    page.get_by_text("Kibitz", exact=True).click()
    expect(page.locator("[data-advised]")).to_have_count(0)


@on_a_screen
def test_in_a_game_with_bots_the_history_says_why_they_moved(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = panel_at(visitor(**screen), "simple_distrustful", "me", seed=1)
    expect(page.locator(".history .why")).to_contain_text("Probably because: ")
    assert [each for each in barriers(page) if "brand" not in each[1]] == []


def test_a_button_above_the_history_asks_why_the_bots_moved(visitor: Visitor) -> None:
    visit = visitor()
    never = """if (location.protocol !== "about:") localStorage.setItem("kibitz.choice.setting.reasons", '"never"')"""
    visit.context.add_init_script(never)
    page = panel_at(visit, "simple_distrustful", "me", seed=3)
    why = page.get_by_role("button", name="Why these moves?")
    why.wait_for()
    assert page.locator(".history .why").count() == 0
    why.click()
    expect(page.locator(".history .why")).to_have_count(1)
    expect(why).to_be_hidden()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Reasons during the game").select_option("always")
    assert page.evaluate("localStorage.getItem('kibitz.choice.setting.reasons')") == '"always"'
