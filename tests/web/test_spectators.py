"""Spectators who see all hands some moves later: who may, what they see, and that everybody is told."""

from pathlib import Path

from tests.web.guests import THREE_BOTS, hint_or_discard, kinds, parlour, play_on, played, two_people


def test_a_spectator_sees_all_hands_of_some_moves_ago_and_a_player_does_not() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada, eve = await here.guest("Ada"), await here.guest("Eve")
            view = await ada.opened(seats=THREE_BOTS, seed=4, spectators=5)
            where = {"table": view["table"]}
            assert view["options"]["spectators"] == 5
            eve.say("look", **where)
            assert await eve.refused("history", **where, turn=0, as_="open") == "hidden"
            for turn in (0, 4):
                ada.say("move", **where, turn=turn, move=hint_or_discard(view))
                view = await ada.view_at(turn + 4)
            public = await eve.view_at(8)
            assert {kind for hand in kinds(public) for kind in hand} == {None}
            past = await eve.ask("history", "history", **where, turn=3, as_="open")
            assert None not in {kind for hand in kinds(past) for kind in hand}
            assert (await eve.ask("odds", "odds", **where, turn=3, seat=0))["odds"]
            assert await eve.refused("history", **where, turn=4, as_="open") == "hidden"
            assert await eve.refused("history", **where, turn=8, as_=0) == "hidden"
            assert await eve.refused("odds", **where, seat=0) == "hidden"
            assert await eve.refused("what_if", **where, turn=3, seats=[]) == "hidden"
            assert await ada.refused("history", **where, turn=3, as_="open") == "hidden"
            ada.say("look", **where)  # in the same window, a player is no spectator
            assert await ada.refused("history", **where, turn=3, as_="open") == "hidden"

    played(scenario)


def test_who_made_the_table_sets_the_delay_and_everybody_is_told() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada, bo, seat = await two_people(here)
            where = {"table": seat["table"]}
            assert await bo.refused("options", **where, spectators=5) == "not_yours"
            assert await ada.refused("options", **where, spectators=1) == "bad_message"
            assert await ada.refused("create", game="hanabi", spectators=3) == "bad_message"
            ada.say("options", **where, spectators=10)
            assert "10 moves later" in (await bo.hear("said", lambda said: "spectators" in said["text"]))["text"]
            assert (await bo.hear("seats"))["options"]["spectators"] == 10
        async with parlour(folder) as here:
            ada = await here.guest("Ada")
            await ada.ask("seat", "resume", table=seat["table"], token=seat["token"])
            assert (await ada.hear("view"))["options"]["spectators"] == 10
            ada.say("options", table=seat["table"], spectators=0)
            assert "spectators" not in (await ada.hear("seats"))["options"]

    played(scenario)


def test_when_the_game_is_over_nothing_is_set_any_more() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest("Ada")
            await ada.opened(seats=THREE_BOTS, seed=4)
            last = await play_on(ada)
            assert await ada.refused("options", table=last["table"], spectators=5) == "over"

    played(scenario)
