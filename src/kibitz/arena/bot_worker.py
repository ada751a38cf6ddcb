"""What runs in a process of its own: somebody else's Python, called by requests from `bot_process`.

Every call of a bot is noted in shared memory before it is made and after it came back, so that whoever waits outside
knows which bot hangs, and since when.
"""

import contextlib
import importlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from multiprocessing import parent_process
from multiprocessing.connection import Connection, wait
from typing import Any, NoReturn

import numpy as np

from kibitz.arena.bot_process import (
    ANSWER,
    ASKED,
    CALLS,
    COMPILING,
    DECIDE,
    DONE,
    FAILURE,
    GAME,
    LOAD,
    OBSERVE,
    OF,
    SEAT,
    SIT,
    TURN,
    Where,
)
from kibitz.arena.match import Match, play_in_python
from kibitz.arena.rotation import rotated
from kibitz.core import registry
from kibitz.core.agent import (
    Agent,
    AnswerError,
    Progress,
    PythonAgent,
    PythonPlayer,
    error_with_place,
    no_progress,
)
from kibitz.core.agent_spec import AgentSpec
from kibitz.core.compile import Listener, listen
from kibitz.core.errors import AgentError, KibitzError
from kibitz.core.game import Game


class Calls:
    """Notes in shared memory of the call that a bot is in."""

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
    """Notes while something is compiled, which is not a bot's fault."""

    def __init__(self, shared: Any) -> None:
        self.shared, self.lock = shared, threading.Lock()

    def on_start(self, event: Any) -> None:
        with self.lock:
            self.shared[COMPILING] += 1

    def on_end(self, event: Any) -> None:
        with self.lock:
            self.shared[COMPILING] -= 1


@dataclass(frozen=True)
class NotedAgent(PythonAgent):
    """A Python agent whose calls are noted."""

    calls: Calls
    seat: int

    def take_seat(self, game: Game, explains: bool = True) -> "NotedPlayer":
        with self.calls.noted(SIT, self.seat):
            try:
                player = super().take_seat(game, explains)
            except AgentError:
                raise
            except BaseException as error:
                raise AgentError(f"{self.name} could not take a seat: {error_with_place(error)}") from None
        return NotedPlayer(self, game, player.bot)


class NotedPlayer(PythonPlayer):
    agent: NotedAgent

    def _guard(self, doing: str, call: Callable[[Any], Any], view: Any) -> Any:
        shared = self.agent.calls.shared  # written here and now: this is done for every move of every game
        shared[ASKED], shared[SEAT] = DECIDE if doing == "deciding" else OBSERVE, self.agent.seat
        shared[CALLS] += 1
        try:
            return call(view)
        except AnswerError:
            raise
        except BaseException as error:  # nobody but the bot itself raises here: no signal is listened to
            raise AgentError(f"{self._where(view)} failed while {doing}: {error_with_place(error)}") from None
        finally:
            shared[CALLS] += 1

    def copy(self) -> "NotedPlayer":
        return NotedPlayer(self.agent, self.game, super().copy().bot)


def work(pipe: Connection, shared: Any) -> None:
    """The life of a worker: answer requests until nobody is there to make any."""
    leave_the_terminal()
    threading.Thread(target=end_with_the_parent, daemon=True).start()
    for kind in ("numba:compiler_lock", "numba:llvm_lock"):
        listen(kind, CompileTime(shared))
    worker = Worker(pipe, shared)
    while True:
        try:
            kind, *details = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            answer = (ANSWER, getattr(worker, kind)(*details))
        except KibitzError as error:
            answer = (FAILURE, str(error))
        try:
            pipe.send(answer)
        except OSError:
            return


def leave_the_terminal() -> None:
    """Ctrl-C is for the program that started this one. What bots print goes where errors go: results stay clean."""
    if hasattr(os, "setsid"):
        with contextlib.suppress(OSError):
            os.setsid()
    for each in (signal.SIGINT, signal.SIGTERM):
        signal.signal(each, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    with contextlib.suppress(OSError):
        os.dup2(2, 1)
    if sys.stderr is not None:
        with contextlib.suppress(AttributeError, ValueError):
            sys.stderr.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
        sys.stdout = sys.stderr


def end_with_the_parent() -> NoReturn:
    """Wait until the program that started this one is gone, even if it was killed; what bots started goes as well."""
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel])
    if hasattr(os, "killpg") and os.getpgid(0) == os.getpid():
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def progress_in(shared: Any) -> Progress:
    """Let a bot note in shared memory how far it has come."""

    def noted(done: int, of: int) -> None:
        shared[DONE], shared[OF] = done, of

    return noted


class Worker:
    """The requests, a method each. What a method returns or raises is sent back."""

    def __init__(self, pipe: Connection, shared: Any) -> None:
        self.pipe, self.shared, self.calls = pipe, shared, Calls(shared)
        self.run = -1  # the last one, whose agents are loaded
        self.agents: tuple[Agent, ...] = ()
        self.players: dict[int, PythonPlayer] = {}  # by a number that the other side gave

    def _go_to(self, where: Where) -> None:
        """Look for agents where the other side does."""
        if os.getcwd() != where.folder:  # noqa: PTH109
            os.chdir(where.folder)
        if tuple(sys.path) != where.path:
            sys.path[:] = where.path
            importlib.invalidate_caches()
            for remembered in (registry.game_entries, registry.agent_entries, registry.game):
                remembered.cache_clear()

    def _loaded(self, game: Game, spec: AgentSpec, seat: int) -> Agent:
        if registry.is_ours(game, spec.name):
            return registry.made(game, spec)
        with self.calls.noted(LOAD, seat):
            try:
                return registry.made(game, spec)
            except KibitzError:
                raise
            except BaseException as error:
                raise KibitzError(f"{spec.name} cannot be loaded: {error_with_place(error)}") from None

    def _noted(self, game: Game, agent: Agent, seat: int) -> Agent:
        """An agent whose calls are timed, if it is somebody else's Python. Ours ends, if slowly on a busy machine."""
        if not isinstance(agent, PythonAgent) or registry.is_ours(game, agent.source):
            return agent
        shared = {each.name: getattr(agent, each.name) for each in fields(agent)}
        return NotedAgent(**shared, calls=self.calls, seat=seat)

    def describe(self, where: Where, game: str, name: str) -> dict[str, Any] | None:
        """What is to be known of an agent that is a Python class; None for one that is compiled."""
        self._go_to(where)
        agent = self._loaded(registry.game(game), AgentSpec(name), 0)
        if not isinstance(agent, PythonAgent):
            return None
        told = ("name", "game", "description", "origin", "traits", "title", "weights", "own_weights")
        return {name: getattr(agent, name) for name in told}

    def play(self, where: Where, run: int, match: Match, rotation: int, deals: Sequence[int]) -> str:
        """Play some deals, and tell of each game as soon as it is over; at the end, why the next one failed if so.

        Agents are loaded anew for every run, as their files may have changed since the last.
        """
        self._go_to(where)
        if run != self.run:
            loaded = [self._loaded(match.game, spec, seat) for seat, spec in enumerate(match.specs)]
            self.run, self.agents = run, match.with_budgets(loaded)

        def turn_begins(number: int) -> None:
            self.shared[TURN] = number

        def game_over(row: Any, record: bytes) -> None:
            self.pipe.send((GAME, row.tobytes(), record))

        seated = [self._noted(match.game, agent, seat) for seat, agent in enumerate(rotated(self.agents, rotation))]
        return play_in_python(match, seated, rotation, deals, game_over, turn_begins)

    # A single player, at a table that is elsewhere

    def sit(self, where: Where, number: int, game: str, spec: AgentSpec, explains: bool, gone: list[int]) -> bool:
        """Seat a Python agent; whether it wants to see every move. Those that are gone from their tables may go."""
        self._go_to(where)
        for each in gone:
            self.players.pop(each, None)
        which = registry.game(game)
        agent = self._noted(which, self._loaded(which, spec, 0), 0)
        assert isinstance(agent, PythonAgent)
        player = self.players[number] = agent.take_seat(which, explains)
        if getattr(player.bot, "progress", None) is no_progress:
            player.bot.progress = progress_in(self.shared)
        return player.remembers

    def copy(self, number: int, copied: int) -> None:
        with self.calls.noted(SIT, 0):
            self.players[copied] = self.players[number].copy()

    def observe(self, number: int, view: bytes) -> None:
        self.players[number].observe(self._view(number, view))

    def decide(self, number: int, view: bytes) -> Any:
        return self.players[number].decide(self._view(number, view))

    def _view(self, number: int, view: bytes) -> Any:
        return np.frombuffer(bytearray(view), self.players[number].game.dtype)[0]
