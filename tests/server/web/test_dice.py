"""A game with dice at a table of the real server: what was rolled is an event, is kept, and is on the page."""

from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import expect

from kibitz.core import registry
from tests.server.web.browsers import Visit, barriers, installed, on_a_screen
from tests.server.web.guests import QUICK, Guest, Parlour, in_parlour, parlour, played
from tests.server.web.servers import in_a_thread

SEATS = [{"kind": "me"}, {"kind": "bot", "agent": "runner"}]
CHANCE = -3


@pytest.fixture(scope="module", autouse=True)
def installed_race() -> Iterator[None]:
    """The game and its agent, as if a package had brought them."""
    game = EntryPoint("race", "tests.server.web.dice_race:RACE", "kibitz.games")
    agent = EntryPoint("race.runner", "tests.server.web.dice_race:Runner", "kibitz.agents")
    games, agents = registry.game_entries(), registry.agent_entries
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(registry, "game_entries", lambda: {**games, "race": game})
        patch.setattr(registry, "agent_entries", lambda name: {"runner": agent} if name == "race" else agents(name))
        yield
    registry.game.cache_clear()


async def run(ada: Guest, view: dict[str, Any], until: int) -> dict[str, Any]:
    """Go whenever possible, up to a number of moves or the end of the game."""
    while view["state"] != "finished" and view["turn"] < until:
        if "choices" in view:
            ada.say("move", table=view["table"], turn=view["turn"], move=view["choices"][-1]["move"])
        view = await ada.hear("view")
    return view


@in_parlour(game="race")
async def test_every_roll_is_sent_as_an_event_of_its_own(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await ada.opened(game="race", seats=SEATS, seed=3)
    assert (view["turn"], view["to_move"]) == (1, 0)
    eve.say("spectate", table=view["table"])
    await eve.hear("view")
    end = await run(ada, view, 80)
    await eve.hear("view", lambda seen: bool(seen["turn"] == end["turn"]))
    for guest in (ada, eve):
        events = [*guest.every("events")[0]["events"], *(each["event"] for each in guest.every("event"))]
        assert [each["turn"] for each in events] == list(range(1, end["turn"] + 1))
        assert [each["seat"] for each in events[:6]] == [CHANCE, 0, CHANCE, 1, CHANCE, 0]
        assert events[0]["text"].startswith("G1 rolls a ")
    past = await ada.ask("history", "history", table=view["table"], turn=2, as_=0)
    assert "to_move" not in past


def test_rolls_are_the_same_after_a_restart_and_in_a_what_if() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder, game="race") as here:
            ada = await here.guest("Ada")
            view = await run(ada, await ada.opened(game="race", seats=SEATS), 5)
            token, table = ada.tokens[view["table"]], view["table"]
            ada.say("spectate", table=table)
            before = (await ada.hear("events"))["events"]
        async with parlour(folder, game="race") as here:
            ada = await here.guest("Ada")
            await ada.ask("seat", "resume", table=table, token=token)
            after = (await ada.hear("events"))["events"]
            assert after[: len(before)] == before
            end = await run(ada, await ada.hear("view"), 80)
            assert end["state"] == "finished"
            await ada.ask("seat", "what_if", table=table, turn=2, seats=SEATS)  # when chance was to move
            begun = (await ada.hear("events"))["events"]
            assert begun[:3] == before[:3]
            other = await ada.hear("view")
        async with parlour(folder, game="race") as here:
            ada = await here.guest("Ada")
            ada.say("spectate", table=other["table"])
            assert (await ada.hear("events"))["events"][:3] == before[:3]

    played(scenario)


@pytest.fixture(scope="module")
def address(installed_race: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with in_a_thread(tmp_path_factory.mktemp("tables"), QUICK) as port:
        yield f"http://localhost:{port}/"


@pytest.mark.skipif(installed() is None, reason="no Chromium")
@on_a_screen
def test_the_page_says_what_was_rolled(browser: Any, address: str, screen: dict[str, Any]) -> None:
    visit = Visit(browser, SimpleNamespace(address=address), "Ada", **screen)  # type: ignore[arg-type]
    page = visit.open()
    page.get_by_role("button", name="Play Race now").click()
    rolled = page.locator("#board .last")
    expect(rolled).to_contain_text("Ada rolls a ")
    while page.locator(".over").count() == 0:
        made = page.locator(".history button").count()
        page.locator(".plain-moves button").last.click()
        page.wait_for_function("made => document.querySelector('.over') ||"
            " document.querySelector('.plain-moves button') &&"
            " document.querySelectorAll('.history button').length > made", arg=made)  # fmt: skip
        if made == 1:
            expect(page.locator(".history .what").nth(2)).to_contain_text("Runner rolls a ")
            expect(page.locator("#said")).to_contain_text("Runner rolls a ")
            assert barriers(page) == []
    assert visit.said == []
    visit.close()
