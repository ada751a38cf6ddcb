"""Undo: a person alone with bots takes their last move back, and what was seen stays noted."""

from pathlib import Path

from kibitz.core.record import Record, parse
from tests.server.web.guests import (
    THREE_BOTS,
    Guest,
    Message,
    Parlour,
    hint_or_discard,
    in_parlour,
    kinds,
    parlour,
    play_on,
    played,
    two_people,
)

ONE_BOT = [{"kind": "me"}, {"kind": "bot", "agent": "simple_distrustful"}]


async def moved(ada: Guest, view: Message) -> Message:
    """Move, and wait until it is one's turn again."""
    ada.say("move", table=view["table"], turn=view["turn"], move=hint_or_discard(view))
    return await ada.hear("view", lambda seen: "choices" in seen and seen["turn"] > view["turn"])


@in_parlour()
async def test_undo_goes_back_to_ones_own_last_decision_and_the_same_cards_are_drawn_again(here: Parlour) -> None:
    ada = await here.guest()
    first = await ada.opened(seats=THREE_BOTS, seed=4)
    where = {"table": first["table"]}
    second = await moved(ada, first)
    third = await moved(ada, second)
    ada.say("undo", **where, turn=4)
    assert "takes the last 4 moves back" in (await ada.hear("notice"))["text"]
    assert len((await ada.hear("events"))["events"]) == 4
    back = await ada.hear("view")
    assert (back["turn"], back["view"], back["choices"]) == (4, second["view"], second["choices"])
    assert back["options"]["undo_count"] == 1
    again = await moved(ada, back)
    assert kinds(again) == kinds(third)
    assert await ada.refused("undo", **where, turn=0) == "stale"  # a second click on the first one
    ada.say("undo", **where, turn=4)
    ada.say("undo", **where, turn=0)
    start = await ada.hear("view", lambda view: bool(view["turn"] == 0))
    assert start["view"] == first["view"]
    assert await ada.refused("undo", **where, turn=0) == "bad_message"


@in_parlour()
async def test_a_bot_that_thinks_while_a_move_is_taken_back_makes_no_move_from_it(here: Parlour) -> None:
    ada = await here.guest()
    view = await ada.opened(seats=ONE_BOT, seed=4, bot_delay=60_000)
    where = {"table": view["table"]}
    ada.say("move", **where, turn=0, move=hint_or_discard(view))
    await ada.view_at(1)
    ada.say("undo", **where, turn=0)
    back = await ada.hear("view")
    assert back["turn"] == 0
    ada.say("bot_delay", **where, milliseconds=0)
    view = await moved(ada, back)
    assert view["turn"] == 2
    assert len(here.tables[where["table"]].state.core.turns) == 2


def test_a_server_that_was_killed_brings_a_game_with_undo_back() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            first = await ada.opened(seats=THREE_BOTS, seed=4)
            second = await moved(ada, first)
            ada.say("undo", table=first["table"], turn=0)
            back = await ada.view_at(0)
            ada.say("move", table=first["table"], turn=0, move="discard 2")
            third = await ada.hear("view", lambda seen: "choices" in seen and seen["turn"] > 0)
            assert second["view"] != third["view"]
            token = ada.tokens[first["table"]]
        async with parlour(folder) as here:
            ada = await here.guest()
            await ada.ask("seat", "resume", table=back["table"], token=token)
            view = await ada.hear("view")
            assert (view["turn"], view["view"]) == (third["turn"], third["view"])
            assert view["options"]["undo_count"] == 1
            [taken] = here.tables[back["table"]].state.taken_back
            assert (taken.turn, len(taken.moves)) == (0, 4)

    played(scenario)


@in_parlour()
async def test_a_game_with_undo_says_so_in_its_verdict_its_listing_and_its_record(here: Parlour) -> None:
    ada = await here.guest()
    first = await ada.opened(seats=ONE_BOT, seed=4)
    await moved(ada, first)
    ada.say("undo", table=first["table"], turn=0)
    await ada.view_at(0)
    last = await play_on(ada)
    assert last["verdict"].endswith("With undo: a move was taken back.")
    assert await ada.refused("undo", table=first["table"], turn=0) == "over"
    tables = await ada.ask("tables", "lobby", which="finished")
    assert tables["tables"][0]["undo_count"] == 1
    assert tables["tables"][0]["verdict"] == last["verdict"]
    record = here.site.record(here.tables[first["table"]])
    assert isinstance(record.taken_back, list)
    assert [(each.turn, len(each.moves)) for each in record.taken_back] == [(0, 2)]
    table = await here.site.take_in(record.dump(), "192.0.2.7")
    again: Record = parse(here.site.record(table).dump())
    assert again.taken_back == record.taken_back
    assert table.views.listing()["undo_count"] == 1


@in_parlour()
async def test_nobody_takes_moves_back_where_other_people_play_or_played(here: Parlour) -> None:
    ada, bo, seat = await two_people(here)
    view = await ada.hear("view", lambda view: "choices" in view)
    ada.say("move", table=seat["table"], turn=0, move=hint_or_discard(view))
    await ada.view_at(1)
    assert await ada.refused("undo", table=seat["table"], turn=0) == "not_yours"
    bo.say("hand_to_bot", table=seat["table"])
    await ada.hear("notice", lambda said: "now plays" in said["text"])
    assert await ada.refused("undo", table=seat["table"], turn=0) == "not_yours"
    eve = await here.guest("Eve")
    eve.say("spectate", table=seat["table"])
    assert await eve.refused("undo", table=seat["table"], turn=0) == "not_yours"


@in_parlour()
async def test_undo_in_a_what_if_stops_where_it_began(here: Parlour) -> None:
    ada = await here.guest()
    await ada.opened(seats=ONE_BOT, seed=4)
    last = await play_on(ada)
    await ada.ask("seat", "what_if", table=last["table"], turn=2, seats=ONE_BOT)
    view = await ada.hear("view")
    assert await ada.refused("undo", table=view["table"], turn=0) == "bad_message"
    await moved(ada, view)
    ada.say("undo", table=view["table"], turn=2)
    assert (await ada.view_at(2))["view"] == view["view"]


@in_parlour()
async def test_bots_that_remember_forget_what_was_taken_back(here: Parlour) -> None:
    ada = await here.guest()
    seats = [{"kind": "me"}, *({"kind": "bot", "agent": agent} for agent in ("bot2", "trustful"))]
    events = []
    for detour in (False, True):
        view = await ada.opened(seats=seats, seed=4)
        where = {"table": view["table"]}
        view = await moved(ada, view)
        if detour:
            ada.say("move", **where, turn=3, move="discard 4")
            await ada.hear("view", lambda seen: "choices" in seen and seen["turn"] == 6)
            ada.say("undo", **where, turn=3)
            view = await ada.view_at(3)
        view = await moved(ada, await moved(ada, view))
        assert view["turn"] == 9
        ada.say("spectate", **where)
        events.append((await ada.hear("events"))["events"])
    assert events[0] == events[1]
