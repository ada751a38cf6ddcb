"""The lobby: the list of tables in pages, sent once and then as changes.

All viewers of a page get the same changes. Slow readers are skipped, and get the whole page again once they have caught
up.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

import msgspec

from kibitz.server.live.limits import Limits
from kibitz.server.live.messages import Request, encode
from kibitz.server.live.session import Session
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_service import TableService
from kibitz.server.web.my_games import kept_listing
from kibitz.server.web.search import terms_of, words_of
from kibitz.server.web.sqlite_store import SqliteStore

Which = Literal["all", "running", "finished"]


class Page(NamedTuple):
    """A page of one of the lists."""

    which: Which
    number: int


class Shown(NamedTuple):
    """A page as it was last sent: its rows by table, in order, and the number of tables and pages."""

    rows: dict[str, bytes]
    total: int
    pages: int


class Lobby:
    def __init__(self, tables: Callable[[], TableService], store: SqliteStore, limits: Limits) -> None:
        self.tables, self.store, self.limits = tables, store, limits
        self.subscribers: dict[Session, Page] = {}
        self.behind: set[Session] = set()  # sessions that need the whole page
        self.words: dict[str, str] = {}  # search words of running tables, by table
        self.shown: dict[Page, Shown] = {}
        self.changed = asyncio.Event()
        self.reporter: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.reporter = asyncio.get_running_loop().create_task(self._report())

    def close(self) -> None:
        if self.reporter is not None:
            self.reporter.cancel()

    # Subscribers

    def subscribe(self, session: Session, page: Page, request: Request) -> None:
        session.on_leave[self] = lambda: self.unsubscribe(session)
        self.subscribers[session] = page
        if session.behind:
            self.behind.add(session)  # it has unread messages
            return
        self.behind.discard(session)
        if page not in self.shown:
            self.shown[page] = self._page(page)
        session.send(self._whole(page, self.shown[page], request))
        self.changed.set()  # the stored page may be slightly out of date

    def unsubscribe(self, session: Session) -> None:
        page = self.subscribers.pop(session, None)
        self.behind.discard(session)
        if page is not None and page not in self.subscribers.values():
            self.shown.pop(page, None)

    async def search(self, session: Session, page: Page, search: str, request: Request) -> None:
        """Answer a search once. Changes are not sent: each would repeat the search."""
        self.unsubscribe(session)
        running = [] if page.which == "finished" else self._running()
        words = [self._words_of(id) for id in running]
        size = self.limits.listed
        first, last = page.number * size, (page.number + 1) * size
        found, over, total = await self.store.search(terms_of(search), words, size, first)
        if page.which == "running":
            over, total = [], 0
        here = [row for number in found[first:last] if (row := self._row(running[number])) is not None]
        session.send(self._whole(page, self._shown([*here, *over], total + len(found)), request, search))

    def note(self, table: LiveTable) -> None:
        """Note a change of a listed table."""
        self.words.pop(table.id, None)
        if self.subscribers:
            self.changed.set()

    # Pages

    def _page(self, page: Page) -> Shown:
        """Running tables, then finished ones, newest first."""
        running = [] if page.which == "finished" else self._running()
        finished = 0 if page.which == "running" else self.store.finished_count()
        size = self.limits.listed
        first, last = page.number * size, (page.number + 1) * size
        rows = [row for id in running[first:last] if (row := self._row(id)) is not None]
        if finished and len(rows) < size:
            rows += self.store.finished(size - len(rows), max(0, first - len(running)))
        return self._shown(rows, len(running) + finished)

    def _shown(self, rows: list[dict[str, Any]], total: int) -> Shown:
        encoded = {str(row["table"]): msgspec.json.encode(row) for row in rows}
        return Shown(encoded, total, max(1, -(-total // self.limits.listed)))

    def _running(self) -> list[str]:
        """Running tables, including those not yet loaded after a start."""
        service = self.tables()
        made = {table.id: table.created for table in service.asleep.values() if not table.analysis_board}
        for table in service.tables.values():
            if table.stored.finished is None and not table.state.analysis_board:
                made[table.id] = table.stored.created
        return sorted(made, key=made.__getitem__, reverse=True)

    def _row(self, id: str) -> dict[str, Any] | None:
        service = self.tables()
        if id in service.tables:
            return service.tables[id].views.listing()
        return kept_listing(service, service.asleep[id]) if id in service.asleep else None

    def _words_of(self, id: str) -> str:
        """The search words of a table, cached until it changes."""
        if id not in self.words:
            self.words[id] = words_of(self._row(id) or {})
        return self.words[id]

    def _whole(self, page: Page, shown: Shown, request: Request = None, search: str = "") -> bytes:
        rows = [msgspec.Raw(row) for row in shown.rows.values()]
        return encode(
            "tables", request=request, tables=rows, which=page.which, page=page.number, pages=shown.pages,
            total=shown.total, search=search or None,
        )  # fmt: skip

    def _difference(self, page: Page, before: Shown, now: Shown) -> bytes | None:
        """The changes of a page, or None."""
        rows = [msgspec.Raw(row) for id, row in now.rows.items() if before.rows.get(id) != row]
        order = None if list(before.rows) == list(now.rows) else list(now.rows)
        if not rows and order is None and before[1:] == now[1:]:
            return None
        return encode(
            "tables_changed", which=page.which, page=page.number, changed=rows or None, order=order, pages=now.pages,
            total=now.total,
        )  # fmt: skip

    async def _report(self) -> None:
        while True:
            await self.changed.wait()
            self.changed.clear()
            self.send_changes()
            await asyncio.sleep(self.limits.lobby)
            if any(not session.behind for session in self.behind):
                self.changed.set()

    def send_changes(self) -> None:
        changes: dict[Page, bytes | None] = {}
        for page in set(self.subscribers.values()):
            now = self._page(page)
            changes[page] = self._difference(page, self.shown.get(page, now), now)
            self.shown[page] = now
        for session, page in list(self.subscribers.items()):
            difference = changes[page]
            if session.behind:
                if difference:
                    self.behind.add(session)
            elif session in self.behind:
                self.behind.discard(session)
                session.send(self._whole(page, self.shown[page]))
            elif difference:
                session.send(difference)
