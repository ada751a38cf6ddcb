"""Spectators with a delay: what they see of a running game tells a player in a second window nothing."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest

from kibitz.core import registry
from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.games.hanabi.game import HANABI
from kibitz.server.live import delay
from kibitz.server.live.messages import RefusedError
from kibitz.testing import CheckError, check_game
from tests import tables as hanabi
from tests.fuzzing import at_length
from tests.server.web.guests import (
    THREE_BOTS,
    Guest,
    Parlour,
    hint_or_discard,
    in_parlour,
    parlour,
    play_on,
    played,
    two_people,
)

CLOSED = ["bridge", "kriegspiel"]
OPEN = ["coins", "connect4", "dicechess", "draughts", "three_sets", "tictactoe"]


async def watched(here: Parlour, moves: int = 8) -> tuple[Guest, Guest, dict[str, Any], dict[str, Any]]:
    """Ada, who plays with three bots and a delay of 5, Eve, who looks on, the table and the last view of Ada."""
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await ada.opened(seats=THREE_BOTS, seed=4, spectators=5)
    where = {"table": view["table"]}
    eve.say("spectate", **where)
    for turn in range(0, moves, 4):
        ada.say("move", **where, turn=turn, move=hint_or_discard(view))
        view = await ada.view_at(turn + 4)
    return ada, eve, where, view


@in_parlour()
async def test_a_spectator_sees_the_cards_of_some_moves_ago_that_have_left_the_hands_since(here: Parlour) -> None:
    _, eve, where, _ = await watched(here, 20)
    public = await eve.view_at(20)
    assert public["open_until"] == 15
    past = await eve.ask("history", "history", **where, turn=3, as_="open")
    now = {card["card"] for hand in public["view"]["hands"] for card in hand}
    cards = [card for hand in past["view"]["hands"] for card in hand]
    assert {card["kind"] is None for card in cards} == {True, False}
    assert all((card["kind"] is None) == (card["card"] in now) for card in cards)
    for turn in (16, 20):
        assert await eve.refused("history", **where, turn=turn, as_="open") == "hidden"


@in_parlour()
async def test_a_spectator_sees_from_no_seat_and_a_player_is_no_spectator(here: Parlour) -> None:
    ada, eve, where, _ = await watched(here)
    for type, more in (
        ("history", {"as_": 0}),
        ("odds", {"seat": 0}),
        ("advise", {"seat": 0, "agent": "outer"}),
    ):
        assert await eve.refused(type, **where, turn=0, **more) == "hidden"
    assert await eve.refused("what_if", **where, turn=3, seats=[]) == "hidden"
    assert await ada.refused("history", **where, turn=3, as_="open") == "hidden"
    ada.say("spectate", **where)  # in the same window, a player is no spectator
    assert await ada.refused("history", **where, turn=3, as_="open") == "hidden"


@pytest.mark.parametrize("players", HANABI.players)
def test_what_a_spectator_sees_of_hanabi_is_the_same_whatever_is_still_in_the_hands(players: int) -> None:
    """A second window tells a player nothing of their own cards, also of those that they have held for long."""
    table = careless_game(players, 7 * players)
    other = table.replayed([], hanabi.with_other_cards(table, random.Random(players)).start)
    assert other.start.tobytes() != table.start.tobytes()
    for moves in range(len(table.turns) - 5):
        assert late(table, moves) == late(other, moves)


def careless_game(players: int, moves: int) -> Table:
    for seed in range(1, 100):
        table, dice = Table(HANABI, [], hanabi.dealt(players, seed=seed)), random.Random(seed)
        while not table.over and len(table.turns) < moves:
            move = int(hanabi.careless_move(HANABI.view(table.state), dice))
            table.make_legal(Decision(move))
        if not table.over:
            return table
    raise AssertionError


def late(table: Table, moves: int) -> bytes:
    view = HANABI.seen_late(table.at_turn(moves, []).open_state(), table.open_state())
    return bytes(msgspec.json.encode(HANABI.page(view)))


def refused_by_the_check(name: str, delay: int) -> None:
    game = registry.game(name)
    with pytest.raises(CheckError, match="in a second window"):
        check_game(type("Delayed", (type(game),), {"delays": (delay,)})())


def test_no_delay_would_protect_bridge() -> None:
    refused_by_the_check("bridge", 20)


@at_length
def test_nobody_can_show_that_a_delay_protects_kriegspiel() -> None:
    refused_by_the_check("kriegspiel", 50)


@pytest.mark.parametrize("name", [*CLOSED, *OPEN])
def test_a_game_without_a_delay_that_protects_offers_none_and_raises_older_tables(name: str) -> None:
    game = registry.game(name)
    with pytest.raises(RefusedError, match="hides nothing" if name in OPEN else "Spectators see"):
        delay.check_delay(game, 5)
    delay.check_delay(game, 0)
    assert delay.allowed_delay(game, 5) == 0
    assert game.delays == ()


@pytest.mark.parametrize(("game", "stored", "now"), [("hanabi", 3, 5), ("hanabi", 10, 10), ("bridge", 5, 0)])
def test_a_stored_table_with_too_short_a_delay_is_raised(game: str, stored: int, now: int) -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder, game=game) as here:
            ada = await here.guest("Ada")
            view = await ada.opened(game=game)
            table = here.tables[view["table"]]
            async with table.changing():
                await table.choose({"spectators": stored})  # as an earlier version let it
        async with parlour(folder, game=game) as here:
            assert here.tables[view["table"]].state.spectators == now

    played(scenario)


@in_parlour(game="loveletter")
async def test_in_love_letter_spectators_see_the_rounds_that_are_over(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    seats = [{"kind": "me"}, {"kind": "bot", "agent": "greedy"}]
    view = await ada.opened(game="loveletter", seats=seats, seed=2, spectators=1, rules={"unit": "game"})
    where = {"table": view["table"]}
    eve.say("spectate", **where)
    state = here.tables[view["table"]].state
    while not int(state.core.state["opened"]):
        if "choices" in view:
            assert await eve.refused("history", **where, turn=0, as_="open") == "hidden"
            ada.say("move", **where, turn=view["turn"], move=view["choices"][0]["move"])
        view = await ada.hear("view")
    while "choices" not in view:  # the bot may end another round at once
        view = await ada.hear("view")
    opened = int(state.core.state["opened"])
    assert (await eve.hear("view", lambda seen: seen["turn"] == view["turn"]))["open_until"] == opened - 1
    past = await eve.ask("history", "history", **where, turn=opened - 1, as_="open")
    assert past["turn"] == opened - 1
    assert await eve.refused("history", **where, turn=opened, as_="open") == "hidden"


def test_who_made_the_table_sets_the_delay_and_everybody_sees_it() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada, bo, seat = await two_people(here)
            where = {"table": seat["table"]}
            assert await bo.refused("options", **where, spectators=5) == "not_yours"
            assert await ada.refused("options", **where, spectators=1) == "bad_message"
            assert await ada.refused("create", game="hanabi", spectators=3) == "bad_message"
            assert await ada.refused("create", game="bridge", spectators=20) == "bad_message"
            ada.say("options", **where, spectators=10)
            assert "10 moves" in (await bo.hear("notice", lambda said: "delay" in said["text"]))["text"]
            assert (await bo.hear("seats"))["options"]["spectators"] == 10
        async with parlour(folder) as here:
            ada = await here.guest("Ada")
            await ada.ask("seat", "resume", table=seat["table"], token=seat["token"])
            assert (await ada.hear("view"))["options"]["spectators"] == 10
            ada.say("options", table=seat["table"], spectators=0)
            assert "spectators" not in (await ada.hear("seats"))["options"]

    played(scenario)


@pytest.mark.parametrize(("before", "shorter", "longer"), [(10, 5, 20), (5, 5, 0), (0, 100, 0)])
@in_parlour()
async def test_during_a_game_the_delay_can_only_be_made_longer(
    here: Parlour, before: int, shorter: int, longer: int
) -> None:
    ada = await here.guest("Ada")
    view = await ada.opened(seats=THREE_BOTS, seed=4)
    where = {"table": view["table"]}
    for each in (20, before):  # before the first move both ways
        assert (await ada.ask("options", "options", **where, spectators=each))["spectators"] == each
    ada.say("move", **where, turn=0, move=hint_or_discard(view))
    await ada.view_at(4)
    if shorter != before:
        assert await ada.refused("options", **where, spectators=shorter) == "bad_message"
        assert here.tables[view["table"]].state.spectators == before
    assert (await ada.ask("options", "options", **where, spectators=longer))["spectators"] == longer


@in_parlour()
async def test_when_the_game_is_over_nothing_is_set_any_more(here: Parlour) -> None:
    ada = await here.guest("Ada")
    await ada.opened(seats=THREE_BOTS, seed=4)
    last = await play_on(ada)
    assert await ada.refused("options", table=last["table"], spectators=5) == "over"
