"""Agents: who they are, and the one life they all lead at a table.

A compiled agent, a Python class, a program over the network and a person take a seat, see what
happens, and decide from a view. A decision is a move and the reason for it.
"""

import copy
import threading
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from inspect import getdoc
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numba import from_dtype, types

from kibitz.core import generic
from kibitz.core.compile import compiled
from kibitz.core.errors import AgentError, KibitzError
from kibitz.core.game import Game
from kibitz.core.loop import MEMORY, WEIGHTS, Memory, Seats, Weights, about_of, move_of, reason_of
from kibitz.core.text import error_text, fit, text_of


class Decision(NamedTuple):
    """A move, as its number, and why."""

    move: int
    reason: str = ""


@dataclass(frozen=True)
class Traits:
    cheats: bool = False  # sees its own hidden cards
    random: bool = False  # the same view can lead to different moves
    remembers: bool = False  # needs to see every move, not only the table as it is
    searches: bool = False  # looks ahead, for as long as its budget says

    def __str__(self) -> str:
        return ", ".join(name for name in NAMED_TRAITS if getattr(self, name)) or "—"


NAMED_TRAITS = ("cheats", "random", "remembers", "searches")


class Budget(NamedTuple):
    """How long a searching agent looks ahead at each move: so many iterations, or so many milliseconds.

    Only iterations give the same moves everywhere. With milliseconds, how far it looks depends on the machine.
    """

    iterations: int = 0
    milliseconds: int = 0


class Player(Protocol):
    """Somebody in a seat for the length of a game. Views are structs of the game's state type."""

    @property
    def agent(self) -> "Agent": ...

    @property
    def remembers(self) -> bool:
        """Whether it wants to observe; who does not is not shown what happens between its turns."""
        ...

    def observe(self, view: Any) -> None:
        """See the table at the start and after every move."""

    def decide(self, view: Any) -> Decision: ...

    def copy(self) -> Self:
        """The same player with the same memories, whose future is its own."""


@dataclass(frozen=True)
class Agent:
    """An entry of the registry."""

    name: str
    game: str
    description: str
    origin: str
    traits: Traits

    @property
    def summary(self) -> str:
        return self.description.split("\n\n")[0].replace("\n", " ")

    def take_seat(self, game: Game, explains: bool = True) -> Player:
        """A player of this agent for one game; putting its reasons into words takes time, and can be left out."""
        raise NotImplementedError


class Functions(NamedTuple):
    """A compiled agent's two functions, as values that can sit at a table."""

    decide: Any
    observe: Any


def see_nothing(view: Any, memory: Memory, weights: Weights) -> None:
    """What an agent without memories does with what it sees."""


def decide_nothing(view: Any, memory: Memory, weights: Weights) -> int:
    """What sits in the loop's place for somebody who is not compiled."""
    return -1


FUNCTIONS: dict[tuple[Any, Any], Any] = {}


def function_value(function: Callable[..., Any], returns: Any, dtype: np.dtype[Any]) -> Any:
    """The function compiled for a game's tables, once."""
    if (function, dtype) not in FUNCTIONS:
        signature = returns(*(from_dtype(struct) for struct in (dtype, MEMORY, WEIGHTS)))
        FUNCTIONS[function, dtype] = compiled(function, signature)
    return FUNCTIONS[function, dtype]


def functions_of(decide: Callable[..., int], observe: Callable[..., None], game: Game) -> Functions:
    return Functions(function_value(decide, types.int64, game.dtype), function_value(observe, types.void, game.dtype))


def nobody(game: Game) -> Functions:
    return functions_of(decide_nothing, see_nothing, game)


@dataclass(frozen=True)
class CompiledAgent(Agent):
    """An agent written as functions over structs, compiled when it first takes a seat."""

    decide: Callable[[Any, Memory, Weights], int]
    observe: Callable[[Any, Memory, Weights], None]
    reasons: tuple[str, ...]  # a reason beyond the last is the last
    weights: tuple[float, ...] = ()  # an agent that searches finds its budget in the first two

    def functions(self, game: Game) -> Functions:
        return functions_of(self.decide, self.observe, game)

    def with_weights(self, weights: tuple[float, ...]) -> "CompiledAgent":
        return replace(self, weights=weights)

    def with_budget(self, budget: Budget) -> "CompiledAgent":
        """The same agent on another budget; one that does not search has none."""
        if not self.traits.searches:
            return self
        return self.with_weights((*map(float, budget), *self.weights[len(budget) :]))

    def take_seat(self, game: Game, explains: bool = True) -> "CompiledPlayer":
        return CompiledPlayer(self, game, explains)


def agent_of(
    game: str,
    decide: Callable[[Any, Memory, Weights], int],
    reasons: tuple[str, ...],
    origin: str,
    traits: Traits,
    observe: Callable[[Any, Memory, Weights], None] = see_nothing,
    weights: tuple[float, ...] = (),
    name: str = "",
) -> CompiledAgent:
    """The agent that a function is: its docstring is the description, its name the agent's if no other is given."""
    return CompiledAgent(
        name=name or decide.__name__,
        game=game,
        description=getdoc(decide) or "",
        origin=origin,
        traits=traits,
        decide=decide,
        observe=observe,
        reasons=reasons,
        weights=weights,
    )


@dataclass
class CompiledPlayer:
    """A compiled agent in a seat."""

    agent: CompiledAgent
    game: Game
    explains: bool

    def __post_init__(self) -> None:
        self.memory = np.zeros(1, MEMORY)
        self.weights = weights_structs((self.agent.weights,))
        self.functions = self.agent.functions(self.game)

    @property
    def remembers(self) -> bool:
        return self.agent.traits.remembers

    def observe(self, view: Any) -> None:
        self.functions.observe(view, self.memory[0], self.weights[0])

    def decide(self, view: Any) -> Decision:
        return self.explained(self.functions.decide(view, self.memory[0], self.weights[0]), view)

    def explained(self, packed: int, view: Any) -> Decision:
        if not self.explains:
            return Decision(int(move_of(packed)))
        reason = self.agent.reasons[min(reason_of(packed), len(self.agent.reasons) - 1)]
        return Decision(int(move_of(packed)), self.game.explain(reason, int(about_of(packed)), view))

    def copy(self) -> "CompiledPlayer":
        other = copy.copy(self)
        other.memory = self.memory.copy()
        return other


@cache
def weights_structs(weights: tuple[tuple[float, ...], ...]) -> Any:
    structs = np.zeros(len(weights), WEIGHTS)
    for struct, values in zip(structs, weights, strict=True):
        struct["values"][: len(values)] = values
    return structs


def seats_of(game: Game, agents: Sequence[Agent]) -> Seats:
    """The agents of a table as the compiled loop takes them; those that are not compiled are elsewhere."""
    compiled_agents = [agent if isinstance(agent, CompiledAgent) else None for agent in agents]
    padded = compiled_agents + [None] * (game.most_seats - len(agents))
    functions = [agent.functions(game) if agent else nobody(game) for agent in padded]

    def mask(trait: str) -> int:
        return sum(1 << seat for seat, agent in enumerate(compiled_agents) if agent and getattr(agent.traits, trait))

    return Seats(
        decide=tuple(each.decide for each in functions),
        observe=tuple(each.observe for each in functions),
        weights=weights_structs(tuple(agent.weights if agent else () for agent in padded)),
        remembers=mask("remembers"),
        cheats=mask("cheats"),
        elsewhere=sum(1 << seat for seat, agent in enumerate(compiled_agents) if agent is None),
    )


# Whatever ends a program, too: a bot that calls sys.exit() fails, and its table is told. Other BaseExceptions are how
# a thread is stopped from outside, and go on.
FAILURES = (Exception, SystemExit, KeyboardInterrupt, GeneratorExit)


def error_with_place(error: BaseException) -> str:
    """An exception in one line, with the place in the agent's own file."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({fit(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    return f"{error_text(error)}{place}"


def interrupted(error: BaseException) -> bool:
    """Whether a person pressed Ctrl-C: signals arrive in the main thread."""
    return isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()


class AnswerError(AgentError):
    """What a Python agent answered is no move."""


@dataclass(frozen=True)
class PythonAgent(Agent):
    """An agent that is a Python class: one instance is made for each seat and game."""

    create: Callable[[], Any]

    def take_seat(self, game: Game, explains: bool = True) -> "PythonPlayer":
        try:
            return PythonPlayer(self, game, self.create())
        except FAILURES as error:
            if interrupted(error):
                raise
            raise AgentError(f"{fit(self.name)} could not take a seat: {error_with_place(error)}") from error


@dataclass
class PythonPlayer:
    """A Python agent in a seat: whatever goes wrong in it is told as the agent's own failure."""

    agent: PythonAgent
    game: Game
    bot: Any

    def __post_init__(self) -> None:
        self.remembers = hasattr(self.bot, "observe")

    def observe(self, view: Any) -> None:
        self._guard("observing", self._observe, view)

    def decide(self, view: Any) -> Decision:
        return self._guard("deciding", self._decide, view)

    def _observe(self, view: Any) -> None:
        self.bot.observe(self.game.view(view))

    def _decide(self, view: Any) -> Decision:
        answer = self.bot.decide(self.game.view(view))
        move, reason = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, "")
        try:
            return Decision(self.game.move(move, view), text_of(reason) if reason else "")
        except KibitzError as error:
            raise AnswerError(f"{self._where(view)} answered {text_of(answer, repr)}. {fit(str(error))}") from None

    def _guard(self, doing: str, call: Callable[[Any], Any], view: Any) -> Any:
        try:
            return call(view)
        except FAILURES as error:
            if interrupted(error) or isinstance(error, AnswerError):
                raise
            raise AgentError(f"{self._where(view)} failed while {doing}: {error_with_place(error)}") from error

    def _where(self, view: Any) -> str:
        seat = self.game.seat_name(int(view["seat"]))
        return f"{fit(self.agent.name)} at seat {seat}, turn {generic.turns(view) + 1},"

    def copy(self) -> "PythonPlayer":
        return PythonPlayer(self.agent, self.game, copy.deepcopy(self.bot))
