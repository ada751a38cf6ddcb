"""Everybody sees a chosen seed before they sit down: a player who knows the seed can know the cards."""

from pathlib import Path

from tests.server.web.guests import (
    THREE_BOTS,
    TWO_PEOPLE,
    Parlour,
    hint_or_discard,
    in_parlour,
    parlour,
    play_on,
    played,
)

CHOSEN = {"seed": 7, "seed_by": "Ada"}


def test_a_chosen_seed_and_who_chose_it_are_shown_in_the_invitation_the_lobby_and_at_the_table() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada, bo = await here.guest("Ada"), await here.guest("Bo")
            seat = await ada.ask("seat", "create", game="hanabi", seats=TWO_PEOPLE, seed=7)
            where, [invitation] = {"table": seat["table"]}, seat["invitations"]
            [row] = (await bo.ask("tables", "lobby"))["tables"]
            invited = await bo.ask("invitation", "invitation", **where, invitation=invitation["invitation"])
            bo.say("spectate", **where)
            before = (await bo.hear("view"))["options"]
            await bo.ask("seat", "sit", **where, invitation=invitation["invitation"])
            view = await bo.hear("view")
            assert view["turn"] == 0
            for listed in (row, invited, before, view["options"]):
                assert {name: listed[name] for name in CHOSEN} == CHOSEN
        async with parlour(folder) as here:
            bo = await here.guest("Bo")
            [row] = (await bo.ask("tables", "lobby"))["tables"]
            assert row["seed_by"] == "Ada"

    played(scenario)


@in_parlour()
async def test_nobody_is_let_in_from_the_lobby_where_somebody_may_know_the_cards(here: Parlour) -> None:
    ada = await here.guest("Ada")
    chosen = {"game": "hanabi", "seats": TWO_PEOPLE, "seed": 7}
    assert await ada.refused("create", **chosen, joinable=True) == "bad_message"
    view = await ada.opened(**chosen)
    assert await ada.refused("joinable", table=view["table"], on=True) == "bad_message"
    secret = await ada.opened(seats=TWO_PEOPLE, joinable=True)
    assert "seed" not in secret["options"]
    assert "seed_by" not in secret["options"]


@in_parlour()
async def test_who_plays_with_bots_alone_chooses_a_seed_that_onlookers_are_not_sent(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await ada.opened(seats=THREE_BOTS, seed=4)
    eve.say("spectate", table=view["table"])
    options = (await eve.hear("view"))["options"]
    assert (options["seed_by"], options.get("seed")) == ("Ada", None)


@in_parlour()
async def test_a_table_that_goes_on_from_a_game_says_so_before_one_sits_down(here: Parlour) -> None:
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    await ada.opened(seats=THREE_BOTS, seed=4)
    last = await play_on(ada, hint_or_discard)
    seats = [{"kind": "me"}, {"kind": "open"}, *THREE_BOTS[2:]]
    seat = await ada.ask("seat", "what_if", table=last["table"], turn=3, seats=seats)
    where, [invitation] = {"table": seat["table"]}, seat["invitations"]
    invited = await bo.ask("invitation", "invitation", **where, invitation=invitation["invitation"])
    assert invited["origin"] == {"table": last["table"], "turn": 3}
    assert await ada.refused("joinable", **where, on=True) == "bad_message"
    again = await ada.ask("seat", "rematch", table=last["table"], token=ada.tokens[last["table"]])
    options = here.tables[again["table"]].state.options(True)
    assert not options["seed_chosen"]
    assert not {"seed", "seed_by", "origin"} & options.keys()
