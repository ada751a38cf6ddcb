"""The program of a worker process: it runs other people's bots, as requested by `process`.

It records the begin and end of every call of a bot in shared memory, so that the main program knows which bot hangs.
"""

import contextlib
import ctypes
import fcntl
import gc
import importlib
import mmap
import os
import pickle
import resource
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields
from functools import partial
from typing import Any

import msgspec
import numpy as np

from kibitz.bots.process import (
    ANSWER,
    ASKED,
    CALLS,
    COMPILING,
    DECIDE,
    DONE,
    FAILURE,
    HEADER,
    LOAD,
    LONGEST,
    OBSERVE,
    OF,
    SEAT,
    SIT,
    WORD,
    Shared,
    Where,
)
from kibitz.core import registry
from kibitz.core.agent import (
    Agent,
    AnswerError,
    CompiledAgent,
    CompiledPlayer,
    Player,
    Progress,
    PythonAgent,
    PythonPlayer,
    no_progress,
)
from kibitz.core.agent_faults import error_with_place
from kibitz.core.agent_spec import AgentSpec
from kibitz.core.game import Game
from kibitz.engine.compile import Listener, listen
from kibitz.errors import AgentError, KibitzError
from kibitz.text import fit

FIRST_DESCRIPTOR = 200  # for our own, beyond those that a bot opens
MAPPED: list[mmap.mmap] = []  # kept forever: releasing one closes a descriptor
BECOME_REAPER = 36  # prctl: orphans become our children and can be counted


class Calls:
    """The current call of a bot, in shared memory."""

    def __init__(self, shared: Any) -> None:
        self.shared = shared

    @contextlib.contextmanager
    def noted(self, asked: int, seat: int) -> Iterator[None]:
        self.begin(asked, seat)
        try:
            yield
        finally:
            self.end()

    def begin(self, asked: int, seat: int) -> None:
        self.shared[ASKED], self.shared[SEAT] = asked, seat
        self.shared[CALLS] += 1

    def end(self) -> None:
        self.shared[CALLS] += 1


class CompileTime(Listener):
    """Marks compilation, which does not count as a bot's time."""

    def __init__(self, calls: Calls) -> None:
        self.calls, self.lock = calls, threading.Lock()

    def on_start(self, event: Any) -> None:
        with self.lock:
            self.calls.shared[COMPILING] += 1

    def on_end(self, event: Any) -> None:
        with self.lock:
            self.calls.shared[COMPILING] -= 1


@dataclass(frozen=True)
class NotedAgent(PythonAgent):
    """A Python agent whose calls are recorded."""

    calls: Calls
    seat: int

    def take_seat(self, game: Game, explains: bool = True) -> "NotedPlayer":
        with self.calls.noted(SIT, self.seat):
            try:
                player = super().take_seat(game, explains)
            except AgentError:
                raise
            except BaseException as error:
                raise self.no_seat(error) from None
        return NotedPlayer(self, game, player.bot)


class NotedPlayer(PythonPlayer):
    agent: NotedAgent

    def _guard(self, doing: str, call: Callable[[Any], Any], view: Any) -> Any:
        calls = self.agent.calls
        shared = calls.shared  # inlined, because it runs for every move
        shared[ASKED], shared[SEAT] = DECIDE if doing == "deciding" else OBSERVE, self.agent.seat
        shared[CALLS] += 1
        try:
            return call(view)
        except AnswerError:
            raise
        except BaseException as error:  # only the bot raises here: signals are ignored
            raise self.failed(doing, view, error) from None
        finally:
            calls.shared[CALLS] += 1

    def copy(self) -> "NotedPlayer":
        return NotedPlayer(self.agent, self.game, super().copy().bot)


@dataclass(frozen=True)
class NotedCompiledAgent(CompiledAgent):
    """A compiled agent whose calls are recorded: somebody's machine code may never end, too."""

    calls: Calls | None = None
    seat: int = 0

    def take_seat(self, game: Game, explains: bool = True) -> "NotedCompiledPlayer":
        return NotedCompiledPlayer(self, game, explains)


class NotedCompiledPlayer(CompiledPlayer):
    def _called(self, name: str, view: Any, *arguments: Any) -> Any:
        assert isinstance(self.agent, NotedCompiledAgent)
        assert self.agent.calls is not None
        with self.agent.calls.noted(DECIDE if name == "decide" else OBSERVE, self.agent.seat):
            return super()._called(name, view, *arguments)


def work(setup: dict[str, Any]) -> None:
    """Answer requests until the connection ends."""
    leave_the_terminal()
    limit_memory(setup["megabytes"])
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(BECOME_REAPER, 1, 0, 0, 0)
    place = fcntl.fcntl(setup["socket"], fcntl.F_DUPFD_CLOEXEC, FIRST_DESCRIPTOR)
    os.close(setup["socket"])
    worker = Worker(socket.socket(fileno=place), Calls(shared_numbers(setup["shared"])))
    os.register_at_fork(after_in_child=worker.become_a_child)
    for kind in ("numba:compiler_lock", "numba:llvm_lock"):
        listen(kind, CompileTime(worker.calls))
    for game in setup["games"]:
        with contextlib.suppress(KibitzError):
            registry.game(game)
    with contextlib.suppress(OSError, EOFError):
        while True:
            worker.answer(*worker.request())


def shared_numbers(descriptor: int) -> Any:
    """Map the shared memory, and close the descriptor through which a bot could write to it."""
    copied = os.dup(descriptor)
    os.close(copied)
    MAPPED.append(mmap.mmap(descriptor, ctypes.sizeof(Shared)))  # mmap duplicates the descriptor to the lowest free one
    os.close(copied)
    os.close(descriptor)
    return Shared.from_buffer(MAPPED[0])


def leave_the_terminal() -> None:
    """Ignore Ctrl-C, which is for the main program, and send what bots print to stderr, so that results stay clean."""
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    if sys.stderr is not None:
        with contextlib.suppress(AttributeError, ValueError):
            sys.stderr.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
        sys.stdout = sys.stderr


def limit_memory(megabytes: int) -> None:
    """Make allocations beyond the limit raise a MemoryError.

    It limits data, not address space, of which libraries reserve more than they use.
    """
    limits = [(resource.RLIMIT_CORE, 0), *([(resource.RLIMIT_DATA, megabytes << 20)] if megabytes else [])]
    for which, most in limits:
        with contextlib.suppress(OSError, ValueError):  # the limit is lower already
            resource.setrlimit(which, (most, most))


def progress_in(calls: Calls) -> Progress:
    """A function through which a bot reports its progress in shared memory."""

    def noted(done: int, of: int) -> None:
        calls.shared[DONE], calls.shared[OF] = done, of

    return noted


class Worker:
    """The requests, one method each. The result or the exception is the answer."""

    def __init__(self, connection: socket.socket, calls: Calls) -> None:
        self.connection, self.calls = connection, calls
        self.reads = connection.makefile("rb")
        self.run = -1  # the latest run, whose agents are loaded
        self.agents: tuple[Agent, ...] = ()
        self.players: dict[int, Player] = {}  # by numbers that the main program assigns

    def become_a_child(self) -> None:
        """Called in a forked child of a bot, which must not answer."""
        self.calls.shared = [0] * len(self.calls.shared)
        os.close(self.connection.detach())

    def request(self) -> Any:
        word, length = HEADER.unpack(self._read(HEADER.size))
        assert word == WORD
        return pickle.loads(self._read(length))

    def _read(self, length: int) -> bytes:
        data = self.reads.read(length)
        if len(data) < length:
            raise EOFError
        return data

    def answer(self, asked: Any, *details: Any) -> None:
        try:
            call = getattr(self, asked) if isinstance(asked, str) else partial(asked, self)
            answer = ANSWER, call(*details)
        except KibitzError as error:
            answer = FAILURE, str(error)
        except Exception as error:  # a bot broke its environment, for example by deleting the working folder
            answer = FAILURE, f"A worker process failed: {error_with_place(error)}"
        self.send(*answer)

    def send(self, kind: str, value: Any) -> None:
        if isinstance(value, str):  # it may contain a file name that is not Unicode
            value = fit(value)
        data = msgspec.msgpack.encode((kind, value))
        if len(data) > LONGEST:
            data = msgspec.msgpack.encode((FAILURE, "What was to be sent is too long."))
        self.connection.sendall(HEADER.pack(WORD, len(data)) + data)

    def go_to(self, where: Where) -> None:
        """Use the working folder and import path of the main program."""
        if os.getcwd() != where.folder:  # noqa: PTH109
            os.chdir(where.folder)
        if tuple(sys.path) != where.path:
            sys.path[:] = where.path
            importlib.invalidate_caches()
            for remembered in (registry.game_entries, registry.agent_entries, registry.game):
                remembered.cache_clear()

    def loaded(self, game: Game, spec: AgentSpec, seat: int) -> Agent:
        if registry.is_ours(game, spec.name):
            return registry.made(game, spec)
        with self.calls.noted(LOAD, seat):
            try:
                return registry.made(game, spec)
            except KibitzError:
                raise
            except BaseException as error:
                raise KibitzError(f"{spec.name} cannot be loaded: {error_with_place(error)}") from None

    def noted(self, game: Game, agent: Agent, seat: int) -> Agent:
        """An agent; those of other people are timed. Our own finish, if slowly on a busy machine."""
        kind = {PythonAgent: NotedAgent, CompiledAgent: NotedCompiledAgent}.get(type(agent))
        if kind is None or registry.is_ours(game, agent.source):
            return agent
        shared = {each.name: getattr(agent, each.name) for each in fields(agent)}
        return kind(**shared, calls=self.calls, seat=seat)

    def describe(self, where: Where, game: str, name: str) -> dict[str, Any]:
        """The description of an agent."""
        self.go_to(where)
        agent = self.loaded(registry.game(game), AgentSpec(name), 0)
        weights = agent.own_weights if isinstance(agent, PythonAgent) else None
        return {
            "python": isinstance(agent, PythonAgent), "name": fit(agent.name), "description": agent.description,
            "origin": agent.origin, "title": agent.title, "traits": vars(agent.traits),
            "warning": getattr(agent, "warning", ""),
            "weights": {
                "values": weights.values.tolist(), "names": weights.names, "ranges": weights.ranges,
                "by_players": {players: each.tolist() for players, each in weights.by_players.items()},
            } if weights else None,
        }  # fmt: skip

    # Players of tables in the main program

    def forget_players(self) -> bool:
        """Drop all players; whether nothing of them is left running."""
        with self.calls.noted(SIT, 0):
            self.players.clear()
            gc.collect()
        return threading.active_count() == 1 and not children()

    def sit(self, where: Where, number: int, game: str, spec: AgentSpec, explains: bool, gone: list[int]) -> bool:
        """Seat an agent; whether it observes every move. Players in `gone` are dropped."""
        self.go_to(where)
        with self.calls.noted(SIT, 0):
            for each in gone:
                self.players.pop(each, None)
        which = registry.game(game)
        player = self.players[number] = self.noted(which, self.loaded(which, spec, 0), 0).take_seat(which, explains)
        bot = getattr(player, "bot", None)
        if getattr(bot, "progress", None) is no_progress:
            bot.progress = progress_in(self.calls)  # type: ignore[union-attr]
        return player.remembers

    def copy(self, number: int, copied: int) -> None:
        with self.calls.noted(SIT, 0):
            self.players[copied] = self.players[number].copy()

    def observe(self, number: int, view: bytes) -> None:
        self._called(number, OBSERVE, "observe", view)

    def decide(self, number: int, view: bytes) -> Any:
        """The move, the reason, and what a searching agent expects of the move."""
        move, reason = self._called(number, DECIDE, "decide", view)
        return int(move), reason, getattr(self.players[number], "expects", None)

    def _called(self, number: int, asked: int, method: str, view: bytes) -> Any:
        player = self.players[number]
        call, seen = getattr(player, method), np.frombuffer(bytearray(view), player.game.dtype)[0]  # type: ignore[attr-defined]
        if isinstance(player, PythonPlayer | NotedCompiledPlayer):  # it records its calls, or is ours and has no limit
            return call(seen)
        with self.calls.noted(asked, int(seen["seat"])):
            return call(seen)


def children() -> bool:
    """Whether this process has children, running or not."""
    try:
        os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
    except ChildProcessError:
        return False
    return True
