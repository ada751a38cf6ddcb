"""Step many tables in one compiled call.

Row t of the arrays describes table t. The arrays come in named tuples and are unpacked before the loop: taking an array
out of a tuple changes its reference count (see `engine.loop`), which for every table would take longer than the game.
"""

from typing import Any, NamedTuple

from kibitz.engine.bits import chosen_bit
from kibitz.engine.compile import compiled
from kibitz.engine.dice import dice_of, set_dice
from kibitz.engine.loop import (
    FINISHED,
    ILLEGAL,
    SEEN,
    WORLD,
    has_observers,
    move_by,
    notify_observers,
    play_out,
    replay_memories,
)
from kibitz.engine.seat import Seats, has, take_room
from kibitz.engine.seeds import Keys, number
from kibitz.games.hanabi.cards import holds
from kibitz.games.hanabi.env.actions import action_of_move, actions_of_moves, move_of_action
from kibitz.games.hanabi.env.encoding import encode, spread
from kibitz.games.hanabi.rules import allowed, apply, deal, legal, score, to_move
from kibitz.games.hanabi.state import State
from kibitz.games.hanabi.worlds import observe

FINE = -1  # no table has a problem
NO_SCORE = -1


class TableArrays(NamedTuple):
    """One row, or one number, for every table."""

    states: Any
    games: Any  # the number of the current game of the seed
    moves: Any  # the legal moves, as masks of the moves of `rules`
    observations: Any  # rows of length 0 if there are none
    legal: Any  # the legal actions, true or false each
    seats: Any  # the seats to move
    rewards: Any
    done: Any
    scores: Any


class DealSettings(NamedTuple):
    """The settings shared by all tables: players, rules and deals."""

    players: int
    rules: int
    keys: Keys
    stride: int  # from a table's game number to its next


class Workspace(NamedTuple):
    """The scratch memory of one worker."""

    pair: Any  # a table and a seat's view of it (see `engine.loop`)
    partners: Any  # None if there are none
    memories: Any  # of the partners, a row of words per table; no rows if no partner has a memory
    log: Any  # of decisions, unused
    words: Any  # an observation as bits (see `encoding`)
    bytes_as_numbers: Any


@compiled
def deal_game(state: State, terms: DealSettings, game: int) -> None:
    """Deal game number `game` of the seed."""
    deal(state, terms.players, terms.rules, number(terms.keys.deal, game))
    set_dice(state, number(terms.keys.dice, game))


@compiled
def play_on(states: Any, table: int, partners: Any, pair: Any, memories: Any, log: Any) -> int:
    """Let the partners, if any, observe and move until it is the learner's turn.

    The result is that of `loop.play_out`. Without partners the argument is None, which compiles to other machine code.
    """
    if partners is None:
        return to_move(states[table])
    else:
        pair[WORLD] = states[table]
        if memories.shape[0] > 0:
            take_room(partners.seats, partners.watches, memories.ctypes.data + table * memories.strides[0])
        if has_observers(partners):
            notify_observers(pair, partners)
        ended = play_out(pair, partners, log)
        states[table] = pair[WORLD]
        return ended


@compiled
def begin(
    states: Any, table: int, games: Any, terms: DealSettings, partners: Any, pair: Any, memories: Any, log: Any
) -> bool:
    """Deal a table's game and let the partners before the learner move; whether they moved legally.

    A game that ends before the learner's first turn is skipped for the table's next game.
    """
    while True:
        deal_game(states[table], terms, games[table])
        if memories.shape[0] > 0:
            memories[table, :] = 0
        ended = play_on(states, table, partners, pair, memories, log)
        if ended != FINISHED:
            return ended != ILLEGAL
        games[table] += terms.stride


@compiled
def write_turn(state: State, table: int, moves: Any, legal_actions: Any, seats: Any) -> None:
    """Write the seat to move and its legal moves."""
    seats[table] = state.to_move
    moves[table] = legal(state)
    actions = actions_of_moves(moves[table], state.to_move, state.players)
    for action in range(legal_actions.shape[1]):
        legal_actions[table, action] = (actions >> action) & 1 != 0


@compiled
def observe_row(state: State, seat: int, pair: Any, words: Any, bytes_as_numbers: Any, rows: Any, table: int) -> None:
    """Write a seat's observation into a row."""
    pair[WORLD] = state
    observe(pair, seat, False)
    encode(pair[SEEN], words)
    spread(words, bytes_as_numbers, rows, table)


@compiled
def begin_all(tables: TableArrays, terms: DealSettings, workspace: Workspace) -> int:
    """Deal every table's game; the first table at which a partner made an illegal move, or FINE."""
    states, games, moves, observations, legal_actions, seats, rewards, done, scores = tables
    pair, partners, memories, log, words, bytes_as_numbers = workspace
    for table in range(states.shape[0]):
        if not begin(states, table, games, terms, partners, pair, memories, log):
            return table
        rewards[table], done[table], scores[table] = 0, False, NO_SCORE
        write_turn(states[table], table, moves, legal_actions, seats)
        if observations.shape[1] > 0:
            observe_row(states[table], seats[table], pair, words, bytes_as_numbers, observations, table)
    return FINE


@compiled
def step_all(tables: TableArrays, actions: Any, terms: DealSettings, workspace: Workspace) -> int:
    """Make a legal action at every table, then the partners' moves up to the learner's next turn.

    A table whose game is over starts its next one. Returns the first table with an illegal move by a partner, or FINE.
    """
    states, games, moves, observations, legal_actions, seats, rewards, done, scores = tables
    pair, partners, memories, log, words, bytes_as_numbers = workspace
    for table in range(states.shape[0]):
        state = states[table]
        before = score(state)
        apply(state, move_of_action(actions[table], state.to_move, state.players))
        ended = play_on(states, table, partners, pair, memories, log)
        if ended == ILLEGAL:
            return table
        over = ended == FINISHED
        rewards[table] = score(state) - before
        done[table] = over
        scores[table] = score(state) if over else NO_SCORE
        if over:
            games[table] += terms.stride
            if not begin(states, table, games, terms, partners, pair, memories, log):
                return table
        write_turn(state, table, moves, legal_actions, seats)
        if observations.shape[1] > 0:
            observe_row(state, seats[table], pair, words, bytes_as_numbers, observations, table)
    return FINE


@compiled
def first_illegal(tables: TableArrays, actions: Any) -> int:
    """The first table at which an action is not legal, or FINE."""
    moves, seats, count = tables.moves, tables.seats, tables.legal.shape[1]
    players = tables.states[0].players
    for table in range(moves.shape[0]):
        action = actions[table]
        if action < 0 or action >= count:
            return table
        if not holds(moves[table], move_of_action(action, seats[table], players)):
            return table
    return FINE


@compiled
def sample_all(tables: TableArrays, actions: Any) -> None:
    """Choose a random legal action at every table with the dice of its seat, like the agent `random_legal`."""
    states, moves = tables.states, tables.moves
    for table in range(states.shape[0]):
        state = states[table]
        dice = dice_of(state, state.to_move, state.turn)
        actions[table] = action_of_move(chosen_bit(moves[table], dice, 0), state.to_move, state.players)


@compiled
def advise_all(tables: TableArrays, actions: Any, terms: DealSettings, adviser: Seats, pair: Any, start: Any) -> int:
    """Write an adviser's actions at every table; the first table where it is illegal, or FINE.

    An adviser with a memory replays the game so far in the seat to move.
    """
    states, games = tables.states, tables.games
    for table in range(states.shape[0]):
        pair[WORLD] = states[table]
        state = pair[WORLD]
        seat = state.to_move
        adviser.room[:] = 0
        if has_observers(adviser):
            only_here = Seats(
                adviser.seats, adviser.room, adviser.weights, adviser.models,
                adviser.remembers & 1 << seat, adviser.watches, adviser.cheats, 0,
            )  # fmt: skip
            deal_game(start[0], terms, games[table])
            replay_memories(start, pair, only_here)
        observe(pair, seat, has(adviser.cheats, seat))
        move = move_by(adviser.seats[seat], pair[SEEN])
        if not allowed(state, move):
            return table
        actions[table] = action_of_move(move, seat, state.players)
    return FINE


@compiled
def observe_all(tables: TableArrays, seats: Any, workspace: Workspace, rows: Any) -> None:
    """Write the observation of a given seat at every table."""
    states = tables.states
    pair, _, _, _, words, bytes_as_numbers = workspace
    for table in range(states.shape[0]):
        observe_row(states[table], seats[table], pair, words, bytes_as_numbers, rows, table)
