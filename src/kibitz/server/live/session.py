"""A session: one client on one connection, its rate limits, its outbox, and its roles at tables."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from kibitz.errors import KibitzError
from kibitz.server.live import messages
from kibitz.server.live.audience import ViewFormat
from kibitz.server.live.connection_limit import NO_ROOM, Rank, Slot
from kibitz.server.live.connections import POLICY, TOO_LONG, TRY_AGAIN, ClosedError, Connection, TooLongError
from kibitz.server.live.limits import Limits
from kibitz.server.live.messages import Hello, RefusedError, Request, ServerMessage, decode, encode, request_of
from kibitz.server.live.public_text import public_text
from kibitz.server.live.rate_limit import BucketsByAddress, TokenBucket
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_service import TableService
from kibitz.server.live.table_state import NAMELESS, Role
from kibitz.server.live.tokens import new_id

log = logging.getLogger("kibitz.server.live")

GONE_TOO_FAR = 500  # excess messages in one burst before the connection is closed; twice the rate is tolerated for long
UNREAD = TRY_AGAIN, "You do not read what is sent; come back and resume."
NEEDED = TRY_AGAIN, "Your place is needed for somebody else; come back when there is something to do."
IDLE = TRY_AGAIN, "You were silent for long; come back when there is something to do."
COSTLY = (messages.Catalogue, messages.Lobby, messages.MyGames, messages.Lab, messages.History, messages.Odds)
MOST_BEHIND = 1 << 14  # unsent bytes above which a client receives only the newest state of a list
FINISHING = 5.0  # seconds for a request in progress when its client leaves

UNFINISHED: set[asyncio.Task[None]] = set()  # the event loop itself keeps only weak references to tasks

Handler = Callable[["Session", Any], Awaitable[None]]


class Session:
    def __init__(self, sessions: "Sessions", connection: Connection, slot: Slot) -> None:
        self.sessions, self.connection, self.slot = sessions, connection, slot
        self.service, self.handlers = sessions.service, sessions.handlers
        self.limits = limits = sessions.limits
        self.id = new_id()
        self.address = connection.address
        self.name = NAMELESS
        self.format = ViewFormat.PAGE
        self.program = connection.program
        self.greeted = False
        self.gone = False
        self.roles: dict[str, Role] = {}  # by table
        self.held: dict[str, int] = {}  # the seat this session holds at a table, or held before it left
        self.outbox: asyncio.Queue[bytes] = asyncio.Queue()
        self.unsent = 0  # bytes in the outbox
        self.messages = TokenBucket(limits.messages_per_second, limits.messages_at_once)
        self.creations = TokenBucket(limits.tables_per_minute / 60, limits.tables_per_minute)
        self.questions = TokenBucket(limits.advice_per_minute / 60, limits.advice_per_minute)
        self.chat = TokenBucket(limits.chat_per_minute / 60, limits.chat_at_once)
        self.created = 0  # tables, in this session
        self.refusals = TokenBucket(limits.messages_per_second, GONE_TOO_FAR)
        self.thinking: set[asyncio.Task[None]] = set()  # advice in progress
        self.handling = False
        self.closing: tuple[int, str] | None = None
        self.closed = asyncio.Event()
        self.on_leave: dict[object, Callable[[], None]] = {}  # called when the session ends
        slot.ended_by(lambda: self.close(*NEEDED))

    # Sending

    def send(self, *messages: bytes) -> None:
        """Send messages. A client that does not read them is disconnected, and may come back."""
        if self.gone or self.closing == UNREAD:
            return
        waiting = self.connection.write(messages)
        if waiting is None:
            for message in messages:
                self.outbox.put_nowait(message)
                self.unsent += len(message)
            waiting = self.unsent
        if waiting > self.limits.unread_bytes or self.outbox.qsize() > self.limits.unread:
            self.close(*UNREAD)
            self._forget_unsent()

    def _forget_unsent(self) -> None:
        while not self.outbox.empty():
            self.unsent -= len(self.outbox.get_nowait())
            self.outbox.task_done()

    @property
    def behind(self) -> bool:
        """Whether the client reads slowly: less urgent messages should be sent later, with the state of that time."""
        return self.unsent > MOST_BEHIND

    def answer(self, type: ServerMessage, request: Request = None, **fields: Any) -> None:
        self.send(encode(type, request=request, **fields))

    def close(self, code: int, reason: str) -> None:
        if self.closing is None:
            self.closing = code, reason
            self.closed.set()

    async def _send_on(self) -> None:
        with contextlib.suppress(ClosedError):
            while True:
                message = await self.outbox.get()
                await self.connection.send(message)
                self.unsent -= len(message)
                self.outbox.task_done()

    # Serving

    async def run(self) -> None:
        """Serve the client until one side closes."""
        listening = asyncio.create_task(self._listen())
        tasks = [asyncio.create_task(self._send_on()), listening, asyncio.create_task(self._until_closed())]
        hello = asyncio.get_running_loop().call_later(self.limits.greeting, self._expect_hello)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            hello.cancel()
            await self._finish(listening)
            ending = [task for task in (*tasks, *self.thinking) if task not in UNFINISHED]
            for task in ending:
                task.cancel()
            await asyncio.gather(*ending, return_exceptions=True)
            self.leave_everything()
        if self.closing:
            await self.connection.close(*self.closing)

    async def _finish(self, listening: "asyncio.Task[None]") -> None:
        """Complete a request even if its client disconnects meanwhile.

        It is never cancelled: a move could already be in the log and not yet made at the table.
        """
        self.closed.set()
        if self.handling:
            await asyncio.wait([listening], timeout=FINISHING)
        if not listening.done() and self.handling:
            UNFINISHED.add(listening)
            listening.add_done_callback(UNFINISHED.discard)

    def _expect_hello(self) -> None:
        if not self.greeted:
            seconds = self.limits.greeting
            self.answer("error", code="bad_message", message=f"You said no hello for {seconds:g} seconds.")
            self.close(POLICY, "No hello.")

    async def _until_closed(self) -> None:
        await self.closed.wait()
        if self.closing and self.closing[0] != TRY_AGAIN:
            await self._last_words()

    async def _last_words(self) -> None:
        """Let the last messages reach a client that still reads."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):
                await self.outbox.join()

    async def _listen(self) -> None:
        try:
            while not self.closed.is_set():  # a disconnected client is not read any more
                text = await self._next()
                self.handling = True
                await self._handle(text)
                self.handling = False
        except TooLongError:
            self.answer("error", code="bad_message", message=f"A message has {self.limits.frame // 1024} kB at most.")
            self.close(TOO_LONG, "Too long.")
        except TimeoutError:
            self.close(*IDLE)
        except ClosedError:
            pass
        await self._last_words()

    async def _next(self) -> str | None:
        """The next message. The holder of a seat may be silent without limit."""
        if self.slot.rank == Rank.SEATED:
            return await self.connection.receive()
        async with asyncio.timeout(self.limits.idle):
            return await self.connection.receive()

    async def _handle(self, text: str | None) -> None:
        """Handle a message. Errors are sent to this client only."""
        self.slot.active = time.monotonic()
        if not self.messages.take():
            if not self.refusals.take():
                self.close(POLICY, "Far too many messages.")
            asked = request_of(text) if text else None
            self.answer("error", asked, code="too_fast", message="You send too many messages at once; wait a little.")
            return
        request: Request = None
        try:
            if text is None:
                raise RefusedError("bad_message", "Messages are JSON as UTF-8 text, not other bytes.")
            message = decode(text)
            request = message.request
            if not self.greeted and not isinstance(message, Hello):
                raise RefusedError("bad_message", "Say hello first: it tells which version you speak.")
            if type(message) not in self.handlers:
                words = ", ".join(sorted(str(kind.__struct_config__.tag) for kind in self.handlers))
                raise RefusedError("unknown", f"This is not done here. What is: {words}.")
            if isinstance(message, COSTLY) and not self.sessions.costly.take(self.address):
                raise RefusedError("too_fast", "Too many requests from your address. Wait a moment.")
            await self.handlers[type(message)](self, message)
        except Exception as error:
            self.complain(error, request_of(text) if request is None and text else request)
            if self.connection.program and not self.greeted:
                # Cross-protocol attack: a web page can make a browser send an HTTP request to this port, with JSON in
                # its body. So the very first line must be a hello.
                self.close(POLICY, "The first line must be a hello.")

    def complain(self, error: Exception, request: Request) -> None:
        """Send the client an error."""
        if isinstance(error, RefusedError):
            self.answer("error", request, code=error.code, message=public_text(error))
        elif isinstance(error, KibitzError):
            self.answer("error", request, code="failed", message=public_text(error))
        elif isinstance(error, OSError) and error.errno in NO_ROOM:
            self.answer("error", request, code="full", message="The server has no room for this now; try again later.")
        else:
            log.error("A request failed", exc_info=error)
            self.answer("error", request, code="failed", message="The server failed at this. It goes on otherwise.")

    def think(self, thought: Coroutine[Any, Any, None], request: Request, questions: int = 1) -> None:
        """Answer in the background while the client can send more; it counts as `questions` questions."""
        most = self.limits.advice_waiting
        if len(self.thinking) >= most:
            thought.close()
            raise RefusedError("too_fast", f"{most} questions of yours are being thought about; wait for an answer.")
        if not self.questions.take(min(questions, self.limits.advice_per_minute)):
            thought.close()
            raise RefusedError("too_fast", "You ask for more advice than one can read; wait a little.")

        async def answered() -> None:
            try:
                await thought
            except Exception as error:
                self.complain(error, request)

        task = asyncio.create_task(answered())
        self.thinking.add(task)
        task.add_done_callback(self.thinking.discard)

    # Roles at tables

    async def table(self, id: str) -> tuple[LiveTable, Role]:
        """A table this session has joined."""
        if id not in self.roles:
            raise RefusedError(
                "not_yours", f"You are not at table {id!r}. Sit down, resume your seat or look on first."
            )
        return await self.service.table(id), self.roles[id]

    def check_room(self) -> None:
        """Make room for another table; finished ones are left first."""
        for id in list(self.roles):
            if len(self.roles) >= self.limits.roles and self.service.is_over(id):
                self.leave(id)
        if len(self.roles) >= self.limits.roles:
            raise RefusedError("full", f"You are at {len(self.roles)} tables. Leave one of them first.")

    def check_seats(self) -> None:
        """Whether another session may hold a seat: some connections are reserved for spectators."""
        if self.slot.rank < Rank.SEATED and self.sessions.seated >= self.sessions.most_seated:
            raise RefusedError("full", "Every seat on this server is taken. Come back later.")

    def join(self, table: LiveTable, role: Role) -> None:
        if self.gone:
            return
        self.roles[table.id] = role
        if role.seat is not None:
            self.held[table.id] = role.seat
        self._set_rank()
        table.join(self, role)

    def leave(self, id: str) -> None:
        del self.roles[id]
        self._set_rank()
        self.service.leave(id, self)

    def leave_everything(self) -> None:
        self.gone = True
        for id in list(self.roles):
            self.leave(id)
        for call in list(self.on_leave.values()):
            call()

    def greet(self, name: str) -> None:
        """The client has said hello."""
        if not self.greeted and not self.sessions.arrivals.take(self.address):
            self.close(TRY_AGAIN, "Too many sessions are begun from your address at once; wait a little.")
            raise RefusedError("too_fast", "Too many sessions are begun from your address at once; wait a little.")
        self.greeted, self.name = True, name
        self._set_rank()

    def _set_rank(self) -> None:
        seated = any(role.seat is not None or role.host for role in self.roles.values())
        self.slot.touch(Rank.SEATED if seated else Rank.SESSION)


class Sessions:
    """All sessions, and the limits shared by those of one address."""

    def __init__(
        self,
        service: TableService,
        handlers: Mapping[type[messages.Message], Handler],
        limits: Limits,
        most_seated: int,
        server: Any = None,
    ) -> None:
        """Messages without a handler are refused. `server` is for the handlers that need more than tables."""
        self.service, self.handlers, self.limits, self.most_seated = service, handlers, limits, most_seated
        self.server = server
        self.sessions: set[Session] = set()
        self.arrivals = BucketsByAddress(limits.sessions_per_second, limits.sessions_at_once)
        joins = limits.joins_per_minute_by_address
        self.joins = BucketsByAddress(joins / 60, joins)
        self.costly = BucketsByAddress(limits.costly_per_second_by_address, limits.costly_at_once_by_address)

    async def serve(self, connection: Connection, slot: Slot) -> None:
        """Serve a connection until one side closes."""
        session = Session(self, connection, slot)
        self.sessions.add(session)
        try:
            await session.run()
        finally:
            self.sessions.discard(session)

    @property
    def seated(self) -> int:
        return sum(session.slot.rank == Rank.SEATED for session in self.sessions)

    def say_goodbye(self, reason: str) -> None:
        for session in self.sessions:
            session.answer("bye", reason=reason)
