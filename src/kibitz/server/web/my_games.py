"""A visitor's own games: the lobby's rows for the tables they name, without loading those tables."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec

from kibitz.core.agent_title import title_of
from kibitz.engine import generic
from kibitz.errors import KibitzError
from kibitz.server.live.messages import MyGames
from kibitz.server.live.storage import KeptTable
from kibitz.server.live.table_service import TableService
from kibitz.server.live.table_state import Seat
from kibitz.server.web.search import is_found, terms_of
from kibitz.server.web.sqlite_store import SqliteStore


def my_games(tables: TableService, store: SqliteStore, said: MyGames, size: int) -> dict[str, Any]:
    """A page of the requested tables: unfinished games first, otherwise in the order of the request."""
    ids = list(dict.fromkeys(said.tables))
    kept = {
        table.id: table
        for table in store.kept([id for id in ids if id not in tables.tables and id not in tables.asleep])
    }
    rows = [row for id in ids if (row := listing(tables, kept, id)) is not None]
    missing = set(ids) - {row["table"] for row in rows}
    found = [row for row in rows if is_found(row, terms_of(said.search))]
    found.sort(key=lambda row: row["state"] in ("finished", "abandoned"))
    pages = max(1, -(-len(found) // size))
    page = min(said.page, pages - 1)
    return {
        "tables": found[page * size : (page + 1) * size], "page": page, "pages": pages, "total": len(found),
        "search": said.search, "missing": [id for id in ids if id in missing],
    }  # fmt: skip


def listing(tables: TableService, kept: dict[str, KeptTable], id: str) -> dict[str, Any] | None:
    if id in tables.tables:
        return tables.tables[id].views.listing()
    if id in tables.asleep:
        return kept_listing(tables, tables.asleep[id])
    if id not in kept:
        return None
    shown = kept_listing(tables, kept[id])
    return shown if kept[id].finished else {**shown, "put_away": True}


def kept_listing(tables: TableService, table: KeptTable) -> dict[str, Any]:
    """The row of a table that is not in memory, without replaying its game."""
    if table.listing is not None:
        return table.listing
    called: Callable[[str], str]
    turn = {"turn": table.moves}
    try:
        game = tables.game(table.game)
        title, called = game.title, partial(tables.title, game)
        if generic.has_private_turns(game.dtype):
            turn = {}  # only its game tells how many turns everybody knows of
    except KibitzError:
        title, called = table.game, title_of
    seats = list(holders(table.seats, called))
    kinds = {seat["kind"] for seat in seats}
    state = "abandoned" if "absent" in kinds else "waiting" if "open" in kinds else "running"
    return {
        "table": table.id, "game": table.game, "title": title, "state": state, **turn, "created": table.created,
        "seats": seats,
    }  # fmt: skip


def holders(seats: Iterable[Any], title: Callable[[str], str]) -> Iterable[dict[str, Any]]:
    for seat in seats:
        try:
            yield msgspec.convert(seat, Seat).holder(title)
        except msgspec.ValidationError:
            yield {"name": "", "kind": "absent"}
