"""The time per move of people: who plays on when it is up, when the clock stands still, what survives a restart."""

from pathlib import Path

import pytest

from kibitz.server.live.move_clock import MoveClock
from tests.server.web.guests import TWO_PEOPLE, Parlour, in_parlour, parlour, played

HERS = [{"kind": "me"}, {"kind": "bot", "agent": "hajdu_v1"}]


@in_parlour()
async def test_when_time_is_up_a_bot_of_the_tables_level_plays_on_until_the_seat_is_taken_back(
    here: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await ada.opened(seats=HERS, move_seconds=30)
    table = {"table": view["table"]}
    assert 29 < view["seconds_left"] <= 30
    assert view["options"]["seconds"]["person"] == 30
    assert 29 < (await ada.hear("your_turn"))["seconds"] <= 30
    eve.say("spectate", **table)
    assert 29 < (await eve.hear("view"))["seconds_left"] <= 30
    live = here.tables[view["table"]]
    ada.say("bot_delay", **table, milliseconds=60_000)
    await ada.hear("seats")
    live.clock._ring(0, 0)
    said = await eve.hear("notice")
    assert said["text"] == "Ada ran out of time. Hasty Hollis plays for Ada."
    assert await ada.refused("reclaim_seat", **table) == "not_your_turn"
    ada.say("bot_delay", **table, milliseconds=0)
    missed = await ada.hear("view", lambda view: bool(view["turn"] >= 1))
    assert "seconds_left" not in missed  # bots play
    ada.say("bot_delay", **table, paused=True)
    ada.say("reclaim_seat", **table)
    await ada.hear("notice", lambda said: "Ada is back" in said["text"])


@in_parlour()
async def test_the_clock_runs_out_by_itself_and_for_who_is_away_while_others_wait(
    here: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bo = await here.guest("Ada"), await here.guest("Bo")
    seat = await ada.ask("seat", "create", game="hanabi", seats=TWO_PEOPLE, move_seconds=10)
    await bo.ask("seat", "sit", table=seat["table"], invitation=seat["invitations"][0]["invitation"])
    monkeypatch.setattr(MoveClock, "limit", lambda clock, seat: 0.05 if seat == 1 else 0)
    ada.say("move", table=seat["table"], turn=0, move="discard 1")
    await bo.gone()
    said = await ada.hear("notice", lambda said: "ran out of time" in said["text"])
    assert said["text"].endswith("Clear Charlie plays for Bo.")
    await ada.hear("your_turn", lambda decide: bool(decide["turn"] == 3))


def test_the_clock_stands_still_while_nobody_who_plays_is_there() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada, eve = await here.guest("Ada"), await here.guest("Eve")
            view = await ada.opened(seats=HERS, move_seconds=86_400)
            table, token = {"table": view["table"]}, ada.tokens[view["table"]]
            clock = here.tables[view["table"]].clock
            eve.say("spectate", **table)
            await eve.hear("view")
            await ada.gone()
            await eve.hear("seats", lambda seats: "seconds_left" not in seats)
            assert clock.due is None
            assert not here.tables[view["table"]].busy  # it can be archived
            left = clock.rest
            assert left is not None
            ada = await here.guest("Ada")
            await ada.ask("seat", "resume", **table, token=token)
            assert (await ada.hear("view"))["seconds_left"] <= left[1]
            assert (await eve.hear("seats", lambda seats: "seconds_left" in seats))["seconds_left"] <= left[1]
            for _ in range(2):  # giving a seat up and taking it back gains no time
                ada.say("bot_delay", **table, paused=True)
                ada.say("hand_to_bot", **table)
                await ada.hear("notice")
                ada.say("reclaim_seat", **table)
                await ada.hear("notice")
                again = clock.seconds_left()
                assert again is not None
                assert again <= left[1]
        async with parlour(folder) as here:
            assert here.tables[view["table"]].clock.due is None
            ada = await here.guest("Ada")
            await ada.ask("seat", "resume", **table, token=token)
            assert 86_000 < (await ada.hear("view"))["seconds_left"] <= 86_400

    played(scenario)


@in_parlour()
async def test_a_time_per_move_is_off_unless_it_is_asked_for_and_neither_too_short_nor_too_long(here: Parlour) -> None:
    ada = await here.guest("Ada")
    for seconds in (-1, 5, 86_401, 1e300, "10"):
        code = await ada.refused("create", game="hanabi", seats=HERS, move_seconds=seconds)
        assert code == "bad_message"
    view = await ada.opened(seats=HERS)
    assert "seconds_left" not in view
    assert "person" not in view["options"]["seconds"]
