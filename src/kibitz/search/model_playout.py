"""Playouts with other agents, the models, in every seat."""

from typing import Any

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.dice import chance_stream
from kibitz.engine.loop import ILLEGAL, TOO_LONG, WORLD, has_observers, notify_observers, play_out
from kibitz.engine.seat import Seats, estimate_at
from kibitz.errors import DecisionError


@compiled
def restore(seats: Seats, memories: Any) -> None:
    """Restore the models' memories."""
    for word in range(memories.shape[0]):
        seats.room[word] = memories[word]


@compiled
def play_with_models(world: Any, memories: Any, move: int, seats: Seats, pair: Any, log: Any, me: int) -> float:
    """Make a move in a world, let models with these memories finish the game, and return the payoff.

    If the log is full first, the payoff is the estimate of the model to move, if it has one.
    """
    pair[WORLD] = world[0]
    state = pair[WORLD]
    restore(seats, memories)
    mover = generic.to_move(state)
    generic.apply(state, move)
    generic.resolve_chance(state, chance_stream(state))
    if has_observers(seats):
        notify_observers(pair, seats, mover)
    ended = play_out(pair, seats, log)
    if ended == ILLEGAL:
        raise DecisionError("a model decided on an illegal move")
    if ended == TOO_LONG:
        struct = seats.seats[generic.to_move(state)]
        if struct.estimate != 0:
            return estimate_at(struct.estimate, state, struct)
    return generic.payoff(state, me)
