"""The board of Kriegspiel in a real Chromium: attempts in every way, promotion, the umpire, the map of the possible."""

from collections.abc import Callable
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from kibitz.core.record import Record
from kibitz.core.table import Table
from tests.fuzzing import at_length
from tests.games.kriegspiel.tables import ENDING, LECTURE, RULES, ending_at, table_at
from tests.server.web.browsers import Hand, Visit, barriers, installed, on_a_screen, seated, seated_by

pytestmark = pytest.mark.skipif(installed() is None, reason="no Chromium")

Visitor = Callable[..., Visit]
MAP = "Show where opposing pieces may be"


def imported(visit: Visit, table: Table, rules: dict[str, str]) -> str:
    """The table on the server that shows a game."""
    answer = httpx.post(
        f"{visit.server.address}api/import", content=Record.of(table, ["Ada", "Bo"], rules, None, None).dump(),
        headers={"Content-Type": "application/json"}, timeout=60,
    )  # fmt: skip
    return str(answer.json()["table"])


def seated_in(visit: Visit, position: str, *seats: str) -> Page:
    """A visitor's page at a table that begins with a position, as a game did in which White's king went from a1."""
    origin = imported(visit, table_at("a1a2", position), RULES)
    return seated_by(visit, "what_if", *seats, table=origin, turn=0, bot_delay=0)


def my_turn(page: Page) -> None:
    expect(page.locator(".square.movable").first).to_be_visible()


@on_a_screen
def test_an_attempt_is_pressed_and_typed_and_the_umpire_answers(visitor: Visitor, screen: dict[str, Any]) -> None:
    page = seated(visitor("Ada", **screen), "me", "heuristic", game="kriegspiel", seed=1)
    figures, umpire, known = (page.locator(each) for each in (".square .figure", ".umpire li", ".possible p"))
    my_turn(page)
    expect(figures).to_have_count(16)  # one's own
    page.locator("[data-square='e2']").click()
    page.locator("[data-square='e4'].target").click()
    expect(umpire.first).to_contain_text("Black has moved")
    expect(umpire.nth(1)).to_contain_text("White e2e4")
    my_turn(page)
    assert page.locator(".share").count() == 0  # unless one asks for it
    page.get_by_label(MAP).check()
    expect(known).to_have_text("18 positions are possible.")
    page.keyboard.type("d2d4")
    expect(umpire.filter(has_text="White d2d4")).to_have_count(1)
    my_turn(page)
    expect(known).to_contain_text("206 positions are possible")
    expect(page.locator("[data-square='e8']")).to_have_attribute("aria-label", "e8, empty, may hold a king, 99%")
    assert barriers(page) == []
    page.get_by_text("Kibitz", exact=True).click()
    page.get_by_role("button", name="Show the odds").click()
    heat = page.locator(".kriegspiel-heat svg")
    expect(heat).to_be_visible()
    assert "206 positions are possible. The king may be on d7, e7, f7, e8." in str(heat.get_attribute("aria-label"))


@on_a_screen
def test_a_pawn_is_dragged_to_the_last_rank_and_becomes_what_is_chosen(
    visitor: Visitor, screen: dict[str, Any]
) -> None:
    """With the mouse or by touch; an attempt that is illegal is dragged first, and another may follow."""
    page = seated_in(visitor("Ada", **screen), "7k/P7/8/1r6/8/8/8/K7 w - - 0 1", "me", "random")
    hand, umpire, ask = Hand(page, screen.get("has_touch", False)), page.locator(".umpire li"), page.locator(".prompt")
    my_turn(page)
    hand.take("[data-square='a1']")
    hand.carry("[data-square='b1']")  # where a rook looks at it
    hand.let_go()
    expect(umpire.first).to_contain_text("White a1b1: illegal")
    my_turn(page)
    hand.take("[data-square='a7']")
    hand.carry("[data-square='a8']")
    hand.let_go()
    expect(ask.get_by_role("button")).to_have_text(["queen", "rook", "bishop", "knight", "Cancel"])
    assert umpire.count() == 1  # nothing is attempted before one has chosen
    ask.get_by_role("button", name="knight").click()
    expect(umpire.filter(has_text="White a7a8n")).to_have_count(1)
    expect(page.locator("[data-square='a8']")).to_have_attribute("aria-label", "a8, white knight, can move")
    expect(ask.get_by_role("button")).to_have_count(0)


@at_length
def test_attempts_and_what_a_pawn_becomes_are_chosen_with_keys_alone(visitor: Visitor) -> None:
    page = seated_in(visitor("Ada"), "7k/P7/8/1r6/8/8/8/K7 w - - 0 1", "me", "random")
    umpire = page.locator(".umpire li")
    my_turn(page)
    page.locator("[data-square='a1']").focus()
    for key in ("Enter", "ArrowRight", "Escape"):  # a choice that is taken back
        page.keyboard.press(key)
    expect(page.locator(".square.target")).to_have_count(0)
    page.locator("[data-square='a1']").focus()
    for key in ("Enter", "ArrowRight", "Enter"):
        page.keyboard.press(key)
    expect(umpire.first).to_contain_text("White a1b1: illegal")
    my_turn(page)
    page.keyboard.type("a7a8")
    expect(page.locator(".prompt button").first).to_be_focused()
    page.keyboard.press("r")
    expect(umpire.filter(has_text="White a7a8r")).to_have_count(1)


@at_length
def test_a_piece_is_moved_with_two_touches(visitor: Visitor) -> None:
    visit = visitor("Ada", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = seated(visit, "me", "heuristic", game="kriegspiel", seed=1)
    my_turn(page)
    page.locator("[data-square='g1']").tap()
    page.locator("[data-square='f3'].target").tap()
    expect(page.locator(".umpire li").filter(has_text="White g1f3")).to_have_count(1)


@at_length
def test_the_set_of_an_ending_is_watched_move_by_move_with_the_eyes_of_a_side(visitor: Visitor) -> None:
    visit = visitor("Ada")
    shown = imported(visit, ending_at("a7e7 f4g5 e7e1"), ENDING)
    page = visit.open(f"#/table/{shown}/turn/0/as/open", "#whose")
    known, eyes, shares = page.locator(".possible p"), page.get_by_label("Known to"), page.locator(".share")
    page.get_by_label(MAP).check()
    expect(known).to_have_text("4 positions are possible.")
    expect(shares).to_have_text(["K 25%"] * 4)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#whose")).to_contain_text("turn 1")
    page.keyboard.press("ArrowRight")
    expect(known).to_have_text("11 positions are possible (4 before).")
    expect(shares).to_have_count(11)
    eyes.select_option(label="known to Bo")
    expect(known).not_to_contain_text("11 positions")
    page.get_by_label("Seen from").select_option(label="Ada")
    expect(page.locator(".square .figure")).to_have_count(2)
    expect(eyes).to_be_hidden()
    expect(shares).to_have_count(11)
    page.reload()  # the browser remembers the switch
    expect(page.get_by_label(MAP)).to_be_checked()
    expect(shares).to_have_count(11)


@at_length
def test_who_watches_bots_sees_the_set_of_either_side(visitor: Visitor) -> None:
    page = seated(visitor("Ada"), "heuristic", "random", game="kriegspiel", seed=1, rules=ENDING, bot_delay=5000)
    page.get_by_label(MAP).check()
    expect(page.locator(".share").first).to_be_visible()
    expect(page.get_by_label("Known to")).to_be_visible()


@at_length
def test_an_onlooker_of_people_is_shown_no_map(visitor: Visitor) -> None:
    page = seated(visitor("Ada"), "me", "heuristic", game="kriegspiel", seed=1)
    my_turn(page)
    page.get_by_label(MAP).check()
    expect(page.locator(".share")).to_have_count(16)
    other = visitor("Eve")
    other.context.add_init_script("localStorage.setItem('kibitz.choice.kriegspiel.possible', 'true')")
    looking = other.open(page.url.partition("/")[2].partition("/")[2].partition("/")[2], "#whose")
    expect(looking.locator(".umpire")).to_be_attached()
    expect(looking.locator(".squares")).to_be_visible()
    expect(looking.get_by_label(MAP)).to_be_hidden()
    assert looking.locator(".squares :is(.share, .figure)").count() == 0


@on_a_screen
def test_the_umpire_of_the_lecture_is_asked_with_a_button_and_answers_one_alone(
    visitor: Visitor, screen: dict[str, Any]
) -> None:
    page = seated(
        visitor("Ada", **screen), "me", "heuristic", game="kriegspiel", seed=1, rules={"umpire": "lecture"}, bot_delay=0
    )
    umpire, ask, head = (
        page.locator(".umpire li"),
        page.get_by_role("button", name="Any captures?"),
        page.locator(".asked"),
    )
    my_turn(page)
    ask.click()
    expect(umpire.first).to_have_text("White asks for a capture: no.")
    expect(head).to_have_text("You play White: you have no capture.")
    expect(ask).to_be_hidden()  # the answer stays the same
    page.locator("[data-square='e2']").click()
    page.locator("[data-square='e4'].target").click()
    my_turn(page)
    expect(ask).to_be_visible()
    expect(umpire).to_have_text(["Black has moved.", "White e2e4.", "White asks for a capture: no."])
    assert barriers(page) == []
    page.get_by_role("button", name="Any captures?").focus()
    page.keyboard.press("Enter")
    expect(umpire.first).to_contain_text("White asks for a capture")


@at_length
def test_an_ending_is_set_up_with_the_umpire_of_the_lecture(visitor: Visitor) -> None:
    page = visitor("Ada").open()
    page.get_by_role("button", name="Set up a table of Kriegspiel").click()
    page.get_by_role("dialog").get_by_text("Rules", exact=True).click()
    umpire = page.get_by_label("Umpire")
    expect(umpire).to_have_value("club")
    page.get_by_label("Starting position").select_option("rook_ending")
    expect(umpire).to_have_value("lecture")
    page.get_by_label("Starting position").select_option("chess")
    expect(umpire).to_have_value("club")


@at_length
def test_when_a_game_of_the_lecture_ends_the_history_has_what_was_private(visitor: Visitor) -> None:
    visit, position = visitor("Ada"), "7k/8/6K1/8/8/8/8/1R6 w - - 0 1"
    origin = imported(visit, table_at("b1b2", position, LECTURE), LECTURE)
    page = seated_by(visit, "what_if", "me", "random", table=origin, turn=0, bot_delay=0)
    my_turn(page)
    page.get_by_role("button", name="Any captures?").click()
    expect(page.locator(".umpire li")).to_have_text(["White asks for a capture: no."])
    page.keyboard.type("b1b8")
    expect(page.locator(".asked")).to_have_text("The game is over. All pieces are shown.")
    expect(page.locator(".square .figure")).to_have_count(3)
    expect(page.locator(".umpire li")).to_have_text(["White b1b8: check on the rank.", "White asks for a capture: no."])
    expect(page.locator(".what").first).to_have_text("Ada asks for a capture: there is none")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".umpire li")).to_have_text(["White asks for a capture: no."])
