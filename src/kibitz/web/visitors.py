"""One visitor: a socket, what was said on it and what is to be sent, with limits on both. And who lets them in."""

import asyncio
import contextlib
import logging
import time
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any

from kibitz.core.errors import KibitzError
from kibitz.web import requests
from kibitz.web.house import House
from kibitz.web.lab import Lab
from kibitz.web.messages import RefusedError, Request, heard, request_of, worded
from kibitz.web.seats import NAMELESS
from kibitz.web.sockets import GoneError, Socket, TooLongError
from kibitz.web.tables import LiveTable
from kibitz.web.telling import Manner, Place

log = logging.getLogger("kibitz.web")

GONE_TOO_FAR = 500  # messages above the limit, before the connection is ended
POLICY, TOO_LONG, FULL = 1008, 1009, 1013  # codes of the WebSocket protocol
UNREAD = FULL, "You do not read what is sent; come back and resume."
MOST_WAITING = 1 << 21  # bytes that a program may leave unread
AT_ONCE = 3  # thoughts a visitor may ask agents for at the same time

UNDER_WAY: set[asyncio.Task[None]] = set()  # what visitors asked for; a task that nobody holds on to may vanish


@dataclass
class Bucket:
    """A limit on how often: so many at once, refilled at a rate a second."""

    rate: float
    most: float
    left: float = field(init=False)
    filled: float = field(init=False)

    def __post_init__(self) -> None:
        self.left, self.filled = self.most, time.monotonic()

    def take(self) -> bool:
        now = time.monotonic()
        self.left = min(self.most, self.left + (now - self.filled) * self.rate)
        self.filled = now
        if self.left < 1:
            return False
        self.left -= 1
        return True


class Visitor:
    """Somebody at the other end of a socket, until it is closed."""

    def __init__(self, socket: Socket, house: House, lab: Lab | None) -> None:
        self.socket, self.house, self.lab = socket, house, lab
        limits = house.limits
        self.name = NAMELESS
        self.manner = Manner.PAGE
        self.program = socket.program
        self.greeted = False
        self.gone = False
        self.places: dict[str, tuple[LiveTable, Place]] = {}
        self.outbox: asyncio.Queue[bytes] = asyncio.Queue(limits.waiting)
        self.messages = Bucket(limits.messages_per_second, limits.messages_at_once)
        self.creations = Bucket(limits.tables_per_minute / 60, limits.tables_per_minute)
        self.refused = 0
        self.asked: set[asyncio.Task[None]] = set()
        self.closing: tuple[int, str] | None = None
        self.closed = asyncio.Event()

    # Speaking

    def send(self, *messages: bytes) -> None:
        """Put messages on their way. Who does not read what is sent is let go, and may come back."""
        if self.gone or self.closing == UNREAD:
            return
        waiting = self.socket.write(messages)
        if waiting is None:
            too_much = self.outbox.qsize() + len(messages) > self.outbox.maxsize
            for message in () if too_much else messages:
                self.outbox.put_nowait(message)
        else:
            too_much = waiting > MOST_WAITING
        if too_much:
            self.close(*UNREAD)

    def answer(self, type: str, request: Request = None, **fields: Any) -> None:
        self.send(worded(type, request=request, **fields))

    def close(self, code: int, reason: str) -> None:
        if self.closing is None:
            self.closing = code, reason
            self.closed.set()

    async def _speak(self) -> None:
        with contextlib.suppress(GoneError):
            while True:
                await self.socket.send(await self.outbox.get())
                self.outbox.task_done()

    # Listening

    async def stay(self) -> None:
        """Serve the visitor until one of the two goes away."""
        tasks = [asyncio.create_task(self._speak()), asyncio.create_task(self._listen())]
        tasks.append(asyncio.create_task(self._until_closed()))
        hello = asyncio.get_running_loop().call_later(self.house.limits.greeting, self._expect_hello)
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            hello.cancel()
            for task in (*tasks, *self.asked):
                task.cancel()
            await asyncio.gather(*tasks, *self.asked, return_exceptions=True)
            self.leave_everything()
        if self.closing:
            await self.socket.close(*self.closing)

    def _expect_hello(self) -> None:
        if not self.greeted:
            seconds = self.house.limits.greeting
            self.answer("error", code="bad_message", message=f"You said no hello for {seconds:g} seconds.")
            self.close(POLICY, "No hello.")

    async def _until_closed(self) -> None:
        await self.closed.wait()
        if self.closing and self.closing[0] != FULL:
            await self._last_words()

    async def _last_words(self) -> None:
        """Let what was said reach a visitor who still reads."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(1):
                await self.outbox.join()

    async def _listen(self) -> None:
        try:
            while self.closing is None:  # nobody is listened to who has been sent away
                await self._hear(await self.socket.receive())
        except TooLongError:
            most = self.house.limits.frame // 1024
            self.answer("error", code="bad_message", message=f"A message has {most} kB at most.")
            self.close(TOO_LONG, "Too long.")
        except GoneError:
            pass
        await self._last_words()

    async def _hear(self, text: str | None) -> None:
        """Do what a frame asks for. Whatever goes wrong is told to the visitor, and to nobody else."""
        if not self.messages.take():
            self.refused += 1
            if self.refused > GONE_TOO_FAR:
                self.close(POLICY, "Far too many messages.")
            self.answer("error", code="too_fast", message="You send too many messages at once; wait a little.")
            return
        request: Request = None
        try:
            if text is None:
                raise RefusedError("bad_message", "Messages are JSON as UTF-8 text, not other bytes.")
            said = heard(text)
            request = said.request
            await self._to_the_end(requests.answered(self, said))
        except Exception as error:
            self.complain(error, request_of(text) if request is None and text else request)
            if self.socket.program and not self.greeted:  # a page of somebody else may speak here, but not JSON at once
                self.close(POLICY, "The first line must be a hello.")

    async def _to_the_end(self, answer: Coroutine[Any, Any, None]) -> None:
        """What was begun is done, even if the visitor goes away meanwhile: a move half made would be neither."""
        task = asyncio.create_task(answer)
        UNDER_WAY.add(task)
        task.add_done_callback(UNDER_WAY.discard)
        await asyncio.shield(task)

    def complain(self, error: Exception, request: Request) -> None:
        if isinstance(error, RefusedError):
            self.answer("error", request, code=error.code, message=str(error))
        elif isinstance(error, KibitzError):
            self.answer("error", request, code="failed", message=str(error))
        else:
            log.error("A request failed", exc_info=error)
            self.answer("error", request, code="failed", message="The server failed at this. It goes on otherwise.")

    def ask(self, thought: Coroutine[Any, Any, None], request: Request) -> None:
        """Let something be worked out while the visitor goes on talking."""
        if len(self.asked) >= AT_ONCE:
            thought.close()
            raise RefusedError("too_fast", f"{AT_ONCE} questions of yours are being thought about; wait for an answer.")

        async def answered() -> None:
            try:
                await thought
            except Exception as error:
                self.complain(error, request)

        task = asyncio.create_task(answered())
        self.asked.add(task)
        task.add_done_callback(self.asked.discard)

    # Tables

    def at(self, id: str) -> tuple[LiveTable, Place]:
        """A table this visitor is at."""
        if id not in self.places:
            raise RefusedError(
                "not_yours", f"You are not at table {id!r}. Sit down, resume your seat or look on first."
            )
        return self.places[id]

    def check_room(self) -> None:
        """Room for another table; those that are over are left first."""
        for id, (table, _) in list(self.places.items()):
            if len(self.places) >= self.house.limits.places and table.over:
                self.leave(id)
        if len(self.places) >= self.house.limits.places:
            raise RefusedError("full", f"You are at {len(self.places)} tables. Leave one of them first.")

    def join(self, table: LiveTable, place: Place) -> None:
        if self.gone:
            return
        self.places[table.id] = table, place
        table.join(self, place)

    def leave(self, id: str) -> None:
        table, _ = self.places.pop(id)
        table.leave(self)
        self.house.let_go(table)

    def leave_everything(self) -> None:
        self.gone = True
        for id in list(self.places):
            self.leave(id)
        self.house.lobby.discard(self)
        if self.lab is not None:
            self.lab.listeners.discard(self)


class Reception:
    """Lets visitors in as long as there is room, whichever door they come through."""

    def __init__(self, house: House, lab: Lab | None) -> None:
        self.house, self.lab = house, lab
        self.visitors: set[Visitor] = set()

    async def welcome(self, socket: Socket) -> None:
        """Serve who is at the other end of a socket until one of the two goes away."""
        if len(self.visitors) >= self.house.limits.visitors:
            full = worded("error", code="full", message="There is no room for another visitor. Come back later.")
            with contextlib.suppress(GoneError):
                await socket.send(full)
            await socket.close(FULL, "There is no room.")
            return
        visitor = Visitor(socket, self.house, self.lab)
        self.visitors.add(visitor)
        try:
            await visitor.stay()
        finally:
            self.visitors.discard(visitor)

    def say_goodbye(self, reason: str) -> None:
        for visitor in self.visitors:
            visitor.answer("bye", reason=reason)
