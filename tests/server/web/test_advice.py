"""Advice of several agents at once, and why bots moved: from the asker's own view, within the usual limits."""

from dataclasses import replace
from typing import Any

from kibitz.games.hanabi.game import HANABI
from tests.server.web.guests import QUICK, Guest, Message, Parlour, in_parlour

SEATS = [{"kind": "me"}, {"kind": "bot", "agent": "trustful"}, {"kind": "bot", "agent": "bot2"}]


async def all_answers(guest: Guest, **fields: Any) -> list[Message]:
    """Ask several agents: what each of them said, in the order in which they did."""
    guest.say("advise_all", request="everybody", **fields)
    answers = [await guest.hear("advice", lambda message: message.get("request") == "everybody")]
    while answers[-1]["remaining"]:
        answers.append(await guest.hear("advice"))
    return answers


@in_parlour()
async def test_everybody_says_what_they_would_do_in_ones_place(here: Parlour) -> None:
    ada = await here.guest()
    view = await ada.opened(seats=SEATS, seed=8)
    table = here.tables[view["table"]]
    names = ["trustful", "bot1", "hajdu_v3", "trustful"]
    answers = await all_answers(ada, table=view["table"], agents=names)
    assert [answer["agent"] for answer in answers] == ["trustful", "bot1", "hajdu_v3"]
    assert [answer["remaining"] for answer in answers] == [2, 1, 0]
    for answer in answers:
        agent = here.site.tables.agent(HANABI, answer["agent"])
        decision = agent.take_seat(HANABI).decide(table.state.core.view(0))
        assert (answer["turn"], answer["seat"]) == (0, 0)
        assert answer["move"] == HANABI.move_text(decision.move)
        assert answer["reason"] == decision.reason
        assert answer["choice"] in view["choices"]
    assert table.state.turn == 0


@in_parlour(game="loveletter")
async def test_who_searches_says_what_it_expects_and_answers_last(here: Parlour) -> None:
    ada = await here.guest()
    bots = [{"kind": "me"}, {"kind": "bot", "agent": "greedy"}]
    view = await ada.opened(game="loveletter", seats=bots, seed=3)
    answers = await all_answers(ada, table=view["table"], agents=["ismcts", "greedy"])
    assert [answer["agent"] for answer in answers] == ["greedy", "ismcts"]
    assert "expects" not in answers[0]
    expects = answers[1]["expects"]
    assert 0 < expects["value"] < 1
    assert 0 < expects["visits"] <= expects["simulations"] == 5000
    assert expects["text"] == f"expects to win {round(100 * expects['value'])} of 100 rounds"


@in_parlour(agents=["tests.server.web.unruly:Crashing", "tests.server.web.unruly:Exiting"])
async def test_one_who_fails_does_not_keep_the_others_from_answering(here: Parlour) -> None:
    ada = await here.guest()
    view = await ada.opened(seats=SEATS, seed=8)
    answers = await all_answers(ada, table=view["table"], agents=["tests.server.web.unruly:Exiting", "bot1"])
    assert "move" in answers[0]
    assert "move" not in answers[1]
    assert answers[1]["failed"] == "Exiting has no advice: it failed."


@in_parlour(limits=replace(QUICK, advice_per_minute=4))
async def test_everybody_is_refused_like_each_of_them(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await ada.opened(seats=SEATS)
    table = {"table": view["table"]}
    eve.say("spectate", **table)
    assert await eve.refused("advise_all", **table, agents=["bot1"]) == "not_yours"
    assert await eve.refused("advise_all", **table, agents=["bot1"], seat=0) == "hidden"
    assert await ada.refused("advise_all", **table, agents=["bot1"], seat=1) == "hidden"
    assert await ada.refused("advise_all", **table, agents=["bot1", "smart_cheater"]) == "hidden"
    assert await ada.refused("advise_all", **table, agents=["bot1", "nobody"]) == "unknown"
    assert await ada.refused("advise_all", **table, agents=[]) == "bad_message"
    assert await ada.refused("advise_all", **table, agents=["bot1"] * 13) == "bad_message"
    assert len(await all_answers(ada, **table, agents=["bot1", "bot2", "iggi"])) == 3
    assert await ada.refused("advise_all", **table, agents=["bot1", "bot2"]) == "too_fast"
    off = await ada.opened(seats=SEATS, kibitz=False)
    assert await ada.refused("advise_all", table=off["table"], agents=["bot1"]) == "switched_off"


# Why a bot moved


async def after_a_round(guest: Guest, **fields: Any) -> Message:
    """A table where the guest discarded once, and it is their turn again."""
    view = await guest.opened(**{"seats": SEATS, "seed": 8, **fields})
    guest.say("move", table=view["table"], turn=0, move="discard 1")
    return await guest.view_at(len(view["seats"]))


@in_parlour()
async def test_during_the_game_a_reader_hears_why_a_bot_moved_as_far_as_they_can_know(here: Parlour) -> None:
    ada = await here.guest()
    view = await after_a_round(ada)
    whys = [await ada.ask("why", "why", table=view["table"], turn=turn) for turn in (2, 3)]
    assert [(why["seat"], why["agent"]) for why in whys] == [(1, "trustful"), (2, "bot2")]
    assert all(("reason" in why) != ("unknown" in why) for why in whys)
    assert whys == [await ada.ask("why", "why", table=view["table"], turn=turn) for turn in (2, 3)]
    assert not ada.every("reasons")


@in_parlour(agents=["tests.server.web.unruly:Diary"])
async def test_a_reason_is_asked_of_bots_only_and_by_those_who_play(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await after_a_round(ada, seats=[*SEATS[:2], {"kind": "bot", "agent": "tests.server.web.unruly:Diary"}])
    table = {"table": view["table"]}
    eve.say("spectate", **table)
    assert await eve.refused("why", **table, turn=2) == "not_yours"
    assert await ada.refused("why", **table, turn=1) == "bad_message"
    assert await ada.refused("why", **table, turn=4) == "unknown"
    assert await ada.refused("why", **table, turn=0) == "bad_message"
    python = await ada.ask("why", "why", **table, turn=3)
    assert "reason" not in python
    assert "when the game is over" in python["unknown"]
    off = await after_a_round(ada, kibitz=False)
    assert await ada.refused("why", table=off["table"], turn=2) == "switched_off"


@in_parlour(game="dicechess")
async def test_why_about_a_roll_of_the_dice_is_answered_with_a_sentence(here: Parlour) -> None:
    ada = await here.guest()
    view = await ada.opened(game="dicechess", seats=[{"kind": "me"}, {"kind": "bot", "agent": "random"}])
    error = await ada.ask("error", "why", table=view["table"], turn=1)
    assert error["code"] == "bad_message"
    assert error["message"] == "Turn 1 is a roll of the dice. Ask about a bot's move."
