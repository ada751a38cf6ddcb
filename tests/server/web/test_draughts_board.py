"""The draughts board in a real Chromium: pressed, dragged, by keys, and why a piece may not move."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.server.web.browsers import Visit, barriers, installed, on_a_screen, seated

pytestmark = pytest.mark.skipif(
    installed() is None,
    reason="no Chromium: install chromium or google-chrome, or name a browser of its kind with KIBITZ_BROWSER",
)

Visitor = Callable[..., Visit]


def at(page: Page, square: int) -> Any:
    return page.locator(f"[data-square='{square}']")


@on_a_screen
def test_a_piece_is_pressed_dragged_and_moved_by_keys(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = seated(visitor("Ada", **screen), "me", "random", game="draughts", seed=1)
    expect(page.locator(".can-move")).to_have_count(4)
    at(page, 22).click()
    expect(page.locator(".end")).to_have_count(2)
    page.keyboard.press("Escape")
    expect(page.locator(".end")).to_have_count(0)
    at(page, 22).click()
    at(page, 18).click()
    page.get_by_text("Random Rosa moves").first.wait_for()
    page.wait_for_selector(".board-draughts.your-turn .can-move")
    assert barriers(page) == []
    free = page.locator(".can-move").first
    square = free.get_attribute("data-square")
    page.keyboard.type(square or "")
    page.keyboard.press("Enter")
    expect(at(page, int(square or 0))).to_have_attribute("aria-pressed", "true")
    end = page.locator(".end").first
    end.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".replay .count")).to_have_text("4 / 4")


def test_who_must_capture_is_notified_and_a_dragged_capture_is_made(visitor: Visitor) -> None:
    page = seated(visitor("Ada", reduced_motion="no-preference"), "me", "open", game="draughts", seed=1)
    page.evaluate(BOARD)
    expect(page.locator("#shown .prompt")).to_contain_text(
        "You must capture as many pieces as possible: 2 pieces, with 22."
    )
    page.locator("#shown [data-square='32']").click()
    expect(page.locator("#shown .prompt")).to_contain_text("The piece on 32 cannot move now. You must capture")
    page.locator("#shown [data-square='22'] .piece").drag_to(page.locator("#shown [data-square='8']"))
    assert page.evaluate("window.made") == ["22x8(11,18)"]
    page.evaluate("window.after()")
    expect(page.locator("#shown .ghost")).to_have_count(2)
    expect(page.locator("#shown .ghost")).to_have_count(0)  # they fade behind the piece


BOARD = """async () => {
    const { mount } = await import("/games/draughts/board.js");
    const root = document.createElement("div");
    root.id = "shown";
    root.className = "board board-draughts";
    document.getElementById("main").replaceChildren(root);
    window.made = [];
    const lastMove = document.createElement("p");
    const board = mount(root, { move: (text) => window.made.push(text), announce() {}, lastMove });
    const view = { variant: "brazilian", seat: 0, sides: ["white", "black"], to_move: 0, turn: 0, winner: null,
        pieces: { 22: "w", 32: "w", 18: "b", 11: "B", 1: "b" } };
    const choice = { move: "22x8(11,18)", from: 22, to: 8, route: [22, 15, 8], captured: [11, 18] };
    const context = { names: ["Ada", "Bob"], as: 0, to_move: 0, choices: [choice], event: null, past: false,
        over: false, state: "running" };
    board.render(view, context);
    window.after = () => {
        const event = { ...choice, turn: 1, seat: 0, side: "white", text: "" };
        board.animate(event);
        board.render({ ...view, turn: 1, to_move: 1, pieces: { 8: "w", 32: "w", 1: "b" } },
            { ...context, to_move: 1, choices: [], event });
    };
}"""
