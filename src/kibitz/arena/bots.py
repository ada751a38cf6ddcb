"""Agents that are somebody else's Python: known here by what they say of themselves, playing in processes of their own.

Their code is not even loaded here. A bot that hangs, at whatever it does, is named, and ends with its process.
"""

import itertools
import weakref
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

from kibitz.arena.bot_process import (
    ANSWER,
    DONE,
    FAILURE,
    LOAD,
    OF,
    PROCESSES,
    SIT,
    BotProcess,
    BotStoppedError,
    Where,
    here,
)
from kibitz.core import generic, registry
from kibitz.core.agent import Agent, Decision, Player, PythonAgent
from kibitz.core.agent_spec import AgentSpec
from kibitz.core.errors import AgentError, KibitzError
from kibitz.core.game import Game
from kibitz.core.text import fit

BOT_SECONDS = 10.0  # that a bot has for a move, if nobody says otherwise; 0 is no limit


def known(game: Game, text: str, seconds: float) -> Agent:
    """An agent by its name or place. One that is a Python class can be asked who it is, and be seated elsewhere."""
    return known_by(game, registry.spec(game.name, text), seconds)


def known_by(game: Game, spec: AgentSpec, seconds: float) -> Agent:
    name = spec.name
    where, named, _ = name.rpartition(":")
    if registry.is_ours(game, name) or not (named or name in registry.agent_entries(game.name)):
        return registry.made(game, spec)
    spec.check_files()
    changed = 0
    if where.endswith(".py"):
        if not Path(where).is_file():
            return registry.agent(game, name)  # which says so
        changed = Path(where).stat().st_mtime_ns
    found = described(here(), game.name, name, changed, seconds)
    if found is None:
        return registry.made(game, spec)
    agent = PythonAgent(**found, create=lambda: loaded(game, name).create(), source=name)
    return agent if spec == AgentSpec(name, digests=spec.digests) else registry.with_spec(agent, spec)


def loaded(game: Game, name: str) -> PythonAgent:
    """The agent itself, in this process."""
    agent = registry.agent(game, name)
    assert isinstance(agent, PythonAgent)
    return agent


@cache
def described(where: Where, game: str, name: str, changed: int, seconds: float) -> dict[str, Any] | None:
    """What an agent says of itself, loaded elsewhere; None if it is compiled. `changed` tells versions apart."""
    with PROCESSES.borrowed() as process:
        process.ask("describe", where, game, name)
        try:
            kind, answer = process.answer(seconds)
        except BotStoppedError as error:
            raise AgentError(f"{fit(name)} {error.happened}.") from None
    if kind == FAILURE:
        raise KibitzError(answer)
    return answer


def stop_text(error: BotStoppedError, game: Game, names: tuple[str, ...]) -> str:
    """Which bot was stopped, where it sat, and why."""
    if error.asked is None:
        return f"The process that played for {', '.join(dict.fromkeys(map(fit, names)))} {error.happened}."
    name = fit(names[error.seat])
    if error.asked == LOAD:
        return f"{name} {error.happened}."
    seat = game.seat_name(error.seat)
    if error.asked == SIT:
        return f"{name} at seat {seat} {error.happened}."
    return f"{name} at seat {seat}, turn {error.turn}, {error.happened}."


# One player at a table of this process


class SharedProcess:
    """The process in which the bots of this program's own tables play."""

    process: ClassVar[BotProcess | None] = None
    numbers: ClassVar[Iterator[int]] = itertools.count()
    gone: ClassVar[list[int]] = []  # numbers of players that nobody needs any more

    @classmethod
    def forget(cls, number: int) -> None:
        cls.gone.append(number)


def seated(game: Game, agent: Agent, seconds: float, explains: bool = True) -> Player:
    """A player of an agent: here if it is compiled, else in another process."""
    if not isinstance(agent, PythonAgent):
        return agent.take_seat(game, explains)
    if SharedProcess.process is None or not SharedProcess.process.alive:
        SharedProcess.process, SharedProcess.gone = PROCESSES.take(), []
    player = BotPlayer(game, agent, seconds, SharedProcess.process)
    spec = registry.described(game, agent) if agent.source else AgentSpec(agent.name)
    gone, SharedProcess.gone = SharedProcess.gone, []
    player.remembers = player.asked("sit", here(), player.number, game.name, spec, explains, gone)
    return player


class BotPlayer:
    """A Python agent in a seat, with the life of any other player."""

    remembers: bool

    def __init__(self, game: Game, agent: PythonAgent, seconds: float, process: BotProcess) -> None:
        self.game, self.agent, self.seconds, self.process = game, agent, seconds, process
        self.number = next(SharedProcess.numbers)
        weakref.finalize(self, SharedProcess.forget, self.number)

    def asked(self, *request: Any, view: Any = None) -> Any:
        self.process.ask(*request)
        try:
            kind, answer = self.process.answer(self.seconds)
        except BotStoppedError as error:
            place = ""
            if view is not None:
                place = f" at seat {self.game.seat_name(int(view['seat']))}, turn {int(generic.turns(view)) + 1},"
            raise AgentError(f"{fit(self.agent.name)}{place} {error.happened}.") from None
        except BaseException:
            self.process.kill()  # interrupted: what it answers later would be taken for an answer to something else
            raise
        if kind != ANSWER:
            raise AgentError(answer)
        return answer

    @property
    def progress(self) -> tuple[int, int]:
        """How far it has come with what it thinks about, of how far; of 0 if it does not tell."""
        return int(self.process.shared[DONE]), int(self.process.shared[OF])

    def observe(self, view: Any) -> None:
        self.asked("observe", self.number, view.tobytes(), view=view)

    def decide(self, view: Any) -> Decision:
        return self.asked("decide", self.number, view.tobytes(), view=view)

    def copy(self) -> "BotPlayer":
        other = BotPlayer(self.game, self.agent, self.seconds, self.process)
        other.remembers = self.remembers
        self.asked("copy", self.number, other.number)
        return other
