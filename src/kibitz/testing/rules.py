"""The rules: what is legal can be applied and nothing else is, and the past is kept as it was."""

from typing import Any

import numpy as np

from kibitz.core.agent import Decision
from kibitz.engine import generic, seeds
from kibitz.engine.compile import compiled
from kibitz.engine.dice import set_dice
from kibitz.engine.loop import MOVE_BITS, WORLD
from kibitz.testing.position import OWN_DICE, Guarded, Position, differing

TRIED = 256  # numbers that `allowed` is asked about
KEPT = ("players", "rules", *OWN_DICE)  # what no move changes


def whose_turn(at: Position) -> None:
    seat = at.table.to_move
    at.require(
        -1 <= seat < at.players,
        f"`to_move` is {seat}. It is a seat from 0 to {at.players - 1}, or −1 when the game is over.",
    )
    dtype_names = at.game.dtype.names or ()
    at.require(int(at.state["players"]) == at.players, "`deal` or `apply` writes another number into `players`.")
    at.require(int(at.state["seat"]) < 0, "the `seat` of a state is that of a view. Let `deal` write −1.")
    at.require("dice" in dtype_names and int(at.state["dice"]) == 0, "a state has `dice`, which only a view has.")


def the_past(at: Position) -> None:
    made, turns = at.moves, int(at.functions.turns(at.state))
    at.require(turns == len(made), f"`turns` is {turns}, but {len(made)} moves were made.")
    kept = [int(at.functions.move_at(at.state, turn)) for turn in range(turns)]
    at.require(kept == made, lambda: f"`move_at` says that the moves were {kept}, but they were {made}.")


@compiled
def ask_allowed(states: Any, answers: Any) -> None:
    """Arrays are handed to machine code faster than records, and one call faster than many."""
    for move in range(answers.shape[0]):
        answers[move] = generic.allowed(states[0], move)


def allowed_moves(at: Position) -> list[int]:
    answers = np.zeros(TRIED, np.bool_)
    ask_allowed(at.table.pair[WORLD : WORLD + 1], answers)
    return np.flatnonzero(answers).tolist()


def legal_moves(at: Position) -> None:
    state = at.state
    if at.table.over:
        return
    legal = at.legal()
    mine = sorted({int(move) for move in at.game.legal(state)})
    at.require(bool(legal), "the game is not over, and there is no legal move. Let `to_move` be −1 then.")
    at.require(len(set(legal)) == len(legal), f"`Game.legal` lists a move twice: {legal}.")
    at.require(
        sorted(legal) == mine, f"the seat to move is told that {sorted(legal)} are legal, and in truth {mine} are."
    )
    beyond = [move for move in mine if move >= TRIED]
    allowed = allowed_moves(at) + [move for move in beyond if at.functions.allowed(state, move)]
    at.require(
        allowed == mine,
        f"`Game.legal` lists {mine}, but `allowed` is true for {allowed}. Let them agree.",
    )
    near = [move + 1 for move in beyond if move + 1 not in mine and at.functions.allowed(state, move + 1)]
    at.require(not near, f"`Game.legal` lists {mine}, but `allowed` is true for {near} as well. Let them agree.")
    at.require(max(mine) < 1 << MOVE_BITS, f"a move is {max(mine)}. A decision has room for {MOVE_BITS} bits of it.")
    if at.lists_moves:
        from_list = listed_moves(at)
        at.require(from_list == mine, f"`moves` writes {from_list}, not {mine} in ascending order.")
    else:
        mask = int(at.functions.legal(state))
        from_mask = [move for move in range(mask.bit_length()) if mask >> move & 1]
        at.require(from_mask == mine, f"`legal` has the bits {from_mask}, but `allowed` is true for {mine}.")
    at.require(not at.functions.allowed(state, -1), "`allowed` is true for the move −1. Refuse what is below 0.")


def listed_moves(at: Position) -> list[int]:
    """What `moves` writes, into as much room as `most_moves` says."""
    most = int(at.functions.most_moves(at.state))
    room = Guarded(most, np.int64)
    count = int(at.functions.moves(at.state, room.array))
    at.require(
        not room.broken() and count <= most,
        f"`moves` writes {count} moves, more than the {most} that `most_moves` says there are at most.",
    )
    return room.array[:count].tolist()


def what_chance_does(at: Position) -> None:
    """Where it is to move after a legal move: what can be rolled is likely, legal, and written within its room."""
    if not at.has_chance:
        return
    for move in at.legal():
        after = applied(at, move)
        if at.functions.to_move(after) != generic.CHANCE:
            continue
        most = int(at.functions.most_moves(after))
        moves, chances = Guarded(most, np.int64), Guarded(most, np.float64)
        count = int(at.functions.chance_moves(after, moves.array, chances.array))
        at.require(
            not moves.broken() and not chances.broken() and 0 < count <= most,
            f"`chance_moves` after {move} writes {count} moves; at least one, and at most the {most} of `most_moves`.",
        )
        likely = chances.array[:count]
        at.require(
            bool((likely > 0).all()) and abs(float(likely.sum()) - 1) < 1e-6,
            f"the chances that `chance_moves` writes after {move} are {likely.tolist()}; all above 0, 1 together.",
        )
        refused = [rolled for rolled in moves.array[:count].tolist() if not at.functions.allowed(after, rolled)]
        at.require(not refused, f"after {move} chance can move {refused}, which `allowed` refuses.")


def applied(at: Position, move: int) -> Any:
    """The state after a move, in memory of its own with guards around."""
    room = Guarded(1, at.game.dtype)
    room.array[0] = at.state
    at.functions.apply(room.array[0], move)
    at.require(
        not room.broken(),
        f"`apply` writes past the state when it makes the move {move}. Give the arrays of a state more room.",
    )
    return room.array[0]


def every_move(at: Position) -> None:
    for move in at.legal():
        after, again = applied(at, move), applied(at, move)
        changed = differing(after, again)
        at.require(
            not changed, f"the move {move} made twice from here differs in {changed}. Let chance come from seeds."
        )
        changed = [name for name in differing(after, at.state) if name in KEPT]
        at.require(not changed, f"the move {move} changes {changed} of the state, which a move must not.")
        turns = int(at.functions.turns(after))
        at.require(turns == len(at.moves) + 1, f"after the move {move} `turns` is {turns}, not {len(at.moves) + 1}.")


def dealt_again(at: Position) -> None:
    """A table deals into the state of the game before: nothing of that may change the next game."""
    room = Guarded(1, at.game.dtype)
    state, at_first = room.array[0], at.by_hand(0)
    room.array[0] = at.state
    deal, dice = (int(seeds.number(key, at.number)) for key in seeds.keys(at.seed))
    at.functions.deal(state, at.players, at.game.rule_bits(at.rules), deal)
    set_dice(state, dice)
    at.require(not room.broken(), "`deal` writes past the state. Give the arrays of a state more room.")
    for move in at.moves:
        same = at.functions.to_move(state) == at_first.to_move and at.functions.allowed(state, move)
        at.require(
            bool(same) and at.functions.turns(state) == len(at_first.turns),
            "dealt into the memory of a finished game, the game goes another way. Let `deal` write every field that "
            "the rules read before they write it.",
        )
        at.functions.apply(state, move)
        at_first.make(Decision(move))
    left = at.game.row(state).tolist() != at.game.row(at.state).tolist()
    at.require(not left, "dealt into the memory of a finished game, the same moves have another result.")


def going_back(at: Position) -> None:
    """A copy goes its own way, and the table at an earlier turn is as it was."""
    copy = at.table.copy()
    at.require(not differing(copy.state, at.state), "a copy of the table is not the same.")
    if len(at.moves) > 1:
        middle = len(at.moves) // 2
        past = at.by_hand(middle)
        at.require(
            int(at.functions.turns(past.state)) == middle, f"the table at turn {middle} has another number of turns."
        )
        for turn in at.table.turns[middle:]:
            past.make(turn.decision)
        changed = differing(past.state, at.state)
        at.require(not changed, f"the same moves from turn {middle} on lead to a state that differs in {changed}.")
