"""The table loop in machine code, for any game and any mix of compiled agents.

The type of the states selects the game (see `generic`) and an agent is a struct of addresses (see `seat`). So the loop
is compiled once per game, and a new mix of agents compiles nothing.
"""

from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import compiled
from kibitz.engine.dice import chance_move, chance_stream, set_dice
from kibitz.engine.seat import DECIDING, IDLE, OBSERVING, WATCHING, Seat, Seats, decide_at, has, observe_at
from kibitz.engine.seeds import number
from kibitz.errors import DecisionError

# A pair is an array of two structs: pair[WORLD] is a state and pair[SEEN] is a seat's view of it.
WORLD, SEEN = 0, 1
FINISHED, ILLEGAL, TOO_LONG = -1, -2, -3  # how the loop can end
ONLOOKER = -2  # the seat number of a viewer without a seat, who sees what is public and no dice


# A decision is one number: 43 bits for the move, 8 for the index of the agent's reason, 11 for the reason's subject,
# and a bit that small numbers lack: a move or a slot alone is no decision.
MOVE_BITS, REASON_BITS, SUBJECT_BITS = 43, 8, 11
DECIDED, REFUSED = 1 << 62, 1 << 61
LAST_REASON = (1 << REASON_BITS) - 1  # the last of the agent's reasons, however many there are
# The parts of a decision that can be out of range: see `refused`.
PARTS = ("number", "move", "reason", "subject", "slot", "seat", "hint value")
NUMBER, MOVE, REASON, SUBJECT, SLOT, SEAT_NUMBER, HINT_VALUE = range(len(PARTS))
VALUE_BITS = 40


@compiled
def decision(move: int, reason: int, about: int = -1) -> int:
    """A compiled agent's decision: a move, the index of a reason, and the reason's subject, from −1 to 2046."""
    if move >> MOVE_BITS != 0:
        return refused(MOVE, move)
    if reason >> REASON_BITS != 0:
        return refused(REASON, reason)
    if (about + 1) >> SUBJECT_BITS != 0:
        return refused(SUBJECT, about)
    return DECIDED | move | reason << MOVE_BITS | (about + 1) << (MOVE_BITS + REASON_BITS)


@compiled
def refused(part: int, value: int) -> int:
    """What is returned in place of a decision with a part that is out of range: it ends the game."""
    return REFUSED | part << VALUE_BITS | (value & ((1 << VALUE_BITS) - 1))


@compiled
def is_decision(decided: int, reasons: int) -> bool:
    """Whether a number is a decision of an agent that declares this number of reasons."""
    reason = reason_of(decided)
    return decided >> (MOVE_BITS + REASON_BITS + SUBJECT_BITS) == 1 and (reason < reasons or reason == LAST_REASON)


@compiled
def move_of(decided: int) -> int:
    return decided & ((1 << MOVE_BITS) - 1)


@compiled
def reason_of(decided: int) -> int:
    return (decided >> MOVE_BITS) & ((1 << REASON_BITS) - 1)


@compiled
def about_of(decided: int) -> int:
    return ((decided >> (MOVE_BITS + REASON_BITS)) & ((1 << SUBJECT_BITS) - 1)) - 1


@compiled
def move_by(seat: Seat, view: Any) -> int:
    """The move that an agent decides on, which need not be legal."""
    seat.calling = DECIDING
    decided = decide_at(seat.decide, view, seat)
    if not is_decision(decided, seat.reasons):
        raise DecisionError("it returned a number that is not a decision, see kibitz.engine.loop.decision")
    seat.calling = IDLE
    return move_of(decided)


@compiled
def has_observers(seats: Seats) -> bool:
    """Whether any seat observes what happens between its turns."""
    return seats.remembers | seats.watches != 0


@compiled
def notify_observers(pair: Any, seats: Seats, mover: int = -1) -> None:
    """Show the state to every seat that remembers, and an onlooker's view to those that keep public knowledge.

    A roll is seen together with the move before it, and a private turn only by the seat that made it: the mover, or −1
    where no turn is private.
    """
    view, structs = pair[SEEN], seats.seats
    private = mover >= 0 and generic.is_private(pair[WORLD], generic.turns(pair[WORLD]) - 1)
    if seats.watches and not private:
        generic.observe(pair, ONLOOKER, False)
        for seat in range(structs.shape[0]):
            if has(seats.watches, seat):
                structs[seat].calling = WATCHING
                observe_at(structs[seat].watch, view, structs[seat])
                structs[seat].calling = IDLE
    if seats.remembers:
        for seat in range(structs.shape[0]):
            if has(seats.remembers, seat) and (seat == mover or not private):
                generic.observe(pair, seat, has(seats.cheats, seat))
                structs[seat].calling = OBSERVING
                observe_at(structs[seat].observe, view, structs[seat])
                structs[seat].calling = IDLE


@compiled
def play_out(pair: Any, seats: Seats, log: Any) -> int:
    """Play on and log decisions, until the game is over or an external player is to move, whose seat is returned.

    It also stops after an illegal decision, which is the last in the log, and when the log is full. An exception of an
    agent ends it, too, and leaves in the seat's struct which of its functions was running.
    """
    state, view = pair[WORLD], pair[SEEN]
    structs, observed = seats.seats, has_observers(seats)  # reading an array from a tuple counts a reference
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
        structs[seat].calling = DECIDING
        decided = decide_at(structs[seat].decide, view, structs[seat])
        structs[seat].calling = IDLE
        log[turn] = decided
        if not is_decision(decided, structs[seat].reasons) or not generic.allowed(state, move_of(decided)):
            return ILLEGAL
        generic.apply(state, move_of(decided))
        generic.resolve_chance(state, chance_stream(state))
        if observed:
            notify_observers(pair, seats, seat)


@compiled
def play_games(
    pair: Any, seats: Seats, players: int, rules: int, deals: Any, dice: Any, results: Any, logs: Any, finished: Any
) -> None:
    """Deal and play one game per pair of streams, and count in `finished[0]` those that were finished.

    It stops early if an agent decided on an illegal move, which is then the last in that game's log, if the log was
    full, or with the exception that an agent raised.
    """
    state = pair[WORLD]
    for game in range(deals.shape[0]):
        generic.deal(state, players, rules, deals[game])
        set_dice(state, dice[game])
        generic.resolve_chance(state, chance_stream(state))
        seats.room[:] = 0  # agents that do not observe may have a memory, too
        if has_observers(seats):
            notify_observers(pair, seats)
        if play_out(pair, seats, logs[game % logs.shape[0]]) != FINISHED:
            return
        generic.result(state, results[game])
        finished[0] = game + 1


@compiled
def play_games_from(
    start: Any, pair: Any, seats: Seats, cards: Any, dice: Any, results: Any, logs: Any, finished: Any
) -> None:
    """Like `play_games`, but every game begins with the state in `start`; what it leaves open is dealt."""
    state = pair[WORLD]
    for game in range(dice.shape[0]):
        pair[WORLD] = start[0]
        generic.deal_the_rest(state, cards[game])
        set_dice(state, dice[game])
        generic.resolve_chance(state, chance_stream(state))
        seats.room[:] = 0  # agents that do not observe may have a memory, too
        if has_observers(seats):
            notify_observers(pair, seats)
        if play_out(pair, seats, logs[game % logs.shape[0]]) != FINISHED:
            return
        generic.result(state, results[game])
        finished[0] = game + 1


@compiled
def continue_games(start: Any, pair: Any, seats: Seats, first_move: int, streams: Any, results: Any, log: Any) -> int:
    """Finish the game of the pair's view once per stream, each time in a newly sampled world; how many were finished.

    With first_move = −1 the agent chooses the first move. A first move that is illegal in a sampled world returns
    ILLEGAL.
    """
    seen = pair[SEEN : SEEN + 1].copy()
    for game in range(streams.shape[0]):
        pair[SEEN] = seen[0]
        generic.sample_world(pair, streams[game])
        seats.room[:] = 0
        if has_observers(seats):
            replay_memories(start, pair, seats)
        if first_move >= 0:
            if not generic.allowed(pair[WORLD], first_move):
                return ILLEGAL
            mover = generic.to_move(pair[WORLD])
            generic.apply(pair[WORLD], first_move)
            generic.resolve_chance(pair[WORLD], chance_stream(pair[WORLD]))
            if has_observers(seats):
                notify_observers(pair, seats, mover)
        if play_out(pair, seats, log) != FINISHED:
            return game
        generic.result(pair[WORLD], results[game])
    return streams.shape[0]


@compiled
def replay_memories(start: Any, pair: Any, seats: Seats) -> None:
    """Give the seats the memories they would have if the state's game had been played in its world.

    Memories of the true world would leak: they may depend on cards that are hidden from the seat that searches.
    """
    now = pair[WORLD : WORLD + 1].copy()
    seats.room[:] = 0
    generic.rewind(start, pair)
    if generic.to_move(pair[WORLD]) != generic.CHANCE:
        notify_observers(pair, seats)
    for turn in range(generic.turns(pair[WORLD]), generic.turns(now[0])):
        mover = generic.to_move(pair[WORLD])
        generic.apply(pair[WORLD], generic.move_at(now[0], turn))
        if generic.to_move(pair[WORLD]) != generic.CHANCE:
            notify_observers(pair, seats, mover)
    pair[WORLD] = now[0]


@compiled
def chance_moves_now(pair: Any) -> int:
    """The roll that chance makes now, if it is to move."""
    state = pair[WORLD]
    room = np.empty(generic.most_moves(state), np.int64)
    rolled = number(chance_stream(state), generic.turns(state))
    return chance_move(state, room, np.empty(room.shape[0]), rolled)


# Calls from the table in Python. Passing an array to machine code is ten times faster than passing a record.


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
    """Make a move if it is legal, and return whether it was."""
    legal: bool = generic.allowed(pair[WORLD], move)
    if legal:
        generic.apply(pair[WORLD], move)
    return legal
