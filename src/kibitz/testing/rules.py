"""The rules: exactly the legal moves can be made, and the state keeps the moves made so far."""

from typing import Any

import numpy as np

from kibitz.core.agent import Decision
from kibitz.engine import generic, seeds
from kibitz.engine.compile import compiled
from kibitz.engine.dice import set_dice
from kibitz.engine.loop import MOVE_BITS, WORLD
from kibitz.testing.position import OWN_DICE, FieldNames, Guarded, Position, differing

TRIED = 256  # `allowed` is called for the numbers below this one
KEPT = ("players", "rules", *OWN_DICE)  # fields that no move may change


def whose_turn(at: Position) -> None:
    seat = at.table.to_move
    at.require(
        -1 <= seat < at.players,
        f"`to_move` returns {seat}. It must return a seat from 0 to {at.players - 1}, or −1 when the game is over.",
    )
    dtype_names = at.game.dtype.names or ()
    at.require(
        int(at.state["players"]) == at.players, "`players` has the wrong value. Set it in `deal` and never change it."
    )
    at.require(
        int(at.state["seat"]) < 0, "`seat` is not negative, as if the state were a view. Set it to −1 in `deal`."
    )
    at.require(
        "dice" in dtype_names and int(at.state["dice"]) == 0,
        "`dice` of a state is not 0. Only views have dice: set it to 0 in `deal`.",
    )


def the_past(at: Position) -> None:
    made, turns = at.moves, int(at.functions.turns(at.state))
    at.require(turns == len(made), f"`turns` returns {turns}, but {len(made)} moves were made.")
    kept = [int(at.functions.move_at(at.state, turn)) for turn in range(turns)]
    at.require(kept == made, lambda: f"`move_at` returns the moves {kept}, but {made} were made.")


@compiled
def ask_allowed(states: Any, answers: Any) -> None:
    """One call with an array is faster than many calls with records."""
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
    at.require(
        bool(legal), "there is no legal move, but the game is not over. Return −1 from `to_move` when the game is over."
    )
    at.require(len(set(legal)) == len(legal), f"`Game.legal` lists a move twice: {legal}.")
    at.require(
        sorted(legal) == mine,
        f"the legal moves are {mine}, but from its view the seat to move gets {sorted(legal)}. Show a seat what its "
        f"legal moves depend on.",
    )
    beyond = [move for move in mine if move >= TRIED]
    allowed = allowed_moves(at) + [move for move in beyond if at.functions.allowed(state, move)]
    at.require(
        allowed == mine,
        f"`Game.legal` lists {mine}, but `allowed` is true for {allowed}. Both must give the same moves.",
    )
    near = [move + 1 for move in beyond if move + 1 not in mine and at.functions.allowed(state, move + 1)]
    at.require(not near, f"`Game.legal` lists {mine}, but `allowed` is true for {near} as well. Both must agree.")
    at.require(
        max(mine) < 1 << MOVE_BITS,
        f"the move {max(mine)} is too large. Moves must be below 2**{MOVE_BITS}: number them.",
    )
    if at.lists_moves:
        from_list = listed_moves(at)
        at.require(from_list == mine, f"`moves` writes {from_list}, but must write {mine}, in ascending order.")
    else:
        mask = int(at.functions.legal(state))
        from_mask = [move for move in range(mask.bit_length()) if mask >> move & 1]
        at.require(
            from_mask == mine, f"the bits of `legal` are the moves {from_mask}, but `allowed` is true for {mine}."
        )
    at.require(
        not at.functions.allowed(state, -1), "`allowed` is true for the move −1. Return false for negative numbers."
    )


def listed_moves(at: Position) -> list[int]:
    """The moves that `moves` writes to an array of `most_moves` places."""
    most = int(at.functions.most_moves(at.state))
    room = Guarded(most, np.int64)
    count = int(at.functions.moves(at.state, room.array))
    at.require(
        not room.broken() and count <= most,
        f"`moves` writes {count} moves, but `most_moves` returns {most}. It must return the maximum.",
    )
    return room.array[:count].tolist()


def what_chance_does(at: Position) -> None:
    """Where chance is to move after a legal move, its moves are legal, have probabilities and fit into the arrays."""
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
            f"`chance_moves` writes {count} moves after the move {move}. It must write 1 to {most}, the number that "
            f"`most_moves` returns.",
        )
        likely = chances.array[:count]
        at.require(
            bool((likely > 0).all()) and abs(float(likely.sum()) - 1) < 1e-6,
            f"`chance_moves` writes the probabilities {likely.tolist()} after the move {move}. They must be positive "
            f"and sum to 1.",
        )
        refused = [rolled for rolled in moves.array[:count].tolist() if not at.functions.allowed(after, rolled)]
        at.require(
            not refused,
            f"`chance_moves` writes {refused} after the move {move}, but `allowed` is false for them. It must be true "
            f"for every move of chance.",
        )


def applied(at: Position, move: int) -> Any:
    """The state after a move, in guarded memory."""
    room = Guarded(1, at.game.dtype)
    room.array[0] = at.state
    at.functions.apply(room.array[0], move)
    at.require(
        not room.broken(),
        f"`apply` writes past the end of the state for the move {move}. Make the arrays of the state larger.",
    )
    return room.array[0]


def every_move(at: Position) -> None:
    for move in at.legal():
        after, again = applied(at, move), applied(at, move)
        changed = differing(after, again)
        at.require(
            not changed,
            f"making the move {move} twice from here gives different {changed}. Take random numbers from the state's "
            f"streams.",
        )
        changed = FieldNames(name for name in differing(after, at.state) if name in KEPT)
        at.require(
            not changed, f"the move {move} changes {changed} of the state. `apply` must not change these fields."
        )
        turns = int(at.functions.turns(after))
        at.require(
            turns == len(at.moves) + 1,
            f"after the move {move}, `turns` returns {turns} instead of {len(at.moves) + 1}.",
        )


def dealt_again(at: Position) -> None:
    """Matches deal into the state of the previous game, which must not affect the next one."""
    room = Guarded(1, at.game.dtype)
    state, at_first = room.array[0], at.by_hand(0)
    room.array[0] = at.state
    deal, dice = (int(seeds.number(key, at.number)) for key in seeds.keys(at.seed))
    at.functions.deal(state, at.players, at.game.rule_bits(at.rules), deal)
    set_dice(state, dice)
    at.require(not room.broken(), "`deal` writes past the end of the state. Make the arrays of the state larger.")
    for move in at.moves:
        same = at.functions.to_move(state) == at_first.to_move and at.functions.allowed(state, move)
        at.require(
            bool(same) and at.functions.turns(state) == len(at_first.turns),
            "a game dealt into the memory of a finished game takes a different course. Set every field in `deal` that "
            "the rules read.",
        )
        at.functions.apply(state, move)
        at_first.make(Decision(move))
    left = at.game.row(state).tolist() != at.game.row(at.state).tolist()
    at.require(
        not left,
        "a game dealt into the memory of a finished game has a different result after the same moves. Set every field "
        "in `deal` that the rules read.",
    )


def going_back(at: Position) -> None:
    """Copies are independent, and the same moves lead from an earlier turn to the same state."""
    copy = at.table.copy()
    at.require(not differing(copy.state, at.state), "a copy of the table differs from the table.")
    if len(at.moves) > 1:
        middle = len(at.moves) // 2
        past = at.by_hand(middle)
        at.require(
            int(at.functions.turns(past.state)) == middle,
            f"`turns` returns {int(at.functions.turns(past.state))} when the game is replayed to turn {middle}.",
        )
        for turn in at.table.turns[middle:]:
            past.make(turn.decision)
        changed = differing(past.state, at.state)
        at.require(not changed, f"replaying the moves from turn {middle} on gives different {changed}.")
