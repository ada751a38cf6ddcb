"""The laboratory's page: mixed tables, a cross table that explains itself, and the games behind a figure."""

import re
from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("playwright.sync_api")
from playwright.sync_api import expect

from tests.fuzzing import at_length
from tests.server.web.browsers import Visit, barriers, installed, on_a_screen
from tests.server.web.test_plain_words import plain

pytestmark = pytest.mark.skipif(installed() is None, reason="There is no Chromium here.")

Visitor = Callable[..., Visit]


@at_length
def test_a_bot_may_sit_in_several_seats_of_a_mixed_match(visitor: Visitor) -> None:
    page = visitor().open("#/lab", ".lab-form")
    page.get_by_label("Type").select_option("mixed")
    page.get_by_label("Players").select_option("3")
    page.get_by_label("Games", exact=True).fill("50")
    for number, bot in enumerate(("iggi", "iggi", "piers"), start=1):
        page.get_by_label(f"Seat {number}").select_option(bot)
    expect(page.get_by_label("Seat 4")).to_have_count(0)
    page.get_by_role("button", name="Start").click()
    run = page.locator(".run").first
    expect(run.get_by_role("heading")).to_have_text("2 × Cautious Cameron, Plucky Peyton")
    expect(run.locator(".tag")).to_have_text("done", timeout=60_000)
    expect(run).to_contain_text("average points")
    expect(run).not_to_contain_text("When the last life is gone")  # by the rules of the tables
    assert plain(re.sub(r"Saved:.*", "", run.inner_text()))


@on_a_screen
def test_a_click_on_a_cell_opens_its_games_worst_and_best(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = visitor(**screen).open("#/lab", ".run, .runs .muted")
    page.get_by_label("Type").select_option("cross")
    page.get_by_label("Players").select_option("2")
    page.get_by_label("Games", exact=True).fill("20")
    for bot in ("Likely Lee", "Plucky Peyton", "Clever Casey"):
        page.get_by_role("checkbox", name=bot).set_checked(bot != "Clever Casey")
    before = page.locator(".run").count()
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".run")).to_have_count(before + 1)
    run = page.locator(".run").first
    expect(run.locator(".tag")).to_have_text("done", timeout=60_000)
    expect(run).to_contain_text("A cell is their average score")
    with page.context.expect_page() as opened:
        run.get_by_role("link", name="report").click()
    report = opened.value
    table = report.locator("table.sortable", has=report.locator("th", has_text="games"))
    table.locator("th", has_text="row").click()
    rows = table.locator("td:first-child").all_inner_texts()
    assert rows == sorted(rows, reverse=True)
    report.close()
    cell = run.get_by_role(
        "button", name=re.compile("^Plucky Peyton with Likely Lee: .* points on average. Over 40 games")
    )
    assert barriers(page) == []
    cell.click()
    games = page.get_by_role("dialog").locator("li button")
    expect(games.first).to_contain_text("points")
    values = [int(re.match(r"\d+", text)[0]) for text in games.all_inner_texts()]  # type: ignore[index]
    assert values[:8] == sorted(values[:8])
    assert values[8:] == sorted(values[8:], reverse=True)
    assert barriers(page) == []
    games.first.click()
    page.wait_for_selector(".history .what", state="attached")
    expect(page.locator(".seats")).to_contain_text("Plucky Peyton")
    expect(page.locator("#whose")).to_contain_text("Replay:")
