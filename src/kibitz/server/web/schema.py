"""The database file: schema, version, and connections."""

import contextlib
import os
import sqlite3
from pathlib import Path

from kibitz.core.whole_files import sync_folder

VERSION = 4
SCHEMA = """
create table if not exists tables (
    id text primary key,
    game text not null,
    rules text not null,
    start text not null,
    dice integer not null,
    seed integer,
    number integer,
    seats text not null,
    options text not null,
    host text not null,
    created real not null,
    finished real,
    summary text,
    put_away real,
    untouched integer not null default 0,
    damaged text
) strict;
create index if not exists by_finish on tables (finished);
create table if not exists log (
    table_id text not null references tables (id),
    entry integer not null,
    kind text not null,
    payload text not null,
    primary key (table_id, entry)
) strict, without rowid;
create table if not exists notes (
    table_id text not null references tables (id),
    seat integer not null,
    card integer not null,
    text text not null,
    turn integer not null default 0,
    primary key (table_id, seat, card)
) strict, without rowid;
create table if not exists set_aside (
    table_id text not null,
    entry integer not null,
    kind text not null,
    payload blob not null,
    why text not null
) strict;
create table if not exists search (
    table_id text primary key,
    words text not null
) strict, without rowid;
create table if not exists reviews (
    table_id text not null,
    question text not null,
    made real not null,
    payload text not null,
    primary key (table_id, question)
) strict;
create index if not exists by_making on reviews (made);
create table if not exists visitors (
    visitor text primary key,
    seen real not null,
    payload text not null
) strict, without rowid;
create index if not exists by_sight on visitors (seen);
create table if not exists games_of_visitors (
    visitor text not null,
    table_id text not null,
    ended real not null,
    payload text not null,
    primary key (visitor, table_id)
) strict, without rowid;
create table if not exists puzzle_ratings (
    puzzle text primary key,
    payload text not null
) strict, without rowid;
create table if not exists daily (
    day text not null,
    game text not null,
    visitor text not null,
    table_id text not null,
    name text not null,
    result text,
    primary key (day, game, visitor)
) strict, without rowid;
"""
COLUMNS = (
    "id", "game", "rules", "start", "dice", "seed", "number", "seats", "options", "host", "created", "finished",
    "summary", "put_away",
)  # fmt: skip
AS_JSON = ("rules", "start", "seats", "options", "summary")
UPGRADES = {  # from a version to the next
    1: (
        "alter table tables add column put_away real",
        "alter table tables add column untouched integer not null default 0",
        "alter table tables add column damaged text",
    ),
    2: ("alter table notes add column turn integer not null default 0",),
    3: (),  # new tables only: reviews, and the progress of visitors
}
FILES = ("", "-wal", "-shm", "-journal")  # suffixes of a database's files


def make_private(path: Path) -> None:
    """Make the file readable only by the user who runs the server: it contains decks and seeds of running games."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
        sync_folder(path.parent)  # SQLite syncs the folder for its log, not for the database
    for suffix in FILES:
        with contextlib.suppress(OSError):
            beside(path, suffix).chmod(0o600)


def open_database(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=10.0)
    connection.text_factory = lambda text: text.decode(errors="surrogateescape")  # readers report damaged text
    connection.execute("pragma journal_mode = wal")
    connection.execute("pragma synchronous = full")  # fsync at every commit: what was announced survives a power loss
    return connection


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)
