"""Hidden information: what a seat may see (`observe`), and sampled positions that agree with it (`sample_world`).

A sampled world is a position and not a whole game: in it stand the pieces as they can stand after all that was told,
and the moves of the other side stay unknown. So `rewind` stays where it is: who lives on in a sampled world begins
there.
"""

from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import INTERPRETED, compiled
from kibitz.engine.dice import observe_dice, sample_dice
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seeds import below, number
from kibitz.games.chess.board import BLACK, KINDS, KING, NOWHERE, PAWN, QUIET, WHITE, bit, holds
from kibitz.games.chess.moves import becomes_of, end_of, start_of
from kibitz.games.kriegspiel.agreement import EXACT
from kibitz.games.kriegspiel.possible import Followed, first_rows, follow
from kibitz.games.kriegspiel.rows import WORDS, load
from kibitz.games.kriegspiel.state import (
    ATTEMPT,
    GOES_ON,
    NOTHING,
    STATE,
    State,
    event_move,
    event_square,
    event_taken,
    is_illegal,
)

# Positions that are followed to sample one. Plain Python takes a thousand times as long for each.
FOLLOWED = 1 if INTERPRETED else 64


@compiled
def observe(pair: Any, seat: int, cheats: bool) -> None:
    """Write the view of a seat beside the state: its own pieces and attempts, and what the umpire said.

    A cheater sees both sides, and so does everybody when the game is over. An onlooker sees no pieces.
    """
    pair[SEEN] = pair[WORLD]
    view = pair[SEEN]
    view.seat = seat
    observe_dice(view, seat, view.turn)
    if cheats or view.outcome != GOES_ON:
        return
    for side in range(2):
        if side != seat:
            hide_side(view, side)
    if view.among and seat != BLACK:
        view.first_pieces[KING] &= ~view.first_sides[BLACK]
        view.first_sides[BLACK] = 0
    view.quiet = 0
    mover = view.first_side
    for turn in range(view.turn):
        event = view.history[turn]
        if mover != seat:
            view.history[turn] = event & ~ATTEMPT
        mover ^= 0 if is_illegal(event) else 1


@compiled
def hide_side(view: State, side: int) -> None:
    for kind in range(KINDS):
        view.pieces[kind] &= ~view.sides[side]
    view.sides[side] = 0
    view.castling &= 12 if side == WHITE else 3
    if view.side != side:  # it was this side that moved a pawn two squares
        view.en_passant = NOWHERE


@compiled
def sample_world(pair: Any, stream: int) -> None:
    """Write beside a view a state that agrees with it: any of the positions that are still possible."""
    pair[WORLD] = pair[SEEN]
    world, view = pair[WORLD], pair[SEEN]
    if view.outcome == GOES_ON:
        rows = np.empty((FOLLOWED, WORDS), np.int64)
        followed = follow(view, rows, Followed(first_rows(view, rows), EXACT, -1), 0, view.turn)
        moved = view.number
        load(rows[below(stream, 0, followed.kept)], world, view.side)
        world.number, world.quiet = moved, quiet_moves(view)
        if view.among and view.first_sides[BLACK] == 0:
            imagine_start(world, number(stream, 1))
    sample_dice(world, number(stream, -1))
    world.seat = -1


@compiled
def imagine_start(world: State, stream: int) -> None:
    """Let a lone king have begun on one of his squares."""
    rows = np.empty((64, WORDS), np.int64)
    row = rows[below(stream, 0, first_rows(world, rows))]
    world.first_pieces[KING] = row[KING]
    world.first_sides[BLACK] = row[KING] & ~world.first_sides[WHITE]


@compiled
def quiet_moves(view: State) -> int:
    """Moves since something was taken or the viewer moved a pawn: the other side may have moved one meanwhile."""
    quiet, mover, pawns = view.first_quiet, view.first_side, view.first_pieces[PAWN] & view.first_sides[view.seat]
    for turn in range(view.turn):
        event = view.history[turn]
        if is_illegal(event):
            continue
        move = event_move(event)
        own_pawn = mover == view.seat and holds(pawns, start_of(move))
        if own_pawn:
            pawns ^= bit(start_of(move)) | (0 if becomes_of(move) else bit(end_of(move)))
        elif event_taken(event) != NOTHING:
            pawns &= ~bit(event_square(event))
        quiet = 0 if own_pawn or event_taken(event) != NOTHING else quiet + 1
        mover ^= 1
    return min(quiet, QUIET - 1)


@compiled
def rewind(start: Any, pair: Any) -> None:
    """The past of a sampled position is not known, so it begins where it is."""


generic.implement("kriegspiel", STATE, observe=observe, sample_world=sample_world, rewind=rewind)
