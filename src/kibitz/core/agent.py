"""Agents: who they are, and the one life they all lead at a table.

A compiled agent, a Python class, a program over the network and a person take a seat, see what
happens, and decide from a view. A decision is a move and the reason for it.
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
from kibitz.engine.expectation import FOUND, Expectation, expectation
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
    title: str = field(default="", kw_only=True)  # what people call it; the registry makes one of the name
    source: str = field(default="", kw_only=True, compare=False)  # the text by which the registry finds it

    @property
    def summary(self) -> str:
        return self.description.split("\n\n")[0].replace("\n", " ")

    def take_seat(self, game: Game, explains: bool = True) -> Player:
        """A player of this agent for one game; putting its reasons into words takes time, and can be left out."""
        raise NotImplementedError


Decide = Callable[..., int]  # from a view, and whatever else it asks for (see `seat.ARGUMENTS`), to a decision
Observe = Callable[..., None]
Estimate = Callable[..., float]
# From the view decided by, that of who reads, what the reason is about, and the structs `public` and `memory`, to the
# words that stand for {these} in a reason.
Tells = Callable[[Any, Any, int, Any, Any], Mapping[str, str]]
Dtype = np.dtype[Any]
FUNCTIONS: dict[tuple[Any, ...], Any] = {}


def common_function(
    function: Callable[..., Any], returns: Any, game: Game, memory: Dtype | None, public: Dtype | None
) -> Any:
    """An agent's function for a game's tables, with the common signature `(view, seat)`, compiled once."""
    key = function, game.dtype, memory, public
    if key not in FUNCTIONS:
        signature = returns(*(from_dtype(dtype) for dtype in (game.dtype, SEAT)))
        FUNCTIONS[key] = compiled(with_common_signature(function, memory, public), signature)
    return FUNCTIONS[key]


class Functions(NamedTuple):
    """A compiled agent's functions, of the common signature; None where it has none."""

    decide: Any
    observe: Any
    watch: Any
    truthful_moves: Any
    infer: Any
    estimate: Any


@dataclass(frozen=True)
class CompiledAgent(Agent):
    """An agent written as functions over structs, compiled when it first takes a seat.

    Each function takes the view and, by name, what else it needs of this: `memory`, `public`, `weights`, `budget`,
    `models`. What an agent does not declare takes no room and no time.
    """

    decide: Decide
    reasons: tuple[str, ...]  # a reason beyond the last is the last
    observe: Observe | None = None  # sees the seat's view at the start and after every move, to keep its memory
    watch: Observe | None = None  # sees an onlooker's view at the start and after every move, to keep public knowledge
    truthful_moves: Decide | None = None  # a mask of the legal moves that tell nothing false by its conventions
    infer: Observe | None = None  # narrows what a view leaves open by what moves said by its conventions, see `search`
    estimate: Estimate | None = None  # the payoff, the same for all, of an imagined state, if it plays in every seat
    memory: Dtype | None = None  # the type of the struct of what a seat remembers: zeros when a game begins
    public: Dtype | None = None  # of what everybody knows, kept once for all seats that watch by the same function
    weights: Weights = Weights()  # noqa: RUF009 (they never change)
    budget: Budget | None = None  # of an agent that searches
    models: tuple["CompiledAgent", ...] = ()  # agents to think with
    reason_variables: Tells | None = None  # words of its own that stand in its reasons
    needs: tuple[str, ...] = ()  # generic functions that a game must have for it
    check: Callable[["CompiledAgent"], None] | None = None  # raises a KibitzError where its models do not suit it

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
                f"{self.name} cannot play {game.title}: it needs {', '.join(missing)}, which that game has not."
            )
        if self.check is not None:
            self.check(self)

    def with_weights(self, weights: Any) -> "CompiledAgent":
        """The same agent with other weights: as many numbers, or some of them by name."""
        return replace(self, weights=weights if isinstance(weights, Weights) else self.weights.but(weights))

    def with_budget(self, budget: Budget) -> "CompiledAgent":
        """The same agent on another budget; who does not search has none, who counts no plies keeps its own."""
        unfit = budget.depth > 0 and budget == Budget(depth=budget.depth) and not self.counts_plies
        return replace(self, budget=budget) if self.traits.searches and not unfit else self

    @property
    def counts_plies(self) -> bool:
        """Whether a depth is a budget for it."""
        return self.budget is not None and self.budget.depth > 0

    def with_models(self, models: Sequence["CompiledAgent"]) -> "CompiledAgent":
        """The same agent with others to think with."""
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
    """The agent that a function is: its docstring is the description, its name the agent's if no other is given.

    The parts are those of a `CompiledAgent`.
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
    """The agents of a table, and behind them those they think with, and so on."""
    listed = list(agents)
    for agent in listed:  # it grows meanwhile
        listed += agent.models if agent is not None else ()
    return listed


def structs_of(game: Game, agents: Sequence[CompiledAgent | None], players: int) -> tuple[Any, Any]:
    """The structs of agents and of those they think with, and all their weights; agents with the same share them."""
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
    """The agents of a table as the compiled loop takes them; those that are not compiled are elsewhere."""
    present = [agent if isinstance(agent, CompiledAgent) else None for agent in agents]
    structs, weights = structs_of(game, present, players or len(agents))
    seats = structs[: len(agents)]
    room = np.zeros(words_of(seats), np.int64)
    watches = first_watchers(seats)
    take_room(seats, watches, room.ctypes.data)
    remembers, cheats, elsewhere = masks(seats)
    return Seats(seats, room, weights, structs, remembers, watches, cheats, elsewhere)


def check_memories(agents: Sequence[Agent], seats: Seats) -> None:
    """Whoever wrote beyond the struct that it declares is named: what lies behind it is not its own."""
    for seat, agent in zip(seats.seats, agents, strict=False):
        for what in ("memory", "public"):
            if seat[what] and seat[f"{what}_words"]:
                end = (int(seat[what]) - seats.room.ctypes.data) // WORD + int(seat[f"{what}_words"])
                if seats.room[end : end + GUARD].any():
                    raise AgentError(
                        f"{agent.name} wrote past the end of its {what}: make the struct that it declares larger, or "
                        f"look for an index beyond it."
                    )


@dataclass
class CompiledPlayer:
    """A compiled agent in a seat."""

    agent: CompiledAgent
    game: Game
    explains: bool

    def __post_init__(self) -> None:
        self.functions = self.agent.functions(self.game)
        for model in agents_and_models(self.agent.models):  # compiled now, not when the first move is waited for
            assert model is not None
            model.functions(self.game)
        self.seats: dict[int, Seats] = {}  # by the number of players, which is not known before the first view
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
        if self.pair is not None:  # what an onlooker sees is in what anybody sees
            self.pair[WORLD] = view
            generic.observe(self.pair, ONLOOKER, False)
            self.functions.watch(self.pair[SEEN], seat)
        if self.functions.observe is not None:
            self.functions.observe(view, seat)

    def decide(self, view: Any) -> Decision:
        return self.explained(self.packed(view), view)

    def packed(self, view: Any) -> int:
        """Its decision as one number, which `kibitz.engine.loop` takes apart."""
        return int(self.functions.decide(view, self._seat(view)))

    def hurry(self, milliseconds: int, view: Any) -> None:
        """Let its next search, if it searches, end within so long, whatever its own budget is."""
        if self.agent.traits.searches:
            own = self.agent.budget.milliseconds if self.agent.budget else 0
            self._seat(view)["milliseconds"] = max(min(milliseconds, own or milliseconds), 1)

    def explained(self, packed: int, view: Any) -> Decision:
        if not self.explains:
            return Decision(int(move_of(packed)))
        reason = self.game.explain(self.worded(packed, view, view), int(about_of(packed)), view)
        return Decision(int(move_of(packed)), reason)

    def decide_for(self, view: Any, reader: Any) -> Decision:
        """As `decide`, with the reason in words for somebody whose view of the same table is `reader`."""
        packed = self.packed(view)
        reason = self.game.explain_to(self.worded(packed, view, reader), int(about_of(packed)), view, reader)
        return Decision(int(move_of(packed)), reason)

    def reason(self, packed: int) -> str:
        """Which of the agent's reasons a decision has, before it is put into words."""
        return self.agent.reasons[min(reason_of(packed), len(self.agent.reasons) - 1)]

    def worded(self, packed: int, view: Any, reader: Any) -> str:
        """The reason with the words that the agent itself has for what it knows, if it has any."""
        reason = self.reason(packed)
        if self.agent.reason_variables is None:
            return reason
        known = [self.known(what) if getattr(self.agent, what) is not None else None for what in ("public", "memory")]
        for word, text in self.agent.reason_variables(view, reader, int(about_of(packed)), *known).items():
            reason = reason.replace(f"{{{word}}}", text)
        return reason

    @property
    def expects(self) -> Expectation | None:
        """What it expects of the move it decided on last, if it searches and tells."""
        expects = self.agent.memory is not None and set(FOUND.names or ()) <= set(self.agent.memory.names or ())
        return expectation(self.known("memory")) if expects and self.seats else None

    def known(self, what: str) -> Any:
        """What it remembers of this game, as the struct it declares: its `memory`, or what it knows of the `public`."""
        [seats] = self.seats.values()
        return structs_at(getattr(self.agent, what), seats.seats[0][what], 1)[0].copy()

    def copy(self) -> "CompiledPlayer":
        other = CompiledPlayer(self.agent, self.game, self.explains)
        for players, seats in self.seats.items():
            other.seats[players] = seats_of(self.game, [self.agent], players)
            other.seats[players].room[:] = seats.room
        return other


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


Progress = Callable[[int, int], None]  # told how much is done, of how much; of 0 when a thought is over


def no_progress(done: int, of: int) -> None:
    """What a bot tells of its progress if nobody waits: one that has this as its `progress` is given another there."""


@dataclass(frozen=True)
class PythonAgent(Agent):
    """An agent that is a Python class: one instance is made for each seat and game."""

    create: Callable[[], Any]
    weights: Weights = field(default=Weights(), kw_only=True)
    own_weights: Weights = field(default=Weights(), kw_only=True)  # those that its class declares

    def with_weights(self, weights: Any) -> "PythonAgent":
        """The same agent with other weights: as many numbers, or some of them by name."""
        now = weights if isinstance(weights, Weights) else self.weights.but(weights)
        return replace(self, weights=now, create=partial(weighted_bot, self.create, now.by_name()))

    def take_seat(self, game: Game, explains: bool = True) -> "PythonPlayer":
        try:
            return PythonPlayer(self, game, self.create())
        except FAILURES as error:
            if interrupted(error):
                raise
            why = str(error) if isinstance(error, KibitzError) else error_with_place(error)  # which says what to do
            raise AgentError(f"{fit(self.name)} could not take a seat: {why}") from error


def weighted_bot(create: Callable[[], Any], weights: dict[str, float]) -> Any:
    """A bot that finds other weights in `self.weights`, from its first line on if it is an instance of a class."""
    if isinstance(create, type):
        return type(create.__name__, (create,), {"weights": weights, "__module__": create.__module__})()
    bot = copy.copy(create())
    bot.weights = weights
    return bot


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
