"""What every game's compiled rules are called, whichever game it is.

`apply(state, move)` means the rules of the game whose state it is handed: the state's struct type
chooses, when the caller is compiled. So the table loop and every search are written once, run as
fast as if written for the game, and are cached on disk, which code that takes the rules as
arguments is not.
"""

from collections.abc import Callable, Iterable, Mapping
from inspect import getdoc, signature
from types import SimpleNamespace
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numba import from_dtype, types
from numba.extending import overload

from kibitz.engine import dependencies
from kibitz.engine.compile import HALF_WAY, INTERPRETED
from kibitz.errors import KibitzError

Function = TypeVar("Function", bound=Callable[..., Any])

OVER, CHANCE = -1, -3  # instead of a seat to move
QUIET, TACTICAL, FORCED = range(3)  # what `quiescence` says of a position

IMPLEMENTED: dict[tuple[str, Any], Callable[..., Any]] = {}
OWN: dict[np.dtype[Any], set[str]] = {}  # what games wrote themselves, by the type of their states
OWNERS: dict[Any, str] = {}


class MissingFunctionError(KibitzError):
    """A game has not implemented what something asks of it."""


class Default(NamedTuple):
    """What a generic function means for games that leave it out, if they wrote some others, or did not."""

    function: Callable[..., Any]
    needs: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()

    def fits(self, own: set[str]) -> bool:
        return own.issuperset(self.needs) and own.isdisjoint(self.unless)


DEFAULTS: dict[str, tuple[Default, ...]] = {}  # the first that fits


def struct_type(dtype: np.dtype[Any]) -> Any:
    """How a struct is told apart: by its NumPy type when interpreted, by Numba's in machine code."""
    return dtype if INTERPRETED else from_dtype(dtype)


def implement(game: str, dtype: np.dtype[Any], **functions: Callable[..., Any]) -> None:
    """Say what the generic functions mean for a game's states."""
    key = struct_type(dtype)
    if OWNERS.setdefault(key, game) != game:
        raise ValueError(
            f"The states of {game} and {OWNERS[key]} have the same fields, so their rules could not be "
            f"told apart. Add or rename a field of one of them."
        )
    for name, function in functions.items():
        if name not in GENERIC:
            raise ValueError(f"{name} is not something the table asks of a game; it asks for {sorted(GENERIC)}.")
        IMPLEMENTED[name, key] = IMPLEMENTED[name, dtype] = function
    OWN.setdefault(dtype, set()).update(functions)
    use_defaults(dtype)


def fill_in(defaults: Mapping[str, tuple[Default, ...]]) -> None:
    """Say what games mean that leave functions out."""
    DEFAULTS.update(defaults)
    for dtype in OWN:
        use_defaults(dtype)


def use_defaults(dtype: np.dtype[Any]) -> None:
    own = OWN[dtype]
    for name, defaults in DEFAULTS.items():
        if name in own:
            continue
        fitting = [default.function for default in defaults if default.fits(own)]
        for key in (struct_type(dtype), dtype):
            IMPLEMENTED.pop((name, key), None)
            if fitting:
                IMPLEMENTED[name, key] = fitting[0]


def missing(dtype: np.dtype[Any], names: Iterable[str]) -> list[str]:
    """Those of the generic functions that a game has neither written nor left to a default: for what needs them all."""
    return [name for name in names if (name, dtype) not in IMPLEMENTED]


def hides_nothing(dtype: np.dtype[Any]) -> bool:
    """Whether a game has left its views to the default: everybody sees everything."""
    return OWN.get(dtype, set()).isdisjoint(HIDING)


def implementation(name: str, key: Any) -> Callable[..., Any]:
    try:
        return IMPLEMENTED[name, key]
    except KeyError:
        raise MissingFunctionError(why_missing(name, key)) from None


def why_missing(name: str, key: Any) -> str:
    if key not in OWNERS and struct_type_of(key) not in OWNERS:
        return f"`{name}` was asked of something that is no state of a game: {str(key)[:200]}."
    game = OWNERS[key] if key in OWNERS else OWNERS[struct_type_of(key)]
    return (
        f"The game {game} has no `{name}({', '.join(GENERIC[name].parameters)})`: {GENERIC[name].meaning} "
        f"Write it as a compiled function and hand it to generic.implement."
    )


def struct_type_of(key: Any) -> Any:
    return struct_type(key) if isinstance(key, np.dtype) else key


class Rules(SimpleNamespace):
    """A game's functions under their generic names."""

    dtype: np.dtype[Any]

    def __getattr__(self, name: str) -> Any:
        if name not in GENERIC:
            raise AttributeError(f"The rules of a game have no {name!r}; they have {sorted(GENERIC)}.")
        return implementation(name, self.dtype)


def rules_of(dtype: np.dtype[Any]) -> Rules:
    """A game's functions under their generic names, for Python code that calls many of them."""
    functions = {name: function for (name, key), function in IMPLEMENTED.items() if key is dtype}
    return Rules(dtype=dtype, **functions)


class Asked(NamedTuple):
    """A generic function, in words."""

    parameters: tuple[str, ...]
    meaning: str


def generic(stub: Function) -> Function:
    name = stub.__name__

    def ask(*arguments: Any) -> Any:
        return implementation(name, arguments[0].dtype)(*arguments)

    @overload(ask, jit_options=HALF_WAY)
    def choose(*arguments):  # type: ignore[no-untyped-def]
        first = arguments[0].dtype if isinstance(arguments[0], types.Array) else arguments[0]
        chosen = implementation(name, first)

        def call(*arguments):  # type: ignore[no-untyped-def]
            return chosen(*arguments)

        # Two of the same name would become one when both come from the cache, see `DigestCache.path`.
        call.__qualname__ = f"{name}.{dependencies.identity(chosen)}"
        return call

    def chosen(argument_types: str) -> list[Callable[..., Any]]:
        implemented = list(IMPLEMENTED.items())  # another thread may be importing a game
        of_structs = [(str(key), function) for (of, key), function in implemented if of == name]
        chosen = [function for struct, function in of_structs if struct in argument_types]
        if chosen or any(str(key) in argument_types for key in list(OWNERS)):
            return chosen  # none, for a game that has no such function
        return [function for _, function in of_structs]  # an opaque type: it may hold any of them

    dependencies.choose_by_types(ask, chosen)
    ask.__name__, ask.__doc__ = name, stub.__doc__
    first_sentence = (getdoc(stub) or "").split("\n\n")[0].replace("\n", " ")
    GENERIC[name] = Asked(tuple(signature(stub).parameters), first_sentence[:1].lower() + first_sentence[1:])
    return ask  # type: ignore[return-value]


GENERIC: dict[str, Asked] = {}
HIDING = ("observe", "sample_world", "rewind")  # what a game of hidden things writes


@generic
def deal(state: Any, players: int, rules: int, stream: int) -> None:
    """Set up a new game."""


@generic
def to_move(state: Any) -> int:
    """The seat to move; OVER when the game is over, CHANCE when dice are to be rolled."""
    raise NotImplementedError


@generic
def observe(pair: Any, seat: int, cheats: bool) -> None:
    """Write a seat's view beside the state, or that of an ONLOOKER (see `loop`), who sees only what is public."""


@generic
def allowed(state: Any, move: int) -> bool:
    """Whether a move is legal."""
    raise NotImplementedError


@generic
def legal(state: Any) -> int:
    """Every legal move of the seat to move, as a mask; for games that have at most 62 moves. Others have `moves`."""
    raise NotImplementedError


@generic
def moves(state: Any, room: Any) -> int:
    """Write every legal move of the seat to move, in ascending order, and return how many; for games with more moves.

    The room has `most_moves` places.
    """
    raise NotImplementedError


@generic
def most_moves(state: Any) -> int:
    """No position has more legal moves, or none has a move of a higher number if they are masks."""
    raise NotImplementedError


@generic
def legal_moves(state: Any, room: Any) -> Any:
    """Every legal move of the seat to move, as `core.move_sets` takes them: a mask, or a list in the room."""
    raise NotImplementedError


@generic
def apply(state: Any, move: int) -> None:
    """Make a legal move, or one that chance makes."""


@generic
def turns(state: Any) -> int:
    """How many moves were made."""
    raise NotImplementedError


@generic
def move_at(state: Any, turn: int) -> int:
    """The move that was made in a turn."""
    raise NotImplementedError


@generic
def result(state: Any, row: Any) -> None:
    """Write the result of a finished game, `Game.width` numbers."""


@generic
def sample_world(pair: Any, stream: int) -> None:
    """Write a state that agrees with the view beside it."""


@generic
def rewind(start: Any, pair: Any) -> None:
    """Go back to the start of a game, in the world of the pair's state; in a game of rounds, to that of its round."""


# Dice.


@generic
def chance_moves(state: Any, room: Any, chances: Any) -> int:
    """Where `to_move` is CHANCE: write the moves that chance can make and how likely each is; how many they are."""
    raise NotImplementedError


@generic
def complete(state: Any, stream: int) -> None:
    """Deal, by the numbers of a stream, what a start that somebody has written leaves open."""


@generic
def settle(state: Any, stream: int) -> None:
    """Let chance make its moves, if it is to move, by the numbers of a stream, one for every turn."""


# What search asks for, besides the functions above.


@generic
def horizon(state: Any) -> None:
    """Let a sampled world end where search stops looking: in a game of rounds, with the round."""


@generic
def payoff(state: Any, seat: int) -> float:
    """What a finished game is worth to a seat, from 0 to 1."""
    raise NotImplementedError


@generic
def information_key(state: Any, seat: int) -> int:
    """What a seat knows beyond the moves everybody saw, as a number that is not negative.

    Two states that a seat could tell apart after the same moves have different numbers.
    """
    raise NotImplementedError


@generic
def plausible(view: Any, chances: Any) -> None:
    """Write how likely a sensible player, who sees this view and is to move, is to make each of its legal moves.

    The chances are an array with a place for every move; those of the legal moves are above 0 and add up to 1, the
    others are not written.
    """


# What search in open games asks for: see `kibitz.search.open_games`. A position is all of a state that the future
# depends on, in a struct of its own if the game has one.


@generic
def positions(state: Any, count: int) -> Any:
    """An array with room for so many positions, the first of which is that of the state."""


@generic
def evaluate(position: Any, seat: int, weights: Any) -> float:
    """What a position that is not over seems worth to a seat, in points: a won game has 10,000.

    It stays between −9,000 and 9,000. The weights are those of the agent that searches, as many as it has.
    """
    raise NotImplementedError


@generic
def key(position: Any) -> int:
    """A number that tells a position from others: equal ones have the same, different ones hardly ever."""
    raise NotImplementedError


@generic
def move_order_score(position: Any, move: int) -> float:
    """How good a legal move looks before it is searched, in points: the best are tried first."""
    raise NotImplementedError


@generic
def quiescence(position: Any) -> int:
    """Whether a search may stop here: QUIET, TACTICAL if it should try some moves first, FORCED if it must make one."""
    raise NotImplementedError


@generic
def tactical_moves(position: Any, room: Any) -> Any:
    """The legal moves that quiescence search tries in a tactical position, as `legal_moves` writes them."""
    raise NotImplementedError
