"""The lobby and rematches in a real Chromium: playing again, open seats, one's own games, search, clocks."""

import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from kibitz.core import registry
from tests.fuzzing import at_length
from tests.server.web.browsers import Server, Visit, installed, on_a_screen
from tests.server.web.servers import Caller, call

pytestmark = pytest.mark.skipif(
    installed() is None,
    reason="no Chromium: install chromium or google-chrome, or name a browser of its kind with KIBITZ_BROWSER",
)

Visitor = Callable[..., Visit]
ONE_ROUND = {"game": "loveletter", "rules": {"unit": "round"}}
NARROW = "document.documentElement.scrollWidth <= innerWidth"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server where the time per move may be a second."""
    running = Server(tmp_path_factory.mktemp("tables"), "--limit", "least_move_seconds=1")
    yield running
    running.stop()


def begun(caller: Caller, name: str, *others: str, **options: Any) -> tuple[str, list[str]]:
    """A table of Love Letter: a person, other people, and a bot in the last seat; its id, and their tokens."""
    caller.say("hello", version=2, name=name)
    seats = [{"kind": "me"}, *({"kind": "open"} for _ in others), {"kind": "bot", "agent": "random"}]
    caller.say("create", seats=seats, **{**ONE_ROUND, **options})
    made = caller.hear("seat")
    tokens = [made["token"]]
    for other, invitation in zip(others, made.get("invitations", ()), strict=False):
        caller.say("leave", table=made["table"])
        caller.say("sit", table=made["table"], invitation=invitation["invitation"], name=other)
        tokens.append(caller.hear("seat")["token"])
    return made["table"], tokens


def finished(server: Server, *names: str) -> tuple[str, list[str]]:
    """A game that bots have finished for people: its table and their tokens."""
    with call(server.port) as caller:
        table, tokens = begun(caller, *names)
        for token in tokens:
            caller.say("leave", table=table)
            caller.say("resume", table=table, token=token)
            caller.say("hand_to_bot", table=table, agent="random")
        while caller.hear("view")["state"] != "finished":
            pass
    return table, tokens


def with_seats(visit: Visit, seats: dict[str, str]) -> Visit:
    """A browser that holds the tokens of seats, by table."""
    kept = {table: {"token": token, "at": number} for number, (table, token) in enumerate(seats.items())}
    once = "if (!localStorage.getItem('kibitz.seats')) localStorage.setItem('kibitz.seats', {})"
    visit.context.add_init_script(once.replace("{}", repr(json.dumps(kept))))
    return visit


def barriers(page: Any, part: str) -> list[str]:
    """What axe finds in a part of the page that keeps people with disabilities from using it."""
    found = Axe().run(page, context=part, options={"resultTypes": ["violations"]}).response
    assert found["passes"]  # it looked
    return [f"{each['id']}: {each['nodes'][0]['html']}" for each in found["violations"]]


@at_length
@on_a_screen
def test_everybody_at_a_table_is_invited_to_a_rematch(visitor: Visitor, server: Server, screen: dict[str, Any]) -> None:
    table, tokens = finished(server, "Ada", "Bo <b>", "Cy")
    names = ("Ada", "Bo <b>", "Cy")
    visits = [with_seats(visitor(n, **screen), {table: token}) for n, token in zip(names, tokens, strict=True)]
    ada, bo, cy = (visit.open(f"#/table/{table}", ".over") for visit in visits)
    ada.get_by_role("button", name="Play again").click()
    ada.get_by_text("Bo <b> and Cy have not answered yet").wait_for()
    assert "A rematch: everybody keeps their seat, and Ada moves first." in ada.locator(".rematch").inner_text()
    expect(ada.locator("#whose")).to_have_text("Waiting for Bo <b> and Cy")
    expect(bo.locator(".rematch p")).to_have_text("Ada wants to play again. Everybody keeps their seat.")
    expect(bo.locator("#said")).to_contain_text("Ada wants to play again.")
    assert barriers(bo, ".banner") == []
    assert bo.evaluate(NARROW)
    bo.get_by_role("button", name="Join the rematch").click()
    expect(bo.locator("#whose")).to_have_text("Waiting for Cy")
    cy.reload()  # a returning player finds the invitation
    cy.get_by_role("button", name="Stay here").click()
    cy.get_by_text("You stay here.").wait_for()
    for page in (ada, bo):
        page.get_by_text("Cy declines: let a bot play, or open the seat.").wait_for()
    assert barriers(ada, ".at-table > aside") + barriers(ada, ".banner") == []
    assert ada.evaluate(NARROW)
    ada.get_by_role("button", name="Let a bot play", exact=True).click()
    ada.wait_for_selector(".your-turn")
    assert [each.inner_text() for each in bo.locator(".seat-name").all()][:2] == ["Ada", "Bo <b>"]


@on_a_screen
def test_an_open_seat_is_joined_from_the_lobby(visitor: Visitor, server: Server, screen: dict[str, Any]) -> None:
    ada, bo = visitor("Ada", **screen), visitor(**screen)
    page = ada.open()
    page.get_by_role("button", name="Set up a table of Love Letter").click()
    page.get_by_label("Seat 2").select_option("open")
    page.get_by_role("button", name="Create table").click()
    offer = page.locator(".around-panel").get_by_label("Anyone may join from the lobby")
    expect(offer).not_to_be_checked()
    offer.check()
    expect(offer).to_be_checked()
    table = page.url.rsplit("/", 1)[1]
    other = bo.open()
    row = other.locator("li", has=other.locator(f"a[href='#/table/{table}']"))
    row.get_by_role("button", name="Join").wait_for()
    assert barriers(other, ".tables") == []
    assert other.evaluate(NARROW)
    row.get_by_role("button", name="Join").click()
    other.get_by_label("Your name").fill("Bo")  # who has none is asked
    other.get_by_role("button", name="Sit down").click()
    page.wait_for_selector(".your-turn")
    expect(page.locator(".seat-name").nth(1)).to_have_text("Bo")
    expect(offer).to_have_count(0)


@on_a_screen
def test_my_games_are_listed_with_whose_turn_it_is(visitor: Visitor, server: Server, screen: dict[str, Any]) -> None:
    over, [token] = finished(server, "Ada")
    with call(server.port) as caller:
        mine, [key] = begun(caller, "Ada", bot_delay=60_000)
    visit = with_seats(visitor("Ada", **screen), {"gone2345": "x", over: token, mine: key})
    visit.open(f"#/table/{mine}", ".your-turn")
    page = visit.open("#/")
    page.get_by_role("button", name="my games").click()
    rows = page.locator(".table-list li")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_contain_text("your turn · turn 1")
    expect(rows.nth(1)).to_contain_text("wins the round")
    expect(rows.nth(2)).to_contain_text("no longer exists")
    assert barriers(page, ".tables") == []
    assert page.evaluate(NARROW)
    page.get_by_role("button", name="Forget gone2345").click()
    page.get_by_role("button", name="Remove from list gone2345").click()
    expect(rows).to_have_count(2)
    page.get_by_role("button", name="Delete Love Letter").first.click()
    page.get_by_role("button", name="Delete for good").click()
    expect(rows).to_have_count(1)
    rows.first.get_by_role("link").click()
    page.wait_for_selector(".over")


@at_length
@on_a_screen
def test_the_lobby_is_searched_for_people_bots_and_tables(
    visitor: Visitor, server: Server, screen: dict[str, Any]
) -> None:
    name = f"Zoë <i>{screen['color_scheme']} {screen['viewport']['width']}"
    table, _ = finished(server, name)
    with call(server.port) as caller:
        begun(caller, name, bot_delay=60_000)
        page = visitor("Ada", **screen).open()
        search = page.get_by_label("Search tables")
        rows = page.locator(".table-list li")
        search.fill(name.upper())
        expect(rows).to_have_count(2)
        assert barriers(page, ".tables") == []
        page.get_by_role("button", name="Finished", exact=True).click()
        expect(rows).to_have_count(1)
        search.fill(f"{table} nobody%")
        expect(page.get_by_text(f"No table matches “{table} nobody%”.")).to_be_visible()
        expect(search).to_be_focused()
        search.fill("")
        expect(rows).not_to_have_count(0)


@at_length
@on_a_screen
def test_who_is_late_is_played_for_and_plays_on_with_one_click(
    visitor: Visitor, server: Server, screen: dict[str, Any]
) -> None:
    with call(server.port) as caller:
        table, [token] = begun(caller, "Ada", rules={"unit": "game"}, move_seconds=1)
        caller.say("bot_delay", table=table, paused=True)
        caller.say("leave", table=table)  # the clock stands still
        page = with_seats(visitor("Ada", **screen), {table: token}).open(f"#/table/{table}", ".rematch")
        expect(page.locator(".rematch")).to_contain_text("Random Rory plays for you until you take your seat back.")
        expect(page.locator("#said")).to_contain_text("Ada ran out of time.")
        assert barriers(page, ".banner") == []
        assert page.evaluate(NARROW)
        caller.say("resume", table=table, token=token)
        caller.say("bot_delay", table=table, step=True)
        expect(page.locator(".history button")).to_have_count(1)
        page.get_by_role("button", name="Take my seat back").click()
        expect(page.locator(".seat-name").first).to_have_text("Ada")
        expect(page.locator(".rematch")).to_have_count(0)


@at_length
@on_a_screen
def test_the_time_per_move_is_chosen_when_the_table_is_set(
    visitor: Visitor, server: Server, screen: dict[str, Any]
) -> None:
    page = visitor("Ada", **screen).open()
    page.get_by_role("button", name="Set up a table of Love Letter").click()
    page.get_by_text("More options", exact=True).click()
    expect(page.get_by_label("Time limit per move")).to_have_value("0")
    page.get_by_label("Time limit per move").select_option("5 minutes")
    assert barriers(page, ".dialog") == []
    page.get_by_role("button", name="Create table").click()
    expect(page.locator("#whose")).to_have_text(re.compile("Your turn · [45] min left"))
    other = visitor("Eve").open(page.url.removeprefix(server.address), "#whose")
    expect(other.locator("#whose")).to_have_text(re.compile(r"Ada · [45] min left"))


@at_length
def test_who_was_away_finds_the_invitation_to_a_rematch_among_their_games(visitor: Visitor, server: Server) -> None:
    table, tokens = finished(server, "Ada", "Bo")
    with call(server.port) as caller:
        caller.say("rematch", table=table, token=tokens[0])
        caller.hear("seat")
        page = with_seats(visitor("Bo"), {table: tokens[1]}).open()
        page.get_by_role("button", name="my games").click()
        page.get_by_role("button", name="Join the rematch of Love Letter with Ada").click()
        expect(page.locator("#whose")).to_have_text("Ada is thinking")


@on_a_screen
def test_an_unfinished_game_is_continued_from_the_top_of_the_lobby(
    visitor: Visitor, server: Server, screen: dict[str, Any]
) -> None:
    over, [token] = finished(server, "Ada")
    with call(server.port) as caller:
        other, [first] = begun(caller, "Ada", bot_delay=60_000)
        mine, [second] = begun(caller, "Ada", bot_delay=60_000)
        page = with_seats(visitor("Ada", **screen), {over: token, other: first, mine: second}).open()
        links = page.locator(".continue a")
        expect(links).to_have_count(2)
        expect(page.get_by_role("heading", name="Continue your games")).to_be_visible()
        assert barriers(page, ".continue") == []
        assert page.evaluate(NARROW)
        page.locator(f".continue a[href='#/table/{mine}']").click()
        page.wait_for_selector(".your-turn")


@on_a_screen
def test_small_games_are_folded_and_tables_are_one_press_away(
    visitor: Visitor, server: Server, screen: dict[str, Any]
) -> None:
    page = visitor("Ada", **screen).open()
    expect(page.get_by_role("button", name="Play Coins in a Row now")).to_have_count(0)
    top = page.locator("#tables-title").evaluate("title => title.getBoundingClientRect().top / innerHeight")
    if screen["viewport"]["width"] > 1000:
        assert top < 2
    page.get_by_role("button", name="Tables in play").click()
    expect(page.locator("#tables-title")).to_be_in_viewport()
    expect(page.get_by_role("button", name="All", exact=True)).to_be_focused()
    page.locator(".small-games summary").click()
    card = page.locator(".game-card", has=page.get_by_role("heading", name="Tic-tac-toe"))
    card.get_by_label("Your seat").select_option("Last")
    assert barriers(page, ".games") == []
    assert page.evaluate(NARROW)
    card.get_by_role("button", name="Play Tic-tac-toe now").click()
    expect(page.locator("#whose")).to_contain_text("Your turn")
    expect(page.locator(".history button")).to_have_count(1)  # the other one moved first


@on_a_screen
def test_the_rules_of_every_game_fit_on_one_screen(visitor: Visitor, server: Server, screen: dict[str, Any]) -> None:
    page = visitor("Ada", **screen).open()
    page.locator(".small-games summary").click()
    for game in registry.games():
        page.get_by_role("button", name=f"Rules of {game.title}", exact=True).click()
        box = page.get_by_role("dialog", name=f"Rules of {game.title}")
        expect(box.get_by_role("heading", name="Aim")).to_be_visible()
        assert box.evaluate("box => box.scrollHeight <= box.clientHeight && box.scrollWidth <= box.clientWidth"), game
        if game.name == "hanabi":
            assert barriers(page, ".dialog") == []
        page.keyboard.press("Escape")
        expect(box).to_have_count(0)


def test_the_rules_are_at_hand_at_a_table_with_those_that_differ(visitor: Visitor, server: Server) -> None:
    with call(server.port) as caller:
        table, _ = begun(caller, "Ada", bot_delay=60_000)
        page = visitor("Eve").open(f"#/table/{table}", ".board-loveletter")
        page.get_by_role("button", name="Rules of Love Letter").click()
        page.get_by_role("dialog").get_by_role("heading", name="Cards").wait_for()
        page.keyboard.press("Escape")
        page.keyboard.press("?")
        page.get_by_role("dialog").get_by_role("heading", name="At this table").first.wait_for()
        expect(page.get_by_role("dialog").get_by_role("region", name="Rules of Love Letter")).to_contain_text("Guard")
