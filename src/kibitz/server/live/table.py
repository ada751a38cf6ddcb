"""A live table: its state, its clients and its storage combined.

Every change is checked, stored, applied and sent, in this order and one at a time.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any, Protocol

import msgspec

from kibitz.bots.pool import Processes, SharedProcess
from kibitz.core.agent import Agent, Decision
from kibitz.core.game import Game
from kibitz.core.table import Table
from kibitz.errors import KibitzError
from kibitz.server.live.audience import Audience, Subscriber
from kibitz.server.live.bot_seat import BotSeat, FailedError
from kibitz.server.live.bot_tempo import BotTempo
from kibitz.server.live.bot_threads import BotThreads
from kibitz.server.live.changes import Changes
from kibitz.server.live.messages import RefusedError
from kibitz.server.live.move_clock import MoveClock
from kibitz.server.live.public_text import public_text
from kibitz.server.live.storage import Entry, Note, Storage, StorageError, StoredTable
from kibitz.server.live.table_state import ANY_MOVE, Role, Seat, TableState, clean_line
from kibitz.server.live.view_sender import ViewSender

DISK_TROUBLE = 2.0  # seconds before a bot's move is tried again

log = logging.getLogger("kibitz.server.live")


class TableServices(Protocol):
    """What a table needs from its server."""

    storage: Storage
    bot_threads: BotThreads
    processes: Processes
    bot_seconds: float
    bot_grid: float
    on_change: Callable[["LiveTable"], None]
    on_finish: Callable[["LiveTable"], None]
    on_substitution: Callable[["LiveTable", str], None]

    def agent(self, game: Game, name: str) -> Agent: ...

    def title(self, game: Game, name: str) -> str: ...

    def on_end(self, table: "LiveTable") -> None: ...


class LiveTable:
    def __init__(self, services: TableServices, stored: StoredTable, game: Game, core: Table) -> None:
        self.services, self.stored, self.game = services, stored, game
        self.id = stored.id
        core.stop_rolling()  # from now on a roll is a move like any other: on the disk before it is made
        self.state = TableState(
            stored, game, core, partial(services.title, game), partial(is_honest, services, game), services.bot_seconds
        )
        self.audience = Audience(len(self.state.seats))
        self.clock = MoveClock(self.state, self.audience, self._time_is_up)
        self.views = ViewSender(self.state, self.clock, self.audience)
        self.seats_changed = Changes()
        self.bots: dict[int, BotSeat] = {}
        self.bot_process = SharedProcess(services.processes)
        self.steps = 0  # moves that bots may make although the table is paused
        self.active = time.monotonic()  # the time of the last activity
        self.tempo = BotTempo(0 if self.state.only_bots else services.bot_grid)
        self.lock = asyncio.Lock()
        self.changes = 0  # in progress, or waiting for the lock
        self.held = 0  # by actions after the end of the game
        self.nudged = asyncio.Event()
        self.runner: asyncio.Task[None] | None = None
        self.ending: asyncio.Task[None] | None = None
        self.missed: tuple[int, int] | None = None  # the seat and the turn of an exceeded time limit
        self.ended = asyncio.Event()

    @contextlib.asynccontextmanager
    async def changing(self) -> AsyncIterator[TableState]:
        """Hold the table's lock, so that nothing else changes the state."""
        self.changes += 1
        try:
            async with self.lock:
                self.active = time.monotonic()
                yield self.state
        finally:
            self.changes -= 1

    @property
    def busy(self) -> bool:
        """Whether the table is in use and cannot be unloaded."""
        return self.changes > 0 or self.bots_go_on() or self.clock.due is not None or not self._at_rest()

    def _at_rest(self) -> bool:
        return all(task is None or task.done() for task in (self.runner, self.ending))

    # Changes

    async def write(self, *entries: Entry) -> None:
        """Add to the log, and return when it is on the disk."""
        await self.services.storage.append(self.id, self.state.entries, entries)
        self.state.entries += len(entries)

    async def make(self, decision: Decision) -> None:
        """Make a legal move of the seat to move, and the moves of chance after it; the lock is held."""
        payload = {"move": self.game.move_text(decision.move)}
        if decision.reason:
            payload["reason"] = decision.reason
        rolls = self.state.rolls_after(decision)
        rolled = [Entry("move", {"move": self.game.move_text(roll.move), "rolled": True}) for roll in rolls]
        await self.write(Entry("move", payload), *rolled)
        for each in (decision, *rolls):
            self.state.make(each)
        if not self.state.private_turns()[-1]:  # the time of others must not reveal it
            self.tempo.note_move()
        for bot in self.bots.values():
            bot.note(self.state.core)
        self.views.refresh()
        self.clock.set()
        ends = self.state.over and not self.state.analysis_board  # on an analysis board one can go back from the end
        if ends:
            await self.keep_end()
        if ends and self.state.hides_turns:
            self.views.send_everything()  # what was private is seen now, and counted
        else:
            await self.views.send_move()
        self.services.on_change(self)
        if ends:
            self.ending = asyncio.get_running_loop().create_task(self.end())

    async def keep_end(self) -> None:
        """Write the end of the game to the disk before it is sent."""
        when = time.time()
        try:
            self.services.on_finish(self)
            await self.services.storage.finish(self.id, when, self.views.listing())
            self.stored.finished = when
        except StorageError as error:
            log.error("Table %s: %s", self.id, error)  # it will be stored at the next start

    async def end(self) -> None:
        """Let bots with a memory observe the end, then release the table."""
        for bot in self.bots.values():
            try:
                await bot.see_the_end()
            except Exception as error:
                log.warning("Table %s: %s failed after the end: %s", self.id, bot.name, error)
        self.bot_process.let_go()
        self.ended.set()
        self.services.on_end(self)

    async def move(self, role: Role, turn: int, text: str, reason: str = "") -> None:
        """Make the move of a person or a program; a program may give a reason."""
        await self.answer(role, turn, lambda view: self.understood(text, view), reason)

    def understood(self, text: str, view: Any) -> int:
        try:
            return self.game.move(text, view)
        except KibitzError as error:
            raise RefusedError("illegal", str(error)) from None
        except Exception as error:  # the game gave no reason
            raise RefusedError("illegal", f"{text!r} is not a move: {type(error).__name__}.") from None

    async def answer(self, role: Role, turn: int, read: Callable[[Any], int], reason: str = "") -> None:
        """Make the move of the player to move; `read` parses it with their view."""
        async with self.changing() as state:
            seat = state.person(role)
            state.check_turn(role, seat, turn)
            move = read(self.views.view(state.core, seat))
            if not state.core.allows(move):
                raise RefusedError("illegal", f"'{self.game.move_text(move)}' is not legal now.")
            await self.make(Decision(move, clean_line(reason) if state.seats[seat].program else ""))
        self.schedule_bots()

    async def take_back(self, turn: int, text: str) -> None:
        """Go back to a turn; the lock is held.

        All bots take their seats again, so that none remembers moves that were taken back; running searches are
        dropped.
        """
        await self.write(Entry("undo", {"turn": turn}))
        self.state.take_back(turn)
        self.bots.clear()
        self.bot_process.let_go()
        self.tempo.note_move()
        self.clock.set()
        if text:
            self.views.say(text)
        self.views.send_taken_back()
        self.services.on_change(self)

    async def reseat(self, number: int, seat: Seat, text: str) -> None:
        """Change the player in a seat; the lock is held."""
        if self.state.analysis_board:
            raise RefusedError("not_yours", "At an analysis board its creator moves for every seat.")
        await self.write(Entry("seat", {"number": number, "seat": msgspec.to_builtins(seat)}))
        self.state.put(number, seat)
        if number in self.bots:
            self.bots.pop(number).leave()
        self.seats_changed.notify()
        self.views.refresh()
        self.clock.set()
        self.views.say(text)
        self.views.send_seats()
        self.views.send_views()
        self.services.on_change(self)

    async def set_bot_delay(self, milliseconds: int | None, paused: bool | None, step: bool) -> None:
        async with self.changing() as state:
            delay = state.bot_delay if milliseconds is None else milliseconds
            pause = state.paused if paused is None else paused
            if (delay, pause) != (state.bot_delay, state.paused):
                await self.write(Entry("bot_delay", {"bot_delay": delay, "paused": pause}))
                state.bot_delay, state.paused = delay, pause
                self.views.send_seats()
            self.steps = self.steps + 1 if step and state.paused else 0
        self.schedule_bots()

    async def choose(self, options: dict[str, Any], *texts: str) -> None:
        """Change options and announce it; the lock is held."""
        await self.write(Entry("options", options))
        self.state.choose(options)
        for text in texts:
            self.views.say(text)
        self.views.send_seats()
        self.services.on_change(self)

    async def say(self, line: dict[str, Any]) -> None:
        """Add a chat message; the lock is held."""
        await self.write(Entry("chat", line))
        self.state.say(line)
        self.views.send_chat(line)

    async def note(self, note: Note, most: int) -> None:
        notes = self.state.notes.setdefault(note.seat, {})
        if note.text and note.mark not in notes and len(notes) >= most:
            raise RefusedError("full", f"You have {most} notes at this table. Remove one first.")
        await self.services.storage.write_note(self.id, note)
        if note.text:
            notes[note.mark] = note
        else:
            notes.pop(note.mark, None)

    # Arrivals and departures

    def join(self, subscriber: Subscriber, role: Role) -> None:
        self.active = time.monotonic()
        self.clock.set(coming=role.seat is not None)
        if self.views.join(subscriber, role):
            self.services.on_change(self)
        self.schedule_bots()

    def leave(self, subscriber: Subscriber) -> None:
        if self.views.leave(subscriber):
            self.services.on_change(self)
        if self.clock.set():  # no player is connected any more
            self.views.send_seats()

    def close(self) -> None:
        """Stop: the server shuts down, or the table is unloaded."""
        self.clock.stop()
        if self.runner is not None:
            self.runner.cancel()
        self.bot_process.let_go()

    # Players with a time limit

    def _time_is_up(self, seat: int, turn: int) -> None:
        self.ending = asyncio.get_running_loop().create_task(self.fails(seat, "ran out of time", turn))

    async def fails(self, seat: int, why: str, turn: int | None = None) -> None:
        """Replace a player who failed or ran out of time by a bot, or end the game, by the table's rule."""
        async with self.changing() as state:
            held = state.seats[seat]
            if state.status != "running" or held.kind != "person" or turn not in (None, state.public_turn):
                return
            self.missed = seat, state.public_turn
            if self.stored.options.get("late") == "forfeit":
                await self.forfeit(f"{held.person} {why} and forfeits the game.")
            else:
                name = self.stored.options.get("substitute") or state.stand_in()
                text = f"{held.person} {why}. {state.title(name)} plays for {held.person}."
                await self.reseat(seat, msgspec.structs.replace(held, kind="bot", agent=name), text)
                self.services.on_substitution(self, text)
        self.schedule_bots()

    async def forfeit(self, text: str) -> None:
        """Abort the game; the lock is held."""
        await self.write(Entry("forfeit", {"text": text}))
        self.state.forfeit = text
        self.state.refresh()
        self.views.refresh()
        self.clock.set()
        await self.keep_end()
        self.views.say(text)
        if self.state.hides_turns:
            self.views.send_everything()
        else:
            self.views.send_views()
        await self.end()

    # Bots

    def schedule_bots(self) -> None:
        """Let bots move when it is their turn and the table is not paused; run the clock for remote programs."""
        self.nudged.set()
        self.clock.set()
        if self.bots_go_on() and (self.runner is None or self.runner.done()):
            self.runner = asyncio.get_running_loop().create_task(self.run_bots())

    def bots_go_on(self) -> bool:
        state = self.state
        seat = state.to_move
        if seat is None or state.seats[seat].kind != "bot":
            return False
        if state.paused and self.steps == 0:
            return False
        # a game of bots waits for its spectators
        return bool(self.audience.subscribers) or not state.only_bots or bool(self.stored.options.get("unwatched"))

    async def run_bots(self) -> None:
        while self.bots_go_on():
            try:
                await self.bot_moves()
            except StorageError as error:
                log.error("Table %s: %s", self.id, error)
                self.views.say("The bot's move could not be written to the disk of the server. It tries again.")
                await asyncio.sleep(DISK_TROUBLE)
            except Exception:
                log.exception("Table %s: a bot could not move", self.id)
                self.views.say("Something went wrong at the server; the bots of this table have stopped.")
                return

    async def bot_moves(self) -> None:
        seat, turn = self.state.mover, self.state.turn
        try:
            bot = self.bot(seat)
        except RefusedError as error:  # its package is no longer installed, or cannot be loaded
            name = self.state.seats[seat].agent
            await self.replace(seat, name, None, FailedError("is not installed on this server", str(error)))
            return
        decision, failed = Decision(-1), None
        thinks = not bot.has_decided(turn)  # else it was paused when ready, and keeps the beat it was ready for
        if thinks and not self.thinks_on(seat):
            self.tempo.begin()
        try:
            decision = await bot.decide(self.state.core)
            if not self.state.core.allows(decision.move):
                raise FailedError("decided on a move that is not legal", f"move {decision.move} is not legal")
        except FailedError as error:
            failed = error
        if thinks:
            self.tempo.end()
        attempts, public = self.state.keeps_turn(decision) if failed is None else (False, True)
        if public:  # else others must learn nothing, and so nothing from its time
            await self.keep_tempo(0 if attempts else None)
        if failed is not None:
            await self.replace(seat, bot.name, bot, failed)
            return
        async with self.changing() as state:
            if turn == state.turn and self.bots.get(seat) is bot and self.bots_go_on():
                self.steps = max(self.steps - public, 0)
                await self.make(decision)

    def thinks_on(self, seat: int) -> bool:
        """Whether a seat's last turn was private: for all that others know, it still thinks about the same move."""
        last = self.state.core.turns[-1:]
        return bool(last) and self.state.private_turns()[-1] and last[0].seat == seat

    async def keep_tempo(self, delay: int | None = None) -> None:
        """Wait until the next move may be made; a change at the table shortens or extends the wait.

        `delay` in milliseconds replaces that of the table.
        """
        while (
            self.bots_go_on()
            and (rest := self.tempo.rest((self.state.bot_delay if delay is None else delay) / 1000)) > 0
        ):
            await self.tempo.wait(rest, self.nudged)

    def bot(self, seat: int) -> BotSeat:
        if seat not in self.bots:
            name = self.state.seats[seat].agent
            agent = None if name == ANY_MOVE else self.services.agent(self.game, name)
            self.bots[seat] = BotSeat(
                self.game, agent, seat, self.id, self.services.bot_threads, self.bot_process, self.services.bot_seconds
            )
        return self.bots[seat]

    async def replace(self, seat: int, failed: str, bot: BotSeat | None, error: FailedError) -> None:
        """Replace a bot that failed, unless somebody else has its seat by now."""
        where = self.game.seat_name(seat)
        heard = public_text(error) if self.state.only_bots else public_text(error.heard)
        async with self.changing() as state:
            if self.bots.get(seat) is bot:
                log.warning("Table %s: %s at %s: %s", self.id, failed, where, error)
                name = state.substitute(failed)
                changed = msgspec.structs.replace(state.seats[seat], agent=name)
                stops = f"{state.title(failed)} at {where} has to stop: it {heard.removeprefix('it ')}."
                text = f"{stops} {state.title(name)} replaces it."
                await self.reseat(seat, changed, text)


def is_honest(services: TableServices, game: Game, agent: str) -> bool:
    """Whether an agent is known to the server and sees only what its seat may see."""
    try:
        return not services.agent(game, agent).traits.cheats
    except RefusedError:  # its package is no longer installed
        return False
