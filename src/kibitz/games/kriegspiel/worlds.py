"""Hidden information: a seat's view (`observe`), and sampled positions consistent with it (`sample_world`).

A sampled world is a position, not a whole game: it has the pieces as the announcements allow, and the other side's
moves stay unknown. So `rewind` does nothing: a game in a sampled world starts from its position.
"""

from typing import Any

import numpy as np

from kibitz.engine import generic
from kibitz.engine.compile import INTERPRETED, compiled
from kibitz.engine.dice import observe_dice, sample_dice
from kibitz.engine.loop import SEEN, WORLD
from kibitz.engine.seeds import below, number
from kibitz.games.chess.board import BLACK, HALFMOVE_LIMIT, KINDS, KING, NO_SQUARE, PAWN, WHITE, bit, holds
from kibitz.games.chess.moves import from_square, promotion_of, to_square
from kibitz.games.kriegspiel.belief_state import BeliefStatus, initial_positions, update_belief
from kibitz.games.kriegspiel.consistency import EXACT
from kibitz.games.kriegspiel.packed_positions import ROW_LENGTH, unpack
from kibitz.games.kriegspiel.rules import is_private
from kibitz.games.kriegspiel.state import (
    ATTEMPT,
    NO_CAPTURE,
    ONGOING,
    STATE,
    State,
    event_capture_square,
    event_captured,
    event_move,
    keeps_turn,
)

# Positions kept to sample one. Interpreted code is a thousand times slower.
MAX_POSITIONS = 1 if INTERPRETED else 64


@compiled
def observe(pair: Any, seat: int, cheats: bool) -> None:
    """Write the view of a seat beside the state: its own pieces and attempts, and the announcements.

    A cheater sees both sides, and so does everybody when the game is over. A spectator sees no pieces.
    """
    pair[SEEN] = pair[WORLD]
    view = pair[SEEN]
    view.seat = seat
    if not cheats and view.outcome == ONGOING:
        hide(view, seat)
    observe_dice(view, seat, view.turn)


@compiled
def hide(view: State, seat: int) -> None:
    """Hide from a seat what it may not know of a game in progress; its turns are those it learned of."""
    for side in range(2):
        if side != seat:
            hide_side(view, side)
    if view.king_candidates and seat != BLACK:
        view.first_pieces[KING] &= ~view.first_sides[BLACK]
        view.first_sides[BLACK] = 0
    view.halfmove_clock = 0
    mover, learned = view.first_side, 0
    for turn in range(view.turn):
        event = view.history[turn]
        private = is_private(view, turn)
        view.history[turn] = 0
        if mover == seat or not private:
            view.history[learned] = event if mover == seat else event & ~ATTEMPT
            learned += 1
        mover ^= 0 if keeps_turn(event) else 1
    view.turn = learned


@compiled
def hide_side(view: State, side: int) -> None:
    for kind in range(KINDS):
        view.pieces[kind] &= ~view.sides[side]
    view.sides[side] = 0
    view.castling &= 12 if side == WHITE else 3
    if view.side != side:  # this side made the double step
        view.en_passant = NO_SQUARE


@compiled
def sample_world(pair: Any, stream: int) -> None:
    """Write beside a view a state that is consistent with it: a random position of the belief state."""
    pair[WORLD] = pair[SEEN]
    world, view = pair[WORLD], pair[SEEN]
    if view.outcome == ONGOING:
        rows = np.empty((MAX_POSITIONS, ROW_LENGTH), np.int64)
        status = update_belief(view, rows, BeliefStatus(initial_positions(view, rows), EXACT, -1), 0, view.turn)
        moved = view.fullmove_number
        unpack(rows[below(stream, 0, status.kept)], world, view.side)
        world.fullmove_number, world.halfmove_clock = moved, known_halfmove_clock(view)
        if view.king_candidates and view.first_sides[BLACK] == 0:
            sample_start(world, number(stream, 1))
    sample_dice(world, number(stream, -1))
    world.seat = -1


@compiled
def sample_start(world: State, stream: int) -> None:
    """Let a lone king have begun on one of his squares."""
    rows = np.empty((64, ROW_LENGTH), np.int64)
    row = rows[below(stream, 0, initial_positions(world, rows))]
    world.first_pieces[KING] = row[KING]
    world.first_sides[BLACK] = row[KING] & ~world.first_sides[WHITE]


@compiled
def known_halfmove_clock(view: State) -> int:
    """Moves since a capture or the viewer's last pawn move: an upper bound, as the other side's are unknown."""
    quiet, mover, pawns = (
        view.first_halfmove_clock,
        view.first_side,
        view.first_pieces[PAWN] & view.first_sides[view.seat],
    )
    for turn in range(view.turn):
        event = view.history[turn]
        if keeps_turn(event):
            continue
        move = event_move(event)
        own_pawn = mover == view.seat and holds(pawns, from_square(move))
        if own_pawn:
            pawns ^= bit(from_square(move)) | (0 if promotion_of(move) else bit(to_square(move)))
        elif event_captured(event) != NO_CAPTURE:
            pawns &= ~bit(event_capture_square(event))
        quiet = 0 if own_pawn or event_captured(event) != NO_CAPTURE else quiet + 1
        mover ^= 1
    return min(quiet, HALFMOVE_LIMIT - 1)


@compiled
def rewind(start: Any, pair: Any) -> None:
    """The past of a sampled position is unknown, so it starts where it is."""


generic.implement("kriegspiel", STATE, observe=observe, sample_world=sample_world, rewind=rewind)
