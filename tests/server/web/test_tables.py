"""Tables of people and bots: permissions, messages, and games from the first move to the last."""

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.server.live.bot_tempo import BotTempo
from kibitz.server.live.table import LiveTable
from tests.server.web.guests import (
    ONLY_BOTS,
    PATIENCE,
    QUICK,
    THREE_BOTS,
    TWO_PEOPLE,
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
from tests.waiting import idle


async def bots_rest(table: LiveTable) -> None:
    """Wait until no bot of a table moves or is about to."""
    async with asyncio.timeout(PATIENCE):
        while table.runner is not None and not table.runner.done():
            await table.runner
            await idle()


# Whole games


@in_parlour()
async def test_a_person_plays_a_whole_game_with_bots_and_then_hears_their_reasons(here: Parlour) -> None:
    ada = await here.guest()
    first = await ada.opened(seats=THREE_BOTS, seed=4)
    assert first["as"] == 0
    assert first["to_move"] == 0
    assert kinds(first)[0] == [None] * 4
    assert ada.every("your_turn")
    last = await play_on(ada)
    assert last["result"]["turns"] == last["turn"]
    assert "points" in last["verdict"]
    assert last["options"]["seed"] == 4
    [reasons] = ada.every("reasons")
    by_bots = [event["event"]["turn"] for event in ada.every("event") if event["event"]["seat"] != 0]
    assert [reason["turn"] for reason in reasons["reasons"]] == by_bots
    events = [event["event"]["turn"] for event in ada.every("event")]
    assert events == list(range(1, last["turn"] + 1))


@in_parlour(game="loveletter")
async def test_in_a_game_of_rounds_reasons_are_sent_when_their_round_is_over(here: Parlour) -> None:
    ada = await here.guest()
    seats = [{"kind": "me"}, {"kind": "bot", "agent": "greedy"}]
    await ada.opened(game="loveletter", seats=seats, seed=2)
    last = await play_on(ada, first_choice)
    ends = [past["last_turn"] for past in last["view"]["rounds"]]
    assert len(ends) >= 7
    announced = 0
    for message in ada.heard:
        if message["type"] == "event":
            announced = message["event"]["turn"]
        if message["type"] == "reasons":
            turns = [reason["turn"] for reason in message["reasons"]]
            assert announced in ends
            assert max(turns) <= announced
    heard = [reason["turn"] for message in ada.every("reasons") for reason in message["reasons"]]
    assert heard == sorted(set(heard))
    by_the_bot = [event["event"]["turn"] for event in ada.every("event") if event["event"]["seat"] == 1]
    assert heard == by_the_bot


@in_parlour()
async def test_a_view_follows_every_event_and_needs_no_earlier_one(here: Parlour) -> None:
    ada = await here.guest()
    await ada.opened(seats=THREE_BOTS, seed=4)
    await play_on(ada)
    announced = [message for message in ada.heard if message["type"] in ("event", "view")][1:]
    for event, view in zip(announced[::2], announced[1::2], strict=True):
        assert event["event"]["turn"] == view["turn"]


@in_parlour()
async def test_without_wishes_a_visitor_sits_with_bots_of_a_middle_level(here: Parlour) -> None:
    ada = await here.guest()
    view = await ada.opened()
    assert [seat["kind"] for seat in view["seats"]] == ["person", "bot", "bot", "bot"]
    assert {seat["name"] for seat in view["seats"][1:]} == {"Hopeful Hazel"}
    view = await ada.opened(level="beginner", players=2)
    assert [seat["name"] for seat in view["seats"]] == ["Ada", "Drifting Drew"]
    view = await ada.opened(level="beginner", players=3, seat=2)
    assert [seat["kind"] for seat in view["seats"]] == ["bot", "bot", "person"]
    assert view["as"] == 2
    assert await ada.refused("create", game="hanabi", level="beginner", players=3, seat=3) == "bad_message"


@in_parlour()
async def test_two_people_and_a_bot_play_a_whole_game(here: Parlour) -> None:
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    seat = await ada.ask("seat", "create", game="hanabi", seats=TWO_PEOPLE)
    [invitation] = seat["invitations"]
    waiting = await ada.hear("view")
    assert waiting["state"] == "waiting"
    assert "to_move" not in waiting
    assert not ada.every("your_turn")
    assert await ada.refused("move", table=seat["table"], turn=0, move="discard 1") == "not_your_turn"
    his = await bo.ask("seat", "sit", table=seat["table"], invitation=invitation["invitation"])
    assert his["seat"] == invitation["seat"] == 1
    assert "invitations" not in his
    assert "Bo sits down" in (await ada.hear("notice"))["text"]
    assert (await ada.hear("your_turn"))["turn"] == 0
    ends = await asyncio.gather(play_on(ada), play_on(bo))
    assert [end["as"] for end in ends] == [0, 1]
    assert ends[0]["result"] == ends[1]["result"]
    for guest, own in ((ada, 0), (bo, 1)):
        for view in guest.every("view"):
            assert set(kinds(view)[own]) <= {None}
            assert None not in kinds(view)[2]


@in_parlour()
async def test_onlookers_see_no_hand_while_people_play_and_all_when_the_game_is_over(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await ada.opened(seats=THREE_BOTS, seed=4)
    eve.say("spectate", table=view["table"])
    views = [await eve.hear("view")]
    await play_on(ada)
    while views[-1]["state"] != "finished":
        views.append(await eve.hear("view"))
    for view in views[:-1]:
        assert view["as"] == "spectator"
        assert {kind for hand in kinds(view) for kind in hand} == {None}
        assert "choices" not in view
        assert "seed" not in view["options"]
    assert views[-1]["as"] == "open"
    assert None not in {kind for hand in kinds(views[-1]) for kind in hand}


@in_parlour()
async def test_a_table_of_bots_is_open_and_tells_reasons_at_once(here: Parlour) -> None:
    ada = await here.guest()
    seat = await ada.ask("seat", "create", game="hanabi", seats=ONLY_BOTS, seed=1)
    assert "seat" not in seat
    view = await ada.hear("view")
    assert view["as"] == "open"
    assert None not in {kind for hand in kinds(view) for kind in hand}
    await ada.hear("view", lambda view: view["state"] == "finished")
    turns = [reason["turn"] for message in ada.every("reasons") for reason in message["reasons"]]
    assert turns == [event["event"]["turn"] for event in ada.every("event")]
    order = [message["type"] for message in ada.heard if message["type"] in ("event", "reasons")]
    assert order[:4] == ["event", "reasons", "event", "reasons"]


@in_parlour()
async def test_a_game_of_bots_waits_for_those_who_watch_it(here: Parlour) -> None:
    ada = await here.guest()
    seat = await ada.ask("seat", "create", game="hanabi", seats=ONLY_BOTS, bot_delay=20)
    await ada.hear("event")
    await ada.ask("ok", "leave", table=seat["table"])
    table = here.tables[seat["table"]]
    await bots_rest(table)
    assert table.state.turn < 40
    ada.say("spectate", table=seat["table"])
    await ada.hear("event")


# Watching


@in_parlour()
async def test_bots_can_be_paused_stepped_and_set_going_by_who_made_the_table(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    seat = await ada.ask("seat", "create", game="hanabi", seats=ONLY_BOTS, bot_delay=60_000)
    table = {"table": seat["table"]}
    first = await ada.hear("view")
    assert first["options"]["host"]
    ada.say("bot_delay", **table, milliseconds=0, paused=True)
    paused = await ada.hear("seats", lambda message: message["options"]["paused"])
    assert paused["options"]["bot_delay"] == 0
    live = here.tables[seat["table"]]
    for turn in (1, 2, 3):
        ada.say("bot_delay", **table, step=True)
        assert (await ada.hear("view"))["turn"] == turn
    await bots_rest(live)
    assert live.state.turn == 3
    eve.say("spectate", **table)
    assert not (await eve.hear("view"))["options"]["host"]
    assert await eve.refused("bot_delay", **table, paused=False) == "not_yours"
    ada.say("bot_delay", **table, paused=False)
    await ada.hear("view", lambda view: view["state"] == "finished")


def test_a_new_pace_counts_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    waiting, wait = asyncio.Event(), BotTempo.wait

    async def noted(tempo: BotTempo, seconds: float, nudged: asyncio.Event) -> None:
        waiting.set()
        await wait(tempo, seconds, nudged)

    monkeypatch.setattr(BotTempo, "wait", noted)

    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            view = await ada.opened(seats=ONLY_BOTS, bot_delay=60_000)
            await waiting.wait()  # the bot has decided
            ada.say("bot_delay", table=view["table"], milliseconds=0)
            await ada.hear("view", lambda view: view["state"] == "finished")

    played(scenario)


# Moves that are not made


@in_parlour()
async def test_a_move_is_refused_with_the_reason(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await ada.opened(seats=THREE_BOTS)
    table = {"table": view["table"]}
    assert await ada.refused("move", **table, turn=0, move="castle") == "illegal"
    assert await ada.refused("move", **table, turn=0, move="play 5") == "illegal"
    assert await ada.refused("move", **table, turn=0, move="hint red to G1") == "illegal"
    assert await ada.refused("move", **table, turn=3, move="play 1") == "stale"
    assert await eve.refused("move", **table, turn=0, move="play 1") == "not_yours"
    eve.say("spectate", **table)
    assert await eve.refused("move", **table, turn=0, move="play 1") == "not_yours"
    assert here.tables[view["table"]].state.turn == 0
    assert not ada.every("event")


@in_parlour()
async def test_a_move_sent_twice_is_made_once(here: Parlour) -> None:
    ada = await here.guest()
    view = await ada.opened(seats=[{"kind": "me"}, {"kind": "bot", "agent": "hajdu_v1"}])
    move = {"table": view["table"], "turn": 0, "move": "discard 1"}
    for _ in range(3):
        ada.say("move", **move, request="twice")
    codes = [(await ada.hear("error"))["code"] for _ in range(2)]
    assert codes == ["stale", "stale"]
    mine = [each for each in ada.every("event") if each["event"]["seat"] == 0]
    assert len(mine) == 1


@in_parlour()
async def test_nobody_moves_for_another_seat(here: Parlour) -> None:
    _, bo, seat = await two_people(here)
    assert await bo.refused("move", table=seat["table"], turn=0, move="discard 1") == "not_your_turn"


@in_parlour()
async def test_no_move_follows_the_end(here: Parlour) -> None:
    ada = await here.guest()
    await ada.opened(seats=THREE_BOTS)
    last = await play_on(ada)
    assert await ada.refused("move", table=last["table"], turn=last["turn"], move="play 1") == "over"
    assert await ada.refused("hand_to_bot", table=last["table"]) == "over"


# Setting up


@pytest.mark.parametrize(
    ("wishes", "code"),
    [
        ({"game": "chess960"}, "unknown"),
        ({"seats": [{"kind": "me"}]}, "bad_message"),
        ({"seats": [{"kind": "me"}] * 2}, "bad_message"),
        ({"seats": [{"kind": "me"}, {"kind": "bot", "agent": "nobody"}]}, "unknown"),
        ({"seats": [{"kind": "me"}, {"kind": "bot", "agent": "examples/my_bot.py:MyBot"}]}, "unknown"),
        ({"seats": [{"kind": "me"}, {"kind": "bot", "agent": "tests.server.web.unruly:Exiting"}]}, "unknown"),
        ({"seats": [{"kind": "me"}, {"kind": "bot", "agent": "examples/cautious.toml"}]}, "unknown"),
        ({"seats": [{"kind": "me"}, {"kind": "king"}]}, "bad_message"),
        ({"level": "godlike"}, "bad_message"),
        ({"players": 9}, "bad_message"),
        ({"rules": {"lost_game": "twice"}}, "bad_message"),
        ({"rules": {"gravity": "off"}}, "bad_message"),
        ({"bot_delay": -1}, "bad_message"),
        ({"seed": 2**70}, "bad_message"),
    ],
)
@in_parlour()
async def test_a_table_that_cannot_be_is_refused(here: Parlour, wishes: dict[str, Any], code: str) -> None:
    ada = await here.guest()
    ada.say("create", **{"game": "hanabi", **wishes})
    assert (await ada.hear("error"))["code"] == code
    assert here.tables == {}


@in_parlour()
async def test_rules_and_seed_are_those_that_were_chosen(here: Parlour) -> None:
    ada = await here.guest()
    one = await ada.opened(seats=ONLY_BOTS, seed=9, rules={"lost_game": "zero"})
    two = await ada.opened(seats=ONLY_BOTS, seed=9)
    other = await ada.opened(seats=ONLY_BOTS)
    assert kinds(one) == kinds(two) != kinds(other)
    assert one["options"]["rules"]["lost_game"] == "zero"
    assert one["options"]["seed_chosen"]
    assert not other["options"]["seed_chosen"]


@in_parlour()
async def test_the_seed_is_a_secret_while_people_play(here: Parlour) -> None:
    ada = await here.guest()
    view = await ada.opened(seats=THREE_BOTS)
    seed = here.tables[view["table"]].stored.seed
    assert "seed" not in view["options"]
    assert not any(str(seed) in text for text in ada.socket.sent)


@in_parlour(limits=replace(QUICK, roles=2))
async def test_a_visitor_is_at_so_many_tables_and_leaves_those_that_are_over_first(here: Parlour) -> None:
    ada = await here.guest()
    first = await ada.opened(seats=ONLY_BOTS)
    await ada.hear("view", lambda view: view["state"] == "finished")
    second, third = await ada.opened(seats=THREE_BOTS), await ada.opened(seats=THREE_BOTS)
    assert set(ada.session.roles) == {second["table"], third["table"]}
    assert await ada.refused("create", game="hanabi") == "full"
    assert await ada.refused("spectate", table=first["table"]) == "full"
    await ada.ask("ok", "leave", table=second["table"])
    ada.say("spectate", table=first["table"])
    assert (await ada.hear("view"))["table"] == first["table"]


# The lobby


@in_parlour()
async def test_the_lobby_shows_tables_as_they_come_and_end(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    empty = await eve.ask("tables", "lobby")
    assert empty["tables"] == []
    view = await ada.opened(seats=THREE_BOTS, seed=4)
    listed = await eve.hear("tables_changed", lambda message: message.get("order") == [view["table"]])
    [shown] = listed["changed"]
    assert shown["table"] == view["table"]
    assert shown["state"] == "running"
    assert [seat["name"] for seat in shown["seats"]] == ["Ada"] + ["Simple Sam"] * 3
    last = await play_on(ada)
    over = await eve.hear("tables_changed", lambda message: message.get("changed", [{}])[0].get("state") == "finished")
    assert over["changed"][0]["verdict"] == last["verdict"]
    eve.say("lobby", on=False)
    again = await eve.ask("tables", "lobby")
    assert len(again["tables"]) == 1


# Notes


@in_parlour()
async def test_notes_are_private_and_kept(here: Parlour) -> None:
    ada, bo, eve = await here.guest("Ada"), await here.guest("Bo"), await here.guest("Eve")
    seat = await ada.ask("seat", "create", game="hanabi", seats=TWO_PEOPLE)
    table, [invitation] = {"table": seat["table"]}, seat["invitations"]
    await bo.ask("seat", "sit", **table, invitation=invitation["invitation"])
    eve.say("spectate", **table)
    text = '<b>blue?</b> & "five" \u202e'
    ada.say("note", **table, mark=3, text=text)
    ada.say("note", **table, mark=4, text="gone again")
    ada.say("note", **table, mark=4, text="")
    assert await eve.refused("note", **table, mark=1, text="mine") == "not_yours"
    assert await ada.refused("note", **table, mark=1, text="x" * 501) == "bad_message"
    again = await here.guest("Ada")
    await again.ask("seat", "resume", **table, token=seat["token"])
    assert (await again.hear("view"))["notes"] == {"3": text}
    await eve.refused("history", **table, turn=9, as_="spectator")
    for guest in (bo, eve):
        assert not any("blue?" in words or '"note_turns"' in words for words in guest.socket.sent)


@in_parlour(limits=replace(QUICK, notes=10))
async def test_there_is_a_limit_to_notes(here: Parlour) -> None:
    ada = await here.guest()
    view = await ada.opened(seats=THREE_BOTS)
    for card in range(10):
        ada.say("note", table=view["table"], mark=card, text="here")
    assert await ada.refused("note", table=view["table"], mark=10, text="here") == "full"


# Any game


def first_choice(view: Message) -> str:
    return str(view["choices"][0]["move"])


def test_the_same_words_play_every_game_of_the_registry() -> None:
    from kibitz.core import registry

    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            for game in registry.games():
                await ada.ask("seat", "create", game=game.name)
                await ada.hear("view")
                last = await play_on(ada, hint_or_discard if game.name == "hanabi" else first_choice)
                assert last["verdict"]

    played(scenario)
