"""Agents and players: what an agent declares, and how a player takes part in a game.

Compiled agents, Python classes, programs on the network and people all take a seat, observe, and decide from a view. A
decision is a move and its reason.
"""

import copy
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from inspect import getdoc
from pathlib import Path
from typing import Any, NamedTuple, Protocol, Self

import numpy as np
from numba import from_dtype, types

from kibitz.core.agent_faults import (
    called,
    decision_fault,
    error_with_place,
    file_of,
    machine_failure,
    where,
)
from kibitz.core.bot_instances import new_bot, weighted_bot
from kibitz.core.frozen import frozen_view
from kibitz.core.game import Game
from kibitz.core.weights import Weights, as_weights
from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.compile_errors import compile_error, guess
from kibitz.engine.expectation import ESTIMATED, EXPECTED, Expectation, MoveEstimate, expectation, move_estimates
from kibitz.engine.loop import LAST_REASON, ONLOOKER, SEEN, WORLD, about_of, move_of, reason_of
from kibitz.engine.seat import (
    GUARD,
    SEAT,
    WORD,
    Budget,
    Seats,
    address_of,
    argument_names,
    first_watchers,
    masks,
    structs_at,
    take_room,
    with_common_signature,
    words_of,
)
from kibitz.errors import AgentError, KibitzError
from kibitz.text import fit, text_of


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
        return ", ".join(name for name in NAMED_TRAITS if getattr(self, name))


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


@dataclass(frozen=True, repr=False)
class Agent:
    """An entry of the registry."""

    name: str
    game: str
    description: str
    origin: str
    traits: Traits
    title: str = field(default="", kw_only=True)  # its name for people; by default made from `name`
    source: str = field(default="", kw_only=True, compare=False)  # the text by which the registry finds it

    def __repr__(self) -> str:
        return f"<agent {self.name} of {self.game}>"

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
        wrapped = with_common_signature(function, memory, public)
        try:
            FUNCTIONS[key] = compiled(wrapped, signature)
        except KibitzError:
            raise
        except Exception as error:
            named = {"a view": game.dtype, "the struct `memory`": memory, "the struct `public`": public}
            structs = {name: dtype.names or () for name, dtype in named.items() if dtype is not None}
            raise KibitzError(compile_error(error, function, structs)) from error
    return FUNCTIONS[key]


class Functions(NamedTuple):
    """A compiled agent's functions with the common signature, or None."""

    decide: Any
    observe: Any
    watch: Any
    truthful_moves: Any
    infer: Any
    estimate: Any
    chance: Any


@dataclass(frozen=True, repr=False)
class CompiledAgent(Agent):
    """An agent written as functions on structs, compiled when it first takes a seat.

    Each function takes the view and, by name, any of `memory`, `public`, `weights`, `budget` and `models`. What an
    agent does not declare costs neither memory nor time.
    """

    decide: Decide
    reasons: tuple[str, ...]  # by the index in a decision; `loop.LAST_REASON` is the last
    observe: Observe | None = None  # gets the seat's view at the start and after every move, to update its memory
    watch: Observe | None = None  # gets an onlooker's view likewise, to update public knowledge
    truthful_moves: Decide | None = None  # a mask of the legal moves that are truthful by its conventions
    infer: Observe | None = None  # narrows what a view leaves open, by the conventional meaning of moves, see `search`
    estimate: Estimate | None = None  # estimates the payoff, equal for all, of a state in which it plays all seats
    # The probability that it makes the move which the view's history has next, without its memory: for a random agent,
    # whose moves are evidence about what it sees.
    chance: Estimate | None = None
    memory: Dtype | None = None  # the struct type of what a seat remembers; zeros at the start of a game
    public: Dtype | None = None  # the struct type of public knowledge, shared by seats with the same function `watch`
    weights: Weights = Weights()  # noqa: RUF009 (they are immutable)
    budget: Budget | None = None  # only for agents that search
    settings: Weights = Weights()  # noqa: RUF009 (of its search: named numbers that no training changes)
    book: Weights = Weights()  # noqa: RUF009 (positions with their values, for functions with the argument `book`)
    book_file: str = ""
    reads_book: Callable[["CompiledAgent", Path], Weights] | None = None  # reads a file of them, and refuses misfits
    models: tuple["CompiledAgent", ...] = ()  # agents to simulate
    reason_variables: Tells | None = None  # texts for the {names} in its reasons
    needs: tuple[str, ...] = ()  # generic functions that a game must implement for this agent
    shared_reasons: int = 0  # how many of the last reasons belong to all agents of the game
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
            common_function(self.chance, types.float64, *given) if self.chance else None,
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

    def with_settings(self, values: Mapping[str, float | str]) -> "CompiledAgent":
        """The same agent with some settings of its search changed."""
        settings = self.settings.but(values)
        settings.check_ranges(settings.values)
        return replace(self, settings=settings)

    def with_book(self, path: Path) -> "CompiledAgent":
        """The same agent with a book from a file."""
        if self.reads_book is None:
            raise KibitzError(
                f"{self.name} plays without a book. Agents that search by alpha-beta take one: `kibitz agents "
                f"{self.game}` lists the agents."
            )
        return replace(self, book=self.reads_book(self, path), book_file=str(path))

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


def vector_id(agent: CompiledAgent) -> tuple[int, int, int]:
    """The same for agents that share weights, settings and book."""
    return id(agent.weights), id(agent.settings), id(agent.book)


def vector_of(agent: CompiledAgent, players: int) -> Any:
    """An agent's weights, and behind them its settings and its book, each after its length (see `seat.ARGUMENTS`)."""
    weights, settings, book = agent.weights.for_players(players), agent.settings.values, agent.book.values
    if not {"settings", "book"}.intersection(argument_names(agent.decide)):
        return weights
    return np.concatenate([weights, [len(settings)], settings, [len(book)], book])


def structs_of(game: Game, agents: Sequence[CompiledAgent | None], players: int) -> tuple[Any, Any]:
    """The structs of agents and their models, and all their weights; equal agents share weights."""
    listed = agents_and_models(agents)
    structs = np.zeros(len(listed), SEAT)
    vectors = {vector_id(agent): vector_of(agent, players) for agent in listed if agent is not None}
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
        struct["weights"] = weights.ctypes.data + WORD * starts[vector_id(agent)]
        struct["weight_count"] = len(agent.weights)
        struct["models"], struct["model_count"] = structs.ctypes.data + SEAT.itemsize * behind, len(agent.models)
        struct["iterations"], struct["milliseconds"], struct["depth"] = budget
        struct["cheats"], struct["random"] = agent.traits.cheats, agent.traits.random
        struct["reasons"] = len(agent.reasons) - agent.shared_reasons
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


PARTICIPLE = {"decide": "deciding", "observe": "observing", "watch": "watching"}


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
            self._called("watch", view, self.pair[SEEN], seat)
        if self.functions.observe is not None:
            self._called("observe", view, view, seat)

    def decide(self, view: Any) -> Decision:
        return self.explained(self.packed(view), view)

    def packed(self, view: Any) -> int:
        """The decision as one number, which `kibitz.engine.loop` unpacks."""
        seat = self._seat(view)
        decided = int(self._called("decide", view, view, seat))
        if fault := decision_fault(self.game, decided, int(seat["reasons"]), view):
            raise AgentError(f"{self._where(view)} {fault}")
        return decided

    def _called(self, name: str, view: Any, *arguments: Any) -> Any:
        """Call one of the agent's functions; its exceptions become AgentErrors."""
        try:
            return getattr(self.functions, name)(*arguments)
        except FAILURES as error:
            if interrupted(error):
                raise
            why = machine_failure(error, getattr(self.agent, name))
            raise AgentError(f"{self._where(view)} failed while {PARTICIPLE[name]}: {why}.") from error

    def _where(self, view: Any) -> str:
        return where(self.game, called(self.agent), int(view["seat"]), int(generic.turns(view)))

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
        return self.agent.reasons[-1 if reason_of(packed) == LAST_REASON else reason_of(packed)]

    def worded(self, packed: int, view: Any, reader: Any) -> str:
        """The reason with the move in place of {move}, and the agent's own texts in place of other {names}."""
        reason = self.reason(packed).replace("{move}", self.game.move_phrase(int(move_of(packed)), view))
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

    def copy(self) -> Self:
        other = type(self)(self.agent, self.game, self.explains)
        for players, seats in self.seats.items():
            other.seats[players] = seats_of(self.game, [self.agent], players)
            other.seats[players].room[:] = seats.room
        return other


# Includes SystemExit: a bot that calls sys.exit() fails, and its table is notified. Other BaseExceptions stop a thread
# from outside and must propagate.
FAILURES = (Exception, SystemExit, KeyboardInterrupt, GeneratorExit)


def interrupted(error: BaseException) -> bool:
    """Whether a person pressed Ctrl-C: signals arrive in the main thread."""
    return isinstance(error, KeyboardInterrupt) and threading.current_thread() is threading.main_thread()


class AnswerError(AgentError):
    """A Python agent's answer is not a legal move."""


Progress = Callable[[int, int], None]  # called with the work done and the total, which is 0 when a decision is made


def no_progress(done: int, of: int) -> None:
    """The default `progress` of a bot: it reports nothing. Where somebody waits, it is replaced."""


@dataclass(frozen=True, repr=False)
class PythonAgent(Agent):
    """An agent that is a Python class, with one instance per seat and game."""

    create: Callable[[], Any]
    weights: Weights = field(default=Weights(), kw_only=True)
    own_weights: Weights = field(default=Weights(), kw_only=True)  # the weights that its class declares
    warning: str = field(default="", kw_only=True, compare=False)  # for its author

    def with_weights(self, weights: Any) -> "PythonAgent":
        """The same agent with other weights: all of them as a sequence, or some by name."""
        now = weights if isinstance(weights, Weights) else self.weights.but(weights)
        return replace(self, weights=now, create=partial(weighted_bot, self.create, now.by_name()))

    def take_seat(self, game: Game, explains: bool = True) -> "PythonPlayer":
        try:
            return PythonPlayer(self, game, new_bot(self.create))
        except FAILURES as error:
            if interrupted(error):
                raise
            raise self.no_seat(error) from error

    def no_seat(self, error: BaseException) -> AgentError:
        """The error of a bot whose constructor failed; a KibitzError already says what to do."""
        file = file_of(self.create) if isinstance(self.create, type) else ""
        why = str(error) if isinstance(error, KibitzError) else error_with_place(error, file)
        return AgentError(f"{fit(self.name)} could not take a seat: {why}")


def check_kind(game: Game, move: Any, view: Any) -> None:
    """Refuse a bare number where it could be a slot, a seat or a rank as well as the number of a move."""
    if type(move) not in (int, bool) and not isinstance(move, np.integer):
        return  # classes of moves and cards are numbers, too
    first = game.legal(view)[0]
    if game.move_text(first) != str(int(first)):
        raise KibitzError(
            f"That is a bare number, which may be a slot, a seat or a move. Return a move or its text, such as "
            f"{game.move_text(first)!r}."
        )


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

    @property
    def estimates(self) -> list[MoveEstimate]:
        """What its last decision found about the moves: the attribute `estimates` of a bot that has one."""
        return list(getattr(self.bot, "estimates", ()))

    def _observe(self, view: Any) -> None:
        self.bot.observe(frozen_view(self.game, view))

    def _decide(self, view: Any) -> Decision:
        answer = self.bot.decide(frozen_view(self.game, view))
        move, reason = answer if isinstance(answer, tuple) and len(answer) == 2 else (answer, "")
        try:
            if not isinstance(answer, Decision):
                check_kind(self.game, move, view)
            return Decision(self.game.move(move, view), text_of(reason) if reason else "")
        except KibitzError as error:
            raise AnswerError(f"{self._where(view)} answered {text_of(answer, repr)}. {fit(str(error))}") from None

    def _guard(self, doing: str, call: Callable[[Any], Any], view: Any) -> Any:
        try:
            return call(view)
        except FAILURES as error:
            if interrupted(error) or isinstance(error, AnswerError):
                raise
            raise self.failed(doing, view, error) from error

    def failed(self, doing: str, view: Any, error: BaseException) -> AgentError:
        why = error_with_place(error, file_of(self.bot))
        if isinstance(error, AttributeError) and error.name:
            hint = self.game.hidden_attributes.get(error.name) if error.obj is None else None
            if type(error.obj).__module__.startswith("kibitz."):  # not a bot's own object: `dir` would run its code
                hint = guess(error.name, dir(error.obj)).strip()
            why += f". {hint}" if hint else ""
        return AgentError(f"{self._where(view)} failed while {doing}: {why}")

    def _where(self, view: Any) -> str:
        return where(self.game, self.agent.name, int(view["seat"]), int(generic.turns(view)))

    def copy(self) -> "PythonPlayer":
        return PythonPlayer(self.agent, self.game, copy.deepcopy(self.bot))
