"""Undo, delayed spectators, chat, shared replays and analysis boards in a real Chromium."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.fuzzing import at_length
from tests.server.web.browsers import PATIENCE, Visit, barriers, installed, on_a_screen, opened
from tests.server.web.test_pages import at_table, my_turn, shows_moves

pytestmark = pytest.mark.skipif(installed() is None, reason="no Chromium: see test_pages")

Visitor = Callable[..., Visit]


def discard_oldest(page: Any) -> None:
    page.keyboard.press("d")
    page.keyboard.press("1")


# Undo


@at_length
@on_a_screen
def test_one_key_takes_a_move_back_and_it_is_asked_first_when_bots_moved_since(
    screen: dict[str, Any], visitor: Visitor
) -> None:
    page = at_table(visitor("Ada", **screen), "me", "simple_distrustful")
    my_turn(page)
    assert page.get_by_role("button", name="Take back my last move").count() == 0
    before = page.locator(".own .card").first.get_attribute("aria-label")
    discard_oldest(page)
    shows_moves(page, 2)
    my_turn(page)
    page.get_by_role("button", name="Take back my last move").click()
    asks = page.get_by_role("group", name="Take back my last move")
    expect(asks).to_contain_text("Take back your last move (turn 1)?")
    expect(asks.get_by_role("button", name="Take back", exact=True)).to_be_focused()
    assert barriers(page) == []
    page.keyboard.press("Escape")
    expect(asks).to_have_count(0)
    page.keyboard.press("u")
    page.keyboard.press("u")
    shows_moves(page, 0)
    my_turn(page)
    assert page.locator(".own .card").first.get_attribute("aria-label") == before
    expect(page.locator(".table-head")).to_contain_text("With undo")
    discard_oldest(page)  # the same turn again
    shows_moves(page, 2)


# Spectators


@at_length
@on_a_screen
def test_a_spectator_chooses_between_now_and_what_is_known_of_some_moves_ago(
    screen: dict[str, Any], visitor: Visitor
) -> None:
    page = at_table(visitor("Ada", **screen), "me", "simple_distrustful")
    opened(page, "around")
    page.get_by_label("Spectators see").select_option("5")
    expect(page.locator(".table-head")).to_contain_text("Spectators: 5 moves behind")
    assert barriers(page) == []
    watching = visitor("Eve", **screen).open(page.url.split("/", 3)[3], "#whose")
    watching.get_by_role("button", name="5 moves ago").click()
    expect(watching.locator(".delayed")).to_contain_text("Nothing to show yet.")
    for made in (2, 4, 6):
        my_turn(page)
        discard_oldest(page)
        shows_moves(page, made)
    expect(watching.locator("#whose")).to_have_text("Replay: turn 1 of 6")
    expect(watching.locator(".hand .card.seen")).to_have_count(2)  # discarded in moves 3 and 5
    expect(page.get_by_label("Spectators see").locator("option")).to_have_count(4)  # none, 5, 10 and 20 moves
    assert barriers(watching) == []
    watching.get_by_role("button", name="Now", exact=True).click()
    expect(watching.locator(".hand .card.seen")).to_have_count(0)
    assert watching.locator("#toasts .error").count() == 0


# Chat


@on_a_screen
def test_two_people_chat_with_quick_words_while_they_play(screen: dict[str, Any], visitor: Visitor) -> None:
    ada = visitor("Ada", **screen)
    page = at_table(ada, "me", "open")
    page.keyboard.press("c")
    expect(page.get_by_label("Message", exact=True)).to_be_hidden()
    page.get_by_text("Chat settings").click()
    mode = page.get_by_label("Chat during the game")
    mode.select_option("free")
    page.get_by_label("Message", exact=True).fill("<b>hello</b> שלום")
    page.keyboard.press("Enter")
    said = page.get_by_role("log", name="Messages")
    expect(said).to_contain_text("Ada <b>hello</b> שלום")
    mode.select_option("quick")
    expect(page.get_by_label("Message", exact=True)).to_be_hidden()
    invitation = page.evaluate("Object.values(JSON.parse(localStorage['kibitz.seats']))[0].invitations[0].invitation")
    table = page.url.split("/table/")[1]
    other = visitor("Bo", **screen).open(f"#/join/{table}/{invitation}", ".join")
    other.get_by_role("button", name="Sit down").click()
    other.wait_for_selector("#whose")
    badge = other.locator(".tab-chat .badge")
    expect(badge).to_be_hidden()  # earlier messages are not unread
    page.get_by_role("button", name="Good luck!").click()
    expect(badge).to_have_text("1 unread")
    expect(other.locator("#said")).to_contain_text("Ada says: Good luck!")
    other.locator(".tab-chat").click()
    expect(badge).to_be_hidden()
    expect(other.get_by_role("log", name="Messages")).to_contain_text("Ada Good luck!")
    assert barriers(page) == []
    assert barriers(other) == []
    other.get_by_role("button", name="Settings").click()
    other.get_by_role("checkbox", name="Chat").uncheck()
    other.keyboard.press("Escape")
    expect(other.locator(".chat-panel")).to_be_hidden()
    mode.select_option("off")
    expect(page.locator(".chat-panel")).to_contain_text("Chat is off.")


# Replays together


def watched_to_the_end(visit: Visit) -> Any:
    """A game of bots that is over."""
    page = at_table(visit, "simple_distrustful", "simple_distrustful")
    page.wait_for_selector(".over", timeout=PATIENCE)
    return page


@at_length
@on_a_screen
def test_one_leads_a_replay_and_the_others_follow_as_long_as_they_like(
    screen: dict[str, Any], visitor: Visitor
) -> None:
    page = watched_to_the_end(visitor("Ada", **screen))
    eve = visitor("Eve", **screen).open(page.url.split("/", 3)[3], ".over")
    page.get_by_role("button", name="Lead the replay").click()
    page.keyboard.press("Home")
    page.keyboard.press("]")
    expect(eve.locator(".led")).to_contain_text("You follow Ada.")
    expect(eve.locator("#whose")).to_contain_text("turn 1 of")
    page.get_by_label("Seen from").select_option("1")
    expect(eve.get_by_label("Seen from")).to_have_value("1")
    eve.get_by_role("button", name="Stop following").click()
    page.keyboard.press("]")
    expect(page.locator("#whose")).to_contain_text("turn 2 of")
    eve.keyboard.press("Home")
    expect(eve.locator("#whose")).to_contain_text("turn 0 of")
    assert barriers(eve) == []
    eve.get_by_role("button", name="Follow Ada").click()
    expect(eve.locator("#whose")).to_contain_text("turn 2 of")
    page.evaluate("sockets.at(-1).close()")
    page.wait_for_function("() => sockets.length > 1 && sockets.at(-1).readyState === 1")
    page.wait_for_function("() => !document.body.classList.contains('broken')")
    page.keyboard.press("]")
    expect(eve.locator("#whose")).to_contain_text("turn 3 of")  # the connection is back, and the lead with it
    eve.get_by_role("button", name="Ask for the lead").click()
    page.get_by_role("button", name="Pass the lead to Eve").click()
    expect(page.locator(".led")).to_contain_text("You follow Eve.")
    assert barriers(page) == []
    eve.keyboard.press("[")
    expect(page.locator("#whose")).to_contain_text("turn 2 of")
    eve.get_by_role("button", name="Stop leading").click()
    expect(page.get_by_role("button", name="Lead the replay")).to_be_visible()


# Analysis boards


@at_length
@on_a_screen
def test_on_an_analysis_board_one_moves_for_everybody_and_goes_on_from_any_move(
    screen: dict[str, Any], visitor: Visitor
) -> None:
    page = watched_to_the_end(visitor("Ada", **screen))
    page.keyboard.press("Home")
    page.keyboard.press("]")
    expect(page.locator("#whose")).to_contain_text("turn 1 of")
    page.get_by_role("button", name="Analysis board").click()
    expect(page.locator("#whose")).to_have_text("Move for Simple Sam 2")
    expect(page.locator(".table-head")).to_contain_text("Analysis board, not counted")
    expect(page.locator(".hand .card.seen")).to_have_count(10)
    discard_oldest(page)
    expect(page.locator("#whose")).to_have_text("Move for Simple Sam 1")
    discard_oldest(page)
    shows_moves(page, 3)
    assert barriers(page) == []
    page.keyboard.press("[")
    page.keyboard.press("[")
    expect(page.locator("#whose")).to_have_text("Replay: turn 1 of 3")
    page.get_by_role("button", name="Continue from here").click()
    shows_moves(page, 1)
    expect(page.locator("#whose")).to_have_text("Move for Simple Sam 2")
    discard_oldest(page)
    shows_moves(page, 2)
    page.keyboard.press("u")
    shows_moves(page, 1)
