"""Sampled worlds: they depend on the view alone, the moves made lead to them, and searches can use them."""

from typing import Any

import numpy as np

from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.engine.loop import WORLD
from kibitz.errors import KibitzError
from kibitz.testing.position import PAST_THE_PAIR, Guarded, Position, differing


def from_the_view_alone(at: Position) -> None:
    """The state that a sampled world overwrites does not matter."""
    for seat in at.viewers:
        stream = at.stream(seat)
        pair = at.imagined(seat, stream)
        again = pair.copy()
        again[WORLD] = np.zeros(1, at.game.dtype)[0]
        at.functions.sample_world(again, stream)
        difference = differing(pair[WORLD], again[WORLD])
        at.require(
            not difference,
            f"{difference} in the world that `sample_world` makes for seat {seat} depends on the true state. It may "
            f"only read the view, pair[SEEN], and must write every field of pair[WORLD].",
        )


def replayed_world(at: Position, seat: int) -> tuple[Table, Any, int]:
    """A world sampled for a seat: the table after replaying its game, the world itself, and the turn it is replayed
    from, which `rewind` chooses."""
    room = Guarded(2, at.game.dtype)
    room.array[:] = at.imagined(seat, at.stream(seat))
    world = room.array[WORLD].copy()
    at.functions.rewind(at.table.start, room.array)
    at.require(not room.broken(), f"`rewind` {PAST_THE_PAIR}")
    past = room.array[WORLD : WORLD + 1].copy()
    first = int(at.functions.turns(past[0]))
    at.require(first <= len(at.moves), f"`rewind` goes forward, to turn {first}. It must go back to a start.")
    table = Table(at.game, [], past, rolls=False)
    try:
        for turn in range(first, int(at.functions.turns(world))):
            table.make(Decision(int(at.functions.move_at(world, turn))))
    except KibitzError:
        at.refuse(
            f"in a world that `sample_world` made for seat {seat}, the moves of the game are not legal after `rewind`. "
            f"Sample only worlds in which the game could have taken this course."
        )
    return table, world, first


def back_and_forth(at: Position) -> None:
    """From the start that `rewind` restores, the moves of the sampled world lead back to it."""
    for seat in at.viewers:
        table, world, _ = replayed_world(at, seat)
        left = differing(table.state, world)
        at.require(
            not left,
            f"after `rewind`, the moves of the game lead to a state that differs from the sampled world in {left}. "
            f"Keep the cards and the streams of the world in `rewind`, and restore everything else.",
        )


def information_key(at: Position) -> None:
    if not at.has("information_key"):
        return
    for seat in at.viewers:
        mine = int(at.functions.information_key(at.state, seat))
        other = int(at.functions.information_key(at.imagined(seat, at.stream(seat))[WORLD], seat))
        at.require(mine >= 0, f"`information_key` returns {mine} for seat {seat}. It must not be negative.")
        at.require(
            mine == other, f"`information_key` distinguishes worlds that seat {seat} cannot distinguish by its view."
        )


def move_probabilities(at: Position) -> None:
    if at.table.over or not at.has("move_probabilities"):
        return
    most = int(at.functions.most_moves(at.state))
    room, legal = Guarded(most, np.float64), sorted(at.legal())
    at.functions.move_probabilities(at.view(at.table.to_move), room.array)
    at.require(
        not room.broken(),
        f"`move_probabilities` writes past the end of its array of {most}, the number of `most_moves`.",
    )
    chances = room.array[: len(legal)] if at.lists_moves else room.array[legal]
    at.require(
        bool((chances > 0).all()),
        f"`move_probabilities` writes {chances.tolist()} for the legal moves. All must be positive.",
    )
    total = float(chances.sum())
    at.require(abs(total - 1) < 1e-6, f"the probabilities that `move_probabilities` writes sum to {total}, not to 1.")


def horizon(at: Position) -> None:
    if at.table.over:
        return
    room = Guarded(1, at.game.dtype)
    room.array[0] = at.imagined(at.table.to_move, at.stream(0))[WORLD]
    at.functions.horizon(room.array[0])
    at.require(not room.broken(), "`horizon` writes past the end of the state.")
    mover = int(at.functions.to_move(room.array[0]))
    at.require(mover == at.table.to_move, f"after `horizon`, `to_move` returns {mover} instead of {at.table.to_move}.")


def dice(at: Position) -> None:
    """Sampled worlds have random streams of their own."""
    pair = at.imagined(0, at.stream(0))
    streams = pair[WORLD]["streams"][: at.players]
    at.require(bool(streams.all()), "a sampled world has no `streams`. Call sample_dice in `sample_world`.")
    at.require(int(pair[WORLD]["dice"]) == 0 and int(pair[WORLD]["seat"]) < 0,
               "a sampled world has a view's `dice` or `seat`. Set them to 0 and −1 in `sample_world`.")  # fmt: skip
