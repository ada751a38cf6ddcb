"""One's own games and the search: what they find, what they cost, and what of a database of before."""

import dataclasses
import sqlite3
from pathlib import Path

import pytest

from tests.server.web.guests import ONLY_BOTS, QUICK, Guest, Parlour, in_parlour, parlour, played

BOTS = [{"kind": "me"}, {"kind": "bot", "agent": "hajdu_v1"}]


async def found(guest: Guest, search: str, which: str = "all") -> list[str]:
    return [row["table"] for row in (await guest.ask("tables", "lobby", search=search, which=which))["tables"]]


async def over(guest: Guest) -> str:
    """A table where bots have played to the end."""
    view = await guest.opened(seats=ONLY_BOTS)
    await guest.hear("view", lambda view: bool(view["state"] == "finished"))
    return str(view["table"])


@in_parlour()
async def test_my_games_are_sent_in_one_answer_and_none_is_brought_to_memory(here: Parlour) -> None:
    ada = await here.guest("Ada")
    first = await over(ada)
    waiting = (await ada.opened(seats=[{"kind": "me"}, {"kind": "open"}]))["table"]
    ids = [first, waiting]
    for name in ("moved", "asleep", "old"):
        view = await ada.opened(seats=BOTS)
        ids.append(view["table"])
        ada.say("move", table=view["table"], turn=0, move="discard 1")
        await ada.hear("view", lambda view: bool(view["turn"] == 2))
        if name != "moved":
            await here.site.tables.put_away([here.tables[view["table"]]])
    here.site.store.reading.execute("update tables set summary = null where id = ?", (ids[-1],))
    ada.say("leave", table=first)
    await ada.hear("ok")
    before = set(here.tables)
    answer = await ada.ask("my_games", "my_games", tables=[*ids, "nowhere", ids[0]])
    assert set(here.tables) == before
    assert not before & {first, ids[-1], ids[-2]}
    rows = {row["table"]: row for row in answer["tables"]}
    assert list(rows) == [*ids[1:], first]
    assert answer["missing"] == ["nowhere"]
    assert rows[first]["verdict"]
    assert rows[waiting]["state"] == "waiting"
    assert [rows[id].get("to_move") for id in ids[2:]] == [0, 0, None]
    assert [rows[id]["turn"] for id in ids[2:]] == [2, 2, 2]
    assert [rows[id].get("put_away") for id in ids[2:]] == [None, True, True]
    assert [seat["name"] for seat in rows[ids[-1]]["seats"]] == ["Ada", "Hasty Hollis"]
    narrowed = await ada.ask("my_games", "my_games", tables=ids, search="trustful")
    assert [row["table"] for row in narrowed["tables"]] == [first]


def test_my_games_come_in_pages_and_not_too_often() -> None:
    async def scenario(folder: Path) -> None:
        limits = dataclasses.replace(QUICK, listed=2, searches_per_minute_by_address=3)
        async with parlour(folder, limits=limits) as here:
            ada = await here.guest("Ada")
            ids = [(await ada.opened(seats=BOTS))["table"] for _ in range(3)]
            pages = [await ada.ask("my_games", "my_games", tables=ids, page=page) for page in (0, 1)]
            assert [[row["table"] for row in page["tables"]] for page in pages] == [ids[:2], ids[2:]]
            assert [page["pages"] for page in pages] == [2, 2]
            assert await ada.refused("my_games", tables=["x"] * 201) == "bad_message"
            assert (await ada.ask("my_games", "my_games", tables=ids, page=9))["page"] == 1
            assert await ada.refused("my_games", tables=ids) == "too_fast"
            assert await ada.refused("lobby", search="ada") == "too_fast"

    played(scenario)


def test_what_was_noted_of_a_table_when_it_was_put_away_is_not_shown_when_it_has_gone_on() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest("Ada")
            view = await ada.opened(seats=BOTS)
            await here.site.tables.put_away([here.tables[view["table"]]])
            ada.say("move", table=view["table"], turn=0, move="discard 1")
            await ada.hear("view", lambda view: bool(view["turn"] == 2))
        async with parlour(folder, limits=dataclasses.replace(QUICK, tables=1)) as here:
            ada = await here.guest("Ada")
            await ada.opened(seats=BOTS)  # the other one makes room
            here.tables.pop(view["table"], None)
            [row] = (await ada.ask("my_games", "my_games", tables=[view["table"]]))["tables"]
            assert row["turn"] == 2

    played(scenario)


@in_parlour()
async def test_a_table_is_deleted_from_elsewhere_by_the_token_of_who_made_it(here: Parlour) -> None:
    ada, eve = await here.guest("Ada"), await here.guest("Eve")
    view = await ada.opened(seats=BOTS)
    token = ada.tokens[view["table"]]
    await ada.gone()
    assert await eve.refused("delete", table=view["table"], token="x") == "not_yours"
    await eve.ask("deleted", "delete", table=view["table"], token=token)
    assert await eve.refused("spectate", table=view["table"]) == "unknown"


@pytest.mark.parametrize(
    ("name", "searches"),
    [
        ("Ada Lovelace", ["ada", "ADA", "love ada", "lace", "ada hanabi", "  Ada  "]),
        ("Straße ÄÖÜ", ["STRASSE", "straße", "äöü", "a\u0308"]),
        ("Ἀθηνᾶ", ["ἀθηνᾶ", "ἈΘΗΝ"]),
        ("小野 めぐみ", ["小野", "めぐ"]),
        ("100%_\\'\"", ["100%", "%_", "\\'", '"']),
    ],
)
@in_parlour()
async def test_tables_are_found_by_names_in_any_script(here: Parlour, name: str, searches: list[str]) -> None:
    ada, other = await here.guest(name), await here.guest("x")
    table = (await ada.opened(seats=BOTS))["table"]
    await other.opened(seats=BOTS)
    for search in (*searches, table, table.upper()):
        assert await found(other, search) == [table], search
    for search in ("hajd_", "%", "' or 1=1 --", "\U0001f600", "z" * 100, f"{table} nobody"):
        assert table not in await found(other, search) or search in name, search
    assert len(await found(other, "hajdu")) == 2
    assert len(await found(other, "\u0000\u202e")) == 2  # nothing that could be searched for
    assert await other.refused("lobby", search="x" * 101) == "bad_message"


def test_finished_games_are_found_also_those_that_an_earlier_version_kept() -> None:
    async def scenario(folder: Path) -> None:
        async with parlour(folder) as here:
            ada = await here.guest("Ada")
            tables = [await over(ada) for _ in range(2)]
            assert await found(ada, "trustful", "finished") == tables[::-1]
            assert await found(ada, "trustful", "running") == []
            assert await found(ada, tables[0]) == tables[:1]
            ada.say("delete", table=tables[1])
            await ada.hear("deleted")
            assert await found(ada, "trustful") == tables[:1]
        with sqlite3.connect(folder / "tables.sqlite") as database:
            database.execute("drop table search")
        async with parlour(folder) as here:
            eve = await here.guest("Eve")
            assert await found(eve, "trustful") == tables[:1]

    played(scenario)
