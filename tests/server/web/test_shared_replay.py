"""Shared replays: one person leads, the others follow, and the lead can be given up, passed on and lost."""

import pytest

from kibitz.server.live import replay_leader as leads
from tests.server.web.guests import ONLY_BOTS, THREE_BOTS, Guest, Message, Parlour, in_parlour, two_people


async def watching(here: Parlour) -> tuple[Guest, Guest, Message]:
    """Two who look at an open table, and its name."""
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await ada.opened(seats=ONLY_BOTS, seed=4)
    where = {"table": view["table"]}
    eve.say("spectate", **where)
    await eve.hear("view", lambda view: view["turn"] >= 5)
    ada.say("bot_delay", **where, paused=True)
    return ada, eve, where


@in_parlour()
async def test_where_the_leader_looks_is_sent_to_everybody_else(here: Parlour) -> None:
    ada, eve, where = await watching(here)
    await ada.ask("ok", "replay_leader", **where)
    lead = await eve.hear("replay_leader")
    assert (lead["leader"], "leading" in lead, "key" in lead) == ("Ada", False, False)
    ada.say("replay_cursor", **where, turn=3, as_=1, event=2)
    lead = await eve.hear("replay_leader")
    assert (lead["turn"], lead["as"], lead["event"]) == (3, 1, 2)
    assert await eve.refused("replay_cursor", **where, turn=4, as_="open") == "not_yours"
    assert await eve.refused("replay_leader", **where, on=False) == "not_yours"
    assert await ada.refused("replay_cursor", **where, turn=5000, as_="open") == "unknown"
    assert await ada.refused("replay_cursor", **where, turn=2, as_=7) == "unknown"
    bo = await here.guest("Bo")
    bo.say("spectate", **where)
    assert (await bo.hear("replay_leader"))["turn"] == 3  # also sent to latecomers
    ada.say("replay_leader", **where, on=False)
    assert "leader" not in await eve.hear("replay_leader")
    await eve.ask("ok", "replay_leader", **where)
    assert (await ada.hear("replay_leader", lambda lead: "leader" in lead and "leading" not in lead))["leader"] == "Eve"


@in_parlour()
async def test_the_lead_is_handed_over_to_who_asks_for_it(here: Parlour) -> None:
    ada, eve, where = await watching(here)
    await ada.ask("ok", "replay_leader", **where)
    await eve.ask("ok", "replay_leader", **where)
    [asks] = (await ada.hear("replay_leader", lambda lead: "requests" in lead))["requests"]
    assert asks["name"] == "Eve"
    assert await eve.refused("replay_leader", **where) == "bad_message"
    assert await eve.refused("replay_leader", **where, to=asks["number"]) == "not_yours"
    assert await ada.refused("replay_leader", **where, to=99) == "unknown"
    await ada.ask("ok", "replay_leader", **where, to=asks["number"])
    assert (await eve.hear("replay_leader", lambda lead: "leading" in lead))["leader"] == "Eve"
    assert await ada.refused("replay_cursor", **where, turn=1, as_="open") == "not_yours"


@in_parlour()
async def test_the_lead_waits_for_who_lost_the_connection_and_is_free_after_a_while(
    here: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, eve, where = await watching(here)
    await ada.ask("ok", "replay_leader", **where)
    key = ada.every("replay_leader")[-1]["key"]
    await ada.gone()
    assert (await eve.hear("replay_leader", lambda lead: "away" in lead))["leader"] == "Ada"
    assert await eve.refused("replay_leader", **where) == "full"
    ada = await here.guest("Ada")
    ada.say("spectate", **where)
    assert await ada.refused("replay_leader", **where, key="guessed") == "full"
    await ada.ask("ok", "replay_leader", **where, key=key)
    ada.say("replay_cursor", **where, turn=2, as_="open")
    assert "away" not in await eve.hear("replay_leader", lambda lead: lead["turn"] == 2)
    await ada.gone()
    await eve.hear("replay_leader", lambda lead: "away" in lead)
    monkeypatch.setattr(leads, "GRACE", 0.0)
    await eve.ask("ok", "replay_leader", **where)
    assert eve.every("replay_leader")[-1]["leading"]


@in_parlour()
async def test_nobody_leads_while_people_play(here: Parlour) -> None:
    ada, _, seat = await two_people(here)
    assert await ada.refused("replay_leader", table=seat["table"]) == "hidden"
    view = await ada.opened(seats=THREE_BOTS, spectators=5)
    assert await ada.refused("replay_leader", table=view["table"]) == "hidden"
