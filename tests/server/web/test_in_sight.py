"""What the page keeps in sight in a real Chromium: the newest move, one's hand, what a card was, what went wrong."""

from collections.abc import Callable
from typing import Any

import pytest

from kibitz.server.web import agent_scores
from tests.fuzzing import at_length, first_of
from tests.server.web.browsers import DESKTOP, PHONE, Visit, installed
from tests.server.web.test_pages import at_table, my_turn, shows_moves

pytestmark = pytest.mark.skipif(
    installed() is None,
    reason="no Chromium: install chromium or google-chrome, or name a browser of its kind with KIBITZ_BROWSER",
)

Visitor = Callable[..., Visit]

NEWEST_IN_SIGHT = """() => {
    const list = document.querySelector(".history");
    return list.scrollHeight > list.clientHeight
        && list.scrollTop + list.clientHeight >= list.scrollHeight - 2;
}"""


def play_on(page: Any, moves: int) -> None:
    """Discard the oldest card up to a number of moves; the bots move in between."""
    while page.locator(".history button").count() < moves and my_turn(page):
        made = page.locator(".history button").count()
        page.keyboard.press("d")
        page.keyboard.press("1")
        page.wait_for_function("made => document.querySelectorAll('.history button').length > made", arg=made)


@at_length
@first_of(1, "screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_the_history_keeps_the_newest_move_in_sight(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = at_table(visitor("Ada", **screen), "me", "simple_distrustful")
    play_on(page, 24)
    page.wait_for_function(NEWEST_IN_SIGHT)
    page.reload()
    page.wait_for_selector(".your-turn")
    page.wait_for_function(NEWEST_IN_SIGHT)
    page.get_by_text("Kibitz", exact=True).click()
    page.get_by_role("button", name="Show the odds").click()
    page.wait_for_selector(".odds-table")
    page.wait_for_function(NEWEST_IN_SIGHT)
    play_on(page, 26)
    page.wait_for_function(NEWEST_IN_SIGHT)


@at_length
def test_who_scrolls_up_in_the_history_stays_there(visitor: Visitor) -> None:
    page = at_table(visitor("Ada", **DESKTOP), "me", "simple_distrustful")
    play_on(page, 24)
    page.wait_for_function(NEWEST_IN_SIGHT)
    page.evaluate("document.querySelector('.history').scrollTop = 0")
    play_on(page, 26)
    assert page.evaluate("document.querySelector('.history').scrollTop") == 0


@first_of(1, "screen", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_at_the_end_ones_own_hand_is_turned_up_beside_what_one_knew(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = at_table(visitor("Ada", **screen), "me", "random_legal")
    while my_turn(page):
        made = page.locator(".history button").count()
        assert page.locator(".own .face").count() == 0
        page.keyboard.press("p")
        page.keyboard.press("1")
        page.wait_for_function("made => document.querySelectorAll('.history button').length > made", arg=made)
    held = page.locator(".own .card").count()
    assert held > 0
    assert page.locator(".own .card > .face").count() == held
    assert page.locator(".own .card .knew .back").count() == held
    assert "you knew: " in (page.locator(".own .card").first.get_attribute("aria-label") or "")
    page.keyboard.press("[")
    page.get_by_text("Replay:").wait_for()
    assert page.locator(".own .face").count() == 0


# What of a table is not wholly on the screen, and what of it lies under something else.
OUT_OF_SIGHT = """names => names.filter(name => {
    const box = document.querySelector(name).getBoundingClientRect();
    const on = document.elementFromPoint((box.left + box.right) / 2, (box.top + box.bottom) / 2);
    return box.height === 0 || box.top < 0 || box.bottom > innerHeight || !on?.closest(name);
})"""


@first_of(
    3,
    ("game", "bot", "players"),
    [
        *(("Hanabi", "simple_distrustful", n) for n in (5, 2)),
        *(("Love Letter", "greedy", n) for n in (4, 3, 2)),
        *(("Hanabi", "simple_distrustful", n) for n in (3, 4)),
    ],
)
def test_a_phone_shows_ones_hand_whose_turn_it_is_and_the_bar_without_scrolling(
    visitor: Visitor, game: str, bot: str, players: int
) -> None:
    page = at_table(visitor("Ada", **PHONE), "me", *[bot] * (players - 1), game=game, seed=3)
    assert my_turn(page)
    page.evaluate("""async () => (await import("/static/dom.js")).toast("A message covers none of it.")""")
    wanted = ["#whose", ".own", ".own .cards, .own .held", ".prompt"]
    assert page.evaluate(OUT_OF_SIGHT, [*wanted, ".others"]) == []
    others, own = page.locator(".others").bounding_box(), page.locator(".own").bounding_box()
    assert others["y"] + others["height"] <= own["y"]
    if game == "Hanabi":
        page.locator(".others .card").first.tap()
        page.locator(".value").first.tap()
    else:
        page.locator(".own button.letter:not([disabled])").first.tap()
    assert page.evaluate(OUT_OF_SIGHT, wanted) == []
    page.set_viewport_size({"width": 390, "height": 664})  # with the browser's own bars
    assert page.evaluate(OUT_OF_SIGHT, wanted) == []


@at_length
def test_a_note_covers_nothing_and_is_not_there_before_it_was_written(visitor: Visitor) -> None:
    page = at_table(visitor("Ada", **DESKTOP), "me", "simple_distrustful")
    assert my_turn(page)
    for key in ("d", "1"):
        page.keyboard.press(key)
    shows_moves(page, 2)
    assert my_turn(page)
    for key in ("n", "2"):
        page.keyboard.press(key)
    page.keyboard.type("a five, or so I heard, in the first round")
    page.keyboard.press("Enter")
    note = page.locator(".own .note").bounding_box()
    card = page.locator(".own .card:has(.note) .back").bounding_box()
    assert note["y"] >= card["y"] + card["height"]
    page.keyboard.press("[")
    page.get_by_text("Replay: turn 1").wait_for()
    assert page.locator(".own .note").count() == 0
    page.keyboard.press("]")
    page.get_by_text("Your turn").first.wait_for()
    assert page.locator(".own .note").count() == 1


def test_scores_in_the_set_up_are_those_of_the_number_of_seats(visitor: Visitor) -> None:
    page = visitor().open()
    page.get_by_role("button", name="Set up a table of Hanabi").click()
    seats = page.get_by_role("dialog").get_by_label("Players")
    seats.select_option("2")
    bot = page.get_by_label("Seat 2").locator("option[value='bot:bot2']")
    measured = agent_scores.with_people()["hanabi"]["bot2"]
    assert bot.inner_text() == f"Steady Sage, {measured['2']['mean']:.0f} points with people"
    seats.select_option("5")
    assert bot.inner_text() == f"Steady Sage, {measured['5']['mean']:.0f} points with people"


def test_a_wrong_paste_shows_what_can_be_pasted(visitor: Visitor) -> None:
    visit = visitor()
    page = visit.open()
    page.get_by_role("button", name="Import a game …").click()
    page.get_by_label("Or paste it here").fill("hello")
    page.get_by_role("button", name="Import", exact=True).click()
    page.get_by_text("from its first { to its last }").wait_for()
    warning = page.locator(".problem").inner_text()
    assert "Expected" not in warning
    assert "hanab.live link" in warning
    visit.said.clear()  # the browser itself tells the console of an answer with status 400


def test_a_bad_invitation_invites_nobody(visitor: Visitor) -> None:
    host = at_table(visitor("Ada"), "me", "open")
    table = host.url.rsplit("/", 1)[1]
    seats = host.evaluate("JSON.parse(localStorage.getItem('kibitz.seats'))")
    good = seats[table]["invitations"][0]["invitation"]
    page = visitor("Bo").open(f"#/join/{table}/wrong", ".join")
    page.get_by_role("heading", name="This invitation is not valid").wait_for()
    assert page.get_by_text("You are invited").count() == 0
    page.goto(host.url.replace(f"table/{table}", "join/nowhere/x"))
    page.get_by_text("There is no table").wait_for()
    page.goto(host.url.replace(f"table/{table}", f"join/{table}/{good}"))
    page.get_by_role("heading", name="You are invited to play Hanabi").wait_for()
    assert page.get_by_text("At the table: Ada.").is_visible()


def test_an_address_of_no_page_is_reported(visitor: Visitor) -> None:
    page = visitor().open("#/nowhere/<b>")
    assert "There is no page at #/nowhere/" in page.locator(".no-page").inner_text()
    page.get_by_role("link", name="Lab").click()
    page.wait_for_selector(".lab-form button")
    assert page.locator(".no-page").count() == 0
    page.goto(page.url.split("#")[0] + "#/")
    page.wait_for_selector(".game-card")
    assert page.locator(".no-page").count() == 0
