"""Generic functions: the calls that every game's compiled rules implement, such as `apply(state, move)`.

The struct type of the state selects the game's implementation when the caller is compiled. So the table loop and all
searches are written once, run as fast as if written for the game, and are cached on disk. Code that takes the rules as
arguments could not be cached.
"""

from collections.abc import Callable, Iterable, Mapping
from inspect import getdoc, signature
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba import from_dtype, types
from numba.extending import overload

from kibitz.engine import dependencies
from kibitz.engine.compile import INTERPRETED, LINK_ONLY
from kibitz.errors import KibitzError

Function = TypeVar("Function", bound=Callable[..., Any])

OVER, CHANCE = -1, -3  # returned by `to_move` instead of a seat
QUIET, TACTICAL, FORCED = range(3)  # returned by `quiescence`

IMPLEMENTED: dict[tuple[str, Any], Callable[..., Any]] = {}  # by name and type of states, defaults included
OWN: dict[np.dtype[Any], set[str]] = {}  # the names of the functions that games wrote, by type of states
OWNERS: dict[Any, str] = {}  # the name of the game, by type of states


class MissingFunctionError(KibitzError):
    """A game does not implement a function that a caller needs."""


class Default(NamedTuple):
    """A default implementation, for games that wrote the functions in `needs` and none of those in `unless`."""

    function: Callable[..., Any]
    needs: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()  # that the states must have

    def fits(self, own: set[str], dtype: np.dtype[Any]) -> bool:
        has_fields = set(dtype.names or ()).issuperset(self.fields)
        return has_fields and own.issuperset(self.needs) and own.isdisjoint(self.unless)


DEFAULTS: dict[str, tuple[Default, ...]] = {}  # the first that fits is used


def struct_type(dtype: np.dtype[Any]) -> Any:
    """The key of a struct type: NumPy's type when interpreted, Numba's in machine code."""
    return dtype if INTERPRETED else from_dtype(dtype)


def implement(game: str, dtype: np.dtype[Any], **functions: Callable[..., Any]) -> None:
    """Register a game's implementations of generic functions for its type of states."""
    key = struct_type(dtype)
    if OWNERS.setdefault(key, game) != game:
        raise ValueError(
            f"The states of {game} and {OWNERS[key]} have exactly the same fields, so kibitz cannot tell their rules "
            f"apart. Add or rename a field of one of them."
        )
    for name, function in functions.items():
        if name not in GENERIC:
            raise ValueError(
                f"{name} is not a generic function. The generic functions are {', '.join(sorted(GENERIC))}."
            )
        IMPLEMENTED[name, key] = IMPLEMENTED[name, dtype] = function
    OWN.setdefault(dtype, set()).update(functions)
    use_defaults(dtype)


def set_defaults(defaults: Mapping[str, tuple[Default, ...]]) -> None:
    """Register default implementations."""
    DEFAULTS.update(defaults)
    for dtype in OWN:
        use_defaults(dtype)


def use_defaults(dtype: np.dtype[Any]) -> None:
    own = OWN[dtype]
    for name, defaults in DEFAULTS.items():
        if name in own:
            continue
        fitting = [default.function for default in defaults if default.fits(own, dtype)]
        for key in (struct_type(dtype), dtype):
            IMPLEMENTED.pop((name, key), None)
            if fitting:
                IMPLEMENTED[name, key] = fitting[0]


def missing(dtype: np.dtype[Any], names: Iterable[str]) -> list[str]:
    """The functions among `names` that a game neither implements nor gets by default."""
    return [name for name in names if (name, dtype) not in IMPLEMENTED]


def hides_nothing(dtype: np.dtype[Any]) -> bool:
    """Whether a game uses the default views, in which all players see everything."""
    return OWN.get(dtype, set()).isdisjoint(HIDING)


def has_private_turns(dtype: np.dtype[Any]) -> bool:
    """Whether some turns of a game may be known only to the player who made them."""
    return "is_private" in OWN.get(dtype, set())


def implementation(name: str, key: Any) -> Callable[..., Any]:
    try:
        return IMPLEMENTED[name, key]
    except KeyError:
        raise MissingFunctionError(why_missing(name, key)) from None


def why_missing(name: str, key: Any) -> str:
    if key not in OWNERS and struct_type_of(key) not in OWNERS:
        return f"`{name}` was called with something that is not a state of a game: {str(key)[:200]}."
    game = OWNERS[key] if key in OWNERS else OWNERS[struct_type_of(key)]
    return (
        f"The game {game} does not implement `{name}({', '.join(GENERIC[name].parameters)})`: "
        f"{GENERIC[name].meaning} Write it as a compiled function and pass it to generic.implement."
    )


def struct_type_of(key: Any) -> Any:
    return struct_type(key) if isinstance(key, np.dtype) else key


class Rules(SimpleNamespace):
    """A game's functions, as attributes with their generic names."""

    dtype: np.dtype[Any]

    def __getattr__(self, name: str) -> Any:
        if name not in GENERIC:
            raise AttributeError(f"{name!r} is not a generic function. The functions are {', '.join(sorted(GENERIC))}.")
        return implementation(name, self.dtype)


def rules_of(dtype: np.dtype[Any]) -> Rules:
    """A game's functions with their generic names, for Python code that calls many of them."""
    functions = {name: function for (name, key), function in IMPLEMENTED.items() if key is dtype}
    return Rules(dtype=dtype, **functions)


class Signature(NamedTuple):
    """The parameters of a generic function and the first sentence of its docstring, for error messages."""

    parameters: tuple[str, ...]
    meaning: str


def generic(stub: Function) -> Function:
    name = stub.__name__

    def ask(*arguments: Any) -> Any:
        return implementation(name, arguments[0].dtype)(*arguments)

    @overload(ask, jit_options=LINK_ONLY)
    def choose(*arguments):  # type: ignore[no-untyped-def]
        first = arguments[0].dtype if isinstance(arguments[0], types.Array) else arguments[0]
        chosen = implementation(name, first)

        def call(*arguments):  # type: ignore[no-untyped-def]
            return chosen(*arguments)

        # Cached functions of the same name would be confused with each other, see `DigestCache.path`.
        call.__qualname__ = f"{name}.{dependencies.identity(chosen)}"
        return call

    def chosen(argument_types: str) -> list[Callable[..., Any]]:
        implemented = list(IMPLEMENTED.items())  # a copy: another thread may be importing a game
        of_structs = [(str(key), function) for (of, key), function in implemented if of == name]
        chosen = [function for struct, function in of_structs if struct in argument_types]
        if chosen or any(str(key) in argument_types for key in list(OWNERS)):
            return chosen  # empty if the game does not implement the function
        return [function for _, function in of_structs]  # an opaque type may hold the states of any game

    dependencies.choose_by_types(ask, chosen)
    ask.__name__, ask.__doc__ = name, stub.__doc__
    first_sentence = (getdoc(stub) or "").split("\n\n")[0].replace("\n", " ")
    GENERIC[name] = Signature(tuple(signature(stub).parameters), first_sentence[:1].lower() + first_sentence[1:])
    return ask  # type: ignore[return-value]


GENERIC: dict[str, Signature] = {}
HIDING = ("observe", "sample_world", "rewind")  # a game with hidden information implements all three


@generic
def deal(state: Any, players: int, rules: int, stream: int) -> None:
    """Set up a new game; `rules` are the bits of `Game.rule_bits`, and the shuffle comes from the stream."""


@generic
def to_move(state: Any) -> int:
    """The seat to move; OVER if the game is over, CHANCE if dice must be rolled."""
    raise NotImplementedError


@generic
def observe(pair: Any, seat: int, cheats: bool) -> None:
    """Write a seat's view of pair[WORLD] to pair[SEEN]; an ONLOOKER (see `loop`) sees only what is public."""


@generic
def allowed(state: Any, move: int) -> bool:
    """Whether a move is legal."""
    raise NotImplementedError


@generic
def legal(state: Any) -> int:
    """The legal moves of the seat to move, as a bit mask. Games with more than 62 moves implement `moves` instead."""
    raise NotImplementedError


@generic
def moves(state: Any, room: Any) -> int:
    """Write the legal moves of the seat to move, in ascending order, and return how many there are.

    `room` has `most_moves` places. Only games with more than 62 moves implement this.
    """
    raise NotImplementedError


@generic
def most_moves(state: Any) -> int:
    """The maximum number of legal moves in any position; with masks, one more than the highest move."""
    raise NotImplementedError


@generic
def legal_moves(state: Any, room: Any) -> Any:
    """The legal moves of the seat to move, as used by `move_sets`: a mask, or a list written to `room`."""
    raise NotImplementedError


@generic
def apply(state: Any, move: int) -> None:
    """Make a legal move, by a player or by chance."""


@generic
def turns(state: Any) -> int:
    """The number of moves made so far."""
    raise NotImplementedError


@generic
def move_at(state: Any, turn: int) -> int:
    """The move made in a turn, counted from 0."""
    raise NotImplementedError


@generic
def is_private(state: Any, turn: int) -> bool:
    """Whether only the player who made the move in a turn learns that it was made.

    A view then has fewer turns than the state: `observe` leaves out the private turns of others.
    """
    raise NotImplementedError


@generic
def result(state: Any, row: Any) -> None:
    """Write the result of a finished game: `Game.width` numbers."""


@generic
def sample_world(pair: Any, stream: int) -> None:
    """Sample a world: write to pair[WORLD] a random state consistent with the view in pair[SEEN] (determinization)."""


@generic
def rewind(start: Any, pair: Any) -> None:
    """Replace pair[WORLD] by the start of its game (of its round, in a game of rounds), keeping its hidden cards."""


# Chance.


@generic
def chance_moves(state: Any, room: Any, chances: Any) -> int:
    """If `to_move` is CHANCE: write the possible rolls and their probabilities, and return how many there are."""
    raise NotImplementedError


@generic
def deal_the_rest(state: Any, stream: int) -> None:
    """Deal at random what a start position given by a person leaves open."""


@generic
def resolve_chance(state: Any, stream: int) -> None:
    """Make the moves of chance that are due, using one number of the stream per turn."""


# Functions that only searches call.


@generic
def horizon(state: Any) -> None:
    """Shorten a sampled world to the search horizon: in a game of rounds, let the game end with the round."""


@generic
def payoff(state: Any, seat: int) -> float:
    """The value of a finished game for a seat, from 0 to 1."""
    raise NotImplementedError


@generic
def information_key(state: Any, seat: int) -> int:
    """A non-negative number for what a seat knows beyond the public moves: the key of its information set.

    After the same moves, two states have different keys if the seat can tell them apart.
    """
    raise NotImplementedError


@generic
def move_probabilities(view: Any, chances: Any) -> None:
    """Write the probability of each legal move for a sensible player who sees this view and is to move.

    The array has a place for every move. Probabilities of legal moves are positive and sum to 1; the other places stay
    unwritten.
    """


# Functions that only searches of open games call (see `kibitz.search.open_games`). A position is the part of a state
# that the future depends on; a game may use a smaller struct for it.


@generic
def positions(state: Any, count: int) -> Any:
    """An array of `count` positions, of which the first is that of the state."""


@generic
def evaluate(position: Any, seat: int, weights: Any) -> float:
    """A heuristic value of an unfinished position for a seat, in points: a won game is worth 10,000.

    It stays between −9,000 and 9,000. The weights are those of the searching agent.
    """
    raise NotImplementedError


@generic
def key(position: Any) -> int:
    """A hash of a position: equal positions have equal keys, different ones almost never do."""
    raise NotImplementedError


@generic
def move_order_score(position: Any, move: int) -> float:
    """How promising a legal move looks before it is searched, in points: the best moves are searched first."""
    raise NotImplementedError


@generic
def quiescence(position: Any) -> int:
    """QUIET if a search may stop here, TACTICAL if it should try some moves first, FORCED if it must continue."""
    raise NotImplementedError


@generic
def tactical_moves(position: Any, room: Any) -> Any:
    """The legal moves that quiescence search tries in a tactical position, in the form of `legal_moves`."""
    raise NotImplementedError
