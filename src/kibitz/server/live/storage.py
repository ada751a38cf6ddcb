"""The storage of tables: an append-only log, written before anything is sent.

This module has the stored types and the interface. `web.sqlite_store` keeps tables in a database; a host keeps none.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import msgspec

from kibitz.errors import KibitzError


class StorageError(KibitzError):
    """Data could not be stored or read."""


# What earlier versions called some options of a table; their tables are still opened.
OLD_OPTIONS = {"pace": "bot_delay", "free_line": "analysis_board"}


def current_options(options: dict[str, Any]) -> dict[str, Any]:
    """A table's options under their present names."""
    return {OLD_OPTIONS.get(name, name): value for name, value in options.items()}


def current_listing(listing: dict[str, Any]) -> dict[str, Any]:
    """A row for the lobby under the present names of its fields and states."""
    row = {"undo_count" if name == "undone" else name: value for name, value in listing.items()}
    return {**row, "state": "abandoned"} if row.get("state") == "left" else row


class StoredTable(msgspec.Struct, kw_only=True):
    """A table's start, and when and how it ended."""

    id: str
    game: str
    rules: dict[str, str]
    start: Any
    dice: int
    seed: int | None = None
    number: int | None = None
    seats: list[Any]
    options: dict[str, Any]
    host: str  # a digest of the creator's token
    created: float
    finished: float | None = None
    summary: dict[str, Any] | None = None  # its row in the lobby, if it is over or not in memory
    put_away: float | None = None  # when it was archived, if it is unfinished and not in memory

    def __post_init__(self) -> None:
        self.options = current_options(self.options)
        self.summary = current_listing(self.summary) if self.summary else self.summary


class Entry(NamedTuple):
    """An event at a table, such as a move or a change of a seat."""

    kind: str
    payload: Any


class Note(NamedTuple):
    """A person's note; `mark` is its subject, a number whose meaning the game defines."""

    seat: int
    mark: int
    text: str  # empty: the note is removed
    turn: int = 0  # the number of moves made when it was written


class History(NamedTuple):
    """Everything stored about a table."""

    table: StoredTable
    entries: Sequence[Entry]
    notes: Sequence[Note]


class KeptTable(NamedTuple):
    """A table that is not in memory, for a list."""

    id: str
    game: str
    created: float
    finished: float | None
    seats: list[Any]  # as far as its log was read
    listing: dict[str, Any] | None  # None: none was stored since the last move
    moves: int
    analysis_board: bool


class Storage(Protocol):
    """Methods that write return when the data is on the disk, or raise a StorageError."""

    async def add(self, table: StoredTable, entries: Sequence[Entry]) -> None: ...

    async def append(self, id: str, first: int, entries: Sequence[Entry]) -> None:
        """Add entries to a table's log, the first of them with this number."""

    async def finish(self, id: str, when: float, summary: dict[str, Any]) -> None: ...

    async def write_note(self, id: str, note: Note) -> None: ...

    async def put_away(self, tables: Mapping[str, bool], listings: Mapping[str, dict[str, Any]]) -> None:
        """Mark tables as archived, each with whether it has no move, and with its lobby row."""

    async def bring_back(self, id: str) -> None:
        """Mark a table as no longer archived; its stored lobby row may be out of date soon."""

    async def keep_listings(self, listings: Mapping[str, dict[str, Any]]) -> None:
        """Store the lobby rows of tables that continue after a restart."""

    async def delete(self, id: str) -> None: ...

    def load(self, id: str) -> History | None: ...


class NoStorage:
    """Stores nothing: a table is gone when it is over, or when the process ends."""

    async def add(self, table: StoredTable, entries: Sequence[Entry]) -> None: ...

    async def append(self, id: str, first: int, entries: Sequence[Entry]) -> None: ...

    async def finish(self, id: str, when: float, summary: dict[str, Any]) -> None: ...

    async def write_note(self, id: str, note: Note) -> None: ...

    async def put_away(self, tables: Mapping[str, bool], listings: Mapping[str, dict[str, Any]]) -> None: ...

    async def bring_back(self, id: str) -> None: ...

    async def keep_listings(self, listings: Mapping[str, dict[str, Any]]) -> None: ...

    async def delete(self, id: str) -> None: ...

    def load(self, id: str) -> History | None:
        return None
