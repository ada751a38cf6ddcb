"""The chat of a table: who may write what and when, its storage, and its limits."""

from dataclasses import replace
from pathlib import Path

import pytest

from kibitz.server.live.chat import WORDS
from tests.server.web.guests import (
    ONLY_BOTS,
    QUICK,
    THREE_BOTS,
    TWO_PEOPLE,
    Parlour,
    in_parlour,
    parlour,
    play_on,
    played,
    two_people,
)


@in_parlour()
async def test_while_people_play_only_quick_words_are_said(here: Parlour) -> None:
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    seat = await ada.ask("seat", "create", game="hanabi", seats=TWO_PEOPLE)
    where = {"table": seat["table"]}
    assert await ada.refused("chat", **where, text="your red 5") == "hidden"  # she sees the hands already
    ada.say("options", **where, chat="free")
    await ada.ask("ok", "chat", **where, text="anybody\n\x07 there\u202e?")
    ada.say("options", **where, chat="quick")
    await bo.ask("seat", "sit", **where, invitation=seat["invitations"][0]["invitation"])
    [line] = (await bo.hear("chat"))["lines"]
    assert (line["name"], line["seat"], line["text"]) == ("Ada", 0, "anybody there ?")
    assert await ada.refused("chat", **where, text="your red 5") == "hidden"
    assert await ada.refused("chat", **where, word=len(WORDS)) == "unknown"
    ada.say("chat", **where, word=0)
    heard = (await bo.hear("chat_line"))["line"]
    assert (heard["name"], heard["text"], heard["number"]) == ("Ada", WORDS[0], 1)
    ada.say("options", **where, chat="free")
    assert "Do not talk about cards" in (await bo.hear("notice", lambda said: "can be said" in said["text"]))["text"]
    bo.say("chat", **where, text="good \U0001f600 שלום")
    assert (await ada.hear("chat_line", lambda heard: heard["line"]["name"] == "Bo"))["line"]["text"]
    ada.say("options", **where, chat="off")
    await bo.hear("seats", lambda seats: seats["options"].get("chat") == "off")
    assert await bo.refused("chat", **where, word=0) == "switched_off"


@in_parlour()
async def test_spectators_speak_if_the_host_lets_them_and_never_if_they_see_the_hands(here: Parlour) -> None:
    ada, bo, seat = await two_people(here)
    where, eve = {"table": seat["table"]}, await here.guest("Eve")
    eve.say("spectate", **where)
    assert await eve.refused("chat", **where, word=0) == "not_yours"
    assert await bo.refused("options", **where, chat="off") == "not_yours"
    ada.say("options", **where, chat_spectators=True)
    await eve.hear("seats", lambda seats: seats["options"].get("chat_spectators"))
    await eve.ask("ok", "chat", **where, word=0)
    line = (await bo.hear("chat_line"))["line"]
    assert (line["name"], "seat" in line) == ("Eve", False)
    assert await eve.refused("chat", **where, text="well") == "hidden"
    ada.say("options", **where, chat="free", spectators=5)
    await eve.hear("seats", lambda seats: seats["options"].get("spectators"))
    assert await eve.refused("chat", **where, word=0) == "hidden"


@in_parlour()
async def test_at_open_tables_and_when_a_game_is_over_everybody_speaks_freely(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await ada.opened(seats=ONLY_BOTS, seed=4, bot_delay=60_000)
    eve.say("spectate", table=view["table"])
    await eve.ask("ok", "chat", table=view["table"], text="look at that red 5")
    await ada.opened(seats=THREE_BOTS, seed=4)
    last = await play_on(ada)
    eve.say("spectate", table=last["table"])
    await eve.ask("ok", "chat", table=last["table"], text="why not hint?")
    assert (await ada.hear("chat_line"))["line"]["text"] == "why not hint?"


@pytest.mark.parametrize("text", ["", " \n\t ", "\u202e\u200b", "x" * 201, "x" * 501])
@in_parlour()
async def test_lines_without_letters_and_long_ones_are_refused(here: Parlour, text: str) -> None:
    ada = await here.guest()
    view = await ada.opened(seats=TWO_PEOPLE, chat="free")
    assert await ada.refused("chat", table=view["table"], text=text) == "bad_message"
    assert not here.tables[view["table"]].state.chat


@in_parlour(limits=replace(QUICK, chat_per_minute=1, chat_at_once=5, chat_lines=4))
async def test_who_speaks_too_fast_is_asked_to_wait_and_a_table_holds_so_many_lines(here: Parlour) -> None:
    ada, bo, seat = await two_people(here)
    for _ in range(3):
        await ada.ask("ok", "chat", table=seat["table"], word=0)
    bo.say("chat", table=seat["table"], word=1)
    await bo.hear("ok")
    assert await bo.refused("chat", table=seat["table"], word=1) == "full"
    other = await ada.opened(seats=TWO_PEOPLE)
    for _ in range(2):
        await ada.ask("ok", "chat", table=other["table"], word=0)
    assert await ada.refused("chat", table=other["table"], word=0) == "too_fast"


def test_a_server_that_was_killed_brings_the_chat_back_and_the_newest_lines_are_kept() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            view = await ada.opened(seats=TWO_PEOPLE, chat="free")
            for number in range(105):
                await ada.ask("ok", "chat", table=view["table"], text=f"line {number}")
        async with parlour(folder) as here:
            eve = await here.guest("Eve")
            eve.say("spectate", table=view["table"])
            lines = (await eve.hear("chat"))["lines"]
            assert [line["number"] for line in lines] == list(range(5, 105))
            assert lines[-1]["text"] == "line 104"

    played(scenario)
