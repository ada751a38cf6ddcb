"""The lobby: which tables there are, in pages, sent once and then as what has changed.

Everybody who looks at the same page is sent the same changes. Who is slow to read is passed over, and is sent the whole
page as it is then when they have caught up.
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
    """Which part of the list somebody looks at."""

    which: Which
    number: int


class Shown(NamedTuple):
    """A page as it was last sent: rows by table, in their order, and how many tables and pages there are."""

    rows: dict[str, bytes]
    total: int
    pages: int


class Lobby:
    def __init__(self, tables: Callable[[], TableService], store: SqliteStore, limits: Limits) -> None:
        self.tables, self.store, self.limits = tables, store, limits
        self.subscribers: dict[Session, Page] = {}
        self.behind: set[Session] = set()  # who must be sent the whole page
        self.words: dict[str, str] = {}  # by table, of those that go on
        self.shown: dict[Page, Shown] = {}
        self.changed = asyncio.Event()
        self.teller: asyncio.Task[None] | None = None

    def start(self) -> None:
        self.teller = asyncio.get_running_loop().create_task(self._tell())

    def close(self) -> None:
        if self.teller is not None:
            self.teller.cancel()

    # Who looks

    def subscribe(self, session: Session, page: Page, request: Request) -> None:
        session.on_leave[self] = lambda: self.unsubscribe(session)
        self.subscribers[session] = page
        if session.behind:
            self.behind.add(session)  # it has not read what it was sent before
            return
        self.behind.discard(session)
        if page not in self.shown:
            self.shown[page] = self._page(page)
        session.send(self._whole(page, self.shown[page], request))
        self.changed.set()  # what was kept of the page may be a moment old

    def unsubscribe(self, session: Session) -> None:
        page = self.subscribers.pop(session, None)
        self.behind.discard(session)
        if page is not None and page not in self.subscribers.values():
            self.shown.pop(page, None)

    async def search(self, session: Session, page: Page, search: str, request: Request) -> None:
        """Answer once which tables are found; changes are not told, as each search would have to be done again."""
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
        """Something happened at a table that the list shows."""
        self.words.pop(table.id, None)
        if self.subscribers:
            self.changed.set()

    # What they see

    def _page(self, page: Page) -> Shown:
        """The tables that go on, then those that are over, the newest first."""
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
        """The tables that go on, also those that are not yet in memory after a start."""
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
        """What a table is found by; it is kept until something happens there."""
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
        """What has changed on a page; None if nothing has."""
        rows = [msgspec.Raw(row) for id, row in now.rows.items() if before.rows.get(id) != row]
        order = None if list(before.rows) == list(now.rows) else list(now.rows)
        if not rows and order is None and before[1:] == now[1:]:
            return None
        return encode(
            "tables_changed", which=page.which, page=page.number, changed=rows or None, order=order, pages=now.pages,
            total=now.total,
        )  # fmt: skip

    async def _tell(self) -> None:
        while True:
            await self.changed.wait()
            self.changed.clear()
            self.tell()
            await asyncio.sleep(self.limits.lobby)
            if any(not session.behind for session in self.behind):
                self.changed.set()

    def tell(self) -> None:
        news: dict[Page, bytes | None] = {}
        for page in set(self.subscribers.values()):
            now = self._page(page)
            news[page] = self._difference(page, self.shown.get(page, now), now)
            self.shown[page] = now
        for session, page in list(self.subscribers.items()):
            difference = news[page]
            if session.behind:
                if difference:
                    self.behind.add(session)
            elif session in self.behind:
                self.behind.discard(session)
                session.send(self._whole(page, self.shown[page]))
            elif difference:
                session.send(difference)
