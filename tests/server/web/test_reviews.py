"""Reviews at a server: only of finished games, as they are computed, the same for everybody, and kept."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from kibitz.coach.review import Reviewing
from tests.server.web.guests import QUICK, Guest, Message, Parlour, in_parlour, parlour, play_on, played

BOTS = [{"kind": "me"}, {"kind": "bot", "agent": "trustful"}]


@pytest.fixture(autouse=True)
def few_playouts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kibitz.games.hanabi.coach.part.PLAYOUTS", 8)
    monkeypatch.setattr("kibitz.server.web.daily_deals.difficulty_of", lambda *_: {"percentile": 50.0})


async def finished(here: Parlour, guest: Guest, **fields: Any) -> Message:
    """A game that a guest plays to its end: the last view."""
    await guest.opened(seats=BOTS, **fields)
    return await play_on(guest)


async def whole_review(guest: Guest, **fields: Any) -> list[Message]:
    """All messages about a review, the last one when it is done."""
    heard = [await guest.ask("review", "review", **fields)]
    while heard[-1]["state"] == "running":
        heard.append(await guest.hear("review"))
    return heard


def turns_of(messages: list[Message]) -> dict[int, Message]:
    """What is known of each turn in the end: later messages replace earlier ones."""
    return {turn["turn"]: turn for message in messages for turn in message["turns"]}


@in_parlour()
async def test_a_review_arrives_in_parts_and_is_kept(here: Parlour) -> None:
    ada, bo = await here.guest(), await here.guest("Bo")
    view = await finished(here, ada, seed=3)
    first = await whole_review(ada, table=view["table"])
    done = first[-1]
    assert done["state"] == "done"
    assert done["unit"] == "points"
    assert done["deal"]
    turns = turns_of(first)
    assert len(turns) == done["decisions"] == view["turn"]
    [mine] = {turn["seat"] for turn in turns.values() if turn["turn"] == 1}
    assert mine == 0
    seat = done["seats"][0]
    lost = sum(turn["loss"] for turn in turns.values())
    luck = sum(turn["luck"] for turn in turns.values())
    assert seat["start"] - lost + luck == pytest.approx(seat["result"], abs=0.02)
    assert all(turn["moves"][0]["move"] == turn["best"] for turn in turns.values())
    again = await whole_review(bo, table=view["table"])
    assert len(again) == 1  # at once, also for those who did not play
    assert turns_of(again) == turns


@in_parlour()
async def test_while_a_game_runs_nobody_is_sent_a_review(here: Parlour) -> None:
    ada, bo = await here.guest(), await here.guest("Bo")
    view = await ada.opened(seats=BOTS)
    for guest in (ada, bo):
        assert await guest.refused("review", table=view["table"]) == "hidden"
        assert not guest.every("review")
    over = await finished(here, ada)
    origin = await ada.ask("seat", "what_if", table=over["table"], turn=2, seats=BOTS)
    assert await ada.refused("review", table=origin["table"]) == "hidden"


@in_parlour()
async def test_a_record_that_equals_a_running_game_has_no_review_before_its_end(here: Parlour) -> None:
    ada, eve = await here.guest(), await here.guest("Eve")
    view = await ada.opened(seats=BOTS, seed=5)
    for _ in range(2):
        ada.say("move", table=view["table"], turn=view["turn"], move="discard 1")
        view = await ada.view_at(view["turn"] + 2)
    live = here.tables[view["table"]]
    with pytest.MonkeyPatch.context() as patch:  # as somebody would make it who has found out the deck
        patch.setattr(type(live.state), "all_may_be_seen", True)
        record = here.site.record(live)
    table = await here.site.take_in(record.written().encode(), "192.0.2.9")
    assert await eve.refused("review", table=table.id) == "hidden"
    await play_on(ada)
    assert (await eve.ask("review", "review", table=table.id))["table"] == table.id


@in_parlour()
async def test_an_unfinished_record_is_reviewed_as_far_as_it_goes(here: Parlour) -> None:
    ada = await here.guest()
    view = await finished(here, ada)
    whole = here.site.record(await here.site.tables.table(view["table"]))
    part = await here.site.take_in(whole.up_to(4).written().encode(), "192.0.2.9")
    [*_, done] = said = await whole_review(ada, table=part.id)
    assert done["problems"]
    assert sorted(turns_of(said)) == [1, 2, 3, 4]
    assert not done["deal"]


@in_parlour(limits=replace(QUICK, reviews_per_minute_by_address=1))
async def test_reviews_are_limited_by_address_and_kept_ones_are_free(here: Parlour) -> None:
    ada = await here.guest()
    tables = [(await finished(here, ada))["table"] for _ in range(2)]
    await whole_review(ada, table=tables[0])
    assert await ada.refused("review", table=tables[1]) == "too_fast"
    assert (await ada.ask("review", "review", table=tables[0]))["state"] == "done"


@in_parlour()
async def test_a_review_that_cannot_be_made_says_why(here: Parlour) -> None:
    ada = await here.guest()
    view = await finished(here, ada)
    table = {"table": view["table"]}
    assert await ada.refused("review", table="nothing") == "unknown"
    assert await ada.refused("review", **table, seat=7) == "unknown"
    assert await ada.refused("review", **table, partners="os:system") == "unknown"
    [said] = [(await whole_review(ada, **table, partners="hajdu_v2", seat=1))[-1]]
    assert said["state"] == "done"
    assert said["partners"] == "hajdu_v2"


def test_a_review_outlives_the_server() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest()
            view = await finished(here, ada)
            before = turns_of(await whole_review(ada, table=view["table"]))
        async with parlour(folder) as here:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(Reviewing, "__init__", None)
                kept = await whole_review(await here.guest(), table=view["table"])
            assert turns_of(kept) == before

    played(scenario)


@in_parlour()
async def test_progress_belongs_to_the_holder_of_its_key(here: Parlour) -> None:
    ada, eve = await here.guest(), await here.guest("Eve")
    view = await finished(here, ada)
    table, token = view["table"], ada.tokens[view["table"]]
    key = (await ada.ask("progress", "progress"))["key"]
    await whole_review(ada, table=table)
    mine = await ada.ask("progress", "progress", key=key, table=table, token=token)
    [game] = mine["games"]
    assert game["game"] == "hanabi"
    assert game["players"] == 2
    assert 0 <= game["accuracy"] <= 100
    assert sum(game["kinds"].values()) == sum(game["verdicts"].values())
    hers = await eve.ask("progress", "progress")
    assert hers["key"] != key
    assert hers["games"] == []
    assert await eve.refused("progress", key=hers["key"], table=table, token="guessed") == "not_yours"
    assert await eve.refused("progress", key="short") == "not_yours"
    await eve.ask("progress", "forget_progress", key=hers["key"])
    assert (await ada.ask("progress", "progress", key=key))["games"] == [game]
    assert (await ada.ask("progress", "forget_progress", key=key))["games"] == []
    assert (await ada.ask("progress", "progress", key=key))["games"] == []
