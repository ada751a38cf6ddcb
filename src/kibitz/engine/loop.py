"""The table loop in machine code, for any game and any mix of compiled agents.

The game is found by the type of its states (see `generic`) and an agent is a struct of addresses (see `seat`), so
the loop is compiled once for each game, and a new mix of agents at its table compiles nothing.
"""

from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.dice import chance_move, chance_stream, set_dice
from kibitz.engine.seat import Seats, decide_at, has, observe_at
from kibitz.engine.seeds import number

WORLD, SEEN = 0, 1  # the two records of a pair: a state, and what a seat sees of it
FINISHED, ILLEGAL, TOO_LONG = -1, -2, -3  # how the loop can end
ONLOOKER = -2  # asks `generic.show` for the view of somebody without a seat: what is public, and no dice


# A decision is one number: 43 bits of a move, 8 of which of the agent's reasons, 12 of what that is about.
MOVE_BITS, REASON_BITS = 43, 8


@compiled
def decision(move: int, reason: int, about: int = -1) -> int:
    """What a compiled agent decides: a move, which of its reasons, and what that is about, from −1 to 4094."""
    return move | reason << MOVE_BITS | (about + 1) << (MOVE_BITS + REASON_BITS)


@compiled
def move_of(decided: int) -> int:
    return decided & ((1 << MOVE_BITS) - 1)


@compiled
def reason_of(decided: int) -> int:
    return (decided >> MOVE_BITS) & ((1 << REASON_BITS) - 1)


@compiled
def about_of(decided: int) -> int:
    return (decided >> (MOVE_BITS + REASON_BITS)) - 1


@compiled
def listens(seats: Seats) -> bool:
    """Whether anybody is to be told what happens."""
    return seats.remembers | seats.watches != 0


@compiled
def tell(pair: Any, seats: Seats) -> None:
    """Let every seat that remembers see what just happened, and public knowledge be kept from what an onlooker sees.

    What chance does is seen together with the move before it.
    """
    view, structs = pair[SEEN], seats.seats
    if seats.watches:
        generic.observe(pair, ONLOOKER, False)
        for seat in range(structs.shape[0]):
            if has(seats.watches, seat):
                observe_at(structs[seat].watch, view, structs[seat])
    if seats.remembers:
        for seat in range(structs.shape[0]):
            if has(seats.remembers, seat):
                generic.observe(pair, seat, has(seats.cheats, seat))
                observe_at(structs[seat].observe, view, structs[seat])


@compiled
def play_out(pair: Any, seats: Seats, log: Any) -> int:
    """Play on, noting decisions in the log, to the end or to a seat that is not compiled, which is returned.

    It also stops where an agent decides on an illegal move, the last in the log, and where the log has no room for
    another.
    """
    state, view = pair[WORLD], pair[SEEN]
    structs, anybody_listens = seats.seats, listens(seats)  # an array taken out of a tuple is reference-counted
    while True:
        seat = generic.to_move(state)
        if seat < 0:
            return FINISHED
        if has(seats.elsewhere, seat):
            return seat
        turn = generic.turns(state)
        if turn >= log.shape[0]:
            return TOO_LONG
        generic.observe(pair, seat, has(seats.cheats, seat))
        decided = decide_at(structs[seat].decide, view, structs[seat])
        log[turn] = decided
        if not generic.allowed(state, move_of(decided)):
            return ILLEGAL
        generic.apply(state, move_of(decided))
        generic.settle(state, chance_stream(state))
        if anybody_listens:
            tell(pair, seats)


@compiled
def play_games(
    pair: Any, seats: Seats, players: int, rules: int, deals: Any, dice: Any, results: Any, logs: Any
) -> int:
    """Deal and play a game for every stream of cards and of dice; how many went to their end.

    It is fewer when an agent decides on an illegal move, which is the last in the log of that game, and when the log is
    full.
    """
    state = pair[WORLD]
    for game in range(deals.shape[0]):
        generic.deal(state, players, rules, deals[game])
        set_dice(state, dice[game])
        generic.settle(state, chance_stream(state))
        seats.room[:] = 0  # an agent may keep a memory without observing
        if listens(seats):
            tell(pair, seats)
        if play_out(pair, seats, logs[game % logs.shape[0]]) != FINISHED:
            return game
        generic.result(state, results[game])
    return deals.shape[0]


@compiled
def play_games_from(start: Any, pair: Any, seats: Seats, cards: Any, dice: Any, results: Any, logs: Any) -> int:
    """Like `play_games`, but every game begins with the one state of `start`: what that leaves open is dealt."""
    state = pair[WORLD]
    for game in range(dice.shape[0]):
        pair[WORLD] = start[0]
        generic.complete(state, cards[game])
        set_dice(state, dice[game])
        generic.settle(state, chance_stream(state))
        seats.room[:] = 0  # an agent may keep a memory without observing
        if listens(seats):
            tell(pair, seats)
        if play_out(pair, seats, logs[game % logs.shape[0]]) != FINISHED:
            return game
        generic.result(state, results[game])
    return dice.shape[0]


@compiled
def continue_games(start: Any, pair: Any, seats: Seats, first_move: int, streams: Any, results: Any, log: Any) -> int:
    """From the view in the pair play on, in a freshly sampled world for every stream; how many went to their end.

    A first move of −1 leaves it to the agent. One that is not legal in a sampled world is ILLEGAL.
    """
    seen = pair[SEEN : SEEN + 1].copy()
    for game in range(streams.shape[0]):
        pair[SEEN] = seen[0]
        generic.sample_world(pair, streams[game])
        seats.room[:] = 0
        if listens(seats):
            relive(start, pair, seats)
        if first_move >= 0:
            if not generic.allowed(pair[WORLD], first_move):
                return ILLEGAL
            generic.apply(pair[WORLD], first_move)
            generic.settle(pair[WORLD], chance_stream(pair[WORLD]))
            if listens(seats):
                tell(pair, seats)
        if play_out(pair, seats, log) != FINISHED:
            return game
        generic.result(pair[WORLD], results[game])
    return streams.shape[0]


@compiled
def relive(start: Any, pair: Any, seats: Seats) -> None:
    """Give the seats the memories they would have if this state's game had been played in its world.

    In a sampled world that is the only honest way: what a seat remembers of the true world may
    speak of cards that are hidden from whoever is imagining.
    """
    now = pair[WORLD : WORLD + 1].copy()
    seats.room[:] = 0
    generic.rewind(start, pair)
    if generic.to_move(pair[WORLD]) != generic.CHANCE:
        tell(pair, seats)
    for turn in range(generic.turns(pair[WORLD]), generic.turns(now[0])):
        generic.apply(pair[WORLD], generic.move_at(now[0], turn))
        if generic.to_move(pair[WORLD]) != generic.CHANCE:
            tell(pair, seats)
    pair[WORLD] = now[0]


@compiled
def chance_moves_now(pair: Any) -> int:
    """The move that chance makes now, where it is to move."""
    state = pair[WORLD]
    room = np.empty(generic.most_moves(state), np.int64)
    rolled = number(chance_stream(state), generic.turns(state))
    return chance_move(state, room, np.empty(room.shape[0]), rolled)


# What the table in Python asks for. Arrays are handed to machine code ten times faster than records.


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
