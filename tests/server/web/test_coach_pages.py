"""The pages of the coach: from the end of a game to its review and to a table to try a move; a puzzle; progress."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import expect

from kibitz.coach import puzzles
from tests.server.web.browsers import KEEP_SEAT, Visit, barriers, on_a_screen
from tests.server.web.guests import QUICK
from tests.server.web.servers import call, in_a_thread
from tests.server.web.test_visitor_puzzles import HANABI, made

Visitor = Callable[..., Visit]

SMALL = """() => [...document.querySelectorAll("main :is(button, a, select, summary)")]
    .filter((each) => each.offsetParent && !each.closest(".board"))
    .map((each) => [each.textContent, each.getBoundingClientRect()])
    .filter(([, box]) => box.width < 44 || box.height < 44).map(([text]) => text)"""


def lost_game(visit: Visit) -> str:
    """A short game in which the visitor plays one card after another, whatever it is: its table."""
    with call(visit.server.port) as caller:
        caller.say("create", game="hanabi", seats=[{"kind": "me"}, {"kind": "bot", "agent": "trustful"}], seed=3)
        seat, view = caller.hear("seat"), caller.hear("view")
        while view["state"] != "finished":
            if "choices" in view:
                caller.say("move", table=seat["table"], turn=view["turn"], move="play 1")
            view = caller.hear("view")
    kept = f'["{seat["table"]}", {{"token": "{seat["token"]}", "seat": 0}}]'
    visit.context.add_init_script(KEEP_SEAT % kept)
    return str(seat["table"])


@on_a_screen
def test_a_game_is_reviewed_and_another_move_is_tried(visitor: Visitor, screen: dict[str, Any]) -> None:
    visit = visitor("Ada", **screen)
    table = lost_game(visit)
    page = visit.open(f"#/table/{table}", ".over")
    expect(page.locator(".over button").first).to_have_text("Review")
    page.get_by_role("button", name="Review").first.click()
    expect(page.locator(".review-progress")).to_have_count(0)
    expect(page.locator(".balance")).to_contain_text("You lost")
    worst = page.locator(".decision").first
    expect(worst).to_have_attribute("aria-current", "true")
    expect(page.locator(".own .unseen-card")).to_have_count(5)  # as the seat saw it
    page.get_by_role("button", name="Show hidden cards").click()
    expect(page.locator(".unseen-card")).to_have_count(0)
    page.get_by_role("button", name="All decisions").click()
    graph = page.get_by_role("slider", name="Expected result over the game")
    graph.focus()
    page.keyboard.press("Home")
    expect(page.locator(".review-turn h2")).to_contain_text("Turn 1: play 1")
    expect(graph).to_have_attribute("aria-valuenow", "1")
    expect(page.locator(".own .unseen-card")).to_have_count(5)  # hidden again at another turn
    page.keyboard.press("ArrowRight")
    expect(page.locator(".review-turn h2")).to_contain_text("Turn 3:")
    assert barriers(page) == []
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Try it").click()
    page.get_by_role("button", name="Play from here").click()
    expect(page.locator("#whose")).to_have_text("Your turn")
    expect(page.get_by_role("link", name="What if: after turn 2 of another game")).to_be_visible()


def test_a_puzzle_is_solved_on_the_board_and_counted(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ten = tuple(made(number, best="play 2") for number in range(10))
    monkeypatch.setattr(puzzles, "of", lambda game: ten)
    monkeypatch.setattr(puzzles, "games", lambda: [HANABI])
    with in_a_thread(tmp_path, QUICK) as port:
        page = visitor("Ada", at=SimpleNamespace(address=f"http://localhost:{port}/", port=port)).open(
            "#/puzzles", ".coach-board .frame"
        )
        expect(page.locator(".puzzle-me")).to_contain_text("0 / 10")
        page.keyboard.press("p")
        page.keyboard.press("2")
        expect(page.get_by_role("heading", name="Right: play 2")).to_be_visible()
        expect(page.get_by_text("The answer in words.")).to_be_visible()
        expect(page.get_by_role("button", name="Next puzzle")).to_be_focused()
        assert barriers(page) == []
        assert page.evaluate(SMALL) == []
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Right: play 2")).to_have_count(0)
        expect(page.locator(".puzzle-me")).to_contain_text("1 / 10")
        page.goto(f"http://localhost:{port}/#/progress")
        expect(page.locator(".tiles")).to_contain_text("1 of 1")
        page.get_by_role("button", name="Delete …").click()
        page.get_by_role("button", name="Delete for good").click()
        expect(page.get_by_text("Nothing is stored yet.")).to_be_visible()
