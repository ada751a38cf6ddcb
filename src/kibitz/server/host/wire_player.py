"""A player who speaks a game's own wire protocol: bare JSON objects over TCP, one connection for one seat of one game.

The protocol has no retries and no reconnection, so any fault ends the connection, with an object that has an `error`,
and the host's rule for failing players applies. The other players learn only the kind of fault: the reason why a move
is illegal may reveal cards that they hold.
"""

import asyncio
import contextlib
import logging
from textwrap import shorten
from typing import Any, Protocol

import msgspec

from kibitz.client.json_stream import JsonObjectStream, NotAnObjectError
from kibitz.core.wire import ImpersonationError
from kibitz.errors import KibitzError
from kibitz.server.live.audience import ViewFormat
from kibitz.server.live.connection_limit import Rank, Slot
from kibitz.server.live.connections import CHUNK, hang_up, write_at_once
from kibitz.server.live.table import LiveTable
from kibitz.server.live.table_state import Role

log = logging.getLogger("kibitz.server.host")

LONGEST = 16 * 1024  # bytes of a move; they have about a hundred
UNREAD = 1 << 20  # bytes that may wait for a player who does not read them
SHOWN = 300  # characters of an error in the host's output, which may quote the player's message


class FaultError(KibitzError):
    """A player's fault: `message` is for that player, `heard`, in a few words, for the others."""

    def __init__(self, message: str, heard: str) -> None:
        super().__init__(message)
        self.heard = heard


class Host(Protocol):
    def tell(self, table: LiveTable, text: str) -> None:
        """Report something about a game to the person who runs the host."""

    def reopen(self, player: "WirePlayer", why: str) -> None:
        """A player left before the game began."""


class WirePlayer:
    format = ViewFormat.WIRE

    def __init__(
        self, host: Host, name: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, port: Any = None
    ) -> None:
        self.host, self.name, self.reader, self.writer, self.port = host, name, reader, writer, port
        self.table: LiveTable | None = None
        self.seat = -1
        self.greeted = False
        self.gone = False
        self.slot: Slot | None = None
        self.why = "went away"  # the message to the others if it leaves early
        self.finished = asyncio.Event()
        self.objects = JsonObjectStream(LONGEST)

    async def stay(self) -> None:
        """Play one game, or wait for it, until one side closes."""
        finishing = asyncio.create_task(self.finished.wait())
        tasks = [finishing] if self.finished.is_set() else [asyncio.create_task(self._listen()), finishing]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.gone = True
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            if self.table is not None:
                self.table.leave(self)
                await self._leave_the_rest_to(self.table)
            await hang_up(self.reader, self.writer)

    def sits_down(self, table: LiveTable, seat: int) -> None:
        self.table, self.seat = table, seat
        if self.slot is not None:
            self.slot.touch(Rank.SEATED)
        table.join(self, Role(seat))

    # Sending

    def send(self, *messages: bytes) -> None:
        """Send states one at a time, and nothing before the game begins."""
        [message] = messages
        if not message or self.gone or self.table is None:
            return
        if self.table.state.forfeit:
            self.turn_away(self.table.state.forfeit)
            return
        if self.table.state.seats[self.seat].kind == "bot":
            self.turn_away(
                f"You ran out of time: a move may take {self.table.clock.deadline:g} seconds. A bot plays for you now."
            )
            return
        if not self.greeted:
            self.greeted = True
            message = f"{self.table.views.wire_names()[self.seat]}\n".encode() + message
        unsent = write_at_once(self.writer, message)
        if self.table.state.status != "running":
            self.finished.set()
        elif unsent > UNREAD:
            self.why = "does not read what it is sent"
            self.finished.set()

    def _say(self, why: str) -> None:
        write_at_once(self.writer, msgspec.json.encode({"error": why}))

    def turn_away(self, why: str) -> None:
        """End the connection with a reason; nothing is sent after it."""
        if not self.gone:
            self._say(why)
        self.gone = True
        self.finished.set()

    # Receiving

    async def _listen(self) -> None:
        try:
            with contextlib.suppress(OSError):
                while chunk := await self.reader.read(CHUNK):
                    for text in self.objects.feed(chunk):
                        await self._hear(text)
        except NotAnObjectError as error:
            self._send_away(str(error), "sent something that is no move")
        except FaultError as error:
            self._send_away(str(error), error.heard)
        except Exception:
            log.exception("A move of %s failed", self.name)
            self._send_away("The host failed at this.", "sent something that the host failed at")

    def _send_away(self, why: str, heard: str) -> None:
        self.why = heard
        if self.table is not None:
            who = f"{self.name} at {self.table.game.seat_name(self.seat)}"
            self.host.tell(self.table, f"{who} was sent: {shorten(why, SHOWN)}")
        self.turn_away(why)

    async def _hear(self, text: bytes) -> None:
        """Parse a move; raises a FaultError with the reason if it is none."""
        table = self.table
        if table is None or table.state.status == "waiting":
            early = "The game has not begun; wait for a state in which you are the current player."
            raise FaultError(early, "moved before the game began")
        if table.state.status != "running":
            return  # it was in transit when the game ended
        if table.state.to_move != self.seat:
            turn = f"It is the turn of {table.views.wire_names()[table.state.mover]}, not yours."
            raise FaultError(turn, "moved out of turn")
        try:
            said = msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError) as error:
            raise FaultError(f"That is not a JSON object: {error}.", "sent something that is no move") from None
        try:
            names, wire = table.views.wire_names(), table.views.wire
            role = Role(self.seat)
            made = table.state.turn_for(role)
            await table.answer(role, made, lambda view: wire.move(said, self.seat, names, view))
        except ImpersonationError as error:
            raise FaultError(str(error), "moved in the name of another") from None
        except (KibitzError, RecursionError) as error:
            raise FaultError(str(error), "sent a move that is not legal") from None

    async def _leave_the_rest_to(self, table: LiveTable) -> None:
        """Continue an unfinished game without this player."""
        if table.state.status == "waiting":
            self.host.reopen(self, self.why)
        else:
            await table.fails(self.seat, self.why)
