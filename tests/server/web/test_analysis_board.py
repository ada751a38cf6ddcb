"""Analysis boards: one person continues a game from any turn, moves for every seat, and goes back and forth."""

from pathlib import Path

from tests.server.web.guests import (
    ONLY_BOTS,
    THREE_BOTS,
    Guest,
    Message,
    Parlour,
    hint_or_discard,
    in_parlour,
    kinds,
    parlour,
    play_on,
    played,
    two_people,
)


async def begun(ada: Guest, turn: int = 2) -> tuple[Message, Message]:
    """A game that is over, and an analysis board from one of its turns."""
    await ada.opened(seats=THREE_BOTS, seed=4)
    last = await play_on(ada)
    seat = await ada.ask("seat", "analysis_board", table=last["table"], turn=turn)
    ada.tokens[seat["table"]] = seat["token"]
    return last, await ada.hear("view")


@in_parlour()
async def test_one_person_moves_for_every_seat_with_all_hands_open(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    last, view = await begun(ada)
    where = {"table": view["table"]}
    assert view["options"]["origin"] == {"table": last["table"], "turn": 2}
    assert view["options"]["analysis_board"]
    assert [seat["name"] for seat in view["seats"]] == [seat["name"] for seat in last["seats"]]
    eve.say("spectate", **where)
    for turn in range(2, 8):
        assert (view["turn"], view["as"], view["to_move"], view["view"]["seat"]) == (turn, *[turn % 4] * 3)
        assert None not in {kind for hand in kinds(view) for kind in hand}
        ada.say("move", **where, turn=turn, move=hint_or_discard(view))
        view = await ada.view_at(turn + 1)
    seen = await eve.view_at(8)
    assert (seen["as"], "choices" in seen) == ("open", False)
    assert await eve.refused("move", **where, turn=8, move="discard 1") == "not_yours"
    assert await eve.refused("undo", **where, turn=3) == "not_yours"
    assert await ada.refused("hand_to_bot", **where) == "not_yours"


def test_an_analysis_board_goes_back_and_on_and_the_server_brings_it_back() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest("Ada")
            _, first = await begun(ada)
            where = {"table": first["table"]}
            for turn in (2, 3, 4):
                ada.say("move", **where, turn=turn, move="discard 1")
                await ada.view_at(turn + 1)
            assert await ada.refused("undo", **where, turn=5) == "stale"
            ada.say("undo", **where, turn=1)  # also to before where it began
            view = await ada.view_at(1)
            ada.say("move", **where, turn=1, move=hint_or_discard(view))
            view = await ada.view_at(2)
            assert "undo_count" not in view["options"]
        async with parlour(folder) as here:
            again = await here.guest("Ada")
            await again.ask("seat", "resume", **where, token=ada.tokens[first["table"]])
            assert (await again.hear("view"))["view"] == view["view"]
            await again.ask("deleted", "delete", **where)

    played(scenario)


@in_parlour()
async def test_an_analysis_board_counts_nowhere_and_can_go_on_from_its_end(here: Parlour) -> None:
    ada = await here.guest("Ada")
    finished, view = await begun(ada)
    ada.read = len(ada.socket.sent)
    while view["state"] != "finished":
        table, turn = view["table"], view["turn"]
        moves = [choice for choice in view["choices"] if choice["action"] == "play"]
        ada.say("move", table=table, turn=turn, move=moves[0]["move"])
        view = await ada.view_at(turn + 1)
    assert view["verdict"].endswith("Analysis board: the game does not count.")
    tables = await ada.ask("tables", "lobby")
    assert [each["table"] for each in tables["tables"]] == [finished["table"]]
    assert here.site.record(here.tables[view["table"]]).result is None
    ada.say("undo", table=view["table"], turn=view["turn"] - 1)
    assert (await ada.view_at(view["turn"] - 1))["state"] == "running"


@in_parlour()
async def test_a_finished_analysis_board_has_no_rematch(here: Parlour) -> None:
    ada = await here.guest("Ada")
    _, view = await begun(ada)
    ada.read = len(ada.socket.sent)
    while view["state"] != "finished":
        [move, *_] = [choice["move"] for choice in view["choices"] if choice["action"] == "play"]
        ada.say("move", table=view["table"], turn=view["turn"], move=move)
        view = await ada.view_at(view["turn"] + 1)
    [token] = [seat["token"] for seat in ada.every("seat") if seat["table"] == view["table"]]
    tables = set(here.tables)
    assert await ada.refused("rematch", table=view["table"], token=token) == "bad_message"
    assert set(here.tables) == tables
    assert "rematch" not in here.tables[view["table"]].state.options(True)


@in_parlour()
async def test_an_analysis_board_begins_only_where_all_may_be_seen_and_the_leader_takes_the_others_along(
    here: Parlour,
) -> None:
    ada, _, seat = await two_people(here)
    assert await ada.refused("analysis_board", table=seat["table"], turn=0) == "hidden"
    eve = await here.guest("Eve")
    view = await ada.opened(seats=ONLY_BOTS, seed=4, bot_delay=60_000)
    eve.say("spectate", table=view["table"])
    assert await ada.refused("analysis_board", table=view["table"], turn=7) == "unknown"
    await ada.ask("ok", "replay_leader", table=view["table"])
    line = await ada.ask("seat", "analysis_board", table=view["table"], turn=0)
    assert (await eve.hear("replay_leader", lambda lead: "analysis_board" in lead))["analysis_board"] == line["table"]
    eve.say("spectate", table=line["table"])
    assert (await eve.hear("replay_leader", lambda lead: lead["table"] == line["table"]))["leader"] == "Ada"


@in_parlour(game="dicechess")
async def test_in_a_game_with_dice_somebody_is_always_to_move(here: Parlour) -> None:
    """Also where it begins or goes back to a turn at which chance was to roll."""
    ada = await here.guest("Ada")
    bots = [{"kind": "bot", "agent": "random"}] * 2
    view = await ada.opened(game="dicechess", seats=bots, seed=1, bot_delay=60_000)
    where = {"table": (await ada.ask("seat", "analysis_board", table=view["table"], turn=0))["table"]}
    view = await ada.hear("view", lambda view: bool(view["table"] == where["table"]))
    assert view["to_move"] == 0
    first = view["turn"]
    ada.say("move", **where, turn=first, move=view["choices"][0]["move"])
    view = await ada.hear("view", lambda view: bool(view["turn"] > first))
    assert view["to_move"] >= 0
    ada.say("undo", **where, turn=first + 1)  # before the roll that followed the move
    view = await ada.hear("view")
    assert (view["turn"], view["to_move"]) == (first, 0)
    assert await ada.refused("undo", **where, turn=0) == "stale"
