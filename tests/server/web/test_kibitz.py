"""Advice, odds, replays, what-if, import and export: each only for those who may see it."""

import pytest

from kibitz.games.hanabi.game import HANABI
from tests.server.web.guests import Guest, Message, Parlour, in_parlour, play_on

SEATS = [{"kind": "me"}, {"kind": "bot", "agent": "trustful"}, {"kind": "bot", "agent": "bot2"}]
ONLY_BOTS = [{"kind": "bot", "agent": "trustful"} for _ in range(3)]


async def later(guest: Guest, view: Message, moves: int) -> Message:
    """Discard a number of times, waiting for each turn."""
    for _ in range(moves):
        guest.say("move", table=view["table"], turn=view["turn"], move="discard 1")
        view = await guest.view_at(view["turn"] + 3)
    return view


async def finished_game(here: Parlour, guest: Guest) -> Message:
    await guest.opened(seats=SEATS, seed=8)
    return await play_on(guest)


# Advice and odds


@in_parlour(agents=["tests.server.web.unruly:Diary"])
async def test_an_agent_says_what_it_would_do_in_ones_place(here: Parlour) -> None:
    ada = await here.guest()
    view = await later(ada, await ada.opened(seats=SEATS, seed=8), 2)
    table = here.tables[view["table"]]
    for name in ("trustful", "bot1", "hajdu_v3"):
        advice = await ada.ask("advice", "advise", table=view["table"], agent=name)
        assert (advice["turn"], advice["seat"], advice["agent"]) == (6, 0, name)
        decision = here.site.tables.agent(HANABI, name).take_seat(HANABI).decide(table.state.core.view(0))
        assert advice["move"] == HANABI.move_text(decision.move)
        assert advice["reason"] == decision.reason
    diary = await ada.ask("advice", "advise", table=view["table"], agent="tests.server.web.unruly:Diary")
    assert diary["reason"] == "7 pages, the last about turn 7"
    assert table.state.turn == 6


@in_parlour()
async def test_advice_is_for_ones_own_turn_and_seat(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await later(ada, await ada.opened(seats=SEATS), 1)
    table = {"table": view["table"]}
    eve.say("spectate", **table)
    assert await eve.refused("advise", **table, agent="trustful") == "not_yours"
    assert await eve.refused("advise", **table, agent="trustful", seat=0) == "hidden"
    assert await eve.refused("odds", **table) == "not_yours"
    assert await eve.refused("odds", **table, seat=0) == "hidden"
    assert await ada.refused("advise", **table, agent="trustful", seat=1) == "hidden"
    assert await ada.refused("advise", **table, agent="trustful", turn=1) == "not_your_turn"
    assert await ada.refused("advise", **table, agent="smart_cheater") == "hidden"
    assert await ada.refused("advise", **table, agent="nobody") == "unknown"
    assert await ada.refused("advise", **table, agent="trustful", turn=99) == "unknown"
    past = await ada.ask("advice", "advise", **table, agent="trustful", turn=0)
    assert past["turn"] == 0


@in_parlour(agents=["tests.server.web.unruly:Illegal", "tests.server.web.unruly:Exiting"])
async def test_an_adviser_that_fails_says_no_more_than_that(here: Parlour) -> None:
    ada = await here.guest()
    view = await ada.opened(seats=[*SEATS, {"kind": "bot", "agent": "bot1"}])
    for name in ("Illegal", "Exiting"):
        code = await ada.refused("advise", table=view["table"], agent=f"tests.server.web.unruly:{name}")
        assert code == "failed"


@in_parlour()
async def test_what_each_idea_of_search_saves_is_shown_where_nothing_is_hidden_and_within_bounds(here: Parlour) -> None:
    ada = await here.guest()
    seats = [{"kind": "me"}, {"kind": "bot", "agent": "random"}]
    view = await ada.opened(game="tictactoe", seats=seats, seed=8)
    answer = await ada.ask("ladder", "ladder", table=view["table"], depth=4)
    assert [step["name"] for step in answer["steps"]][:2] == ["minimax", "alpha-beta"]
    assert len({step["value"] for step in answer["steps"][:5]}) == 1
    assert answer["steps"][0]["nodes"] > answer["steps"][1]["nodes"] > 0
    assert answer["tree"].startswith("<svg")
    assert len(answer["line"]) >= 4  # singular moves are searched deeper
    assert await ada.refused("ladder", table=view["table"], depth=13) == "bad_message"
    hidden = await ada.opened(seats=SEATS, seed=8)
    assert await ada.refused("ladder", table=hidden["table"]) == "failed"


@in_parlour()
async def test_odds_are_those_of_ones_own_view(here: Parlour) -> None:
    ada = await here.guest()
    view = await later(ada, await ada.opened(seats=SEATS), 1)
    odds = await ada.ask("odds", "odds", table=view["table"])
    assert odds["odds"] == HANABI.odds(here.tables[view["table"]].state.core.view(0))
    assert (await ada.ask("odds", "odds", table=view["table"], turn=0))["turn"] == 0


@in_parlour()
async def test_the_panel_can_be_switched_off_for_a_table(here: Parlour) -> None:
    ada = await here.guest()
    view = await ada.opened(seats=SEATS, kibitz=False)
    assert view["options"]["kibitz"] is False
    assert await ada.refused("advise", table=view["table"], agent="trustful") == "switched_off"
    assert await ada.refused("odds", table=view["table"]) == "switched_off"
    await play_on(ada)
    assert (await ada.ask("odds", "odds", table=view["table"], turn=0))["odds"]


# Looking back


@in_parlour()
async def test_while_people_play_everybody_looks_back_only_as_themselves(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    first = await ada.opened(seats=SEATS)
    view = await later(ada, first, 2)
    table = {"table": view["table"]}
    eve.say("spectate", **table)
    then = await ada.ask("history", "history", **table, turn=0, as_=0)
    assert then["view"] == first["view"]
    assert "event" not in then
    now = await ada.ask("history", "history", **table, turn=6, as_=0)
    assert now["view"] == view["view"]
    assert now["event"]["turn"] == 6
    onlooker = await eve.ask("history", "history", **table, turn=3, as_="spectator")
    assert {card["kind"] for hand in onlooker["view"]["hands"] for card in hand} == {None}
    for guest, viewer in ((ada, 1), (ada, "open"), (eve, 0), (eve, "open")):
        assert await guest.refused("history", **table, turn=3, as_=viewer) == "hidden"
    assert await ada.refused("history", **table, turn=7, as_=0) == "unknown"
    assert await ada.refused("history", **table, turn=3, as_=3) == "unknown"


@in_parlour()
async def test_a_game_that_is_over_is_seen_from_every_side_by_everybody(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    last = await finished_game(here, ada)
    table = {"table": last["table"]}
    eve.say("spectate", **table)
    events = (await eve.hear("events"))["events"]
    assert len(events) == last["turn"]
    assert (await eve.hear("reasons"))["reasons"]
    for turn in (0, last["turn"] // 2, last["turn"]):
        whole = await eve.ask("history", "history", **table, turn=turn, as_="open")
        assert None not in {card["kind"] for hand in whole["view"]["hands"] for card in hand}
        for seat in range(3):
            seen = await eve.ask("history", "history", **table, turn=turn, as_=seat)
            assert {card["kind"] for card in seen["view"]["hands"][seat]} <= {None}
    advice = await eve.ask("advice", "advise", **table, agent="bot2", turn=4, seat=1)
    assert advice["seat"] == 1


# What if


@in_parlour()
async def test_a_game_goes_on_in_another_way_from_any_turn(here: Parlour) -> None:
    ada = await here.guest()
    last = await finished_game(here, ada)
    seat = await ada.ask("seat", "what_if", table=last["table"], turn=6, seats=SEATS)
    assert seat["table"] != last["table"]
    events = (await ada.hear("events"))["events"]
    assert [event["turn"] for event in events] == [1, 2, 3, 4, 5, 6]
    view = await ada.hear("view")
    assert view["turn"] == 6
    assert view["options"]["origin"] == {"table": last["table"], "turn": 6}
    assert "seed" not in view["options"]
    assert await ada.refused("history", table=view["table"], turn=0, as_="open") == "hidden"
    other = await play_on(ada, lambda view: "discard 2")
    assert other["state"] == "finished"
    mine, before = (here.tables[each["table"]].state.core.turns for each in (other, last))
    assert [turn.decision for turn in mine[:6]] == [turn.decision for turn in before[:6]]
    assert mine[6:] != before[6:]


@in_parlour()
async def test_what_if_with_bots_alone_is_the_game_they_would_have_played(here: Parlour) -> None:
    ada = await here.guest()
    await ada.opened(seats=ONLY_BOTS, seed=3)
    last = await ada.hear("view", lambda view: view["state"] == "finished")
    await ada.ask("seat", "what_if", table=last["table"], turn=9, seats=ONLY_BOTS)
    again = await ada.hear("view", lambda view: view["state"] == "finished")
    assert again["result"] == last["result"]


@in_parlour(agents=["tests.server.web.unruly:Diary"])
async def test_a_partner_remembers_the_game_in_a_what_if(here: Parlour) -> None:
    ada = await here.guest()
    seats = [{"kind": "me"}, {"kind": "bot", "agent": "tests.server.web.unruly:Diary"}]
    await ada.opened(seats=seats, seed=8)
    last = await play_on(ada)
    seat = await ada.ask("seat", "what_if", table=last["table"], turn=7, seats=seats)
    await ada.hear("view", lambda view: bool(view["table"] == seat["table"] and view["turn"] == 8))
    assert here.tables[seat["table"]].state.core.turns[7].decision.reason == "8 pages, the last about turn 8"


@in_parlour()
async def test_a_what_if_that_makes_no_sense_is_refused(here: Parlour) -> None:
    ada = await here.guest()
    running = await ada.opened(seats=SEATS)
    assert await ada.refused("what_if", table=running["table"], turn=0, seats=SEATS) == "hidden"
    last = await finished_game(here, ada)
    table = {"table": last["table"]}
    assert await ada.refused("what_if", **table, turn=last["turn"], seats=SEATS) == "over"
    assert await ada.refused("what_if", **table, turn=999, seats=SEATS) == "unknown"
    assert await ada.refused("what_if", **table, turn=0, seats=SEATS[:2]) == "bad_message"
    assert await ada.refused("what_if", table="nowhere", turn=0, seats=SEATS) == "unknown"


# Records


@in_parlour()
async def test_a_record_leaves_and_comes_in_and_is_the_same_game(here: Parlour) -> None:
    ada = await here.guest("<i>Ada</i>")
    last = await finished_game(here, ada)
    record = here.site.record(await here.site.tables.table(last["table"]))
    assert record.seats == ["<i>Ada</i>", "trustful", "bot2"]
    taken = await here.site.take_in(record.dump(), "")
    ada.say("spectate", table=taken.id)
    view = await ada.hear("view", lambda view: view["table"] == taken.id)
    assert view["state"] == "finished"
    assert view["result"] == last["result"]
    assert [seat["kind"] for seat in view["seats"]] == ["absent"] * 3
    assert view["seats"][0]["name"] == "<i>Ada</i>"
    again = here.site.record(await here.site.tables.table(taken.id))
    assert again.dump() == record.dump()
    await ada.ask("seat", "what_if", table=taken.id, turn=3, seats=SEATS)


@in_parlour()
async def test_a_game_without_its_end_can_be_looked_at_and_gone_on_from(here: Parlour) -> None:
    ada = await here.guest()
    last = await finished_game(here, ada)
    record = here.site.record(await here.site.tables.table(last["table"]))
    record.moves, record.result = record.moves[:10], None
    taken = await here.site.take_in(record.dump(), "")
    ada.say("spectate", table=taken.id)
    view = await ada.hear("view", lambda view: view["table"] == taken.id)
    assert view["state"] == "abandoned"
    assert view["as"] == "open"
    assert "to_move" not in view
    await ada.ask("seat", "what_if", table=taken.id, turn=10, seats=ONLY_BOTS)
    await ada.hear("view", lambda view: view["state"] == "finished")


@in_parlour()
async def test_no_record_leaves_while_people_play(here: Parlour) -> None:
    ada = await here.guest()
    view = await ada.opened(seats=SEATS)
    with pytest.raises(Exception, match="still running"):
        here.site.record(await here.site.tables.table(view["table"]))
