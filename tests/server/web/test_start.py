"""A server that starts is ready at once: finished games are not played again, others come back one by one."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.core.game import Game
from kibitz.games.hanabi.game import HANABI
from kibitz.games.loveletter.game import LOVE_LETTER
from kibitz.server.live import table_service
from kibitz.server.live.storage import Entry
from kibitz.server.live.table_service import TableService
from kibitz.server.live.table_state import TableState
from kibitz.server.live.warmup import usual_first, usual_level
from kibitz.server.web.site import Site
from tests.server.web.guests import QUICK, THREE_BOTS, TWO_PEOPLE, Guest, Parlour, in_parlour, parlour, play_on, played

BOTS = [{"kind": "me"}, {"kind": "bot", "agent": "erratic"}, {"kind": "bot", "agent": "trustful"}]


async def some_tables(folder: Path) -> tuple[str, str, str]:
    """A finished game, one that goes on, and one that waits for somebody."""
    async with parlour(folder) as here:
        ada = await here.guest()
        over = (await play_on(ada, await opened(ada)))["table"]
        await ada.ask("ok", "leave", table=over)
        running = await ada.opened(seats=BOTS)
        ada.say("move", table=running["table"], turn=0, move="discard 1")
        await ada.view_at(3)
        waiting = await ada.ask("seat", "create", game="hanabi", seats=TWO_PEOPLE)
        return over, running["table"], waiting["table"]


async def opened(ada: Guest) -> Any:
    await ada.opened(seats=THREE_BOTS)
    return lambda view: "discard 1"


class Counted:
    """How often a game was played again, entry by entry."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.tables: dict[str, int] = {}
        apply = TableState.apply

        def counting(state: TableState, entry: Any) -> None:
            self.tables[state.id] = self.tables.get(state.id, 0) + 1
            apply(state, entry)

        monkeypatch.setattr(TableState, "apply", counting)


def test_no_finished_game_is_played_again_and_the_lobby_is_there_before_any_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def scenario(folder: Path) -> None:
        over, running, waiting = await some_tables(folder)
        counted = Counted(monkeypatch)
        with monkeypatch.context() as patch:
            patch.setattr(TableService, "restore", never)
            site = Site(folder, (), QUICK, warm_up=False)
            await site.open()
            ada = Guest(site)
            await ada.ask("welcome", "hello", version=2, name="Ada")
            listed = await ada.ask("tables", "lobby")
            assert [row["table"] for row in listed["tables"]] == [waiting, running, over]
            assert [(row["state"], row["turn"]) for row in listed["tables"][:2]] == [("waiting", 0), ("running", 3)]
            assert listed["tables"][1]["seats"][0]["name"] == "Ada"
            await ada.gone()
            await site.close()
        assert counted.tables == {}
        async with parlour(folder) as here:
            assert set(here.tables) == {running, waiting}
        assert counted.tables == {running: 3}

    async def never(*_: Any) -> None:
        await asyncio.Event().wait()

    played(scenario)


def test_after_a_kill_the_lobby_tells_who_sits_where_from_the_log(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada, bo = await here.guest("Ada"), await here.guest("Bo")
            seat = await ada.ask("seat", "create", game="hanabi", seats=TWO_PEOPLE)
            [invitation] = seat["invitations"]
            await bo.ask("seat", "sit", table=seat["table"], invitation=invitation["invitation"])
            before = (await ada.ask("tables", "lobby"))["tables"][0]
            monkeypatch.setattr(here.site.tables, "keep_listings", lambda: asyncio.sleep(0))
        site = Site(folder, (), QUICK, warm_up=False)
        monkeypatch.setattr(site.tables, "wake", lambda tables: site.tables.asleep.update({t.id: t for t in tables}))
        await site.open()
        eve = Guest(site)
        await eve.ask("welcome", "hello", version=2, name="Eve")
        [row] = (await eve.ask("tables", "lobby"))["tables"]
        assert [seat["name"] for seat in row["seats"]] == [seat["name"] for seat in before["seats"]]
        assert (row["state"], row["turn"], row["title"]) == ("running", 0, before["title"])
        found = await eve.ask("tables", "lobby", search="bo ada")
        assert [each["table"] for each in found["tables"]] == [row["table"]]
        eve.say("spectate", table=row["table"])  # a request for one table does not wait for the others
        assert (await eve.hear("view"))["turn"] == 0
        assert site.tables.asleep == {}
        await eve.gone()
        await site.close()

    played(scenario)


def test_tables_that_go_on_come_back_by_themselves_and_their_bots_move(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            table = (await ada.opened(seats=BOTS, bot_delay=60_000))["table"]
            ada.say("move", table=table, turn=0, move="discard 1")
            await ada.view_at(1)
            ada.say("bot_delay", table=table, milliseconds=0, paused=True)
            await ada.hear("seats", lambda message: message["options"]["paused"])
            await here.site.store.append(table, 2, [Entry("bot_delay", {"bot_delay": 0, "paused": False})])
        counted = Counted(monkeypatch)
        async with parlour(folder) as here:
            live = here.tables[table]
            assert counted.tables[table] == 3
            while live.runner is not None and not live.runner.done():
                await live.runner
            assert live.state.turn == 3

    played(scenario)


def test_a_search_of_the_lobby_looks_through_texts_in_a_thread_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario(folder: Path) -> None:
        over, running, waiting = await some_tables(folder)
        async with parlour(folder) as here:
            ada = await here.guest()

            def at_the_loop(*_: Any) -> Any:
                raise AssertionError("a search on the event loop")

            monkeypatch.setattr(here.site.store, "finished", at_the_loop)
            monkeypatch.setattr(here.site.store, "finished_count", at_the_loop)
            for which, expected in (("all", [waiting, running, over]), ("running", [waiting, running])):
                found = await ada.ask("tables", "lobby", search="hanabi ADA", which=which)
                assert [row["table"] for row in found["tables"]] == expected
                assert (found["total"], found["pages"]) == (len(expected), 1)
            assert (await ada.ask("tables", "lobby", search="nobody"))["tables"] == []

    played(scenario)


def test_pages_of_a_search_go_from_tables_that_go_on_to_those_that_are_over() -> None:
    async def scenario(folder: Path) -> None:
        over, running, waiting = await some_tables(folder)
        async with parlour(folder, limits=replace(QUICK, listed=2)) as here:
            ada = await here.guest()
            pages = [await ada.ask("tables", "lobby", search="ada", page=page) for page in (0, 1)]
            assert [[row["table"] for row in page["tables"]] for page in pages] == [[waiting, running], [over]]
            assert [(page["total"], page["pages"]) for page in pages] == [(3, 2)] * 2

    played(scenario)


@in_parlour()
async def test_a_table_that_nobody_looks_at_keeps_nothing_that_was_prepared_for_sending(here: Parlour) -> None:
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    table = (await ada.opened(seats=BOTS, bot_delay=60_000))["table"]
    bo.say("spectate", table=table)
    before = await bo.hear("view")
    views = here.tables[table].views
    assert views.prepared
    await ada.gone()
    assert views.prepared
    await bo.ask("ok", "leave", table=table)
    assert (views.seen, views.prepared, views.events_so_far) == ({}, {}, {})
    bo.say("spectate", table=table)
    assert (await bo.hear("view"))["view"] == before["view"]


def test_what_the_lobby_offers_first_is_compiled_first(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared: list[str] = []
    everything = asyncio.Event()

    def rehearsed(game: Game) -> None:
        prepared.append(game.name)

    async def scenario(folder: Path) -> None:
        loop = asyncio.get_running_loop()

        def compiled(game: Game, name: str) -> None:
            prepared.append(f"{game.name}.{name}")
            if (game, name) == (LOVE_LETTER, usual_first(LOVE_LETTER)[-1]):
                loop.call_soon_threadsafe(everything.set)

        monkeypatch.setattr(table_service, "rehearse", rehearsed)
        monkeypatch.setattr(table_service, "take_seat", compiled)
        async with parlour(folder) as here:
            here.site.tables.warm_up()
            await everything.wait()

    played(scenario)
    defaults = [
        [game.name, *(f"{game.name}.{name}" for name in game.lineup(usual_level(game)).everybody)]
        for game in (HANABI, LOVE_LETTER)
    ]
    first = [name for each in defaults for name in each]
    assert prepared[: len(first)] == first
    assert set(prepared) == {
        *first,
        *(f"{game.name}.{name}" for game in (HANABI, LOVE_LETTER) for name in usual_first(game)),
    }
