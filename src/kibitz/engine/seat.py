"""Compiled agents at a table, as plain numbers: addresses of their functions, memories and weights, one struct a seat.

An agent's functions take what they need, by the names of their arguments (see `ARGUMENTS`). Around each of them a
function of one common signature, `(view, seat)`, picks that out of the seat's struct. So agents with memories and
weights of any size mix at a table and the loop is compiled once for each game, and an agent can be handed other
agents to think with: they are structs, too.
"""

import ctypes
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numba
import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.extending import intrinsic

from kibitz.engine.compile import INTERPRETED, compiled, function_address, struct_dtype
from kibitz.errors import KibitzError

Function = Callable[..., Any]
carray: Any = numba.carray  # type: ignore[attr-defined]
GUARD = 8  # words of zeros behind every struct in the room of a table: who writes there has written too far
WORD = 8  # bytes

# All fields are integers of 64 bits. An address is followed by how much is there.
SEAT = struct_dtype(
    [
        (name, np.int64)
        for name in (
            # addresses of functions of the common signature, or 0
            "decide", "observe", "watch", "truthful_moves", "infer", "estimate",
            "memory", "memory_words",  # the seat's own struct, and its size
            "public", "public_words",  # the struct of public knowledge, of which seats may share one
            "weights", "weight_count",
            "models", "model_count",  # structs like this one, of agents to think with
            "iterations", "milliseconds", "depth",  # the budget of a search
            "cheats", "random",  # traits
        )
    ]
)  # fmt: skip


class Seat(Protocol):
    """A struct of the type SEAT."""

    decide: int
    observe: int
    watch: int
    truthful_moves: int
    infer: int
    estimate: int
    memory: int
    memory_words: int
    public: int
    public_words: int
    weights: int
    weight_count: int
    models: int
    model_count: int
    iterations: int
    milliseconds: int
    depth: int
    cheats: int
    random: int


class Budget(NamedTuple):
    """How long a searching agent looks ahead at each move: so many iterations, so many milliseconds, or so many plies.

    With milliseconds, how far it looks depends on the machine; the others give the same moves everywhere. A depth is
    for searches that look at every line as far as that, and others leave it alone.
    """

    iterations: int = 0
    milliseconds: int = 0
    depth: int = 0


class Seats(NamedTuple):
    """The agents at a table. The masks have a bit for each seat; one that is not compiled has a struct of zeros."""

    seats: Any  # structs of the type SEAT
    room: Any  # the memories and the public knowledge of all of them, as words: zeros when a game begins
    # What the addresses in the structs lead to besides, held here so that it is not freed meanwhile:
    weights: Any
    models: Any
    remembers: int  # who sees what happens between its turns
    watches: int  # who keeps public knowledge, for itself and whoever shares it
    cheats: int
    elsewhere: int  # players that are not compiled: the loop stops where one of them is to move


# Addresses become structs and arrays again. Compiled, that costs nothing.


def structs_at(dtype: np.dtype[Any], address: int, count: int) -> Any:
    """The structs at an address, for plain Python."""
    count = int(count)
    memory = memoryview((ctypes.c_char * (dtype.itemsize * count)).from_address(int(address)))
    return np.frombuffer(memory, dtype, count) if count else np.zeros(0, dtype)


def struct_at(dtype: np.dtype[Any]) -> Function:
    """A function from an address to the struct of this type that is there."""
    if INTERPRETED:
        return lambda address: structs_at(dtype, address, 1)[0]
    struct = from_dtype(dtype)

    def cast(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(struct))

        return struct(types.int64), generate

    return intrinsic(cast)


if INTERPRETED:

    def numbers_at(address: int, count: int) -> Any:
        return structs_at(np.dtype(np.float64), address, int(count))

    def seats_at(address: int, count: int) -> Any:
        return structs_at(SEAT, address, count)

else:

    def pointer_to(kind: Any) -> Function:
        pointer = types.CPointer(kind)

        def cast(typing: Any, address: Any) -> Any:
            def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
                return builder.inttoptr(arguments[0], context.get_value_type(pointer))

            return pointer(types.int64), generate

        return intrinsic(cast)

    to_numbers, to_seats = pointer_to(types.float64), pointer_to(from_dtype(SEAT))

    @compiled
    def numbers_at(address: int, count: int) -> Any:
        """The array of numbers at an address; it is not reference-counted, the table holds what it lies in."""
        return carray(to_numbers(address), (count,))

    @compiled
    def seats_at(address: int, count: int) -> Any:
        """The array of structs at an address; it is not reference-counted, the table holds what it lies in."""
        return carray(to_seats(address), (count,))


# What a function of an agent may ask for, besides the view, by the name of the argument.
ARGUMENTS = {
    "memory": "memory_at(seat.memory)",  # what the seat remembers of this game: the agent's own struct
    "public": "public_at(seat.public)",  # what everybody knows, kept by the agent's function `watch`
    "weights": "numbers_at(seat.weights, seat.weight_count)",  # the numbers it plays by, the same in every game
    "budget": "Budget(seat.iterations, seat.milliseconds, seat.depth)",  # how long to search
    "models": "seats_at(seat.models, seat.model_count)",  # agents to think with: see `seated`
}


def asked_for(function: Function) -> tuple[str, ...]:
    """The names of a function's arguments behind the view."""
    return tuple(inspect.signature(function).parameters)[1:]


def of_common_signature(function: Function, memory: np.dtype[Any] | None, public: np.dtype[Any] | None) -> Function:
    """An agent's function with the arguments `(view, seat)`, not compiled yet."""
    names = asked_for(function)
    structs = {"memory": memory, "public": public}
    for name in names:
        if name not in ARGUMENTS:
            raise KibitzError(
                f"{function.__name__} of an agent asks for {name!r}. It is handed the view and, by their names, any of "
                f"{', '.join(ARGUMENTS)}."
            )
        if name in structs and structs[name] is None:
            raise KibitzError(f"{function.__name__} asks for {name!r}, and its agent declares none: {name}=….")
    given = ", ".join(["view", *(ARGUMENTS[name] for name in names)])
    text = (
        "def make(function, memory_at, public_at, numbers_at, seats_at, Budget):\n"
        f"    def with_seat(view, seat):\n        return function({given})\n    return with_seat\n"
    )
    made: dict[str, Any] = {"__name__": __name__}
    exec(text, made)
    casts = [struct_at(dtype) if dtype is not None else None for dtype in (memory, public)]
    return made["make"](compiled(function), *casts, numbers_at, seats_at, Budget)


# Calls by address.

BY_ADDRESS: dict[int, Function] = {}  # what an address stands for when interpreted


def address_of(function: Any) -> int:
    """The address of a compiled function that machine code can call."""
    if INTERPRETED:
        BY_ADDRESS[id(function)] = function
        return id(function)
    return int(function_address(function))


def calling(returns: Any) -> Function:
    """A function that calls the function of the common signature at an address."""
    if INTERPRETED:
        return lambda address, view, seat: BY_ADDRESS[int(address)](view, seat)

    def call(typing: Any, address: Any, view: Any, seat: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            kinds = [context.get_value_type(kind) for kind in (view, seat)]
            function = ir.FunctionType(context.get_value_type(returns), kinds)
            result = builder.call(builder.inttoptr(arguments[0], function.as_pointer()), arguments[1:])
            return result if returns is not types.void else context.get_dummy_value()

        return returns(types.int64, view, seat), generate

    return intrinsic(call)


decide_at = calling(types.int64)
observe_at = calling(types.void)
estimate_at = calling(types.float64)


@compiled
def has(seats: int, seat: int) -> bool:
    return (seats >> seat) & 1 != 0


@compiled
def watch_alike(seat: Seat, other: Seat) -> bool:
    """Whether two seats come to the same public knowledge: they watch by the same function, with the same weights."""
    return seat.watch == other.watch and seat.weights == other.weights


@compiled
def take_room(seats: Any, watches: int, first: int) -> int:
    """Give every seat its part of a room that begins at an address, and share public knowledge; the words it takes.

    A seat that watches keeps its own public knowledge. Whoever does not, and asks for some, shares that of the last
    before it that watches the same way.
    """
    word = 0
    for seat in range(seats.shape[0]):
        here = seats[seat]
        if here.memory_words > 0:
            here.memory = first + WORD * word
            word += here.memory_words + GUARD
        if has(watches, seat):
            here.public = first + WORD * word
            word += here.public_words + GUARD
        elif here.watch != 0:
            for other in range(seat):
                if watch_alike(seats[other], here):
                    here.public = seats[other].public
    return word


@compiled
def first_watchers(seats: Any) -> int:
    """Of the seats that keep the same public knowledge the first, as a mask."""
    watches = 0
    for seat in range(seats.shape[0]):
        alone = seats[seat].watch != 0
        for other in range(seat):
            alone = alone and not watch_alike(seats[other], seats[seat])
        watches |= int(alone) << seat
    return watches


@compiled
def masks(seats: Any) -> tuple[int, int, int]:
    """Who remembers, who cheats, and who is not there, as masks."""
    remembers, cheats, elsewhere = 0, 0, 0
    for seat in range(seats.shape[0]):
        remembers |= int(seats[seat].observe != 0) << seat
        cheats |= int(seats[seat].cheats != 0) << seat
        elsewhere |= int(seats[seat].decide == 0) << seat
    return remembers, cheats, elsewhere


def has_memory(seats: Seats) -> bool:
    """Whether any seat keeps anything between its turns; some do so without observing."""
    return bool((seats.seats["memory_words"] > 0).any() or (seats.seats["public_words"] > 0).any())


@compiled
def words_of(seats: Any) -> int:
    """How many words the memories and the public knowledge of all seats take at most."""
    words = 0
    for seat in range(seats.shape[0]):
        words += seats[seat].memory_words + seats[seat].public_words + 2 * GUARD
    return words


@compiled
def seated(models: Any, which: Any) -> Seats:
    """A table for thinking: which of the models plays in each of its seats, with memories of their own.

    It must not outlive the table of whoever thinks, which holds the models' weights.
    """
    seats = np.zeros(which.shape[0], SEAT)
    for seat in range(which.shape[0]):
        seats[seat] = models[which[seat]]
    room = np.zeros(words_of(seats), np.int64)
    watches = first_watchers(seats)
    take_room(seats, watches, room.ctypes.data)
    remembers, cheats, elsewhere = masks(seats)
    return Seats(seats, room, np.zeros(0), models[:0], remembers, watches, cheats, elsewhere)
