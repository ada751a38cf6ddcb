"""Bots that crash, hang or cheat on the rules are replaced, the table says so, and the game goes on."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.bots import family
from kibitz.core.agent_title import title_of
from kibitz.errors import KibitzError
from kibitz.games.bridge import double_dummy
from kibitz.games.bridge.agents.sampler import Sampler
from kibitz.server.live.bot_threads import LONG, BotThreads, ThreadPool
from kibitz.server.live.limits import OWN_SECONDS
from kibitz.server.live.storage import StorageError
from kibitz.server.live.table_state import ANY_MOVE
from tests.server.web import unruly
from tests.server.web.guests import (
    PROCESSES,
    QUICK,
    Guest,
    Message,
    Parlour,
    hint_or_discard,
    in_parlour,
    parlour,
    play_on,
    played,
)
from tests.waiting import until

IMPATIENT = replace(QUICK, bot_seconds=0.5)


def where(name: str) -> str:
    return f"tests.server.web.unruly:{name}"


async def sat_with(here: Parlour, *bots: str) -> tuple[Guest, Message]:
    ada = await here.guest()
    seats = [{"kind": "me"}, *({"kind": "bot", "agent": bot} for bot in bots)]
    return ada, await ada.opened(seats=seats, seed=6)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Crashing", "it failed"),
        ("Exiting", "it failed"),
        ("Illegal", "it failed"),
        ("Babbling", "it failed"),
        ("Unborn", "it failed"),
    ],
)
def test_a_bot_that_fails_is_replaced_and_the_game_goes_on(name: str, says: str) -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder, agents=[where(name)]) as here:
            ada, _ = await sat_with(here, where(name), "hajdu_v2", "trustful")
            last = await play_on(ada)
            [said] = ada.every("notice")
            assert said["text"] == f"{title_of(name)} at G2 has to stop: {says}. Drifting Drew replaces it."
            assert last["seats"][1]["agent"] == "stopped_clock"
            assert last["verdict"]

    played(scenario)


@in_parlour(agents=[where("Crashing")])
async def test_what_a_crash_says_of_hidden_cards_is_not_sent(here: Parlour) -> None:
    ada, _ = await sat_with(here, where("Crashing"))
    await play_on(ada)
    assert not any("look at these" in text for text in ada.socket.sent)
    assert not any("Kind(" in text for text in ada.socket.sent)


@in_parlour(agents=[where("Crashing")])
async def test_at_an_open_table_everybody_hears_what_went_wrong(here: Parlour) -> None:
    ada = await here.guest()
    await ada.opened(seats=[{"kind": "bot", "agent": where("Crashing")}, {"kind": "bot", "agent": "bot2"}])
    assert "look at these" in (await ada.hear("notice"))["text"]


def test_a_compiled_agent_that_fails_is_replaced_as_well() -> None:
    async def scenario(folder: Path) -> None:
        raising, out_of_range = (f"tests.core.faulty_agents:{name}" for name in ("raises", "slot_nine"))
        async with parlour(folder, agents=[raising, out_of_range]) as here:
            ada = await here.guest()
            await ada.opened(seats=[{"kind": "bot", "agent": each} for each in (raising, "bot2")])
            assert "turn 5, failed while deciding: ValueError: what now" in (await ada.hear("notice"))["text"]
            ada, _ = await sat_with(here, out_of_range)
            last = await play_on(ada)
            assert last["seats"][1]["agent"] == "stopped_clock"
            assert last["verdict"]

    played(scenario)


@pytest.mark.parametrize("name", ["Sleeping", "Busy"])
def test_a_bot_that_hangs_is_replaced_and_holds_nobody_up(name: str) -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder, agents=[where(name)], limits=IMPATIENT) as here:
            ada, view = await sat_with(here, where(name), "trustful")
            ada.say("move", table=view["table"], turn=0, move="discard 1")
            bo = await here.guest("Bo")
            await bo.opened(seats=[{"kind": "me"}, {"kind": "bot", "agent": "bot2"}])
            await play_on(bo)  # while the bot of the other table hangs, or has been replaced
            assert "longer than 0.5 seconds" in (await ada.hear("notice"))["text"]
            await play_on(ada)

    played(scenario)


@pytest.mark.skipif(not double_dummy.installed(), reason=double_dummy.MISSING)
def test_an_agent_of_ours_has_longer_as_it_is_slow_only_where_the_machine_is_busy(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    granted: list[float] = []
    run = BotThreads.run

    async def noted(
        threads: BotThreads, pool: ThreadPool, key: str, call: Callable[[], Any], seconds: float = LONG
    ) -> Any:
        if pool is threads.python_moves:
            granted.append(seconds)
        return await run(threads, pool, key, call, seconds)

    async def scenario(folder: Path) -> None:
        async with parlour(folder, limits=replace(QUICK, bot_seconds=0.1)) as here:
            ada = await here.guest()
            seats = [{"kind": "me"}, *[{"kind": "bot", "agent": "sampler"}] * 3]
            view = await ada.opened(game="bridge", rules={"declarer": "north"}, seats=seats)  # East leads
            assert "bot" not in view["options"].get("seconds", {})
            assert (await ada.hear("view"))["turn"] == 1
            assert not ada.every("notice")

    monkeypatch.setattr(Sampler, "decide", lambda bot, view: view.legal[0])
    monkeypatch.setattr(BotThreads, "run", noted)
    played(scenario)
    assert set(granted) == {OWN_SECONDS}


def test_a_bot_that_lacks_a_library_says_which(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise KibitzError(double_dummy.MISSING)

    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            seats = [{"kind": "me"}, *[{"kind": "bot", "agent": "sampler"}] * 3]
            view = await ada.opened(game="bridge", rules={"declarer": "north"}, seats=seats)
            said = (await ada.hear("notice"))["text"]
            assert f"Dealer Dana at G2 has to stop: it cannot play here. {double_dummy.MISSING}." in said
            await ada.hear("view", lambda seen: seen["turn"] == 1)  # after the substitute's opening lead
            advice = await ada.ask("error", "advise", table=view["table"], agent="sampler")
            assert double_dummy.MISSING in advice["message"]

    monkeypatch.setattr(double_dummy, "library", missing)
    played(scenario)


def test_nothing_is_left_of_bots_that_hang() -> None:
    async def scenario(folder: Path) -> None:
        limits = replace(QUICK, bot_seconds=0.1)
        async with parlour(folder, agents=[where("Sleeping")], limits=limits) as here:
            ada, _ = await sat_with(here, where("Sleeping"), where("Sleeping"))
            last = await play_on(ada)
            assert {seat["agent"] for seat in last["seats"][1:]} == {"stopped_clock"}
            await asyncio.to_thread(until, only_the_processes_themselves, "the end of the processes of bots that hang")

    def only_the_processes_themselves() -> bool:
        return all(family.members(process.mark) == [process.process.pid] for process in list(PROCESSES.all))

    played(scenario)


def test_a_bot_that_is_not_installed_any_more_is_replaced() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder, agents=[where("Diary")]) as here:
            ada, view = await sat_with(here, where("Diary"))
            table, token = view["table"], ada.tokens[view["table"]]
        async with parlour(folder) as here:
            again = await here.guest()
            await again.ask("seat", "resume", table=table, token=token)
            view = await again.hear("view")
            again.say("move", table=table, turn=0, move=hint_or_discard(view))
            assert "has to stop: it is not installed on this server" in (await again.hear("notice"))["text"]
            await again.view_at(2)  # nobody is stuck

    played(scenario)


def test_when_the_substitute_fails_too_any_legal_move_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    from types import MappingProxyType

    from kibitz.core.game import Lineup
    from kibitz.games.hanabi.game import Hanabi

    async def scenario(folder: Path) -> None:
        async with parlour(folder, agents=[where("Illegal"), where("Babbling")]) as here:
            monkeypatch.setattr(
                Hanabi, "lineups", MappingProxyType({"odd": Lineup("they babble", (where("Babbling"),))})
            )
            ada, _ = await sat_with(here, where("Illegal"), "bot1", "bot2")
            last = await play_on(ada)
            assert [said["text"].rpartition(". ")[2] for said in ada.every("notice")] == [
                "Babbling replaces it.", f"{ANY_MOVE} replaces it.",
            ]  # fmt: skip
            assert last["seats"][1]["name"] == ANY_MOVE

    played(scenario)


@in_parlour(agents=[where("Diary")])
async def test_a_bot_that_remembers_sees_every_move_even_when_it_sits_down_late(here: Parlour) -> None:
    ada, view = await sat_with(here, where("Diary"), "hajdu_v2")
    for turn in (0, 3):
        ada.say("move", table=view["table"], turn=turn, move="discard 1")
        await ada.view_at(turn + 3)
    ada.say("hand_to_bot", table=view["table"], agent=where("Diary"))
    await ada.hear("view", lambda view: view["state"] == "finished")
    table = here.tables[view["table"]]
    noted = [made for made in table.state.core.turns if "pages" in made.decision.reason]
    assert {made.seat for made in noted} == {0, 1}
    for made in noted:
        assert made.decision.reason == f"{made.number} pages, the last about turn {made.number}"


@in_parlour(agents=[where("Slow")])
async def test_bots_that_only_take_their_time_are_left_alone(here: Parlour) -> None:
    ada, view = await sat_with(here, where("Slow"), where("Slow"))
    ada.say("move", table=view["table"], turn=0, move="discard 1")
    assert (await ada.hear("your_turn", lambda message: message["turn"] == 3))["turn"] == 3
    assert not ada.every("notice")


def test_at_a_server_bots_play_as_they_do_anywhere() -> None:
    """The same deal and the same agents: the game that a match plays."""
    from kibitz.core import registry
    from kibitz.core.table import Table
    from kibitz.engine import seeds

    game = registry.game("hanabi")
    names = ["trustful", "erratic", "bot2_conventions", "hajdu_v4"]
    start = game.deal(seeds.keys(12), 0, 4, game.check_rules({}))
    table = Table(game, [registry.agent(game, name).take_seat(game) for name in names], start)
    table.run()

    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            view = await ada.opened(seats=[{"kind": "bot", "agent": name} for name in names], seed=12)
            await ada.hear("view", lambda view: view["state"] == "finished")
            assert here.tables[view["table"]].state.core.turns == table.turns

    played(scenario)


def test_a_bot_that_failed_is_not_asked_again_while_its_replacement_cannot_be_kept(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failures, asked = 3, unruly.known_file("asked")

    async def scenario(folder: Path) -> None:
        async with parlour(folder, agents=[where("Counted")]) as here:
            ada = await here.guest()
            view = await ada.opened(seats=[{"kind": "me"}, {"kind": "bot", "agent": where("Counted")}])
            write = here.site.store.write

            async def full(*statements: Any) -> None:
                nonlocal failures
                if '"number"' in str(statements) and failures:
                    failures -= 1
                    raise StorageError("The disk is full.")
                await write(*statements)

            monkeypatch.setattr(here.site.store, "write", full)
            ada.say("move", table=view["table"], turn=0, move="discard 1")
            last = await ada.view_at(2)
            assert last["seats"][1]["agent"] == "stopped_clock"

    monkeypatch.setattr("kibitz.server.live.table.DISK_TROUBLE", 0.0)
    played(scenario)
    assert (asked.read_text(), failures) == ("x", 0)
    asked.unlink()
