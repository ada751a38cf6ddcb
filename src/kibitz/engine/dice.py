"""Every seat's own dice, for any game whose states have the fields `players`, `dice` and `streams`; those of chance.

The streams, one a seat, are made from one number of the game by a one-way function. A view has the dice of its seat
for the turn and no streams, so it says nothing about what others roll: neither now, nor before, nor later.

A game in which chance makes moves (`generic.chance_moves`) has a field `chance` for its stream, which no view shows.
"""

from typing import Any

from numba.extending import overload

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.seeds import number, one_way

CHANCE_STREAM = 1 << 20  # its number among those that are made from the number of a game
SHARE = 2.0**-63  # makes a share of 1 of a number of a stream


def chance_stream(state: Any) -> int:
    """Where the moves of chance come from; 0 in a game that has none."""
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
    """The move that chance makes by a number from 0 up to 2**63."""
    left = rolled * SHARE
    count = generic.chance_moves(state, room, chances)
    for place in range(count - 1):
        left -= chances[place]
        if left < 0.0:
            return room[place]
    return room[count - 1]


@compiled
def set_dice(state: Any, dice: int) -> None:
    """Give every player's seat its stream, all of them made from the game's one number."""
    state.dice = 0
    for seat in range(state.players):
        state.streams[seat] = one_way(dice, seat)
    for seat in range(state.players, state.streams.shape[0]):
        state.streams[seat] = 0
    set_chance_stream(state, one_way(dice, CHANCE_STREAM))


@compiled
def imagine_dice(world: Any, stream: int) -> None:
    """Give the players of a world, which is a copy of a view, any dice.

    Splitmix64 will do, at a fifth of the cost: who samples a world knows all of it.
    """
    world.dice = 0
    for seat in range(world.players):
        world.streams[seat] = number(stream, seat)
    set_chance_stream(world, number(stream, CHANCE_STREAM))


@compiled
def dice_of(state: Any, seat: int, turn: int) -> int:
    """What a seat rolls by in a turn. Without `set_dice`, as in a position, seats have different dice all the same."""
    return number(state.streams[seat], turn * state.streams.shape[0] + seat)


@compiled
def show_dice(view: Any, seat: int, turn: int) -> None:
    """Turn the streams in a copy of a state into what a seat may see: its dice for this turn. An onlooker has none."""
    view.dice = dice_of(view, seat, turn) if seat >= 0 else 0
    for other in range(view.streams.shape[0]):
        view.streams[other] = 0
    set_chance_stream(view, 0)
