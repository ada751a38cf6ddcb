"""Agents and players: what an agent declares, and how a player takes part in a game.

Compiled agents, Python classes, programs on the network and people all take a seat, observe, and decide from a view. A
decision is a move and its reason.
"""

import copy
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import getdoc
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numba import from_dtype, types

from kibitz.core.game import Game
from kibitz.core.weights import Weights, as_weights
from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.expectation import ESTIMATED, EXPECTED, Expectation, MoveEstimate, expectation, move_estimates
from kibitz.engine.loop import ONLOOKER, SEEN, WORLD, about_of, move_of, reason_of
from kibitz.engine.seat import (
    GUARD,
    SEAT,
    WORD,
    Budget,
    Seats,
    address_of,
    first_watchers,
    masks,
    structs_at,
    take_room,
    with_common_signature,
    words_of,
)
from kibitz.errors import AgentError, KibitzError
from kibitz.text import error_text, fit, text_of


class Decision(NamedTuple):
    """A move, as its number, and the reason for it."""

    move: int
    reason: str = ""


@dataclass(frozen=True)
class Traits:
    cheats: bool = False  # sees its own hidden cards
    random: bool = False  # the same view can lead to different moves
    remembers: bool = False  # must observe every move, not only the current view
    searches: bool = False  # searches within a budget

    def __str__(self) -> str:
        return ", ".join(name for name in NAMED_TRAITS if getattr(self, name)) or "—"


NAMED_TRAITS = ("cheats", "random", "remembers", "searches")


class Player(Protocol):
    """A player in a seat for one game. Views are structs of the game's state type."""

    @property
    def agent(self) -> "Agent": ...

    @property
    def remembers(self) -> bool:
        """Whether it observes what happens between its turns."""
        ...

    def observe(self, view: Any) -> None:
        """See the table at the start and after every move."""

    def decide(self, view: Any) -> Decision: ...

    def copy(self) -> Self:
        """An independent copy with the same memory."""


@dataclass(frozen=True)
class Agent:
    """An entry of the registry."""

    name: str
    game: str
    description: str
    origin: str
    traits: Traits
    title: str = field(default="", kw_only=True)  # its name for people; by default made from `name`
    source: str = field(default="", kw_only=True, compare=False)  # the text by which the registry finds it

    @property
    def summary(self) -> str:
        return self.description.split("\n\n")[0].replace("\n", " ")

    def take_seat(self, game: Game, explains: bool = True) -> Player:
        """A player of this agent for one game. Without explanations it decides faster."""
        raise NotImplementedError


Decide = Callable[..., int]  # from a view, and arguments by name (see `seat.ARGUMENTS`), to a decision
Observe = Callable[..., None]
Estimate = Callable[..., float]
# From the view of the player, the view of the reader, the reason's subject, and the structs `public` and `memory`, to
# the texts that replace {names} in a reason.
Tells = Callable[[Any, Any, int, Any, Any], Mapping[str, str]]
Dtype = np.dtype[Any]
FUNCTIONS: dict[tuple[Any, ...], Any] = {}


def common_function(
    function: Callable[..., Any], returns: Any, game: Game, memory: Dtype | None, public: Dtype | None
) -> Any:
    """An agent's function for a game, with the common signature `(view, seat)`, compiled once."""
    key = function, game.dtype, memory, public
    if key not in FUNCTIONS:
        signature = returns(*(from_dtype(dtype) for dtype in (game.dtype, SEAT)))
        FUNCTIONS[key] = compiled(with_common_signature(function, memory, public), signature)
    return FUNCTIONS[key]


class Functions(NamedTuple):
    """A compiled agent's functions with the common signature, or None."""

    decide: Any
    observe: Any
    watch: Any
    truthful_moves: Any
    infer: Any
    estimate: Any


@dataclass(frozen=True)
class CompiledAgent(Agent):
    """An agent written as functions on structs, compiled when it first takes a seat.

    Each function takes the view and, by name, any of `memory`, `public`, `weights`, `budget` and `models`. What an
    agent does not declare costs neither memory nor time.
    """

    decide: Decide
    reasons: tuple[str, ...]  # indices beyond the last mean the last
    observe: Observe | None = None  # gets the seat's view at the start and after every move, to update its memory
    watch: Observe | None = None  # gets an onlooker's view likewise, to update public knowledge
    truthful_moves: Decide | None = None  # a mask of the legal moves that are truthful by its conventions
    infer: Observe | None = None  # narrows what a view leaves open, by the conventional meaning of moves, see `search`
    estimate: Estimate | None = None  # estimates the payoff, equal for all, of a state in which it plays all seats
    memory: Dtype | None = None  # the struct type of what a seat remembers; zeros at the start of a game
    public: Dtype | None = None  # the struct type of public knowledge, shared by seats with the same function `watch`
    weights: Weights = Weights()  # noqa: RUF009 (they are immutable)
    budget: Budget | None = None  # only for agents that search
    models: tuple["CompiledAgent", ...] = ()  # agents to simulate
    reason_variables: Tells | None = None  # texts for the {names} in its reasons
    needs: tuple[str, ...] = ()  # generic functions that a game must implement for this agent
    check: Callable[["CompiledAgent"], None] | None = None  # raises a KibitzError if its models do not suit it

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", as_weights(self.weights))

    def functions(self, game: Game) -> Functions:
        self.check_fits(game)
        given = game, self.memory, self.public
        return Functions(
            common_function(self.decide, types.int64, *given),
            common_function(self.observe, types.void, *given) if self.observe else None,
            common_function(self.watch, types.void, game, None, self.public) if self.watch else None,
            common_function(self.truthful_moves, types.int64, *given) if self.truthful_moves else None,
            common_function(self.infer, types.void, *given) if self.infer else None,
            common_function(self.estimate, types.float64, *given) if self.estimate else None,
        )

    def check_fits(self, game: Game) -> None:
        if missing := generic.missing(game.dtype, self.needs):
            raise KibitzError(
                f"{self.name} cannot play {game.title}: this game does not implement {', '.join(missing)}."
            )
        if self.check is not None:
            self.check(self)

    def with_weights(self, weights: Any) -> "CompiledAgent":
        """The same agent with other weights: all of them as a sequence, or some by name."""
        return replace(self, weights=weights if isinstance(weights, Weights) else self.weights.but(weights))

    def with_budget(self, budget: Budget) -> "CompiledAgent":
        """The same agent with another budget, unless it does not search, or the budget is a depth and it has none."""
        unfit = budget.depth > 0 and budget == Budget(depth=budget.depth) and not self.counts_plies
        return replace(self, budget=budget) if self.traits.searches and not unfit else self

    @property
    def counts_plies(self) -> bool:
        """Whether its budget can be a depth."""
        return self.budget is not None and self.budget.depth > 0

    def with_models(self, models: Sequence["CompiledAgent"]) -> "CompiledAgent":
        """The same agent with other models."""
        return replace(self, models=tuple(models))

    def take_seat(self, game: Game, explains: bool = True) -> "CompiledPlayer":
        return CompiledPlayer(self, game, explains)


def agent_of(
    game: str,
    decide: Decide,
    reasons: tuple[str, ...],
    origin: str,
    traits: Traits,
    name: str = "",
    **parts: Any,
) -> CompiledAgent:
    """Make an agent from a function; its docstring is the description, and its name the default name.

    `parts` are fields of `CompiledAgent`.
    """
    remembers = bool(parts.get("observe") or parts.get("watch"))
    return CompiledAgent(
        name=name or decide.__name__,
        game=game,
        description=getdoc(decide) or "",
        origin=origin,
        traits=replace(traits, remembers=traits.remembers or remembers),
        decide=decide,
        reasons=reasons,
        **parts,
    )


def words(dtype: Dtype | None) -> int:
    return -(-dtype.itemsize // WORD) if dtype is not None else 0


def agents_and_models(agents: Sequence[CompiledAgent | None]) -> list[CompiledAgent | None]:
    """The agents of a table, followed by their models, the models of those, and so on."""
    listed = list(agents)
    for agent in listed:  # it grows in the loop
        listed += agent.models if agent is not None else ()
    return listed


def structs_of(game: Game, agents: Sequence[CompiledAgent | None], players: int) -> tuple[Any, Any]:
    """The structs of agents and their models, and all their weights; equal agents share weights."""
    listed = agents_and_models(agents)
    structs = np.zeros(len(listed), SEAT)
    vectors = {id(agent.weights): agent.weights.for_players(players) for agent in listed if agent is not None}
    weights = np.concatenate([np.zeros(1), *vectors.values()])
    starts = dict(zip(vectors, np.cumsum([1, *map(len, vectors.values())]).tolist(), strict=False))
    behind = len(agents)
    for struct, agent in zip(structs, listed, strict=True):
        if agent is None:
            continue
        functions, budget = agent.functions(game), agent.budget or Budget()
        for name in Functions._fields:
            function = getattr(functions, name)
            struct[name] = address_of(function) if function is not None else 0
        struct["memory_words"], struct["public_words"] = words(agent.memory), words(agent.public)
        struct["weights"] = weights.ctypes.data + WORD * starts[id(agent.weights)]
        struct["weight_count"] = len(agent.weights)
        struct["models"], struct["model_count"] = structs.ctypes.data + SEAT.itemsize * behind, len(agent.models)
        struct["iterations"], struct["milliseconds"], struct["depth"] = budget
        struct["cheats"], struct["random"] = agent.traits.cheats, agent.traits.random
        behind += len(agent.models)
    return structs, weights


def seats_of(game: Game, agents: Sequence[Agent], players: int = 0) -> Seats:
    """The agents of a table in the form of the compiled loop; Python agents are external."""
    present = [agent if isinstance(agent, CompiledAgent) else None for agent in agents]
    structs, weights = structs_of(game, present, players or len(agents))
    seats = structs[: len(agents)]
    room = np.zeros(words_of(seats), np.int64)
    watches = first_watchers(seats)
    take_room(seats, watches, room.ctypes.data)
    remembers, cheats, elsewhere = masks(seats)
    return Seats(seats, room, weights, structs, remembers, watches, cheats, elsewhere)


def check_memories(agents: Sequence[Agent], seats: Seats) -> None:
    """Raise an error that names an agent which wrote past the end of its struct."""
    for seat, agent in zip(seats.seats, agents, strict=False):
        for what in ("memory", "public"):
            if seat[what] and seat[f"{what}_words"]:
                end = (int(seat[what]) - seats.room.ctypes.data) // WORD + int(seat[f"{what}_words"])
                if seats.room[end : end + GUARD].any():
                    raise AgentError(
                        f"{agent.name} wrote past the end of its {what}: declare a larger struct, or look for an "
                        f"index out of range."
                    )


@dataclass
class CompiledPlayer:
    """A compiled agent in a seat."""

    agent: CompiledAgent
    game: Game
    explains: bool

    def __post_init__(self) -> None:
        self.functions = self.agent.functions(self.game)
        for model in agents_and_models(self.agent.models):  # compiled now, not before the first move
            assert model is not None
            model.functions(self.game)
        self.seats: dict[int, Seats] = {}  # by number of players, which is unknown before the first view
        self.pair = np.zeros(2, self.game.dtype) if self.functions.watch is not None else None

    @property
    def remembers(self) -> bool:
        return self.agent.traits.remembers

    def _seat(self, view: Any) -> Any:
        players = int(view["players"])
        if players not in self.seats:
            self.seats[players] = seats_of(self.game, [self.agent], players)
        return self.seats[players].seats[0]

    def observe(self, view: Any) -> None:
        seat = self._seat(view)
        if self.pair is not None:  # every view contains what an onlooker sees
            self.pair[WORLD] = view
            generic.observe(self.pair, ONLOOKER, False)
            self.functions.watch(self.pair[SEEN], seat)
        if self.functions.observe is not None:
            self.functions.observe(view, seat)

    def decide(self, view: Any) -> Decision:
        return self.explained(self.packed(view), view)

    def packed(self, view: Any) -> int:
        """The decision as one number, which `kibitz.engine.loop` unpacks."""
        return int(self.functions.decide(view, self._seat(view)))

    def hurry(self, milliseconds: int, view: Any) -> None:
        """Limit the time of its next search, whatever its own budget is."""
        if self.agent.traits.searches:
            own = self.agent.budget.milliseconds if self.agent.budget else 0
            self._seat(view)["milliseconds"] = max(min(milliseconds, own or milliseconds), 1)

    def explained(self, packed: int, view: Any) -> Decision:
        if not self.explains:
            return Decision(int(move_of(packed)))
        reason = self.game.explain(self.worded(packed, view, view), int(about_of(packed)), view)
        return Decision(int(move_of(packed)), reason)

    def decide_for(self, view: Any, reader: Any) -> Decision:
        """Like `decide`, with the reason worded for another viewer, whose view of the same table is `reader`."""
        packed = self.packed(view)
        reason = self.game.explain_to(self.worded(packed, view, reader), int(about_of(packed)), view, reader)
        return Decision(int(move_of(packed)), reason)

    def reason(self, packed: int) -> str:
        """The template of a decision's reason."""
        return self.agent.reasons[min(reason_of(packed), len(self.agent.reasons) - 1)]

    def worded(self, packed: int, view: Any, reader: Any) -> str:
        """The reason with the agent's own texts in place of {names}."""
        reason = self.reason(packed)
        if self.agent.reason_variables is None:
            return reason
        known = [self.known(what) if getattr(self.agent, what) is not None else None for what in ("public", "memory")]
        for word, text in self.agent.reason_variables(view, reader, int(about_of(packed)), *known).items():
            reason = reason.replace(f"{{{word}}}", text)
        return reason

    @property
    def expects(self) -> Expectation | None:
        """What it expects of the move it decided on last, if it searches and its memory says so."""
        return expectation(self.known("memory")) if self.seats and self._remembers(EXPECTED) else None

    @property
    def estimates(self) -> list[MoveEstimate]:
        """What its last search found about the moves, the best first; empty if its memory does not say so."""
        return move_estimates(self.known("memory")) if self.seats and self._remembers(ESTIMATED) else []

    def _remembers(self, fields: Sequence[tuple[Any, ...]]) -> bool:
        memory = self.agent.memory
        return memory is not None and {field[0] for field in fields} <= set(memory.names or ())

    def known(self, what: str) -> Any:
        """A copy of its struct `memory` or `public`."""
        [seats] = self.seats.values()
        return structs_at(getattr(self.agent, what), seats.seats[0][what], 1)[0].copy()

    def copy(self) -> "CompiledPlayer":
        other = CompiledPlayer(self.agent, self.game, self.explains)
        for players, seats in self.seats.items():
            other.seats[players] = seats_of(self.game, [self.agent], players)
            other.seats[players].room[:] = seats.room
        return other


# Includes SystemExit: a bot that calls sys.exit() fails, and its table is notified. Other BaseExceptions stop a thread
# from outside and must propagate.
FAILURES = (Exception, SystemExit, KeyboardInterrupt, GeneratorExit)


def error_with_place(error: BaseException) -> str:
    """An exception in one line, with the place in the agent's file."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({fit(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    return f"{error_text(error)}{place}"


def interrupted(error: BaseException) -> bool:
    """Whether a person pressed Ctrl-C: signals arrive in the main thread."""
    return isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()


class AnswerError(AgentError):
    """A Python agent's answer is not a legal move."""


Progress = Callable[[int, int], None]  # called with the work done and the total, which is 0 when a decision is made


def no_progress(done: int, of: int) -> None:
    """The default `progress` of a bot: it reports nothing. Where somebody waits, it is replaced."""


@dataclass(frozen=True)
class PythonAgent(Agent):
    """An agent that is a Python class, with one instance per seat and game."""

    create: Callable[[], Any]
    weights: Weights = field(default=Weights(), kw_only=True)
    own_weights: Weights = field(default=Weights(), kw_only=True)  # the weights that its class declares

    def with_weights(self, weights: Any) -> "PythonAgent":
        """The same agent with other weights: all of them as a sequence, or some by name."""
        now = weights if isinstance(weights, Weights) else self.weights.but(weights)
        return replace(self, weights=now, create=partial(weighted_bot, self.create, now.by_name()))

    def take_seat(self, game: Game, explains: bool = True) -> "PythonPlayer":
        try:
            return PythonPlayer(self, game, self.create())
        except FAILURES as error:
            if interrupted(error):
                raise
            why = str(error) if isinstance(error, KibitzError) else error_with_place(error)  # already says what to do
            raise AgentError(f"{fit(self.name)} could not take a seat: {why}") from error


def weighted_bot(create: Callable[[], Any], weights: dict[str, float]) -> Any:
    """A bot with other weights in `self.weights`; for a class, already in its constructor."""
    if isinstance(create, type):
        return type(create.__name__, (create,), {"weights": weights, "__module__": create.__module__})()
    bot = copy.copy(create())
    bot.weights = weights
    return bot


@dataclass
class PythonPlayer:
    """A Python agent in a seat; its exceptions become AgentErrors."""

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
