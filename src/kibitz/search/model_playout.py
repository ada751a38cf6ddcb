"""Playing a sampled world on with other agents, the models, in every seat."""

from typing import Any

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.dice import chance_stream
from kibitz.engine.loop import TOO_LONG, WORLD, has_observers, notify_observers, play_out
from kibitz.engine.seat import Seats, estimate_at


@compiled
def restore(seats: Seats, memories: Any) -> None:
    """Restore what the models remember."""
    for word in range(memories.shape[0]):
        seats.room[word] = memories[word]


@compiled
def play_with_models(world: Any, memories: Any, move: int, seats: Seats, pair: Any, log: Any, me: int) -> float:
    """Make a move in a world, let models with these memories play on, and return the payoff.

    A game that is not over when the log is full is worth what the model to move estimates, if it can.
    """
    pair[WORLD] = world[0]
    state = pair[WORLD]
    restore(seats, memories)
    generic.apply(state, move)
    generic.resolve_chance(state, chance_stream(state))
    if has_observers(seats):
        notify_observers(pair, seats)
    if play_out(pair, seats, log) == TOO_LONG:
        struct = seats.seats[generic.to_move(state)]
        if struct.estimate != 0:
            return estimate_at(struct.estimate, state, struct)
    return generic.payoff(state, me)
