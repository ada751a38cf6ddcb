"""An attempt over the socket that is not one's to make is refused in a sentence, and changes nothing."""

from tests.server.web.guests import Parlour, in_parlour


@in_parlour(game="kriegspiel")
async def test_an_attempt_out_of_turn_is_refused_and_changes_nothing(here: Parlour) -> None:
    ada, bo, eve = [await here.guest(name) for name in ("Ada", "Bo", "Eve")]
    seat = await ada.ask("seat", "create", game="kriegspiel", seats=[{"kind": "me"}, {"kind": "open"}])
    where = {"table": seat["table"]}
    [invitation] = seat["invitations"]
    await bo.ask("seat", "sit", **where, invitation=invitation["invitation"])
    eve.say("spectate", **where)
    await ada.hear("view", lambda view: view["state"] == "running")
    before = here.tables[seat["table"]].state.core.state.tobytes()
    error = await bo.ask("error", "move", **where, turn=0, move="e7e5")
    assert (error["code"], error["message"]) == ("not_your_turn", "It is the turn of G1, not yours.")
    assert await eve.refused("move", **where, turn=0, move="e2e4") == "not_yours"
    assert await ada.refused("move", **where, turn=1, move="e2e4") == "stale"
    assert await ada.refused("move", **where, turn=0, move="e2e5") == "illegal"
    assert await eve.refused("odds", **where) == "not_yours"
    assert await eve.refused("odds", **where, seat=0) == "hidden"
    assert await bo.refused("odds", **where, seat=0) == "hidden"
    assert here.tables[seat["table"]].state.core.state.tobytes() == before
    assert not any(guest.every("event") for guest in (ada, bo, eve))
    ada.say("move", **where, turn=0, move="e2e4")  # nothing was lost
    assert (await bo.view_at(1))["to_move"] == 1
    assert await ada.refused("move", **where, turn=1, move="d2d4") == "not_your_turn"
