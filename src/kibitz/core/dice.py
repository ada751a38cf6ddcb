"""Every seat's own dice, for any game whose states have the fields `players`, `dice` and `streams`.

The streams, one a seat, are made from one number of the game by a one-way function. A view has the dice of its seat
for the turn and no streams, so it says nothing about what others roll: neither now, nor before, nor later.
"""

from typing import Any

from kibitz.core.compile import compiled
from kibitz.core.seeds import number, one_way


@compiled
def set_dice(state: Any, dice: int) -> None:
    """Give every player's seat its stream, all of them made from the game's one number."""
    state.dice = 0
    for seat in range(state.players):
        state.streams[seat] = one_way(dice, seat)
    for seat in range(state.players, state.streams.shape[0]):
        state.streams[seat] = 0


@compiled
def imagine_dice(world: Any, stream: int) -> None:
    """Give the players of a world, which is a copy of a view, any dice.

    Splitmix64 will do, at a fifth of the cost: who samples a world knows all of it.
    """
    world.dice = 0
    for seat in range(world.players):
        world.streams[seat] = number(stream, seat)


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
