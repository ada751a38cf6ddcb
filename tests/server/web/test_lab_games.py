"""The games behind a figure of the laboratory: listed from both ends, and each can be opened."""

from typing import Any

from tests.server.web.guests import Guest, Message, Parlour, in_parlour
from tests.server.web.test_lab import state

MATCH = {"what": "match", "game": "hanabi", "agents": ["iggi", "iggi", "piers"], "players": 3, "games": 60, "seed": 4}
CROSS = {"what": "cross", "game": "hanabi", "agents": ["hajdu_v1", "hajdu_v2"], "players": 2, "games": 20, "seed": 4}
WON = {
    "what": "match", "game": "loveletter", "agents": ["greedy", "random"], "players": 2, "games": 20, "seed": 4,
    "rules": {"unit": "round"},
}  # fmt: skip


async def done(guest: Guest, **wishes: Any) -> Message:
    await guest.ask("runs", "lab")
    guest.say("lab_start", **wishes)
    return await state(guest, "done")


async def opened(guest: Guest, **which: Any) -> Message:
    """The table of one of the games, as it is at the end."""
    table = (await guest.ask("lab_opened", "lab_open", **which))["table"]
    guest.say("spectate", table=table)
    return await guest.hear("view", lambda view: bool(view["table"] == table))


@in_parlour()
async def test_a_match_shows_its_worst_and_best_games_and_opens_one(here: Parlour) -> None:
    ada = await here.guest()
    run = await done(ada, **MATCH)
    found = await ada.ask("lab_games", "lab_games", run=run["run"])
    worst, best = ([game["value"] for game in found[end]] for end in ("worst", "best"))
    scores = [score for score, games in enumerate(run["summary"]["histogram"]) for _ in range(games)]
    assert found["looked_through"] == 60
    assert worst == scores[: len(worst)]
    assert best == scores[::-1][: len(best)]
    assert found["worst"][0]["seats"] == MATCH["agents"]
    for game in (found["worst"][0], found["best"][0]):
        view = await opened(ada, run=run["run"], match=game["match"], number=game["number"])
        assert view["result"]["score"] == game["value"]
        assert view["state"] == "finished"
        assert view["options"]["rules"] == run["rules"]


@in_parlour()
async def test_a_cell_of_a_cross_table_shows_its_own_games(here: Parlour) -> None:
    ada = await here.guest()
    run = await done(ada, **CROSS)
    cell = {"run": run["run"], "row": "hajdu_v2", "column": "hajdu_v1"}
    found = await ada.ask("lab_games", "lab_games", **cell)
    assert found["looked_through"] == 40
    assert {tuple(game["seats"]) for game in found["worst"] + found["best"]} <= {
        ("hajdu_v1", "hajdu_v2"), ("hajdu_v2", "hajdu_v1")
    }  # fmt: skip
    last = found["best"][0]
    view = await opened(ada, **cell, match=last["match"], number=last["number"])
    assert view["result"]["score"] == last["value"]
    assert [seat["agent"] for seat in view["seats"]] == last["seats"]


@in_parlour(game="loveletter")
async def test_games_that_somebody_wins_are_listed_by_what_the_first_got(here: Parlour) -> None:
    ada = await here.guest()
    run = await done(ada, **WON)
    found = await ada.ask("lab_games", "lab_games", run=run["run"])
    assert {game["value"] for game in found["worst"]} == {0.0}
    assert {game["value"] for game in found["best"]} == {1.0}
    won = found["best"][0]
    view = await opened(ada, run=run["run"], number=won["number"])
    assert view["result"]["winners"] == 1 << won["seats"].index("greedy")


@in_parlour()
async def test_a_game_that_is_not_there_is_refused(here: Parlour) -> None:
    ada = await here.guest()
    run = await done(ada, **MATCH)
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"run": "none"}, "unknown"), ({"number": 60}, "unknown"), ({"match": 1}, "unknown"),
        ({"number": -1}, "bad_message"), ({"match": 10**9}, "bad_message"),
    ]  # fmt: skip
    for which, code in wrong:
        assert await ada.refused("lab_open", **{"run": run["run"], "number": 0, **which}) == code


@in_parlour()
async def test_a_cell_that_is_not_there_is_refused(here: Parlour) -> None:
    ada = await here.guest()
    run = await done(ada, **CROSS)
    assert await ada.refused("lab_games", run=run["run"]) == "unknown"
    assert await ada.refused("lab_games", run=run["run"], row="trustful", column="hajdu_v1") == "unknown"
