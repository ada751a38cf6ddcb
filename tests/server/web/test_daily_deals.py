"""The deal of the day: the same cards for all, a first table that counts, and no word about it before its end."""

import pytest

from kibitz.server.web import daily_deals
from tests.server.web.guests import Guest, Message, Parlour, in_parlour, play_on


@pytest.fixture(autouse=True)
def quick_study(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.coach.daily.DailyDeal.bots", lambda deal: {"trustful": 20, "iggi": 17})
    monkeypatch.setattr(daily_deals, "difficulty_of", lambda *_: {"percentile": 50.0})
    monkeypatch.setattr("kibitz.core.game.Lineup.seats", lambda lineup, count: ["trustful"] * count)


async def seated(guest: Guest, key: str) -> Message:
    seat = await guest.ask("seat", "play_daily", key=key)
    guest.tokens[seat["table"]] = seat["token"]
    return await guest.hear("view")


@in_parlour()
async def test_a_visitor_has_one_first_attempt(here: Parlour) -> None:
    ada, bo = await here.guest(), await here.guest("Bo")
    hers, his = [(await guest.ask("progress", "progress"))["key"] for guest in (ada, bo)]
    first = await ada.ask("daily", "daily", key=hers)
    assert not first["attempts"]
    assert "bots" not in first
    assert "percentile" not in first
    view = await seated(ada, hers)
    assert here.tables[view["table"]].stored.seed == first["seed"]
    end = await play_on(ada)
    again = await seated(ada, hers)
    assert again["view"]["hands"][1:] == view["view"]["hands"][1:]  # the same cards
    assert again["table"] != view["table"]
    seen = await bo.ask("daily", "daily", key=his)
    assert (seen["attempts"], seen["finished"], seen["results"]) == (1, 1, [])
    mine = await ada.ask("daily", "daily", key=hers)
    assert mine["played"]
    [result] = mine["results"]
    assert result["mine"]
    assert result["table"] == view["table"]
    assert result["points"] == end["result"]["score"]
    assert [bot["points"] for bot in mine["bots"]] == [20, 17]
    assert await bo.refused("play_daily", key="guessed") == "not_yours"
    assert await bo.refused("daily", game="tictactoe") == "unknown"
