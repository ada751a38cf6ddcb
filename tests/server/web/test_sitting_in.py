"""Substitutes for people: never an agent that cheats; the author of each move is known after a restart."""

from pathlib import Path

import pytest

from kibitz.core.game import Lineup
from kibitz.games.hanabi.game import HANABI
from kibitz.server.live.audience import Audience
from kibitz.server.live.table_state import ANY_MOVE
from tests.server.web.guests import Parlour, in_parlour, parlour, played

CHEATER = {"kind": "bot", "agent": "smart_cheater"}


@in_parlour()
async def test_an_agent_that_cheats_plays_for_nobody(here: Parlour, monkeypatch: pytest.MonkeyPatch) -> None:
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    seats = [{"kind": "me"}, CHEATER, {"kind": "open"}, {"kind": "open"}]
    seat = await ada.ask("seat", "create", game="hanabi", seats=seats, bot_delay=60_000)
    table = {"table": seat["table"]}
    assert (await ada.hear("view"))["options"]["stand_in"] == "hint_and_play"
    assert await ada.refused("hand_to_bot", **table, agent="cheater") == "hidden"
    assert await ada.refused("stand_in", **table, seat=2, agent="smart_cheater") == "hidden"
    await bo.ask("seat", "sit", **table, invitation=seat["invitations"][0]["invitation"])
    ada.say("stand_in", **table, seat=3)
    seated = await ada.hear("seats", lambda said: said["seats"][3]["kind"] == "bot")
    assert seated["seats"][3]["agent"] == "hint_and_play"
    await bo.gone()
    monkeypatch.setattr(Audience, "seconds_away", lambda self, seat: 61.0)
    assert await ada.refused("stand_in", **table, seat=2, agent="cheater") == "hidden"
    ada.say("stand_in", **table, seat=2)
    seated = await ada.hear("seats", lambda said: said["seats"][2]["kind"] == "bot")
    assert seated["seats"][2]["agent"] == "hint_and_play"


@in_parlour()
async def test_where_all_of_a_level_cheat_any_legal_move_is_made(
    here: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = await here.guest("Ada")
    view = await ada.opened(seats=[{"kind": "me"}, CHEATER], bot_delay=60_000)
    state = here.tables[view["table"]].state
    monkeypatch.setattr(type(HANABI), "lineups", {"unfair": Lineup("they cheat", ("cheater",))})
    assert (state.stand_in(), state.substitute("trustful")) == (ANY_MOVE, ANY_MOVE)


def test_who_made_which_move_is_known_after_a_restart() -> None:
    async def scenario(folder: Path) -> None:
        seats = [{"kind": "me"}, {"kind": "bot", "agent": "simple_distrustful"}]
        async with parlour(folder) as here:
            ada = await here.guest("Ada")
            view = await ada.opened(seats=seats)
            table, token = {"table": view["table"]}, ada.tokens[view["table"]]
            ada.say("move", **table, turn=0, move="discard 1")
            await ada.hear("your_turn", lambda said: said["turn"] == 2)
            ada.say("bot_delay", **table, milliseconds=60_000)
            ada.say("hand_to_bot", **table, agent="trustful")
            await ada.hear("seats", lambda said: said["seats"][0]["kind"] == "bot")
            ada.say("reclaim_seat", **table)
            await ada.hear("seats", lambda said: said["seats"][0]["kind"] == "person")
            ada.say("hand_to_bot", **table, agent="hajdu_v2")
            await ada.hear("seats", lambda said: said["seats"][0]["kind"] == "bot")
            ada.say("bot_delay", **table, milliseconds=0)
            await ada.view_at(3)
            ada.say("bot_delay", **table, paused=True)
            await ada.ask("seat", "resume", **table, token=token)
            before = await ada.hear("events")
        async with parlour(folder) as here:
            ada = await here.guest("Ada")
            await ada.ask("seat", "resume", **table, token=token)
            after = await ada.hear("events")
            who = [
                [each["turn"], each["seats"][0].get("for"), each["seats"][0]["name"]] for each in after["seat_history"]
            ]
            assert who == [[0, None, "Ada"], [2, "Ada", "Clear Charlie"]]
            assert after["seat_history"] == before["seat_history"]
            assert after["events"][: len(before["events"])] == before["events"]

    played(scenario)
