"""The board of Connect 4 in a real Chromium: pressed, by keys, a four that shines, and what columns are worth."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.server.web.browsers import PATIENCE, Visit, barriers, installed, on_a_screen, seated

pytestmark = pytest.mark.skipif(
    installed() is None,
    reason="no Chromium: install chromium or google-chrome, or name a browser of its kind with KIBITZ_BROWSER",
)

Visitor = Callable[..., Visit]


@on_a_screen
def test_a_column_is_pressed_or_chosen_by_keys_and_shows_its_worth(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = seated(visitor("Ada", **screen), "me", "random", game="connect4", seed=1)
    expect(page.locator(".column.open .landing")).to_have_count(7)
    page.locator("[data-key='column-4']").click()
    expect(page.locator(".column .stone")).to_have_count(2)
    page.keyboard.press("4")
    expect(page.locator(".column .stone")).to_have_count(4)
    expect(page.locator(".column .stone.last")).to_have_count(1)
    page.keyboard.press("ArrowLeft")  # steps through the game, whatever has the focus
    expect(page.locator(".column .stone")).to_have_count(3)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".column .stone")).to_have_count(4)
    assert barriers(page) == []


def test_what_columns_are_worth_stands_below_them_until_a_stone_is_dropped(visitor: Visitor) -> None:
    page = seated(visitor("Ada"), "me", "open", game="connect4", seed=1)
    page.evaluate(BOARD)
    scores = page.locator("#shown .worth .score")
    expect(scores).to_have_text(["−2", "", "", "+18", "", "?", "0"])
    expect(page.locator("#shown .score.best")).to_have_text("+18")
    expect(page.locator("#shown .column.open")).to_have_count(7)
    page.evaluate("window.after()")
    expect(page.locator("#shown .worth")).to_be_hidden()
    expect(page.locator("#shown .stone.four")).to_have_count(4)
    expect(page.locator("#shown .column.open")).to_have_count(0)


BOARD = """async () => {
    const { mount } = await import("/games/connect4/board.js");
    const root = document.createElement("div");
    root.id = "shown";
    root.className = "board board-connect4";
    document.getElementById("main").replaceChildren(root);
    const board = mount(root, { move() {}, announce() {}, lastMove: document.createElement("p") });
    const rows = (...full) => [...full, ...Array.from({ length: 6 - full.length }, () => [0, 0, 0, 0, 0, 0, 0])];
    const choices = [1, 2, 3, 4, 5, 6, 7].map((column) => ({ move: String(column) }));
    const context = { names: ["Ada", "Bob"], as: 0, to_move: 0, choices, event: null, past: false, over: false };
    const grid = rows([0, 1, 1, 0, 0, 0, 0], [0, 2, 2, 0, 0, 0, 0]);
    board.render({ grid, moves: "2233", to_move: 0, four: [] }, context);
    board.odds([{ column: 1, score: -2, text: "" }, { column: 4, score: 18, text: "" },
        { column: 6, score: null, text: "" }, { column: 7, score: 0, text: "" }]);
    window.after = () => {
        board.animate({ move: "5", column: 4 });
        board.render({ grid: rows([0, 1, 1, 1, 1, 0, 0], [0, 2, 2, 0, 0, 0, 0]), moves: "2233415", to_move: null,
            four: [[0, 1], [0, 2], [0, 3], [0, 4]] }, { ...context, choices: [], over: true });
    };
}"""


@on_a_screen
def test_what_each_idea_of_search_saves_is_shown_for_the_position_on_the_board(
    visitor: Visitor, screen: dict[str, Any]
) -> None:
    page = seated(visitor("Ada", **screen), "me", "random", game="connect4", seed=1)
    page.get_by_text("Kibitz", exact=True).click()
    page.get_by_text("How search works here").click()
    page.get_by_label("Depth (plies)").select_option("4")
    page.get_by_role("button", name="Compare search techniques").click()
    expect(page.locator(".ladder tbody tr")).to_have_count(8, timeout=PATIENCE)
    values = page.locator(".ladder tbody tr td:nth-child(2)").all_inner_texts()
    assert len(set(values[:5])) == 1
    page.wait_for_function("document.querySelector('.ladder .tree img').naturalWidth > 0")
    assert barriers(page) == []
    page.keyboard.press("Escape")
    expect(page.locator("[data-key='ladder-again']")).to_be_visible()
    page.keyboard.press("4")  # the next position has not been searched
    expect(page.locator("[data-key='ladder-again']")).to_have_count(0)
