"""Plain words in front of people: bots with names that can be said, rules and figures that are explained."""

import re
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from tests.server.web.browsers import Visit, barriers, installed, on_a_screen, seated
from tests.server.web.test_pages import my_turn

pytestmark = pytest.mark.skipif(installed() is None, reason="There is no Chromium here.")

Visitor = Callable[..., Visit]
IDENTIFIER = re.compile(r"\b\w+_\w+\b|\bunit\b|\bties\b|· 0\.|\bpiles\b=|\b(?:outer|piers|iggi|bot1|bot2|ismcts)\b")


def plain(text: str) -> bool:
    """Whether a text has no word that only a program understands."""
    return not IDENTIFIER.findall(text)


@on_a_screen
def test_rules_and_bots_are_chosen_in_plain_words(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = visitor("Ada", **screen).open()
    page.get_by_role("button", name="Set up a table of Hanabi").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Rules", exact=True).click()
    lost = dialog.get_by_label("When the last life is gone")
    expect(lost).to_have_value("zero")
    expect(dialog.get_by_label("Discarding with all eight hint tokens")).to_have_value("forbidden")
    expect(dialog).to_contain_text("Three mistakes, and the score is 0")
    dialog.get_by_label("Seat 2").select_option("bot:piers")
    expect(dialog.locator(".about-agent")).to_contain_text("Plucky Peyton: Hints playable cards to anyone")
    expect(dialog.locator(".about-agent")).to_contain_text("of 25 points")
    assert plain(dialog.inner_text())
    lost.select_option("piles")
    expect(dialog).to_contain_text("the cards on the piles count")
    assert barriers(page) == []
    page.get_by_role("button", name="Create table").click()
    assert my_turn(page)
    expect(page.locator(".seats .seat-name").nth(1)).to_have_text("Plucky Peyton")
    page.locator(".rules-note summary").click()
    expect(page.locator(".rules-note li")).to_have_text(
        re.compile("^When the last life is gone: The piles still count.")
    )
    assert barriers(page) == []
    assert plain(page.locator("main").inner_text())


@on_a_screen
def test_the_gallery_says_what_its_figures_mean(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = visitor(**screen).open("#/gallery/loveletter", ".agent")
    expect(page.locator(".explained")).to_contain_text("25 % with 4 players")
    card = page.locator(".agent", has=page.get_by_role("heading", name="Counting Corey"))
    expect(card).to_contain_text("27 %")
    expect(card.locator("code")).to_have_text("counting")
    assert barriers(page) == []
    page.locator(".origin").evaluate_all("all => all.forEach((each) => each.remove())")
    assert plain(page.locator("main").inner_text())


def test_the_head_of_a_table_says_nothing_of_the_usual_rules(visitor: Visitor) -> None:
    page = visitor("Ada").open()
    page.get_by_role("button", name="Play Hanabi now").click()
    assert my_turn(page)
    expect(page.locator(".rules-note")).to_be_hidden()
    page.locator(".tab-kibitz").click()
    page.get_by_role("button", name="What would you do?").click()
    expect(page.locator(".advice strong")).to_have_text("Thoughtful Theo: ")
    assert plain(page.locator("main").inner_text())


def test_a_german_browser_reads_german(visitor: Visitor) -> None:
    visit = visitor("Ada", locale="de-AT")
    page = visit.open()
    expect(page.get_by_role("heading", level=1)).to_have_text("Setz dich. Die anderen warten schon.")
    assert page.locator("html").get_attribute("lang") == "de"
    page = seated(visit, "me", "simple_distrustful")
    expect(page.locator("#whose")).to_have_text("Du bist am Zug")
    page.locator(".others .card").first.click()
    page.locator(".value").first.click()
    expect(page.locator(".history")).to_contain_text(
        re.compile(r"Ada gibt Simple Sam den Hinweis (rot|gelb|grün|blau|weiß)")
    )
    assert barriers(page) == []
    page.get_by_role("button", name="Einstellungen").click()
    page.get_by_label("Sprache").select_option("en")
    expect(page.get_by_role("button", name="Settings")).to_be_visible()
