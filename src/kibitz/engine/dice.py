"""Dice: a separate stream of random numbers for every seat, and one for chance.

The states have the fields `players`, `dice` and `streams`. A one-way function derives the streams from one number of
the game. A view contains only the seat's own dice of this turn, so it reveals nothing about other rolls: past, present
or future.

A game in which chance moves (`generic.chance_moves`) also has a field `chance` for the stream of chance, which no view
shows.
"""

from typing import Any

from numba.extending import overload

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import number, one_way

CHANCE_STREAM = 1 << 20  # its index among the streams derived from the game's number
SHARE = 2.0**-63  # turns a number of a stream into a fraction


def chance_stream(state: Any) -> int:
    """The stream of the moves of chance; 0 in a game without them."""
    return int(state["chance"]) if "chance" in state.dtype.names else 0


def set_chance_stream(state: Any, stream: int) -> None:
    if "chance" in state.dtype.names:
        state["chance"] = stream


@overload(chance_stream)
def compiled_chance_stream(state):  # type: ignore[no-untyped-def]
    return (lambda state: state.chance) if "chance" in state.fields else (lambda state: 0)


@overload(set_chance_stream)
def compiled_set_chance_stream(state, stream):  # type: ignore[no-untyped-def]
    def set_field(state, stream):  # type: ignore[no-untyped-def]
        state.chance = stream

    def leave(state, stream):  # type: ignore[no-untyped-def]
        pass

    return set_field if "chance" in state.fields else leave


@compiled
def chance_move(state: Any, room: Any, chances: Any, rolled: int) -> int:
    """The move of chance for a random number from 0 up to 2**63."""
    left = rolled * SHARE
    count = generic.chance_moves(state, room, chances)
    for place in range(count - 1):
        left -= chances[place]
        if left < 0.0:
            return room[place]
    return room[count - 1]


@compiled
def set_dice(state: Any, dice: int) -> None:
    """Derive every seat's stream, and that of chance, from the game's number."""
    state.dice = 0
    for seat in range(state.players):
        state.streams[seat] = one_way(dice, seat)
    for seat in range(state.players, state.streams.shape[0]):
        state.streams[seat] = 0
    set_chance_stream(state, one_way(dice, CHANCE_STREAM))


@compiled
def sample_dice(world: Any, stream: int) -> None:
    """Give the seats of a sampled world, a copy of a view, random dice.

    Splitmix64 is good enough here and takes a fifth of the time: the searching seat may know all of a sampled world.
    """
    world.dice = 0
    for seat in range(world.players):
        world.streams[seat] = number(stream, seat)
    set_chance_stream(world, number(stream, CHANCE_STREAM))


@compiled
def dice_of(state: Any, seat: int, turn: int) -> int:
    """A seat's dice in a turn. They differ between seats even in positions for which `set_dice` was not called."""
    return number(state.streams[seat], turn * state.streams.shape[0] + seat)


@compiled
def observe_dice(view: Any, seat: int, turn: int) -> None:
    """In a copy of a state, replace the streams by what a seat may see: its own dice for this turn, none for an
    onlooker.
    """
    view.dice = dice_of(view, seat, turn) if seat >= 0 else 0
    for other in range(view.streams.shape[0]):
        view.streams[other] = 0
    set_chance_stream(view, 0)
