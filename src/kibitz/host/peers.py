"""A player who speaks a game's own wire protocol: bare JSON objects over TCP, one connection for one seat of one game.

Such a player cannot be told to try again and cannot come back, so whatever goes wrong ends the connection: it is told
why, in an object with an `error`, and the rule of the host for players that fail decides how the game goes on.
"""

import asyncio
import contextlib
from typing import Protocol

import msgspec

from kibitz.core.errors import KibitzError
from kibitz.host.objects import Objects
from kibitz.web.messages import RefusedError
from kibitz.web.sockets import hang_up
from kibitz.web.tables import LiveTable
from kibitz.web.telling import Manner, Place

CHUNK = 1 << 16
LONGEST = 16 * 1024  # bytes of a move; they have about a hundred
UNREAD = 1 << 20  # bytes that may wait for a player who does not read them


class Host(Protocol):
    def reopen(self, table: LiveTable, seat: int, why: str) -> None:
        """A player went away before the game began."""


class WirePlayer:
    manner = Manner.WIRE

    def __init__(self, host: Host, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.host, self.name, self.reader, self.writer = host, name, reader, writer
        self.table: LiveTable | None = None
        self.seat = -1
        self.greeted = False
        self.gone = False
        self.finished = asyncio.Event()
        self.objects = Objects(LONGEST)

    async def stay(self) -> None:
        """Play one game, or wait for it, until one of the two goes away."""
        listening = asyncio.create_task(self._listen())
        finishing = asyncio.create_task(self.finished.wait())
        try:
            await asyncio.wait([listening, finishing], return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.gone = True
            for task in (listening, finishing):
                task.cancel()
            await asyncio.gather(listening, finishing, return_exceptions=True)
            if self.table is not None:
                self.table.leave(self)
            await hang_up(self.reader, self.writer)

    def sits_down(self, table: LiveTable, seat: int) -> None:
        self.table, self.seat = table, seat
        table.join(self, Place(seat))

    # Speaking

    def send(self, message: bytes) -> None:
        """The table sends states, and nothing before the game begins."""
        if not message or self.gone or self.table is None:
            return
        if not self.greeted:
            self.greeted = True
            self.writer.write(f"{self.table.wire_names()[self.seat]}\n".encode())
        self.writer.write(message)
        if self.table.state != "running":
            if self.table.forfeit:
                self._say(self.table.forfeit)
            self.finished.set()
        elif self.writer.transport.get_write_buffer_size() > UNREAD:
            self.finished.set()

    def _say(self, why: str) -> None:
        self.writer.write(msgspec.json.encode({"error": why}))

    def turn_away(self, why: str) -> None:
        """There is no game for this player."""
        self._say(why)
        self.finished.set()

    # Listening

    async def _listen(self) -> None:
        why = "went away"
        try:
            with contextlib.suppress(OSError):
                while chunk := await self.reader.read(CHUNK):
                    for text in self.objects.feed(chunk):
                        await self._hear(text)
        except KibitzError as error:
            self._say(str(error))
            why = f"was sent away, because: {error}"
        await self._fail(why.rstrip("."))

    async def _hear(self, text: bytes) -> None:
        """A move, or a KibitzError that says why it is none."""
        table = self.table
        if table is None or table.state == "waiting":
            raise KibitzError("The game has not begun; wait for a state in which you are the current player.")
        if table.state != "running":
            return  # it was on its way when the game ended
        try:
            said = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError) as error:
            raise KibitzError(f"That is not a JSON object: {error}.") from None
        if table.to_move != self.seat:
            raise KibitzError(f"It is the turn of {table.wire_names()[table.mover]}, not yours.")
        view = table.record(table.core, self.seat)
        move = table.wire.move(said, self.seat, table.wire_names(), view)
        try:
            await table.move(Place(self.seat), table.turn, table.game.move_text(move))
        except RefusedError as error:
            raise KibitzError(str(error)) from None

    async def _fail(self, why: str) -> None:
        if self.table is None:
            return
        if self.table.state == "waiting":
            self.host.reopen(self.table, self.seat, why)
        else:
            await self.table.fails(self.seat, why)
