"""What the coach keeps in the database: reviews, and what visitors did. A visitor is known by the digest of a key."""

import time
from typing import Any

import msgspec

from kibitz.server.live.limits import Limits
from kibitz.server.web.sqlite_store import UNREADABLE, SqliteStore, Statement, as_text

# The least recently seen visitors are forgotten first, with all that is kept of them.
TOO_MANY = "select visitor from visitors order by seen desc limit -1 offset ?"


class CoachStore:
    def __init__(self, store: SqliteStore, limits: Limits) -> None:
        self.store, self.limits = store, limits

    def _one(self, sql: str, *values: Any) -> Any:
        """The JSON in the only column of the first row, or None if there is none that can be read."""
        row = self.store.reading.execute(sql, values).fetchone()
        return read(row[0]) if row else None

    # Reviews

    def review(self, table: str, question: str) -> dict[str, Any] | None:
        found = self._one("select payload from reviews where table_id = ? and question = ?", table, question)
        return found if isinstance(found, dict) else None

    async def keep_review(self, table: str, question: str, review: dict[str, Any]) -> None:
        new = "insert or replace into reviews (table_id, question, made, payload) values (?, ?, ?, ?)"
        old = "delete from reviews where rowid in (select rowid from reviews order by made desc limit -1 offset ?)"
        values = (table, question, time.time(), as_text(review))
        await self.store.write((new, values), (old, (self.limits.reviews_kept,)))

    # Visitors

    def visitor(self, visitor: str) -> dict[str, Any]:
        found = self._one("select payload from visitors where visitor = ?", visitor)
        return found if isinstance(found, dict) else {}

    async def keep_visitor(self, visitor: str, payload: dict[str, Any], *others: Statement) -> None:
        seen = "insert or replace into visitors values (?, ?, ?)", (visitor, time.time(), as_text(payload))
        await self.store.write(seen, *others)
        surplus = self.store.reading.execute(TOO_MANY, (self.limits.visitors_kept,)).fetchall()
        for (each,) in surplus:
            await self.forget_visitor(each)

    async def forget_visitor(self, visitor: str) -> None:
        """Forget a visitor. Their daily results stay without a name, so that there is no second first attempt."""
        await self.store.write(
            ("delete from visitors where visitor = ?", (visitor,)),
            ("delete from games_of_visitors where visitor = ?", (visitor,)),
            ("update daily set name = '' where visitor = ?", (visitor,)),
        )

    # Their games

    def games(self, visitor: str) -> list[dict[str, Any]]:
        """A visitor's games, the newest first."""
        sql = "select payload from games_of_visitors where visitor = ? order by ended desc"
        rows = self.store.reading.execute(sql, (visitor,)).fetchall()
        return [game for (text,) in rows if isinstance(game := read(text), dict)]

    async def keep_game(self, visitor: str, table: str, ended: float, game: dict[str, Any]) -> None:
        new = "insert or replace into games_of_visitors values (?, ?, ?, ?)"
        old = (
            "delete from games_of_visitors where visitor = ? and table_id in (select table_id from games_of_visitors "
            "where visitor = ? order by ended desc limit -1 offset ?)"
        )
        await self.keep_visitor(
            visitor, self.visitor(visitor), (new, (visitor, table, ended, as_text(game))),
            (old, (visitor, visitor, self.limits.games_kept)),
        )  # fmt: skip

    # Puzzles

    def puzzle_rating(self, puzzle: str) -> list[float] | None:
        found = self._one("select payload from puzzle_ratings where puzzle = ?", puzzle)
        return found if isinstance(found, list) else None

    def new_puzzle_rating(self, puzzle: str, rating: list[float]) -> Statement:
        return "insert or replace into puzzle_ratings values (?, ?)", (puzzle, as_text(rating))

    # The daily deal

    def daily(self, day: str, game: str) -> list[tuple[str, str, str, Any]]:
        """The first attempts of a day: visitor, table, name and result, None while it is not known."""
        sql = "select visitor, table_id, name, result from daily where day = ? and game = ?"
        rows = self.store.reading.execute(sql, (day, game)).fetchall()
        return [(visitor, table, name, read(result) if result else None) for visitor, table, name, result in rows]

    async def begin_daily(self, day: str, game: str, visitor: str, table: str, name: str, oldest: str) -> None:
        """Note an attempt, unless the visitor has made one already; delete those of days before the oldest."""
        new = "insert or ignore into daily (day, game, visitor, table_id, name) values (?, ?, ?, ?, ?)"
        old = "delete from daily where day < ?", (oldest,)
        await self.keep_visitor(visitor, self.visitor(visitor), (new, (day, game, visitor, table, name)), old)

    async def end_daily(self, table: str, result: dict[str, Any]) -> None:
        await self.store.write(("update daily set result = ? where table_id = ?", (as_text(result), table)))


def read(text: str) -> Any:
    try:
        return msgspec.json.decode(text)
    except UNREADABLE:
        return None
