"""Seats: tokens and invitations, returning, leaving a seat to a bot, and names."""

import dataclasses
from pathlib import Path

import pytest

from kibitz.server.live.audience import Audience
from tests.server.web.guests import (
    ONLY_BOTS,
    QUICK,
    THREE_BOTS,
    TWO_PEOPLE,
    Parlour,
    in_parlour,
    kinds,
    parlour,
    played,
    two_people,
)

# Tokens and invitations


@in_parlour()
async def test_only_the_token_leads_back_to_a_seat(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await ada.opened(seats=THREE_BOTS)
    table = view["table"]
    token = ada.tokens[table]
    digest = here.tables[table].stored.host
    for forged in ("", "x", token[:-1], token.swapcase(), token + "=", digest):
        assert await eve.refused("resume", table=table, token=forged) == "not_yours"
    other = await ada.opened(seats=THREE_BOTS)
    assert await eve.refused("resume", table=other["table"], token=token) == "not_yours"
    seat = await eve.ask("seat", "resume", table=table, token=token)
    assert seat["seat"] == 0


@in_parlour()
async def test_an_invitation_is_good_for_one_seat_once(here: Parlour) -> None:
    ada, bo, eve = await here.guest("Ada"), await here.guest("Bo"), await here.guest("Eve")
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    seat = await ada.ask("seat", "create", game="hanabi", seats=seats)
    table, invitations = seat["table"], [each["invitation"] for each in seat["invitations"]]
    assert len(set(invitations)) == 2
    assert (await bo.ask("seat", "sit", table=table, invitation=invitations[0]))["seat"] == 1
    assert await eve.refused("sit", table=table, invitation=invitations[0]) == "not_yours"
    assert await eve.refused("sit", table=table, invitation="") == "not_yours"
    assert await eve.refused("sit", table=table, invitation=seat["token"]) == "not_yours"
    assert await eve.refused("sit", table="nowhere", invitation=invitations[1]) == "unknown"


@in_parlour()
async def test_who_made_a_table_is_sent_the_open_invitations_again(here: Parlour) -> None:
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    seat = await ada.ask("seat", "create", game="hanabi", seats=seats)
    one, other = seat["invitations"]
    his = await bo.ask("seat", "sit", table=seat["table"], invitation=one["invitation"])
    again = await ada.ask("seat", "resume", table=seat["table"], token=seat["token"])
    assert again["invitations"] == [other]
    assert "invitations" not in await bo.ask("seat", "resume", table=seat["table"], token=his["token"])


@in_parlour()
async def test_who_comes_back_sees_where_they_were(here: Parlour) -> None:
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    seat = await ada.ask("seat", "create", game="hanabi", seats=TWO_PEOPLE)
    [invitation] = seat["invitations"]
    his = await bo.ask("seat", "sit", table=seat["table"], invitation=invitation["invitation"])
    ada.say("move", table=seat["table"], turn=0, move="discard 1")
    await bo.hear("your_turn", lambda message: message["turn"] == 1)
    before = bo.every("view")[-1]
    await bo.gone()
    away = await ada.hear("seats", lambda message: not message["seats"][1]["connected"])
    assert away["seats"][1]["name"] == "Bo"
    back = await here.guest("somebody else's name")
    again = await back.ask("seat", "resume", table=seat["table"], token=his["token"])
    assert again["seat"] == 1
    assert [event["turn"] for event in (await back.hear("events"))["events"]] == [1]
    assert await back.hear("view") == before
    assert (await back.hear("your_turn"))["turn"] == 1
    assert (await ada.hear("seats"))["seats"][1]["connected"]


@pytest.mark.parametrize("between", [("leave",), ("spectate",), ("leave", "spectate")])
@in_parlour()
async def test_who_left_a_seat_gets_no_other_one_on_the_same_connection(
    here: Parlour, between: tuple[str, ...]
) -> None:
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    seat = await ada.ask("seat", "create", game="hanabi", seats=seats)
    where, [second, third] = {"table": seat["table"]}, seat["invitations"]
    his = await bo.ask("seat", "sit", **where, invitation=third["invitation"])
    for type in between:
        ada.say(type, **where)
    assert await ada.refused("sit", **where, invitation=second["invitation"]) == "not_yours"
    assert await ada.refused("resume", **where, token=his["token"]) == "not_yours"
    assert (await ada.ask("seat", "resume", **where, token=seat["token"]))["seat"] == 0
    assert await ada.refused("sit", **where, invitation=second["invitation"]) == "not_yours"


@in_parlour()
async def test_one_person_may_have_a_table_open_twice(here: Parlour) -> None:
    phone, desk = await here.guest("Ada"), await here.guest("Ada")
    view = await phone.opened(seats=THREE_BOTS)
    await desk.ask("seat", "resume", table=view["table"], token=phone.tokens[view["table"]])
    phone.say("move", table=view["table"], turn=0, move="discard 1")
    assert (await desk.hear("event"))["event"]["turn"] == 1
    await desk.hear("your_turn", lambda message: message["turn"] == 4)
    desk.say("move", table=view["table"], turn=4, move="discard 1")
    assert (await phone.hear("event", lambda event: event["event"]["turn"] == 5))["event"]["seat"] == 0


# Seats that change hands


@in_parlour()
async def test_a_bot_takes_a_seat_that_is_given_up_and_hands_it_back(here: Parlour) -> None:
    ada, bo, seat = await two_people(here)
    ada.say("hand_to_bot", table=seat["table"], agent="trustful")
    said = await bo.hear("notice")
    assert said["text"] == "Trusting Taylor now plays for Ada."
    decide = await bo.hear("your_turn")
    assert decide["turn"] == 1
    view = ada.every("view")[-1]
    assert view["seats"][0] == {
        "name": "Trusting Taylor", "kind": "bot", "agent": "trustful", "for": "Ada", "connected": True
    }  # fmt: skip
    assert view["as"] == 0
    assert kinds(view)[0] == [None] * 5
    assert await ada.refused("move", table=seat["table"], turn=1, move="play 1") == "not_yours"
    assert await bo.refused("reclaim_seat", table=seat["table"]) == "bad_message"
    ada.say("reclaim_seat", table=seat["table"])
    assert "Ada is back" in (await bo.hear("notice"))["text"]
    bo.say("move", table=seat["table"], turn=1, move="discard 1")
    assert (await ada.hear("your_turn"))["turn"] == 3


@in_parlour()
async def test_who_plays_for_a_person_is_of_the_tables_level(here: Parlour) -> None:
    ada = await here.guest("Ada")
    strong = [{"kind": "me"}, {"kind": "bot", "agent": "trustful"}, {"kind": "bot", "agent": "hajdu_v1"}]
    people = [{"kind": "me"}, {"kind": "open"}]
    for seats, expected in ((strong, "trustful"), (people, "hint_and_play")):
        seat = await ada.ask("seat", "create", game="hanabi", seats=seats, bot_delay=60_000)
        view = await ada.hear("view")
        assert view["options"]["stand_in"] == expected
        ada.say("hand_to_bot", table=seat["table"])
        changed = await ada.hear("seats", lambda said: said["seats"][0]["kind"] == "bot")
        assert changed["seats"][0]["agent"] == expected
        assert changed["options"]["stand_in"] == expected


@in_parlour()
async def test_a_table_whose_people_all_gave_up_still_hides_their_cards(here: Parlour) -> None:
    """They may take their seats back, and must not have seen their hands meanwhile."""
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await ada.opened(seats=THREE_BOTS, bot_delay=60_000)
    table = {"table": view["table"]}
    ada.say("hand_to_bot", **table)
    await ada.hear("notice")
    eve.say("spectate", **table)
    seen = await eve.hear("view")
    assert seen["as"] == "spectator"
    assert {kind for hand in kinds(seen) for kind in hand} == {None}
    assert await ada.refused("history", **table, turn=0, as_="open") == "hidden"
    assert await eve.refused("what_if", **table, turn=0, seats=ONLY_BOTS) == "hidden"


@in_parlour()
async def test_a_bot_may_play_for_somebody_who_never_came_or_left_long_ago(
    here: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bo, eve = await here.guest("Ada"), await here.guest("Bo"), await here.guest("Eve")
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "open"}]
    seat = await ada.ask("seat", "create", game="hanabi", seats=seats)
    table, [one, other] = {"table": seat["table"]}, seat["invitations"]
    his = await bo.ask("seat", "sit", **table, invitation=one["invitation"])
    eve.say("spectate", **table)
    assert await eve.refused("stand_in", **table, seat=2) == "not_yours"
    assert await ada.refused("stand_in", **table, seat=1) == "not_yours"
    assert await ada.refused("stand_in", **table, seat=7) == "unknown"
    ada.say("stand_in", **table, seat=2, agent="trustful")
    await ada.hear("your_turn")
    assert await eve.refused("sit", **table, invitation=other["invitation"]) == "not_yours"
    ada.say("move", **table, turn=0, move="discard 1")
    await bo.hear("your_turn")
    await bo.gone()
    await ada.hear("seats", lambda message: not message["seats"][1]["connected"])
    assert await ada.refused("stand_in", **table, seat=1) == "not_yours"
    monkeypatch.setattr(Audience, "seconds_away", lambda self, seat: 61.0)
    ada.say("stand_in", **table, seat=1)
    await ada.hear("your_turn", lambda message: message["turn"] == 3)
    back = await here.guest("Bo")
    again = await back.ask("seat", "resume", **table, token=his["token"])
    assert again["seat"] == 1
    back.say("reclaim_seat", **table)
    assert "Bo is back" in (await ada.hear("notice", lambda said: "back" in said["text"]))["text"]


# Names


@pytest.mark.parametrize(
    ("given", "shown"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("<script>alert(1)</script>", "<script>alert(1)</script>"),
        ("a\u202eb\x00c\nd", "a b c d"),
        ("", "Guest"),
        ("\u200b\u200b", "Guest"),
        ("x" * 400, "x" * 32),
    ],
)
@in_parlour()
async def test_a_name_is_text_on_one_line(here: Parlour, given: str, shown: str) -> None:
    ada = await here.guest(given)
    view = await ada.opened(seats=THREE_BOTS)
    assert view["seats"][0]["name"] == shown


# Seats for anybody


def test_only_where_those_at_the_table_want_it_anybody_may_sit_down_without_an_invitation() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada, bo, eve = await here.guest("Ada"), await here.guest("Bo"), await here.guest("Eve")
            view = await ada.opened(seats=[{"kind": "me"}, {"kind": "open"}, {"kind": "open"}])
            table = {"table": view["table"]}
            assert not view["options"]["joinable"]
            assert await eve.refused("sit", **table) == "not_yours"
            assert await eve.refused("invitation", **table) == "not_yours"
            assert await eve.refused("joinable", **table, on=True) == "not_yours"
            ada.say("joinable", **table, on=True)
            await ada.hear("seats", lambda seats: bool(seats["options"]["joinable"]))
            [row] = (await eve.ask("tables", "lobby"))["tables"]
            assert row["joinable"]
            assert await ada.refused("sit", **table) == "not_yours"  # the second seat of one person
            assert (await bo.ask("seat", "sit", **table))["seat"] == 1
            await ada.gone()
            bo.say("joinable", **table, on=False)  # who made the table has left
            await bo.hear("seats", lambda seats: not seats["options"]["joinable"])
            assert await eve.refused("sit", **table) == "not_yours"
            [invitation] = bo.every("seats")[-1]["options"]["invitations"]
            assert (await eve.ask("seat", "sit", **table, invitation=invitation["invitation"]))["seat"] == 2
        async with parlour(folder) as here:
            assert not here.tables[view["table"]].state.joinable
            assert await (await here.guest("Cy")).refused("sit", **table) == "not_yours"

    played(scenario)


def test_one_address_cannot_take_all_seats_of_all_tables() -> None:
    async def scenario(folder: Path) -> None:
        limits = dataclasses.replace(QUICK, joins_per_minute_by_address=2)
        async with parlour(folder, limits=limits) as here:
            ada, eve, bot = await here.guest("Ada"), await here.guest("Eve"), await here.guest("Bot")
            tables = [(await ada.opened(seats=TWO_PEOPLE, joinable=True))["table"] for _ in range(3)]
            bot.session.program = True
            assert await bot.refused("sit", table=tables[0]) == "not_yours"
            for table in tables[:2]:
                assert (await eve.ask("seat", "sit", table=table))["seat"] == 1
            assert await eve.refused("sit", table=tables[2]) == "too_fast"
            assert await eve.refused("sit", table=tables[0]) == "not_yours"

    played(scenario)
