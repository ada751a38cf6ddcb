"""The table loop in machine code, for any game and any mix of compiled agents.

The game is found by the type of its states (see `generic`) and an agent is a function value, so the
loop is compiled once for each game, and a new mix of agents at its table compiles nothing.
"""

from typing import Any, NamedTuple, Protocol

import numpy as np

from kibitz.core import generic
from kibitz.core.compile import compiled, struct_dtype
from kibitz.core.dice import set_dice

WORLD, SEEN = 0, 1  # the two structs of a pair: a state, and what a seat sees of it
FINISHED, ILLEGAL = -1, -2  # how the loop can end
ONLOOKER = -2  # asks `generic.show` for the view of somebody without a seat: what is public, and no dice


class Memory(Protocol):
    """What a seat remembers of this game: zeros at its start, and the agent's own business after."""

    notes: list[int]


class Weights(Protocol):
    """The numbers an agent plays by, the same in every game."""

    values: list[float]


# Structs are handed over as bare pointers. Arrays are reference-counted, and threads that update the same count wait
# for each other's caches, which costs a third of the speed of a table. Memory for weights is allocated only where used.
MEMORY = struct_dtype([("notes", np.int64, 128)])
WEIGHTS = struct_dtype([("values", np.float64, 1 << 14)])


class Seats(NamedTuple):
    """The agents at a table: one entry a seat, filled up to the most seats the game has.

    The masks have a bit for each seat. A seat that is not compiled has an entry that is never used.
    """

    decide: Any
    observe: Any
    weights: Any
    remembers: int
    cheats: int
    elsewhere: int  # players that are not compiled: the loop stops where one of them is to move


@compiled
def has(seats: int, seat: int) -> bool:
    return (seats >> seat) & 1 != 0


@compiled
def decision(move: int, reason: int, about: int = -1) -> int:
    """What a compiled agent decides, in one number: a move, which of its reasons, and what that is about."""
    return move | reason << 8 | (about + 1) << 16


@compiled
def move_of(decided: int) -> int:
    return decided & 255


@compiled
def reason_of(decided: int) -> int:
    return (decided >> 8) & 255


@compiled
def about_of(decided: int) -> int:
    return (decided >> 16) - 1


@compiled
def forget(memories: Any, seats: Seats) -> None:
    for seat in range(memories.shape[0]):
        if has(seats.remembers, seat):
            memories[seat].notes[:] = 0


@compiled
def tell(pair: Any, seats: Seats, memories: Any) -> None:
    """Let every seat that remembers see what just happened."""
    for seat in range(memories.shape[0]):
        if has(seats.remembers, seat):
            generic.show(pair, seat, has(seats.cheats, seat))
            seats.observe[seat](pair[SEEN], memories[seat], seats.weights[seat])


@compiled
def play_out(pair: Any, seats: Seats, memories: Any, log: Any) -> int:
    """Play on, noting decisions in the log, to the end or to a seat that is not compiled, which is returned.

    It also stops where an agent decides on an illegal move, the last in the log.
    """
    state, view = pair[WORLD], pair[SEEN]
    while True:
        seat = generic.to_move(state)
        if seat < 0:
            return FINISHED
        if has(seats.elsewhere, seat):
            return seat
        generic.show(pair, seat, has(seats.cheats, seat))
        decided = seats.decide[seat](view, memories[seat], seats.weights[seat])
        log[generic.turns(state)] = decided
        if not generic.allowed(state, move_of(decided)):
            return ILLEGAL
        generic.apply(state, move_of(decided))
        if seats.remembers:
            tell(pair, seats, memories)


@compiled
def play_games(
    pair: Any, seats: Seats, memories: Any, players: int, rules: int, deals: Any, dice: Any, results: Any, logs: Any
) -> int:
    """Deal and play a game for every stream of cards and of dice; how many went to their end.

    It is fewer when an agent decides on an illegal move: the log of that game ends with it.
    """
    state = pair[WORLD]
    for game in range(deals.shape[0]):
        generic.deal(state, players, rules, deals[game])
        set_dice(state, dice[game])
        if seats.remembers:
            forget(memories, seats)
            tell(pair, seats, memories)
        if play_out(pair, seats, memories, logs[game % logs.shape[0]]) != FINISHED:
            return game
        generic.result(state, results[game])
    return deals.shape[0]


@compiled
def continue_games(
    start: Any, pair: Any, seats: Seats, memories: Any, first_move: int, streams: Any, results: Any, log: Any
) -> int:
    """From the view in the pair play on, in a freshly sampled world for every stream; how many went to their end.

    A first move of −1 leaves it to the agent. One that is not legal in a sampled world is ILLEGAL.
    """
    seen = pair[SEEN : SEEN + 1].copy()
    for game in range(streams.shape[0]):
        pair[SEEN] = seen[0]
        generic.imagine(pair, streams[game])
        if seats.remembers:
            relive(start, pair, seats, memories)
        if first_move >= 0:
            if not generic.allowed(pair[WORLD], first_move):
                return ILLEGAL
            generic.apply(pair[WORLD], first_move)
            if seats.remembers:
                tell(pair, seats, memories)
        if play_out(pair, seats, memories, log) != FINISHED:
            return game
        generic.result(pair[WORLD], results[game])
    return streams.shape[0]


@compiled
def relive(start: Any, pair: Any, seats: Seats, memories: Any) -> None:
    """Give the seats the memories they would have if this state's game had been played in its world.

    In a sampled world that is the only honest way: what a seat remembers of the true world may
    speak of cards that are hidden from whoever is imagining.
    """
    now = pair[WORLD : WORLD + 1].copy()
    forget(memories, seats)
    generic.recast(start, pair)
    tell(pair, seats, memories)
    for turn in range(generic.turns(pair[WORLD]), generic.turns(now[0])):
        generic.apply(pair[WORLD], generic.move_at(now[0], turn))
        tell(pair, seats, memories)
    pair[WORLD] = now[0]


# What the table in Python asks for. Arrays are handed to machine code ten times faster than structs.


@compiled
def whose_turn(pair: Any) -> int:
    return generic.to_move(pair[WORLD])


@compiled
def turns_made(pair: Any) -> int:
    return generic.turns(pair[WORLD])


@compiled
def may_move(pair: Any, move: int) -> bool:
    """Whether a move is legal."""
    return generic.allowed(pair[WORLD], move)


@compiled
def apply_move(pair: Any, move: int) -> None:
    """Make a move that is known to be legal."""
    generic.apply(pair[WORLD], move)


@compiled
def make_move(pair: Any, move: int) -> bool:
    """Make a move if it is legal; whether it was."""
    legal: bool = generic.allowed(pair[WORLD], move)
    if legal:
        generic.apply(pair[WORLD], move)
    return legal
