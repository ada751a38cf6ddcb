"""A rematch: who is invited, who comes, who stays, and what is left of it when the server is killed."""

import asyncio
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kibitz.server.live import play_requests
from tests.server.web.guests import Guest, Parlour, in_parlour, parlour, played

ONE_ROUND = {"game": "loveletter", "rules": {"unit": "round", "ties": "all"}, "bot_delay": 0, "kibitz": False}


class Finished(NamedTuple):
    """A game that is over, and the two people who played it with a bot."""

    ada: Guest
    bo: Guest
    table: str
    hers: str  # tokens
    his: str


async def finished(here: Parlour) -> Finished:
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    seats = [{"kind": "open"}, {"kind": "me"}, {"kind": "bot", "agent": "random"}]
    hers = await ada.ask("seat", "create", seats=seats, **ONE_ROUND)
    [invitation] = hers["invitations"]
    his = await bo.ask("seat", "sit", table=hers["table"], invitation=invitation["invitation"])
    for guest in (ada, bo):
        guest.say("hand_to_bot", table=hers["table"], agent="random")
    for guest in (ada, bo):
        await guest.hear("view", lambda view: bool(view["state"] == "finished"))
    return Finished(ada, bo, hers["table"], hers["token"], his["token"])


async def two_who_play_again(here: Parlour) -> tuple[Finished, str]:
    game = await finished(here)
    seat = await game.ada.ask("seat", "rematch", table=game.table, token=game.hers)
    return game, seat["table"]


def kinds(message: dict[str, Any]) -> list[tuple[str, str]]:
    return [(seat["kind"], seat["name"]) for seat in message["seats"]]


@in_parlour(game="loveletter")
async def test_a_rematch_keeps_seats_rules_and_bots_and_invites_the_person_whose_bot_played(here: Parlour) -> None:
    game = await finished(here)
    seat = await game.ada.ask("seat", "rematch", table=game.table, token=game.hers)
    assert (seat["seat"], seat["token"], seat["host"]) == (1, game.hers, True)
    view = await game.ada.hear("view", lambda view: bool(view["table"] == seat["table"]))
    assert kinds(view) == [("open", "Bo"), ("person", "Ada"), ("bot", "Random Rory")]
    assert view["seats"][0]["reserved"]
    assert view["state"] == "waiting"
    assert view["options"]["rules"] == ONE_ROUND["rules"]
    assert view["options"]["kibitz"] is False
    assert view["options"]["rematch_of"]["table"] == game.table
    received = await game.bo.hear("seats", lambda seats: "rematch" in seats["options"])
    assert received["options"]["rematch"] == {"table": seat["table"], "by": "Ada", "seat": 1}
    his = await game.bo.ask("seat", "rematch", table=game.table, token=game.his, answer_="accept")
    assert (his["table"], his["seat"]) == (seat["table"], 0)
    begun = await game.ada.hear("view", lambda view: bool(view["state"] == "running"))
    assert kinds(begun) == [("person", "Bo"), ("person", "Ada"), ("bot", "Random Rory")]


@in_parlour(game="loveletter")
async def test_two_who_ask_at_once_and_two_windows_of_one_person_get_one_table_and_one_seat_each(here: Parlour) -> None:
    game = await finished(here)
    window = await here.guest("Ada")
    asked = [(game.ada, game.hers), (game.bo, game.his), (window, game.hers)]
    seats = await asyncio.gather(
        *(guest.ask("seat", "rematch", table=game.table, token=token) for guest, token in asked)
    )
    assert len({seat["table"] for seat in seats}) == 1
    assert [seat["seat"] for seat in seats] == [1, 0, 1]
    assert len(here.tables) == 2


@in_parlour(game="loveletter")
async def test_nobody_takes_two_seats_of_a_rematch_on_one_connection(here: Parlour) -> None:
    game, table = await two_who_play_again(here)
    for _ in range(2):
        code = await game.ada.refused("rematch", table=game.table, token=game.his)
        assert code == "not_yours"
        game.ada.say("leave", table=table)
    seat = await game.bo.ask("seat", "rematch", table=game.table, token=game.his)
    assert seat["seat"] == 0


@in_parlour(game="loveletter")
async def test_who_stays_is_notified_and_the_seat_can_be_given_to_a_bot_or_to_others(here: Parlour) -> None:
    for request in ("stand_in", "open_seat"):
        game, table = await two_who_play_again(here)
        assert await game.ada.refused(request, table=table, seat=0) == "not_yours"  # he may still answer
        await game.bo.ask("ok", "rematch", table=game.table, token=game.his, answer_="decline")
        received = await game.ada.hear("notice", lambda said: "declines" in said["text"])
        assert received["text"].startswith("Bo declines the rematch.")
        assert received["table"] == table
        assert here.tables[table].state.seats[0].declined
        game.ada.say(request, table=table, seat=0)
        if request == "stand_in":
            await game.ada.hear("view", lambda view: bool(view["state"] == "running"))
            assert kinds(game.ada.every("view")[-1])[0] == ("bot", "Random Rory")
            code = await game.bo.refused("rematch", table=game.table, token=game.his, answer_="accept")
            assert code == "not_yours"
        else:
            offered = await game.ada.hear("seats", lambda seats: bool(seats["options"].get("invitations")))
            [invitation] = offered["options"]["invitations"]
            eve = await here.guest("Eve")
            seat = await eve.ask("seat", "sit", table=table, invitation=invitation["invitation"])
            assert seat["seat"] == 0


@in_parlour(game="loveletter")
async def test_who_never_answers_holds_up_nobody_and_may_still_come(
    here: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    game, table = await two_who_play_again(here)
    await game.bo.gone()
    monkeypatch.setattr(play_requests, "AWAY", 0.0)
    game.ada.say("bot_delay", table=table, milliseconds=60_000)
    game.ada.say("stand_in", table=table, seat=0)
    await game.ada.hear("view", lambda view: bool(view["state"] == "running"))
    assert game.ada.every("view")[-1]["seats"][0]["for"] == "Bo"
    bo = await here.guest("Bo")
    seat = await bo.ask("seat", "rematch", table=game.table, token=game.his, answer_="accept")
    assert (seat["table"], seat["seat"]) == (table, 0)
    assert kinds(await bo.hear("view"))[0] == ("person", "Bo")


def test_a_rematch_survives_a_server_that_starts_again() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder, game="loveletter") as here:
            game, table = await two_who_play_again(here)
        async with parlour(folder, game="loveletter") as here:
            bo = await here.guest("Bo")
            await bo.ask("seat", "resume", table=game.table, token=game.his)
            view = await bo.hear("view")
            assert view["options"]["rematch"]["table"] == table
            seat = await bo.ask("seat", "rematch", table=game.table, token=game.his, answer_="accept")
            assert (seat["table"], seat["seat"]) == (table, 0)
            assert "invitations" not in seat

    played(scenario)


@in_parlour(game="loveletter")
async def test_only_those_who_played_can_ask_and_only_when_the_game_is_over(here: Parlour) -> None:
    game, table = await two_who_play_again(here)
    eve = await here.guest("Eve")
    for token in ("", "x", here.tables[game.table].stored.host):
        assert await eve.refused("rematch", table=game.table, token=token) == "not_yours"
    assert await eve.refused("rematch", table="nowhere", token=game.hers) == "unknown"
    assert await game.ada.refused("rematch", table=table, token=game.hers) == "bad_message"
    assert await eve.refused("open_seat", table=table, seat=0) == "not_yours"
    eve.say("spectate", table=table)
    assert await eve.refused("open_seat", table=table, seat=0) == "not_yours"
    assert await game.ada.refused("open_seat", table=table, seat=1) == "not_yours"
    assert await game.ada.refused("open_seat", table=table, seat=9) == "unknown"
    game.ada.say("delete", table=table)
    await game.ada.hear("deleted")
    code = await game.bo.refused("rematch", table=game.table, token=game.his, answer_="accept")
    assert code == "over"
    again = await game.bo.ask("seat", "rematch", table=game.table, token=game.his)
    assert again["table"] not in (table, game.table)


@in_parlour(game="loveletter")
async def test_a_table_of_bots_and_a_what_if_are_played_again_by_who_made_them(here: Parlour) -> None:
    ada = await here.guest("Ada")
    bots = [{"kind": "bot", "agent": "random"} for _ in range(2)]
    view = await ada.opened(seats=bots, **ONE_ROUND)
    await ada.hear("view", lambda view: bool(view["state"] == "finished"))
    token = ada.tokens[view["table"]]
    what_if = await ada.ask("seat", "what_if", table=view["table"], turn=0, seats=[{"kind": "me"}, bots[0]])
    ada.say("hand_to_bot", table=what_if["table"], agent="random")
    ended = {"table": what_if["table"], "state": "finished"}
    await ada.hear("view", lambda view: ended.items() <= view.items())
    for table, key, expected in ((view["table"], token, "bot"), (what_if["table"], what_if["token"], "person")):
        seat = await ada.ask("seat", "rematch", table=table, token=key)
        again = await ada.hear("view")
        assert again["table"] == seat["table"]
        assert again["seats"][0]["kind"] == expected
        assert "origin" not in again["options"]


def test_a_bot_that_failed_is_asked_again_and_one_that_is_gone_is_replaced() -> None:
    async def scenario(folder: Path) -> None:
        where = "tests.server.web.unruly:Crashing"
        async with parlour(folder, agents=[where]) as here:
            ada = await here.guest("Ada")
            seats = [{"kind": "me"}, {"kind": "bot", "agent": where}]
            view = await ada.opened(seats=seats)
            ada.say("hand_to_bot", table=view["table"], agent="hajdu_v1")
            await ada.hear("view", lambda view: bool(view["state"] == "finished"))
            token, table = ada.tokens[view["table"]], view["table"]
            seat = await ada.ask("seat", "rematch", table=table, token=token)
            assert here.tables[seat["table"]].state.stored.seats[1]["agent"] == where
            ada.say("delete", table=seat["table"])
            await ada.hear("deleted")
            del here.site.tables.offered["hanabi"][where]
            seat = await ada.ask("seat", "rematch", table=table, token=token)
            assert here.tables[seat["table"]].state.seats[1].agent != where

    played(scenario)
