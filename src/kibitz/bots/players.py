"""Players for other people's Python agents: described here, but loaded and run in worker processes.

A bot that hangs is reported by name and ends with its process.
"""

import contextlib
import itertools
import logging
import weakref
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from kibitz.bots.pool import PROCESSES, Processes, SharedProcess
from kibitz.bots.process import (
    ANSWER,
    DONE,
    FAILURE,
    LOAD,
    OF,
    SIT,
    UNRESPONSIVE,
    BotProcess,
    BotStoppedError,
    Where,
    here,
)
from kibitz.core import registry
from kibitz.core.agent import Agent, Decision, Player, PythonAgent, Traits
from kibitz.core.agent_spec import AgentSpec
from kibitz.core.bot_instances import new_bot
from kibitz.core.game import Game
from kibitz.core.weights import Weights
from kibitz.engine import generic
from kibitz.engine.expectation import Expectation
from kibitz.errors import AgentError, KibitzError
from kibitz.text import fit

BOT_SECONDS = 10.0  # a bot's default time per move; 0 is no limit
NUMBERS = itertools.count()  # of players


class DescribedWeights(msgspec.Struct):
    values: list[float]
    names: tuple[str, ...]
    ranges: tuple[tuple[float, float], ...]
    by_players: dict[int, list[float]]


class Description(msgspec.Struct):
    """An agent's description, from a worker."""

    python: bool
    name: str
    description: str
    origin: str
    title: str
    traits: dict[str, bool]
    warning: str
    weights: DescribedWeights | None


log = logging.getLogger("kibitz.bots")


def known(game: Game, text: str, seconds: float) -> Agent:
    """An agent by its name or place. A Python class is described here and loaded elsewhere."""
    return known_by(game, registry.spec(game.name, text), seconds)


def known_by(game: Game, spec: AgentSpec, seconds: float, processes: Processes | None = None) -> Agent:
    """An agent by its description. With a server's processes, compiled agents also run elsewhere."""
    name, compiled_here = spec.name, processes is None
    where, named, _ = name.rpartition(":")
    if registry.is_ours(game, name) or not (named or name in registry.agent_entries(game.name)):
        return registry.made(game, spec)
    spec.check_files()
    changed = 0
    if where.endswith(".py"):
        if not Path(where).is_file():
            return registry.agent(game, name)  # reports the missing file
        changed = Path(where).stat().st_mtime_ns
    found = described(here(), game.name, name, changed, seconds, processes or PROCESSES)
    if not found.python and compiled_here:
        return registry.made(game, spec)
    weights = Weights(**msgspec.structs.asdict(found.weights)) if found.weights else Weights()
    agent = PythonAgent(
        name, game.name, found.description, found.origin, Traits(**found.traits),
        weights=weights, own_weights=weights, title=found.title, create=lambda: new_bot(loaded(game, name).create),
        source=name,
    )  # fmt: skip
    return agent if spec == AgentSpec(name, digests=spec.digests) else registry.with_spec(agent, spec)


def loaded(game: Game, name: str) -> PythonAgent:
    """The agent, loaded in this process."""
    agent = registry.agent(game, name)
    assert isinstance(agent, PythonAgent)
    return agent


@cache
def described(where: Where, game: str, name: str, changed: int, seconds: float, processes: Processes) -> Description:
    """An agent's description, from a worker. `changed` distinguishes versions."""
    with processes.borrowed() as process:
        process.ask("describe", where, game, name)
        try:
            kind, answer = process.answer(seconds)
        except BotStoppedError as error:
            raise AgentError(f"{fit(name)} {error.happened}.") from None
    if kind == FAILURE:
        raise KibitzError(answer)
    found = msgspec.convert(answer, Description, strict=False)
    if found.warning:
        log.warning("%s", fit(found.warning))
    return found


def stop_text(error: BotStoppedError, game: Game, names: tuple[str, ...]) -> str:
    """Which bot was stopped, its seat, and why."""
    if error.asked is None:
        return f"The process that played for {', '.join(dict.fromkeys(map(fit, names)))} {error.happened}."
    name = fit(names[error.seat])
    if error.asked == LOAD:
        return f"{name} {error.happened}."
    seat = game.seat_name(error.seat)
    if error.asked == SIT:
        return f"{name} at seat {seat} {error.happened}."
    return f"{name} at seat {seat}, turn {error.turn}, {error.happened}."


def plays_elsewhere(game: Game, agent: Agent) -> bool:
    """Whether an agent is untrusted: other people's Python, or loaded from a file."""
    return isinstance(agent, PythonAgent) and not registry.is_ours(game, agent.source)


OUR_TABLES = SharedProcess(PROCESSES)  # for this program's own tables


def seat_player(
    game: Game, agent: Agent, seconds: float, explains: bool = True, shared: SharedProcess = OUR_TABLES
) -> Player:
    """A player of an agent: in this process if it is compiled, otherwise in a worker."""
    if not isinstance(agent, PythonAgent):
        return agent.take_seat(game, explains)
    return BotPlayer(game, agent, seconds, explains, shared)


class GoneError(AgentError):
    """A player lost its process, which was needed elsewhere or ended with another bot; seat it again."""


class BotPlayer:
    """A Python agent in a seat, in a worker process."""

    remembers: bool
    expects: Expectation | None = None  # of its last move, if it reports it

    def __init__(
        self, game: Game, agent: PythonAgent, seconds: float, explains: bool, shared: SharedProcess,
        original: "BotPlayer | None" = None,
    ) -> None:  # fmt: skip
        self.game, self.agent, self.seconds, self.explains, self.shared = game, agent, seconds, explains, shared
        self.number = next(NUMBERS)
        self.spent = 0.0  # seconds used for its next move
        self.idle = UNRESPONSIVE if plays_elsewhere(game, agent) else float("inf")  # our own have no limit
        self.said = ""  # what it printed during its last call, where that is captured
        weakref.finalize(self, shared.forget, self.number)
        with self.held() as self.process:
            self.stay: int = self.shared.stay if original is None else original.stay
            if original is None:
                spec = registry.described(game, agent) if agent.source else AgentSpec(agent.name)
                gone, shared.gone = shared.gone, []
                self.remembers = self._asked("sit", here(), self.number, game.name, spec, explains, gone)
            else:
                original._asked("copy", original.number, self.number)
                self.remembers = original.remembers

    @contextlib.contextmanager
    def held(self) -> Iterator[BotProcess]:
        """Hold the process for several requests."""
        with self.shared.held() as process:
            try:
                yield process
            finally:
                self.said = process.last_words()

    def _asked(self, *request: Any, view: Any = None) -> Any:
        with self.held() as process:
            if self.stay != self.shared.stay:
                raise GoneError(f"{fit(self.agent.name)} lost its process.")
            process.ask(*request)
            try:
                kind, answer = process.answer(self.seconds, self.idle, self.spent)
            except BotStoppedError as error:
                place = ""
                if view is not None:
                    place = f" at seat {self.game.seat_name(int(view['seat']))}, turn {int(generic.turns(view)) + 1},"
                error.args = (f"{fit(self.agent.name)}{place} {error.happened}.",)
                raise
            self.spent += process.took if view is not None else 0.0
        if kind != ANSWER:
            raise AgentError(str(answer))
        return answer

    @property
    def progress(self) -> tuple[int, int]:
        """Its reported progress: work done and the total, which is 0 if it reports nothing."""
        return int(self.process.shared[DONE]), int(self.process.shared[OF])

    def observe(self, view: Any) -> None:
        self._asked("observe", self.number, view.tobytes(), view=view)

    def decide(self, view: Any) -> Decision:
        answer = self._asked("decide", self.number, view.tobytes(), view=view)
        self.spent = 0.0
        move, reason, expects = msgspec.convert(answer, tuple[int, str, Expectation | None])
        self.expects = expects
        return Decision(move, reason)

    def copy(self) -> "BotPlayer":
        return BotPlayer(self.game, self.agent, self.seconds, self.explains, self.shared, self)
