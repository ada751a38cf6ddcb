"""Sampled worlds: made from the view alone, reached by the moves that were made, and what search asks of them."""

from typing import Any

import numpy as np

from kibitz.core.agent import Decision
from kibitz.core.table import Table
from kibitz.engine.loop import WORLD
from kibitz.errors import KibitzError
from kibitz.testing.position import Guarded, Position, differing


def from_the_view_alone(at: Position) -> None:
    """What stands in the place of the state when a world is sampled does not matter."""
    for seat in at.viewers:
        stream = at.stream(seat)
        pair = at.imagined(seat, stream)
        again = pair.copy()
        again[WORLD] = np.zeros(1, at.game.dtype)[0]
        at.functions.sample_world(again, stream)
        difference = differing(pair[WORLD], again[WORLD])
        at.require(
            not difference,
            f"what `sample_world` makes for seat {seat} depends on the state, in {difference}. It may read only the "
            f"view beside it, and must write every field.",
        )


def lived_through(at: Position, seat: int) -> tuple[Table, Any, int]:
    """A world sampled for a seat: its game played again from where `rewind` goes back to, as many moves into the game
    as the number at the end says, and the world as it was sampled."""
    room = Guarded(2, at.game.dtype)
    room.array[:] = at.imagined(seat, at.stream(seat))
    world = room.array[WORLD].copy()
    at.functions.rewind(at.table.start, room.array)
    at.require(not room.broken(), "`rewind` writes past the pair it is handed.")
    past = room.array[WORLD : WORLD + 1].copy()
    first = int(at.functions.turns(past[0]))
    at.require(first <= len(at.moves), f"`rewind` goes on to turn {first} instead of back.")
    table = Table(at.game, [], past, rolls=False)
    try:
        for turn in range(first, len(at.moves)):
            table.make(Decision(int(at.functions.move_at(world, turn))))
    except KibitzError:
        at.refuse(
            f"in a world that `sample_world` made for seat {seat}, the moves made are not legal after `rewind`. "
            f"Let `sample_world` make only worlds in which the game can have gone so."
        )
    return table, world, first


def back_and_forth(at: Position) -> None:
    """From the start that `rewind` goes back to, the moves of the sampled world lead to it.

    They are those that were made, unless the game hides moves.
    """
    for seat in at.viewers:
        table, world, _ = lived_through(at, seat)
        left = differing(table.state, world)
        at.require(
            not left,
            f"after `rewind` the moves that were made lead to a state that differs from the sampled one in {left}. "
            f"Let `rewind` keep the cards and the streams of the world, and put back all else.",
        )


def information_key(at: Position) -> None:
    if not at.has("information_key"):
        return
    for seat in at.viewers:
        mine = int(at.functions.information_key(at.state, seat))
        other = int(at.functions.information_key(at.imagined(seat, at.stream(seat))[WORLD], seat))
        at.require(mine >= 0, f"`information_key` of seat {seat} is {mine}. It is never below 0.")
        at.require(mine == other, f"`information_key` of seat {seat} tells worlds apart that look the same to it.")


def plausible(at: Position) -> None:
    if at.table.over or not at.has("plausible"):
        return
    most = int(at.functions.most_moves(at.state))
    room, legal = Guarded(most, np.float64), sorted(at.legal())
    at.functions.plausible(at.view(at.table.to_move), room.array)
    at.require(not room.broken(), f"`plausible` writes past its {most} chances.")
    chances = room.array[: len(legal)] if at.lists_moves else room.array[legal]
    at.require(bool((chances > 0).all()), f"`plausible` gives {chances.tolist()} for the legal moves; all are above 0.")
    total = float(chances.sum())
    at.require(abs(total - 1) < 1e-6, f"the chances that `plausible` gives legal moves add up to {total}, not to 1.")


def horizon(at: Position) -> None:
    if at.table.over:
        return
    room = Guarded(1, at.game.dtype)
    room.array[0] = at.imagined(at.table.to_move, at.stream(0))[WORLD]
    at.functions.horizon(room.array[0])
    at.require(not room.broken(), "`horizon` writes past the state.")
    mover = int(at.functions.to_move(room.array[0]))
    at.require(mover == at.table.to_move, f"after `horizon` it is the turn of {mover}, not of {at.table.to_move}.")


def dice(at: Position) -> None:
    """Sampled worlds have dice, and not those of the true one."""
    pair = at.imagined(0, at.stream(0))
    streams = pair[WORLD]["streams"][: at.players]
    at.require(bool(streams.all()), "a sampled world has no `streams`. Let `sample_world` call imagine_dice.")
    at.require(int(pair[WORLD]["dice"]) == 0 and int(pair[WORLD]["seat"]) < 0,
               "a sampled world has a view's `dice` or `seat`. Let `sample_world` set them to 0 and −1.")  # fmt: skip
