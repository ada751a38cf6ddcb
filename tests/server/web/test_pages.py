"""The page in a real Chromium: whole games by clicks and by keys, several people, replays, reconnection, phones."""

import contextlib
import gzip
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import TimeoutError, expect

import kibitz
from kibitz.core import registry
from tests.fuzzing import at_length
from tests.server.web.browsers import PATIENCE, Server, Visit, barriers, installed, on_a_screen, opened, seated

pytestmark = pytest.mark.skipif(
    installed() is None,
    reason="no Chromium: install chromium or google-chrome, or name a browser of its kind with KIBITZ_BROWSER",
)

Visitor = Callable[..., Visit]
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "device_scale_factor": 2}
PAPER = "getComputedStyle(document.documentElement).backgroundColor"


def sit_down(page: Any, game: str = "Hanabi", players: int = 2, level: str | None = None) -> None:
    card = page.locator(".game-card", has=page.get_by_role("heading", name=game))
    card.get_by_label("Players").select_option(str(players))
    if level:
        card.get_by_label("Level").select_option(level)
    page.get_by_role("button", name=f"Play {game} now").click()
    page.wait_for_selector(".your-turn, .over", timeout=PATIENCE)


def at_table(visit: Visit, *seats: str, game: str = "Hanabi", **options: Any) -> Any:
    return seated(visit, *seats, game=game.lower().replace(" ", ""), **options)


def moves_made(page: Any) -> int:
    return int(page.locator(".history button").count())


def my_turn(page: Any) -> bool:
    """Wait for one's turn, or for the end of the game."""
    page.wait_for_selector(".your-turn, .over", timeout=PATIENCE)
    return page.locator(".over").count() == 0


def after_move(page: Any, made: int) -> None:
    page.wait_for_function("made => document.querySelectorAll('.history button').length > made", arg=made)


def shows_moves(page: Any, made: int) -> None:
    """Wait until exactly this number of moves is on the page: another page may show them earlier."""
    page.wait_for_function("made => document.querySelectorAll('.history button').length === made", arg=made)


def tokens(page: Any) -> int:
    """Hints that may be given; with all eight there is no discard by the usual rules."""
    return int(page.locator(".lamp.lit").count())


def hint_by_clicks(page: Any) -> bool:
    """Give the first hint there is, and see that what it would touch is what it touched."""
    page.locator(".others .card").first.click()
    value = page.locator(".value").first
    if value.count() == 0:
        return False
    value.hover()
    lit = page.locator(".others .card.lit").count()
    assert "touches card" in (value.get_attribute("aria-label") or "")
    assert lit == len(re.findall(r"\d", (value.get_attribute("aria-label") or "").split("touches")[1]))
    value.click()
    return True


def test_a_whole_game_of_hanabi_by_clicks(visitor: Visitor) -> None:
    page = visitor().open()
    page.get_by_label("Play as").fill("Ada <i>Lovelace</i>")
    sit_down(page, players=5)
    assert page.get_by_role("heading", name="Ada <i>Lovelace</i> (you)").is_visible()
    turns = 0
    while my_turn(page):
        made, turns = moves_made(page), turns + 1
        playable = page.locator(".own .card.playable")
        if playable.count():
            playable.first.click()
            page.get_by_role("button", name="Play", exact=True).click()
        elif (turns % 3 and tokens(page) < 8) or not hint_by_clicks(page):
            page.locator(".own .card").first.click()
            page.get_by_role("button", name="Discard", exact=True).click()
        after_move(page, made)
    assert "points" in page.locator(".over").inner_text()
    page.locator(".history .why").first.wait_for()
    expect(page.locator("#said")).to_contain_text("points")


@at_length
def test_a_whole_game_of_hanabi_by_keys_alone(visitor: Visitor) -> None:
    page = visitor("Bo").open()
    page.evaluate("localStorage.setItem('kibitz.choice.hanabi.players', '4')")
    page.reload()
    page.wait_for_selector(".game-card")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.getAttribute('aria-label')") == "Play Hanabi now":
            break
    page.keyboard.press("Enter")
    turns = 0
    while my_turn(page):
        made, turns = moves_made(page), turns + 1
        if tokens(page) == 8 or (turns % 2 and tokens(page)):
            page.keyboard.press("h")
            page.keyboard.press("2")
            value = page.locator(".value").first.get_attribute("aria-label") or ""
            first = value.split(":")[0]
            page.keyboard.press(first[0])
            page.keyboard.press("Enter")
        else:
            page.keyboard.press("d")
            page.keyboard.press("1")
        after_move(page, made)
    assert "points" in page.locator(".over").inner_text()
    page.keyboard.press("?")
    assert page.get_by_role("dialog").get_by_text("show every hand as its owner knows it").is_visible()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog").count() == 0


def test_two_people_and_a_bot_at_one_table(visitor: Visitor) -> None:
    ada = visitor("Ada", permissions=["clipboard-read", "clipboard-write"])
    page = at_table(ada, "me", "open", "simple_distrustful")
    assert page.locator("#whose").inner_text() == "Waiting for players"
    page.get_by_role("button", name="Copy invitation").click()
    page.get_by_text("copied").first.wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    bo = visitor()
    other = bo.open(link.removeprefix(bo.server.address), ".join")
    other.get_by_label("Your name").fill("Bo <b>the second</b>")
    other.get_by_role("button", name="Sit down").click()
    other.wait_for_selector(".hand")
    page.wait_for_selector(".your-turn")
    assert page.get_by_text("Bo <b>the second</b>").count() > 0
    assert page.locator(".own .card .face").count() == 0
    assert other.locator(".own .card .face").count() == 0
    onlooker = visitor().open(page.url.removeprefix(bo.server.address), ".hand")
    assert onlooker.locator(".card .face").count() == 0
    assert onlooker.get_by_text("Spectating").is_visible()
    page.keyboard.press("d")
    page.keyboard.press("1")
    other.wait_for_selector(".your-turn")
    opened(other, "around")
    other.get_by_role("button", name="Let a bot play for me").click()
    shows_moves(page, 3)
    page.wait_for_selector(".your-turn")
    other.get_by_role("button", name="Take my seat back").click()
    other.get_by_role("button", name="Let a bot play for me").wait_for()
    page.keyboard.press("d")
    page.keyboard.press("2")
    shows_moves(other, 4)
    other.wait_for_selector(".your-turn")


def test_nobody_can_sit_down_before_the_server_is_there(visitor: Visitor) -> None:
    ada, bo = visitor("Ada"), visitor("Bo")
    page = at_table(ada, "me", "open")
    silent: list[Any] = []
    bo.page.route_web_socket("**/socket", lambda each: each.connect_to_server() if silent else silent.append(each))
    seats = page.evaluate("JSON.parse(localStorage.getItem('kibitz.seats'))")
    table = page.url.rsplit("/", 1)[1]
    other = bo.open(f"#/join/{table}/{seats[table]['invitations'][0]['invitation']}", ".join")
    sit_down = other.get_by_role("button", name="Sit down")
    assert sit_down.is_disabled()
    other.get_by_label("Your name").press("Enter")
    assert other.locator(".trouble").inner_text() == ""
    silent[0].close()
    sit_down.click()
    other.wait_for_selector(".hand")


@pytest.mark.slow  # the same clicks as in a game of Hanabi
def test_a_whole_game_of_love_letter_by_clicks(visitor: Visitor) -> None:
    page = visitor("Ada").open()
    sit_down(page, "Love Letter", players=4)
    while my_turn(page):
        made = moves_made(page)
        page.locator(".own button.letter:not([disabled])").first.click()
        while page.locator(".prompt [data-first]").count() and moves_made(page) == made:
            with contextlib.suppress(TimeoutError):  # the move has just been made: there is nothing to choose any more
                page.locator(".prompt [data-first]").first.click(timeout=1000)
        after_move(page, made)
    assert "win" in page.locator(".over").inner_text()
    assert page.locator(".round-over").is_visible()


def test_love_letter_by_keys_alone(visitor: Visitor) -> None:
    page = at_table(visitor("Ada"), "me", "greedy", game="Love Letter", seed=3)
    assert my_turn(page)
    page.keyboard.press("1")
    for key in ("2", "5", "Enter"):
        if page.locator(".your-turn").count() and moves_made(page) == 0:
            page.keyboard.press(key)
    page.wait_for_function("() => document.querySelectorAll('.history button').length > 0")


def test_watching_bots_with_pause_step_and_reasons(visitor: Visitor) -> None:
    page = at_table(visitor(), "simple_distrustful", "simple_distrustful", "simple_distrustful", bot_delay=400)
    page.get_by_role("button", name="Pause").click()
    page.get_by_role("button", name="Resume").wait_for()
    before = moves_made(page)
    assert page.locator(".card .face").count() >= 15
    page.get_by_role("button", name="Step", exact=True).click()
    after_move(page, before)
    assert moves_made(page) == before + 1
    page.get_by_label("Bot delay per move").focus()
    page.keyboard.press("Home")
    page.get_by_text("0.0 s per move").wait_for()
    page.get_by_role("button", name="Resume").click()
    page.wait_for_selector(".over")
    page.wait_for_function("() => !document.querySelector('.history li:not(:has(.why))')")


def test_a_replay_by_steps_seats_links_and_what_if(visitor: Visitor, tmp_path: Path) -> None:
    visit = visitor("Ada")
    page = at_table(visit, "simple_distrustful", "simple_distrustful")
    page.wait_for_selector(".over")
    page.get_by_role("button", name="Replay the game").click()
    page.get_by_text("Replay: turn 0").wait_for()
    page.keyboard.press("]")
    page.keyboard.press("]")
    page.get_by_text("Replay: turn 2").wait_for()
    page.get_by_label("Seen from").select_option("1")
    page.wait_for_selector(".own")
    assert page.locator(".own .card .face").count() == 0
    assert page.url.endswith("/turn/2/as/1")
    page.get_by_role("button", name="Export …").click()
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").first.click()
    record = tmp_path / "game.json"
    download.value.save_as(record)
    expect(page.get_by_role("link", name="Download")).to_have_count(2)
    link = page.get_by_role("link", name="Open", exact=True).get_attribute("href")
    assert link == page.get_by_label("hanab.live link").input_value()
    page.get_by_role("button", name="Close").click()

    there = visitor().open(page.url.removeprefix(visit.server.address), ".own")
    there.get_by_text("Replay: turn 2").wait_for()
    there.get_by_role("button", name="Autoplay").click()
    there.get_by_text("Replay: turn 3").wait_for()

    page.get_by_role("button", name="What if …").click()
    assert page.get_by_label("Seat 1").input_value() == "me"  # the player to move
    assert page.get_by_label("Seat 2").input_value() == "bot:simple_distrustful"
    page.get_by_role("button", name="Play from here").click()
    page.get_by_text("What if: after turn 2").wait_for()
    after_move(page, 1)

    for put in (lambda: page.get_by_label("From a file").set_input_files(record), lambda: paste(page, link)):
        page.goto(visit.server.address + "#/")
        page.get_by_role("button", name="Import a game …").click()
        put()
        page.get_by_text("Replay: turn 0").wait_for()
    assert page.get_by_role("heading", name="Alice").is_visible()


def paste(page: Any, text: str) -> None:
    page.get_by_label("Or paste it here").fill(text)
    page.get_by_role("button", name="Import", exact=True).click()


def test_empathy_shows_a_hand_as_its_owner_knows_it(visitor: Visitor) -> None:
    page = at_table(visitor(), "me", "simple_distrustful", "simple_distrustful")
    assert my_turn(page)
    open_cards = page.locator(".others .card .face").count()
    assert open_cards == 10
    page.keyboard.down("e")
    assert page.locator(".others .card .face").count() == 0
    assert page.locator(".others .card .back").count() == 10
    page.keyboard.up("e")
    assert page.locator(".others .card .face").count() == open_cards
    eye = page.get_by_role("button", name="Hold to see the hand of").first
    eye.hover()
    page.mouse.down()
    assert page.locator(".others .card .face").count() == 5
    page.mouse.up()
    assert page.locator(".others .card .face").count() == open_cards


def test_the_kibitz_panel_advises_and_counts(visitor: Visitor) -> None:
    page = at_table(visitor(), "me", "simple_distrustful")
    assert my_turn(page)
    page.get_by_text("Kibitz", exact=True).click()
    page.get_by_role("button", name="Show the odds").click()
    page.wait_for_selector(".odds-table")
    assert page.locator(".odds-table tbody tr").count() == 5
    page.get_by_role("button", name="What would you do?").click()
    page.locator(".advice .why").wait_for()
    page.get_by_role("button", name="Play this").click()
    after_move(page, 0)


def test_notes_are_kept_for_their_writer(visitor: Visitor) -> None:
    page = at_table(visitor(), "me", "simple_distrustful")
    assert my_turn(page)
    page.keyboard.press("n")
    page.keyboard.press("2")
    page.keyboard.type("<i>a five?</i>")
    page.keyboard.press("Enter")
    assert page.locator(".own .card").nth(1).locator(".note").inner_text() == "<i>a five?</i>"
    page.reload()
    page.wait_for_selector(".own .note")
    assert page.locator(".own .card").nth(1).locator(".note").inner_text() == "<i>a five?</i>"


def test_pointing_at_history_lights_up_the_cards_of_a_hint(visitor: Visitor) -> None:
    page = at_table(visitor(), "me", "simple_distrustful")
    assert my_turn(page)
    assert hint_by_clicks(page)
    after_move(page, 0)
    assert my_turn(page)  # the bots have moved, so nothing is drawn again
    page.locator(".history button").first.hover()
    expect(page.locator(".others .card.lit").first).to_be_visible()


def test_a_page_whose_connection_was_cut_comes_back_by_itself(visitor: Visitor) -> None:
    page = at_table(visitor(), "me", "simple_distrustful")
    assert my_turn(page)
    page.evaluate("sockets.at(-1).close()")
    page.wait_for_function("() => sockets.length > 1 && sockets.at(-1).readyState === 1")
    page.wait_for_function("() => !document.body.classList.contains('broken')")
    page.wait_for_selector(".your-turn")
    page.keyboard.press("d")
    page.keyboard.press("1")
    after_move(page, 0)


@at_length
def test_a_killed_server_brings_the_table_back(browser: Any, tmp_path: Path) -> None:
    server = Server(tmp_path)
    visit = Visit(browser, server, "Ada")
    page = at_table(visit, "me", "simple_distrustful")
    for made in (0, 2):
        assert my_turn(page)
        shows_moves(page, made)
        page.keyboard.press("d")
        page.keyboard.press("1")
        after_move(page, made)
    assert my_turn(page)
    history = page.locator(".history").inner_text()
    server.kill()
    page.get_by_text("Connection lost, reconnecting").wait_for()
    server.start()
    page.wait_for_function("() => !document.body.classList.contains('broken')")
    page.wait_for_selector(".your-turn")
    assert page.locator(".history").inner_text() == history
    page.keyboard.press("d")
    page.keyboard.press("1")
    page.wait_for_function("() => document.querySelectorAll('.history button').length > 4")
    visit.close()
    server.stop()


def too_wide(page: Any) -> list[str]:
    """Controls that reach over the edge of a screen."""
    found: list[str] = page.evaluate("""() => [...document.querySelectorAll("button, a, select, input, summary")]
        .filter(each => each.checkVisibility() && !each.closest(".unseen, .skip, .scroll"))
        .map(each => [each, each.getBoundingClientRect()])
        .filter(([each, box]) => box.width > 1 && (box.left < -1 || box.right > innerWidth + 1))
        .map(([each]) => each.outerHTML.slice(0, 120))""")
    return found


def test_everything_fits_a_phone(visitor: Visitor) -> None:
    visit = visitor("Ada", **PHONE)
    page = visit.open()
    narrow = "document.documentElement.scrollWidth <= innerWidth"
    for address, awaited in (("#/", ".game-card"), ("#/gallery", ".agent"), ("#/lab", ".lab-form button")):
        visit.open(address, awaited)
        assert page.evaluate(narrow), address
        assert too_wide(page) == []
    visit.open("#/")
    page.get_by_label("Players").first.select_option("5")
    page.get_by_role("button", name="Play Hanabi now").tap()
    assert my_turn(page)
    page.locator(".others .card").first.tap()
    assert page.locator(".value").count() > 0
    page.locator(".value").first.tap()
    assert page.locator(".others .card.lit").count() > 0
    assert page.evaluate(narrow)
    assert too_wide(page) == []
    page.get_by_role("button", name="Hint ").tap()
    after_move(page, 0)
    visit.open("#/")
    page.get_by_role("button", name="Play Love Letter now").tap()
    assert my_turn(page)
    assert page.evaluate(narrow)
    assert too_wide(page) == []


def test_no_serious_barrier_for_people_with_disabilities(visitor: Visitor) -> None:
    """By every rule in the light theme. The dark one has the same elements, so there only contrasts can differ."""
    visit = visitor("Ada", color_scheme="light")
    contrasts = {"runOnly": {"type": "rule", "values": ["color-contrast"]}}
    papers: dict[str, str] = {}

    def check(where: str) -> None:
        for scheme, options in (("dark", contrasts), ("light", {})):
            visit.page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            papers[scheme] = visit.page.evaluate(PAPER)
            assert (where, scheme, barriers(visit.page, **options)) == (where, scheme, [])
        assert papers["dark"] != papers["light"]

    page = visit.open()
    check("lobby")
    page.get_by_role("button", name="Set up a table of Hanabi").click()
    check("setting up a table")
    page.keyboard.press("Escape")
    for address, awaited in (("#/gallery", ".agent"), ("#/lab", ".lab-form button"), ("#/join/x/y", ".join")):
        visit.open(address, awaited)
        check(address)
    at_table(visit, "me", "simple_distrustful", "simple_distrustful")
    assert my_turn(page)
    page.locator(".own .card").first.click()
    page.get_by_text("Kibitz", exact=True).click()
    page.get_by_role("button", name="Show the odds").click()
    page.wait_for_selector(".odds-table")
    check("Hanabi, one's own card")
    page.locator(".others .card").first.click()
    check("Hanabi, a hint")
    at_table(visit, "simple_distrustful", "simple_distrustful")
    page.wait_for_selector(".over")
    page.get_by_role("button", name="Replay the game").click()
    page.keyboard.press("]")
    page.get_by_text("Replay: turn 1").wait_for()
    check("a replay")
    at_table(visit, "me", "greedy", "greedy", game="Love Letter")
    assert my_turn(page)
    page.locator(".own button.letter:not([disabled])").first.click()
    check("Love Letter")


def test_every_colour_has_a_shape_of_its_own(visitor: Visitor) -> None:
    page = at_table(visitor(), "me", "simple_distrustful")
    assert my_turn(page)
    shapes = page.locator(".ledger .sign path").evaluate_all("paths => paths.map(path => path.getAttribute('d'))")
    assert len(set(shapes)) == len(shapes) == 5


def test_the_theme_is_the_visitors_choice_and_is_remembered(visitor: Visitor) -> None:
    page = visitor(color_scheme="dark").open()
    dark = page.evaluate(PAPER)
    page.locator("#theme").click()
    light = page.evaluate(PAPER)
    assert light != dark
    page.reload()
    page.wait_for_selector(".game-card")
    assert page.evaluate(PAPER) == light


def test_an_address_that_names_no_page_shows_the_lobby(visitor: Visitor) -> None:
    visit = visitor()
    for address in ("#/%", "#/__proto__/x", "#/toString"):
        visit.page.goto("about:blank")  # otherwise only the hash changes and the page does not reload
        visit.said.clear()  # a page without an origin has no storage, which the scripts of the tests complain of
        page = visit.open(address)
        assert page.get_by_role("heading", name="Hanabi", exact=True).is_visible(), address
        page.get_by_role("link", name="Lab").click()
        page.wait_for_selector(".lab-form button")
        assert visit.said == [], address


def test_who_made_a_table_can_delete_it(visitor: Visitor) -> None:
    page = at_table(visitor("Ada"), "me", "simple_distrustful")
    address = page.url
    opened(page, "around")
    page.get_by_role("button", name="Delete this table …").click()
    page.get_by_role("button", name="Cancel").click()
    page.get_by_role("button", name="Delete this table …").click()
    page.get_by_role("button", name="Delete", exact=True).click()
    page.wait_for_selector(".game-card")
    page.goto(address)
    page.get_by_text("Table not found").wait_for()


def test_the_list_of_tables_has_pages(visitor: Visitor) -> None:
    visit = visitor("Ada")
    page = visit.open()
    page.evaluate("""async () => {
        const socket = new WebSocket(`ws://${location.host}/socket`);
        const seats = [{ kind: "bot", agent: "hajdu_v1" }, { kind: "bot", agent: "hajdu_v1" }];
        const say = (message) => socket.send(JSON.stringify(message));
        let made = 0;
        await new Promise((done) => {
            socket.onmessage = (frame) => {
                const { type } = JSON.parse(frame.data);
                if (type === "seat") made += 1;
                if (made === 25) done();
                else if (type === "welcome" || type === "seat") {
                    say({ type: "create", game: "hanabi", seats, bot_delay: 60000 });
                }
            };
            socket.onopen = () => say({ type: "hello", version: 2 });
        });
    }""")
    page.locator(".table-list li").nth(20).wait_for()
    page.get_by_role("button", name="Finished", exact=True).click()
    page.wait_for_selector("[data-key=filter-finished][aria-pressed=true]")
    expect(page.locator(".table-list .dot.running")).to_have_count(0)


def test_the_laboratory_plays_a_match_and_draws_it(visitor: Visitor) -> None:
    page = visitor().open("#/lab", ".lab-form button")
    page.get_by_label("Games").fill("200")
    page.get_by_role("button", name="Start").click()
    page.wait_for_selector(".run.done .histogram", timeout=PATIENCE)
    assert "points" in page.locator(".run.done").first.inner_text()


def test_the_gallery_seats_one_beside_an_agent(visitor: Visitor) -> None:
    page = visitor().open("#/gallery/hanabi", ".agent")
    cards = page.locator(".agent")
    titles = cards.locator("h3").all_text_contents()
    assert titles[:2] == ["Thoughtful Theo", "Sensible Sidney"]  # the levels first
    assert titles.index("Guarded Greer") < titles.index("Summing Sasha")  # then by points with people
    expect(cards.last).to_contain_text("sees its own cards")
    expect(page.get_by_role("heading", name="Helpful Harper", exact=True)).to_be_hidden()
    page.get_by_role("searchbox", name="Find a bot").fill("harper")
    expect(page.get_by_role("heading", name="Summing Sasha")).to_be_hidden()
    page.get_by_role("button", name="Play with Helpful Harper", exact=True).click()
    page.get_by_role("button", name="Create table").click()
    assert my_turn(page)
    assert page.get_by_text("Helpful Harper").count() > 0


def test_what_the_page_is_made_of_is_small_and_comes_from_here() -> None:
    """What a visitor loads to play any one game: the shell, with what it imports at once, and the game's board."""
    static = Path(kibitz.__file__).parent / "server" / "web" / "static"
    boards = {game.name: game.page_folder for game in registry.games() if game.page_folder}

    def imported(file: Path, folder: Path) -> set[Path]:
        """The files that a page or a module loads as soon as it is loaded itself."""
        names = re.findall(r'(?:from|import|href=|src=) ?"([^"#]+\.(?:js|css|svg))"', file.read_text())
        return {static / name.removeprefix("/static/") if "/static/" in name else folder / name for name in names}

    def loaded(files: set[Path]) -> set[Path]:
        more = {each for file in files for each in imported(file, file.parent)} - files
        return loaded(files | more) if more else files

    sizes: dict[Path, int] = {}
    for name, board in boards.items():
        files = loaded({static / "index.html", board / "board.js", board / "board.css"})
        sizes |= {file: file.stat().st_size for file in files}
        assert sum(len(gzip.compress(file.read_bytes())) for file in files) < 95_000, name
        assert sum(sizes[file] for file in files) < 250_000, name
    everything = [static, *boards.values()]
    for file in (each for folder in everything for each in folder.rglob("*") if each.is_file()):
        text = file.read_text().replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in text, file
        assert "https://" not in text, file
        assert "innerHTML" not in text, file


def test_a_game_without_a_board_gets_letters_and_buttons(visitor: Visitor) -> None:
    page = visitor().open()
    page.evaluate("""async () => {
        const { mount } = await import("/static/plain_board.js");
        window.made = [];
        const board = mount(document.getElementById("main"), { move: (text) => window.made.push(text) });
        const say = (text) => text.replace("G2", "<b>Bo</b>");
        board.render({ text: "7 matches" }, { choices: [{ move: "take 1" }, { move: "ask G2" }], say });
        board.key({ key: "1" });
    }""")
    assert page.locator(".plain-board").inner_text() == "7 matches"
    page.get_by_role("button", name="ask <b>Bo</b>").click()
    assert page.evaluate("window.made") == ["take 1", "ask G2"]


def test_a_table_is_set_up_by_hand(visitor: Visitor) -> None:
    page = visitor("Ada").open()
    page.get_by_role("button", name="Set up a table of Hanabi").click()
    page.get_by_role("dialog").get_by_label("Players").select_option("3")
    page.get_by_label("Seat 1").select_option("bot:simple_distrustful")
    page.get_by_label("Seat 2").select_option("me")
    page.get_by_label("Seat 3").select_option("open")
    page.get_by_role("dialog").get_by_text("Rules", exact=True).click()
    page.get_by_label("When the last life is gone").select_option("piles")
    page.get_by_text("More options", exact=True).click()
    page.get_by_label("Seed", exact=True).fill("7")
    page.get_by_label("Bot delay per move").fill("0")
    page.get_by_role("button", name="Create table").click()
    page.wait_for_selector("#whose", timeout=PATIENCE)
    names = page.locator(".around-panel .seat-name").all_inner_texts()
    assert names == ["Simple Sam", "Ada", "open seat"]
    expect(page.get_by_text("seed", exact=False).first).to_be_visible()
    expect(page.locator(".rules-note")).to_contain_text("The piles still count")


def test_what_a_visitor_loads_to_play_is_small(visitor: Visitor) -> None:
    """The lobby and a table of Hanabi, counted as the browser unpacks it; the rest is loaded when it is opened."""
    page = visitor("Ada").open()
    page.get_by_role("button", name="Play Hanabi now").click()
    assert my_turn(page)
    loaded = page.evaluate("performance.getEntriesByType('resource').map((each) => [each.name, each.decodedBodySize])")
    assert not [name for name, _ in loaded if "lab.js" in name or "loveletter/board" in name]
    assert sum(size for _, size in loaded) < 250_000


@on_a_screen
def test_settings_are_kept_by_the_browser(visitor: Visitor, screen: dict[str, Any]) -> None:
    visit = visitor("Ada", **screen)
    page = visit.open()
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_label("Sound")).to_have_value("away")
    page.get_by_label("Sound").select_option("all")
    assert barriers(page) == []
    page.reload()
    page.get_by_role("button", name="Settings").click()
    expect(page.get_by_label("Sound")).to_have_value("all")
