"""Compiled agents at a table as plain numbers: one struct per seat, with the addresses of functions and memories.

An agent's functions declare what they need by the names of their arguments (see `ARGUMENTS`). A wrapper with the common
signature `(view, seat)` reads that from the seat's struct. So agents with memories and weights of any size mix at one
table, the loop is compiled once per game, and an agent can use other agents as models, because they are structs, too.
"""

import ctypes
import inspect
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numba
import numpy as np
from numba import from_dtype, types
from numba.extending import intrinsic

from kibitz.engine.compile import INTERPRETED, compiled, function_address, struct_dtype
from kibitz.errors import KibitzError

Function = Callable[..., Any]
carray: Any = numba.carray  # type: ignore[attr-defined]
GUARD = 8  # canary words behind every struct in a table's memory: zeros, which detect overruns
WORD = 8  # bytes

# All fields are 64-bit integers. An address is followed by the size of what it points to.
SEAT = struct_dtype(
    [
        (name, np.int64)
        for name in (
            # addresses of functions with the common signature, or 0
            "decide", "observe", "watch", "truthful_moves", "infer", "estimate", "chance",
            "memory", "memory_words",  # the seat's own struct
            "public", "public_words",  # the struct of public knowledge, which seats may share
            "weights", "weight_count",
            "models", "model_count",  # structs like this one, for the agents that this agent uses as models
            "iterations", "milliseconds", "depth",  # the search budget
            "cheats", "random",  # traits
            "reasons",  # the number of reasons that its decisions may give
            "calling",  # which of its functions is running
        )
    ]
)  # fmt: skip


class Seat(Protocol):
    """A struct of type SEAT."""

    decide: int
    observe: int
    watch: int
    truthful_moves: int
    infer: int
    estimate: int
    chance: int
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
    reasons: int
    calling: int


IDLE, DECIDING, OBSERVING, WATCHING = range(4)  # values of `calling`


class Budget(NamedTuple):
    """The search budget per move: iterations, milliseconds, or a depth in plies.

    A budget in milliseconds depends on the machine; the others give the same moves everywhere. A depth is for searches
    that look at every line to that depth; other searches ignore it.
    """

    iterations: int = 0
    milliseconds: int = 0
    depth: int = 0


class Seats(NamedTuple):
    """The agents at a table. Masks have one bit per seat; the struct of a player that is not compiled is all zeros."""

    seats: Any  # structs of type SEAT
    room: Any  # memories and public knowledge of all seats, in words; zeros when a game begins
    # The structs contain only addresses. These are held here so that they are not freed:
    weights: Any
    models: Any
    remembers: int  # seats that observe what happens between their turns
    watches: int  # seats that update public knowledge, their own or shared
    cheats: int
    elsewhere: int  # players that are not compiled: the loop stops when one of them is to move


# Casts from addresses to structs and arrays. They cost nothing in machine code.


def structs_at(dtype: np.dtype[Any], address: int, count: int) -> Any:
    """The structs at an address, in plain Python."""
    count = int(count)
    memory = memoryview((ctypes.c_char * (dtype.itemsize * count)).from_address(int(address)))
    return np.frombuffer(memory, dtype, count) if count else np.zeros(0, dtype)


def struct_at(dtype: np.dtype[Any]) -> Function:
    """A function that casts an address to a struct of this type."""
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
        """The array of floats at an address. It is not reference-counted: the table owns the memory."""
        return carray(to_numbers(address), (count,))

    @compiled
    def seats_at(address: int, count: int) -> Any:
        """The array of SEAT structs at an address. It is not reference-counted: the table owns the memory."""
        return carray(to_seats(address), (count,))


# What an agent's function can take besides the view, by argument name.
ARGUMENTS = {
    "memory": "memory_at(seat.memory)",  # what the seat remembers of this game: a struct that the agent declares
    "public": "public_at(seat.public)",  # public knowledge, updated by the agent's function `watch`
    "weights": "numbers_at(seat.weights, seat.weight_count)",  # the same in every game
    "settings": "settings_at(seat.weights, seat.weight_count)",  # of its search: named numbers that are never trained
    "book": "book_at(seat.weights, seat.weight_count)",  # positions with their values, from a file
    "budget": "Budget(seat.iterations, seat.milliseconds, seat.depth)",  # the search budget
    "models": "seats_at(seat.models, seat.model_count)",  # agents to simulate: see `seat_models`
}


def argument_names(function: Function) -> tuple[str, ...]:
    """The names of a function's arguments after the view."""
    return tuple(inspect.signature(function).parameters)[1:]


def with_common_signature(function: Function, memory: np.dtype[Any] | None, public: np.dtype[Any] | None) -> Function:
    """An agent's function, wrapped to take `(view, seat)` and not yet compiled."""
    names = argument_names(function)
    structs = {"memory": memory, "public": public}
    for name in names:
        if name not in ARGUMENTS:
            raise KibitzError(
                f"{function.__name__}, a function of an agent, has an argument {name!r}. It gets the view first, then "
                f"any of {', '.join(ARGUMENTS)}, by name."
            )
        if name in structs and structs[name] is None:
            raise KibitzError(
                f"{function.__name__} has an argument {name!r}, but its agent declares no {name} struct. Declare one "
                f"with {name}=…."
            )
    given = ", ".join(["view", *(ARGUMENTS[name] for name in names)])
    text = (
        "def make(function, memory_at, public_at, numbers_at, settings_at, book_at, seats_at, Budget):\n"
        f"    def with_seat(view, seat):\n        return function({given})\n    return with_seat\n"
    )
    made: dict[str, Any] = {"__name__": __name__}
    exec(text, made)
    casts = [struct_at(dtype) if dtype is not None else None for dtype in (memory, public)]
    return made["make"](compiled(function), *casts, numbers_at, settings_at, book_at, seats_at, Budget)


# Behind its weights a seat may have two more vectors, each after its length: settings, and a book of positions.


@compiled
def vector_behind(address: int) -> Any:
    """The vector at an address, where its length comes first."""
    return numbers_at(address + WORD, int(numbers_at(address, 1)[0]))


@compiled
def settings_at(weights: int, count: int) -> Any:
    return vector_behind(weights + WORD * count)


@compiled
def book_at(weights: int, count: int) -> Any:
    return vector_behind(weights + WORD * (count + 1 + settings_at(weights, count).shape[0]))


# Calls by address.

BY_ADDRESS: dict[int, Function] = {}  # stands in for machine code when interpreted


def address_of(function: Any) -> int:
    """The address of a compiled function, for calls from machine code."""
    if INTERPRETED:
        BY_ADDRESS[id(function)] = function
        return id(function)
    return int(function_address(function))


def caller(returns: Any) -> Function:
    """A function that calls the function of the common signature at an address.

    It calls in Numba's own way, which returns an error status besides the result: an exception in the callee continues
    in the caller, and at last in Python. Through the address for C it would be printed and forgotten.
    """
    if INTERPRETED:
        return lambda address, view, seat: BY_ADDRESS[int(address)](view, seat)

    def call(typing: Any, address: Any, view: Any, seat: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            convention, kinds = context.call_conv, signature.args[1:]
            pointer = convention.get_function_type(returns, kinds).as_pointer()
            function = builder.inttoptr(arguments[0], pointer)
            status, result = convention.call_function(builder, function, returns, kinds, arguments[1:])
            with builder.if_then(status.is_error, likely=False):
                convention.return_status_propagate(builder, status)
            return result

        return returns(types.int64, view, seat), generate

    return intrinsic(call)


decide_at = caller(types.int64)
observe_at = caller(types.void)
estimate_at = caller(types.float64)
chance_at = estimate_at


@compiled
def has(seats: int, seat: int) -> bool:
    return (seats >> seat) & 1 != 0


@compiled
def watch_alike(seat: Seat, other: Seat) -> bool:
    """Whether two seats maintain the same public knowledge: same function `watch`, same weights."""
    return seat.watch == other.watch and seat.weights == other.weights


@compiled
def take_room(seats: Any, watches: int, first: int) -> int:
    """Assign each seat its part of the memory that begins at an address, and share public knowledge; the words used.

    A seat that watches keeps its own public knowledge. A seat that only reads it shares that of the last earlier seat
    that watches in the same way.
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
    """The first seat of each group that maintains the same public knowledge, as a mask."""
    watches = 0
    for seat in range(seats.shape[0]):
        alone = seats[seat].watch != 0
        for other in range(seat):
            alone = alone and not watch_alike(seats[other], seats[seat])
        watches |= int(alone) << seat
    return watches


@compiled
def masks(seats: Any) -> tuple[int, int, int]:
    """The seats that remember, that cheat, and that are not compiled, as masks."""
    remembers, cheats, elsewhere = 0, 0, 0
    for seat in range(seats.shape[0]):
        remembers |= int(seats[seat].observe != 0) << seat
        cheats |= int(seats[seat].cheats != 0) << seat
        elsewhere |= int(seats[seat].decide == 0) << seat
    return remembers, cheats, elsewhere


def has_memory(seats: Seats) -> bool:
    """Whether any seat stores anything between its turns; agents may do so without observing."""
    return bool((seats.seats["memory_words"] > 0).any() or (seats.seats["public_words"] > 0).any())


@compiled
def words_of(seats: Any) -> int:
    """The maximum number of words that the memories and the public knowledge of all seats take."""
    words = 0
    for seat in range(seats.shape[0]):
        words += seats[seat].memory_words + seats[seat].public_words + 2 * GUARD
    return words


@compiled
def seat_models(models: Any, which: Any) -> Seats:
    """A table for simulated play: `which` selects the model in each seat. The memories are new.

    It must not outlive the searching agent's table, which owns the models' weights.
    """
    seats = np.zeros(which.shape[0], SEAT)
    for seat in range(which.shape[0]):
        seats[seat] = models[which[seat]]
    room = np.zeros(words_of(seats), np.int64)
    watches = first_watchers(seats)
    take_room(seats, watches, room.ctypes.data)
    remembers, cheats, elsewhere = masks(seats)
    return Seats(seats, room, np.zeros(0), models[:0], remembers, watches, cheats, elsewhere)
